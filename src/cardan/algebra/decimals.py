"""Numbers as they were typed: exact while expressions are worked on, decimals again where a user wrote decimals."""

from __future__ import annotations

import sympy as sp

LARGEST_FRACTION = 10**6  # numerator or denominator of a fraction that somebody reads
LARGEST_PART = 4  # halves, thirds and quarters of an angle stay


def has_decimals(expression: sp.Basic) -> bool:
    """Whether a float was typed anywhere."""
    return bool(expression.atoms(sp.Float))


def with_decimals(expression: sp.Expr) -> sp.Expr:
    """The expression with fractions that end (981/100), and very long ones, as decimals.

    Whole numbers, exponents and fractions such as 1/3 stay exact.
    """
    if expression.is_Rational:
        return _decimal(expression)
    if expression.is_Mul:
        number, rest = expression.as_coeff_Mul(rational=True)
        if rest.is_Add and number != 1:  # SymPy multiplies a decimal into a sum: exactly, then
            return with_decimals(sp.Add(*(number * one for one in rest.args)))
    if expression.is_Add or expression.is_Mul:
        return expression.func(*map(with_decimals, expression.args))
    if expression.is_Pow and not expression.base.is_Rational:
        return sp.Pow(with_decimals(expression.base), expression.exp)
    if expression.is_Function and expression.free_symbols:
        return expression.func(*map(_of_argument, expression.args))
    return expression


def _of_argument(argument: sp.Expr) -> sp.Expr:
    """sin(a - 0.7) and cos(2.5 t), but sin(a/2): small fractions of an angle are no decimals."""
    if argument.is_Mul and argument.args[0].is_Rational and int(argument.args[0].q) <= LARGEST_PART:
        return argument
    if argument.is_Add:
        return argument.func(*map(_of_argument, argument.args))
    return with_decimals(argument)


def _decimal(number: sp.Rational) -> sp.Expr:
    p, q = abs(int(number.p)), int(number.q)
    if q == 1:
        return number
    long = max(p, q) > LARGEST_FRACTION
    for prime in (2, 5):
        while q % prime == 0:
            q //= prime
    return sp.Float(float(number)) if q == 1 or long else number
