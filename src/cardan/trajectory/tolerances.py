"""What a number of a state may be wrong by where it passes through zero: atol, by the size of what moves.

A number that has a unit means something else in millimetres than in astronomical units. So where none is asked for,
each component is measured by its own start, and one that starts at zero by the largest of its kind, or by how far
velocities and accelerations carry it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.errors import WrongShape
from cardan.simulation.protocol import CompiledModel
from cardan.trajectory.along import rates_along
from cardan.trajectory.coordinates import Entry
from cardan.trajectory.request import Request
from cardan.trajectory.settings import ATOL

Vector = NDArray[np.float64]
Integers = NDArray[np.int64]

SMALL, LARGE = 1e-3, 1e3  # sizes between these are not told apart
LEAST = 1e-6  # of the largest of its kind: finer, and rounding of the forces would decide the steps
NOTHING = 1e-12  # of the largest of its kind: rounding of zero


def tolerances(entry: Entry, request: Request, mode: CompiledModel) -> Vector:
    """atol of each number of the state that is integrated."""
    asked, y = request.settings.atol, entry.y if entry.state is None else entry.state
    if asked is not None:
        given = np.atleast_1d(np.asarray(asked, dtype=float))
        if given.shape not in ((1,), y.shape):
            raise WrongShape(
                f"atol has {given.size} numbers, expected 1 or {len(y)}, as many as states.", found=given.size
            )
        return np.array(np.broadcast_to(given, y.shape))
    if entry.state is not None:
        return np.full(len(y), ATOL)
    sizes = sizes_at_start(entry, request, mode)
    return ATOL * sizes / np.clip(sizes, SMALL, LARGE)


def sizes_at_start(entry: Entry, request: Request, mode: CompiledModel) -> Vector:
    """How large each number is at the start, or becomes by what the start carries; never quite nothing."""
    y, span, nq = entry.y, abs(request.end - request.t0), entry.kernel.nq
    rates = np.abs(rates_along(mode, np.array([request.t0]), y[None])[0])
    if not np.all(np.isfinite(rates)):
        return np.ones(len(y))  # a fold: nothing tells what the start becomes
    carried = np.maximum(np.abs(y), span * rates)
    if nq == entry.kernel.nv:
        carried[:nq] = np.where(carried[:nq] > 0, carried[:nq], span * span / 2 * rates[nq:])
    sizes = np.ones(len(y))
    for places, velocities in kinds_of(entry.kernel):
        far = float(np.max(carried[places], initial=0.0))
        fast = max(float(np.max(carried[velocities], initial=0.0)), SMALL * far / span if span else 0.0)
        for kind, largest in ((places, far), (velocities, fast)):
            started = np.abs(y[kind]) > NOTHING * largest
            sizes[kind] = np.where(started, np.maximum(np.abs(y[kind]), LEAST * largest), largest)
    return np.where(sizes > 0, sizes, 1.0)


def kinds_of(kernel: Kernel) -> list[tuple[Integers, Integers]]:
    """Components that are measured alike, with their velocities: lengths and angles apart, where these go together."""
    if kernel.nq != kernel.nv:
        return [(np.arange(kernel.nq), np.arange(kernel.nq, kernel.nq + kernel.nv))]
    turning = np.isin(np.arange(kernel.nq), kernel.angles)
    return [(np.flatnonzero(mask), np.flatnonzero(mask) + kernel.nq) for mask in (turning, ~turning)]
