"""Curves over coordinates with periods, unrolled: cut where they leave one side of the picture and come back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

GAP = np.full((1, 2), np.nan)


@dataclass(frozen=True)
class Strip:
    """What a picture shows of one coordinate: one period from ``low``, or the range from ``low`` to ``high``."""

    low: float
    high: float
    period: float | None

    @classmethod
    def of(cls, histories: Sequence[Vector], period: float | None, marked: Sequence[float] = ()) -> Strip:
        """A strip on histories. A period starts half a turn before zero, a quarter before it or at zero: where the
        fewest marks lie on its rim, and the fewest curves cross it."""
        if period is not None:
            low = min((-period / 2, -period / 4, 0.0), key=lambda rim: _disturbed(rim, period, histories, marked))
            return cls(low, low + period, period)
        values = np.concatenate([np.ravel(one) for one in histories])
        values = values[np.isfinite(values)]
        low, high = (float(values.min()), float(values.max())) if len(values) else (-1.0, 1.0)
        margin = 0.08 * (high - low) or 0.1 * abs(high) or 1.0
        return cls(low - margin, high + margin, None)

    def cells(self, values: Vector) -> Vector:
        """What to subtract from values to bring them into the strip."""
        return (
            np.zeros_like(values) if self.period is None else self.period * np.floor((values - self.low) / self.period)
        )

    def inside(self, value: float) -> float:
        return value - float(self.cells(np.array(value)))


def _disturbed(rim: float, period: float, histories: Sequence[Vector], marked: Sequence[float]) -> tuple[int, int]:
    """(marks on a rim, passages of curves across it)."""
    near = [x for x in marked if abs((x - rim + period / 2) % period - period / 2) < 0.02 * period]
    turns = [np.floor((continuous(one[np.isfinite(one)], period) - rim) / period) for one in histories]
    return len(near), sum(int(np.count_nonzero(np.diff(one))) for one in turns)


def continuous(values: Vector, period: float | None) -> Vector:
    """A history in which every step is the shortest one modulo the period."""
    return values if period is None else np.unwrap(values, period=period)


def unrolled(x: Vector, y: Vector, strips: tuple[Strip, Strip], cuts: Sequence[int] = ()) -> tuple[Vector, Vector]:
    """The curve in its strips with NaN at each break; samples k and k + 1 are not joined for k in ``cuts``."""
    curve = np.column_stack([continuous(x, strips[0].period), continuous(y, strips[1].period)])
    if len(curve) == 1:
        curve = np.repeat(curve, 2, axis=0)
    broken, parts = set(cuts), []
    for k, (here, there) in enumerate(pairwise(curve)):
        if k in broken:
            parts.append(GAP)
            continue
        crossed = [share for i, strip in enumerate(strips) for share in _crossings(here[i], there[i], strip)]
        shares = np.unique([0.0, *crossed, 1.0])
        for first, last in pairwise(shares):
            middle = here + (first + last) / 2 * (there - here)
            cell = np.array([float(strip.cells(middle[j])) for j, strip in enumerate(strips)])
            ends = np.array([here + share * (there - here) - cell for share in (first, last)])
            parts += [GAP, ends] if parts and _jumps(parts[-1][-1], ends[0], strips) else [ends]
    table = np.vstack(parts)
    return table[:, 0], table[:, 1]


def _jumps(end: Vector, start: Vector, strips: tuple[Strip, Strip]) -> bool:
    """Whether a piece begins at another rim than the one at which the piece before it ended."""
    across = [abs(b - a) > strip.period / 2 for a, b, strip in zip(end, start, strips, strict=True) if strip.period]
    return any(across)


def _crossings(a: float, b: float, strip: Strip) -> list[float]:
    """Shares of the step from a to b at which the rim of the strip is crossed."""
    if strip.period is None or a == b or not np.isfinite(a + b):
        return []
    first, last = sorted((a, b))
    found = []
    j = int(np.floor((first - strip.low) / strip.period)) + 1
    while strip.low + j * strip.period < last:
        found.append((strip.low + j * strip.period - a) / (b - a))
        j += 1
    return found
