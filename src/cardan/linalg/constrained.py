"""Accelerations, multipliers and projections of constrained systems, in native code.

With M = L L^T and rows a_i of A, the scaled rows w_i = L^-1 a_i / s_i are orthonormalised by pivoted Gram-Schmidt,
w_i = sum over k of R_ik V_k (``orthonormal.py``), as far as the generic rank r of the constraints. The rows V span what
the constraints forbid, in the metric of M; everything else follows from them:

    M vd + h = A^T lam,  A vd = b    ->    z = L^T vd = z0 + V^T (c - V z0),   z0 = -L^-1 h,   R c = b / s
    the closest motion with A v = b  ->    the same with z0 = L^T v

Dependent rows beyond the rank r are dropped; they change neither the accelerations nor the projections.
"""

from __future__ import annotations

from typing import NamedTuple

from cardan.linalg.cholesky import dot, subtract_multiple
from cardan.linalg.envelope import backward_within, begins, cholesky_within, ends, forward_within, take_off, within
from cardan.linalg.orthonormal import Rows, book_in, orthonormal_rows
from cardan.native.language import Array, carve, f64, i64, native, room_for


class System(NamedTuple):
    """M vd + h = A^T lam, A vd = b for n velocities and m rows, of which ``rank`` are independent.

    ``scale`` holds what each row is divided by; rows whose scale is 0 are not in force.
    """

    n: i64
    m: i64
    rank: i64
    scale: Array
    M: Array
    h: Array
    A: Array
    b: Array


class Factors(NamedTuple):
    """M = L L^T, and the rows of A in its metric."""

    L: Array
    rows: Rows
    total: i64


class Matrices(NamedTuple):
    """The matrices of ``Factors``, in the order in which they stand."""

    L: Array
    W: Array
    V: Array
    R: Array
    total: i64


@native
def factors_in(n: i64, m: i64, work: Array) -> Factors:
    """Factors at the begin of ``work``."""
    own = carve(Matrices, work, n * n, m * n, m * n, m * m)
    book = book_in(n, m, work[own.total :])
    return Factors(own.L, Rows(n, m, own.W, own.V, own.R, book), own.total + book.total)


def factors_size(n: int, m: int) -> int:
    """How many numbers factors have."""
    return room_for(factors_in, n, m)


@native
def largest_diagonal(n: i64, M: Array) -> f64:
    """The largest diagonal entry."""
    found = 0.0
    for i in range(n):
        found = max(found, M[i * n + i])
    return found


@native
def stiffen(system: System) -> None:
    """M <- M + sigma A^T A, h <- h - sigma A^T b: the same motion, and M regular where A restrains its null space."""
    n, m, scale, A, M = system.n, system.m, system.scale, system.A, system.M
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
            subtract_multiple(n, weight * system.b[i], row, system.h)
            for j in range(n):
                subtract_multiple(n, -weight * row[j], row, M[j * n :])


@native
def prepare(system: System, factors: Factors) -> i64:
    """Factor M and orthonormalise the rows of A; 0, or 1 + the index of a pivot of M that failed."""
    status = measure_rows(system, factors)
    if status == 0:
        orthonormal_rows(factors.rows, system.rank)
    return status


@native
def measure_rows(system: System, factors: Factors) -> i64:
    """M = L L^T and W = A L^-T with scaled rows, measured; 0, or 1 + the index of a pivot of M that failed."""
    n, scale, L, first = system.n, system.scale, factors.L, factors.rows.book.first
    begin, end = factors.rows.book.begin, factors.rows.book.end
    status = cholesky_within(n, system.M, first, L)
    if status != 0:
        stiffen(system)
        status = cholesky_within(n, system.M, first, L)
        if status != 0:
            return status
    for i in range(system.m):
        row, given = factors.rows.W[i * n :], system.A[i * n :]
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
def impose(rows: Rows, rank: i64, scale: Array, b: Array, z: Array, d: Array) -> None:
    """z <- the closest point with R V z = b / s; d holds the amounts moved along V."""
    n, m, V, R = rows.n, rows.m, rows.V, rows.R
    begin, end, chosen = rows.book.begin, rows.book.end, rows.book.chosen
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
def multipliers(rows: Rows, rank: i64, scale: Array, d: Array, lam: Array) -> None:
    """lam with sum of w_i s_i lam_i = sum of V_k d_k: zero for the rows that were dropped."""
    m, R, chosen = rows.m, rows.R, rows.book.chosen
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
def constrained_motion(system: System, factors: Factors, d: Array, vd: Array) -> i64:
    """vd of M vd + h = A^T lam, A vd = b, and m amounts d along V; 0, or 1 + the index of a pivot of M that failed."""
    n, first = system.n, factors.rows.book.first
    status = prepare(system, factors)
    if status != 0:
        return status
    for i in range(n):
        vd[i] = -system.h[i]
    forward_within(n, factors.L, first, 0, n, vd)
    impose(factors.rows, system.rank, system.scale, system.b, vd, d)
    backward_within(n, factors.L, first, vd)
    return 0


@native
def accelerations(system: System, work: Array, vd: Array, lam: Array) -> i64:
    """As ``constrained_motion``, and lam; ``work`` holds the factors and m more numbers."""
    factors = factors_in(system.n, system.m, work)
    d = work[factors.total :]
    status = constrained_motion(system, factors, d, vd)
    if status != 0:
        return status
    multipliers(factors.rows, system.rank, system.scale, d, lam)
    return 0
