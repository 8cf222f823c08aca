"""What acts on the parts: gravity, loads, typed energies, springs, dampers and friction."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from cardan.errors import FileError
from cardan.formats.describable import Target, Thing
from cardan.formats.document import Location
from cardan.formats.pieces import Pieces
from cardan.formats.schema import Damper, Force, ModelFile, Moment, PressedBy, Spring, Strut
from cardan.formats.schema_parts import Written
from cardan.model.bodies import Body, Particle
from cardan.model.frames import Point
from cardan.model.loads import LENGTH, RATE

if TYPE_CHECKING:
    import sympy as sp

SIX = ("stiffness", "damping")


def add_loads(pieces: Pieces, model: ModelFile) -> None:
    """Gravity, and named forces and moments."""
    if model.gravity is not None:
        with pieces.at("gravity"):
            acceleration = pieces.vector(model.gravity, ("gravity",))
            if any(frame is not pieces.system.world for frame in acceleration.terms):
                raise FileError("gravity is given along the axes of the world.")
            pieces.system.gravity(acceleration)
    for name, rows in model.pressing_forces.items():
        with pieces.at("pressing_forces", name):
            pieces.names[name] = pieces.system.pressing_force(name, by=rows)
    for name, one in model.loads.items():
        where: Location = ("loads", name)
        with pieces.at(*where):
            made = _load(pieces, name, one, where) or ()
            pieces.names |= {str(symbol): symbol for symbol in (made if isinstance(made, tuple) else (made,))}


def _load(pieces: Pieces, name: str, one: Force | Moment, where: Location) -> sp.Symbol | tuple[sp.Symbol, ...] | None:
    along, law = (
        None if text is None else pieces.vector(text, (*where, key))
        for key, text in (("along", one.along), ("law", one.law))
    )
    if isinstance(one, Force):
        hold = cast(Body | Particle | Point, pieces.target(one.on, (*where, "on")))  # a bare frame is refused there
        back = None if one.against is None else pieces.target(one.against, (*where, "against"))
        return pieces.system.force(name, on=hold, along=along, against=back, law=law)
    against = None if one.against is None else pieces.thing(one.against, (*where, "against"))
    on = cast(Body, pieces.thing(one.on, (*where, "on")))  # what is no body is refused by the system
    return pieces.system.moment(name, on=on, along=along, against=against, law=law)


def add_energies(pieces: Pieces, model: ModelFile) -> None:
    """Energies and generalized forces typed by hand."""
    calls = {
        "kinetic": pieces.system.kinetic_energy,
        "potential": pieces.system.potential,
        "lagrangian": pieces.system.lagrangian,
    }
    for kind, call in calls.items():
        for k, text in enumerate(getattr(model.energies, kind)):
            with pieces.at("energies", kind, k):
                call(pieces.scalar(text))
    for name, texts in model.generalized_forces.items():
        for k, text in enumerate(texts):
            with pieces.at("generalized_forces", name, k):
                pieces.system.generalized_force(pieces.names.get(name, name), pieces.scalar(text))


def add_connections(pieces: Pieces, model: ModelFile) -> None:
    """Springs, dampers, struts and bushings."""
    for k, spring in enumerate(model.springs):
        where: Location = ("springs", k)
        with pieces.at(*where):
            numbers = pieces.scalars(spring, where, "stiffness", "length")
            pieces.system.spring(*_ends(pieces, spring, where), **numbers, name=spring.name or "")
    for k, damper in enumerate(model.dampers):
        where = ("dampers", k)
        with pieces.at(*where):
            numbers = pieces.scalars(damper, where, "coefficient")
            pieces.system.damper(*_ends(pieces, damper, where), **numbers, name=damper.name or "")
    for k, one in enumerate(model.struts):
        where = ("struts", k)
        with pieces.at(*where):
            ends = _ends(pieces, one, where)
            pieces.system.strut(*ends, law=_law(pieces, one, where), name=one.name or "")
    for k, bushing in enumerate(model.bushings):
        where = ("bushings", k)
        with pieces.at(*where):
            first, second = (pieces.target(end, (*where, "between", j)) for j, end in enumerate(bushing.between))
            six = {key: [pieces.scalar(x, (*where, key)) for x in getattr(bushing, key)] for key in SIX}
            pieces.system.bushing(first, second, **six, name=bushing.name or "")


def _law(pieces: Pieces, one: Strut, where: Location) -> sp.Expr:
    """The law of a strut; ``length`` and ``rate`` are known inside it only."""
    outside = dict(pieces.names)
    pieces.names |= {"length": LENGTH, "rate": RATE}
    try:
        return pieces.scalar(one.law, (*where, "law"))
    finally:
        pieces.names = outside


def _ends(pieces: Pieces, one: Spring | Damper | Strut, where: Location) -> list[Target | sp.Expr]:
    if (one.between is None) == (one.on is None):
        raise FileError("give either `between`, two points, or `on`, a coordinate or expression.")
    if one.between is None:
        return [pieces.scalar(one.on, (*where, "on"))]
    return [pieces.target(end, (*where, "between", k)) for k, end in enumerate(one.between)]


def add_friction(pieces: Pieces, model: ModelFile) -> None:
    """Dry friction; it may be pressed by constraints, so these are there already."""
    for k, one in enumerate(model.friction):
        where: Location = ("friction", k)
        with pieces.at(*where):
            pieces.system.friction(
                pieces.scalar(one.on, (*where, "on")),
                normal=_pressing(pieces, one.normal, (*where, "normal")),
                law=one.law,
                name=one.name or "",
                **pieces.scalars(one, where, "coefficient", "radius", "static", "stribeck", "viscous", "width"),
            )


def _pressing(pieces: Pieces, normal: PressedBy | Written, where: Location) -> sp.Expr | Thing | tuple[str, ...]:
    if not isinstance(normal, PressedBy):
        return pieces.scalar(normal, where)
    if (normal.body is None) == (normal.constraints is None):
        raise pieces.document.error("give either `body` or `constraints`.", where)
    return pieces.thing(normal.body, where) if normal.body else tuple(normal.constraints or ())
