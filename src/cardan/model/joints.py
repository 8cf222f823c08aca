"""Joints and curvilinear coordinates, each written as a chain of elementary motions.

A joint takes a coordinate or any expression of coordinates and time: ``Revolute("z", -phi)``. A joint without
coordinates, as in ``System.connect``, only names its kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from cardan.errors import ModelError
from cardan.geometry.euler import elementary_axes
from cardan.model.motions import AXES, Motion, Scalar, Slide, Spin, Turn, unit_axis


class Joint:
    """What a joint answers: the chain of elementary motions from its parent side to its child side."""

    def motions(self, owner: str) -> tuple[Motion, ...]:
        raise ModelError(f"{owner}: {type(self).__name__} is not a joint with coordinates.")


def _needed(value: Scalar, joint: str, what: str, owner: str) -> Scalar:
    if value is None:
        raise ModelError(f"{owner}: {joint} needs {what} here. Pass a coordinate or an expression of coordinates.")
    return value


@dataclass(frozen=True)
class Fixed(Joint):
    """No relative motion."""

    def motions(self, owner: str) -> tuple[Motion, ...]:
        return ()


@dataclass(frozen=True)
class Revolute(Joint):
    """Rotation by ``angle`` about ``axis``."""

    axis: Any = "z"
    angle: Scalar = None

    def motions(self, owner: str) -> tuple[Motion, ...]:
        return (Turn(unit_axis(self.axis, owner), _needed(self.angle, "Revolute", "an angle", owner)),)


@dataclass(frozen=True)
class Prismatic(Joint):
    """Translation by ``distance`` along ``axis``."""

    axis: Any = "x"
    distance: Scalar = None

    def motions(self, owner: str) -> tuple[Motion, ...]:
        return (Slide(unit_axis(self.axis, owner), _needed(self.distance, "Prismatic", "a distance", owner)),)


@dataclass(frozen=True)
class Cylindrical(Joint):
    """Rotation by ``angle`` about and translation by ``distance`` along the same ``axis``."""

    axis: Any = "z"
    angle: Scalar = None
    distance: Scalar = None

    def motions(self, owner: str) -> tuple[Motion, ...]:
        axis = unit_axis(self.axis, owner)
        return (
            Slide(axis, _needed(self.distance, "Cylindrical", "a distance", owner)),
            Turn(axis, _needed(self.angle, "Cylindrical", "an angle", owner)),
        )


@dataclass(frozen=True)
class Universal(Joint):
    """Two intersecting axes: turn by ``first`` about ``axis``, then by ``second`` about ``other_axis`` carried."""

    axis: Any = "x"
    first: Scalar = None
    other_axis: Any = "y"
    second: Scalar = None

    def motions(self, owner: str) -> tuple[Motion, ...]:
        return (
            Turn(unit_axis(self.axis, owner), _needed(self.first, "Universal", "a first angle", owner)),
            Turn(unit_axis(self.other_axis, owner), _needed(self.second, "Universal", "a second angle", owner)),
        )


@dataclass(frozen=True)
class Planar(Joint):
    """Translation by (first, second) in the plane with the given normal, then rotation about the normal."""

    first: Scalar = None
    second: Scalar = None
    angle: Scalar = None
    normal: str = "z"

    def motions(self, owner: str) -> tuple[Motion, ...]:
        if self.normal not in ("x", "y", "z"):
            raise ModelError(f'{owner}: Planar normal {self.normal!r} is unknown. Use "x", "y" or "z".')
        in_plane = {"x": ("y", "z"), "y": ("z", "x"), "z": ("x", "y")}[self.normal]
        return (
            Slide(AXES[in_plane[0]], _needed(self.first, "Planar", "a first distance", owner)),
            Slide(AXES[in_plane[1]], _needed(self.second, "Planar", "a second distance", owner)),
            Turn(AXES[self.normal], _needed(self.angle, "Planar", "an angle", owner)),
        )


@dataclass(frozen=True)
class Quaternion:
    """Orientation by the unit quaternion (w, x, y, z) called ``name``; the velocity is the body's angular velocity."""

    name: str

    def motions(self, owner: str) -> tuple[Motion, ...]:
        return (Spin(self.name),)


@dataclass(frozen=True, init=False)
class Euler:
    """Orientation by three angles in one of the 24 conventions, ``Euler("3-1-3", psi, theta, phi)``.

    With ``space=True`` the turns are about the axes of the parent frame, in the order written.
    """

    convention: str
    angles: tuple[Scalar, Scalar, Scalar]
    space: bool = False

    def __init__(self, convention: str, *angles: Scalar, space: bool = False) -> None:
        if len(angles) != 3:
            raise ModelError(f"Euler({convention!r}) needs three angles, found {len(angles)}.", count=len(angles))
        object.__setattr__(self, "convention", convention)
        object.__setattr__(self, "angles", tuple(angles))
        object.__setattr__(self, "space", space)

    def motions(self, owner: str) -> tuple[Motion, ...]:
        axes, order = elementary_axes(self.convention, space=self.space)
        return tuple(Turn(AXES[axis], self.angles[k]) for axis, k in zip(axes, order, strict=True))


Orientation = Quaternion | Euler


def _orientation(orientation: Any, joint: str, owner: str) -> tuple[Motion, ...]:
    if isinstance(orientation, (Quaternion, Euler)):
        return orientation.motions(owner)
    raise ModelError(
        f"{owner}: {joint} needs an orientation, found {orientation!r}. "
        'Use cd.Quaternion("e") or cd.Euler("3-1-3", psi, theta, phi).'
    )


@dataclass(frozen=True)
class Ball(Joint):
    """Any rotation about a common point."""

    orientation: Any = None

    def motions(self, owner: str) -> tuple[Motion, ...]:
        return _orientation(self.orientation, "Ball", owner)


@dataclass(frozen=True)
class Free(Joint):
    """Six freedoms: translation by (x, y, z) in the parent frame, then any rotation."""

    x: Scalar = None
    y: Scalar = None
    z: Scalar = None
    orientation: Any = None

    def motions(self, owner: str) -> tuple[Motion, ...]:
        slides = tuple(
            Slide(AXES[axis], _needed(distance, "Free", f"the distance {axis}", owner))
            for axis, distance in zip("xyz", (self.x, self.y, self.z), strict=True)
        )
        return slides + _orientation(self.orientation, "Free", owner)


@dataclass(frozen=True)
class PolarCylindrical:
    """Cylindrical polar coordinates (r, theta, z) of a particle, Hemingway & O'Reilly (20)."""

    r: Scalar
    theta: Scalar
    z: Scalar = 0
    basis: dict[str, str] = field(default_factory=lambda: {"e_r": "x", "e_theta": "y", "e_z": "z"}, compare=False)

    def motions(self, owner: str) -> tuple[Motion, ...]:
        return (Turn(AXES["z"], self.theta), Slide(AXES["z"], self.z), Slide(AXES["x"], self.r))


@dataclass(frozen=True)
class PolarSpherical:
    """Spherical polar coordinates: radius R, colatitude phi from the z axis, azimuth theta; ibid. (48)."""

    R: Scalar
    phi: Scalar
    theta: Scalar
    basis: dict[str, str] = field(default_factory=lambda: {"e_R": "z", "e_phi": "x", "e_theta": "y"}, compare=False)

    def motions(self, owner: str) -> tuple[Motion, ...]:
        return (Turn(AXES["z"], self.theta), Turn(AXES["y"], self.phi), Slide(AXES["z"], self.R))


@dataclass(frozen=True, init=False)
class Curve:
    """A particle on a curve or surface x(u, ...): three expressions, and the coordinates they are written in."""

    position: tuple[Scalar, Scalar, Scalar]
    parameters: tuple[Scalar, ...]
    basis: dict[str, str] = field(default_factory=dict, compare=False)

    def __init__(self, position: Sequence[Scalar], *parameters: Scalar) -> None:
        parts = tuple(position)
        if len(parts) != 3:
            raise ModelError(f"Curve needs three components x, y, z, found {len(parts)}.", count=len(parts))
        object.__setattr__(self, "position", parts)
        object.__setattr__(self, "parameters", tuple(parameters))
        object.__setattr__(self, "basis", {})

    def motions(self, owner: str) -> tuple[Motion, ...]:
        return tuple(Slide(AXES[axis], part) for axis, part in zip("xyz", self.position, strict=True))
