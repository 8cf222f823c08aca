"""Other coordinates for typed ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cardan.formats.document import Location
from cardan.formats.expressions import Meaning
from cardan.formats.pieces import Pieces
from cardan.formats.schema import Chart, ModelFile

if TYPE_CHECKING:
    import sympy as sp


def add_charts(pieces: Pieces, model: ModelFile) -> None:
    """All charts of the file."""
    for name, one in model.charts.items():
        where: Location = ("charts", name)
        with pieces.at(*where):
            _add_chart(pieces, name, one, where)


def _add_chart(pieces: Pieces, name: str, one: Chart, where: Location) -> None:
    """A chart; its new coordinates are known inside its own expressions only."""
    outside = dict(pieces.names)
    new = {x: pieces.system.chart_coordinates(x) for x in one.coordinates}
    pieces.names |= {key: symbol for x in new for key, symbol in ((x, new[x]), (f"{x}.dot", new[x].dot))}
    try:
        maps = {
            _coordinate(pieces, q, outside, where): pieces.scalar(F, (*where, "maps", q)) for q, F in one.maps.items()
        }
        inverse = None
        if one.inverse is not None:
            inverse = {
                _coordinate(pieces, x, new, where): pieces.scalar(F, (*where, "inverse", x))
                for x, F in one.inverse.items()
            }
        energy = pieces.scalars(one, where, "kinetic_energy")
    finally:
        pieces.names = outside
    pieces.system.chart(name, list(new), maps, inverse=inverse, **energy)


def _coordinate(pieces: Pieces, name: str, known: Mapping[str, Meaning], where: Location) -> sp.Symbol:
    if name not in known:
        raise pieces.document.error(f"there is no coordinate {name!r} here.", where)
    return known[name]
