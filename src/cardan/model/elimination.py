"""Taking a coordinate out of a description: q = expression of the others, put in everywhere.

Joints take any expression, so the motions of frames just carry the expression instead of the coordinate; energies and
forces follow by substitution, and a generalized force on q goes to the others by the slopes of the expression.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import TypeVar

import sympy as sp

from cardan.errors import ModelError
from cardan.model.description import Description
from cardan.model.frames import Frame, Vector
from cardan.model.loads import GeneralizedForce
from cardan.model.motions import Motion, Slide, Turn
from cardan.model.symbols import Coordinate
from cardan.model.variables import CoordinateVariable

Put = Callable[[sp.Expr], sp.Expr]
R = TypeVar("R")  # a record of the model


def eliminate(description: Description, coordinate: Coordinate, expression: sp.Expr, constraint: str) -> None:
    """Put ``coordinate = expression`` in everywhere and drop the constraint that said so."""
    if coordinate in description.prescribed:
        raise ModelError(f"{coordinate} is prescribed, so it cannot be eliminated by {constraint!r}.", name=constraint)
    values = {coordinate: expression, coordinate.dot: _rate(description, expression)}

    def put(value: sp.Expr) -> sp.Expr:
        return value.subs(values, simultaneous=True) if isinstance(value, sp.Basic) else value

    description.constraints = [_record(one, put) for one in description.constraints if one.name != constraint]
    for frame in _frames(description):
        own = description.regular.get(frame, frame.motions)
        description.regular[frame] = tuple(_motion(motion, put) for motion in own)
    for name in ("kinetic_energies", "potentials", "lagrangians"):
        setattr(description, name, [put(one) for one in getattr(description, name)])
    for name in ("loads", "springs", "dampers", "frictions", "stops"):
        setattr(description, name, [_record(one, put) for one in getattr(description, name)])
    description.speeds = {speed: put(meaning) for speed, meaning in description.speeds.items()}
    description.generalized_forces = _forces(description, coordinate, expression, put)
    description.variables = [
        one for one in description.variables if not (isinstance(one, CoordinateVariable) and one.symbol == coordinate)
    ]
    description.list_symbols()
    description.touch()


def _rate(description: Description, expression: sp.Expr) -> sp.Expr:
    """d/dt of an expression of coordinates and time."""
    total = sp.diff(expression, description.time)
    for one in description.variables:
        if isinstance(one, CoordinateVariable):
            total += sp.diff(expression, one.symbol) * one.symbol.dot
    return total


def _frames(description: Description) -> list[Frame]:
    found: dict[Frame, None] = {}
    for thing in (*description.bodies, *description.particles):
        found.update(dict.fromkeys(thing.frame.path))
    return list(found)


def _motion(motion: Motion, put: Put) -> Motion:
    if isinstance(motion, Turn):
        return Turn(motion.axis, put(motion.angle))
    return Slide(motion.axis, put(motion.distance)) if isinstance(motion, Slide) else motion


def _record(record: R, put: Put) -> R:
    """A record of the model with the value put into every expression it holds."""
    assert is_dataclass(record)
    changed: dict[str, object] = {}
    for field in fields(record):
        value = getattr(record, field.name)
        if isinstance(value, Vector):
            changed[field.name] = Vector({frame: tuple(map(put, parts)) for frame, parts in value.terms.items()})
        elif isinstance(value, tuple) and any(isinstance(part, (sp.Basic, Vector)) for part in value):
            changed[field.name] = tuple(
                Vector({frame: tuple(map(put, parts)) for frame, parts in part.terms.items()})
                if isinstance(part, Vector)
                else put(part)
                for part in value
            )
        elif isinstance(value, sp.Basic):
            changed[field.name] = put(value)
    return replace(record, **changed) if changed else record  # type: ignore[type-var]


def _forces(description: Description, coordinate: Coordinate, expression: sp.Expr, put: Put) -> list[GeneralizedForce]:
    """Generalized forces on the remaining coordinates: Q_j + Q dq/dq_j."""
    found: list[GeneralizedForce] = []
    for force in description.generalized_forces:
        if force.coordinate != coordinate.dot:
            found.append(GeneralizedForce(force.coordinate, put(force.expression)))
            continue
        for one in description.variables:
            if isinstance(one, CoordinateVariable) and expression.has(one.symbol):
                share = put(force.expression) * sp.diff(expression, one.symbol)
                found.append(GeneralizedForce(one.symbol.dot, share))
    return found
