"""What stands in an expression that a model cannot take, with the words that help whoever comes from elsewhere."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import sympy as sp
from sympy.core.function import AppliedUndef

from cardan.errors import ModelError, UnknownName, suggestion
from cardan.geometry.axis import UNIT_TOLERANCE
from cardan.model.given import Amount
from cardan.model.known import Kind, KnownSymbols

UNDEFINED = tuple(type(one) for one in (sp.nan, sp.zoo, sp.oo, -sp.oo))


def refuse_functions(expression: sp.Expr, value: Amount, where: str) -> None:
    """Refuse what is not finite, functions of time such as SymPy's dynamicsymbols, and derivatives left standing."""
    found = sorted(expression.atoms(AppliedUndef, sp.Derivative, *UNDEFINED), key=str)
    if any(isinstance(one, UNDEFINED) for one in found):
        raise ModelError(f"{where}: {value!r} is not a finite expression. Give finite numbers.", value=value)
    if found:
        name = next((one.func.__name__ for one in found if isinstance(one, AppliedUndef)), str(found[0].args[0]))
        raise ModelError(
            f"{where}: {', '.join(map(str, found))} is a derivative, or a function as made by dynamicsymbols. "
            f'Coordinates are symbols here: {name} = s.coordinates("{name}"), its velocity is {name}.dot.',
            names=[str(one) for one in found],
        )


def refuse_unknown(expression: sp.Expr, known: KnownSymbols, kinds: tuple[Kind, ...], where: str) -> None:
    """Refuse symbols that are not of these kinds; one that has a known name is another symbol, and is called so."""
    unknown = [symbol for symbol in expression.free_symbols if known.kinds.get(symbol) not in kinds]
    if not unknown:
        return
    names = sorted(map(str, unknown))
    allowed = {str(symbol) for symbol in known.of(*kinds)}
    near = "" if names[0] in allowed else suggestion(names[0], allowed)
    twins = [name for name in names if name in allowed]
    remedy = (
        f"SymPy tells symbols with other assumptions apart: {', '.join(twins)} here is not the system's own. Use the "
        "symbols that s.coordinates, s.parameters, s.input and s.time give."
        if twins
        else "Declare coordinates, parameters or inputs of this system first."
    )
    raise UnknownName(
        f"{where}: {', '.join(names)} unknown here.{near} Known: {', '.join(sorted(allowed)) or 'none'}. {remedy}",
        names=names,
    )


def value_of(expression: sp.Expr, values: Mapping[sp.Symbol, float]) -> float:
    """The number that an expression is with these values; ModelError where it is none, such as sqrt(1 - m) at m = 2."""
    try:
        number = float(expression if expression.is_Number else expression.xreplace(values))
    except (TypeError, ValueError, ArithmeticError):  # complex, compared though complex, or beyond what a float holds
        number = math.nan
    if not math.isfinite(number):
        used = sorted(f"{symbol} = {values[symbol]:g}" for symbol in expression.free_symbols & set(values))
        raise ModelError(
            f"{str(expression)[:200]} is no finite real number{' for ' if used else ''}{', '.join(used)}. Give an "
            "expression that is one, or other values.",
            expression=expression,
        )
    return number


def require_unit_length(
    axis: Sequence[object], parts: Sequence[sp.Expr], known: Mapping[sp.Symbol, float], owner: str
) -> None:
    """Refuse an axis of parameters that is not of length one, now or with other values of them."""
    for shift in (0.0, 0.31, -0.83):
        values = {symbol: value + shift for symbol, value in known.items()}
        squared = sum(part.xreplace(values) ** 2 for part in parts)  # sqrt(1 - n**2) may be imaginary elsewhere
        length = math.sqrt(max(value_of(squared, values), 0.0))
        if not abs(length - 1.0) <= UNIT_TOLERANCE:
            raise ModelError(
                f"{owner}: the axis {axis} has length {length:.12g} for some values of parameters, expected 1 for "
                "all. Give angles, as in (sin(tilt), 0, cos(tilt)).",
                length=length,
            )
