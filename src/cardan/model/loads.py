"""Applied loads and stored energy: forces, moments, gravity, springs, dampers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cardan.model.bodies import Body, Particle
from cardan.model.frames import Frame, Point, Vector


@dataclass(frozen=True, eq=False)
class Load:
    """A named force (``at`` a point) or moment (on a body); its magnitudes are the symbols, one per direction."""

    name: str
    kind: str  # "force" or "moment"
    on: Body | Particle
    at: Point
    symbols: tuple[Any, ...]
    along: tuple[Vector, ...]
    reaction_on: Frame | None = None  # the opposite load acts on this frame (motors between two bodies)

    @property
    def vector(self) -> Vector:
        total = Vector({})
        for symbol, direction in zip(self.symbols, self.along, strict=True):
            total = total + direction * symbol
        return total


@dataclass(frozen=True, eq=False)
class GeneralizedForce:
    """A non-conservative generalized force Q conjugate to one coordinate; ``name`` says whose, if it has an owner."""

    coordinate: Any
    expression: Any
    name: str = ""


@dataclass(frozen=True, eq=False)
class Spring:
    """A linear spring: along the line between two points, or on a coordinate (``first`` an expression)."""

    name: str
    stiffness: Any
    length: Any
    first: Any
    second: Any = None

    @property
    def acts_between_points(self) -> bool:
        return self.second is not None


@dataclass(frozen=True, eq=False)
class Damper:
    """A linear damper: along the line between two points, or on a coordinate (``first`` an expression)."""

    name: str
    coefficient: Any
    first: Any
    second: Any = None

    @property
    def acts_between_points(self) -> bool:
        return self.second is not None
