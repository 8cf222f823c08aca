"""Everything of a model that moves on a page, and its pose along a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.kinematics.tree import WORLD
from cardan.model.constraints import Distance, Rolling
from cardan.model.curvilinear import PolarSpherical
from cardan.model.frames import Frame, Point
from cardan.model.loads import Damper, Spring
from cardan.model.stops import Contact
from cardan.report.data.sampling import Columns, Table
from cardan.report.scene.orientation import continuous, perpendicular, quaternions, turning
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

Z = np.array([0.0, 0.0, 1.0])
BEADS = 5  # that show a spring; the middle one bears its name
MOST_SPRINGS = 6  # that are shown


@dataclass(frozen=True, eq=False)
class Actor:
    """One thing that moves, placed by one of these.

    ``frame`` carries it. Between two ``ends`` it is a rod (its z axis from first to second), or a bead at a ``share``
    of the way. In the plane of a frame's z axis and a point, ``gimbal``, it is a ring (its axis normal to that plane).
    """

    name: str
    kind: str  # "body", "particle" or "marker"
    frame: Frame | None = None
    ends: tuple[Point, Point] | None = None
    share: float | None = None
    gimbal: tuple[Frame, Frame] | None = None


@dataclass(frozen=True)
class Pose:
    """Positions (N, 3) and unit quaternions (N, 4) along a run."""

    position: Vector
    quaternion: Vector


def cast(run: Trajectory) -> list[Actor]:
    """Bodies, particles, moving surfaces, rods, springs, gimbals of particles; always in this order for one model."""
    model = run.model
    actors = [Actor(one.name, "body", one.frame) for one in model.bodies]
    actors += [Actor(one.name, "particle", one.frame) for one in model.particles]
    return actors + _surfaces(run) + _rods(run) + _springs(run) + _gimbals(run)


def _surfaces(run: Trajectory) -> list[Actor]:
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


def _rods(run: Trajectory) -> list[Actor]:
    return [
        Actor(one.name, "marker", ends=(one.first, one.second))
        for one in run.model.constraints
        if isinstance(one, Distance)
    ]


def _ends(one: Spring | Damper) -> tuple[Point, Point]:
    """The two points that an element acts between."""
    assert isinstance(one.first, Point)
    assert one.second is not None
    return one.first, one.second


def _springs(run: Trajectory) -> list[Actor]:
    """Beads along springs and dampers: a string that stretches with them."""
    elements: list[Spring | Damper] = [*run.model.springs, *run.model.dampers]
    between = [one for one in elements if one.acts_between_points]
    return [
        Actor(one.name if 2 * k + 1 == BEADS else "", "marker", ends=_ends(one), share=(k + 1) / (BEADS + 1))
        for one in between[:MOST_SPRINGS]
        for k in range(BEADS)
    ]


def _gimbals(run: Trajectory) -> list[Actor]:
    """Rings that carry particles at a constant radius in spherical coordinates."""
    constant = set(run.model.parameters)
    return [
        Actor(f"gimbal of {one.name}", "marker", gimbal=(one.frame.parent or run.model.world, one.frame))
        for one in run.model.particles
        if isinstance(one.coordinates, PolarSpherical) and not sp.sympify(one.coordinates.R).free_symbols - constant
    ]


def want_poses(table: Table, run: Trajectory, actors: Sequence[Actor]) -> None:
    """Ask for what the poses are made of."""
    tree = run.kernel.dynamics.full.lifted
    for actor in actors:
        if actor.frame is not None:
            R, p = tree.pose(actor.frame)
            table.want(actor, [*p, *(x for row in R for x in row)])
        elif actor.gimbal is not None:
            base, carried = actor.gimbal
            R, p = tree.pose(base)
            table.want(actor, [*p, *(row[2] for row in R), *tree.pose(carried)[1]])
        elif actor.ends is not None:
            table.want(actor, [x for end in actor.ends for x in tree.point(end.frame, end.position)])


def poses(columns: Columns, actors: Sequence[Actor]) -> list[Pose]:
    """The pose of each actor, from the columns that were asked for."""
    return [_pose(columns[actor], actor) for actor in actors]


def _pose(table: Vector, actor: Actor) -> Pose:
    if actor.frame is not None:
        return Pose(table[:, :3], quaternions(table[:, 3:].reshape(-1, 3, 3)))
    if actor.gimbal is not None:
        return Pose(table[:, :3], continuous(turning(Z, _normals(table[:, 3:6], table[:, 6:] - table[:, :3]))))
    first, span = table[:, :3], table[:, 3:] - table[:, :3]
    if actor.share is not None:
        return Pose(first + actor.share * span, np.broadcast_to(np.array([1.0, 0, 0, 0]), (len(table), 4)))
    return Pose(first, continuous(turning(Z, span)))


def _normals(axes: Vector, arms: Vector) -> Vector:
    """Normals of the planes of axes and arms; where an arm lies on its axis, the last one before."""
    normals = np.cross(axes, arms)
    sizes = np.linalg.norm(normals, axis=1)
    known = np.flatnonzero(sizes > 1e-9 * np.max(sizes, initial=0.0))
    if not len(known):
        return np.broadcast_to(perpendicular(axes[0]), axes.shape)
    last = known[np.maximum(np.searchsorted(known, np.arange(len(normals)), side="right") - 1, 0)]
    return np.asarray(normals[last] / sizes[last, None])
