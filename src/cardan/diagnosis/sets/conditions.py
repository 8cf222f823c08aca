"""Where polynomials in sines, cosines and lengths vanish, as conditions a person reads: sin(beta) = 0, r = 0.

A polynomial vanishes where one of its irreducible factors does; several vanish together where one factor of the first
does and, with that put in, the others. Whether a factor can vanish at all for the values at hand is asked of numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import lcm

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.algebra.trig_ring import Poly, TrigRing
from cardan.native.deadline import check

Vector = NDArray[np.float64]

FORMS = 3  # angles of which both forms, by sines and by cosines, are tried
LARGEST = 400  # terms; beyond this factoring takes minutes
SHORT = 60  # terms of a polynomial that is tried in every form, and operations of a condition that is simplified
FACTORED = 600  # terms that one search factors, counted once per 64 bits of the longest number; below a second
READABLE = 80  # terms; a longer condition tells nobody anything, and its set is traced instead
Zeros = Callable[[Sequence[sp.Expr]], Sequence[Vector]]  # points where expressions are zero together


class TooLarge(Exception):
    """A polynomial too large to factor; numbers have to do."""


@dataclass(frozen=True)
class Condition:
    """left = right, as SymPy and as text."""

    left: sp.Expr
    right: sp.Expr = sp.S.Zero

    @property
    def expression(self) -> sp.Expr:
        return self.left - self.right

    @property
    def relation(self) -> sp.Eq:
        return sp.Eq(self.left, self.right)

    @property
    def text(self) -> str:
        return f"{self.left} = {self.right}"


Branch = tuple[Condition, ...]  # conditions that hold together


def text_of(branch: Branch) -> str:
    """The conditions joined by "and"; "everywhere" where there are none."""
    return " and ".join(one.text for one in branch) or "everywhere"


def relation_of(branch: Branch) -> sp.Basic:
    """The conditions as one SymPy relation."""
    return sp.And(*(one.relation for one in branch))


@dataclass(frozen=True)
class _Known:
    """What a branch has put in so far: zeros, squares that are one, and generators that cannot vanish."""

    conditions: tuple[Poly, ...] = ()
    zeros: Mapping[int, Poly | int] = field(default_factory=dict)  # generator -> polynomial
    units: frozenset[int] = frozenset()


class Solver:
    """Common zeros of polynomials of one ring; ``zeros`` answers by numbers whether there are any."""

    def __init__(self, ring: TrigRing, zeros: Zeros, values: Mapping[sp.Symbol, float] | None = None) -> None:
        self.ring, self.zeros, self.values = ring, zeros, dict(values or {})
        self.arguments = [angle.argument for angle in ring.angles]
        self.moving = ring.moving_generators()
        self._factored_terms = 0

    def branches(self, polys: Sequence[Poly]) -> list[Branch]:
        """The sets on which all polynomials vanish; the empty branch means everywhere."""
        polys = self._without_common_turns([p for p in polys if p != 0])
        found = self._solve(polys, _Known(), 0)
        kept: list[tuple[Poly, ...]] = []
        for known in sorted(found, key=lambda one: len(one.conditions)):
            if not any(set(other) <= set(known.conditions) for other in kept):
                kept.append(known.conditions)
        branches = [tuple(sorted(map(self._condition, one), key=lambda c: c.text)) for one in kept]
        return sorted(branches, key=lambda branch: (len(branch), text_of(branch)))

    # --- angles that enter by their difference or sum only -----------------------------------------

    def _without_common_turns(self, polys: list[Poly]) -> list[Poly]:
        """Polynomials that do not change when angles A_i turn together, with one of these angles put to zero."""
        angles = self.ring.angles
        while True:
            turning = [k for k in range(len(angles)) if self._occurs(polys, k)]
            common = self._common_turn(polys, turning)
            if common is None:
                return polys
            first = next(k for k in turning if common.get(k))
            for k, rate in common.items():
                if k != first:
                    self.arguments[k] = self.arguments[k] - rate / common[first] * self.arguments[first]
            polys = [self._put(p, {angles[first].sine: 0, angles[first].cosine: 1}) for p in polys]

    def _common_turn(self, polys: list[Poly], turning: list[int]) -> dict[int, sp.Rational] | None:
        """Rates of angles, 1 or -1, along which no polynomial changes: sum of rate_k dp/dA_k = 0."""
        if len(turning) < 2 or not polys:
            return None
        slopes = [[self.ring.reduced(self.ring.turned(p, k)) for p in polys] for k in turning]
        places = {(i, m) for row in slopes for i, p in enumerate(row) for m in p}
        table = sp.Matrix([[sp.Rational(str(row[i].get(m, 0))) for row in slopes] for i, m in sorted(places)])
        for null in table.nullspace():
            first = next(x for x in null if x != 0)
            rates = [x / first for x in null]
            if all(x in (0, 1, -1) for x in rates) and sum(1 for x in rates if x) > 1:
                return {k: x for k, x in zip(turning, rates, strict=True) if x != 0}
        return None

    def _occurs(self, polys: list[Poly], k: int) -> bool:
        """Whether the angle occurs, and through its sine and cosine only."""
        angle = self.ring.angles[k]
        symbols = angle.argument.free_symbols & self.ring.moving
        if not symbols:
            return False
        others = {g for e, g in self.ring.plain.items() if e.free_symbols & symbols}
        others |= {
            g
            for a in self.ring.angles
            if a is not angle and a.argument.free_symbols & symbols
            for g in (a.sine, a.cosine)
        }
        own = {angle.sine, angle.cosine}
        used = {g for p in polys for monomial in p for g, power in enumerate(monomial) if power}
        return bool(own & used) and not others & used

    # --- branching ---------------------------------------------------------------------------------

    def _solve(self, polys: list[Poly], known: _Known, depth: int) -> list[_Known]:
        check()
        polys = [self._with(p, known) for p in polys]
        polys = sorted({p for p in polys if p != 0}, key=lambda p: (len(p), str(p)))
        if not polys:
            return [known]
        if depth > 6 or any(not self._moves(p) for p in polys):
            return []
        first, rest = polys[0], polys[1:]
        found: list[_Known] = []
        for factor in self.factors(first, known):
            slopes = self._slopes(factor)
            if self._only_touches(factor, slopes):  # as a sum of squares does: its slopes vanish with it
                found += self._solve([*slopes, factor, *rest], known, depth + 1)
            else:
                found += self._solve(rest, self._learn(known, factor), depth + 1)
        return found

    def _slopes(self, p: Poly) -> list[Poly]:
        """Derivatives along the angles and lengths p depends on; none where it depends on something else."""
        used = {g for monomial in p for g, power in enumerate(monomial) if power and g in self.moving}
        angles = [k for k, a in enumerate(self.ring.angles) if {a.sine, a.cosine} & used]
        own = {g for k in angles for g in (self.ring.angles[k].sine, self.ring.angles[k].cosine)}
        lengths = used - own
        names = {k: e for e, k in self.ring.plain.items()}
        if len(used) < 2 or any(not names[g].is_Symbol for g in lengths):
            return []
        turned = [self.ring.reduced(self.ring.turned(p, k)) for k in angles]
        return turned + [p.diff(self.ring.ring.gens[g]) for g in sorted(lengths)]

    def _only_touches(self, p: Poly, slopes: list[Poly]) -> bool:
        """Whether p does not change sign: wherever it vanishes, so do its slopes."""
        if not slopes:
            return False
        here, *tilted = self._expressions([p, *slopes])
        return self._is_one_sided(here) and len(self.zeros([here, *tilted])) > 0

    def _is_one_sided(self, expression: sp.Expr) -> bool:
        """Whether an expression has one sign at many values of its symbols."""
        expression = expression.xreplace(self.values)
        symbols = sorted(expression.free_symbols, key=str)
        numbers = sp.lambdify(symbols, expression, modules="numpy", dummify=True)
        rng = np.random.default_rng(2)
        found = [float(numbers(*x)) for x in rng.uniform(-3.0, 3.0, (200, len(symbols)))]
        return min(found) > 0 or max(found) < 0

    def _moves(self, p: Poly) -> bool:
        return any(monomial[g] for monomial in p for g in self.moving)

    def factors(self, p: Poly, known: _Known) -> list[Poly]:
        """The irreducible factors that can vanish with what is known, in the shortest form (by sines or cosines)."""
        if len(p) > LARGEST:
            raise TooLarge
        present = [k for k, a in enumerate(self.ring.angles) if any(m[a.sine] or m[a.cosine] for m in p)]
        choices = list(product((False, True), repeat=min(len(present), FORMS if len(p) <= SHORT else 1)))
        best: list[Poly] | None = None
        for choice in choices:
            check()
            kept = [k for k, sines in zip(present, choice, strict=False) if sines]
            factored = self._factored(self.ring.reduced(p, kept))
            if best is None or _size(factored) < _size(best):
                best = factored
        moving = [f for f in best or [] if self._moves(f) and not self._is_unit(f, known.units)]
        found = [f for f in moving if len(self.zeros(self._expressions([*known.conditions, f])))]
        if any(len(f) > READABLE for f in found):
            raise TooLarge
        return found

    def _expressions(self, polys: Sequence[Poly]) -> list[sp.Expr]:
        return [self.ring.expression(p, self.arguments) for p in polys]

    def _factored(self, p: Poly) -> list[Poly]:
        """Distinct irreducible factors, with (c - 1)(c + 1) read as sin^2."""
        self._factored_terms += len(p) * (1 + _bits(p) // 64)
        if self._factored_terms > FACTORED:
            raise TooLarge
        found = [factor.monic() for factor, _ in p.factor_list()[1]]
        for angle in self.ring.angles:
            s, c = self.ring.ring.gens[angle.sine], self.ring.ring.gens[angle.cosine]
            for gone, kept in ((c, s), (s, c)):
                if gone - 1 in found and gone + 1 in found:
                    found = [f for f in found if f not in (gone - 1, gone + 1, kept)] + [kept]
        return found

    def _is_unit(self, f: Poly, units: frozenset[int]) -> bool:
        used = {g for monomial in f for g, power in enumerate(monomial) if power and g in self.moving}
        return len(f) == 1 and used <= units

    def _learn(self, known: _Known, f: Poly) -> _Known:
        """The branch with f = 0 known."""
        gens = self.ring.ring.gens
        zeros, units = dict(known.zeros), set(known.units)
        for angle in self.ring.angles:
            s, c = angle.sine, angle.cosine
            for one, other in ((s, c), (c, s)):
                if f == gens[one]:
                    zeros[one] = 0
                    units.add(other)
                for value in (1, -1):
                    if f == gens[one] - value:
                        zeros |= {one: value, other: 0}
        for g in self.ring.plain.values():
            if g in self.moving and f.degree(gens[g]) == 1:
                slope = f.diff(gens[g])
                if slope.is_ground:
                    zeros[g] = -(f - slope * gens[g]) * (1 / slope.LC)
                    earlier = [self._put(p, {g: zeros[g]}) for p in known.conditions]
                    zeros = {k: self._put(self.ring.ring.zero + x, {g: zeros[g]}) for k, x in zeros.items()}
                    return _Known((*(p.monic() for p in earlier if p != 0), f), zeros, frozenset(units))
        return _Known((*known.conditions, f), zeros, frozenset(units))

    def _with(self, p: Poly, known: _Known) -> Poly:
        p = self.ring.reduced(self._put(p, known.zeros))
        for g in known.units:  # c^2 = 1 where s = 0
            if g not in known.zeros:
                p = self.ring.without_squares(p, g, self.ring.ring.one)
        return p

    def _put(self, p: Poly, values: Mapping[int, Poly | int]) -> Poly:
        gens = self.ring.ring.gens
        for g, value in values.items():
            if any(monomial[g] for monomial in p):
                p = p.compose(gens[g], self.ring.ring.zero + value)
        return p

    # --- words -------------------------------------------------------------------------------------

    def _condition(self, f: Poly) -> Condition:
        """f = 0 solved for a sine, a cosine or a coordinate where it is linear in one."""
        e = sp.factor_terms(self.ring.expression(f, self.arguments))
        used = {g for monomial in f for g, power in enumerate(monomial) if power and g in self.moving}
        if len(used) == 1:
            g = next(iter(used))
            symbol = self.ring.expression(self.ring.ring.gens[g], self.arguments)
            if f.degree(self.ring.ring.gens[g]) == 1:
                slope = self.ring.expression(f.diff(self.ring.ring.gens[g]))
                value = sp.factor_terms(sp.simplify(symbol - e / slope))
                return Condition(-symbol, -value) if symbol.could_extract_minus_sign() else Condition(symbol, value)
        if e.count_ops() <= SHORT:
            e = min((e, sp.trigsimp(e)), key=lambda form: form.count_ops())
        return Condition(-e if e.could_extract_minus_sign() else e)


def _bits(p: Poly) -> int:
    """Length of the longest number, with whole coefficients: factoring looks for primes beyond it."""
    common = lcm(*(int(c.denominator) for c in p.values())) if len(p) else 1
    return max((int(c.numerator * common // c.denominator).bit_length() for c in p.values()), default=0)


def _size(factors: Sequence[Poly]) -> tuple[int, int]:
    return sum(len(f) for f in factors), sum(sum(monomial) for f in factors for monomial in f)
