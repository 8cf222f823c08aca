"""Cholesky factors of symmetric positive definite matrices, in native code."""

from __future__ import annotations

from math import sqrt

from cardan.native.language import Array, f64, i64, native

PIVOT_TOLERANCE = 1.4210854715202004e-14  # 64 machine epsilons: below this times its diagonal a pivot is rounding


@native
def dot(n: i64, x: Array, y: Array) -> f64:
    """x . y; four sums side by side, so that they do not wait for each other."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    i = 0
    while i + 4 <= n:
        a += x[i] * y[i]
        b += x[i + 1] * y[i + 1]
        c += x[i + 2] * y[i + 2]
        d += x[i + 3] * y[i + 3]
        i += 4
    total = (a + b) + (c + d)
    while i < n:
        total += x[i] * y[i]
        i += 1
    return total


@native(wide=True)
def subtract_multiple(n: i64, factor: f64, x: Array, y: Array) -> None:
    """y <- y - factor x"""
    for i in range(n):
        y[i] -= factor * x[i]


@native
def cholesky(n: i64, M: Array, L: Array) -> i64:
    """M = L L^T with L in the lower triangle, rows contiguous; 0, or 1 + the index of the pivot that failed."""
    for i in range(n):
        row = L[i * n :]
        for j in range(i):
            row[j] = (M[i * n + j] - dot(j, row, L[j * n :])) / L[j * n + j]
        pivot = M[i * n + i] - dot(i, row, row)
        if not pivot > PIVOT_TOLERANCE * M[i * n + i]:
            return i + 1
        row[i] = sqrt(pivot)
    return 0


@native
def forward(n: i64, L: Array, x: Array) -> None:
    """x <- L^-1 x"""
    for i in range(n):
        x[i] = (x[i] - dot(i, L[i * n :], x)) / L[i * n + i]


@native
def backward(n: i64, L: Array, x: Array) -> None:
    """x <- L^-T x"""
    for k in range(n):
        i = n - 1 - k
        x[i] = x[i] / L[i * n + i]
        subtract_multiple(i, x[i], L[i * n :], x)
