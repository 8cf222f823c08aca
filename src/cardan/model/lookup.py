"""Frames by what they belong to: a body, a particle, or the name of one."""

from __future__ import annotations

from typing import TypeAlias

from cardan.errors import unknown
from cardan.model.bodies import Body, Particle
from cardan.model.frames import Frame
from cardan.model.model import Model

Thing: TypeAlias = Body | Particle | Frame | str  # what has a frame, or its name


def frame_of(model: Model, thing: Thing) -> Frame:
    """The frame of a body or particle, also by its name; a frame is its own."""
    if isinstance(thing, Frame):
        return thing
    if isinstance(thing, (Body, Particle)):
        return thing.frame
    named = {one.name: one.frame for one in (*model.bodies, *model.particles)}
    if thing not in named:
        raise unknown(thing, named, f"body or particle of {model.name!r}")
    return named[thing]
