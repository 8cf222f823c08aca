"""What is only drawn, as entries of a model file."""

from __future__ import annotations

from cardan.formats import say_pieces as say
from cardan.formats.document import Data, Entry
from cardan.formats.expression_text import said
from cardan.model.description import Description
from cardan.model.drawings import Drawing
from cardan.model.frames import Point


def drawings_of(d: Description) -> list[Data]:
    """All drawings of a description."""
    return [_drawing(one) for one in d.drawings]


def _drawing(one: Drawing) -> Entry:
    found: Entry = {"kind": one.kind}
    found["at"] = [say.point(place) if isinstance(place, Point) else say.triple(place) for place in one.places]
    if one.name:
        found["name"] = say.label(one.name, f"drawing {one.name!r}")
    if one.radius is not None:
        found["radius"] = said(one.radius)
    if one.kind == "disc":
        found["axis"] = say.triple(one.axis)
    return found if one.angle is None else found | {"angle": said(one.angle)}
