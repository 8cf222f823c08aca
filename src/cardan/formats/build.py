"""From a checked model file to a system: each entry becomes the call that a user would have written.

The system is whatever answers to those calls (``describable.py``), so that a file is checked by the same code as a
program. Whatever is refused comes back as FileError with file, line and field.
"""

from __future__ import annotations

from dataclasses import replace

from cardan.formats.build_analysis import analysis_of
from cardan.formats.build_charts import add_charts
from cardan.formats.build_constraints import add_constraints, add_stops
from cardan.formats.build_drawings import add_drawings
from cardan.formats.build_loads import add_connections, add_energies, add_friction, add_loads
from cardan.formats.build_parts import add_parts
from cardan.formats.build_plan import plan_of
from cardan.formats.describable import Describable
from cardan.formats.document import Document
from cardan.formats.pieces import Pieces
from cardan.formats.plan import Plan
from cardan.formats.schema import ModelFile


def build(model: ModelFile, document: Document, system: Describable) -> Plan:
    """Say to ``system`` what the file says; returns what it says about a run.

    Names come first, then what carries them, then what acts on them.
    """
    pieces = Pieces(document, system)
    add_variables(pieces, model)
    add_parts(pieces, model)
    for name, text in model.speeds.items():
        with pieces.at("speeds", name):
            pieces.names[name] = pieces.system.speeds(**{name: pieces.scalar(text)})
    add_loads(pieces, model)
    add_energies(pieces, model)
    add_charts(pieces, model)
    add_connections(pieces, model)
    add_constraints(pieces, model)
    add_friction(pieces, model)
    add_stops(pieces, model)
    put_in_order(pieces, model)
    add_drawings(pieces, model)
    return replace(plan_of(pieces, model), analysis=analysis_of(pieces, model))


def add_variables(pieces: Pieces, model: ModelFile) -> None:
    """Coordinates, parameters and inputs."""
    for name, one in model.coordinates.items():
        with pieces.at("coordinates", name):
            on = one.on if isinstance(one.on, str) else tuple(pieces.number(end) for end in one.on)
            symbol = pieces.system.coordinates(name, on=on, scale=one.scale)
            pieces.names |= {name: symbol, f"{name}.dot": symbol.dot, symbol.dot.name: symbol.dot}
    for name, value in model.parameters.items():
        with pieces.at("parameters", name):
            pieces.names[name] = pieces.system.parameters(**{name: pieces.number(value)})
    for k, name in enumerate(model.inputs):
        with pieces.at("inputs", k):
            pieces.names[name] = pieces.system.input(name)


def put_in_order(pieces: Pieces, model: ModelFile) -> None:
    """Variables in the order that the file asks for; those that it does not name come last, as they were made."""
    description, place = pieces.system.description, {name: k for k, name in enumerate(model.order)}
    known = {*(one.name for one in description.variables), *pieces.known}
    for k, name in enumerate(model.order):
        if name not in known:
            raise pieces.document.error(f"there is no coordinate, quaternion or part {name!r}.", ("order", k))
    if place:
        description.variables.sort(key=lambda one: place.get(one.name, len(place)))
        description.touch()
