"""What a simulator asks of a constrained system, in native code: accelerations, the way back, and how near it is to
losing rank.

``terms`` is a kernel with out = [qd (nq), M (n n), h (n), A (m n), b (m)], ``residual`` one with out = [phi (m, zero
for velocity constraints), A v + b0 (m)]. Behind the parameters in p stand the row scales (m), HEAD numbers (the rank r,
the least pivot below which accelerations are refused, the one that an event watches, the rank of the rows that have a
phi), and shifts of phi (m). Constants of a model are ``places`` (n: the velocities in an order in which the entries of
M and A stand close together), ``has_phi`` (m; 1 or 0) and ``spins`` (how many quaternions q has, then where each
begins).

The least pivot is that of r scaled rows, which have a typical length of 1: zero where the rank is less than r.
"""

from __future__ import annotations

from math import sqrt

from cardan.linalg.constrained import constrained_motion, factors_size, impose, measure_rows, prepare
from cardan.linalg.envelope import backward_within, rearrange, restore_row
from cardan.linalg.orthonormal import holonomic_rows_first, least_pivot
from cardan.native.language import Array, IntArray, Kernel, f64, i64, native

POSITION_ITERATIONS = 4
VELOCITY_ITERATIONS = 2
RANK, REFUSED, WATCHED, HOLONOMIC_RANK = 0, 1, 2, 3  # numbers between scales and shifts
HEAD = 4  # how many


@native
def constrained_rhs(
    terms: Kernel, nq: i64, n: i64, m: i64, parameters: i64, places: IntArray, t: f64, y: Array, p: Array, work: Array,
    out: Array,
) -> i64:  # fmt: skip
    """ydot = [N(q) v, vd] of M vd + h = A^T lam, A vd = b."""
    status = terms(t, y, p, work)
    if status != 0:
        return int(status)
    for i in range(nq):
        out[i] = work[i]
    M, h, A = work[nq:], work[nq + n * n :], work[nq + n * n + n :]
    b = work[nq + n * n + n + m * n :]
    L = work[nq + n * n + n + m * n + m :]
    R = L[n * n + 2 * m * n :]
    book = R[m * m :]
    vd = book[8 * m + n :]
    rank = int(p[parameters + m + RANK])
    rearrange(n, m, places, M, h, A, L)
    status = constrained_motion(n, m, rank, p[parameters:], M, h, A, b, L, vd)
    if status != 0:
        return status
    if not least_pivot(m, rank, R, book) >= p[parameters + m + REFUSED]:
        return n + 1
    restore_row(n, places, vd, out[nq:])
    return 0


@native
def nearness(
    terms: Kernel, nq: i64, n: i64, m: i64, parameters: i64, places: IntArray, t: f64, y: Array, p: Array, work: Array,
    out: Array,
) -> i64:  # fmt: skip
    """out[0] = least pivot minus the watched one."""
    status = terms(t, y, p, work)
    if status != 0:
        return int(status)
    M, h, A = work[nq:], work[nq + n * n :], work[nq + n * n + n :]
    b = work[nq + n * n + n + m * n :]
    L = work[nq + n * n + n + m * n + m :]
    W, V = L[n * n :], L[n * n + m * n :]
    R, book = V[m * n :], V[m * n + m * m :]
    rank = int(p[parameters + m + RANK])
    rearrange(n, m, places, M, h, A, L)
    status = prepare(n, m, rank, p[parameters:], A, b, M, h, L, W, V, R, book)
    out[0] = least_pivot(m, rank, R, book) - p[parameters + m + WATCHED]
    return status


@native
def move(
    nq: i64, n: i64, spins: IntArray, rates: Kernel, t: f64, y: Array, p: Array, step: Array, scratch: Array
) -> i64:  # fmt: skip
    """q <- q + N(q) step, unit quaternions kept unit; ``scratch`` holds nq + n + nq numbers."""
    for i in range(nq):
        scratch[i] = y[i]
    for i in range(n):
        scratch[nq + i] = step[i]
    status = rates(t, scratch, p, scratch[nq + n :])
    for i in range(nq):
        y[i] += scratch[nq + n + i]
    for k in range(spins[0]):
        e = y[spins[1 + k] :]
        length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3])
        for i in range(4):
            e[i] = e[i] / length
    return int(status)


@native
def largest(m: i64, x: Array, scale: Array) -> f64:
    """Largest |x_i| / scale_i over the rows that count."""
    found = 0.0
    for i in range(m):
        if scale[i] > 0.0:
            found = max(found, abs(x[i]) / scale[i])
    return found


@native
def project(
    terms: Kernel, residual: Kernel, rates: Kernel, nq: i64, n: i64, m: i64, parameters: i64, places: IntArray, has_phi:
    IntArray, spins: IntArray, t: f64, given: Array, p: Array, work: Array, y: Array,
) -> i64:  # fmt: skip
    """y = the given state brought back to phi = 0 and A v + b0 = 0, mass-orthogonally, by simplified Newton steps.

    Velocity constraints do not restrict where a system can be: their rows take no part in the steps of the position.
    """
    for i in range(nq + n):
        y[i] = given[i]
    status = terms(t, y, p, work)
    if status != 0:
        return int(status)
    M, h, A = work[nq:], work[nq + n * n :], work[nq + n * n + n :]
    b = work[nq + n * n + n + m * n :]
    L = work[nq + n * n + n + m * n + m :]
    W, V = L[n * n :], L[n * n + m * n :]
    R, book = V[m * n :], V[m * n + m * m :]
    d = book[7 * m + n :]
    z, defect, scratch = d[m:], d[m + 2 * n :], d[m + 2 * n + 2 * m :]
    step = z[n:]
    scale, shift = p[parameters:], p[parameters + m + HEAD :]
    rank = int(p[parameters + m + RANK])
    rearrange(n, m, places, M, h, A, L)
    status = measure_rows(n, m, scale, A, b, M, h, L, W, book)
    if status != 0:
        return int(status)
    first = holonomic_rows_first(n, m, rank, int(p[parameters + m + HOLONOMIC_RANK]), has_phi, W, V, R, book)
    before = 1e300
    for _ in range(POSITION_ITERATIONS):
        status = residual(t, y, p, defect)
        if status != 0:
            return int(status)
        for i in range(m):
            defect[i] -= shift[i]
        now = largest(m, defect, scale)
        if now == 0.0 or not now < 0.5 * before:
            break
        before = now
        step_along(n, m, first, scale, places, defect, L, V, R, book, z, d, step)
        status = move(nq, n, spins, rates, t, y, p, step, scratch)
        if status != 0:
            return int(status)
    for _ in range(VELOCITY_ITERATIONS):
        status = residual(t, y, p, defect)
        if status != 0:
            return int(status)
        step_along(n, m, rank, scale, places, defect[m:], L, V, R, book, z, d, step)
        for i in range(n):
            y[nq + i] += step[i]
    return 0


@native
def step_along(
    n: i64, m: i64, rank: i64, scale: Array, places: IntArray, defect: Array, L: Array, V: Array, R: Array, book: Array,
    z: Array, d: Array, step: Array,
) -> None:  # fmt: skip
    """step <- the shortest one, in the metric of M, with A step = -defect."""
    for i in range(n):
        z[i] = 0.0
    for i in range(m):
        defect[i] = -defect[i]
    impose(n, m, rank, scale, defect, V, R, book, z, d)
    backward_within(n, L, book[7 * m :], z)
    restore_row(n, places, z, step)


def workspace(nq: int, n: int, m: int) -> int:
    """Numbers of scratch that the functions above need."""
    own = nq + n * n + n + m * n + m
    return own + factors_size(n, m) + m + 2 * n + 2 * m + 2 * nq + n + 8
