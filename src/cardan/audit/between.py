"""What a run does between its steps, by its own interpolant: where something is lowest there."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

LOOKS = 20_000  # at most as many times between steps are looked at, and at least two in each
DIPS = 64  # as many of the lowest minima are refined
CLOSELY, ROUNDS = 32, 4  # places in each of them, and how often: a 65 000th of the distance of two looks


def looked_at(run: Trajectory, per_step: int) -> Vector:
    """The times of the accepted steps, and some inside each of them, in the order of the run."""
    steps = run.solution.steps
    inside = max(2, min(per_step, LOOKS // max(1, len(steps))))
    shares = np.arange(1, inside + 1) / (inside + 1)
    h = np.diff(steps)
    return np.append(np.column_stack([steps[:-1], steps[:-1, None] + h[:, None] * shares]).ravel(), steps[-1])


def lowest(value: Callable[[Vector], Vector], times: Vector, found: Vector) -> tuple[float, float]:
    """(time, value) where a function of time is lowest, the lowest minima of ``found`` looked at ever more closely.

    Infinite values are places that are not looked at.
    """
    before, here, behind = found[:-2], found[1:-1], found[2:]
    low = (here <= before) & (here <= behind) & ((here < before) | (here < behind))
    at = np.flatnonzero(low & np.isfinite(before) & np.isfinite(behind)) + 1
    at = np.sort(at[np.argsort(found[at], kind="stable")[:DIPS]])
    worst = int(np.argmin(found))
    best = (float(times[worst]), float(found[worst]))
    if not len(at):
        return best
    a, b = times[at - 1], times[at + 1]
    for _ in range(ROUNDS):
        grid = a[:, None] + (b - a)[:, None] * np.linspace(0.0, 1.0, CLOSELY + 1)
        values = value(grid.ravel()).reshape(grid.shape)
        k = np.clip(np.argmin(values, axis=1), 1, CLOSELY - 1)
        row = np.arange(len(at))
        a, b = grid[row, k - 1], grid[row, k + 1]
        first = int(np.argmin(values))
        if values.ravel()[first] < best[1]:
            best = (float(grid.ravel()[first]), float(values.ravel()[first]))
    return best
