"""Solving with a symmetric positive definite matrix of expressions, sparsity kept."""

from __future__ import annotations

from collections.abc import Sequence

from cardan.equations.articulated import reciprocal
from cardan.geometry.scalar import Scalar, is_zero, minus, times


def symmetric_solve(
    matrix: Sequence[Sequence[Scalar]], right: Sequence[Scalar]
) -> tuple[list[Scalar], list[tuple[Scalar, Scalar]]]:
    """x with M x = b by M = L^T D L, and the pivots D with the diagonal entries of M they are to be compared with.

    Elimination runs from the last row to the first: where parents come before children this makes no fill-in
    [Featherstone2008, section 6.5].
    """
    n = len(right)
    L = [[matrix[i][j] for j in range(i + 1)] for i in range(n)]
    inverse: list[Scalar] = [0] * n
    for k in reversed(range(n)):
        inverse[k] = reciprocal(L[k][k])
        for i in reversed(range(k)):
            if is_zero(L[k][i]):
                continue
            factor = times(L[k][i], inverse[k])
            for j in range(i + 1):
                if not is_zero(L[k][j]):
                    L[i][j] = minus(L[i][j], times(factor, L[k][j]))
            L[k][i] = factor
    pivots = [(L[k][k], matrix[k][k]) for k in range(n)]

    y = list(right)
    for k in reversed(range(n)):  # L^T y = b
        for i in range(k):
            if not is_zero(L[k][i]):
                y[i] = minus(y[i], times(L[k][i], y[k]))
    x = [times(y[k], inverse[k]) for k in range(n)]
    for k in range(n):  # L x = D^-1 y
        for i in range(k):
            if not is_zero(L[k][i]):
                x[k] = minus(x[k], times(L[k][i], x[i]))
    return x, pivots
