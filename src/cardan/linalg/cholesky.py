"""Cholesky factors of symmetric positive definite matrices, in native code."""

from __future__ import annotations

from math import sqrt

from cardan.native.language import Array, f64, i64, native

PIVOT_TOLERANCE = 1.4210854715202004e-14  # 64 machine epsilons: below this times its diagonal a pivot is rounding


@native
def dot(n: i64, x: Array, y: Array) -> f64:
    """x . y"""
    total = 0.0
    for i in range(n):
        total += x[i] * y[i]
    return total


@native
def products(n: i64, m: i64, W: Array, x: Array, out: Array) -> None:
    """out = W x for m rows of n numbers; four rows at a time, so that their sums do not wait for each other."""
    i = 0
    while i + 4 <= m:
        a, b, c, d = W[i * n :], W[(i + 1) * n :], W[(i + 2) * n :], W[(i + 3) * n :]
        p, q, r, s = 0.0, 0.0, 0.0, 0.0
        for j in range(n):
            p += a[j] * x[j]
            q += b[j] * x[j]
            r += c[j] * x[j]
            s += d[j] * x[j]
        out[i], out[i + 1], out[i + 2], out[i + 3] = p, q, r, s
        i += 4
    while i < m:
        out[i] = dot(n, W[i * n :], x)
        i += 1


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
def forward_rows(n: i64, m: i64, L: Array, W: Array) -> None:
    """Each of m rows of W <- L^-1 row, four at a time; a column of L that is zero costs nothing."""
    r = 0
    while r + 4 <= m:
        a, b, c, d = W[r * n :], W[(r + 1) * n :], W[(r + 2) * n :], W[(r + 3) * n :]
        for i in range(n):
            row = L[i * n :]
            s, t, u, v = a[i], b[i], c[i], d[i]
            for j in range(i):
                if row[j] != 0.0:
                    s -= row[j] * a[j]
                    t -= row[j] * b[j]
                    u -= row[j] * c[j]
                    v -= row[j] * d[j]
            a[i], b[i], c[i], d[i] = s / row[i], t / row[i], u / row[i], v / row[i]
        r += 4
    while r < m:
        forward(n, L, W[r * n :])
        r += 1


@native
def backward(n: i64, L: Array, x: Array) -> None:
    """x <- L^-T x"""
    for k in range(n):
        i = n - 1 - k
        x[i] = x[i] / L[i * n + i]
        subtract_multiple(i, x[i], L[i * n :], x)
