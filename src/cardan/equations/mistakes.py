"""The terms in which two rows differ, in words: forgotten, added, of the wrong sign, factor, function or symbol."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from cardan.algebra.shorten import shorten
from cardan.algebra.trig_ring import Poly, TrigRing, exactly
from cardan.equations.writing.printing import text_of


@dataclass(frozen=True)
class Mistake:
    """One difference: ``kind`` is "missing", "extra", "sign", "factor", "function" or "instead"."""

    kind: str
    expected: sp.Expr  # the term of the row, zero for an extra one
    found: sp.Expr  # what stands there, zero for a missing one

    def __str__(self) -> str:
        expected, found = text_of(self.expected), text_of(self.found)
        return {
            "missing": f"the term {expected} is missing",
            "extra": f"the term {found} is too much",
            "sign": f"the term {expected} has the wrong sign",
            "factor": f"the term {expected} has the wrong factor, it is {found}",
            "function": f"sine and cosine are exchanged: {found} stands where {expected} belongs",
            "instead": f"{found} stands where {expected} belongs",
        }[self.kind]


def mistakes(answer: sp.Expr, row: sp.Expr) -> tuple[Mistake, ...]:
    """What has to be mended in the answer, an expression that should be ``row``; nothing where both are equal."""
    terms = list(sp.Add.make_args(sp.expand(exactly(row))))
    ring = TrigRing([exactly(answer), *terms])
    top, bottom = ring.ratio(answer)
    if not bottom.is_ground:
        return _over(answer, row)
    left = ring.reduced(top / bottom.LC)
    found: list[Mistake] = []
    missing: list[sp.Expr] = []
    for term in terms:
        p, below = ring.ratio(term)
        if not below.is_ground:
            return ()
        share, left = _share(left, ring.reduced(p / below.LC))
        if share == 0:
            missing.append(term)
        elif share == -1:
            found.append(Mistake("sign", term, -term))
        elif share != 1:
            found.append(Mistake("factor", term, share * term))
    extra = list(sp.Add.make_args(shorten(ring.expression(left)))) if left else []
    if len(extra) > 1 and len(extra) != len(left):
        extra = list(sp.Add.make_args(ring.expression(left)))
    return (*found, *_paired(missing, extra))


def _over(answer: sp.Expr, row: sp.Expr) -> tuple[Mistake, ...]:
    """An answer with a denominator: only where the row, multiplied by it, is a polynomial."""
    short = sp.expand(shorten(answer))
    return mistakes(short, row) if sp.fraction(sp.together(short))[1].is_number else ()


def _share(left: Poly, term: Poly) -> tuple[sp.Rational, Poly]:
    """How often the term is contained, and what is left without it."""
    factors = {left.get(monomial, 0) / c for monomial, c in term.items()}
    if len(factors) != 1:
        return sp.S.Zero, left
    (factor,) = factors
    return sp.Rational(int(factor.numerator), int(factor.denominator)), left - term * factor


def _paired(missing: list[sp.Expr], extra: list[sp.Expr]) -> list[Mistake]:
    """Missing terms with what stands in their place: exchanged functions first, then what looks most alike."""
    found: list[Mistake] = []
    rest = list(extra)
    for term in missing:
        other = max(rest, key=lambda one: _likeness(term, one), default=None)
        if other is None or _likeness(term, other) < 2:
            found.append(Mistake("missing", term, sp.S.Zero))
            continue
        rest.remove(other)
        ratio = shorten(other / term)
        kind = "function" if _exchanged(term, other) else "factor" if ratio.is_number else "instead"
        found.append(Mistake("sign" if ratio == -1 else kind, term, other))
    return [*found, *(Mistake("extra", sp.S.Zero, one) for one in rest)]


def _likeness(first: sp.Expr, second: sp.Expr) -> int:
    """How many factors two terms share."""
    if _exchanged(first, second):
        return 100
    a, b = ({*sp.Mul.make_args(one)} for one in (first, second))
    symbols = len(first.free_symbols & second.free_symbols) / (1 + len(first.free_symbols ^ second.free_symbols))
    return len(a & b) + round(2 * symbols)


def _exchanged(first: sp.Expr, second: sp.Expr) -> bool:
    """Whether sines and cosines are exchanged, up to the sign."""
    if not first.has(sp.sin, sp.cos):
        return False
    swapped = first.replace(lambda e: isinstance(e, (sp.sin, sp.cos)), _other)
    return bool(shorten(swapped - second) == 0 or shorten(swapped + second) == 0)


def _other(e: sp.Expr) -> sp.Expr:
    return sp.cos(e.args[0]) if isinstance(e, sp.sin) else sp.sin(e.args[0])
