"""Velocities of points and frames in world components, generic over the number type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cardan.geometry import matrix as m3
from cardan.kinematics.lifted import Lift, LiftedTree
from cardan.kinematics.tree import WORLD
from cardan.model.frames import Frame, Point, Vector
from cardan.model.motions import Matrix3, Triple

ZERO: Triple = (0, 0, 0)


@dataclass(frozen=True)
class Motion:
    """Positions and velocities of everything on a tree; ``links`` holds (w, v) of each link along its own axes."""

    tree: LiftedTree
    links: Sequence[tuple[Triple, Triple]]
    time_derivative: Lift  # of an expression of (q, t)

    @property
    def lift(self) -> Lift:
        return self.tree.lift

    def rotation(self, frame: Frame) -> Matrix3:
        """R of a frame in the world."""
        return self.tree.pose(frame)[0]

    def position(self, point: Point) -> Triple:
        return self.tree.point(point.frame, point.position)

    def components(self, vector: Vector) -> Triple:
        """World components of a model vector."""
        return self.tree.components(vector, WORLD)

    def omega(self, frame: Frame | None) -> Triple:
        """Angular velocity of a frame, world components."""
        k = WORLD if frame is None else self.tree.link_of(frame)
        return ZERO if k == WORLD else m3.matvec(self.tree.pose_of_link(k)[0], self.links[k][0])

    def velocity(self, frame: Frame | None, place: Triple) -> Triple:
        """Velocity of the material point of ``frame`` that is at the world position ``place`` now."""
        k = WORLD if frame is None else self.tree.link_of(frame)
        if k == WORLD:
            return ZERO
        R, p = self.tree.pose_of_link(k)
        w, v = (m3.matvec(R, part) for part in self.links[k])
        return m3.add(v, m3.cross(w, m3.subtract(place, p)))

    def velocity_of(self, point: Point) -> Triple:
        """Velocity of a point fixed in its frame; shorter than `velocity` because the lever is constant."""
        k = self.tree.link_of(point.frame)
        if k == WORLD:
            return ZERO
        R_F, p_F = self.tree.offset(point.frame)
        arm = m3.add(p_F, m3.matvec(R_F, tuple(self.lift(x) for x in point.position)))
        w, v = self.links[k]
        return m3.matvec(self.tree.pose_of_link(k)[0], m3.add(v, m3.cross(w, arm)))
