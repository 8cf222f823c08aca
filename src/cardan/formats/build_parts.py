"""Frames, bodies and particles: each is made after what carries it, in whatever order the file has them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import singledispatch
from typing import TypeAlias

from cardan.formats.describable import Position, Thing
from cardan.formats.document import Location
from cardan.formats.pieces import Pieces
from cardan.formats.schema import Body, Continuum, Flexible, Frame, ModelFile, Particle
from cardan.formats.schema_parts import Part
from cardan.model import bodies, flexible, frames

Waiting: TypeAlias = dict[str, tuple[Location, Frame | Particle]]  # what is still to be made, by name


def add_parts(pieces: Pieces, model: ModelFile) -> None:
    """Frames, bodies and particles of the file."""
    waiting: Waiting = {}
    rooms: dict[str, Mapping[str, Frame | Particle]] = {
        "frames": model.frames,
        "bodies": model.bodies,
        "flexible": model.flexible,
        "particles": model.particles,
    }
    for room, entries in rooms.items():
        for name, one in entries.items():
            if name in waiting:
                raise pieces.document.error(
                    f"the name {name!r} is already used in {waiting[name][0][0]}.", (room, name)
                )
            waiting[name] = (room, name), one
    owners = {section: name for name, one in model.flexible.items() for section in one.sections}
    for name in [*(one for one in model.order if one in waiting), *waiting]:
        _place(pieces, name, waiting, owners)


def _place(pieces: Pieces, name: str, waiting: Waiting, owners: Mapping[str, str]) -> None:
    """Make one thing, after those that carry it; sections are made with the body that they are of."""
    chain: list[str] = []
    while name in waiting:
        if name in chain:
            where = waiting[name][0]
            raise pieces.document.error(f"{name!r} is carried by itself: {' <- '.join([*chain, name])}.", where)
        chain.append(name)
        one = waiting[name][1]
        name = one.frame or "world" if isinstance(one, Particle) else one.parent
        name = owners.get(name, name)
    for ready in reversed(chain):
        where, one = waiting.pop(ready)
        with pieces.at(*where):
            pieces.add(ready, make(one, pieces, ready, where))


@singledispatch
def make(one: Part, pieces: Pieces, name: str, where: Location) -> Thing:
    """The frame, body or particle that an entry describes."""
    raise TypeError(f"nothing makes a {type(one).__name__}")


@make.register
def _frame(one: Frame, pieces: Pieces, name: str, where: Location) -> frames.Frame:
    return pieces.system.frame(
        name,
        parent=pieces.thing(one.parent, (*where, "parent")),
        joint=None if one.joint is None else pieces.joint(one.joint, (*where, "joint")),
        at=None if one.at is None else pieces.placement(one.at, (*where, "at")),
    )


@make.register
def _body(one: Body, pieces: Pieces, name: str, where: Location) -> bodies.Body:
    return pieces.system.body(
        name,
        parent=pieces.thing(one.parent, (*where, "parent")),
        joint=None if one.joint is None else pieces.joint(one.joint, (*where, "joint")),
        at=None if one.at is None else pieces.placement(one.at, (*where, "at")),
        mass=pieces.scalar(one.mass, (*where, "mass")),
        inertia=pieces.nested(one.inertia, (*where, "inertia")),
        com=pieces.nested(one.com, (*where, "com")),
        as_is=one.as_is,
        shape=None if one.shape is None else pieces.shape(one.shape, (*where, "shape")),
    )


@make.register
def _flexible(one: Flexible, pieces: Pieces, name: str, where: Location) -> flexible.FlexibleBody:
    """A body that bends; its coordinates and its sections can be spoken of from now on."""
    beam = one.beam
    made = pieces.system.flexible_body(
        name,
        beam=_continuum(beam, pieces, where)
        if isinstance(beam, Continuum)
        else {axis: _continuum(part, pieces, where) for axis, part in beam if part is not None},
        modes=one.modes,
        parent=pieces.thing(one.parent, (*where, "parent")),
        joint=None if one.joint is None else pieces.joint(one.joint, (*where, "joint")),
        at=None if one.at is None else pieces.placement(one.at, (*where, "at")),
        damping=pieces.number(one.damping, (*where, "damping")),
        stiffening=one.stiffening,
        stations=one.stations,
        radius=None if one.radius is None else pieces.scalar(one.radius, (*where, "radius")),
    )
    for symbol in made.coordinates:
        pieces.names |= {symbol.name: symbol, f"{symbol.name}.dot": symbol.dot, symbol.dot.name: symbol.dot}
    for section, x in one.sections.items():
        pieces.add(section, made.section(pieces.number(x, (*where, "sections", section)), section))
    return made


def _continuum(one: Continuum, pieces: Pieces, where: Location) -> dict[str, object]:
    """The arguments of a beam, string or rod."""
    given = {key: value for key, value in one if value is not None}
    ends = {key: given.pop(key) for key in ("left", "right") if key in given}
    return {key: pieces.number(value, (*where, "beam", key)) for key, value in given.items()} | ends


@make.register
def _particle(one: Particle, pieces: Pieces, name: str, where: Location) -> bodies.Particle:
    curvilinear = one.coordinates
    return pieces.system.particle(
        name,
        position=_position(one, pieces, where),
        mass=pieces.scalar(one.mass, (*where, "mass")),
        frame=None if one.frame is None else pieces.thing(one.frame, (*where, "frame")),
        coordinates=None if curvilinear is None else pieces.curvilinear(curvilinear, (*where, "coordinates")),
    )


def _position(one: Particle, pieces: Pieces, where: Location) -> Position | None:
    if one.position is None:
        return None
    if not isinstance(one.position, str):
        return pieces.nested(one.position, (*where, "position"))
    position = pieces.vector(one.position, (*where, "position"))
    carried = [pieces.frame_of(one.frame, where)] if one.frame else []
    pieces.require_near([*position.terms, *carried], where)
    return position
