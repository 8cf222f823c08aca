"""Expressions of angles and lengths as polynomials in sin, cos and symbols, where equal means identical.

Every angle A gives two generators s = sin(A), c = cos(A) with s^2 + c^2 = 1; every other symbol, and whatever is no
polynomial (a root, an exponential), gives one. Reduced by these relations a polynomial is zero exactly where its
expression is, so that ranks and factors can be decided without simplification by luck.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import TypeAlias

import sympy as sp
from sympy.polys.orderings import grevlex
from sympy.polys.rings import PolyElement, PolyRing

from cardan.native.deadline import check

LARGEST_CANCELLED = 12_000  # operations of expressions in which cancelling is tried
MOST_REDUCED = 12_000  # terms of polynomials on the way; about a second


class TooMuch(Exception):
    """More terms than a ring was allowed to reduce."""


Poly: TypeAlias = PolyElement
Ratio: TypeAlias = tuple[Poly, Poly]  # numerator, denominator


def exact(value: float | sp.Float) -> sp.Expr:
    """A float as the rational, or root of a rational, it was most likely typed as."""
    number = float(value)
    near = Fraction(number).limit_denominator(100_000)
    if abs(float(near) - number) <= 4e-16 * abs(number):
        return sp.Rational(near.numerator, near.denominator)
    square = Fraction(number * number).limit_denominator(10_000)
    if abs(float(square) - number * number) <= 1e-15 * number * number:
        return sp.sign(number) * sp.sqrt(sp.Rational(square.numerator, square.denominator))
    return sp.Rational(str(number))


def exactly(expression: sp.Expr | float) -> sp.Expr:
    """The expression without floats."""
    expression = sp.sympify(expression)
    return expression.xreplace({x: exact(x) for x in expression.atoms(sp.Float)})


@dataclass(frozen=True)
class Angle:
    """An angle: its expression, and the places of its sine and cosine among the generators."""

    argument: sp.Expr
    sine: int
    cosine: int


class TrigRing:
    """The ring of a few given expressions; ``moving`` are the symbols that change during a motion.

    With ``split`` false the argument of each sine is an angle of its own: cos(a - b) stays as it was typed, and
    identities between different arguments are not seen.
    """

    def __init__(self, expressions: Iterable[sp.Expr], moving: Iterable[sp.Symbol] = (), *, split: bool = True) -> None:
        self.moving = set(moving)
        self._split = split
        self.work, self.most = 0, inf  # terms reduced so far, and how many may be
        self._steps: dict[sp.Expr, list[sp.Rational]] = {}  # atom of an argument -> its rational factors
        self._plain: dict[sp.Expr, None] = {}  # symbols and opaque expressions
        for expression in expressions:
            self._collect(exactly(expression))
        plain = list(self._plain)
        symbols = [sp.Dummy(f"g{k}") for k in range(len(plain) + 2 * len(self._steps))]
        self.ring = PolyRing(symbols, sp.QQ, grevlex) if symbols else PolyRing([sp.Dummy("g")], sp.QQ, grevlex)
        self.plain = {expression: k for k, expression in enumerate(plain)}
        self.angles: list[Angle] = []
        self._rest: dict[int, Poly] = {}  # place of a sine or cosine -> the square of the other
        self._unit: dict[sp.Expr, sp.Rational] = {}
        for k, (atom, factors) in enumerate(self._steps.items()):
            unit = _common_divisor(factors)
            self._unit[atom] = unit
            self.angles.append(Angle(unit * atom, len(plain) + 2 * k, len(plain) + 2 * k + 1))
        self._angle_of = {atom: k for k, atom in enumerate(self._steps)}
        self._squares = {k: square for e, k in self.plain.items() if (square := _square(e)) is not None}

    @property
    def absolutes(self) -> list[int]:
        """Places of the generators that are absolute values."""
        return [k for e, k in self.plain.items() if isinstance(e, sp.Abs) and k in self._squares]

    # --- into the ring -----------------------------------------------------------------------------

    def _collect(self, e: sp.Expr) -> None:
        if e.is_Rational:
            return
        if isinstance(e, (sp.sin, sp.cos, sp.tan)):
            for atom, factor in self._terms(e.args[0]):
                self._steps.setdefault(atom, []).append(factor)
        elif e.is_Add or e.is_Mul or (e.is_Pow and e.exp.is_Integer):
            for part in e.args[:1] if e.is_Pow else e.args:
                self._collect(part)
        elif e.is_Pow and e.exp.is_Rational and e.exp.q == 2:
            self._plain.setdefault(sp.sqrt(e.base))
            self._collect(e.base)
        elif isinstance(e, sp.Abs):
            self._plain.setdefault(e)
            self._collect(e.args[0])
        else:
            self._plain.setdefault(e)

    def ratio(self, expression: sp.Expr) -> Ratio:
        """The expression as numerator and denominator."""
        return self._ratio(exactly(expression))

    def poly(self, expression: sp.Expr) -> Poly:
        """The reduced numerator of the expression."""
        return self.reduced(self.ratio(expression)[0])

    def _ratio(self, e: sp.Expr) -> Ratio:
        check()
        one = self.ring.one
        if e.is_Rational:
            return self.ring.ground_new(sp.QQ(int(e.p), int(e.q))), one
        if isinstance(e, (sp.sin, sp.cos, sp.tan)):
            c, s = self._cosine_and_sine(e.args[0])
            return (s, c) if isinstance(e, sp.tan) else ((s if isinstance(e, sp.sin) else c), one)
        if e.is_Add:
            return self._sum([self._ratio(part) for part in e.args])
        if e.is_Mul:
            top, bottom = one, one
            for part in e.args:
                n, d = self._ratio(part)
                top, bottom = self.reduced(top * n), self.reduced(bottom * d)
            return top, bottom
        if e.is_Pow and e.exp.is_Integer:
            n, d = self._ratio(e.base)
            k = abs(int(e.exp))
            n, d = self._power(n, k), self._power(d, k)
            return (n, d) if e.exp > 0 else (d, n)
        if e.is_Pow and e.exp.is_Rational and e.exp.q == 2:
            root = self.ring.gens[self.plain[sp.sqrt(e.base)]]
            n, d = self._power(root, abs(int(e.exp.p))), one
            return (n, d) if e.exp > 0 else (d, n)
        return self.ring.gens[self.plain[e]], one

    def _sum(self, parts: list[Ratio]) -> Ratio:
        top, bottom = self.ring.zero, self.ring.one
        for n, d in parts:
            if d == bottom:
                top = top + n
            else:
                top, bottom = top * d + n * bottom, bottom * d
        return self.reduced(top), self.reduced(bottom)

    def _power(self, p: Poly, k: int) -> Poly:
        result = self.ring.one
        for _ in range(k):
            result = self.reduced(result * p)
        return result

    def _cosine_and_sine(self, argument: sp.Expr) -> tuple[Poly, Poly]:
        """By the addition theorems, one unit of an angle at a time."""
        c, s = self.ring.one, self.ring.zero
        for atom, factor in self._terms(argument):
            angle = self.angles[self._angle_of[atom]]
            steps = factor / self._unit[atom]
            c1, s1 = self.ring.gens[angle.cosine], self.ring.gens[angle.sine]
            if c == 1 and s == 0 and abs(steps) == 1:
                c, s = c1, s1 if steps > 0 else -s1
                continue
            s1 = s1 if steps > 0 else -s1
            for _ in range(abs(int(steps))):
                c, s = self.reduced(c * c1 - s * s1), self.reduced(s * c1 + c * s1)
        return c, s

    def _terms(self, argument: sp.Expr) -> list[tuple[sp.Expr, sp.Rational]]:
        return _terms(argument) if self._split else [(exactly(argument), sp.S.One)]

    # --- relations ---------------------------------------------------------------------------------

    def reduced(self, p: Poly, keep_sines: Sequence[int] = ()) -> Poly:
        """p with s^2 = 1 - c^2 for every angle (c^2 = 1 - s^2 for those in ``keep_sines``), and squares of roots."""
        self.work += len(p)
        if self.work > self.most:
            raise TooMuch
        for k, angle in enumerate(self.angles):
            gone, kept = (angle.cosine, angle.sine) if k in keep_sines else (angle.sine, angle.cosine)
            if any(monomial[gone] > 1 for monomial in p):
                p = self.without_squares(p, gone, self._others_square(kept))
        for k, square in self._squares.items():
            if any(monomial[k] > 1 for monomial in p):
                n, d = self._ratio(square)
                if d == 1:
                    p = self.without_squares(p, k, n)
        return p

    def _others_square(self, kept: int) -> Poly:
        """1 - g^2 of a sine or cosine."""
        if kept not in self._rest:
            self._rest[kept] = 1 - self.ring.gens[kept] ** 2
        return self._rest[kept]

    def without_squares(self, p: Poly, k: int, square: Poly) -> Poly:
        """p with g^2 = square put in for the generator k."""
        if all(monomial[k] < 2 for monomial in p):
            return p
        by_power: dict[int, dict[tuple[int, ...], sp.Rational]] = {}
        for monomial, coefficient in p.items():
            rest = (*monomial[:k], monomial[k] % 2, *monomial[k + 1 :])
            terms = by_power.setdefault(monomial[k] // 2, {})
            terms[rest] = terms.get(rest, 0) + coefficient
        total = self.ring.zero
        for power, terms in by_power.items():
            total += self.ring.from_dict(terms) * square**power
        return total

    # --- out of the ring ---------------------------------------------------------------------------

    def expression(self, p: Poly, arguments: Sequence[sp.Expr] | None = None) -> sp.Expr:
        """p as a SymPy expression; ``arguments`` are other names of the angles."""
        names: list[sp.Expr] = [None] * len(self.ring.gens)
        for e, k in self.plain.items():
            names[k] = e
        for j, angle in enumerate(self.angles):
            argument = angle.argument if arguments is None else arguments[j]
            names[angle.sine], names[angle.cosine] = sp.sin(argument), sp.cos(argument)
        return sp.Add(
            *(
                sp.Rational(int(c.numerator), int(c.denominator))
                * sp.Mul(*(names[k] ** power for k, power in enumerate(monomial) if power))
                for monomial, c in p.terms()
            )
        )

    def moving_generators(self) -> set[int]:
        """Places of the generators that change during a motion."""
        found = {k for e, k in self.plain.items() if e.free_symbols & self.moving}
        for angle in self.angles:
            if angle.argument.free_symbols & self.moving:
                found |= {angle.sine, angle.cosine}
        return found

    def turned(self, p: Poly, k: int) -> Poly:
        """dp/dA of the angle k, where it occurs through its sine and cosine."""
        angle = self.angles[k]
        s, c = self.ring.gens[angle.sine], self.ring.gens[angle.cosine]
        return p.diff(s) * c - p.diff(c) * s


def canonical(expressions: Sequence[sp.Expr], moving: Iterable[sp.Symbol]) -> list[sp.Expr]:
    """Equal expressions in which what cancels is gone; very large ones are returned as they are."""
    plain = [sp.sympify(e) for e in expressions]
    if sum(e.count_ops() for e in plain) > LARGEST_CANCELLED:
        return plain
    ring = TrigRing(plain, moving)
    ring.most = MOST_REDUCED
    found = []
    try:
        for e in plain:
            top, bottom = ring.ratio(e)
            found.append(ring.expression(ring.reduced(top)) / ring.expression(bottom))
    except TooMuch:
        return plain
    return found


def _square(e: sp.Expr) -> sp.Expr | None:
    """The square of a root or of an absolute value, else None."""
    if e.is_Pow and e.exp == sp.S.Half:
        return e.base
    return e.args[0] ** 2 if isinstance(e, sp.Abs) and e.args[0].is_real else None


def _terms(argument: sp.Expr) -> list[tuple[sp.Expr, sp.Rational]]:
    """(atom, rational factor) of the terms of an angle."""
    found = []
    for term in sp.Add.make_args(sp.expand(exactly(argument))):
        factor, atom = term.as_coeff_Mul(rational=True)
        found.append((atom, factor) if atom != 1 else (sp.S.One, factor))
    return found


def _common_divisor(factors: Iterable[sp.Rational]) -> sp.Rational:
    """The largest rational of which all are whole multiples."""
    result = sp.S.Zero
    for factor in factors:
        a, b = result, abs(factor)
        while b != 0:
            a, b = b, a % b
        result = a
    return result
