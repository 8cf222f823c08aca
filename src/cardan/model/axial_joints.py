"""Joints with one axis: turning about it, sliding along it, or both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import sympy as sp

from cardan.errors import ModelError
from cardan.geometry import axis as axes
from cardan.geometry.axis import UNIT_VECTORS, perpendiculars
from cardan.model.given import Amount
from cardan.model.joint import (
    ALIGNED,
    AMOUNT,
    AXIS,
    CONSTANT,
    AxisPair,
    Bearing,
    Closure,
    Directions,
    Drawing,
    Forbidden,
    Joint,
    Thread,
    forces,
    moments,
    needed,
)
from cardan.model.motions import Axis, Motion, Slide, Triple, Turn, unit_axis


class AxialJoint(Joint):
    """A joint with one axis: turning about it, sliding along it, or both."""

    axis: Axis
    bearing: ClassVar[Bearing] = "turn"
    takes_second_axis = True

    @property
    def pin(self) -> Axis | None:
        return self.axis

    def drawing(self, owner: str) -> Drawing:
        return Drawing(self.bearing, unit_axis(self.axis, owner))

    def across(self, owner: str) -> Directions:
        """Two axes of the body across the joint's."""
        return perpendiculars(unit_axis(self.axis, owner))

    def hinge(self, second_axis: Triple | None) -> tuple[AxisPair, ...]:
        """Pairs at right angles, which keep the axes of both frames parallel."""
        axis = axes.unit_axis(self.axis)
        across = perpendiculars(axis if second_axis is None else second_axis)
        return AxisPair(axis, across[0]), AxisPair(axis, across[1])

    def sense(self, second_axis: Triple | None) -> AxisPair:
        """The axes of both frames, which point the same way."""
        axis = axes.unit_axis(self.axis)
        return AxisPair(axis, axis if second_axis is None else second_axis, 1)


@dataclass(frozen=True)
class Revolute(AxialJoint):
    """Rotation by ``angle`` about ``axis``."""

    axis: Axis = field(default="z", metadata=AXIS)
    angle: Amount | None = field(default=None, metadata=AMOUNT)

    def motions(self, owner: str) -> tuple[Motion, ...]:
        return (Turn(unit_axis(self.axis, owner), needed(self.angle, "Revolute", "an angle", owner)),)

    def forbidden(self, chain: Sequence[Motion], owner: str) -> Iterator[Forbidden]:
        yield from moments(self.across(owner))
        yield from forces(UNIT_VECTORS)

    def closure(self, owner: str, second_axis: Triple | None = None) -> Closure:
        return Closure(UNIT_VECTORS, self.hinge(second_axis), sense=self.sense(second_axis))


@dataclass(frozen=True)
class Prismatic(AxialJoint):
    """Translation by ``distance`` along ``axis``."""

    axis: Axis = field(default="x", metadata=AXIS)
    distance: Amount | None = field(default=None, metadata=AMOUNT)
    bearing = "slide"
    takes_second_axis = False

    def motions(self, owner: str) -> tuple[Motion, ...]:
        return (Slide(unit_axis(self.axis, owner), needed(self.distance, "Prismatic", "a distance", owner)),)

    def forbidden(self, chain: Sequence[Motion], owner: str) -> Iterator[Forbidden]:
        yield from moments(UNIT_VECTORS)
        yield from forces(self.across(owner))

    def closure(self, owner: str, second_axis: Triple | None = None) -> Closure:
        return Closure(perpendiculars(axes.unit_axis(self.axis)), ALIGNED, orientation=True)


@dataclass(frozen=True)
class Cylindrical(AxialJoint):
    """Rotation by ``angle`` about and translation by ``distance`` along the same ``axis``."""

    axis: Axis = field(default="z", metadata=AXIS)
    angle: Amount | None = field(default=None, metadata=AMOUNT)
    distance: Amount | None = field(default=None, metadata=AMOUNT)

    def motions(self, owner: str) -> tuple[Motion, ...]:
        axis = unit_axis(self.axis, owner)
        return (
            Slide(axis, needed(self.distance, "Cylindrical", "a distance", owner)),
            Turn(axis, needed(self.angle, "Cylindrical", "an angle", owner)),
        )

    def forbidden(self, chain: Sequence[Motion], owner: str) -> Iterator[Forbidden]:
        yield from moments(self.across(owner))
        yield from forces(self.across(owner))

    def closure(self, owner: str, second_axis: Triple | None = None) -> Closure:
        across = perpendiculars(axes.unit_axis(self.axis))
        return Closure(across, self.hinge(second_axis), sense=self.sense(second_axis))


@dataclass(frozen=True)
class Screw(AxialJoint):
    """Rotation by ``angle`` about ``axis`` that advances along it by ``pitch``, a length, in every turn.

    The thread is right-handed where the pitch is positive. Where it closes a loop, the frames are on the thread where
    they are aligned, and again after every turn and pitch.
    """

    axis: Axis = field(default="z", metadata=AXIS)
    angle: Amount | None = field(default=None, metadata=AMOUNT)
    pitch: Amount = field(metadata=CONSTANT, kw_only=True)

    def __post_init__(self) -> None:
        if self.pitch == 0:
            raise ModelError("Screw: the pitch is 0, so that turning advances nothing. Use cd.Revolute.")

    @property
    def advance(self) -> sp.Expr:
        """What one radian moves along the axis: pitch / (2 pi)."""
        return sp.sympify(self.pitch) / (2 * sp.pi)

    @property
    def pin(self) -> Axis | None:
        return None  # a thread presses along its axis as well

    def motions(self, owner: str) -> tuple[Motion, ...]:
        axis, angle = unit_axis(self.axis, owner), needed(self.angle, "Screw", "an angle", owner)
        return Slide(axis, self.advance * angle), Turn(axis, angle)

    def forbidden(self, chain: Sequence[Motion], owner: str) -> Iterator[Forbidden]:
        """Those of a hinge: the moment about the axis follows from the force along it, M = -F pitch / (2 pi)."""
        yield from moments(self.across(owner))
        yield from forces(UNIT_VECTORS)

    def closure(self, owner: str, second_axis: Triple | None = None) -> Closure:
        axis, hinge = axes.unit_axis(self.axis), self.hinge(second_axis)
        across = perpendiculars(axis)
        thread = Thread(axis, across[0], hinge[0].second, self.advance)
        return Closure(across, hinge, thread=thread, sense=self.sense(second_axis))
