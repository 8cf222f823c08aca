"""Applied loads and stored energy: forces, moments, gravity, springs, dampers."""

from __future__ import annotations

from dataclasses import dataclass, field

import sympy as sp

from cardan.model.bodies import Body, Particle
from cardan.model.frames import Frame, Point, Vector
from cardan.model.symbols import Velocity

LENGTH, RATE = sp.Symbol("length of the element", real=True), sp.Symbol("rate of the element", real=True)


@dataclass(frozen=True, eq=False)
class Load:
    """A named force (``at`` a point) or moment (on a body); its magnitudes are the symbols, one per direction.

    One that follows a law has no magnitudes: its only direction is the force or moment itself, as a vector of
    (q, v, t).
    """

    name: str
    kind: str  # "force" or "moment"
    on: Body | Particle
    at: Point
    symbols: tuple[sp.Symbol, ...]
    along: tuple[Vector, ...]
    reaction_on: Frame | None = None  # the opposite load acts on this frame (motors between two bodies)
    reaction_at: Point | None = None  # where the opposite of a force acts
    vector: Vector = field(init=False, repr=False)  # the sum of magnitudes along their directions

    def __post_init__(self) -> None:
        total = self.along[0] if self.follows_law else Vector({})
        for symbol, direction in zip(self.symbols, () if self.follows_law else self.along, strict=True):
            total = total + direction * symbol
        object.__setattr__(self, "vector", total)

    @property
    def follows_law(self) -> bool:
        """Whether the state says how large it is, and nobody else."""
        return not self.symbols

    @property
    def ends(self) -> tuple[tuple[Point, int], ...]:
        """Where it acts, and with which sign."""
        if self.reaction_on is None:
            return ((self.at, 1),)
        return ((self.at, 1), (self.reaction_at or self.reaction_on.origin, -1))


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
    """A damper: along the line between two points, or on a coordinate (``first`` an expression).

    It pulls by its coefficient times the rate of the length; where a ``law`` of LENGTH and RATE is given, by that.
    """

    name: str
    coefficient: sp.Expr
    first: Point | sp.Expr
    second: Point | None = None
    law: sp.Expr | None = None

    def tension(self, length: sp.Expr, rate: sp.Expr) -> sp.Expr:
        """How strongly it pulls, in SymPy."""
        if self.law is None:
            return self.coefficient * rate
        return self.law.xreplace({LENGTH: length, RATE: rate})
