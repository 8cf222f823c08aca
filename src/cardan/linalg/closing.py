"""Closing loops in native code: from rough guesses to near configurations with phi = 0, by damped Gauss-Newton.

Nothing is known yet about typical sizes and ranks of the rows, since these are taken from a cloud of such
configurations. Behind the parameters in p stand typical sizes of the coordinates, one for each velocity; the size of a
row is how much phi changes when the coordinates change by these, sum_j |A_ij| size_j, the largest met on the way.
Residuals are measured by it, so that neither units nor the scale of a mechanism matter. A row that is much smaller than
others of its unit (``units``: TYPED, LENGTHS or NUMBERS) is one that vanishes but for rounding; it counts as if it had
a small part of their size. Rows whose pivot is below a small part of the first one are left out of a step.
"""

from __future__ import annotations

from typing import NamedTuple

from cardan.linalg.constrained import System, impose, prepare
from cardan.linalg.envelope import backward_within, cholesky_within, forward_within, rearrange, restore_row
from cardan.linalg.orthonormal import Rows
from cardan.linalg.projection import Kernels, Sizes, Tables, Workspace, move, workspace_in
from cardan.native.language import Array, IntArray, carve, f64, i64, native, room_for

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
def usable_pivots(rows: Rows, rank: i64) -> i64:
    """How many of the chosen rows have pivots worth inverting."""
    m, R, chosen = rows.m, rows.R, rows.book.chosen
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


class Trial(NamedTuple):
    """Scratch of a damped step: the step (n), the state behind it (nq + n), and the sizes of the rows (m)."""

    step: Array
    state: Array
    extent: Array
    total: i64


@native
def trial_in(sizes: Sizes, work: Array) -> Trial:
    """The scratch at the begin of ``work``, behind what projecting needs."""
    return carve(Trial, work, sizes.n, sizes.nq + sizes.n, sizes.m)


def closing_workspace(nq: int, n: int, m: int) -> int:
    """Numbers of scratch beyond those that projecting needs."""
    return room_for(trial_in, Sizes(nq, n, m, 0))


@native
def close(
    kernels: Kernels, sizes: Sizes, tables: Tables, units: IntArray, t: f64, p: Array, work: Array, y: Array
) -> i64:  # fmt: skip
    """y <- a configuration with phi = 0 near it; 0, the status of a kernel, or NOT_CLOSED."""
    space = workspace_in(sizes, work)
    trial = trial_in(sizes, work[space.total :])
    terms, defect, extent = space.terms, space.spare.defect, trial.extent
    for i in range(sizes.m):
        extent[i] = 0.0
    status = kernels.residual(t, y, p, defect)
    size = 1e300
    for _ in range(STEPS):
        if status == 0:
            status = kernels.terms(t, y, p, work)
        if status != 0:
            return int(status)
        enlarge(sizes.n, sizes.m, tables.has_phi, units, terms.A, p[sizes.parameters :], extent)
        size = openness(sizes.m, tables.has_phi, defect, extent)
        if not size > CLOSED:
            break
        status = whole_step(space, extent, tables.places)
        if status != 0:
            return int(status)
        status, factor, new = 0, 1.0, 1e300
        while True:
            status = try_step(kernels, sizes, tables.spins, t, p, space, trial, factor, y)
            if status != 0:
                return int(status)
            new = openness(sizes.m, tables.has_phi, defect, extent)
            if new < size or factor < SHORTEST:
                break
            factor = factor / 2.0
        if not new < size:
            break
        for i in range(sizes.nq):
            y[i] = trial.state[i]
    if not size <= ACCEPTED * CLOSED:
        return NOT_CLOSED
    return 0


@native(inline=True)
def whole_step(space: Workspace, extent: Array, places: IntArray) -> i64:
    """``spare.step`` <- the Gauss-Newton step for the residual in ``spare.defect``; 0, or a pivot that failed."""
    n, m, terms, spare = space.factors.rows.n, space.factors.rows.m, space.terms, space.spare
    system = System(n, m, min(m, n), extent, terms.M, terms.h, terms.A, terms.b)
    rearrange(n, m, places, terms.M, terms.h, terms.A, space.factors.L)
    status = prepare(system, space.factors)
    if status != 0:
        return status
    for i in range(n):
        spare.z[i] = 0.0
    for i in range(m):
        spare.defect[i] = -spare.defect[i]
    rows = space.factors.rows
    impose(rows, usable_pivots(rows, min(m, n)), extent, spare.defect, spare.z, spare.d)
    backward_within(n, space.factors.L, rows.book.first, spare.z)
    restore_row(n, places, spare.z, spare.step)
    return 0


@native(inline=True)
def try_step(
    kernels: Kernels, sizes: Sizes, spins: IntArray, t: f64, p: Array, space: Workspace, trial: Trial, factor: f64, y:
    Array,
) -> i64:  # fmt: skip
    """``trial.state`` <- y moved by a part of the whole step, and the residual there."""
    for i in range(sizes.nq + sizes.n):
        trial.state[i] = y[i]
    for i in range(sizes.n):
        trial.step[i] = factor * space.spare.step[i]
    status = move(sizes.nq, sizes.n, spins, kernels.rates, t, trial.state, p, trial.step, space.spare.moving)
    if status == 0:
        status = int(kernels.residual(t, trial.state, p, space.spare.defect))
    return status


@native
def cloud(
    kernels: Kernels, sizes: Sizes, count: i64, tables: Tables, units: IntArray, t: f64, given: Array, p: Array, work:
    Array, out: Array,
) -> i64:  # fmt: skip
    """Configurations with phi = 0 around one: ``given`` holds a state and, after it, ``count`` steps away from it.

    For each step, out = [FAR, MEASURED or UNMEASURED, the state (nq + n), A (m n), A L^-T (m n)] with M = L L^T,
    the velocities of M in the order of ``places``.
    """
    nq, n, m = sizes.nq, sizes.n, sizes.m
    width = 1 + nq + n + 2 * m * n
    space = workspace_in(sizes, work)
    terms, L, first = space.terms, space.factors.L, space.factors.rows.book.first
    for k in range(count):
        y, rows, measured = out[k * width + 1 :], out[k * width + 1 + nq + n :], out[k * width + 1 + nq + n + m * n :]
        for i in range(nq + n):
            y[i] = given[i]
        status = move(nq, n, tables.spins, kernels.rates, t, y, p, given[nq + n + k * n :], work)
        if status == 0:
            status = close(kernels, sizes, tables, units, t, p, work, y)
        out[k * width] = FAR
        if status != 0:
            continue
        out[k * width] = UNMEASURED
        status = int(kernels.terms(t, y, p, work))
        for i in range(m * n):
            rows[i] = terms.A[i]
        rearrange(n, m, tables.places, terms.M, terms.h, terms.A, L)
        for i in range(m * n):
            measured[i] = terms.A[i]
        if status == 0 and cholesky_within(n, terms.M, first, L) == 0:
            for i in range(m):
                forward_within(n, L, first, 0, n, measured[i * n :])
            out[k * width] = MEASURED
    return 0
