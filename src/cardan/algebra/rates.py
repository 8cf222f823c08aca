"""Total time derivatives of expressions of coordinates, velocities and time, by the chain rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

import sympy as sp


@runtime_checkable
class Dotted(Protocol):
    """A symbol that knows the symbol of its time derivative."""

    @property
    def dot(self) -> sp.Symbol: ...


def total_rate(expression: sp.Expr, time: sp.Symbol, rates: Mapping[sp.Symbol, sp.Expr]) -> sp.Expr:
    """d/dt: partial by time, plus each symbol's slope times its rate (``rates``, else its ``dot``)."""
    expression = sp.sympify(expression)
    total = sp.diff(expression, time)
    for symbol in sorted(expression.free_symbols, key=str):
        if symbol in rates:
            total += sp.diff(expression, symbol) * rates[symbol]
        elif isinstance(symbol, Dotted):
            total += sp.diff(expression, symbol) * symbol.dot
    return total
