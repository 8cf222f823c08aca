"""Frames, bodies and particles: each is made after what carries it, in whatever order the file has them."""

from __future__ import annotations

from functools import singledispatch
from typing import TypeAlias

from cardan.formats.describable import Position, Thing
from cardan.formats.document import Location
from cardan.formats.pieces import Pieces
from cardan.formats.schema import Body, Frame, ModelFile, Particle
from cardan.formats.schema_parts import Part
from cardan.model import bodies, frames

Waiting: TypeAlias = dict[str, tuple[Location, Frame | Particle]]  # what is still to be made, by name


def add_parts(pieces: Pieces, model: ModelFile) -> None:
    """Frames, bodies and particles of the file."""
    waiting: Waiting = {}
    for room, entries in (("frames", model.frames), ("bodies", model.bodies), ("particles", model.particles)):
        for name, one in entries.items():
            if name in waiting:
                raise pieces.document.error(
                    f"the name {name!r} is already used in {waiting[name][0][0]}.", (room, name)
                )
            waiting[name] = (room, name), one
    for name in list(waiting):
        _place(pieces, name, waiting)


def _place(pieces: Pieces, name: str, waiting: Waiting) -> None:
    """Make one thing, after those that carry it."""
    chain: list[str] = []
    while name in waiting:
        if name in chain:
            where = waiting[name][0]
            raise pieces.document.error(f"{name!r} is carried by itself: {' <- '.join([*chain, name])}.", where)
        chain.append(name)
        one = waiting[name][1]
        name = one.frame or "world" if isinstance(one, Particle) else one.parent
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
        shape=None if one.shape is None else pieces.shape(one.shape, (*where, "shape")),
    )


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
