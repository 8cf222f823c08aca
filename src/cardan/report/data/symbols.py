"""Names as a page shows them: typeset, and with units where the model tells what they measure."""

from __future__ import annotations

import sympy as sp

from cardan.model.model import Model
from cardan.model.motions import Slide, Turn
from cardan.model.variables import CoordinateVariable
from cardan.report.data.entries import CoordinateEntry

TURN = 6.283185307179586


def typeset(symbol: sp.Symbol | str) -> str:
    """A symbol, or the name of one, in LaTeX."""
    return str(sp.latex(sp.Symbol(symbol) if isinstance(symbol, str) else symbol))


def coordinate_units(model: Model) -> dict[sp.Symbol, str]:
    """The unit of each coordinate: angles by their domain or joint, lengths by their joint, else unknown."""
    units: dict[sp.Symbol, str] = {}
    things = (*model.bodies, *model.particles)
    for frame in {one: None for thing in things for one in thing.frame.path}:
        for motion in frame.motions:
            if isinstance(motion, (Turn, Slide)):
                amount = sp.sympify(motion.angle if isinstance(motion, Turn) else motion.distance)
                if amount.is_Symbol:
                    units.setdefault(amount, "rad" if isinstance(motion, Turn) else "m")
    units |= {symbol: "m" for body in model.flexible for symbol in body.coordinates}
    for one in model.variables:
        if isinstance(one, CoordinateVariable) and one.domain.is_angle:
            units[one.symbol] = "rad"
    return units


def configuration(model: Model) -> list[tuple[sp.Symbol, str]]:
    """(symbol, unit) of every configuration number."""
    units = coordinate_units(model)
    return [(symbol, units.get(symbol, "")) for symbol in model.q]


def velocities(model: Model) -> list[tuple[sp.Symbol, str]]:
    """(symbol, unit) of every velocity."""
    units, found = coordinate_units(model), []
    for one in model.free:
        for symbol in one.velocities:
            own = units.get(one.symbol, "") if isinstance(one, CoordinateVariable) else "rad"
            found.append((symbol, f"{own}/s" if own else "1/s"))
    return found


def coordinates(model: Model) -> list[CoordinateEntry]:
    """The coordinates of a page, with their periods."""
    angles = {one.symbol for one in model.free if isinstance(one, CoordinateVariable) and one.domain.is_angle}
    return [
        {"name": str(symbol), "latex": typeset(symbol), "unit": unit, "period": TURN if symbol in angles else None}
        for symbol, unit in configuration(model)
    ]
