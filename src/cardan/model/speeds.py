"""Generalized speeds: velocities of one's own, u = Y(q, t) v + z(q, t), for starts, forces, equations and outputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

import sympy as sp

from cardan.errors import ModelError
from cardan.model.bodies import Body, Particle
from cardan.model.frames import Frame, Vector

if TYPE_CHECKING:
    from cardan.model.description import Description
    from cardan.model.given import Amount

Speed: TypeAlias = "Amount | tuple[Vector, Frame | Body | Particle]"


def add_speeds(description: Description, given: Mapping[str, Speed]) -> tuple[sp.Symbol, ...]:
    """A symbol for each speed; a vector with the frame that it is written in gives three, with _x, _y and _z."""
    wanted = {name: one for key, value in given.items() for name, one in _components(key, value).items()}
    if not wanted:
        raise ModelError("speeds() needs at least one, as in s.speeds(u=x.dot*cos(a) + y.dot*sin(a)).")
    moving = {v for one in description.variables for v in one.velocities}
    found: dict[sp.Symbol, sp.Expr] = {}
    for name, value in wanted.items():
        what = f"Speed {name!r}"
        u = description.expression(value, what)
        velocities = u.free_symbols & moving
        if not velocities:
            raise ModelError(
                f"{what} is {u}, which holds no velocity. Use x.dot, body.omega.dot(body.x), ...", name=name
            )
        if any(sp.simplify(u.diff(v, w)) != 0 for v in velocities for w in velocities):
            raise ModelError(f"{what} is {u}, which is not linear in the velocities.", name=name)
        found[sp.Symbol(name, real=True)] = u
    with description.all_or_nothing():
        for symbol in found:
            description.claim_symbol(symbol.name, f"speed {symbol.name!r}")
    description.speeds |= found
    return tuple(found)


def _components(name: str, value: Speed) -> dict[str, Amount]:
    if isinstance(value, Vector):
        raise ModelError(f"Speed {name!r} is a vector; say along which axes: {name}=(vector, body).", name=name)
    if not isinstance(value, tuple):
        return {name: value}
    vector, frame = value
    if not isinstance(vector, Vector):
        raise ModelError(f"Speed {name!r}: {vector!r} is no vector, such as body.omega.", name=name)
    return {f"{name}_{axis}": part for axis, part in zip("xyz", vector.components(frame), strict=True)}
