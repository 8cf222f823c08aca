"""Whether a row that somebody derived is right: ``eq.check(row)``.

The row is compared, exactly, with every row of the equations: equal, equal up to a factor, equal with the sign of one
quantity reversed, or off by terms that can be named. What is none of these is tried in numbers on random motions: a row
that always holds there is implied by the equations (a sum of them, a derivative of a constraint), another one is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sympy as sp

from cardan.algebra.points import NoPoint, same_function
from cardan.algebra.shorten import shorten
from cardan.equations.mistakes import Mistake, mistakes
from cardan.equations.reading import read_row
from cardan.equations.sampling import motions, size_of, value_of
from cardan.equations.tidy import leads, tidy
from cardan.equations.writing.printing import text_of
from cardan.model.symbols import Coordinate
from cardan.native.showing import Shown

if TYPE_CHECKING:
    from cardan.equations.equations import Equations

MOST_MISTAKES = 3  # named in one row, and in no more than half of its terms; with more it is another row


@dataclass(frozen=True)
class Judgement(Shown):
    """What ``eq.check`` found; true where the row is right.

    ``kind`` is "equal", "factor", "implied", "signs", "wrong" or "unrelated"; ``row`` names what it was compared with.
    """

    kind: str
    text: str
    row: str = ""
    factor: sp.Expr | None = None
    mistakes: tuple[Mistake, ...] = ()

    def __bool__(self) -> bool:
        return self.kind in ("equal", "factor", "implied")

    def __str__(self) -> str:
        return self.text


def check_row(eq: Equations, given: sp.Basic | str) -> Judgement:
    """The judgement of a row: an equation, or an expression that should be zero."""
    answer = residual(eq, given)
    if tidy(answer) == 0:
        return Judgement("unrelated", "Both sides are the same: this says nothing about the motion.")
    rows = list(known_rows(eq))
    for name, row in rows:
        factor = factor_between(answer, row)
        if factor is not None:
            return _scaled(name, factor)
    if (reversed_sign := _other_sign(eq, answer, rows)) is not None:
        return reversed_sign
    if holds_on_motions(eq, answer):
        return Judgement("implied", "It follows from the equations: it holds on every motion.")
    return _wrong(answer, rows)


def residual(eq: Equations, given: sp.Basic | str) -> sp.Expr:
    """left - right, in the symbols of the model; text is read like expressions of model files."""
    if isinstance(given, str):
        return read_row(eq, given)
    if isinstance(given, sp.Equality):
        return given.lhs - given.rhs
    return sp.sympify(given)


def known_rows(eq: Equations) -> Iterator[tuple[str, sp.Expr]]:
    """Rows of motion, constraints, and constraints differentiated once and twice, each left - right."""
    for line in eq.forms.rows_in_full:
        yield f"the row of {line.name}", line.left - line.right
    s = eq.symbolic
    for row in s.rows:
        if row.phi is not None:
            yield f"the constraint {row.name}", s.impose(row.phi)
        rate = s.impose(row.rate)
        yield f"the rate of {row.name}", rate
        yield f"the second rate of {row.name}", s.impose(s.rate_with_accelerations((rate,))[0])


def factor_between(answer: sp.Expr, row: sp.Expr) -> sp.Expr | None:
    """c with answer = c row, c free of velocities and accelerations; None where there is none."""
    for symbol in sorted((symbol for symbol in row.free_symbols if leads(symbol)), key=str, reverse=True):
        own, other = sp.diff(row, symbol), sp.diff(answer, symbol)
        if own == 0 or other == 0 or any(leads(x) for x in (own.free_symbols | other.free_symbols)):
            continue
        factor = shorten(other / own)
        return factor if _same(answer, factor * row) else None
    for factor in (sp.S.One, sp.S.NegativeOne):
        if _same(answer, factor * row):
            return factor
    ratio = shorten(answer / row) if row != 0 else sp.nan
    return ratio if ratio.is_number and _same(answer, ratio * row) else None


def _same(first: sp.Expr, second: sp.Expr) -> bool:
    try:
        return same_function(first, second)
    except NoPoint:
        return bool(tidy(first - second) == 0)


def _scaled(name: str, factor: sp.Expr) -> Judgement:
    if factor == 1:
        return Judgement("equal", f"Right: it is {name}.", name, factor)
    return Judgement("factor", f"Right: it is {name}, multiplied by {text_of(factor)}.", name, factor)


def _other_sign(eq: Equations, answer: sp.Expr, rows: list[tuple[str, sp.Expr]]) -> Judgement | None:
    """Whether one coordinate, load, input or multiplier was counted the other way."""
    model = eq.model
    known = {*model.q, *model.driving, *eq.forms.lam}
    terms = sp.Add.make_args(sp.expand(answer))

    def rarest(symbol: sp.Symbol) -> tuple[bool, int, str]:
        """Forces before coordinates, then what occurs in the fewest terms."""
        dotted = {symbol, *_dots(symbol)}
        return isinstance(symbol, Coordinate), sum(1 for one in terms if one.free_symbols & dotted), str(symbol)

    present = answer.free_symbols | {q for q in model.q if answer.has(*_dots(q))}
    for symbol in sorted(present & known, key=rarest):
        turned = {symbol: -symbol}
        if isinstance(symbol, Coordinate):
            turned |= {symbol.dot: -symbol.dot, symbol.ddot: -symbol.ddot}
        for name, row in rows:
            if row.free_symbols & set(turned) and factor_between(answer, row.xreplace(turned)) is not None:
                text = f"It is {name} with {symbol} counted the other way: right, if {symbol} means -{symbol}."
                return Judgement("signs", text, name)
    return None


def _dots(symbol: sp.Symbol) -> tuple[sp.Symbol, ...]:
    return (symbol.dot, symbol.ddot) if isinstance(symbol, Coordinate) else (symbol,)


def holds_on_motions(eq: Equations, answer: sp.Expr) -> bool:
    """Whether it vanishes at random states with the accelerations and multipliers of the equations."""
    states = list(motions(eq))
    symbols = answer.free_symbols
    if not states or not symbols <= set(states[0]):
        return False
    return all(abs(value_of(answer, state)) <= 1e-8 * size_of(answer, state) for state in states)


def _wrong(answer: sp.Expr, rows: list[tuple[str, sp.Expr]]) -> Judgement:
    """The row that needs the fewest mistakes to become the answer."""
    best: tuple[int, str, tuple[Mistake, ...]] | None = None
    for name, row in rows:
        most = min(MOST_MISTAKES, max(1, len(sp.Add.make_args(sp.expand(row))) // 2))
        for factor in _factors(answer, row):
            found = mistakes(answer / factor, row)
            if 0 < len(found) <= most and (best is None or len(found) < best[0]):
                best = len(found), name, found
    if best is None:
        return Judgement("unrelated", "It does not hold on the motions, and is not near any row of the equations.")
    _, name, found = best
    return Judgement("wrong", f"Not {name}: " + "; ".join(map(str, found)) + ".", name, None, found)


def _factors(answer: sp.Expr, row: sp.Expr) -> Iterator[sp.Expr]:
    """By what the answer may have been multiplied: one, minus one, or what its accelerations say."""
    tried = {sp.S.One, sp.S.NegativeOne}
    yield from (sp.S.One, sp.S.NegativeOne)
    for symbol in sorted((symbol for symbol in row.free_symbols if leads(symbol)), key=str, reverse=True):
        own, other = sp.diff(row, symbol), sp.diff(answer, symbol)
        if own == 0 or other == 0 or any(leads(x) for x in (own.free_symbols | other.free_symbols)):
            continue
        factor = shorten(other / own)
        if factor not in tried:
            tried.add(factor)
            yield factor
