"""A run at the times of its page, and everything that is computed along it before any of it is packed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.along import JudgedTrajectory
from cardan.equations.numbers import Reaction
from cardan.native.once import once
from cardan.report.data.sampling import Columns, Table, frame_times
from cardan.report.scene.arrows import want_loads
from cardan.report.scene.cast import Actor, Pose, cast, poses, want_poses
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Shown:
    """A run at the times of its page, with what is evaluated along it in one pass."""

    run: JudgedTrajectory
    here: JudgedTrajectory
    actors: Sequence[Actor]

    @once
    def columns(self) -> Columns:
        return wanted_of(self.here, self.actors).along(self.here)

    @once
    def poses(self) -> list[Pose]:
        return poses(self.columns, self.actors, self.here)


def wanted_of(run: Trajectory, actors: Sequence[Actor]) -> Table:
    """Everything that moves on a page and follows from the state alone: poses, loads, energies."""
    table = Table()
    want_poses(table, run, actors)
    want_loads(table, run)
    table.want("energies", list(run.kernel.dynamics.energies))
    return table


def shown_run(run: JudgedTrajectory, frames: int | None = None, moments: Sequence[float] = ()) -> Shown:
    """The run at the times of a page."""
    return Shown(run, run.at(frame_times(run, frames, moments)), cast(run))


@dataclass(frozen=True)
class Measured:
    """What a page shows of forces and indicators along a run, one row per frame."""

    energies: Vector  # T, V and the Jacobi integral
    reactions: Mapping[str, Reaction]
    power: Mapping[str, Vector]
    multipliers: Mapping[str, Vector]
    constraint_error: Vector | None  # where there are constraints
    indicators: Mapping[str, Vector]


def measure(shown: Shown, go_on: Callable[[], None]) -> Measured:
    """Everything that takes long; ``go_on`` is called between its parts and may raise."""
    here = shown.here
    inside = {station.name for body in here.model.flexible for station in body.stations}  # of a line that bends
    energies = shown.columns["energies"]
    reactions = {name: one for name, one in here.reactions.items() if name not in inside}
    go_on()
    power, multipliers = here.power, here.multipliers
    error = here.constraint_error if here.kernel.m else None
    go_on()
    indicators = here.indicators().series
    go_on()
    return Measured(energies, reactions, power, multipliers, error, indicators)
