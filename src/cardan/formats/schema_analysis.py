"""What a model file asks of special motions: rests, steady and periodic motions, modes, families, loci, maps."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from cardan.formats.schema_parts import Name, Part, Scalar
from cardan.formats.schema_run import Values

Ranges = dict[Name, Annotated[list[Scalar], Field(min_length=2, max_length=2)]]  # low and high
Spaced = Annotated[list[Scalar], Field(min_length=3, max_length=3)]  # low, high, how many
Seeds = Annotated[int, Field(ge=1, le=100_000)]
Signals = dict[Name, Scalar]


class Rests(Part):
    """Where it can rest."""

    kind: Literal["equilibria"]
    box: Ranges | None = None
    seeds: Seeds | None = None
    loads: Signals | None = None
    inputs: Signals | None = None


class Linear(Part):
    """Eigenvalues and stability of the rest or steady motion at a state."""

    kind: Literal["linearize"]
    q: Values | None = None
    v: Values | None = None
    about: Literal["equilibrium", "steady", "trajectory"] | None = None
    loads: Signals | None = None
    inputs: Signals | None = None


class Ringing(Part):
    """Modes about a rest."""

    kind: Literal["modes"]
    q: Values | None = None
    loads: Signals | None = None
    inputs: Signals | None = None


class Steady(Part):
    """Families of steady motions."""

    kind: Literal["steady"]
    hold: dict[Name, Scalar] | None = None
    box: Ranges | None = None
    seeds: Seeds | None = None
    members: Seeds | None = None
    axes: list[Name] | None = Field(None, min_length=2, max_length=2)


class Families(Part):
    """Rests along a parameter."""

    kind: Literal["families"]
    parameter: Name
    low: Scalar = Field(alias="from")
    high: Scalar = Field(alias="to")
    box: Ranges | None = None
    seeds: Seeds | None = None
    members: Seeds | None = None
    show: Name | None = None


class Locus(Part):
    """Eigenvalues along a parameter."""

    kind: Literal["locus"]
    parameter: Name
    low: Scalar = Field(alias="from")
    high: Scalar = Field(alias="to")
    count: int = Field(200, ge=2, le=100_000)
    q: Values | None = None
    v: Values | None = None
    loads: Signals | None = None
    inputs: Signals | None = None


class Map(Part):
    """Growth over two parameters, each with its ends and how many values it takes."""

    kind: Literal["map"]
    over: dict[Name, Spaced] = Field(min_length=2, max_length=2)
    q: Values | None = None
    v: Values | None = None
    loads: Signals | None = None
    inputs: Signals | None = None


class Periodic(Part):
    """The motion near a start that repeats itself."""

    kind: Literal["periodic"]
    q: Values | None = None
    v: Values | None = None
    period: Scalar | None = None
    within: Scalar | None = None
    settle: Scalar | None = None
    segments: int | None = Field(None, ge=1, le=1_000)
    relative: bool | None = None
    hold: dict[Name, Scalar] | None = None
    loads: Signals | None = None
    inputs: Signals | None = None


class Conserved(Part):
    """What motions conserve."""

    kind: Literal["invariants"]


Analysis = Annotated[
    Rests | Linear | Ringing | Steady | Families | Locus | Map | Periodic | Conserved, Field(discriminator="kind")
]
