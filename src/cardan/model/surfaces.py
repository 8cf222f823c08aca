"""Round surfaces that a ball can roll on: outside or inside a cylinder, a sphere or a cone.

Each answers for itself: its outward normal where a point is nearest, how far the point is outside, and a direction
along the surface, all along the axes of the frame that carries it. Generic over the number type.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cardan.geometry import matrix as m3
from cardan.geometry.scalar import Scalar, cos, minus, sin, sqrt, times
from cardan.model.given import Amount, Holder
from cardan.model.motions import Axis, Triple, unit_axis

Lift = Callable[[Amount], Scalar]


@dataclass(frozen=True)
class Nearest:
    """The outward unit normal, the distance from the surface (negative inside), and a unit tangent."""

    normal: Triple
    distance: Scalar
    along: Triple


@dataclass(frozen=True)
class CylinderSurface:
    """A round cylinder about ``axis`` through the origin of ``of``; a ball rolls outside, or ``inside`` it."""

    of: Holder
    radius: Amount
    axis: Axis = "z"
    inside: bool = False

    @property
    def amounts(self) -> tuple[Amount, ...]:
        return (self.radius,)

    def nearest(self, place: Triple, lift: Lift) -> Nearest:
        out, size, around = _radial(place, unit_axis(self.axis, "Cylinder"))
        return Nearest(out, minus(size, lift(self.radius)), around)


@dataclass(frozen=True)
class ConeSurface:
    """A cone with its tip at the origin of ``of``, opening along ``axis`` by ``angle`` to each side."""

    of: Holder
    angle: Amount
    axis: Axis = "z"
    inside: bool = False

    @property
    def amounts(self) -> tuple[Amount, ...]:
        return (self.angle,)

    def nearest(self, place: Triple, lift: Lift) -> Nearest:
        axis = unit_axis(self.axis, "Cone")
        out, size, around = _radial(place, axis)
        c, s = cos(lift(self.angle)), sin(lift(self.angle))
        normal = m3.subtract(m3.scale(c, out), m3.scale(s, axis))
        return Nearest(normal, minus(times(c, size), times(s, m3.dot(place, axis))), around)


@dataclass(frozen=True)
class SphereSurface:
    """A sphere about the origin of ``of``.

    Directions along it are measured about ``pole``, where they have no meaning: choose one that the ball never reaches.
    """

    of: Holder
    radius: Amount
    pole: Axis = "x"
    inside: bool = False

    @property
    def amounts(self) -> tuple[Amount, ...]:
        return (self.radius,)

    def nearest(self, place: Triple, lift: Lift) -> Nearest:
        size = sqrt(m3.squared_norm(place))
        normal = tuple(x / size for x in place)
        across = m3.cross(unit_axis(self.pole, "Sphere"), normal)
        length = sqrt(m3.squared_norm(across))
        return Nearest(normal, minus(size, lift(self.radius)), tuple(x / length for x in across))


RoundSurface = CylinderSurface | ConeSurface | SphereSurface


def _radial(place: Triple, axis: Triple) -> tuple[Triple, Scalar, Triple]:
    """(unit vector away from an axis through the origin, distance from it, unit vector around it)."""
    off = m3.subtract(place, m3.scale(m3.dot(place, axis), axis))
    size = sqrt(m3.squared_norm(off))
    out = tuple(x / size for x in off)
    return out, size, m3.cross(axis, out)
