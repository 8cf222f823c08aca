"""Flexible bodies: a line that bends in a frame that moves.

The section that is at x where the body is straight has its centre, along the axes of the body's frame, at

    r(x) = (x + u, v, w)        v, w = sum_i phi_i(x) eta_i
    u = sum_k chi_k(x) xi_k - 1/2 sum_ij S_ij(x) eta_i eta_j        S_ij(x) = int_0^x phi_i' phi_j' ds

The quadratic part keeps the length of the line to second order. It is what a centrifugal force works on: without it a
beam that turns would soften instead of stiffening [Kane1987]. Shapes come as numbers, from whoever knows them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import sympy as sp

from cardan.errors import ModelError
from cardan.model.bodies import Body, Particle
from cardan.model.frames import Point
from cardan.model.given import Amount
from cardan.model.joint import Drawing, Forbidden, Joint
from cardan.model.motions import AXES, Motion, Slide, Triple, Turn
from cardan.model.symbols import Coordinate
from cardan.native.once import once

NEGLIGIBLE = 1e-14  # of the largest coefficient: smaller ones are rounding of integrals that vanish
INSIDE = 1e-12  # of the length: places this far outside are the ends


class Shapes(Protocol):
    """Assumed shapes of one direction, of which each coordinate is the largest displacement."""

    @property
    def axis(self) -> str:
        """ "y" or "z" for bending, "x" for stretching."""

    @property
    def length(self) -> float: ...

    @property
    def masses(self) -> Sequence[float]:
        """Modal masses."""

    @property
    def stiffness(self) -> Sequence[float]:
        """Modal stiffnesses; shapes are orthogonal in both."""

    def values(self, x: float) -> Sequence[float]:
        """phi_i(x)."""

    def slopes(self, x: float) -> Sequence[float]:
        """phi_i'(x)."""

    def shortening(self, x: float) -> Sequence[Sequence[float]] | None:
        """S_ij(x); None where bending shortens nothing."""


@dataclass(frozen=True)
class Bend:
    """Shapes of one direction with the coordinates that they have in a system."""

    shapes: Shapes
    coordinates: tuple[Coordinate, ...]

    def displacement(self, x: float) -> sp.Expr:
        return _linear(self.shapes.values(x), self.coordinates)

    def slope(self, x: float) -> sp.Expr:
        return _linear(self.shapes.slopes(x), self.coordinates)

    def shortening(self, x: float) -> list[sp.Expr]:
        """The terms of -1/2 sum S_ij eta_i eta_j."""
        S = self.shapes.shortening(x)
        if S is None:
            return []
        least = NEGLIGIBLE * max(abs(one) for row in S for one in row)
        return [
            sp.Float(-S[i][j] if i != j else -S[i][i] / 2) * product
            for (i, j), product in self.products.items()
            if abs(S[i][j]) > least
        ]

    @once
    def products(self) -> dict[tuple[int, int], sp.Expr]:
        """eta_i eta_j, each pair once."""
        eta = self.coordinates
        return {(i, j): eta[i] * eta[j] for i in range(len(eta)) for j in range(i + 1)}


def _linear(factors: Sequence[float], coordinates: Sequence[Coordinate]) -> sp.Expr:
    least = NEGLIGIBLE * max((abs(one) for one in factors), default=0.0)
    kept = [(c, q) for c, q in zip(factors, coordinates, strict=True) if abs(c) > least]
    return sp.Add(*(sp.Float(c) * q if c != 1.0 else q for c, q in kept))


@dataclass(frozen=True)
class Line:
    """The bent line: where its sections are and how they are turned, along the axes of the frame."""

    length: float
    bends: tuple[Bend, ...]

    def place(self, x: float) -> Triple:
        """r(x)."""
        moved: dict[str, sp.Expr] = {bend.shapes.axis: bend.displacement(x) for bend in self.bends}
        shorter = [term for bend in self.bends for term in bend.shortening(x)]
        along = sp.Add(sp.Float(x) if x else 0, *sp.Add.make_args(moved.get("x", sp.Integer(0))), *shorter)
        return along, moved.get("y", sp.Integer(0)), moved.get("z", sp.Integer(0))

    def motions(self, x: float) -> tuple[Motion, ...]:
        """From the frame to the section at x: its centre, then its slopes, to the order to which the line is known."""
        slides = tuple(Slide(AXES[axis], part) for axis, part in zip("xyz", self.place(x), strict=True) if part != 0)
        turns = {bend.shapes.axis: bend.slope(x) for bend in self.bends if bend.shapes.axis != "x"}
        about = (("z", turns.get("y", 0)), ("-y", turns.get("z", 0)))
        return slides + tuple(Turn(AXES[axis], angle) for axis, angle in about if angle != 0)


@dataclass(frozen=True)
class Section(Joint):
    """Not a joint that anybody makes: how a section of a flexible body moves in the body's frame."""

    chain: tuple[Motion, ...] = field(metadata={"holds": "chain"})
    is_said = False
    refusal = "carries a section of a flexible body and closes no loop"

    def motions(self, owner: str) -> tuple[Motion, ...]:
        return self.chain

    def forbidden(self, chain: Sequence[Motion], owner: str) -> Iterator[Forbidden]:
        yield from ()

    def drawing(self, owner: str) -> Drawing:
        return Drawing("none")


@dataclass(frozen=True, eq=False)
class FlexibleBody(Body):
    """A body that bends: its frame moves with its joint, its line along x of the frame is bent by ``coordinates``.

    ``point(x, y, z)`` moves with the section at x, ``section(x)`` is that section: a body without mass that can carry
    others, be loaded and be connected. ``tip`` is the centre of the last section.
    """

    line: Line = field(kw_only=True)
    stations: tuple[Particle, ...] = field(kw_only=True)  # the mass, at the nodes of a rule of integration
    sections: dict[float, Body] = field(kw_only=True, repr=False)
    cut: Callable[[str, float], Body] = field(kw_only=True, repr=False)  # adds a section to the description
    radius: Amount | None = field(default=None, kw_only=True)  # as which it is drawn

    @property
    def length(self) -> float:
        return self.line.length

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """Of all shapes; each is the largest displacement of its own."""
        return tuple(one for bend in self.line.bends for one in bend.coordinates)

    @property
    def parts(self) -> set[str]:
        """Names of its masses and of the sections that were asked for."""
        return {one.name for one in (*self.stations, *self.sections.values())}

    def section(self, x: float, name: str | None = None) -> Body:
        """The section at x from the origin, as a body without mass; without a name it is called after its place."""
        place = self._inside(x)
        if place not in self.sections:
            self.sections[place] = self.cut(name or self.label(place), place)
        return self.sections[place]

    def label(self, x: float) -> str:
        """The name of the section at x."""
        ends = {0.0: "root", self.length: "tip"}
        return f"{self.name}_{ends.get(x, f'{x:g}')}"

    def point(self, x: Amount = 0, y: Amount = 0, z: Amount = 0) -> Point:
        """The point that is at (x, y, z) where the body is straight; it moves with the section at x."""
        return self.section(float(x)).point(0, y, z)

    @property
    def tip(self) -> Point:
        return self.point(self.length)

    def bent(self, x: float) -> Point:
        """Where the line is at x, as a point of the body's frame that moves in it: for pictures, not for loads."""
        return Point(self.frame, self.line.place(self._inside(x)))

    def _inside(self, x: float) -> float:
        L = self.length
        if not -INSIDE * L <= x <= (1 + INSIDE) * L:
            raise ModelError(f"{self.name!r} reaches from 0 to {L:g}; there is no section at {x:g}.", x=x, length=L)
        return min(max(float(x), 0.0), L)

    def __repr__(self) -> str:
        names = ", ".join(one.name for one in self.coordinates)
        return f"FlexibleBody({self.name!r}, bent by {names})"
