"""The same motion once more from a start beside its own: what it was prepared with is prepared already."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cardan.simulation.methods.objects import resolve
from cardan.trajectory.coordinates import Coordinates, Entry
from cardan.trajectory.follow import follow
from cardan.trajectory.request import Request
from cardan.trajectory.settings import Settings
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Beside:
    """Follows an entry again, with other tolerances, from a state next to that of the entry."""

    coordinates: Coordinates
    entry: Entry
    request: Request

    def __call__(self, settings: Settings, y: Vector) -> Trajectory:
        """The motion from y, a state in the coordinates of the entry."""
        asked, method, step = self.request.settings, self.request.method, self.request.step
        if (settings.method, settings.step) != (asked.method, asked.step):
            method, step = resolve(settings.method, settings.step)
        request = replace(self.request, settings=settings, method=method, step=step)
        entry = replace(self.entry, y=y, edge=None)  # the motion itself has told where its coordinates end
        return Trajectory.of(self.coordinates.leave(follow(entry, request)))


def beside(coordinates: Coordinates, entry: Entry, request: Request) -> Beside | None:
    """The way to neighbours of a motion; none where an entry remembers what happened: charts, Python functions."""
    remembers = entry.model is not None or entry.compiled.refresh is not None
    return None if remembers else Beside(coordinates, entry, request)
