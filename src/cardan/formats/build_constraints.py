"""Constraints and stops: one function for each kind that a file may write."""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch
from typing import cast

from cardan.formats import schema_constraints as kinds
from cardan.formats import schema_parts
from cardan.formats.document import Location
from cardan.formats.pieces import Pieces
from cardan.formats.schema import ModelFile
from cardan.model.bodies import Body
from cardan.model.shapes import Plane, Shape
from cardan.model.surfaces import ConeSurface, CylinderSurface, RoundSurface, SphereSurface


def add_constraints(pieces: Pieces, model: ModelFile) -> None:
    """Prescribed coordinates, then all constraints."""
    for name, motion in model.prescribe.items():
        with pieces.at("prescribe", name):
            pieces.system.prescribe(name, pieces.scalar(motion))
    for k, one in enumerate(model.constraints):
        with pieces.at("constraints", k):
            add(one, pieces, ("constraints", k))


def add_stops(pieces: Pieces, model: ModelFile) -> None:
    """All stops."""
    for k, one in enumerate(model.stops):
        with pieces.at("stops", k):
            add(one, pieces, ("stops", k))


@singledispatch
def add(one: schema_parts.Part, pieces: Pieces, where: Location) -> None:
    """Say one constraint or stop to the system."""
    raise TypeError(f"nothing adds a {type(one).__name__}")


@add.register
def _holonomic(one: kinds.Holonomic, pieces: Pieces, where: Location) -> None:
    pieces.system.constrain(pieces.scalar(one.expression, (*where, "expression")), name=one.name or "")


@add.register
def _velocity(one: kinds.Velocity, pieces: Pieces, where: Location) -> None:
    pieces.system.constrain_velocity(pieces.scalar(one.expression, (*where, "expression")), name=one.name or "")


@add.register
def _connect(one: kinds.Connect, pieces: Pieces, where: Location) -> None:
    pieces.system.connect(
        pieces.target(one.first, (*where, "first")),
        pieces.target(one.second, (*where, "second")),
        second_axis=None if one.second_axis is None else pieces.axis(one.second_axis, (*where, "second_axis")),
        joint=pieces.joint(one.joint, (*where, "joint")),
        name=one.name or "",
    )


@add.register
def _distance(one: kinds.Distance, pieces: Pieces, where: Location) -> None:
    pieces.system.distance(
        pieces.target(one.first, (*where, "first")),
        pieces.target(one.second, (*where, "second")),
        pieces.scalar(one.length, (*where, "length")),
        name=one.name or "",
    )


@add.register
def _no_slip(one: kinds.NoSlip, pieces: Pieces, where: Location) -> None:
    pieces.system.no_slip(
        on=pieces.thing(one.on, (*where, "on")),
        along=pieces.vector(one.along, (*where, "along")),
        point=None if one.point is None else pieces.target(one.point, (*where, "point")),
        relative_to=None if one.relative_to is None else pieces.thing(one.relative_to, (*where, "relative_to")),
        name=one.name or "",
    )


@add.register
def _no_spin(one: kinds.NoSpin, pieces: Pieces, where: Location) -> None:
    pieces.system.no_spin(
        on=pieces.thing(one.on, (*where, "on")),
        about=pieces.vector(one.about, (*where, "about")),
        relative_to=None if one.relative_to is None else pieces.thing(one.relative_to, (*where, "relative_to")),
        name=one.name or "",
    )


@add.register
def _roll(one: kinds.Roll, pieces: Pieces, where: Location) -> None:
    pieces.system.roll(
        cast(Body, pieces.thing(one.body, (*where, "body"))),  # what is no body is refused by the system
        on=_rolled_on(pieces, one.on, (*where, "on")),
        shape=_touching(pieces, one.shape, where),
        at=pieces.nested(one.at, (*where, "at")),
        spins=one.spins,
        name=one.name or "",
    )


def _rolled_on(
    pieces: Pieces, on: schema_parts.PlaneOf | schema_parts.RoundOf, where: Location
) -> Plane | RoundSurface:
    """A plane, or a round surface with the sizes that its kind has."""
    if isinstance(on, schema_parts.PlaneOf):
        return pieces.plane(on, where)
    makers: dict[str, Callable[..., RoundSurface]] = {
        "cylinder": CylinderSurface,
        "sphere": SphereSurface,
        "cone": ConeSurface,
    }
    needed = "angle" if on.kind == "cone" else "radius"
    allowed = {"kind", "of", "inside", needed, "pole" if on.kind == "sphere" else "axis"}
    if getattr(on, needed) is None or on.model_fields_set - allowed:
        raise pieces.document.error(f"a {on.kind} is told by {', '.join(sorted(allowed - {'kind'}))}.", where)
    axes = {key: pieces.axis(axis, where) for key, axis in (("axis", on.axis), ("pole", on.pole)) if axis is not None}
    size = pieces.scalar(getattr(on, needed), (*where, needed))
    return makers[on.kind](pieces.thing(on.of, where), size, inside=on.inside, **axes)


@add.register
def _gap(one: kinds.Gap, pieces: Pieces, where: Location) -> None:
    numbers = pieces.scalars(one, where, "restitution", "friction")
    slip = tuple(pieces.scalar(text, (*where, "slip", j)) for j, text in enumerate(one.slip))
    pieces.system.stop(pieces.scalar(one.gap, (*where, "gap")), slip=slip, name=one.name or "", **numbers)


@add.register
def _contact(one: kinds.Contact, pieces: Pieces, where: Location) -> None:
    numbers = pieces.scalars(one, where, "restitution", "friction")
    shape = _touching(pieces, one.shape, where)
    on = _rolled_on(pieces, one.on, (*where, "on"))
    of = pieces.target(one.of, (*where, "of"))
    pieces.system.contact(of, on=on, shape=shape, name=one.name or "", **numbers)


def _touching(pieces: Pieces, shape: schema_parts.Shape | None, where: Location) -> Shape | None:
    """A sphere, disc or ellipsoid, which the schema admits here only."""
    return None if shape is None else cast(Shape, pieces.shape(shape, (*where, "shape")))
