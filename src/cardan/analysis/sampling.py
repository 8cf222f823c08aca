"""Starts for a search: configurations drawn over the whole of where a system can be, or over a part of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.errors import unknown
from cardan.singular.constrained import ConstrainedNumbers
from cardan.singular.projection import project_position

Vector = NDArray[np.float64]
Flags = NDArray[np.bool_]

SEED = 20170130
TURNED = 1e-9  # of the largest: what a whole turn may change by rounding
WIDE = 2.0  # typical sizes to both sides: where lengths are drawn from


@dataclass(frozen=True)
class Box:
    """Bounds of the coordinates; ``asked`` are those that were given, outside of which nothing is told."""

    low: Vector
    high: Vector
    asked: Flags
    around: Flags  # coordinates that are back after a whole turn

    @classmethod
    def of(cls, kernel: Kernel, sizes: Vector, limits: Mapping[str, tuple[float, float]] | None) -> Box:
        """Whole turns of angles, and twice the size of the system for lengths, where nothing is given."""
        around = whole_turns(kernel)
        wide = np.ones(kernel.nq) if kernel.nq != kernel.nv else np.where(around, np.pi, WIDE * sizes)
        low, high, asked = -wide, wide.copy(), np.zeros(kernel.nq, dtype=bool)
        names = [symbol.name for symbol in kernel.model.q]
        for name, (least, most) in (limits or {}).items():
            if str(name) not in names:
                raise unknown(name, names, f"coordinate of {kernel.model.name!r} to be bounded")
            k = names.index(str(name))
            low[k], high[k], asked[k] = least, most, True
        return cls(low, high, asked, around)


def whole_turns(kernel: Kernel) -> Flags:
    """Which coordinates are angles that are back after a whole turn: nothing that acts tells the difference.

    An angle in a sine is one; the same angle in a torsion spring, or in a row typed with it outside of a sine, is not.
    """
    found = np.array([k in kernel.angles or one in kernel.turning for k, one in enumerate(kernel.model.q)], dtype=bool)
    if not found.any():
        return found
    rng, numbers = np.random.default_rng(SEED), kernel.numbers(kernel.p())
    y = rng.uniform(-1, 1, kernel.nq + kernel.nv)
    here = _everything(numbers, y)
    for k in np.flatnonzero(found):
        moved = y.copy()
        moved[k] += 2 * np.pi
        change = np.abs(_everything(numbers, moved) - here)
        found[k] = not np.nanmax(change, initial=0.0) > TURNED * np.nanmax(np.abs(here), initial=1.0)
    return found


def _everything(numbers: ConstrainedNumbers, y: Vector) -> Vector:
    terms = numbers.terms(0.0, y)
    return np.concatenate([terms.M.ravel(), terms.h, terms.A.ravel(), *numbers.residual(0.0, y)])


def guesses(kernel: Kernel, box: Box, t: float, p: Vector, sizes: Vector, count: int) -> Iterator[Vector]:
    """Configurations: the origin, then random ones; on the constraints where these can be met from there."""
    rng, system = np.random.default_rng(SEED), kernel.numbers(p)
    for k in range(count):
        q = np.clip(np.zeros(kernel.nq), box.low, box.high) if k == 0 else rng.uniform(box.low, box.high)
        for start in kernel.quaternions:
            turn = np.array([1.0, 0, 0, 0]) if k == 0 else rng.normal(size=4)
            q[start : start + 4] = turn / np.linalg.norm(turn)
        if kernel.m:
            y = np.concatenate([q, np.zeros(kernel.nv)])
            if not np.isfinite(system.terms(t, y).A).all():
                continue
            closed = project_position(system, t, y, sizes)
            if closed is None:
                continue
            q = closed[: kernel.nq]
        yield q


def is_inside(kernel: Kernel, box: Box, y: Vector) -> bool:
    """Whether the bounds that were asked for hold, angles being brought between them by whole turns."""
    q = y[: kernel.nq]
    for k in np.flatnonzero(box.around):
        if box.asked[k]:
            q[k] -= 2 * np.pi * np.floor((q[k] - box.low[k]) / (2 * np.pi))
            if q[k] > box.high[k] + 1e-9 and q[k] - 2 * np.pi >= box.low[k] - 1e-9:
                q[k] -= 2 * np.pi
        else:
            q[k] = (q[k] + np.pi) % (2 * np.pi) - np.pi
    slack = 1e-9 * (box.high - box.low)
    return bool(np.all(~box.asked | ((q >= box.low - slack) & (q <= box.high + slack))))
