"""What a model file says about a run: where it starts, how long it lasts, what is watched."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from cardan.formats.schema_parts import Axis, Name, Part, Scalar, Title

Values = dict[Name, Scalar | list[Scalar]] | list[Scalar]  # by name, or in order


class Turned(Part):
    """An orientation to start in: one turn about one axis."""

    axis: Axis
    angle: Scalar


Turnable = dict[Name, Scalar | list[Scalar] | Turned] | list[Scalar]


class Start(Part):
    q: Turnable | None = None
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
    max_step: Scalar | None = None
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
