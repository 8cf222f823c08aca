"""Linear complementarity problems: z >= 0, w = M z + q >= 0, z . w = 0."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

SMALL = 1e-13  # a number below this times the largest of its kind counts as zero


def complementary(M: Vector, q: Vector) -> Vector | None:
    """A solution z, or None where Lemke's method finds none.

    Lemke's method with lexicographic pivots [Cottle1992, section 4.4]: it ends,
    and for symmetric positive semidefinite M (frictionless contacts) it finds a solution whenever there is one. Rows
    and columns are measured by the roots of the diagonal of M, so that units of mass and length do not matter.
    """
    n = len(q)
    if not np.any(q < 0):
        return np.zeros(n)
    S = 1 / _roots(M)
    size = float(np.max(np.abs(S * q), initial=0.0))
    table = np.hstack([np.eye(n), -(S[:, None] * M * S), -np.ones((n, 1)), (S * q / size)[:, None]])
    basis = list(range(n))  # w has columns 0 ... n-1, z has n ... 2n-1, the artificial variable 2n
    row = _least(table, basis, np.ones(n))
    entering = 2 * n
    for _ in range(50 + 20 * n * n):
        leaving = basis[row]
        _pivot(table, row, entering)
        basis[row] = entering
        if leaving == 2 * n:
            return S * _read(table, basis, n) * size
        entering = leaving + n if leaving < n else leaving - n
        column = table[:, entering]
        if not np.any(column > SMALL * max(1.0, float(np.max(np.abs(column))))):
            return None
        row = _least(table, basis, column)
    return None


def _roots(M: Vector) -> Vector:
    """Roots of the diagonal; of its largest element where an entry is nothing beside it."""
    found = np.sqrt(np.abs(np.diag(M)))
    largest = float(np.max(found, initial=0.0)) or 1.0
    return np.where(found > 1e-8 * largest, found, largest)


def _least(table: Vector, basis: list[int], column: Vector) -> int:
    """The row that leaves: lexicographically least ratio; the artificial variable first among equals."""
    n = len(basis)
    limit = SMALL * max(1.0, float(np.max(np.abs(column))))
    rows = [i for i in range(n) if column[i] > limit]
    if all(index < n for index in basis):  # at the start the most negative q leaves
        return int(np.argmin(table[:, -1]))
    ratios = {i: table[i, -1] / column[i] for i in rows}
    least = min(ratios.values())
    tied = [i for i in rows if ratios[i] <= least + SMALL * max(1.0, abs(least))]
    for i in tied:
        if basis[i] == 2 * n:
            return i
    return min(tied, key=lambda i: tuple(table[i, :n] / column[i]))


def _pivot(table: Vector, row: int, column: int) -> None:
    table[row] /= table[row, column]
    for i in range(len(table)):
        if i != row:
            table[i] -= table[i, column] * table[row]


def _read(table: Vector, basis: list[int], n: int) -> Vector:
    z = np.zeros(n)
    for i, index in enumerate(basis):
        if n <= index < 2 * n:
            z[index - n] = max(0.0, float(table[i, -1]))
    return z
