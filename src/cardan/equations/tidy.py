"""Making expressions readable: sorted by accelerations and velocities, in the shorter of a few equal forms."""

from __future__ import annotations

import sympy as sp

from cardan.algebra.shorten import shorten
from cardan.model.symbols import Acceleration, Velocity


def leads(symbol: sp.Symbol) -> bool:
    """Whether terms are sorted by this symbol."""
    return isinstance(symbol, (Velocity, Acceleration))


def tidy(expression: sp.Expr) -> sp.Expr:
    """An equal expression that is shorter to read, where one is found quickly."""
    return shorten(expression, leads)


def tidy_matrix(matrix: sp.Matrix) -> sp.Matrix:
    """A SymPy matrix with every entry made readable."""
    return sp.ImmutableMatrix(matrix.applyfunc(tidy))


def tidy_symmetric(matrix: sp.Matrix) -> sp.Matrix:
    """A symmetric SymPy matrix with every entry made readable, each pair once."""
    n = matrix.rows
    upper = {(i, j): tidy(matrix[i, j]) for i in range(n) for j in range(i, n)}
    return sp.ImmutableMatrix(n, n, lambda i, j: upper[min(i, j), max(i, j)])
