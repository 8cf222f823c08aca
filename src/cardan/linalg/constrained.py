"""Accelerations, multipliers and projections of constrained systems, in native code.

With M = L L^T and rows a_i of A, the scaled rows w_i = L^-1 a_i / s_i are orthonormalised by pivoted Gram-Schmidt,
w_p(k) = sum over j <= k of R_jk V_j, as far as the generic rank r of the constraints. The rows V span what the
constraints forbid, in the metric of M; everything else follows from them:

    M vd + h = A^T lam,  A vd = b    ->    z = L^T vd = z0 + V^T (c - V z0),   z0 = -L^-1 h,   R^T c = b / s
    the closest motion with A v = b  ->    the same with z0 = L^T v

Dependent rows beyond the rank r are dropped; they change neither the accelerations nor the projections.
"""

from __future__ import annotations

from math import sqrt

from cardan.linalg.cholesky import backward, cholesky, dot, forward, forward_rows, products, subtract_multiple
from cardan.native.language import Array, IntArray, f64, i64, native

WAITING, HELD_BACK = -1.0, -2.0  # order of rows that were not chosen yet, or may not be chosen yet


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
def orthonormal_rows(n: i64, m: i64, rank: i64, W: Array, V: Array, R: Array, order: Array) -> i64:
    """Pivoted Gram-Schmidt of the rows of W (destroyed), as far as ``rank``; returns how many were found.

    ``order[i]`` says when row i was chosen, -1 where it was not; ``R[k * m + i]`` is the share of V_k in row i.
    """
    for i in range(m):
        order[i] = WAITING
    return choose_rows(n, m, 0, rank, W, V, R, order)


@native
def holonomic_rows_first(
    n: i64, m: i64, rank: i64, first: i64, has_phi: IntArray, W: Array, V: Array, R: Array, order: Array
) -> i64:  # fmt: skip
    """As ``orthonormal_rows``, but ``first`` rows are taken from those with a phi before any other is considered.

    A velocity constraint may repeat what a holonomic one says. Whichever is chosen, the velocities are the same; but
    only the holonomic one can tell how far a configuration has drifted. Returns how many of the first were found.
    """
    for i in range(m):
        order[i] = WAITING if has_phi[i] != 0 else HELD_BACK
    found = choose_rows(n, m, 0, first, W, V, R, order)
    for i in range(m):
        if order[i] < 0.0:
            order[i] = WAITING
    choose_rows(n, m, found, rank, W, V, R, order)
    return found


@native
def choose_rows(n: i64, m: i64, begin: i64, rank: i64, W: Array, V: Array, R: Array, order: Array) -> i64:
    """Go on from ``begin`` rows chosen to ``rank`` of them, among those that wait; returns how many there are then."""
    for k in range(begin, rank):
        best, at = 0.0, -1
        here, own = R[k * m :], V[k * n :]
        for i in range(m):
            if order[i] == WAITING:
                size = dot(n, W[i * n :], W[i * n :])
                if size > best:
                    best, at = size, i
        if at < 0 or not best > 1e-280:
            for c in range(k * n, rank * n):
                V[c] = 0.0
            return k
        row = W[at * n :]
        products(n, k, V, row, own)  # once more, so that rounding does not tilt V
        for j in range(k):
            R[j * m + at] += own[j]
        for j in range(k):
            subtract_multiple(n, own[j], V[j * n :], row)
        length = sqrt(dot(n, row, row))
        for c in range(n):
            own[c] = row[c] / length
        order[at] = float(k)
        products(n, m, W, own, here)
        here[at] = length
        for i in range(m):
            if order[i] < 0.0:
                subtract_multiple(n, here[i], own, W[i * n :])
    return rank


@native
def chosen_row(m: i64, order: Array, k: i64) -> i64:
    """The row that was chosen k-th, -1 where fewer rows were independent."""
    for i in range(m):
        if order[i] == float(k):
            return i
    return -1


@native
def last_pivot(m: i64, rank: i64, R: Array, order: Array) -> f64:
    """The pivot that completes the rank, 1 where nothing is constrained: how far the rows are from losing rank."""
    if rank == 0:
        return 1.0
    for i in range(m):
        if order[i] == float(rank - 1):
            return float(R[(rank - 1) * m + i])
    return 0.0


@native
def last_pivots(
    count: i64, n: i64, m: i64, rank: i64, stack: Array, V: Array, R: Array, order: Array, out: Array
) -> None:  # fmt: skip
    """The last pivot of each of several matrices (destroyed)."""
    for k in range(count):
        orthonormal_rows(n, m, rank, stack[k * m * n :], V, R, order)
        out[k] = last_pivot(m, rank, R, order)


@native
def prepare(
    n: i64, m: i64, rank: i64, scale: Array, A: Array, b: Array, M: Array, h: Array, L: Array, W: Array, V: Array,
    R: Array, order: Array,
) -> i64:  # fmt: skip
    """Factor M and orthonormalise the rows of A; 0, or 1 + the index of a pivot of M that failed."""
    status = measure_rows(n, m, scale, A, b, M, h, L, W)
    if status == 0:
        orthonormal_rows(n, m, rank, W, V, R, order)
    return status


@native
def measure_rows(
    n: i64, m: i64, scale: Array, A: Array, b: Array, M: Array, h: Array, L: Array, W: Array
) -> i64:  # fmt: skip
    """M = L L^T and W = A L^-T with scaled rows; 0, or 1 + the index of a pivot of M that failed."""
    status = cholesky(n, M, L)
    if status != 0:
        stiffen(n, m, scale, A, b, M, h)
        status = cholesky(n, M, L)
        if status != 0:
            return status
    for i in range(m):
        row = W[i * n :]
        for j in range(n):
            row[j] = 0.0
        if scale[i] > 0.0:
            for j in range(n):
                row[j] = A[i * n + j] / scale[i]
    forward_rows(n, m, L, W)
    return 0


@native
def impose(
    n: i64, m: i64, rank: i64, scale: Array, b: Array, V: Array, R: Array, order: Array, z: Array, d: Array
) -> None:  # fmt: skip
    """z <- the closest point with R^T V z = b / s; d holds the amounts moved along V."""
    for k in range(rank):
        at = chosen_row(m, order, k)
        d[k] = 0.0
        if at < 0:
            continue
        c = b[at] / scale[at]
        for j in range(k):
            c -= R[j * m + at] * d[j]
        d[k] = c / R[k * m + at]  # for now the coordinate along V_k that is wanted
    for k in range(rank):
        d[k] -= dot(n, V[k * n :], z)
    for k in range(rank):
        subtract_multiple(n, -d[k], V[k * n :], z)


@native
def multipliers(m: i64, rank: i64, scale: Array, R: Array, order: Array, d: Array, lam: Array) -> None:
    """lam with sum of w_i s_i lam_i = sum of V_k d_k: zero for the rows that were dropped."""
    for i in range(m):
        lam[i] = 0.0
    for step in range(rank):
        k = rank - 1 - step
        total = d[k]
        at = chosen_row(m, order, k)
        if at < 0:
            continue
        for j in range(k + 1, rank):
            other = chosen_row(m, order, j)
            if other >= 0:
                total -= R[k * m + other] * lam[other]
        lam[at] = total / R[k * m + at]
    for i in range(m):
        if scale[i] > 0.0:
            lam[i] = lam[i] / scale[i]


@native
def constrained_motion(
    n: i64, m: i64, rank: i64, scale: Array, M: Array, h: Array, A: Array, b: Array, work: Array, vd: Array
) -> i64:  # fmt: skip
    """vd of M vd + h = A^T lam, A vd = b; 0, or 1 + the index of a pivot of M that failed."""
    L, W, V = work, work[n * n :], work[n * n + m * n :]
    R, order, d = work[n * n + 2 * m * n :], work[n * n + 2 * m * n + m * m :], work[n * n + 2 * m * n + m * m + m :]
    status = prepare(n, m, rank, scale, A, b, M, h, L, W, V, R, order)
    if status != 0:
        return status
    for i in range(n):
        vd[i] = -h[i]
    forward(n, L, vd)
    impose(n, m, rank, scale, b, V, R, order, vd, d)
    backward(n, L, vd)
    return 0


@native
def accelerations(
    n: i64, m: i64, rank: i64, scale: Array, M: Array, h: Array, A: Array, b: Array, work: Array, vd: Array, lam: Array
) -> i64:  # fmt: skip
    """As ``constrained_motion``, and lam."""
    status = constrained_motion(n, m, rank, scale, M, h, A, b, work, vd)
    if status != 0:
        return status
    R, order, d = work[n * n + 2 * m * n :], work[n * n + 2 * m * n + m * m :], work[n * n + 2 * m * n + m * m + m :]
    multipliers(m, rank, scale, R, order, d, lam)
    return 0
