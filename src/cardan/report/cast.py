"""Everything of a model that moves on a page, and its pose along a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardan.kinematics.tree import WORLD
from cardan.model.constraints import Distance, Rolling
from cardan.model.frames import Frame, Point
from cardan.model.stops import Contact
from cardan.report.orientation import continuous, quaternions, turning
from cardan.report.sampling import Table

Vector = NDArray[np.float64]
Run = Any  # the public Run, which lives above this room

Z = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class Actor:
    """One thing that moves: carried by a frame, or stretched between two points (its z axis from first to second)."""

    name: str
    kind: str  # "body", "particle" or "marker"
    frame: Frame | None = None
    ends: tuple[Point, Point] | None = None


@dataclass(frozen=True)
class Pose:
    """Positions (N, 3) and unit quaternions (N, 4) along a run."""

    position: Vector
    quaternion: Vector


def cast(run: Run) -> list[Actor]:
    """Bodies, particles, then moving surfaces and rods; always in this order for one model."""
    model = run.model
    actors = [Actor(one.name, "body", one.frame) for one in model.bodies]
    actors += [Actor(one.name, "particle", one.frame) for one in model.particles]
    return actors + _surfaces(run) + _rods(run)


def _surfaces(run: Run) -> list[Actor]:
    """Bare frames that carry a plane and move, such as a turntable."""
    tree = run.kernel.dynamics.full.lifted.tree
    owned = {one.frame for one in (*run.model.bodies, *run.model.particles)}
    found: dict[Frame, Actor] = {}
    for one in (*run.model.constraints, *run.model.stops):
        if isinstance(one, (Rolling, Contact)) and one.surface not in owned:
            place = tree.attachments.get(one.surface)
            if place is not None and place.link != WORLD:
                found[one.surface] = Actor(one.surface.name, "marker", one.surface)
    return list(found.values())


def _rods(run: Run) -> list[Actor]:
    return [
        Actor(one.name, "marker", ends=(one.first, one.second))
        for one in run.model.constraints
        if isinstance(one, Distance)
    ]


def want_poses(table: Table, run: Run, actors: Sequence[Actor]) -> None:
    """Ask for what the poses are made of."""
    tree = run.kernel.dynamics.full.lifted
    for actor in actors:
        if actor.frame is not None:
            R, p = tree.pose(actor.frame)
            table.want(actor, [*p, *(x for row in R for x in row)])
        elif actor.ends is not None:
            table.want(actor, [x for end in actor.ends for x in tree.point(end.frame, end.position)])


def poses(columns: dict[Any, Vector], actors: Sequence[Actor]) -> list[Pose]:
    """The pose of each actor, from the columns that were asked for."""
    return [_pose(columns[actor], actor) for actor in actors]


def _pose(table: Vector, actor: Actor) -> Pose:
    if actor.ends is None:
        return Pose(table[:, :3], quaternions(table[:, 3:].reshape(-1, 3, 3)))
    return Pose(table[:, :3], continuous(turning(Z, table[:, 3:] - table[:, :3])))
