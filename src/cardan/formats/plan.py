"""What a model file says about a run: where it starts, how long it lasts, what is watched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from cardan.model.joint_limits import Limits

if TYPE_CHECKING:
    import sympy as sp

Numbers: TypeAlias = "Mapping[str, float | list[float]] | list[float] | None"  # by name, or in order
Nested: TypeAlias = "sp.Expr | tuple[Nested, ...]"  # a scalar, three of them, or a matrix


@dataclass(frozen=True)
class Watched:
    """An event: a zero of ``expression``."""

    expression: sp.Expr
    direction: int
    terminal: bool
    name: str


@dataclass(frozen=True)
class Asked:
    """A question about special motions, ``kind`` such as "modes", with the arguments of the verb that answers it."""

    kind: str
    arguments: Mapping[str, object]


@dataclass(frozen=True)
class Plan:
    """Start and settings of a run; ``options`` are those of simulate that are passed on as they are."""

    q: Numbers = None
    v: Numbers = None
    duration: float | None = None
    t0: float | None = None
    points: int | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    loads: Mapping[str, Nested] = field(default_factory=dict)
    inputs: Mapping[str, Nested] = field(default_factory=dict)
    events: tuple[Watched, ...] = ()
    analysis: tuple[Asked, ...] = ()
    limits: Mapping[str, Limits] = field(default_factory=dict)  # of motors, by coordinate
