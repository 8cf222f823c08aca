"""Shapes that touch a plane: where on the body the contact is, seen from the centre of the shape.

That centre is where the shape is placed: the origin of the body's frame, or ``at=``; never its centre of mass as such.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cardan.geometry import matrix as m3
from cardan.geometry.scalar import Scalar, sqrt
from cardan.model.given import Amount, Holder
from cardan.model.motions import Axis, Triple, unit_axis


@dataclass(frozen=True)
class Sphere:
    """A ball of the given radius."""

    radius: Amount

    def support(self, normal: Triple, lift: Callable[[Amount], Scalar]) -> Triple:
        """From the centre to the point that lies deepest against ``normal``, along the body's axes."""
        return m3.scale(-lift(self.radius), normal)

    @property
    def amounts(self) -> tuple[Amount, ...]:
        return (self.radius,)


@dataclass(frozen=True)
class Disc:
    """A thin disc (or wheel) of the given radius about ``axis``, fixed in the body."""

    radius: Amount
    axis: Axis = "z"

    def support(self, normal: Triple, lift: Callable[[Amount], Scalar]) -> Triple:
        """Along the steepest descent in the plane of the disc; singular where the disc lies flat."""
        d = unit_axis(self.axis, "Disc")
        along = m3.dot(normal, d)
        downhill = m3.subtract(normal, m3.scale(along, d))
        return m3.scale(-lift(self.radius) / sqrt(m3.squared_norm(downhill)), downhill)

    @property
    def amounts(self) -> tuple[Amount, ...]:
        return (self.radius,)


@dataclass(frozen=True)
class Ellipsoid:
    """An ellipsoid with semi-axes a, b, c along the body's axes."""

    a: Amount
    b: Amount
    c: Amount

    def support(self, normal: Triple, lift: Callable[[Amount], Scalar]) -> Triple:
        """-E^2 n / sqrt(n . E^2 n) with E = diag(a, b, c)."""
        squares = tuple(lift(x) * lift(x) for x in (self.a, self.b, self.c))
        stretched = tuple(m3.dot((s,), (n,)) for s, n in zip(squares, normal, strict=True))
        return m3.scale(-1 / sqrt(m3.dot(stretched, normal)), stretched)

    @property
    def amounts(self) -> tuple[Amount, ...]:
        return (self.a, self.b, self.c)


Shape = Sphere | Disc | Ellipsoid


@dataclass(frozen=True)
class Plane:
    """The plane through the origin of ``of`` (a frame or body), with ``normal`` "x", "y" or "z" of that frame.

    ``height`` shifts it along the normal.
    """

    of: Holder
    normal: Axis = "z"
    height: Amount = 0
