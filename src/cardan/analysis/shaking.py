"""A mode as a motion to look at: the rest, moved to and fro along the shape of the mode."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.analysis.modes import Modes
from cardan.errors import ModelError
from cardan.simulation.solution import Segment, Solution, Statistics
from cardan.trajectory.settings import Settings
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

FRAMES = 121  # states of one cycle that are kept


def shaken(modes: Modes, which: int, amplitude: float, period: float) -> Trajectory:
    """One cycle of a mode that takes ``period``; what moves most does so by ``amplitude`` of its typical size."""
    if not -len(modes) <= which < len(modes):
        raise ModelError(f"There are {len(modes)} modes, counted from 0; there is no mode {which}.", which=which)
    if not (np.isfinite(amplitude) and 0 < period < np.inf):
        raise ModelError(f"A mode needs a finite amplitude and a period above 0, found {amplitude:g} and {period:g}.")
    place, shape = modes.linear.place, modes.shapes[:, which]
    step = amplitude * shape / np.max(np.abs(shape) / place.sizes)
    numbers, nq, turning = place.kernel.numbers(place.p), place.kernel.nq, 2 * np.pi / period

    def states(rows: Vector, times: Vector) -> Vector:
        """q moved along the shape, and the velocities of that motion."""
        found = np.array([numbers.moved(place.t, place.y, np.sin(turning * t) * step) for t in times])
        found[:, nq:] = np.outer(np.cos(turning * times), turning * step)
        return found

    t = np.linspace(0.0, period, FRAMES)
    y = states(np.zeros((0, 0)), t)
    counts = Statistics("DOP853", FRAMES - 1, 0, 0, 0, 0, period / (FRAMES - 1), period / (FRAMES - 1))
    rows = np.column_stack([t, y])
    solution = Solution(t, y, "finished", "One cycle of a mode.", counts, (), period, y[-1], (Segment(rows, states),))
    kernel = place.kernel
    return Trajectory(Settings(period), kernel, kernel, place.p, solution, np.full(y.shape[1], 1e-12))
