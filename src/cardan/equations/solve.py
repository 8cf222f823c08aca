"""Solving with a symmetric positive definite matrix of expressions, sparsity kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cardan.equations.articulated import reciprocal
from cardan.geometry.scalar import Scalar, is_zero, minus, times


@dataclass(frozen=True)
class Factors:
    """M = L^T D L with ones on the diagonal of L; ``pivots`` are D with the entries of M to compare them with.

    Elimination runs from the last row to the first: where parents come before children this makes no fill-in
    [Featherstone2008, section 6.5].
    """

    below: list[list[tuple[int, Scalar]]]  # of each row of L: the columns left of the diagonal that are not zero
    inverse: list[Scalar]
    pivots: list[tuple[Scalar, Scalar]]

    @classmethod
    def of(cls, matrix: Sequence[Sequence[Scalar]]) -> Factors:
        n = len(matrix)
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
        below = [[(i, L[k][i]) for i in range(k) if not is_zero(L[k][i])] for k in range(n)]
        return cls(below, inverse, [(L[k][k], matrix[k][k]) for k in range(n)])

    def solve(self, right: Sequence[Scalar], last: int | None = None) -> list[Scalar]:
        """x with M x = right; with ``last`` only the entries up to that one."""
        y = list(right)
        for k in reversed(range(len(y))):  # L^T y = b
            if not is_zero(y[k]):
                for i, factor in self.below[k]:
                    y[i] = minus(y[i], times(factor, y[k]))
        x = [times(one, inverse) for one, inverse in zip(y, self.inverse, strict=True)]
        for k in range(len(x) if last is None else last + 1):  # L x = D^-1 y
            for i, factor in self.below[k]:
                x[k] = minus(x[k], times(factor, x[i]))
        return x

    def inverted(self) -> list[list[Scalar]]:
        """M^-1, one triangle computed."""
        n = len(self.inverse)
        columns = [self.solve([1 if i == j else 0 for i in range(n)], last=j) for j in range(n)]
        return [[columns[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]


def symmetric_solve(
    matrix: Sequence[Sequence[Scalar]], right: Sequence[Scalar]
) -> tuple[list[Scalar], list[tuple[Scalar, Scalar]]]:
    """x with M x = b, and the pivots with the diagonal entries of M they are to be compared with."""
    factors = Factors.of(matrix)
    return factors.solve(right), factors.pivots
