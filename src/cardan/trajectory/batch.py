"""Many motions of one model at once: rows of starts, side by side in vector kernels and threads.

A row's numbers do not depend on its place, on its neighbours or on how many threads there are: every row goes through
the same instructions (``codegen/batch.py``), and rows never meet.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.codegen.compiled import Kernel
from cardan.errors import ModelError, SimulationError, WrongShape
from cardan.graph import operation_count
from cardan.model.signals import signal_values
from cardan.native.showing import Shown

Vector = NDArray[np.float64]
PerRow = Mapping[str, ArrayLike]  # by name: one number for all rows, or one for each

BLOCK = 64  # rows that one thread takes at a time
UNROLLED = 4000  # operations of the right-hand side: below this a whole step is one kernel


@dataclass(frozen=True)
class Batch(Shown):
    """Motions of many starts: ``q`` (rows, times, nq) and ``v`` (rows, times, nv) at the times ``t``.

    ``status`` says of each row "finished", or what ended it; what comes after is NaN.
    """

    t: Vector
    q: Vector
    v: Vector
    status: tuple[str, ...]
    names: tuple[str, ...]  # of the configuration numbers

    def __len__(self) -> int:
        return len(self.q)

    def __getitem__(self, name: str) -> Vector:
        """A coordinate by name, (rows, times)."""
        if name not in self.names:
            raise ModelError(f"{name!r} is no coordinate; known are: {', '.join(self.names)}.", name=name)
        found: Vector = self.q[:, :, self.names.index(name)]
        return found

    def _row(self) -> dict[str, object]:
        ended = {one: self.status.count(one) for one in dict.fromkeys(self.status)}
        return {"rows": len(self), "times": len(self.t), "configuration": self.names, "ended": ended}


# --- what is asked -----------------------------------------------------------------------------------


def starts(kernel: Kernel, q: ArrayLike | None, v: ArrayLike | None) -> Vector:
    """Rows [q, v]; one row may stand for all, and what is left out is zero."""
    given = [np.zeros((1, n)) if x is None else np.atleast_2d(np.asarray(x, dtype=float)) for x, n in
             ((q, kernel.nq), (v, kernel.nv))]  # fmt: skip
    count = max(len(one) for one in given)
    for what, one, n in zip("qv", given, (kernel.nq, kernel.nv), strict=True):
        if one.ndim != 2 or one.shape[1] != n or len(one) not in (1, count):
            raise WrongShape(
                f"{what} has shape {one.shape}; a batch of {count} rows needs ({count}, {n}) or (1, {n}).",
                found=one.shape,
            )
    rows = np.hstack([np.broadcast_to(one, (count, one.shape[1])) for one in given])
    for k in kernel.quaternions:
        if q is None:
            rows[:, k] = 1.0
        rows[:, k : k + 4] /= np.linalg.norm(rows[:, k : k + 4], axis=1, keepdims=True)
    return rows


def values(kernel: Kernel, count: int, parameters: PerRow | None, *signals: PerRow | None) -> Vector:
    """p of each row, (count, np), or one p for all where nothing differs."""
    by_name: dict[str, ArrayLike] = {str(name): value for name, value in (parameters or {}).items()}
    driven = {str(one): value for one, value in signal_values(kernel.model, *signals).items()}
    rows = np.tile(kernel.p(dict.fromkeys(by_name, 0.0)), (count, 1))
    places = [*(str(one) for one in kernel.model.parameters), *(str(one) for one in kernel.signals)]
    for name, value in {**by_name, **driven}.items():
        try:
            column: Vector = np.asarray(value, dtype=float)
        except (TypeError, ValueError):
            raise ModelError(
                f"{name!r} of a batch is a number, or one number for each row; expressions and functions are for "
                "s.simulate, or write them into the model.",
                name=name,
            ) from None
        if column.shape not in ((), (count,)):
            raise WrongShape(f"{name!r} has shape {column.shape}; give one number, or {count}.", name=name)
        rows[:, places.index(name)] = column
    alike = bool(np.all(rows == rows[0]))
    return np.ascontiguousarray(rows[0]) if alike else rows


# --- fixed steps -------------------------------------------------------------------------------------


def fixed_steps(
    kernel: Kernel, rows: Vector, p: Vector, times: Vector, step: float, threads: int | None, watches: bool = False
) -> Batch:
    """Classical Runge-Kutta of order four with steps of at most ``step`` between the times."""
    _require_plain(kernel, watches)
    if not step > 0:
        raise SimulationError(f"A batch with fixed steps needs step > 0, found {step!r}.")
    own = p.ndim == 2
    advance = _advance(kernel, own)
    states = np.full((len(rows), len(times), rows.shape[1]), np.nan)
    bad = np.zeros(len(rows), dtype=np.int64)

    def follow(block: slice) -> None:
        y, mine = rows[block], p[block] if own else p
        states[block, 0] = y
        for k in range(1, len(times)):
            count = max(1, int(np.ceil((times[k] - times[k - 1]) / step - 1e-9)))
            y, status = advance(times[k - 1], y, mine, (times[k] - times[k - 1]) / count, count)
            bad[block] = np.where(bad[block] == 0, status, bad[block])
            states[block, k] = np.where(bad[block][:, None] == 0, y, np.nan)

    in_threads(follow, [slice(k, k + BLOCK) for k in range(0, len(rows), BLOCK)], threads)
    status = tuple("finished" if one == 0 else f"singular mass matrix ({kernel.model.v[one - 1]})" for one in bad)
    names = tuple(str(one) for one in kernel.model.q)
    return Batch(times, states[:, :, : kernel.nq], states[:, :, kernel.nq :], status, names)


Advance = Callable[[float, Vector, Vector, float, int], tuple[Vector, NDArray[np.int64]]]


def _advance(kernel: Kernel, own: bool) -> Advance:
    """Steps of all rows: in one kernel for a small model, stage by stage for a large one."""
    d = kernel.dynamics
    if sum(operation_count([*d.configuration_rates, *d.acceleration[0]]).values()) < UNROLLED:
        return kernel.compiled.stepper(own).advance
    stage = kernel.own_batch("rhs") if own else kernel.batch("rhs")

    def by_stages(t: float, y: Vector, p: Vector, h: float, steps: int) -> tuple[Vector, NDArray[np.int64]]:
        bad = np.zeros(len(y), dtype=np.int64)
        for k in range(steps):
            now = t + k * h
            k1, a = stage.rows(now, y, p)
            k2, b = stage.rows(now + h / 2, y + h / 2 * k1, p)
            k3, c = stage.rows(now + h / 2, y + h / 2 * k2, p)
            k4, e = stage.rows(now + h, y + h * k3, p)
            y = _unit(kernel, y + h / 6 * (k1 + 2 * (k2 + k3) + k4))
            bad = np.where(bad == 0, np.maximum.reduce([a, b, c, e]), bad)
        return y, bad

    return by_stages


def _unit(kernel: Kernel, y: Vector) -> Vector:
    for k in kernel.quaternions:
        y[:, k : k + 4] /= np.linalg.norm(y[:, k : k + 4], axis=1, keepdims=True)
    return y


def _require_plain(kernel: Kernel, watches: bool) -> None:
    """Refuse by name what fixed steps side by side do not honour."""
    model = kernel.model
    kinds = {"constraints": kernel.m, "friction that may stick": len(model.rubbing), "stops": len(model.stops)}
    kinds["events"] = int(watches)
    found = [name for name, count in kinds.items() if count]
    if found:
        raise SimulationError(
            f"{model.name!r} has {' and '.join(found)}, which fixed steps side by side do not honour. Use "
            'method="auto" (each row as s.simulate does it), or load a robot with --no-limits.',
            status="refused",
        )


# --- threads -----------------------------------------------------------------------------------------


def in_threads(work: Callable[[slice], None], blocks: Sequence[slice], threads: int | None) -> None:
    """Do all blocks; the first error is raised."""
    count = min(len(blocks), threads or os.cpu_count() or 1)
    if count <= 1:
        for block in blocks:
            work(block)
        return
    with ThreadPoolExecutor(count) as pool:
        for done in [pool.submit(work, block) for block in blocks]:
            done.result()
