"""Particles and rigid bodies: what has mass, and the frame that carries it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardan.errors import UnknownName
from cardan.model.appearances import Appearance
from cardan.model.curvilinear import Curvilinear
from cardan.model.frames import Frame, Point, Seen, Vector
from cardan.model.given import Amount, Components
from cardan.model.joint import Joint
from cardan.model.joints import Fixed
from cardan.model.motions import Matrix3, Triple

if TYPE_CHECKING:
    import sympy as sp

FIXED = Fixed()


class _Carried:
    """Axes, points and vectors of the frame that carries a body or particle."""

    name: str
    frame: Frame

    @property
    def x(self) -> Vector:
        return self.frame.x

    @property
    def y(self) -> Vector:
        return self.frame.y

    @property
    def z(self) -> Vector:
        return self.frame.z

    @property
    def origin(self) -> Point:
        return self.frame.origin

    @property
    def omega(self) -> Seen:
        """Angular velocity relative to the world; ``body.omega(relative_to=frame)`` relative to a frame."""
        return self.frame.omega

    @property
    def alpha(self) -> Seen:
        """Angular acceleration relative to the world, or with ``relative_to=``."""
        return self.frame.alpha

    def vector(self, x: Amount, y: Amount, z: Amount) -> Vector:
        """The vector with these components along the body's axes."""
        return self.frame.vector(x, y, z)


@dataclass(frozen=True, eq=False)
class Body(_Carried):
    """A rigid body; ``com`` and ``inertia`` (about the centre of mass) are along the axes of its frame."""

    name: str
    frame: Frame
    mass: sp.Expr
    inertia: Matrix3
    com: Triple
    parent: Frame
    joint: Joint = FIXED
    shape: Appearance | None = None
    as_is: bool = False  # whether an inertia that no body has was asked for

    def point(self, x: Amount | Components = 0, y: Amount = 0, z: Amount = 0) -> Point:
        """The point of the body at (x, y, z) from its origin; three numbers or a triple of them."""
        return self.frame.point(x, y, z)

    @property
    def centre(self) -> Point:
        """The centre of mass."""
        return Point(self.frame, self.com)

    def __repr__(self) -> str:
        return f"Body({self.name!r})"


@dataclass(frozen=True, eq=False)
class Particle(_Carried):
    """A point mass at the origin of its frame; curvilinear coordinates add basis vectors such as ``P.e_theta``."""

    name: str
    frame: Frame
    mass: sp.Expr
    coordinates: Curvilinear | None = None

    def __getattr__(self, name: str) -> Vector:
        basis = getattr(self.__dict__.get("coordinates"), "basis", {})
        if name in basis:
            axis: Vector = getattr(self.frame, basis[name])
            return axis
        if name.startswith("e_"):
            known = ", ".join(basis) or "none"
            raise UnknownName(f"Particle {self.name!r} has no basis vector {name!r}; it has: {known}.", name=name)
        raise AttributeError(name)

    def __repr__(self) -> str:
        """With the place: a position is measured from the origin of one frame, along its axes."""
        base = self.frame.parent.name if self.frame.parent is not None else "world"
        place = ", ".join(str(part) for part in self.frame.position_in_parent)
        return f"Particle({self.name!r}, ({place}) from the origin of {base!r})"
