"""Degrees: ``30 * cd.deg`` is the angle in radians, and exactly pi/6 wherever it enters an expression.

Angles are radians everywhere. A whole number above 4 pi that is typed where an angle is meant is more often one of
degrees, and is asked about: the warning ``LooksLikeDegrees`` changes nothing.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Iterable
from fractions import Fraction

import sympy as sp
from sympy.core.sympify import converter

LARGEST = 4 * math.pi  # of an angle that nobody wonders about
TYPED = 4  # digits behind the point that a person types; angles that were computed have more


class LooksLikeDegrees(UserWarning):
    """An angle of more than two turns was typed; ``90 * cd.deg`` is a quarter of one."""


class Degrees(float):
    """An angle in radians that remembers how many degrees it is, a fraction, so that SymPy sees it exactly."""

    degrees: Fraction

    def __new__(cls, degrees: Fraction) -> Degrees:
        made = super().__new__(cls, math.radians(float(degrees)))
        made.degrees = degrees
        return made

    def __getnewargs__(self) -> tuple[Fraction]:  # type: ignore[override]  # what __new__ takes: copies and pickles
        return (self.degrees,)

    def __mul__(self, factor: float) -> float:
        if type(factor) in (int, float) and math.isfinite(factor):
            return Degrees(self.degrees * Fraction(repr(factor)))  # 22.5 degrees are 45/2, as they were typed
        return super().__mul__(factor)

    __rmul__ = __mul__

    def __truediv__(self, divisor: float) -> float:
        if type(divisor) is int and divisor:
            return Degrees(self.degrees / divisor)
        return super().__truediv__(divisor)

    def __neg__(self) -> Degrees:
        return Degrees(-self.degrees)

    def __add__(self, other: float) -> float:
        return Degrees(self.degrees + other.degrees) if isinstance(other, Degrees) else super().__add__(other)

    def __sub__(self, other: float) -> float:
        return Degrees(self.degrees - other.degrees) if isinstance(other, Degrees) else super().__sub__(other)

    @property
    def exactly(self) -> sp.Expr:
        """A fraction of pi."""
        return sp.pi * sp.Rational(self.degrees.numerator, 180 * self.degrees.denominator)


converter[Degrees] = lambda one: one.exactly  # before that of float

deg = Degrees(Fraction(1))


def looks_like_degrees(value: object) -> bool:
    """Whether a number was typed with few digits and is an angle of more than two turns."""
    return type(value) in (int, float) and abs(value) > LARGEST and round(value, TYPED) == value  # type: ignore[arg-type, call-overload]  # a number


def wonder_about(angles: Iterable[tuple[str, object]]) -> None:
    """Warn about angles that look like degrees, by their names."""
    found = [(name, value) for name, value in angles if looks_like_degrees(value)]
    if found:
        name, value = found[0]
        typed = f"{value:g}"
        warnings.warn(
            f"{name} = {typed} is an angle of {float(value) / math.tau:.3g} turns: angles are radians. "  # type: ignore[arg-type]
            f"For degrees write {typed}*cd.deg, in model files and on the command line {typed}*deg.",
            LooksLikeDegrees,
            stacklevel=_outside(),
        )


def _outside() -> int:
    """How many calls up the first line outside Cardan is."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("cardan."):
        frame, level = frame.f_back, level + 1
    return level
