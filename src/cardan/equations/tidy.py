"""Making expressions readable: the shorter of a few equal forms."""

from __future__ import annotations

import sympy as sp

LARGEST_SIMPLIFIED = 400  # operations; beyond this expanding alone takes long
LARGEST_TRIGONOMETRIC = 180  # operations after expanding; SymPy's trigsimp takes minutes at a thousand


def tidy(expression: sp.Expr) -> sp.Expr:
    """An equal expression that is shorter to read, where one is found quickly."""
    expression = sp.sympify(expression)
    if expression.is_Atom or expression.count_ops() > LARGEST_SIMPLIFIED:
        return expression
    expanded = sp.expand(expression)
    candidates = [expression, expanded]
    if expression.has(sp.sin, sp.cos, sp.tan):
        reduced = _on_unit_circles(expanded)
        candidates.append(reduced)
        if reduced.count_ops() <= LARGEST_TRIGONOMETRIC:
            candidates.append(sp.trigsimp(reduced))
    best = min(candidates, key=_length)
    gathered = sp.factor_terms(best)
    return min((best, gathered), key=_length)


def _on_unit_circles(expanded: sp.Expr) -> sp.Expr:
    """The same with cos^2 (or sin^2) of each angle replaced by one minus the other, where that is shorter."""
    for angle in sorted({x.args[0] for x in expanded.atoms(sp.sin, sp.cos)}, key=sp.default_sort_key):
        for one, other in ((sp.cos(angle), sp.sin(angle)), (sp.sin(angle), sp.cos(angle))):
            powers = {
                power: (1 - other**2) ** (power.exp // 2) * one ** (power.exp % 2)
                for power in expanded.atoms(sp.Pow)
                if power.base == one and power.exp.is_Integer and power.exp >= 2
            }
            replaced = sp.expand(expanded.xreplace(powers)) if powers else expanded
            expanded = min((expanded, replaced), key=_length)
    return expanded


def _length(expression: sp.Expr) -> tuple[int, int]:
    return expression.count_ops(), len(str(expression))


def tidy_matrix(matrix: sp.Matrix) -> sp.Matrix:
    """A SymPy matrix with every entry made readable."""
    return sp.ImmutableMatrix(matrix.applyfunc(tidy))


def tidy_symmetric(matrix: sp.Matrix) -> sp.Matrix:
    """A symmetric SymPy matrix with every entry made readable, each pair once."""
    n = matrix.rows
    upper = {(i, j): tidy(matrix[i, j]) for i in range(n) for j in range(i, n)}
    return sp.ImmutableMatrix(n, n, lambda i, j: upper[min(i, j), max(i, j)])
