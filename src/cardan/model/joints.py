"""The kinds of joints, each written as a chain of elementary motions.

A joint takes a coordinate or any expression of coordinates and time: ``Revolute("z", -phi)``. A joint without
coordinates, as in ``System.connect``, only names its kind. How to add a kind: docs/how-to/add-a-joint.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

from cardan.errors import ModelError
from cardan.geometry import axis as axes
from cardan.geometry import matrix as m3
from cardan.geometry.axis import UNIT_VECTORS, perpendiculars
from cardan.geometry.rotation import about
from cardan.geometry.scalar import sqrt
from cardan.model.axial_joints import Cylindrical, Prismatic, Revolute, Screw
from cardan.model.given import Amount
from cardan.model.joint import (
    ALIGNED,
    AMOUNT,
    AXIS,
    CONSTANT,
    NORMAL,
    ORIENTATION,
    AxisPair,
    Closure,
    Drawing,
    Forbidden,
    Joint,
    SwingLimit,
    forces,
    moments,
    needed,
)
from cardan.model.motions import AXES, Axis, Motion, Slide, Triple, Turn, unit_axis
from cardan.model.orientations import Euler, Orientation, orientation_motions

__all__ = ["Ball", "Cylindrical", "Fixed", "Free", "Joint", "Planar", "Prismatic", "Revolute", "Screw", "Universal"]

PARALLEL = 1e-9  # squared sine of the angle between axes that count as one
RIGHT = 1e-15  # cosine of an angle that counts as a right one: axes typed with all digits are off by rounding


@dataclass(frozen=True)
class Fixed(Joint):
    """No relative motion."""

    def motions(self, owner: str) -> tuple[Motion, ...]:
        return ()

    def forbidden(self, chain: Sequence[Motion], owner: str) -> Iterator[Forbidden]:
        yield from moments(UNIT_VECTORS)
        yield from forces(UNIT_VECTORS)

    def closure(self, owner: str, second_axis: Triple | None = None) -> Closure:
        return Closure(UNIT_VECTORS, ALIGNED, orientation=True)

    def drawing(self, owner: str) -> Drawing:
        return Drawing("fixed")


@dataclass(frozen=True)
class Universal(Joint):
    """Two intersecting axes: turn by ``first`` about ``axis``, then by ``second`` about ``other_axis`` carried."""

    axis: Axis = field(default="x", metadata=AXIS)
    first: Amount | None = field(default=None, metadata=AMOUNT)
    other_axis: Axis = field(default="y", metadata=AXIS)
    second: Amount | None = field(default=None, metadata=AMOUNT)
    takes_second_axis = True

    def motions(self, owner: str) -> tuple[Motion, ...]:
        return (
            Turn(unit_axis(self.axis, owner), needed(self.first, "Universal", "a first angle", owner)),
            Turn(unit_axis(self.other_axis, owner), needed(self.second, "Universal", "a second angle", owner)),
        )

    def forbidden(self, chain: Sequence[Motion], owner: str) -> Iterator[Forbidden]:
        """A moment about the normal of both axes, which the second turn leaves behind: n in the body is R^T n."""
        first, second = unit_axis(self.axis, owner), unit_axis(self.other_axis, owner)
        normal = m3.cross(first, second)
        size = m3.squared_norm(normal)
        if size < PARALLEL:  # two turns about one axis: a hinge
            yield from moments(perpendiculars(first))
        else:
            turn = cast(Turn, chain[-1])
            back = m3.transpose(about(second, turn.angle))
            yield from moments((m3.matvec(back, tuple(x / sqrt(size) if x else 0 for x in normal)),))
        yield from forces(UNIT_VECTORS)

    def closure(self, owner: str, second_axis: Triple | None = None) -> Closure:
        """The axes keep the angle that they have where the frames are aligned."""
        axis, other = unit_axis(self.axis, owner), unit_axis(self.other_axis, owner)
        if m3.squared_norm(m3.cross(axis, other)) < PARALLEL:
            raise ModelError(
                f"{owner}: the two axes of Universal are parallel, {axis} and {other}. Give axes that cross, as they "
                "do where the frames are aligned; second_axis= says where the other one lies in the second frame, if "
                "that is turned."
            )
        axis, other = axes.unit_axis(self.axis), axes.unit_axis(self.other_axis)
        cosine = m3.dot(axis, other)
        held = AxisPair(axis, other if second_axis is None else second_axis, cosine if abs(cosine) > RIGHT else 0)
        return Closure(UNIT_VECTORS, (held,))

    def drawing(self, owner: str) -> Drawing:
        return Drawing("turn", unit_axis(self.axis, owner))


@dataclass(frozen=True)
class Planar(Joint):
    """Translation by (first, second) in the plane with the given normal, then rotation about the normal."""

    first: Amount | None = field(default=None, metadata=AMOUNT)
    second: Amount | None = field(default=None, metadata=AMOUNT)
    angle: Amount | None = field(default=None, metadata=AMOUNT)
    normal: str = field(default="z", metadata=NORMAL)
    takes_second_axis = True

    def motions(self, owner: str) -> tuple[Motion, ...]:
        if self.normal not in ("x", "y", "z"):
            raise ModelError(f'{owner}: Planar normal {self.normal!r} is unknown. Use "x", "y" or "z".')
        in_plane = {"x": ("y", "z"), "y": ("z", "x"), "z": ("x", "y")}[self.normal]
        return (
            Slide(AXES[in_plane[0]], needed(self.first, "Planar", "a first distance", owner)),
            Slide(AXES[in_plane[1]], needed(self.second, "Planar", "a second distance", owner)),
            Turn(AXES[self.normal], needed(self.angle, "Planar", "an angle", owner)),
        )

    def forbidden(self, chain: Sequence[Motion], owner: str) -> Iterator[Forbidden]:
        normal = unit_axis(self.normal, owner)
        yield from moments(perpendiculars(normal))
        yield from forces((normal,))

    def closure(self, owner: str, second_axis: Triple | None = None) -> Closure:
        normal = axes.unit_axis(self.normal)
        across = perpendiculars(normal if second_axis is None else second_axis)
        sense = AxisPair(normal, normal if second_axis is None else second_axis, 1)
        return Closure((normal,), (AxisPair(normal, across[0]), AxisPair(normal, across[1])), sense=sense)

    def drawing(self, owner: str) -> Drawing:
        return Drawing("none", normal=unit_axis(self.normal, owner))


@dataclass(frozen=True)
class Ball(Joint):
    """Any rotation about a common point.

    With a ``limit``, ``axis`` of the body stays within that angle of where it is when the frames are aligned: a cone,
    which is a stop of the given restitution.
    """

    orientation: Orientation | None = field(default=None, metadata=ORIENTATION)
    limit: Amount | None = field(default=None, metadata=CONSTANT)
    axis: Axis = field(default="z", metadata=AXIS)
    restitution: Amount = field(default=0, metadata=CONSTANT)

    def motions(self, owner: str) -> tuple[Motion, ...]:
        return orientation_motions(self.orientation, "Ball", owner)

    def forbidden(self, chain: Sequence[Motion], owner: str) -> Iterator[Forbidden]:
        yield from forces(UNIT_VECTORS)

    def closure(self, owner: str, second_axis: Triple | None = None) -> Closure:
        return Closure(UNIT_VECTORS)

    def limits(self, owner: str) -> tuple[SwingLimit, ...]:
        if self.limit is None:
            return ()
        return (SwingLimit(unit_axis(self.axis, owner), self.limit, self.restitution),)

    @property
    def angles(self) -> Euler | None:
        return self.orientation if isinstance(self.orientation, Euler) else None

    def drawing(self, owner: str) -> Drawing:
        return Drawing("spin")


@dataclass(frozen=True)
class Free(Joint):
    """Six freedoms: translation by (x, y, z) in the parent frame, then any rotation."""

    x: Amount | None = field(default=None, metadata=AMOUNT)
    y: Amount | None = field(default=None, metadata=AMOUNT)
    z: Amount | None = field(default=None, metadata=AMOUNT)
    orientation: Orientation | None = field(default=None, metadata=ORIENTATION)
    refusal = "forbids nothing"

    def motions(self, owner: str) -> tuple[Motion, ...]:
        slides = tuple(
            Slide(AXES[axis], needed(distance, "Free", f"the distance {axis}", owner))
            for axis, distance in zip("xyz", (self.x, self.y, self.z), strict=True)
        )
        return slides + orientation_motions(self.orientation, "Free", owner)

    def forbidden(self, chain: Sequence[Motion], owner: str) -> Iterator[Forbidden]:
        yield from ()

    @property
    def angles(self) -> Euler | None:
        return self.orientation if isinstance(self.orientation, Euler) else None

    def drawing(self, owner: str) -> Drawing:
        return Drawing("none")


KINDS: tuple[type[Joint], ...] = (Fixed, Revolute, Prismatic, Cylindrical, Screw, Universal, Planar, Ball, Free)


def closing_kinds(*, with_second_axis: bool = False) -> str:
    """The kinds that can close a loop, by name; or only those whose axis may differ in the second frame."""
    closing = [kind for kind in KINDS if kind.closure is not Joint.closure]
    return ", ".join(kind.__name__ for kind in closing if kind.takes_second_axis or not with_second_axis)
