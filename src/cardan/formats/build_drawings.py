"""What a file only draws."""

from __future__ import annotations

from cardan.formats.describable import Drawn
from cardan.formats.document import Location
from cardan.formats.pieces import Pieces
from cardan.formats.schema import ModelFile, Spot


def add_drawings(pieces: Pieces, model: ModelFile) -> None:
    """All drawings of the file."""
    for k, one in enumerate(model.draw):
        where: Location = ("draw", k)
        with pieces.at(*where):
            places = [_place(pieces, spot, (*where, "at", j)) for j, spot in enumerate(one.at)]
            axis = one.axis if one.axis is None or isinstance(one.axis, str) else pieces.nested(one.axis, where)
            numbers = pieces.scalars(one, where, "radius", "angle")
            pieces.system.draw(one.kind, *places, name=one.name or "", axis=axis, **numbers)


def _place(pieces: Pieces, spot: Spot, where: Location) -> Drawn:
    if spot.point is not None:
        return pieces.target(spot.point, where)
    return pieces.nested(spot.place, where)
