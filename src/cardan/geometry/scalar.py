"""Functions of one scalar, whatever kind of number it is.

A Python or NumPy number goes to ``math``, a SymPy expression to SymPy (taken from ``sys.modules``: who holds an
expression has imported it), anything else to its own method of that name, such as ``node.sin()``.

Sums and products drop exact zeros and ones: ``times(0, x)`` is 0 for every x.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from numbers import Real
from typing import Any, TypeAlias

from cardan.errors import ModelError

Scalar: TypeAlias = Any  # float | int | sympy.Expr | graph node; Python has no type for "closed under + and *"

_SYMPY_NAME = {"absolute": "Abs", "minimum": "Min", "maximum": "Max"}
_MATH_FUNCTION: dict[str, Callable[..., float]] = {"absolute": math.fabs, "minimum": min, "maximum": max}


def is_number(x: Scalar) -> bool:
    """Whether x is a plain number (Python or NumPy), as opposed to an expression."""
    return isinstance(x, (float, int, Real)) and not is_sympy(x)


def is_sympy(x: Scalar) -> bool:
    """Whether x is a SymPy object, found without importing SymPy."""
    sympy = sys.modules.get("sympy")
    return sympy is not None and isinstance(x, sympy.Basic)


def as_number(x: Scalar) -> float | None:
    """The value of x where it has one (a number, a SymPy number, a constant node), else None."""
    if is_sympy(x):
        return float(x) if x.is_number and x.is_extended_real is not False else None
    if is_number(x):
        return float(x)
    if getattr(x, "op", None) == "const":
        return float(x.value)
    return None


def _call(name: str, x: Scalar, *more: Scalar) -> Scalar:
    arguments = (x, *more)
    if all(is_number(a) for a in arguments):
        return (_MATH_FUNCTION.get(name) or getattr(math, name))(*arguments)
    if any(is_sympy(a) for a in arguments):
        return getattr(sys.modules["sympy"], _SYMPY_NAME.get(name, name))(*arguments)
    if is_number(x) and hasattr(more[0], "graph"):  # a number before a node joins the node's graph
        x = more[0].graph.constant(x)
    method = getattr(x, name, None)
    if method is None:
        raise ModelError(
            f"{name}() needs a number, a SymPy expression or a graph node; found {x!r} of type "
            f"{type(x).__name__}. Convert it with float() or sympify().",
            function=name,
            found=type(x).__name__,
        )
    return method(*more)


def sin(x: Scalar) -> Scalar:
    """Sine; the sine of an exact 0 is the exact 0."""
    return 0 if is_zero(x) else _call("sin", x)


def cos(x: Scalar) -> Scalar:
    """Cosine; the cosine of an exact 0 is the exact 1."""
    return 1 if is_zero(x) else _call("cos", x)


def tan(x: Scalar) -> Scalar:
    """Tangent."""
    return 0 if is_zero(x) else _call("tan", x)


def sqrt(x: Scalar) -> Scalar:
    """Square root."""
    return x if is_zero(x) or is_one(x) else _call("sqrt", x)


def asin(x: Scalar) -> Scalar:
    """Inverse sine, in [-pi/2, pi/2]."""
    return _call("asin", x)


def acos(x: Scalar) -> Scalar:
    """Inverse cosine, in [0, pi]."""
    return _call("acos", x)


def atan(x: Scalar) -> Scalar:
    """Inverse tangent, in (-pi/2, pi/2)."""
    return _call("atan", x)


def atan2(y: Scalar, x: Scalar) -> Scalar:
    """Angle of the point (x, y), in (-pi, pi]."""
    return _call("atan2", y, x)


def sinh(x: Scalar) -> Scalar:
    """Hyperbolic sine."""
    return _call("sinh", x)


def cosh(x: Scalar) -> Scalar:
    """Hyperbolic cosine."""
    return _call("cosh", x)


def tanh(x: Scalar) -> Scalar:
    """Hyperbolic tangent."""
    return _call("tanh", x)


def exp(x: Scalar) -> Scalar:
    """Exponential."""
    return _call("exp", x)


def log(x: Scalar) -> Scalar:
    """Natural logarithm."""
    return _call("log", x)


def absolute(x: Scalar) -> Scalar:
    """Absolute value."""
    return _call("absolute", x)


def minimum(x: Scalar, y: Scalar) -> Scalar:
    """The smaller of two."""
    return _call("minimum", x, y)


def maximum(x: Scalar, y: Scalar) -> Scalar:
    """The larger of two."""
    return _call("maximum", x, y)


def is_zero(x: Scalar) -> bool:
    """Whether x is structurally zero: the number 0, not an expression that happens to vanish."""
    return isinstance(x, (int, float)) and x == 0


def is_one(x: Scalar) -> bool:
    """Whether x is structurally one."""
    return isinstance(x, (int, float)) and x == 1


def plus(x: Scalar, y: Scalar) -> Scalar:
    """x + y, without a trace of an exact zero."""
    if is_zero(x):
        return y
    return x if is_zero(y) else x + y


def minus(x: Scalar, y: Scalar) -> Scalar:
    """x - y, without a trace of an exact zero."""
    if is_zero(y):
        return x
    return negative(y) if is_zero(x) else x - y


def negative(x: Scalar) -> Scalar:
    """-x; an exact zero stays 0 (never -0.0)."""
    return 0 if is_zero(x) else -x


def times(x: Scalar, y: Scalar) -> Scalar:
    """x y, without a trace of exact zeros, ones and minus ones."""
    for a, b in ((x, y), (y, x)):
        if isinstance(a, (int, float)):
            if a == 0:
                return 0
            if a == 1:
                return b
            if a == -1:
                return negative(b)
    return x * y


def half(x: Scalar) -> Scalar:
    """x / 2, exact in SymPy (x/2, not 0.5 x)."""
    if is_zero(x):
        return 0
    return x / 2 if is_sympy(x) else x * 0.5


def square(x: Scalar) -> Scalar:
    """x squared."""
    return times(x, x)
