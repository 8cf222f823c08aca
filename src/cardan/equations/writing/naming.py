"""Long lines made short by names: w1 = ... for what occurs several times, then for the longest factors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import sympy as sp

from cardan.equations.writing.printing import text_of

LONG = 240  # characters of a line above which quantities are named
WORTH = 24  # characters of an expression that earns a name by occurring twice
LONGEST = 600  # characters of a line that is printed


class Names:
    """Symbols w1, w2, ... that are not taken."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._next = 1

    def new(self) -> sp.Symbol:
        while f"w{self._next}" in self._taken:
            self._next += 1
        self._taken.add(f"w{self._next}")
        return sp.Symbol(f"w{self._next}", real=True)


def named(
    expressions: Sequence[sp.Expr], taken: Iterable[str]
) -> tuple[list[sp.Expr], list[tuple[sp.Symbol, sp.Expr]]]:
    """The expressions with names for parts of them, and what the names mean; unchanged where all are short."""
    texts = [text_of(one) for one in expressions]
    if max(map(len, texts), default=0) <= LONG:
        return list(expressions), []
    names, found = Names(taken), list(expressions)
    definitions: list[tuple[sp.Symbol, sp.Expr]] = []
    while (part := _repeated(found, definitions)) is not None:
        symbol = names.new()
        swap = {part: symbol, -part: -symbol} if part.is_Add else {part: symbol}
        found = [one.xreplace(swap) for one in found]
        definitions = [(name, value.xreplace(swap)) for name, value in definitions]
        definitions.append((symbol, part))
    for k, one in enumerate(found):
        found[k] = _cut(one, names, definitions)
    return found, _in_order(definitions)


def _repeated(expressions: Sequence[sp.Expr], definitions: Sequence[tuple[sp.Symbol, sp.Expr]]) -> sp.Expr | None:
    """The part that saves most characters by being written once."""
    counts: Counter[sp.Expr] = Counter()
    for one in (*expressions, *(value for _, value in definitions)):
        counts.update(part for part in _parts(one) if part.args)
    best, most = None, 0
    for part, count in counts.items():
        size = len(text_of(part)) if count > 1 else 0
        saved = (size - 3) * count - size - 6
        if size >= WORTH and saved > max(most, WORTH):
            best, most = part, saved
    return best


def _parts(expression: sp.Expr) -> Iterator[sp.Expr]:
    """Sums and products inside it, each as often as it is written; a sum counts with either sign."""
    for one in sp.preorder_traversal(expression):
        if one.is_Add:
            yield -one if one.could_extract_minus_sign() else one
        elif one.is_Pow or one.is_Mul:
            yield one


def _cut(expression: sp.Expr, names: Names, definitions: list[tuple[sp.Symbol, sp.Expr]]) -> sp.Expr:
    """The expression with its longest sums named until it fits into a line."""
    while len(text_of(expression)) > LONGEST:
        inner = [one for one in _sums(expression) if one != expression and len(text_of(one)) > 2 * WORTH]
        if inner:
            part = max(inner, key=lambda one: (len(text_of(one)) <= LONGEST, len(text_of(one))))
        elif expression.is_Add and len(expression.args) > 3:
            part = sp.Add(*expression.args[: len(expression.args) // 2])
            symbol = names.new()
            definitions.append((symbol, _cut(part, names, definitions)))
            expression = symbol + sp.Add(*expression.args[len(expression.args) // 2 :])
            continue
        else:
            return expression
        symbol = names.new()
        definitions.append((symbol, _cut(part, names, definitions)))
        expression = expression.xreplace({part: symbol})
    return expression


def _sums(expression: sp.Expr) -> Iterator[sp.Expr]:
    return (one for one in sp.preorder_traversal(expression) if one.is_Add)


def _in_order(definitions: list[tuple[sp.Symbol, sp.Expr]]) -> list[tuple[sp.Symbol, sp.Expr]]:
    """Each after those it is written with, numbered as they come."""
    waiting, done = list(definitions), []
    names = {symbol for symbol, _ in definitions}
    known: set[sp.Symbol] = set()
    while waiting:
        for one in waiting:
            if one[1].free_symbols & names <= known:
                done.append(one)
                known.add(one[0])
                waiting.remove(one)
                break
    return done
