"""Whether two expressions are the same function, asked at random points: exactly, in numbers modulo a prime.

A sine and a cosine get the rational point (2u, 1 - u^2)/(1 + u^2) of the unit circle, so that every identity of a
polynomial in them holds exactly and no tolerance is needed: two different expressions of degree d agree by chance with
probability d/p, p = 2^61 - 1. Where roots occur, which have no one value there, numbers of forty digits are taken.
"""

from __future__ import annotations

import random

import mpmath
import sympy as sp

from cardan.algebra.trig_ring import exactly

PRIME = 2**61 - 1
DIGITS = 40
AGREE = mpmath.mpf("1e-25")  # of numbers with forty digits; cancellation may cost some
POINTS = 2
DECIMAL_POINTS = 8  # both signs of a root are seen, but for one case in a hundred
MOST_TRIED = 24


class NoPoint(Exception):
    """The expression has no value at this point, or none in this kind of number."""


def same_function(first: sp.Expr, second: sp.Expr, seed: int = 0) -> bool:
    """Whether both have the same value at random points; raises NoPoint where neither kind of number can say."""
    first, second = exactly(first), exactly(second)
    try:
        return all(_residues(first, second, seed + k) for k in range(POINTS))
    except NoPoint:
        return _agree_in_digits(first, second, seed)


def _agree_in_digits(first: sp.Expr, second: sp.Expr, seed: int) -> bool:
    """At the first points of a sequence where both are real numbers."""
    tried = 0
    for k in range(MOST_TRIED):
        try:
            if not _digits(first, second, seed + k):
                return False
            tried += 1
        except NoPoint:
            continue
        if tried == DECIMAL_POINTS:
            return True
    if not tried:
        raise NoPoint
    return True


def _residues(first: sp.Expr, second: sp.Expr, seed: int) -> bool:
    point = ModularPoint(seed)
    return point.value(first) == point.value(second)


def _digits(first: sp.Expr, second: sp.Expr, seed: int) -> bool:
    point = DecimalPoint(seed)
    with mpmath.workdps(DIGITS):
        a, b = point.value(first), point.value(second)
        return bool(abs(a - b) <= AGREE * (1 + abs(a)))


class DecimalPoint:
    """Values in numbers of forty digits; the same seed gives the same point."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._known: dict[sp.Basic, mpmath.mpf] = {}

    def value(self, e: sp.Basic) -> mpmath.mpf:
        """The value of an expression."""
        if e not in self._known:
            self._known[e] = self._value(e)
        return self._known[e]

    def _value(self, e: sp.Basic) -> mpmath.mpf:
        if e.is_Rational:
            return mpmath.mpf(int(e.p)) / int(e.q)
        if e.is_Symbol:
            return mpmath.mpf(random.Random(f"{self._seed} {e}").randint(-3000, 3000)) / 997
        parts = [self.value(one) for one in e.args]
        if e.is_Add:
            return mpmath.fsum(parts)
        if e.is_Mul:
            return mpmath.fprod(parts)
        try:
            found = parts[0] ** parts[1] if e.is_Pow else _FUNCTIONS[type(e)](*parts)
        except (KeyError, ZeroDivisionError, ValueError) as problem:
            raise NoPoint from problem
        if not isinstance(found, mpmath.mpf) or not mpmath.isfinite(found):
            raise NoPoint
        return found


_FUNCTIONS = {
    sp.sin: mpmath.sin,
    sp.cos: mpmath.cos,
    sp.tan: mpmath.tan,
    sp.asin: mpmath.asin,
    sp.acos: mpmath.acos,
    sp.atan: mpmath.atan,
    sp.atan2: mpmath.atan2,
    sp.sinh: mpmath.sinh,
    sp.cosh: mpmath.cosh,
    sp.tanh: mpmath.tanh,
    sp.exp: mpmath.exp,
    sp.log: mpmath.log,
    sp.Abs: abs,
    sp.sign: mpmath.sign,
}


class ModularPoint:
    """Values of symbols, sines and cosines modulo a prime; the same seed gives the same point."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._known: dict[sp.Expr, int] = {}
        self._circles: dict[sp.Expr, tuple[int, int]] = {}

    def value(self, e: sp.Expr) -> int:
        """The value of an expression without roots."""
        if e not in self._known:
            self._known[e] = self._value(e) % PRIME
        return self._known[e]

    def _value(self, e: sp.Expr) -> int:
        if e.is_Rational:
            return int(e.p) * _inverse(int(e.q))
        if e.is_Add:
            return sum(map(self.value, e.args))
        if e.is_Mul:
            product = 1
            for part in e.args:
                product = product * self.value(part) % PRIME
            return product
        if e.is_Pow and e.exp.is_Integer:
            base = self.value(e.base)
            return pow(base if e.exp > 0 else _inverse(base), abs(int(e.exp)), PRIME)
        if e.is_Pow or isinstance(e, sp.Abs):
            raise NoPoint
        if isinstance(e, (sp.sin, sp.cos, sp.tan)):
            c, s = self._turned(e.args[0])
            return s * _inverse(c) if isinstance(e, sp.tan) else s if isinstance(e, sp.sin) else c
        return self._drawn(e)

    def _drawn(self, e: sp.Expr) -> int:
        return random.Random(f"{self._seed} {e}").randrange(2, PRIME)

    def _turned(self, argument: sp.Expr) -> tuple[int, int]:
        """Cosine and sine by the addition theorems, from those of a sixtieth of each term."""
        c, s = 1, 0
        for term in sp.Add.make_args(sp.expand(argument)):
            factor, atom = term.as_coeff_Mul(rational=True)
            steps = 60 * factor
            if not steps.is_Integer or abs(steps) > 6000:
                raise NoPoint
            c1, s1 = self._circle(atom)
            s1 = s1 if steps > 0 else -s1
            for _ in range(abs(int(steps))):
                c, s = (c * c1 - s * s1) % PRIME, (s * c1 + c * s1) % PRIME
        return c, s

    def _circle(self, atom: sp.Expr) -> tuple[int, int]:
        if atom not in self._circles:
            u = random.Random(f"{self._seed} circle {atom}").randrange(2, PRIME)
            down = _inverse(1 + u * u)
            self._circles[atom] = (1 - u * u) * down % PRIME, 2 * u * down % PRIME
        return self._circles[atom]


def _inverse(number: int) -> int:
    if number % PRIME == 0:
        raise NoPoint
    return pow(number, -1, PRIME)
