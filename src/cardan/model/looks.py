"""What a body of several pieces looks like: shapes with places, turns and colours, as robot files give them."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from cardan.errors import ModelError
from cardan.model.given import Amount

if TYPE_CHECKING:
    from cardan.model.appearances import Bar, Box, Cylinder, Mesh
    from cardan.model.shapes import Ellipsoid, Sphere

Solid: TypeAlias = "Box | Cylinder | Bar | Mesh | Sphere | Ellipsoid"
COLOUR = re.compile(r"#[0-9a-f]{6}")
Numbers = tuple[float, ...]


@dataclass(frozen=True)
class Piece:
    """A shape about the origin of its own axes, which lie in the body ``at`` a place and with a ``turn`` (w, x, y, z).

    ``scale`` stretches a mesh along its own axes and may mirror it. Without a ``colour`` ("#c0c0c0") a piece has that
    of its body. All numbers are plain ones.
    """

    shape: Solid
    at: Numbers = (0.0, 0.0, 0.0)
    turn: Numbers = (1.0, 0.0, 0.0, 0.0)
    scale: Numbers = (1.0, 1.0, 1.0)
    colour: str | None = None
    opacity: float = 1.0


@dataclass(frozen=True)
class Look:
    """The pieces that a body is drawn with, none of which touches anything or weighs anything."""

    pieces: tuple[Piece, ...]

    @property
    def amounts(self) -> tuple[Amount, ...]:
        """No expressions: pieces are plain numbers."""
        return ()


def checked_look(look: Look, what: str) -> Look:
    """The look, refused where a number of it cannot be drawn."""
    for number, piece in enumerate(look.pieces, 1):
        problem = _problem(piece)
        if problem:
            raise ModelError(f"{what}: piece {number} {problem}.")
    return look


def _problem(piece: Piece) -> str:
    sizes = [float(x) for x in piece.shape.amounts]
    if not all(math.isfinite(x) and x > 0 for x in sizes):
        return f"has sizes {sizes}; they should be positive"
    numbers = (*piece.at, *piece.turn, *piece.scale)
    if len(numbers) != 10 or not all(map(math.isfinite, numbers)):
        return "needs three finite numbers for at, four for turn and three for scale"
    if not any(piece.turn) or not all(piece.scale):
        return "has a turn or a scale of zero"
    if piece.colour is not None and not COLOUR.fullmatch(piece.colour):
        return f"has the colour {piece.colour[:20]!r}; write it as '#c0c0c0'"
    return "" if 0 < piece.opacity <= 1 else f"has an opacity of {piece.opacity:g}; it lies between 0 and 1"
