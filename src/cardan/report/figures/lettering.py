"""What stands beside axes and in legends: symbols as mathematics, units, parts of pi, sets in words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from cardan.diagnosis.sets.sets import SingularSet
from cardan.errors import unknown
from cardan.model.model import Model
from cardan.model.variables import CoordinateVariable
from cardan.report.data.symbols import TURN, coordinate_units, typeset, velocities
from cardan.report.figures.style import KINDS
from cardan.trajectory.settings import Name

if TYPE_CHECKING:
    from matplotlib.axis import Axis

RATE_OF_INDEXED = re.compile(r"\\(d?dot)\{([^{}]+)_\{([^{}]*)\}\}")
UPRIGHT_NAME = re.compile(r"^[A-Za-z]{2,}")


def mathematics(latex: str) -> str:
    """LaTeX as matplotlib sets it; a dot stands over the letter and not over its index."""
    text = RATE_OF_INDEXED.sub(r"\\\1{\2}_{\3}", latex).replace(r"\operatorname", r"\mathrm")
    return "$" + UPRIGHT_NAME.sub(lambda word: rf"\mathrm{{{word[0]}}}", text) + "$"


def plain(text: object) -> str:
    """A name as it is: matplotlib would read what stands between dollars as mathematics."""
    return str(text).replace("$", r"\$")


def symbol_named(model: Model, name: Name) -> sp.Symbol:
    """The coordinate or velocity of this name."""
    known = (*model.q, *model.v)
    for symbol in known:
        if symbol == name or str(symbol) == str(name):
            return symbol
    raise unknown(name, map(str, known), f"coordinate or velocity of {model.name!r}")


def unit_of(model: Model, symbol: sp.Symbol) -> str:
    """The unit of a coordinate or velocity, "" where the model does not tell."""
    return str((coordinate_units(model) | dict(velocities(model))).get(symbol, ""))


def period_of(model: Model, symbol: sp.Symbol) -> float | None:
    """A turn for angles, None for everything else."""
    angles = [one.symbol for one in model.free if isinstance(one, CoordinateVariable) and one.domain.is_angle]
    return TURN if symbol in angles else None


def axis_label(model: Model, symbol: sp.Symbol) -> str:
    """A symbol with its unit."""
    unit = unit_of(model, symbol)
    return mathematics(typeset(symbol)) + (f" [{unit}]" if unit else "")


def set_label(one: SingularSet) -> str:
    """A singular set in words, with its condition."""
    look = KINDS.get(one.kind)
    words = look.words if look else one.kind.replace("-", " ")
    about = f" of {one.load}" if one.load else ""
    if one.kind == "carried-by-constraints":
        return f"{one.load} {words}: {one.text}"
    if isinstance(one.condition, sp.Equality):
        return f"{words}{about}: {mathematics(sp.latex(one.condition))}"
    return f"{words}{about}: {one.text}"


def quarter_text(k: int) -> str:
    """k quarter turns: 0, π/2, π, -3π/2."""
    if k == 0:
        return "0"
    top = abs(k) if k % 2 else abs(k) // 2
    return f"{'−' if k < 0 else ''}{'' if top == 1 else top}π{'/2' if k % 2 else ''}"


def turn_ticks(axis: Axis, low: float, high: float) -> None:
    """Ticks of an axis at quarters of a turn."""
    first, last = int(np.ceil(low / (TURN / 4) - 1e-9)), int(np.floor(high / (TURN / 4) + 1e-9))
    ticks = range(first, last + 1)
    axis.set_ticks([k * TURN / 4 for k in ticks], [quarter_text(k) for k in ticks])
