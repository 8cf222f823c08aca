"""What a body may look like in a model file, besides the shapes that touch a plane."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from cardan.formats.schema_parts import Axis, Disc, Ellipsoid, Part, Scalar, Sphere, Triple


class Box(Part):
    kind: Literal["box"]
    x: Scalar
    y: Scalar
    z: Scalar
    at: Triple | None = None


class Cylinder(Part):
    kind: Literal["cylinder"]
    radius: Scalar
    length: Scalar
    axis: Axis = "z"
    at: Triple | None = None


class Ring(Part):
    kind: Literal["ring"]
    radius: Scalar
    tube: Scalar
    axis: Axis = "z"
    at: Triple | None = None


class Bar(Part):
    kind: Literal["bar"]
    start: Triple
    end: Triple
    radius: Scalar


class Mesh(Part):
    kind: Literal["mesh"]
    file: Annotated[str, Field(max_length=200)]
    scale: Scalar = 1.0
    at: Triple | None = None


Plain3 = Annotated[list[float], Field(min_length=3, max_length=3)]
Plain4 = Annotated[list[float], Field(min_length=4, max_length=4)]


class Piece(Part):
    """A shape in axes of its own; all its numbers are plain ones."""

    shape: Annotated[Sphere | Ellipsoid | Box | Cylinder | Bar | Mesh, Field(discriminator="kind")]
    at: Plain3 = Field(default=[0.0, 0.0, 0.0])
    turn: Plain4 = Field(default=[1.0, 0.0, 0.0, 0.0])
    scale: Plain3 = Field(default=[1.0, 1.0, 1.0])
    colour: Annotated[str, Field(pattern="^#[0-9a-f]{6}$")] | None = None
    opacity: Annotated[float, Field(gt=0, le=1)] = 1.0


class Look(Part):
    kind: Literal["look"]
    pieces: Annotated[list[Piece], Field(max_length=1000)]


Appearance = Annotated[
    Sphere | Disc | Ellipsoid | Box | Cylinder | Ring | Bar | Mesh | Look,
    Field(discriminator="kind"),
]
