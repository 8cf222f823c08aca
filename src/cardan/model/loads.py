"""Applied loads and stored energy: forces, moments, gravity, springs, dampers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardan.model.bodies import Body, Particle
from cardan.model.frames import Frame, Point, Vector
from cardan.model.symbols import Velocity

if TYPE_CHECKING:
    import sympy as sp


@dataclass(frozen=True, eq=False)
class Load:
    """A named force (``at`` a point) or moment (on a body); its magnitudes are the symbols, one per direction."""

    name: str
    kind: str  # "force" or "moment"
    on: Body | Particle
    at: Point
    symbols: tuple[sp.Symbol, ...]
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

    coordinate: Velocity
    expression: sp.Expr
    name: str = ""


class Element:
    """A spring or damper: between two points, or on a coordinate (``first`` an expression, no ``second``)."""

    first: Point | sp.Expr
    second: Point | None

    @property
    def acts_between_points(self) -> bool:
        return self.second is not None

    @property
    def points(self) -> tuple[Point, Point]:
        """Its ends, where it acts between points."""
        assert isinstance(self.first, Point)
        assert self.second is not None
        return self.first, self.second


@dataclass(frozen=True, eq=False)
class Spring(Element):
    """A linear spring: along the line between two points, or on a coordinate (``first`` an expression)."""

    name: str
    stiffness: sp.Expr
    length: sp.Expr
    first: Point | sp.Expr
    second: Point | None = None


@dataclass(frozen=True, eq=False)
class Damper(Element):
    """A linear damper: along the line between two points, or on a coordinate (``first`` an expression)."""

    name: str
    coefficient: sp.Expr
    first: Point | sp.Expr
    second: Point | None = None
