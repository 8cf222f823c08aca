"""Making expressions readable: the shorter of a few equal forms."""

from __future__ import annotations

from typing import Any

import sympy as sp

LARGEST_SIMPLIFIED = 400  # operations; beyond this SymPy's simplifiers take minutes


def tidy(expression: Any) -> Any:
    """An equal expression that is shorter to read, where one is found quickly."""
    expression = sp.sympify(expression)
    if expression.is_Atom or expression.count_ops() > LARGEST_SIMPLIFIED:
        return expression
    expanded = sp.expand(expression)
    candidates = [expression, expanded]
    if expression.has(sp.sin, sp.cos, sp.tan):
        candidates.append(sp.trigsimp(expanded))
    best = min(candidates, key=_length)
    gathered = sp.factor_terms(best)
    return min((best, gathered), key=_length)


def _length(expression: Any) -> tuple[int, int]:
    return expression.count_ops(), len(str(expression))


def tidy_matrix(matrix: Any) -> Any:
    """A SymPy matrix with every entry made readable."""
    return sp.ImmutableMatrix(matrix.applyfunc(tidy))
