"""Constraints as a user states them; the rows they stand for are formed in ``kinematics/rows.py``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardan.model.frames import Frame, Point, Vector
from cardan.model.joint import Closure, Joint
from cardan.model.motions import Triple
from cardan.model.shapes import Shape, Sphere
from cardan.model.stops import Touching
from cardan.model.surfaces import RoundSurface

if TYPE_CHECKING:
    import sympy as sp


@dataclass(frozen=True, eq=False)
class Holonomic:
    """phi(q, t) = 0, typed by hand."""

    name: str
    expression: sp.Expr

    def frames(self, world: Frame) -> list[Frame]:
        """The two frames that a constraint is between, then further ones that it mentions: none here."""
        return []


@dataclass(frozen=True, eq=False)
class VelocityConstraint:
    """A v + b0 = 0, typed by hand as an expression affine in the velocities."""

    name: str
    expression: sp.Expr

    def frames(self, world: Frame) -> list[Frame]:
        return []


@dataclass(frozen=True, eq=False)
class Connection:
    """Two frames joined at points, as by ``joint``: an interconnection, or the closing of a loop."""

    name: str
    first: Point
    second: Point
    joint: Joint
    second_axis: Triple | None = None  # axis of the joint in the second frame, where it differs

    def closure(self) -> Closure:
        """What the joint holds between the two frames."""
        return self.joint.closure(f"Connection {self.name!r}", self.second_axis)

    def frames(self, world: Frame) -> list[Frame]:
        return [self.first.frame, self.second.frame]


@dataclass(frozen=True, eq=False)
class Distance:
    """A massless rod of the given length between two points; its multiplier is the force, positive when it pushes."""

    name: str
    first: Point
    second: Point
    length: sp.Expr

    def frames(self, world: Frame) -> list[Frame]:
        return [self.first.frame, self.second.frame]


@dataclass(frozen=True, eq=False)
class NoSlip:
    """The material point of ``on`` at ``point`` does not move along ``along`` relative to ``relative_to``."""

    name: str
    on: Frame
    point: Point
    along: Vector
    relative_to: Frame | None

    def frames(self, world: Frame) -> list[Frame]:
        return [self.on, self.relative_to or world, self.point.frame, *self.along.terms]


@dataclass(frozen=True, eq=False)
class NoSpin:
    """``on`` does not turn about ``about`` relative to ``relative_to``."""

    name: str
    on: Frame
    about: Vector
    relative_to: Frame | None

    def frames(self, world: Frame) -> list[Frame]:
        return [self.on, self.relative_to or world, *self.about.terms]


@dataclass(frozen=True, eq=False)
class Rolling:
    """A body of some shape touches a plane fixed in ``surface`` and does not slip there (nor spin, if asked)."""

    name: str
    body: Touching
    shape: Shape
    surface: Frame
    normal: Triple
    height: sp.Expr
    spins: bool = True

    def frames(self, world: Frame) -> list[Frame]:
        return [self.body.frame, self.surface]


@dataclass(frozen=True, eq=False)
class RollingOver:
    """A ball touches a round surface fixed in ``surface`` and does not slip there (nor spin, if asked)."""

    name: str
    body: Touching
    shape: Sphere
    surface: Frame
    over: RoundSurface
    spins: bool = True

    def frames(self, world: Frame) -> list[Frame]:
        return [self.body.frame, self.surface]


Constraint = Holonomic | VelocityConstraint | Connection | Distance | NoSlip | NoSpin | Rolling | RollingOver
