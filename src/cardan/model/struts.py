"""Struts: what pulls two points together, or a coordinate back, by any law of length and rate."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import sympy as sp

from cardan.errors import ModelError
from cardan.model.frames import Point
from cardan.model.loads import LENGTH, RATE, Damper

if TYPE_CHECKING:
    from cardan.model.description import Description

Law = Callable[[sp.Symbol, sp.Symbol], sp.Expr]  # tension from length and rate
SOMEWHERE = {LENGTH: sp.Float(0.7310585), RATE: sp.Float(0.2689414)}  # where only the other symbols are looked at


def strut(
    description: Description, ends: tuple[Point | sp.Expr, Point | None], law: Law | sp.Expr, label: str
) -> Damper:
    """The element, refused unless its law is an expression of what is known, of length and of rate."""
    what = f"Law of {label!r}"
    try:
        tension = sp.sympify(law(LENGTH, RATE) if callable(law) and not isinstance(law, sp.Basic) else law)
    except TypeError as problem:
        raise ModelError(
            f"{what}: {problem}. Give a function of length and rate that SymPy can take, such as "
            "lambda length, rate: k*(length - l)**3 + c*rate, with functions of SymPy inside."
        ) from problem
    if not isinstance(tension, sp.Expr):
        raise ModelError(f"{what}: {tension!r} is no expression of length and rate.")
    description.expression(tension.xreplace(SOMEWHERE), what)
    return Damper(label, sp.Integer(0), *ends, law=tension)
