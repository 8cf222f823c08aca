"""What a model file may say: everything that the Python interface can, under the same names."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from cardan.formats.schema_analysis import Analysis
from cardan.formats.schema_constraints import Constraint, Stop
from cardan.formats.schema_parts import (
    Axis,
    Curvilinear,
    Inertia,
    Joint,
    Label,
    Name,
    Part,
    Placement,
    Point,
    Reference,
    Scalar,
    Scalars,
    Title,
    Triple,
    Vector,
    Written,
    scalar,
)
from cardan.formats.schema_run import Simulate, Start
from cardan.formats.schema_shapes import Appearance


class Coordinate(Part):
    on: Literal["R", "S1", "R+"] | list[Scalar] = "R"
    scale: float | int | None = None


End = str | dict[str, str | float | int]  # what holds an end, and what it carries


def _coordinate(value: object) -> object:
    return value if isinstance(value, dict) else {} if value is None else {"on": value}


class Frame(Part):
    joint: Joint | None = None
    parent: Reference = "world"
    at: Placement | None = None


class Body(Frame):
    mass: Scalar = 0
    inertia: Inertia = 0
    com: Triple = (0, 0, 0)
    shape: Appearance | None = None
    as_is: bool = False


class Continuum(Part):
    """A beam (EI, rho_A), a string (tension, rho) or a rod (EA, rho_A): arguments of the class of that name."""

    length: Scalar
    EI: Scalar | None = None
    EA: Scalar | None = None
    rho_A: Scalar | None = None  # noqa: N815 - the name of the argument
    rho: Scalar | None = None
    tension: Scalar | None = None
    foundation: Scalar | None = None
    left: End | None = None
    right: End | None = None


class Directions(Part):
    """What a flexible body does along each axis."""

    x: Continuum | None = None
    y: Continuum | None = None
    z: Continuum | None = None


def _bending(value: object) -> Continuum | Directions:
    alone = isinstance(value, dict) and "length" in value
    return Continuum.model_validate(value) if alone else Directions.model_validate(value)


class Flexible(Frame):
    """A body that bends; its sections have names, so that they can carry others."""

    beam: Annotated[Continuum | Directions, BeforeValidator(_bending)]
    modes: int | dict[str, int] = 3
    damping: Scalar = 0
    stiffening: bool = True
    stations: int | None = None
    radius: Scalar | None = None
    sections: dict[Name, Scalar] = Field(default_factory=dict)


class Particle(Part):
    mass: Scalar = 0
    position: Vector | None = None
    frame: Reference | None = None
    coordinates: Curvilinear | None = None


class Force(Part):
    kind: Literal["force"]
    on: Point
    along: Vector | None = None
    law: Vector | None = None
    against: Point | None = None


class Moment(Part):
    kind: Literal["moment"]
    on: Reference
    along: Vector | None = None
    law: Vector | None = None
    against: Reference | None = None


class Spring(Part):
    between: list[Point] | None = Field(None, min_length=2, max_length=2)
    on: Scalar | None = None
    stiffness: Scalar
    length: Scalar = 0
    name: Label | None = None


class Damper(Part):
    between: list[Point] | None = Field(None, min_length=2, max_length=2)
    on: Scalar | None = None
    coefficient: Scalar
    name: Label | None = None


class Strut(Part):
    """What pulls by a law, an expression in which ``length`` and ``rate`` are its own."""

    between: list[Point] | None = Field(None, min_length=2, max_length=2)
    on: Scalar | None = None
    law: Scalar
    name: Label | None = None


class Bushing(Part):
    """Six springs and dampers between two frames, along and about the axes of the first."""

    between: list[Point] = Field(min_length=2, max_length=2)
    stiffness: list[Scalar] = Field(min_length=6, max_length=6)
    damping: list[Scalar] = Field([0, 0, 0, 0, 0, 0], min_length=6, max_length=6)
    name: Label | None = None


class PressedBy(Part):
    """What presses: the joint of a body, or constraints by name."""

    body: Name | None = None
    constraints: list[Label] | None = None


def _normal(value: object) -> PressedBy | Written:
    return PressedBy.model_validate(value) if isinstance(value, dict) else scalar(value)


class Friction(Part):
    on: Scalar
    coefficient: Scalar
    normal: Annotated[PressedBy | Written, BeforeValidator(_normal)]
    radius: Scalar = 1
    static: Scalar | None = None
    stribeck: Scalar | None = None
    viscous: Scalar = 0
    law: Literal["exact", "tanh", "sqrt"] = "exact"
    width: Scalar | None = None
    name: Label | None = None


class Energies(Part):
    kinetic: Scalars = Field(default_factory=list)
    potential: Scalars = Field(default_factory=list)
    lagrangian: Scalars = Field(default_factory=list)


class JointLimits(Part):
    """What the motor of a joint can do."""

    lower: Scalar | None = None
    upper: Scalar | None = None
    effort: Scalar | None = None
    velocity: Scalar | None = None


class Chart(Part):
    """Other coordinates for typed ones: the old as expressions of the new, and perhaps the other way round."""

    coordinates: list[Name] = Field(min_length=1)
    maps: dict[Name, Scalar]
    inverse: dict[Name, Scalar] | None = None
    kinetic_energy: Scalar | None = None


def _drawn_at(value: object) -> object:
    """A place: three expressions along the axes of the world, or a point."""
    return Spot.model_validate({"place": value} if isinstance(value, list) else {"point": value})


class Spot(Part):
    place: Triple | None = None
    point: Point | None = None


class Drawing(Part):
    """Something to look at, without effect."""

    kind: Literal["point", "rod", "spring", "wire", "disc"]
    at: list[Annotated[Spot, BeforeValidator(_drawn_at)]] = Field(min_length=1, max_length=500)
    name: Label | None = None
    radius: Scalar | None = None
    axis: Axis | None = None
    angle: Scalar | None = None


# --- the whole file --------------------------------------------------------------------------------


class ModelFile(Part):
    """A whole file."""

    cardan: Literal[1]
    name: Title = "system"
    description: str = Field("", max_length=10_000)
    coordinates: dict[Name, Annotated[Coordinate, BeforeValidator(_coordinate)]] = Field(default_factory=dict)
    parameters: dict[Name, Scalar] = Field(default_factory=dict)
    inputs: list[Name] = Field(default_factory=list)
    frames: dict[Name, Frame] = Field(default_factory=dict)
    bodies: dict[Name, Body] = Field(default_factory=dict)
    flexible: dict[Name, Flexible] = Field(default_factory=dict)
    particles: dict[Name, Particle] = Field(default_factory=dict)
    gravity: Vector | None = None
    loads: dict[Name, Annotated[Force | Moment, Field(discriminator="kind")]] = Field(default_factory=dict)
    energies: Energies = Energies()
    generalized_forces: dict[Name, Scalars] = Field(default_factory=dict)
    charts: dict[Name, Chart] = Field(default_factory=dict)
    springs: list[Spring] = Field(default_factory=list)
    dampers: list[Damper] = Field(default_factory=list)
    struts: list[Strut] = Field(default_factory=list)
    speeds: dict[Name, Scalar] = Field(default_factory=dict)
    pressing_forces: dict[Name, list[Label]] = Field(default_factory=dict)
    bushings: list[Bushing] = Field(default_factory=list)
    prescribe: dict[Name, Scalar] = Field(default_factory=dict)
    constraints: list[Constraint] = Field(default_factory=list)
    friction: list[Friction] = Field(default_factory=list)
    stops: list[Stop] = Field(default_factory=list)
    limits: dict[Name, JointLimits] = Field(default_factory=dict)
    order: list[Name] = Field(default_factory=list)  # of variables and of bodies, where it is not that of the file
    draw: list[Drawing] = Field(default_factory=list)
    start: Start = Start()
    simulate: Simulate | None = None
    analysis: list[Analysis] = Field(default_factory=list, max_length=100)
