"""Rows typed as text: ``"m*x_ddot + k*x = 0"``, read by the grammar of model files, which executes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

from cardan.errors import ModelError
from cardan.formats.expressions import parse

if TYPE_CHECKING:
    from cardan.equations.equations import Equations


def read_row(eq: Equations, text: str) -> sp.Expr:
    """left - right of an equation, or the expression itself where there is no equals sign."""
    sides = text.split("=")
    if len(sides) > 2:
        raise ModelError(f"{text!r} has {len(sides) - 1} equals signs; a row has one, or none where it should be zero.")
    names = names_of(eq)
    values = [sp.sympify(parse(side, names)) for side in sides]
    return values[0] - values[1] if len(values) == 2 else values[0]


def names_of(eq: Equations) -> dict[str, sp.Expr]:
    """Every symbol of the equations by what a user may call it: x.dot and x_dot are the same."""
    model = eq.model
    symbols = [model.time, *model.parameters, *model.q, *model.v, *model.driving, *eq.forms.lam]
    symbols += [v.dot for v in model.v]
    names: dict[str, sp.Expr] = {symbol.name: symbol for symbol in symbols}
    for q in model.q:
        if hasattr(q, "ddot"):
            names |= {f"{q}.dot": q.dot, f"{q}.ddot": q.ddot}
    return names
