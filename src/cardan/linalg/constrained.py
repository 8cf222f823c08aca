"""Accelerations, multipliers and projections of constrained systems, in native code.

With M = L L^T and rows a_i of A, the scaled rows w_i = L^-1 a_i / s_i are orthonormalised by pivoted Gram-Schmidt,
w_i = sum over k of R_ik V_k (``orthonormal.py``), as far as the generic rank r of the constraints. The rows V span what
the constraints forbid, in the metric of M; everything else follows from them:

    M vd + h = A^T lam,  A vd = b    ->    z = L^T vd = z0 + V^T (c - V z0),   z0 = -L^-1 h,   R c = b / s
    the closest motion with A v = b  ->    the same with z0 = L^T v

Dependent rows beyond the rank r are dropped; they change neither the accelerations nor the projections.
"""

from __future__ import annotations

from cardan.linalg.cholesky import dot, subtract_multiple
from cardan.linalg.envelope import backward_within, begins, cholesky_within, ends, forward_within, take_off, within
from cardan.linalg.orthonormal import book_size, orthonormal_rows
from cardan.native.language import Array, f64, i64, native


def factors_size(n: int, m: int) -> int:
    """How many numbers L, W, V, R and the book have."""
    return n * n + 2 * m * n + m * m + book_size(n, m)


@native
def largest_diagonal(n: i64, M: Array) -> f64:
    """The largest diagonal entry."""
    found = 0.0
    for i in range(n):
        found = max(found, M[i * n + i])
    return found


@native
def stiffen(n: i64, m: i64, scale: Array, A: Array, b: Array, M: Array, h: Array) -> None:
    """M <- M + sigma A^T A, h <- h - sigma A^T b: the same motion, and M regular where A restrains its null space."""
    size = 0.0
    for i in range(m):
        if scale[i] > 0.0:
            size = max(size, dot(n, A[i * n :], A[i * n :]) / scale[i] ** 2)
    if size == 0.0:
        return
    sigma = max(largest_diagonal(n, M), 1e-300) / size
    for i in range(m):
        if scale[i] > 0.0:
            row = A[i * n :]
            weight = sigma / scale[i] ** 2
            subtract_multiple(n, weight * b[i], row, h)
            for j in range(n):
                subtract_multiple(n, -weight * row[j], row, M[j * n :])


@native
def prepare(
    n: i64, m: i64, rank: i64, scale: Array, A: Array, b: Array, M: Array, h: Array, L: Array, W: Array, V: Array,
    R: Array, book: Array,
) -> i64:  # fmt: skip
    """Factor M and orthonormalise the rows of A; 0, or 1 + the index of a pivot of M that failed."""
    status = measure_rows(n, m, scale, A, b, M, h, L, W, book)
    if status == 0:
        orthonormal_rows(n, m, rank, W, V, R, book)
    return status


@native
def measure_rows(
    n: i64, m: i64, scale: Array, A: Array, b: Array, M: Array, h: Array, L: Array, W: Array, book: Array
) -> i64:  # fmt: skip
    """M = L L^T and W = A L^-T with scaled rows, measured; 0, or 1 + the index of a pivot of M that failed."""
    begin, end, first = book[m:], book[2 * m :], book[7 * m :]
    status = cholesky_within(n, M, first, L)
    if status != 0:
        stiffen(n, m, scale, A, b, M, h)
        status = cholesky_within(n, M, first, L)
        if status != 0:
            return status
    for i in range(m):
        row, given = W[i * n :], A[i * n :]
        for j in range(n):
            row[j] = 0.0
        begin[i], end[i] = 0.0, 0.0
        if scale[i] > 0.0:
            high = ends(n, given)
            low = begins(high, given)
            for j in range(low, high):
                row[j] = given[j] / scale[i]
            begin[i], end[i] = float(low), float(forward_within(n, L, first, low, high, row))
    return 0


@native
def impose(
    n: i64, m: i64, rank: i64, scale: Array, b: Array, V: Array, R: Array, book: Array, z: Array, d: Array
) -> None:  # fmt: skip
    """z <- the closest point with R V z = b / s; d holds the amounts moved along V."""
    begin, end, chosen = book[m:], book[2 * m :], book[4 * m :]
    for k in range(rank):
        at = int(chosen[k])
        d[k] = 0.0
        if at >= 0:  # for now the coordinate along V_k that is wanted
            d[k] = (b[at] / scale[at] - dot(k, R[at * m :], d)) / R[at * m + k]
    for k in range(rank):
        at = int(chosen[k])
        if at >= 0:
            d[k] -= within(int(begin[at]), int(end[at]), V[k * n :], z)
    for k in range(rank):
        at = int(chosen[k])
        if at >= 0:
            take_off(int(begin[at]), int(end[at]), -d[k], V[k * n :], z)


@native
def multipliers(m: i64, rank: i64, scale: Array, R: Array, book: Array, d: Array, lam: Array) -> None:
    """lam with sum of w_i s_i lam_i = sum of V_k d_k: zero for the rows that were dropped."""
    chosen = book[4 * m :]
    for i in range(m):
        lam[i] = 0.0
    for step in range(rank):
        k = rank - 1 - step
        total = d[k]
        at = int(chosen[k])
        if at < 0:
            continue
        for j in range(k + 1, rank):
            other = int(chosen[j])
            if other >= 0:
                total -= R[other * m + k] * lam[other]
        lam[at] = total / R[at * m + k]
    for i in range(m):
        if scale[i] > 0.0:
            lam[i] = lam[i] / scale[i]


@native
def constrained_motion(
    n: i64, m: i64, rank: i64, scale: Array, M: Array, h: Array, A: Array, b: Array, work: Array, vd: Array
) -> i64:  # fmt: skip
    """vd of M vd + h = A^T lam, A vd = b; 0, or 1 + the index of a pivot of M that failed.

    ``work`` holds the factors and m more numbers.
    """
    L, W, V = work, work[n * n :], work[n * n + m * n :]
    R, book = V[m * n :], V[m * n + m * m :]
    first, d = book[7 * m :], book[7 * m + n :]
    status = prepare(n, m, rank, scale, A, b, M, h, L, W, V, R, book)
    if status != 0:
        return status
    for i in range(n):
        vd[i] = -h[i]
    forward_within(n, L, first, 0, n, vd)
    impose(n, m, rank, scale, b, V, R, book, vd, d)
    backward_within(n, L, first, vd)
    return 0


@native
def accelerations(
    n: i64, m: i64, rank: i64, scale: Array, M: Array, h: Array, A: Array, b: Array, work: Array, vd: Array, lam: Array
) -> i64:  # fmt: skip
    """As ``constrained_motion``, and lam."""
    status = constrained_motion(n, m, rank, scale, M, h, A, b, work, vd)
    if status != 0:
        return status
    R = work[n * n + 2 * m * n :]
    book = R[m * m :]
    multipliers(m, rank, scale, R, book, book[7 * m + n :], lam)
    return 0
