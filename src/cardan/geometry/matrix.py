"""Vectors and small matrices of scalars of any kind, as plain tuples.

A vector is a tuple of scalars, a matrix a tuple of rows. Exact zeros and ones vanish from sums and products, so a
product of elementary rotations of SymPy angles or graph nodes is as short as one would write it by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from cardan.errors import WrongShape
from cardan.geometry.scalar import Scalar, half, minus, negative, plus, sqrt, square, times

Vector: TypeAlias = tuple[Scalar, ...]
Matrix: TypeAlias = tuple[Vector, ...]
VectorLike: TypeAlias = Sequence[Scalar]
MatrixLike: TypeAlias = Sequence[Sequence[Scalar]]

IDENTITY: Matrix = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
ZERO: Matrix = ((0, 0, 0), (0, 0, 0), (0, 0, 0))


def _plain(values: object) -> object:
    """Nested lists from a NumPy array or a SymPy matrix; anything else as it is."""
    return values.tolist() if hasattr(values, "tolist") else values


def as_vector(values: VectorLike, name: str = "vector", size: int = 3) -> Vector:
    """A tuple of ``size`` scalars from a sequence, a NumPy array, or a SymPy row or column."""
    entries = _plain(values)
    if not isinstance(entries, Sequence) or isinstance(entries, str):
        raise WrongShape(f"{name} must have {size} components; found {values!r}.", name=name, expected=size)
    if entries and isinstance(entries[0], (list, tuple)):  # a SymPy or NumPy column or row
        entries = [x for row in entries for x in row]
    if len(entries) != size:
        raise WrongShape(
            f"{name} must have {size} components; found {len(entries)}: {values!r}.",
            name=name,
            expected=size,
            found=len(entries),
        )
    return tuple(entries)


def as_matrix(values: MatrixLike, name: str = "matrix", shape: tuple[int, int] = (3, 3)) -> Matrix:
    """A tuple of rows from nested sequences, a NumPy array or a SymPy matrix."""
    rows = _plain(values)
    m, n = shape
    if not isinstance(rows, Sequence) or isinstance(rows, str) or len(rows) != m:
        raise WrongShape(f"{name} must be a {m} by {n} matrix; found {values!r}.", name=name, expected=shape)
    return tuple(as_vector(row, f"row {i + 1} of {name}", n) for i, row in enumerate(rows))


def dot(u: VectorLike, v: VectorLike) -> Scalar:
    """u . v"""
    total: Scalar = 0
    for a, b in zip(u, v, strict=True):
        total = plus(total, times(a, b))
    return total


def cross(u: VectorLike, v: VectorLike) -> Vector:
    """u x v"""
    a, b, c = u
    x, y, z = v
    return (
        minus(times(b, z), times(c, y)),
        minus(times(c, x), times(a, z)),
        minus(times(a, y), times(b, x)),
    )


def norm(u: VectorLike) -> Scalar:
    """Length of u."""
    return sqrt(dot(u, u))


def add(u: VectorLike, *others: VectorLike) -> Vector:
    """Sum of vectors."""
    total = tuple(u)
    for v in others:
        total = tuple(plus(a, b) for a, b in zip(total, v, strict=True))
    return total


def subtract(u: VectorLike, v: VectorLike) -> Vector:
    """u - v"""
    return tuple(minus(a, b) for a, b in zip(u, v, strict=True))


def scale(factor: Scalar, u: VectorLike) -> Vector:
    """factor u"""
    return tuple(times(factor, a) for a in u)


def negate(u: VectorLike) -> Vector:
    """-u"""
    return tuple(negative(a) for a in u)


def matmul(A: MatrixLike, B: MatrixLike) -> Matrix:
    """A B, for any fitting sizes."""
    columns = transpose(B)
    return tuple(tuple(dot(row, column) for column in columns) for row in A)


def congruence(A: MatrixLike, S: MatrixLike) -> Matrix:
    """A S A^T for a symmetric S: the triangle above the diagonal is computed, the other is the same."""
    half = matmul(A, S)
    return symmetric(len(half), lambda i, j: dot(half[i], A[j]))


def symmetric(n: int, entry: Callable[[int, int], Scalar]) -> Matrix:
    """The symmetric matrix of these entries (i <= j)."""
    above = [[entry(i, j) for j in range(i, n)] for i in range(n)]
    return tuple(tuple(above[min(i, j)][abs(i - j)] for j in range(n)) for i in range(n))


def matvec(A: MatrixLike, u: VectorLike) -> Vector:
    """A u"""
    return tuple(dot(row, u) for row in A)


def transpose(A: MatrixLike) -> Matrix:
    """A^T"""
    return tuple(zip(*A, strict=True))


def column(A: MatrixLike, j: int) -> Vector:
    """Column j of A, counted from 0."""
    return tuple(row[j] for row in A)


def matrix_add(A: MatrixLike, *others: MatrixLike) -> Matrix:
    """Sum of matrices."""
    return tuple(add(*rows) for rows in zip(A, *others, strict=True))


def matrix_subtract(A: MatrixLike, B: MatrixLike) -> Matrix:
    """A - B"""
    return tuple(subtract(a, b) for a, b in zip(A, B, strict=True))


def matrix_scale(factor: Scalar, A: MatrixLike) -> Matrix:
    """factor A"""
    return tuple(scale(factor, row) for row in A)


def diagonal(entries: VectorLike) -> Matrix:
    """The diagonal matrix of these entries."""
    return tuple(tuple(x if i == j else 0 for j in range(len(entries))) for i, x in enumerate(entries))


def outer(u: VectorLike, v: VectorLike) -> Matrix:
    """The dyad u v, entry (i, j) is u_i v_j."""
    return tuple(tuple(times(a, b) for b in v) for a in u)


def skew(u: VectorLike) -> Matrix:
    """The matrix of "u x": skew(u) v = u x v. Ruina writes S(u), Hemingway & O'Reilly skwt(u), (105)."""
    x, y, z = u
    return ((0, negative(z), y), (z, 0, negative(x)), (negative(y), x, 0))


def unskew(A: MatrixLike) -> Vector:
    """The axial vector of the skew part of A, Hemingway & O'Reilly (106): unskew(skew(u)) = u."""
    return (half(minus(A[2][1], A[1][2])), half(minus(A[0][2], A[2][0])), half(minus(A[1][0], A[0][1])))


def trace(A: MatrixLike) -> Scalar:
    """Sum of the diagonal."""
    total: Scalar = 0
    for i, row in enumerate(A):
        total = plus(total, row[i])
    return total


def determinant(A: MatrixLike) -> Scalar:
    """Determinant of a 3 by 3 matrix."""
    return dot(A[0], cross(A[1], A[2]))


def squared_norm(u: VectorLike) -> Scalar:
    """u . u"""
    total: Scalar = 0
    for a in u:
        total = plus(total, square(a))
    return total
