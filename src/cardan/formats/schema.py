"""What a model file may say: everything that the Python interface can, under the same names.

``read_model`` gives the file as one checked record; what its expressions mean is found by ``build``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError

from cardan.errors import FileError
from cardan.formats.schema_parts import (
    Axis,
    Curvilinear,
    Inertia,
    Joint,
    Label,
    Name,
    Part,
    Placement,
    Plane,
    Point,
    Reference,
    Scalar,
    Shape,
    Title,
    Triple,
    Vector,
)
from cardan.formats.schema_shapes import Appearance
from cardan.formats.yaml_reader import Document, Location, parse_yaml, read_yaml

VERSION = 1


def _listed(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


Scalars = Annotated[list[Scalar], BeforeValidator(_listed)]  # one or several
References = Annotated[list[Reference], BeforeValidator(_listed)]


# --- coordinates, bodies, loads --------------------------------------------------------------------


class Coordinate(Part):
    on: Literal["R", "S1", "R+"] | list[Scalar] = "R"
    scale: float | int | None = None


def _coordinate(value: Any) -> Any:
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


class Particle(Part):
    mass: Scalar = 0
    position: Vector | None = None
    frame: Reference | None = None
    coordinates: Curvilinear | None = None


class Force(Part):
    kind: Literal["force"]
    on: Point
    along: Vector | None = None


class Moment(Part):
    kind: Literal["moment"]
    on: Reference
    along: Vector | None = None
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


class PressedBy(Part):
    """What presses: the joint of a body, or constraints by name."""

    body: Name | None = None
    constraints: list[Label] | None = None


def _normal(value: Any) -> Any:
    return PressedBy.model_validate(value) if isinstance(value, dict) else value


class Friction(Part):
    on: Scalar
    coefficient: Scalar
    normal: Annotated[Any, BeforeValidator(_normal)]
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


class Chart(Part):
    """Other coordinates for typed ones: the old as expressions of the new, and perhaps the other way round."""

    coordinates: list[Name] = Field(min_length=1)
    maps: dict[Name, Scalar]
    inverse: dict[Name, Scalar] | None = None
    kinetic_energy: Scalar | None = None


# --- constraints and stops -------------------------------------------------------------------------


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
    on: Plane
    shape: Shape
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
    on: Plane
    restitution: Scalar
    friction: Scalar = 0
    shape: Shape | None = None
    name: Label | None = None


Stop = Annotated[Gap | Contact, Field(discriminator="kind")]


# --- start and run ---------------------------------------------------------------------------------

Values = dict[Name, Scalar | list[Scalar]] | list[Scalar]  # by name, or in order


class Start(Part):
    q: Values | None = None
    v: Values | None = None


class Event(Part):
    when: Scalar
    direction: Literal[-1, 0, 1] = 0
    terminal: bool = False
    name: Title | None = None


class Simulate(Part):
    duration: Scalar
    points: int | None = Field(None, ge=2, le=1_000_000)
    rtol: Scalar | None = None
    atol: Scalar | None = None
    method: str | None = Field(None, max_length=32)
    step: Scalar | None = None
    t0: Scalar | None = None
    max_steps: int | None = Field(None, ge=1)
    start_tol: Scalar | None = None
    geometry_tol: Scalar | None = None
    branch: int | list[Scalar] | None = None
    project: str | None = Field(None, max_length=32)
    chart: Literal["auto", "typed"] | None = None
    impact_law: str | None = Field(None, max_length=32)
    loads: dict[Name, Scalar | list[Scalar]] = Field(default_factory=dict)  # three numbers for a load without along
    inputs: dict[Name, Scalar] = Field(default_factory=dict)
    events: list[Event] = Field(default_factory=list)


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
    particles: dict[Name, Particle] = Field(default_factory=dict)
    gravity: Vector | None = None
    loads: dict[Name, Annotated[Force | Moment, Field(discriminator="kind")]] = Field(default_factory=dict)
    energies: Energies = Energies()
    generalized_forces: dict[Name, Scalars] = Field(default_factory=dict)
    charts: dict[Name, Chart] = Field(default_factory=dict)
    springs: list[Spring] = Field(default_factory=list)
    dampers: list[Damper] = Field(default_factory=list)
    prescribe: dict[Name, Scalar] = Field(default_factory=dict)
    constraints: list[Constraint] = Field(default_factory=list)
    friction: list[Friction] = Field(default_factory=list)
    stops: list[Stop] = Field(default_factory=list)
    start: Start = Start()
    simulate: Simulate | None = None


# --- reading ---------------------------------------------------------------------------------------


def read_model(path: str | Path) -> tuple[ModelFile, Document]:
    """The checked content of a model file, and the document that knows its lines."""
    return check_model(read_yaml(path))


def parse_model(content: str | bytes, file: str) -> tuple[ModelFile, Document]:
    """As ``read_model``, from text."""
    return check_model(parse_yaml(content, file))


def check_model(document: Document) -> tuple[ModelFile, Document]:
    if not isinstance(document.data, dict):
        raise document.error("a model file is a mapping that begins with `cardan: 1`.", ())
    try:
        return ModelFile.model_validate(document.data), document
    except ValidationError as problem:
        raise _first_error(problem, document) from None


def _first_error(problem: ValidationError, document: Document) -> FileError:
    """The first problem in the order of lines, with the number of the others."""
    problems = problem.errors(include_url=False, include_context=False)
    found = sorted(
        ((document.line(where), where, one) for one in problems for where in [_place(one["loc"], document.data)]),
        key=lambda one: one[0],
    )
    _, where, first = found[0]
    key = str(first["loc"][-1]) if first["loc"] else ""
    texts = {
        "extra_forbidden": f"the key {key[:64]!r} is unknown here; check its spelling and its place.",
        "missing": f"the key {key!r} is missing.",
        "union_tag_not_found": "the key 'kind' is missing.",
    }
    message = texts.get(first["type"], first["msg"].rstrip(".") + ".")
    if key == "cardan":
        message = f"a model file says `cardan: {VERSION}`, the version of its format."
    more = f" ({len(found) - 1} more problems follow.)" if len(found) > 1 else ""
    return document.error(message + more, where, problems=len(found))


def _place(loc: tuple[int | str, ...], data: Any) -> Location:
    """The place in the file that a location of pydantic means: names of variants and the like are left out."""
    where: list[int | str] = []
    variant = None  # the kind of the mapping at hand, which pydantic names before its fields
    for part in loc:
        if part == variant:
            variant = None
            continue
        inside = isinstance(data, dict) and part in data
        inside = inside or (isinstance(data, list) and isinstance(part, int) and part < len(data))
        if inside:
            where.append(part)
            data = data[part]
            variant = data.get("kind") if isinstance(data, dict) else None
    return tuple(where)
