"""Newton steps near a loss of rank: constraint forces along the rows A0, constraints along the rows A1.

    M dv = r + A0^T dlam,    A1 dv = b        ->    (A1 M^-1 A0^T) dlam = b - A1 M^-1 r

solved by elimination with complete pivoting, as far as the generic rank and no further than pivots that are rounding.
"""

from __future__ import annotations

from typing import NamedTuple

from cardan.linalg.cholesky import backward, dot, forward
from cardan.native.language import Array, carve, f64, i64, native

ROUNDING = 1e-10  # pivots below this times the first are not divided by


class SaddleWork(NamedTuple):
    """M^-1 A0^T by rows, S, the unknowns without scales, and the order of rows and columns."""

    W: Array
    S: Array
    x: Array
    rows: Array
    columns: Array
    total: i64


@native
def saddle_work_in(n: i64, m: i64, work: Array) -> SaddleWork:
    """The scratch of a step at the begin of ``work``."""
    return carve(SaddleWork, work, m * n, m * m, m, m, m)


@native
def truncated_solve(m: i64, rank: i64, own: SaddleWork, x: Array) -> None:
    """x <- a solution of S x' = x with as many pivots as are sound; the unknowns without a pivot are zero."""
    S, rows, columns = own.S, own.rows, own.columns
    for i in range(m):
        rows[i] = float(i)
        columns[i] = float(i)
    first = 0.0
    found = 0
    for k in range(min(rank, m)):
        best, row, column = 0.0, k, k
        for i in range(k, m):
            for j in range(k, m):
                size = abs(S[int(rows[i]) * m + int(columns[j])])
                if size > best:
                    best, row, column = size, i, j
        if k == 0:
            first = best
        if not best > ROUNDING * first:
            break
        rows[k], rows[row] = rows[row], rows[k]
        columns[k], columns[column] = columns[column], columns[k]
        r, c = int(rows[k]), int(columns[k])
        for i in range(k + 1, m):
            at = int(rows[i])
            factor = S[at * m + c] / S[r * m + c]
            for j in range(k, m):
                S[at * m + int(columns[j])] -= factor * S[r * m + int(columns[j])]
            x[at] -= factor * x[r]
        found = k + 1
    for step in range(found):
        k = found - 1 - step
        r = int(rows[k])
        total = x[r]
        for j in range(k + 1, found):
            total -= S[r * m + int(columns[j])] * own.x[int(columns[j])]
        own.x[int(columns[k])] = total / S[r * m + int(columns[k])]
    for j in range(m):
        x[j] = 0.0
    for k in range(found):
        x[int(columns[k])] = own.x[int(columns[k])]


class Saddle(NamedTuple):
    """n velocities, m rows of which ``rank`` are independent, what they are divided by, L with M = L L^T, A0, A1, b."""

    n: i64
    m: i64
    rank: i64
    scale: Array
    L: Array
    A0: Array
    A1: Array
    b: Array


@native
def saddle_step(given: Saddle, r: Array, dlam: Array, own: SaddleWork) -> f64:
    """r <- dv and ``dlam``. Returns the largest |dlam_i| scale_i."""
    n, m, scale, L, W, S = given.n, given.m, given.scale, given.L, own.W, own.S
    forward(n, L, r)
    backward(n, L, r)  # M^-1 r
    for i in range(m):
        w = W[i * n :]
        for j in range(n):
            w[j] = 0.0
        if scale[i] > 0.0:
            for j in range(n):
                w[j] = given.A0[i * n + j] / scale[i]
            forward(n, L, w)
            backward(n, L, w)  # M^-1 a_i / s_i
    for i in range(m):
        dlam[i] = 0.0
        if scale[i] > 0.0:
            dlam[i] = (given.b[i] - dot(n, given.A1[i * n :], r)) / scale[i]
        for j in range(m):
            S[i * m + j] = 0.0
            if scale[i] > 0.0:
                S[i * m + j] = dot(n, given.A1[i * n :], W[j * n :]) / scale[i]
    truncated_solve(m, given.rank, own, dlam)
    largest = 0.0
    for i in range(m):
        if scale[i] > 0.0:
            for j in range(n):
                r[j] += dlam[i] * W[i * n + j]
            largest = max(largest, abs(dlam[i]))
            dlam[i] = dlam[i] / scale[i]
    return largest
