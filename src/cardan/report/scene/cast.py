"""Everything of a model that moves on a page, and its pose along a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.kinematics.tree import WORLD
from cardan.model.constraints import Distance, Rolling
from cardan.model.curvilinear import PolarSpherical
from cardan.model.drawings import Drawing
from cardan.model.flexible import FlexibleBody
from cardan.model.frames import Frame, Point
from cardan.model.loads import Damper, Spring
from cardan.model.stops import Contact
from cardan.report.data.sampling import Columns, Table
from cardan.report.scene.drawn import disc_turns, drawn_length, moves, placed_points, places_along
from cardan.report.scene.orientation import continuous, perpendicular, quaternions, turning
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

Z = np.array([0.0, 0.0, 1.0])
BEADS = 5  # that show a spring; the middle one bears its name
MOST_SPRINGS = 6  # that are shown
SEGMENTS = 24  # straight pieces that show a bent body


@dataclass(frozen=True, eq=False)
class Actor:
    """One thing that moves, placed by one of these.

    ``frame`` carries it. Between two ``ends`` it is a rod (its z axis from first to second), or a bead at a ``share``
    of the way. In the plane of a frame's z axis and a point, ``gimbal``, it is a ring (its axis normal to that plane).
    A piece of a ``flexible`` body lies between two ends, too. A ``drawing`` has its own way (``drawn.py``), a wire of
    several places is drawn ``piece`` by piece.
    """

    name: str
    kind: str  # "body", "particle" or "marker"
    frame: Frame | None = None
    ends: tuple[Point, Point] | None = None
    share: float | None = None
    gimbal: tuple[Frame, Frame] | None = None
    flexible: FlexibleBody | None = None
    drawing: Drawing | None = None
    piece: int = 0


@dataclass(frozen=True)
class Pose:
    """Positions (N, 3) and unit quaternions (N, 4) along a run.

    What changes its length is drawn with a ``length`` along its z axis, and stretched from there by ``stretch`` (N,).
    """

    position: Vector
    quaternion: Vector
    length: float | None = None
    stretch: Vector | None = None


def cast(run: Trajectory) -> list[Actor]:
    """Bodies, particles, moving surfaces, rods, springs, gimbals of particles; always in this order for one model."""
    model = run.model
    inside = {station for one in model.flexible for station in one.stations}
    actors = [Actor(one.name, "body", one.frame) for one in model.bodies]
    actors += [Actor(one.name, "particle", one.frame) for one in model.particles if one not in inside]
    return actors + _surfaces(run) + _rods(run) + _springs(run) + _gimbals(run) + _pieces(run) + _drawings(run)


def _drawings(run: Trajectory) -> list[Actor]:
    """What is only drawn, and moves; a name is written once."""
    found: list[Actor] = []
    for one in run.model.drawings:
        if moves(run, one):
            for piece in range(max(1, len(one.places) - 1)):
                label = "" if any(other.name == one.name for other in found) else one.name
                found.append(Actor(label, "drawn" if one.kind == "point" else "marker", drawing=one, piece=piece))
    return found


def _pieces(run: Trajectory) -> list[Actor]:
    """Straight pieces along the line of every body that bends."""
    found = []
    for one in run.model.flexible:
        ends = [one.bent(one.length * k / SEGMENTS) for k in range(SEGMENTS + 1)]
        found += [Actor("", "marker", ends=pair, flexible=one) for pair in pairwise(ends)]
    return found


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
        elif actor.drawing is not None:
            table.want(
                actor,
                [
                    x
                    for place in placed_points(actor.drawing, actor.piece)
                    for x in tree.point(place.frame, place.position)
                ],
            )
        elif actor.ends is not None:
            table.want(actor, [x for end in actor.ends for x in tree.point(end.frame, end.position)])


def poses(columns: Columns, actors: Sequence[Actor], run: Trajectory) -> list[Pose]:
    """The pose of each actor, from the columns that were asked for; typed places are evaluated along the run."""
    return [
        _pose(columns[actor], actor)
        if actor.drawing is None
        else _drawn(run, columns[actor], actor.drawing, actor.piece)
        for actor in actors
    ]


def _drawn(run: Trajectory, table: Vector, drawing: Drawing, piece: int) -> Pose:
    """The pose of what is only drawn."""
    ends = places_along(run, drawing, piece, table)
    if drawing.kind == "point":
        return Pose(ends[0], np.broadcast_to(np.array([1.0, 0, 0, 0]), (len(run), 4)))
    if drawing.kind == "disc":
        return Pose(ends[0], disc_turns(run, drawing))
    span = ends[1] - ends[0]
    lengths = np.linalg.norm(span, axis=1)
    own = drawn_length(lengths)
    return Pose(ends[0], continuous(turning(Z, span)), own, lengths / own)


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
