"""The scene of a run: what its bodies look like, what stands still, where the joints are, how large it all is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.kinematics.tree import WORLD, Tree, build_tree
from cardan.model.appearances import Ring
from cardan.model.constraints import Connection, Distance, Rolling, RollingOver
from cardan.model.curvilinear import PolarSpherical
from cardan.model.flexible import FlexibleBody
from cardan.model.frames import Point
from cardan.model.looks import Look
from cardan.model.shapes import Shape as TouchingShape
from cardan.model.stops import Contact
from cardan.native.once import once
from cardan.report.data.arrays import numbers
from cardan.report.data.entries import BodyEntry, JointEntry, Shape
from cardan.report.scene.appearance import BEAD, THIN, bar, ellipsoid, inferred, placed
from cardan.report.scene.cast import SEGMENTS, Actor, Pose
from cardan.report.scene.drawn import drawn_shapes, standing_shapes
from cardan.report.scene.dressing import given
from cardan.report.scene.gimbals import Gimbals
from cardan.report.scene.orientation import matrix
from cardan.report.scene.pieces import Pieces
from cardan.report.scene.skeleton import Member, Values, own_links, skeleton
from cardan.report.scene.surroundings import bearing, connection_bearings, height, planes, round_surfaces, tracks
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Scene:
    """A run, its actors and their poses; everything else is found when it is asked for."""

    run: Trajectory
    actors: Sequence[Actor]
    poses: Sequence[Pose]

    # --- sizes -------------------------------------------------------------------------------------

    @once
    def members(self) -> list[Member]:
        return skeleton(self.run)

    @once
    def values(self) -> Values:
        return Values(self.run)

    @once
    def length(self) -> float:
        """The typical length of a part: between joints and masses, or what slides cover; else by shape or inertia."""
        joined = [float(np.linalg.norm(end - one.anchor)) for one in self.members for end in (*one.ends, one.com)]
        joined += [one.length for one in self.run.model.flexible]
        joined += [one.length for one in self.poses if one.length is not None]
        joined += [float(np.max(np.abs(self._covered(k)))) for k in range(len(self.members)) if self._slides(k)]
        sizes = [float(np.max(ellipsoid(one.mass, one.inertia)[0])) for one in self.members if one.mass]
        sizes += [self.values.number(x) for _, shape in self.touching for x in shape.amounts]
        return max(joined, default=0.0) or max(sizes, default=0.0) or 0.7 * self._spread or 1.0

    @once
    def _box(self) -> tuple[Vector, Vector]:
        """Corners of what the actors' origins visit."""
        if not self.poses:
            return np.zeros(3), np.zeros(3)
        places = np.concatenate([one.position for one in self.poses])
        places = places[np.all(np.isfinite(places), axis=1)]
        return (places.min(axis=0), places.max(axis=0)) if len(places) else (np.zeros(3), np.zeros(3))

    @once
    def room(self) -> tuple[Vector, Vector]:
        """Corners of what origins, centres of mass and joints of the actors visit."""
        low, high = self._box
        places = [np.zeros((0, 3))]
        for member, pose in zip(self.members, self.poses, strict=False):
            local = np.array([member.com, *member.ends])
            places += [pose.position[k] + local @ matrix(e).T for k, e in enumerate(pose.quaternion)]
        every = np.concatenate(places)
        every = every[np.all(np.isfinite(every), axis=1)]
        return (np.minimum(low, every.min(axis=0)), np.maximum(high, every.max(axis=0))) if len(every) else (low, high)

    @once
    def _spread(self) -> float:
        low, high = self._box
        return float(np.linalg.norm(high - low)) / 2

    @property
    def centre(self) -> Vector:
        low, high = self._box
        return np.asarray((low + high) / 2)

    @property
    def size(self) -> float:
        return self._spread + self.length if self.members else self._spread or 1.0

    @once
    def up(self) -> Vector:
        """Against gravity; where there is none, y for what moves in the plane of x and y only, and z otherwise."""
        gravity = self.run.model.gravity
        g = np.zeros(3) if gravity is None else self.values.array(gravity.express(self.run.model.world))
        size = float(np.linalg.norm(g))
        if size:
            return np.asarray(-g / size)
        low, high = self._box
        is_flat = self._spread > 0 and high[2] - low[2] < 1e-6 * self._spread
        return np.array([0.0, 1.0, 0.0] if is_flat else [0.0, 0.0, 1.0])

    # --- shapes ------------------------------------------------------------------------------------

    @once
    def gimbals(self) -> Gimbals:
        return Gimbals(self.members, self.length)

    @property
    def touching(self) -> list[tuple[Point, TouchingShape]]:
        """(centre, shape) of everything that rolls or meets a plane."""
        found = []
        for one in (*self.run.model.constraints, *self.run.model.stops):
            if isinstance(one, (Rolling, RollingOver, Contact)):
                found.append((one.body.centre, one.shape))
        return found

    def bodies(self) -> list[BodyEntry]:
        """One entry for each actor."""
        found: list[BodyEntry] = []
        masses = {one.name: one.mass for one in self.run.model.bodies}
        masses |= {one.name: one.mass for one in self.run.model.particles}
        colours: dict[Actor | tuple[Point, Point] | str, int] = {}  # what belongs together shares one
        for k, actor in enumerate(self.actors):
            mass = self.values.number(masses[actor.name]) if actor.kind in ("body", "particle") else 0.0
            own = actor.flexible.name if actor.flexible else actor.name if actor.kind == "body" else None
            own = own if actor.drawing is None else f"drawn {actor.drawing.name or id(actor.drawing)}"
            colour = colours.setdefault(own or actor.ends or actor, len(colours))
            shapes = self._shapes(k, actor)
            found.append({"name": actor.name, "kind": actor.kind, "mass": mass, "colour": colour, "shapes": shapes})
        return found

    def _shapes(self, k: int, actor: Actor) -> list[Shape]:
        touching = [(centre, shape) for centre, shape in self.touching if centre.frame is actor.frame]
        surfaces = self._surfaces_on(k, actor)
        if actor.kind == "body":
            return self._body_shapes(k, touching) + surfaces
        if actor.kind == "particle":
            bead: Shape = {"kind": "sphere", "radius": BEAD * self.length}
            own = given(touching[0][1], np.zeros(3), self.values) if touching else [bead]
            return own + self._arm(actor) + surfaces
        if actor.drawing is not None:
            return drawn_shapes(actor.drawing, self.poses[k].length or 1.0, self.length, self.values)
        if actor.gimbal is not None:
            return [self._gimbal_ring(actor)]
        if actor.share is not None:
            return [{"kind": "sphere", "radius": 0.35 * BEAD * self.length}]
        if actor.flexible is not None:
            return [self._piece(actor.flexible)]
        if actor.ends is not None:
            return [bar(np.zeros(3), np.array([0.0, 0.0, self._rod_length(actor)]), 0.7 * THIN * self.length)]
        return surfaces

    def _body_shapes(self, k: int, touching: list[tuple[Point, TouchingShape]]) -> list[Shape]:
        """A shape that touches is drawn where it touches; what is only looked at, about the centre of mass."""
        member = self.members[k]
        if isinstance(member.body, FlexibleBody):  # its pieces show it
            return []
        if self.is_dressed(k):
            shape = member.body.shape
            return self.pieces.shapes(shape) if isinstance(shape, Look) else []
        found = given(member.body.shape, member.com, self.values)
        for centre, shape in touching[:1]:
            if member.body.shape in (None, shape):
                found = given(shape, self.values.array(centre.position), self.values)
        if not found:
            found = self.gimbals.shapes(k) if k in self.gimbals.depths else inferred(member, self.length)
        return found + [rail for one in self._sliding(k) for rail in (self._rail(one),)]

    @once
    def pieces(self) -> Pieces:
        return Pieces(one.shape for one in self.run.model.bodies if isinstance(one.shape, Look))

    @once
    def _is_robot(self) -> bool:
        """Whether at least half of the bodies with mass are drawn as a robot file says."""
        heavy = [one.body for one in self.members if one.mass]
        drawn = [one for one in heavy if isinstance(one.shape, Look) and self.pieces.shapes(one.shape)]
        return 2 * len(drawn) >= len(heavy) > 0

    def is_dressed(self, k: int) -> bool:
        """Whether the file says what body k looks like, or what its robot looks like without it."""
        shape = self.members[k].body.shape
        if isinstance(shape, Look):
            return bool(self.pieces.shapes(shape)) or self._is_robot
        return shape is None and self._is_robot

    def _arm(self, actor: Actor) -> list[Shape]:
        """A rod from a particle to the joint of the bare frame that carries it at a distance."""
        one = next(one for one in self.run.model.particles if one.frame is actor.frame)
        place = self.tree.attachments[one.frame]
        carried = {self.tree.attachments[body.frame].link for body in self.run.model.bodies}
        if one.coordinates is not None or place.link == WORLD or place.link in carried:
            return []
        R, p = self.values.array(place.rotation), self.values.array(place.position)
        if not np.linalg.norm(p) > 1e-9 * self.length:
            return []
        return [bar(np.zeros(3), -R.T @ p, 0.6 * THIN * self.length)]

    def _gimbal_ring(self, actor: Actor) -> Shape:
        one = next(one for one in self.run.model.particles if actor.gimbal and one.frame is actor.gimbal[1])
        assert isinstance(one.coordinates, PolarSpherical)
        radius = abs(self.values.number(one.coordinates.R))
        return {"kind": "ring", "radius": radius, "tube": 0.4 * THIN * self.length, "opacity": 0.8}

    def _piece(self, body: FlexibleBody) -> Shape:
        """A straight piece of a body that bends."""
        radius = THIN * self.length if body.radius is None else self.values.number(body.radius)
        return bar(np.zeros(3), np.array([0.0, 0.0, body.length / SEGMENTS]), radius)

    def _rod_length(self, actor: Actor) -> float:
        rods = [one for one in self.run.model.constraints if isinstance(one, Distance) and one.name == actor.name]
        return abs(self.values.number(rods[0].length))

    def _surfaces_on(self, k: int, actor: Actor) -> list[Shape]:
        """Planes fixed in a body or a moving frame, as thin discs that reach under everything that moves."""
        found = []
        arms = [np.linalg.norm(one.position - self.poses[k].position, axis=1) for one in self.poses]
        radius = 1.05 * float(np.max(arms)) + self.length
        for one in (*self.run.model.constraints, *self.run.model.stops):
            if isinstance(one, (Rolling, Contact)) and one.surface is actor.frame:
                normal = np.array(one.normal, dtype=float)
                disc: Shape = {"kind": "cylinder", "radius": radius, "length": 0.01 * self.size, "opacity": 0.35}
                found.append(placed(disc, (height(self.run, one) - 0.005 * self.size) * normal, normal))
        return found

    # --- what stands still -------------------------------------------------------------------------

    @once
    def tree(self) -> Tree:
        """Of the user's own model."""
        return build_tree(self.run.model)

    def fixtures(self) -> list[Shape]:
        """Bearings, rails, planes and tracks of the world."""
        found = planes(self.run, self.tree, self.values, self.centre, self.size)
        found += tracks(self.run, self.tree, self.values, self.length)
        found += connection_bearings(self.run, self.tree, self.values, self.length)
        found += standing_shapes(self.run, self.length, self.values)
        found += round_surfaces(self.run, self.tree, self.values, self.size)
        for k, member in enumerate(self.members):
            base = member.base
            if base is None or base.other != WORLD or self.is_dressed(k):
                continue
            shape = member.body.shape
            if k in self.gimbals.depths and shape is None:
                found += self.gimbals.bearings(k)
            elif isinstance(shape, Ring) and base.kind == "turn":
                reach = self.values.number(shape.radius) * base.axis
                found += [bearing(base.point + side * reach, base.axis, self.length) for side in (1.0, -1.0)]
            elif base.kind == "slide":
                found.append(self._rail(k))
            elif base.kind in ("turn", "spin"):
                found.append(bearing(base.point, base.axis if base.kind == "turn" else None, self.length))
        return found

    def _sliding(self, k: int) -> list[int]:
        """Bodies that slide on body k."""
        return [one.other for one in self.members[k].children if one.kind == "slide" and one.other is not None]

    def _slides(self, k: int) -> bool:
        own = self.members[k].own
        return own is not None and own.kind == "slide"

    def _covered(self, k: int) -> Vector:
        """How far a sliding body went, along its axis."""
        links = own_links(self.tree, self.members[k].body.frame)
        return np.asarray(self.run.evaluate(self.tree.links[links[-1]].variable))

    def _rail(self, k: int) -> Shape:
        """The line that a sliding body covered, along the axes of what carries it."""
        base = self.members[k].base
        assert base is not None
        covered = self._covered(k)
        if base.other != WORLD:
            covered = np.append(covered, 0.0)  # from where the body itself is
        margin = 0.2 * self.length
        low, high = float(np.min(covered)) - margin, float(np.max(covered)) + margin
        rail = bar(base.point + low * base.axis, base.point + high * base.axis, 0.8 * THIN * self.length)
        return {**rail, "opacity": 0.6}

    # --- joints ------------------------------------------------------------------------------------

    def joints(self) -> list[JointEntry]:
        """Every joint of a body, on the body."""
        found = []
        for k, member in enumerate(self.members):
            if member.own is None or member.own.kind == "fixed" or self.is_dressed(k):
                continue
            kind = member.body.joint.kind()
            axis = None if member.own.kind == "spin" else numbers(member.own.axis)
            found.append(_joint(member.body.name, kind, k, member.own.point, axis))
        index = {one.body.frame: k for k, one in enumerate(self.members)}
        for one in self.run.model.constraints:
            if isinstance(one, Connection) and one.first.frame in index:
                place = self.values.array(one.first.position)
                along = one.joint.drawing(one.name).axis
                own = None if along is None else numbers(along)
                found.append(_joint(one.name, one.joint.kind(), index[one.first.frame], place, own))
        return found


def _joint(name: str, kind: str, body: int, place: Vector, axis: list[float] | None) -> JointEntry:
    return {"name": name, "kind": kind, "body": body, "position": numbers(place), "axis": axis}
