"""Closing loops in native code: from a rough guess to the nearest configuration with phi = 0, by damped Gauss-Newton.

Nothing is known yet about typical sizes and ranks of the rows, since the clouds from which those are taken are made of
such configurations; rows whose pivot is below a small part of the first one are left out of a step. Behind the
parameters in p stands a 1 for each row that has a phi, and a 0 for each velocity constraint.
"""

from __future__ import annotations

from cardan.linalg.cholesky import backward
from cardan.linalg.constrained import impose, prepare
from cardan.linalg.projection import largest, move
from cardan.native.language import Array, IntArray, Kernel, f64, i64, native

STEPS = 60
CUT = 1e-10  # pivots below this times the first are not inverted
CLOSED = 1e-12  # residual, in units of the state's size, at which a configuration counts as closed
ACCEPTED = 1e3  # times CLOSED, where rounding allows no better
SHORTEST = 0.02  # of a full step
NOT_CLOSED = 1000000  # status


@native
def state_size(count: i64, y: Array) -> f64:
    """Largest of 1 and |y_i|."""
    found = 1.0
    for i in range(count):
        found = max(found, abs(y[i]))
    return found


@native
def usable_pivots(m: i64, rank: i64, R: Array, order: Array) -> i64:
    """How many of the chosen rows have pivots worth inverting."""
    first = 0.0
    count = 0
    for k in range(rank):
        for i in range(m):
            if order[i] == float(k):
                pivot = R[k * m + i]
                if k == 0:
                    first = pivot
                if pivot > CUT * first and count == k:
                    count = k + 1
    return count


@native
def close(
    terms: Kernel, residual: Kernel, rates: Kernel, nq: i64, n: i64, m: i64, parameters: i64, spins: IntArray, t: f64,
    given: Array, p: Array, work: Array, y: Array,
) -> i64:  # fmt: skip
    """y = a configuration with phi = 0 near the given one; 0, the status of a kernel, or NOT_CLOSED."""
    M, h, A = work[nq:], work[nq + n * n :], work[nq + n * n + n :]
    b = work[nq + n * n + n + m * n :]
    L = work[nq + n * n + n + m * n + m :]
    W, V = L[n * n :], L[n * n + m * n :]
    R, order, d = V[m * n :], V[m * n + m * m :], V[m * n + m * m + m :]
    z, defect, scratch = d[m:], d[m + n :], d[m + n + 2 * m :]
    step, trial, counts = scratch[2 * nq + n :], scratch[2 * nq + 2 * n :], p[parameters:]
    for i in range(nq + n):
        y[i] = given[i]
    good = CLOSED * state_size(nq + n, y)
    status = residual(t, y, p, defect)
    size = largest(m, defect, counts)
    for _ in range(STEPS):
        if status != 0:
            return int(status)
        if not size > good:
            break
        status = terms(t, y, p, work)
        if status != 0:
            return int(status)
        status = prepare(n, m, min(m, n), counts, A, b, M, h, L, W, V, R, order)
        if status != 0:
            return int(status)
        for i in range(n):
            z[i] = 0.0
        for i in range(m):
            defect[i] = -defect[i]
        impose(n, m, usable_pivots(m, min(m, n), R, order), counts, defect, V, R, order, z, d)
        backward(n, L, z)
        factor, new = 1.0, 1e300
        while True:
            for i in range(nq + n):
                trial[i] = y[i]
            for i in range(n):
                step[i] = factor * z[i]
            status = move(nq, n, spins, rates, t, trial, p, step, scratch)
            if status == 0:
                status = residual(t, trial, p, defect)
            if status != 0:
                return int(status)
            new = largest(m, defect, counts)
            if new < size or factor < SHORTEST:
                break
            factor = factor / 2.0
        if not new < size:
            break
        for i in range(nq):
            y[i] = trial[i]
        size = new
    if not size <= ACCEPTED * good:
        return NOT_CLOSED
    return 0


def closing_workspace(nq: int, n: int) -> int:
    """Numbers of scratch beyond those that projecting needs."""
    return nq + 2 * n
