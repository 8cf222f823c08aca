"""Closing loops in native code: from rough guesses to near configurations with phi = 0, by damped Gauss-Newton.

Nothing is known yet about typical sizes and ranks of the rows, since these are taken from a cloud of such
configurations. Behind the parameters in p stand typical sizes of the coordinates, one for each velocity; the size of a
row is how much phi changes when the coordinates change by these, sum_j |A_ij| size_j, the largest met on the way.
Residuals are measured by it, so that neither units nor the scale of a mechanism matter. A row that is much smaller than
others of its unit (``units``: TYPED, LENGTHS or NUMBERS) is one that vanishes but for rounding; it counts as if it had
a small part of their size. Rows whose pivot is below a small part of the first one are left out of a step.
"""

from __future__ import annotations

from cardan.linalg.constrained import impose, prepare
from cardan.linalg.envelope import backward_within, cholesky_within, forward_within, rearrange, restore_row
from cardan.linalg.projection import move
from cardan.native.language import Array, IntArray, Kernel, f64, i64, native

STEPS = 60
CUT = 1e-10  # pivots below this times the first are not inverted
CLOSED = 1e-14  # residual, in units of the size of its row, at which a configuration counts as closed
ACCEPTED = 1e5  # times CLOSED, where rounding allows no better
SHORTEST = 0.02  # of a full step
NOT_CLOSED = 1000000  # status
TYPED, LENGTHS, NUMBERS = 0, 1, 2  # what rows measure
SMALL = 1e-3  # part of the largest row of its unit that a row counts for at least
FAR, MEASURED, UNMEASURED = 0.0, 1.0, 2.0  # of a place: not closed, closed, closed but with a singular M


@native
def usable_pivots(m: i64, rank: i64, R: Array, book: Array) -> i64:
    """How many of the chosen rows have pivots worth inverting."""
    chosen = book[4 * m :]
    first = 0.0
    for k in range(rank):
        at = int(chosen[k])
        if at < 0:
            return k
        if k == 0:
            first = R[at * m]
        if not R[at * m + k] > CUT * first:
            return k
    return rank


@native
def enlarge(n: i64, m: i64, has_phi: IntArray, units: IntArray, A: Array, sizes: Array, extent: Array) -> None:
    """extent <- the larger of itself and the sizes of the rows of A that have a phi."""
    for unit in range(3):
        largest = 0.0
        if unit == NUMBERS:
            largest = 1.0
        for i in range(m):
            if has_phi[i] != 0 and units[i] == unit:
                found = 0.0
                for j in range(n):
                    found += abs(A[i * n + j]) * sizes[j]
                extent[i] = max(extent[i], found)
                largest = max(largest, extent[i])
        for i in range(m):
            if has_phi[i] != 0 and units[i] == unit:
                extent[i] = max(extent[i], SMALL * largest)


@native
def openness(m: i64, has_phi: IntArray, phi: Array, extent: Array) -> f64:
    """Largest |phi_i| in units of the size of its row; very large where such a row has no size yet."""
    found = 0.0
    for i in range(m):
        if has_phi[i] != 0 and phi[i] != 0.0:
            if not extent[i] > 0.0:
                return 1e300
            found = max(found, abs(phi[i]) / extent[i])
    return found


@native
def close(
    terms: Kernel, residual: Kernel, rates: Kernel, nq: i64, n: i64, m: i64, parameters: i64, places: IntArray, has_phi:
    IntArray, spins: IntArray, units: IntArray, t: f64, p: Array, work: Array, y: Array,
) -> i64:  # fmt: skip
    """y <- a configuration with phi = 0 near it; 0, the status of a kernel, or NOT_CLOSED."""
    M, h, A = work[nq:], work[nq + n * n :], work[nq + n * n + n :]
    b = work[nq + n * n + n + m * n :]
    L = work[nq + n * n + n + m * n + m :]
    W, V = L[n * n :], L[n * n + m * n :]
    R, book = V[m * n :], V[m * n + m * m :]
    first, d = book[7 * m :], book[7 * m + n :]
    z, whole, defect, scratch = d[m:], d[m + n :], d[m + 2 * n :], d[m + 2 * n + 2 * m :]
    step, trial, extent = scratch[2 * nq + n :], scratch[2 * nq + 2 * n :], scratch[3 * nq + 3 * n :]
    sizes = p[parameters:]
    for i in range(m):
        extent[i] = 0.0
    status = residual(t, y, p, defect)
    size = 1e300
    for _ in range(STEPS):
        if status == 0:
            status = terms(t, y, p, work)
        if status != 0:
            return int(status)
        enlarge(n, m, has_phi, units, A, sizes, extent)
        size = openness(m, has_phi, defect, extent)
        if not size > CLOSED:
            break
        rearrange(n, m, places, M, h, A, L)
        status = prepare(n, m, min(m, n), extent, A, b, M, h, L, W, V, R, book)
        if status != 0:
            return int(status)
        for i in range(n):
            z[i] = 0.0
        for i in range(m):
            defect[i] = -defect[i]
        impose(n, m, usable_pivots(m, min(m, n), R, book), extent, defect, V, R, book, z, d)
        backward_within(n, L, first, z)
        restore_row(n, places, z, whole)
        factor, new = 1.0, 1e300
        while True:
            for i in range(nq + n):
                trial[i] = y[i]
            for i in range(n):
                step[i] = factor * whole[i]
            status = move(nq, n, spins, rates, t, trial, p, step, scratch)
            if status == 0:
                status = residual(t, trial, p, defect)
            if status != 0:
                return int(status)
            new = openness(m, has_phi, defect, extent)
            if new < size or factor < SHORTEST:
                break
            factor = factor / 2.0
        if not new < size:
            break
        for i in range(nq):
            y[i] = trial[i]
    if not size <= ACCEPTED * CLOSED:
        return NOT_CLOSED
    return 0


@native
def cloud(
    terms: Kernel, residual: Kernel, rates: Kernel, nq: i64, n: i64, m: i64, parameters: i64, count: i64, places:
    IntArray, has_phi: IntArray, spins: IntArray, units: IntArray, t: f64, given: Array, p: Array, work: Array,
    out: Array,
) -> i64:  # fmt: skip
    """Configurations with phi = 0 around one: ``given`` holds a state and, after it, ``count`` steps away from it.

    For each step, out = [FAR, MEASURED or UNMEASURED, the state (nq + n), A (m n), A L^-T (m n)] with M = L L^T,
    the velocities of M in the order of ``places``.
    """
    width = 1 + nq + n + 2 * m * n
    M, h, A = work[nq:], work[nq + n * n :], work[nq + n * n + n :]
    L = work[nq + n * n + n + m * n + m :]
    first = L[n * n :]
    for k in range(count):
        y, rows, measured = out[k * width + 1 :], out[k * width + 1 + nq + n :], out[k * width + 1 + nq + n + m * n :]
        for i in range(nq + n):
            y[i] = given[i]
        status = move(nq, n, spins, rates, t, y, p, given[nq + n + k * n :], work)
        if status == 0:
            status = close(terms, residual, rates, nq, n, m, parameters, places, has_phi, spins, units, t, p, work, y)
        out[k * width] = FAR
        if status != 0:
            continue
        out[k * width] = UNMEASURED
        status = terms(t, y, p, work)
        for i in range(m * n):
            rows[i] = A[i]
        rearrange(n, m, places, M, h, A, L)
        for i in range(m * n):
            measured[i] = A[i]
        if status == 0 and cholesky_within(n, M, first, L) == 0:
            for i in range(m):
                forward_within(n, L, first, 0, n, measured[i * n :])
            out[k * width] = MEASURED
    return 0


def closing_workspace(nq: int, n: int, m: int) -> int:
    """Numbers of scratch beyond those that projecting needs."""
    return nq + 2 * n + m
