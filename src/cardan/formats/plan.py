"""What a model file says about a run: where it starts, how long it lasts, what is watched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Watched:
    """An event: a zero of ``expression``."""

    expression: Any
    direction: int
    terminal: bool
    name: str


@dataclass(frozen=True)
class Plan:
    """Start and settings of a run; ``options`` are those of simulate that are passed on as they are."""

    q: Any = None
    v: Any = None
    duration: float | None = None
    points: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    loads: Mapping[str, Any] = field(default_factory=dict)
    inputs: Mapping[str, Any] = field(default_factory=dict)
    events: tuple[Watched, ...] = ()
