"""SymPy expressions as text of model files: what ``expressions.parse`` makes the same expression of.

What the grammar has no word for is refused by name, with the expression that holds it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import sympy as sp
from sympy.logic.boolalg import Boolean

from cardan.errors import FileError
from cardan.formats.values import COMPARISONS, ELEMENTARY

Text: TypeAlias = "str | int | float"

NAMES: dict[type, str] = {
    **{function: name for name, (function, _) in ELEMENTARY.items() if isinstance(function, type)},
    sp.atan2: "atan2",
}
SIGNS: dict[type, str] = {kind: sign for sign, kind in COMPARISONS.items()}
MOST_AT_ONCE = 8  # values of one min or max


def said(expression: sp.Expr | float) -> Text:
    """A number as itself, anything else as text."""
    value = sp.sympify(expression)
    if value.is_Integer:
        return int(value)
    if value.is_Float:
        return float(value)
    return text_of(value)


def text_of(e: sp.Expr) -> str:
    """The text of an expression."""
    if e.is_Symbol:
        return str(e.name)
    if e.is_Number:
        return _number(e)
    if e is sp.pi:
        return "pi"
    if e.is_NumberSymbol:
        return repr(float(e))
    if e.is_Add:
        return " + ".join(_within(term) for term in e.args)
    if e.is_Mul:
        return "*".join(_bracketed(factor) for factor in _numbers_last(e))
    if isinstance(e, sp.exp):
        return f"exp({text_of(e.args[0])})"
    if e.is_Pow:
        return f"{_bracketed(e.base)}**{_bracketed(e.exp)}"
    return _function(e)


def _number(e: sp.Expr) -> str:
    if e.is_Integer:
        return str(int(e))
    if e.is_Rational:
        return f"{e.p}/{e.q}"
    if not e.is_finite:
        raise _refused(e, "it is infinite or undefined")
    return repr(float(e))


def _numbers_last(e: sp.Expr) -> list[sp.Expr]:
    """Factors with the number behind them: in front of a sum SymPy would multiply it out."""
    return sorted(e.args, key=lambda factor: bool(factor.is_Number))


def _within(e: sp.Expr) -> str:
    """A term of a sum."""
    text = text_of(e)
    return f"({text})" if text.startswith("-") else text


def _bracketed(e: sp.Expr) -> str:
    """A factor, base or exponent."""
    text = text_of(e)
    is_plain = e.is_Symbol or e.is_Function or (e.is_Number and not set("-/e") & set(text))
    return text if is_plain else f"({text})"


def _function(e: sp.Expr) -> str:
    kinds: dict[type, Callable[[sp.Expr], str]] = {
        sp.Piecewise: _cases,
        sp.Max: lambda one: _extreme("max", list(one.args)),
        sp.Min: lambda one: _extreme("min", list(one.args)),
        sp.Heaviside: _step,
    }
    for kind, write in kinds.items():
        if isinstance(e, kind):
            return write(e)
    name = next((name for kind, name in NAMES.items() if isinstance(e, kind)), None)
    if name is None:
        raise _refused(e, f"{type(e).__name__} is no function of model files")
    return f"{name}({', '.join(text_of(one) for one in e.args)})"


def _extreme(name: str, values: list[sp.Expr]) -> str:
    texts = [text_of(one) for one in values[: MOST_AT_ONCE - 1]]
    rest = values[MOST_AT_ONCE - 1 :]
    last = [] if not rest else [text_of(rest[0]) if len(rest) == 1 else _extreme(name, rest)]
    return f"{name}({', '.join([*texts, *last])})"


def _step(e: sp.Expr) -> str:
    x, middle = e.args
    return f"where({text_of(x)} < 0, 0, where({text_of(x)} > 0, 1, {text_of(middle)}))"


def _cases(e: sp.Expr) -> str:
    *cases, (last, condition) = e.args
    if condition != sp.true:
        raise _refused(e, "its last case has a condition, so that it has no value elsewhere")
    text = text_of(last)
    for value, where in reversed(cases):
        text = _choice(where, text_of(value), text, e)
    return text


def _choice(condition: Boolean, yes: str, no: str, whole: sp.Expr) -> str:
    """``where`` by a comparison; "and" and "or" are choices within choices."""
    if type(condition) in SIGNS:
        left, right = (text_of(side) for side in condition.args)
        return f"where({left} {SIGNS[type(condition)]} {right}, {yes}, {no})"
    if isinstance(condition, (sp.And, sp.Or)):
        first, *others = condition.args
        rest = _choice(type(condition)(*others), yes, no, whole)
        both = isinstance(condition, sp.And)
        return _choice(first, rest if both else yes, no if both else rest, whole)
    raise _refused(whole, f"the condition {condition} is no comparison")


def _refused(e: sp.Expr, why: str) -> FileError:
    shown = str(e)
    shown = shown if len(shown) <= 80 else shown[:77] + "..."
    return FileError(f"{shown} cannot be written to a model file: {why}.", expression=shown, problem=why)
