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


Appearance = Annotated[
    Sphere | Disc | Ellipsoid | Box | Cylinder | Ring | Bar | Mesh,
    Field(discriminator="kind"),
]
