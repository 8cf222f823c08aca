"""A motion as plain arrays, and the motion again from them.

Between two accepted states the dense output asks the equations, so that arrays alone are no motion: the model is made
again, too. Where nothing interrupted a motion its model is the one that it began with, and the arrays are put into
that. Where something did (an impact, a change of chart or of rank) the modes on the way are known only to who follows
it: the motion is followed again, which gives the same bits, and compared with the arrays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardan.errors import StoreError
from cardan.simulation.drive import segment_again
from cardan.simulation.methods.table import method_named
from cardan.simulation.solution import Crossing, Segment, Solution, Statistics
from cardan.trajectory.coordinates import Coordinates, Entry, Motion
from cardan.trajectory.guards import watch_over
from cardan.trajectory.request import Request

if TYPE_CHECKING:
    from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]
QUIET = ("chart-switch",)  # records of a motion that stayed in the model it began with: how its start was read


@dataclass(frozen=True)
class Kept:
    """The solution of a motion as plain data; ``methods`` name those of its segments, or none where it was
    interrupted on its way."""

    t: Vector
    y: Vector
    status: str
    message: str
    statistics: Statistics
    events: tuple[Crossing, ...]
    t_final: float
    y_final: Vector
    angles: tuple[int, ...]
    rows: tuple[Vector, ...]
    methods: tuple[str, ...]
    atol: Vector

    @classmethod
    def of(cls, run: Trajectory) -> Kept:
        """What is to be kept of a motion."""
        s = run.solution
        return cls(
            s.t, s.y, s.status, s.message, s.statistics, s.events, s.t_final, s.y_final, s.angles,
            tuple(one.rows for one in s.segments), _methods(run), run.atol,
        )  # fmt: skip

    @property
    def is_whole(self) -> bool:
        """Whether the motion can be put together from the arrays."""
        return bool(self.methods)

    def compared(self, again: Trajectory) -> Trajectory:
        """The motion that was followed again, at the times that were kept; StoreError where it is another one."""
        s = again.solution
        if len(self.t) != len(s.t) or not np.array_equal(self.t, s.t):
            same = _same_steps(self, s)
            again = again.at(self.t) if same else again
            s = again.solution
        if s.y.shape != self.y.shape or not np.array_equal(self.y, s.y, equal_nan=True):
            raise StoreError(_difference(self, s), reason=s.message, status=s.status)
        return again

    def solution(self, segments: tuple[Segment, ...]) -> Solution:
        """The solution with these segments."""
        return Solution(
            self.t, self.y, self.status, self.message, self.statistics, self.events, self.t_final, self.y_final,
            segments, self.angles,
        )  # fmt: skip


def _methods(run: Trajectory) -> tuple[str, ...]:
    segments = run.solution.segments
    names = tuple(one.method for one in segments)
    stayed = len({id(one.model) for one in segments}) == 1 and all(one.kind in QUIET for one in run.records)
    return names if stayed and all(names) else ()


def _same_steps(kept: Kept, s: Solution) -> bool:
    ends = np.concatenate([rows[:, 0] for rows in kept.rows])
    return bool(np.array_equal(ends, np.concatenate([one.rows[:, 0] for one in s.segments])))


def _difference(kept: Kept, s: Solution) -> str:
    common = min(len(kept.t), len(s.t))
    differs = ~np.all(np.isclose(kept.y[:common], s.y[:common], rtol=0.0, atol=0.0, equal_nan=True), axis=1)
    where = int(np.argmax(differs)) if differs.any() else common
    if where == common:
        what = f"it has {len(s.t)} times instead of {len(kept.t)}"
    else:
        size = float(np.max(np.abs(kept.y[where] - s.y[where])))
        what = f"its states differ from t = {kept.t[where]:.6g} on, there by {size:.1e}"
    return (
        f"The motion was interrupted on its way and was followed again; {what}. Another processor or other versions "
        "of NumPy and Cardan round otherwise. The stored arrays are as they were: read t, q, v and energy with Zarr or "
        "xarray, or load the run where it was made."
    )


def resumed(coordinates: Coordinates, entry: Entry, request: Request, kept: Kept) -> Motion | None:
    """The motion put together from what was kept; None where it has to be followed again."""
    if not kept.is_whole:
        return None
    watched = watch_over(entry, request)
    model = watched.first_mode
    segments = tuple(
        segment_again(model, method_named(name), rows) for name, rows in zip(kept.methods, kept.rows, strict=True)
    )
    solution = kept.solution(segments)
    return coordinates.read(Motion(request, entry, solution, (), watched.parameters, watched.refresh, kept.atol))
