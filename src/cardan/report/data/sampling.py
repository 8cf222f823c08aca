"""A run at the moments a page shows, and many outputs of it evaluated in one pass."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from cardan.geometry.scalar import Scalar
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]
Columns = dict[Hashable, Vector]  # by key: one row per time

PER_SECOND = 60.0  # what a screen shows
PER_STEP = 6  # frames for each accepted step, enough to see what happens inside it
FEWEST, MOST = 301, 1501
DRAGGED = 241  # frames while a slider moves
SAME = 1e-9  # of the duration: moments closer than this share a frame
MOST_MOMENTS = 200  # events that get a frame of their own


def frame_times(run: Trajectory, frames: int | None = None, moments: Iterable[float] = ()) -> Vector:
    """Times to show, increasing: equally spaced ones, and the moments at which something happened."""
    first, last = sorted((float(run.t[0]), float(run.t[-1])))
    if first == last:
        return np.array([first])
    count = frames or natural_count(run, last - first)
    own = [t for t in moments if first < t < last][:MOST_MOMENTS]
    times = np.unique(np.concatenate([np.linspace(first, last, max(2, count)), own]))
    apart = np.diff(times) > SAME * (last - first)
    return np.asarray(times[np.concatenate([[True], apart])])


def natural_count(run: Trajectory, duration: float) -> int:
    """As many frames as show the motion smoothly."""
    steps = run.solution.statistics.accepted
    return int(np.clip(max(PER_SECOND * duration, PER_STEP * steps), FEWEST, MOST))


class Table:
    """Numbers wanted along a run, gathered under keys and evaluated together."""

    def __init__(self) -> None:
        self._numbers: list[Scalar] = []
        self._places: dict[Hashable, slice] = {}

    def want(self, key: Hashable, numbers: Sequence[Scalar]) -> None:
        """Remember graph numbers under a key."""
        start = len(self._numbers)
        self._numbers += numbers
        self._places[key] = slice(start, len(self._numbers))

    @property
    def numbers(self) -> list[Scalar]:
        """Everything that is wanted, in order."""
        return list(self._numbers)

    def place(self, key: Hashable) -> slice:
        """Which of the numbers a key holds."""
        return self._places[key]

    def along(self, run: Trajectory) -> Columns:
        """The columns of each key, one row per time."""
        if not self._numbers:
            return {key: np.zeros((len(run), 0)) for key in self._places}
        table = run.outputs(self._numbers)
        return {key: table[:, place] for key, place in self._places.items()}
