"""Stops: unilateral constraints, as a user states them; the rows they stand for are formed in ``kinematics/stops.py``.

Only a stop makes a boundary of the motion. What happens at it is said by two numbers: ``restitution`` e between 0 and
1, and the coefficient ``friction`` mu of Coulomb's law; both may be parameters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardan.model.frames import Frame, Point, Vector
from cardan.model.motions import Triple
from cardan.model.shapes import Shape, Sphere
from cardan.model.surfaces import RoundSurface

if TYPE_CHECKING:
    import sympy as sp


@dataclass(frozen=True, eq=False)
class Stop:
    """gap(q, t) >= 0, typed by hand; ``slips`` are the velocities against which friction acts."""

    name: str
    gap: sp.Expr
    restitution: sp.Expr
    friction: sp.Expr
    slips: tuple[sp.Expr, ...] = ()


@dataclass(frozen=True, eq=False)
class Touching:
    """What touches: a frame, and the point of it that the shape is built about."""

    frame: Frame
    centre: Point


@dataclass(frozen=True, eq=False)
class Contact:
    """A shape stays on one side of a plane fixed in ``surface``."""

    name: str
    body: Touching
    shape: Shape
    surface: Frame
    normal: Triple
    height: sp.Expr
    restitution: sp.Expr
    friction: sp.Expr


@dataclass(frozen=True, eq=False)
class ContactOver:
    """A ball or a point stays on one side of a round surface fixed in ``surface``."""

    name: str
    body: Touching
    shape: Sphere
    surface: Frame
    over: RoundSurface
    restitution: sp.Expr
    friction: sp.Expr


@dataclass(frozen=True, eq=False)
class Cone:
    """The angle between two unit vectors, each fixed in one frame, stays below ``angle``: the limit of a ball joint."""

    name: str
    first: Vector
    second: Vector
    angle: sp.Expr
    restitution: sp.Expr
    friction: sp.Expr

    @property
    def frames(self) -> tuple[Frame, Frame]:
        """The frames of the two vectors."""
        (first,), (second,) = self.first.terms, self.second.terms
        return first, second


AnyStop = Stop | Contact | ContactOver | Cone
