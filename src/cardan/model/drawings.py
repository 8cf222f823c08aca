"""Things that are only drawn: points, rods, springs, wires and discs as functions of the coordinates.

They have no mass, carry nothing and change no equation and no manifold: pictures for energies typed by hand, and for
what a mechanism does not say by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from cardan.errors import FrameMismatch, ModelError
from cardan.model.frames import Frame, Point, Vector
from cardan.model.given import Amount
from cardan.model.motions import Triple, triple, unit_axis

if TYPE_CHECKING:
    import sympy as sp

    from cardan.model.description import Description

Kind = Literal["point", "rod", "spring", "wire", "disc"]
KINDS: tuple[str, ...] = get_args(Kind)
ENDS = {"point": (1, 1), "rod": (2, 2), "spring": (2, 2), "wire": (2, None), "disc": (1, 1)}  # fewest and most places
Place = Point | Triple  # of a frame, or three expressions along the axes of the world


@dataclass(frozen=True, eq=False)
class Drawing:
    """One thing to draw, at its ``places``; ``axis`` and ``angle`` are those of a disc."""

    kind: str
    name: str
    places: tuple[Place, ...]
    radius: sp.Expr | None = None
    axis: Triple = (0, 0, 1)
    angle: sp.Expr | None = None

    @property
    def expressions(self) -> tuple[sp.Expr, ...]:
        """Everything that was typed and may move."""
        typed = [x for place in self.places if not isinstance(place, Point) for x in place]
        return (*typed, *self.axis, *(() if self.angle is None else (self.angle,)))


def checked_drawing(
    description: Description,
    kind: str,
    places: Sequence[object],
    name: str,
    radius: Amount | None,
    axis: object,
    angle: Amount | None,
) -> Drawing:
    """The drawing, refused unless its kind, places and sizes have a meaning."""
    what = f"Drawing {name or kind!r}"
    if kind not in KINDS:
        raise ModelError(f"{what}: {kind!r} is nothing that can be drawn. Use one of {', '.join(KINDS)}.", kind=kind)
    fewest, most = ENDS[kind]
    if len(places) < fewest or (most is not None and len(places) > most):
        wanted = f"{fewest}" if most == fewest else f"at least {fewest}"
        raise ModelError(f"{what}: a {kind} has {wanted} places, found {len(places)}.", count=len(places))
    if kind != "disc" and not (axis is None and angle is None):
        raise ModelError(f"{what}: only a disc has an axis and an angle, a {kind} does not.")
    size = None if radius is None else description.expression(radius, f"{what} radius", moving=False)
    if size is not None and not description.number(size) > 0:
        raise ModelError(f"{what}: {radius} is no radius; give a positive one.", value=description.number(size))
    turned = None if angle is None else description.expression(angle, f"{what} angle", velocities=False)
    found = tuple(_place(description, one, f"{what} place {k + 1}") for k, one in enumerate(places))
    return Drawing(kind, name, found, size, _axis(description, axis, f"{what} axis"), turned)


def _place(description: Description, place: object, what: str) -> Place:
    """A point of a frame, or what was typed along the axes of the world."""
    frame = place if isinstance(place, Frame) else getattr(place, "frame", None)
    if isinstance(frame, Frame):
        if frame.root is not description.world:
            raise FrameMismatch(f"{what}: {place!r} belongs to another system.")
        return place if isinstance(place, Point) else frame.origin
    return _typed(description, place, what)


def _typed(description: Description, vector: object, what: str) -> Triple:
    parts = vector.express(description.world) if isinstance(vector, Vector) else triple(vector, what)
    return tuple(description.expression(x, what, velocities=False) for x in parts)


def _axis(description: Description, axis: object, what: str) -> Triple:
    if axis is None:
        axis = "z"
    return _typed(description, unit_axis(axis, what) if isinstance(axis, str) else axis, what)
