"""What an operation on constants is worth.

Folding never raises: where the value is not a finite real number (the square root of -1, the logarithm of 0, a quotient
by 0, an overflow) the answer is None and the node stays, so that the evaluation shows the infinity or NaN at its place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence


def _sign(x: float) -> float:
    return float((x > 0) - (x < 0))


FOLDS: dict[str, Callable[..., float]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "neg": lambda a: -a,
    "sqrt": math.sqrt,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "sinh": math.sinh,
    "cosh": math.cosh,
    "tanh": math.tanh,
    "exp": math.exp,
    "log": math.log,
    "pow": math.pow,
    "atan2": math.atan2,
    "abs": abs,
    "sign": _sign,
    "min": min,
    "max": max,
    "floor": lambda a: float(math.floor(a)),
    "lt": lambda a, b: float(a < b),
    "le": lambda a, b: float(a <= b),
    "eq": lambda a, b: float(a == b),
    "select": lambda condition, a, b: a if condition else b,
}


def folded(op: str, values: Sequence[float]) -> float | None:
    """Value of ``op`` at constants, or None where it is not a finite number."""
    try:
        value = FOLDS[op](*values)
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    return value if math.isfinite(value) else None


def is_power_of_two(value: float) -> bool:
    """True where multiplying by ``value`` and dividing by it are exact (short of overflow and underflow)."""
    return 2.0**-500 < abs(value) < 2.0**500 and abs(math.frexp(value)[0]) == 0.5
