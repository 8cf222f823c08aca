"""Constraints and stops in a model file."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from cardan.formats.schema_parts import (
    Axis,
    Joint,
    Label,
    Name,
    Part,
    Point,
    Reference,
    Rolled,
    Scalar,
    Scalars,
    Shape,
    Triple,
    Vector,
)


class Holonomic(Part):
    kind: Literal["holonomic"]
    expression: Scalar
    name: Label | None = None


class Velocity(Part):
    kind: Literal["velocity"]
    expression: Scalar
    name: Label | None = None


class Connect(Part):
    kind: Literal["connect"]
    first: Point
    second: Point
    joint: Joint
    second_axis: Axis | None = None
    name: Label | None = None


class Distance(Part):
    kind: Literal["distance"]
    first: Point
    second: Point
    length: Scalar
    name: Label | None = None


class NoSlip(Part):
    kind: Literal["no_slip"]
    on: Reference
    along: Vector
    point: Point | None = None
    relative_to: Reference | None = None
    name: Label | None = None


class NoSpin(Part):
    kind: Literal["no_spin"]
    on: Reference
    about: Vector
    relative_to: Reference | None = None
    name: Label | None = None


class Roll(Part):
    kind: Literal["roll"]
    body: Name
    on: Rolled
    shape: Shape
    at: Triple = (0, 0, 0)
    spins: bool = True
    name: Label | None = None


Constraint = Annotated[Holonomic | Velocity | Connect | Distance | NoSlip | NoSpin | Roll, Field(discriminator="kind")]


class Gap(Part):
    kind: Literal["gap"]
    gap: Scalar
    restitution: Scalar
    friction: Scalar = 0
    slip: Scalars = Field(default_factory=list)
    name: Label | None = None


class Contact(Part):
    kind: Literal["contact"]
    of: Point
    on: Rolled
    restitution: Scalar
    friction: Scalar = 0
    shape: Shape | None = None
    name: Label | None = None


Stop = Annotated[Gap | Contact, Field(discriminator="kind")]
