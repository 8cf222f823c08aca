"""A short equal form of an expression of angles, lengths and parameters, by exact and cheap steps.

1. Into the ring of sines and cosines, where whatever cancels is gone; common factors of a fraction are cancelled.
2. Sorted by what the reader looks for first (accelerations, products of velocities), and each factor of these by its
   trigonometric shape, so that (I1 - I2) sin(a) cos(a) stands there once.
3. Each shape in the shorter of a few forms: squares of sines or of cosines, waves of sums of angles.
4. Polynomials of parameters are factored where they are small.

The result is compared with the expression at random points, exactly; what is not shorter is not taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

import sympy as sp

from cardan.algebra.decimals import has_decimals, with_decimals
from cardan.algebra.harmonics import Harmonics, Trig, harmonics
from cardan.algebra.points import NoPoint, same_function
from cardan.algebra.trig_ring import Poly, TooMuch, TrigRing, exactly
from cardan.native.deadline import OutOfTime, check, within

LARGEST_EXPANDED = 20_000  # operations of an expression that is put into the ring
MOST_REDUCED = 60_000  # terms of polynomials on the way; some seconds
SECONDS = 2.0  # of one expression
LARGEST_COMBINED = 2_000  # terms that terms of different denominators have over a common one
LARGEST_CANCELLED = 4_000  # terms of numerator times denominator, of which common factors are sought
LARGEST_GATHERED = 500  # operations of an expression whose sums are searched for common factors
LARGEST_FACTORED = 90  # terms times symbols of a polynomial that is factored
LARGEST_PLAIN = 30  # terms of a polynomial that is also written as it is
LONGEST_FACTORED = 48  # bits of its coefficients; measured numbers have no factors
LARGEST_TURNED = 24  # terms of a trigonometric polynomial whose other forms are tried
MOST_ANGLES = 4  # of it
MOST_WRITTEN = 2  # forms of each kind that are written out to be compared

Leads = Callable[[sp.Symbol], bool]


def nothing_leads(_: sp.Symbol) -> bool:
    return False


def shorten(expression: sp.Expr, leads: Leads = nothing_leads) -> sp.Expr:
    """The shortest equal form that is found; ``leads`` tells the symbols that terms are sorted by."""
    expression = sp.sympify(expression)
    if expression.is_Atom:
        return with_decimals(exactly(expression)) if expression.is_Float else expression
    exact = _with_short_roots(exactly(expression))
    best = min((exact, *_found_in_time(exact, leads)), key=length)
    if best != expression and not _is_same(best, exactly(expression)):
        return expression
    return with_decimals(best) if has_decimals(expression) else best


def _found_in_time(expression: sp.Expr, leads: Leads) -> list[sp.Expr]:
    """Equal forms, as many as are found within a few seconds."""
    found: list[sp.Expr] = []
    try:
        with within(SECONDS):
            found.append(_gathered(expression))
            for split in _ways(expression):
                for form in _forms(expression, leads, split):
                    found.append(form)
    except (OutOfTime, TooMuch):
        pass
    return found


@lru_cache(maxsize=100_000)
def length(expression: sp.Basic) -> tuple[int, int]:
    """What is compared: how many operations, signs and numbers one reads, then about how many characters."""
    if not expression.args:
        text = len(str(expression))
        return (1 if expression.is_Rational and expression.q != 1 else 0), text
    parts = [length(one) for one in expression.args]
    ops, text = sum(one[0] for one in parts), sum(one[1] for one in parts)
    many = len(parts)
    if expression.is_Mul:
        below = sum(2 for one in expression.args if one.is_Add)
        minus = 1 if expression.args[0] == -1 else 0
        return ops + many - 1 - minus, text + many - 1 + below
    if expression.is_Add:
        signs = sum(1 for one in expression.args if one.could_extract_minus_sign())
        return ops + many - 1 + (signs == many), text + 3 * (many - 1)
    return ops + 1, text + 2 * many


def _with_short_roots(expression: sp.Expr) -> sp.Expr:
    """The same with short radicands: the root of cos(a)^2 + cos(a)^2 tan(a)^2 is 1, that of cos(a)^2 is |cos(a)|."""
    roots = [one for one in expression.atoms(sp.Pow) if one.exp.is_Rational and one.exp.q == 2]
    values = {one: sp.Pow(shorten(one.base), one.exp) for one in roots if not one.base.is_Atom}
    return expression.xreplace(values) if values else expression


def _is_same(form: sp.Expr, expression: sp.Expr) -> bool:
    try:
        return same_function(form, expression)
    except NoPoint:
        return False


def _ways(expression: sp.Expr) -> list[bool]:
    """Whether sines of sums are split: only if there are any, the other way is tried too."""
    if expression.count_ops() > LARGEST_EXPANDED:
        return []
    arguments = {one.args[0] for one in expression.atoms(sp.sin, sp.cos, sp.tan)}
    atoms = [argument for argument in arguments if argument.is_Atom]
    return [True] if len(atoms) == len(arguments) else [True, False]


def _forms(expression: sp.Expr, leads: Leads, split: bool) -> Iterator[sp.Expr]:
    """Over one denominator, and with terms of different denominators left apart."""
    ring = TrigRing([expression], split=split)
    ring.most = MOST_REDUCED
    groups: dict[Poly, Poly] = {}
    for term in sp.Add.make_args(expression):
        top, bottom = ring.ratio(term)
        groups[bottom] = groups.get(bottom, ring.ring.zero) + top
    parts = [(ring.reduced(top), ring.reduced(bottom)) for bottom, top in groups.items()]
    parts = [(top, bottom) for top, bottom in parts if top]
    writer = Writer(ring, leads)
    if len(parts) > 1:
        yield sp.Add(*(min(writer.fractions(*part), key=length) for part in parts))
    size = 1
    for top, bottom in parts:
        size *= len(top) * len(bottom)
    if len(parts) <= 1 or size <= LARGEST_COMBINED:
        yield from writer.fractions(*ring.ratio(expression))


class Writer:
    """Polynomials of a ring as short expressions."""

    def __init__(self, ring: TrigRing, leads: Leads) -> None:
        self.ring = ring
        self.names = {k: e for e, k in ring.plain.items()}
        self.leading = {k for k, e in self.names.items() if e.is_Symbol and leads(e)}
        self.angles = [(angle.sine, angle.cosine) for angle in ring.angles]
        self._shapes: dict[frozenset[tuple[object, Fraction]], sp.Expr] = {}

    def fractions(self, top: Poly, bottom: Poly) -> Iterator[sp.Expr]:
        """Forms of top/bottom with what cancels gone."""
        ring = self.ring
        top, bottom = ring.reduced(top), ring.reduced(bottom)
        if top == 0:
            yield sp.S.Zero
            return
        for k in ring.absolutes:  # x^2/|x| = |x|
            if all(monomial[k] for monomial in bottom):
                top, bottom = (ring.reduced(p * ring.ring.gens[k]) for p in (top, bottom))
        if not bottom.is_ground and len(top) * len(bottom) <= LARGEST_CANCELLED:
            top, bottom = top.cancel(bottom)
        below = self.ring.expression(bottom) if bottom.is_ground else self.shortest(bottom)
        for one in self.forms(top):
            yield one / below

    def shortest(self, p: Poly) -> sp.Expr:
        """The shortest of the forms."""
        return min(self.forms(p), key=length)

    def forms(self, p: Poly) -> Iterator[sp.Expr]:
        """Forms sorted by leading symbols, by shapes, and plain."""
        common, p = self._content(p)
        if self.leading:
            yield common * _gathered(self.by_leading(p))
        yield common * _gathered(self.by_shape(p))
        if len(p) <= LARGEST_PLAIN:
            yield common * _gathered(self.factored(p))
            yield common * _gathered(self.ring.expression(p))

    # --- sorting -----------------------------------------------------------------------------------

    def _content(self, p: Poly) -> tuple[sp.Expr, Poly]:
        """The common monomial, and the rest."""
        monomials = list(p)
        common = tuple(min(one[k] for one in monomials) for k in range(len(monomials[0])))
        if not any(common):
            return sp.S.One, p
        rest = {tuple(a - b for a, b in zip(one, common, strict=True)): c for one, c in p.items()}
        return self.ring.expression(self.ring.ring.from_dict({common: self.ring.ring.domain.one})), (
            self.ring.ring.from_dict(rest)
        )

    def by_leading(self, p: Poly) -> sp.Expr:
        """sum of (coefficient) times (product of leading symbols); equal coefficients are written once."""
        groups: dict[tuple[int, ...], dict[tuple[int, ...], object]] = {}
        for monomial, c in p.items():
            lead = tuple(e if k in self.leading else 0 for k, e in enumerate(monomial))
            rest = tuple(0 if k in self.leading else e for k, e in enumerate(monomial))
            groups.setdefault(lead, {})[rest] = c
        factors: dict[sp.Expr, list[sp.Expr]] = {}
        for lead, terms in groups.items():
            part = self.ring.ring.from_dict(terms)
            common, part = self._content(part)
            own = min([self.by_shape(part), *self._small(part)], key=length)
            number, own = (common * _gathered(own)).as_coeff_Mul(rational=True)
            factors.setdefault(own, []).append(number * self._monomial(lead))
        return sp.Add(*(own * sp.Add(*leads) for own, leads in factors.items()))

    def _small(self, p: Poly) -> list[sp.Expr]:
        return [self.factored(p)] if len(p) <= LARGEST_PLAIN else []

    def by_shape(self, p: Poly) -> sp.Expr:
        """sum of (polynomial of symbols) times (trigonometric shape); equal shapes are written once."""
        trig = {k for pair in self.angles for k in pair}
        shapes: dict[tuple[int, ...], Trig] = {}
        for monomial, c in p.items():
            plain = tuple(0 if k in trig else e for k, e in enumerate(monomial))
            exponents = tuple((monomial[s], monomial[c_]) for s, c_ in self.angles)
            shapes.setdefault(plain, {})[exponents] = Fraction(int(c.numerator), int(c.denominator))
        collected: dict[sp.Expr, list[tuple[tuple[int, ...], sp.Rational]]] = {}
        for plain, shape in shapes.items():
            number, form = self._shape(shape).as_coeff_Mul(rational=True)
            for one in sp.Add.make_args(form):
                own, rest = one.as_coeff_Mul(rational=True)
                collected.setdefault(rest, []).append((plain, number * own))
        return sp.Add(*(form * self._polynomial(parts) for form, parts in collected.items()))

    def _polynomial(self, parts: list[tuple[tuple[int, ...], sp.Rational]]) -> sp.Expr:
        terms: dict[tuple[int, ...], object] = {}
        domain = self.ring.ring.domain
        for monomial, number in parts:
            terms[monomial] = terms.get(monomial, domain.zero) + domain(int(number.p), int(number.q))
        p = self.ring.ring.from_dict({monomial: c for monomial, c in terms.items() if c})
        return self.factored(p) if 1 < len(p) <= LARGEST_PLAIN else self.ring.expression(p)

    def _monomial(self, monomial: tuple[int, ...]) -> sp.Expr:
        return sp.Mul(*(self.names[k] ** e for k, e in enumerate(monomial) if e))

    def factored(self, p: Poly) -> sp.Expr:
        """The product of its factors, or the sum of its terms where that is shorter."""
        check()
        plain = self.ring.expression(p)
        symbols = sum(1 for column in zip(*p, strict=True) if any(column))
        if len(p) < 2 or len(p) * symbols > LARGEST_FACTORED or max(map(_digits, p.values())) > LONGEST_FACTORED:
            return plain
        number, factors = p.factor_list()
        product = sp.Rational(int(number.numerator), int(number.denominator)) * sp.Mul(
            *(self.ring.expression(q) ** k for q, k in factors)
        )
        return min((plain, product), key=length)

    # --- shapes ------------------------------------------------------------------------------------

    def _shape(self, shape: Trig) -> sp.Expr:
        """The shortest form of a trigonometric polynomial that was tried."""
        size = max(map(abs, shape.values()))
        key = frozenset((exponents, c / size) for exponents, c in shape.items())
        if key not in self._shapes:
            normal = {exponents: c / size for exponents, c in shape.items()}
            self._shapes[key] = min(self._shape_forms(normal), key=length)
        return _rational(size) * self._shapes[key]

    def _shape_forms(self, shape: Trig) -> Iterable[sp.Expr]:
        """Of all ways to contract angles, and to keep squares of sines, those with the fewest factors."""
        yield self._waves(harmonics(shape, ()))
        if len(shape) < 2 or len(shape) > LARGEST_TURNED:
            return
        present = [k for k in range(len(self.angles)) if any(any(one[k]) for one in shape)]
        chosen = [one for k in range(min(len(present), MOST_ANGLES) + 1) for one in combinations(present, k)]
        waves = sorted((harmonics(shape, one) for one in chosen if one), key=_factors)
        for one in waves[:MOST_WRITTEN]:
            yield self._waves(one)
        p = self.ring.ring.from_dict({self._place(one): self._number(c) for one, c in shape.items()})
        powers = sorted((self.ring.reduced(p, keep_sines=one) for one in chosen), key=lambda q: sum(map(sum, q)))
        for q in powers[:MOST_WRITTEN]:
            yield self.factored(q)

    def _place(self, exponents: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
        monomial = [0] * len(self.ring.ring.gens)
        for (s, c), (es, ec) in zip(self.angles, exponents, strict=True):
            monomial[s], monomial[c] = es, ec
        return tuple(monomial)

    def _number(self, c: Fraction) -> object:
        return self.ring.ring.domain(c.numerator, c.denominator)

    def _waves(self, waves: Harmonics) -> sp.Expr:
        terms = []
        for (wave, kept), (cosine, sine) in waves.items():
            argument = sp.Add(*(k * angle.argument for k, angle in zip(wave, self.ring.angles, strict=True)))
            turning = _rational(cosine) * sp.cos(argument) + _rational(sine) * sp.sin(argument)
            terms.append(turning * self.ring.expression(self._power(kept)))
        return sp.Add(*terms)

    def _power(self, kept: tuple[tuple[int, int], ...]) -> Poly:
        return self.ring.ring.from_dict({self._place(kept): self.ring.ring.domain.one})


def _gathered(form: sp.Expr) -> sp.Expr:
    """With common factors of sums outside them, where that is shorter."""
    check()
    if length(form)[0] > LARGEST_GATHERED:
        return form
    return min((form, sp.factor_terms(form)), key=length)


def _digits(number: object) -> int:
    """Bits of a rational number, numerator and denominator together."""
    return int(number.numerator).bit_length() + int(number.denominator).bit_length()  # type: ignore[attr-defined]


def _factors(waves: Harmonics) -> int:
    """About how many factors the waves have when they are written."""
    return sum(
        ((cosine != 0) + (sine != 0)) * (1 + any(wave) + sum(map(sum, kept)))
        for (wave, kept), (cosine, sine) in waves.items()
    )


def _rational(number: Fraction) -> sp.Rational:
    return sp.Rational(number.numerator, number.denominator)
