"""What a simulator asks of a constrained system, in native code: accelerations, the way back, and how near it is to
losing rank.

``terms`` is a kernel with out = [qd (nq), M (n n), h (n), A (m n), b (m)], ``residual`` one with out = [phi (m, zero
for velocity constraints), A v + b0 (m)]. Behind the parameters in p stand the row scales (m), HEAD numbers (the rank r,
the least pivot below which accelerations are refused, the one that an event watches, the rank of the rows that have a
phi), and shifts of phi (m). Constants of a model are its ``Sizes`` and ``Tables``.

The least pivot is that of r scaled rows, which have a typical length of 1: zero where the rank is less than r.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from cardan.linalg.constrained import Factors, System, constrained_motion, factors_in, impose, measure_rows, prepare
from cardan.linalg.envelope import backward_within, rearrange, restore_row
from cardan.linalg.orthonormal import holonomic_rows_first, least_pivot
from cardan.native.language import Array, IntArray, Kernel, carve, f64, i64, native, room_for

POSITION_ITERATIONS = 4
VELOCITY_ITERATIONS = 2
RANK, REFUSED, WATCHED, HOLONOMIC_RANK = 0, 1, 2, 3  # numbers between scales and shifts
HEAD = 4  # how many


class Kernels(NamedTuple):
    """The kernels of a constrained model; ``rates`` has out = N(q) v."""

    terms: Kernel
    residual: Kernel
    rates: Kernel


class Sizes(NamedTuple):
    """Numbers of coordinates, velocities, rows, and parameters before what stands behind them."""

    nq: i64
    n: i64
    m: i64
    parameters: i64


class Tables(NamedTuple):
    """The velocities in an order in which the entries of M and A stand close together (n), whether a row has a phi
    (m; 1 or 0), and how many quaternions q has, then where each begins."""

    places: IntArray
    has_phi: IntArray
    spins: IntArray


class Terms(NamedTuple):
    """What the kernel ``terms`` gives."""

    qd: Array
    M: Array
    h: Array
    A: Array
    b: Array
    total: i64


class Spare(NamedTuple):
    """Scratch of a step: amounts along V (m), a motion in the metric of M and as it is (n each), defects (2 m)."""

    d: Array
    z: Array
    step: Array
    defect: Array
    moving: Array  # what ``move`` needs
    total: i64


class Workspace(NamedTuple):
    """Everything that the functions below write, ``out`` aside."""

    terms: Terms
    factors: Factors
    spare: Spare
    total: i64


@native
def terms_in(nq: i64, n: i64, m: i64, work: Array) -> Terms:
    """The outputs of ``terms`` at the begin of ``work``."""
    return carve(Terms, work, nq, n * n, n, m * n, m)


@native
def workspace_in(sizes: Sizes, work: Array) -> Workspace:
    """The workspace at the begin of ``work``."""
    nq, n, m = sizes.nq, sizes.n, sizes.m
    terms = terms_in(nq, n, m, work)
    factors = factors_in(n, m, work[terms.total :])
    spare = carve(Spare, work[terms.total + factors.total :], m, n, n, 2 * m, 2 * nq + n)
    return Workspace(terms, factors, spare, terms.total + factors.total + spare.total)


def workspace(nq: int, n: int, m: int) -> int:
    """Numbers of scratch that the functions below need."""
    return room_for(workspace_in, Sizes(nq, n, m, 0))


@native
def system_of(sizes: Sizes, terms: Terms, p: Array) -> System:
    """The system that ``terms`` describes, with the scales and the rank that stand behind the parameters."""
    scale = p[sizes.parameters :]
    rank = int(scale[sizes.m + RANK])
    return System(sizes.n, sizes.m, rank, scale, terms.M, terms.h, terms.A, terms.b)


@native
def constrained_rhs(
    terms: Kernel, sizes: Sizes, places: IntArray, t: f64, y: Array, p: Array, work: Array, out: Array
) -> i64:  # fmt: skip
    """ydot = [N(q) v, vd] of M vd + h = A^T lam, A vd = b."""
    status = terms(t, y, p, work)
    if status != 0:
        return int(status)
    nq, n = sizes.nq, sizes.n
    for i in range(nq):
        out[i] = work[i]
    space = workspace_in(sizes, work)
    system, vd = system_of(sizes, space.terms, p), space.spare.z
    rearrange(n, sizes.m, places, system.M, system.h, system.A, space.factors.L)
    status = constrained_motion(system, space.factors, space.spare.d, vd)
    if status != 0:
        return status
    if not least_pivot(space.factors.rows, system.rank) >= system.scale[sizes.m + REFUSED]:
        return n + 1
    restore_row(n, places, vd, out[nq:])
    return 0


@native
def nearness(
    terms: Kernel, sizes: Sizes, places: IntArray, t: f64, y: Array, p: Array, work: Array, out: Array
) -> i64:  # fmt: skip
    """out[0] = least pivot minus the watched one."""
    status = terms(t, y, p, work)
    if status != 0:
        return int(status)
    space = workspace_in(sizes, work)
    system = system_of(sizes, space.terms, p)
    rearrange(sizes.n, sizes.m, places, system.M, system.h, system.A, space.factors.L)
    status = prepare(system, space.factors)
    out[0] = least_pivot(space.factors.rows, system.rank) - system.scale[sizes.m + WATCHED]
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
    kernels: Kernels, sizes: Sizes, tables: Tables, t: f64, given: Array, p: Array, work: Array, y: Array
) -> i64:  # fmt: skip
    """y = the given state brought back to phi = 0 and A v + b0 = 0, mass-orthogonally, by simplified Newton steps.

    Velocity constraints do not restrict where a system can be: their rows take no part in the steps of the position.
    """
    nq, n, m = sizes.nq, sizes.n, sizes.m
    for i in range(nq + n):
        y[i] = given[i]
    status = kernels.terms(t, y, p, work)
    if status != 0:
        return int(status)
    space = workspace_in(sizes, work)
    system, spare = system_of(sizes, space.terms, p), space.spare
    defect, scale, shift = spare.defect, system.scale, system.scale[m + HEAD :]
    rearrange(n, m, tables.places, system.M, system.h, system.A, space.factors.L)
    status = measure_rows(system, space.factors)
    if status != 0:
        return int(status)
    first = holonomic_rows_first(space.factors.rows, system.rank, int(scale[m + HOLONOMIC_RANK]), tables.has_phi)
    before = 1e300
    for _ in range(POSITION_ITERATIONS):
        status = kernels.residual(t, y, p, defect)
        if status != 0:
            return int(status)
        for i in range(m):
            defect[i] -= shift[i]
        now = largest(m, defect, scale)
        if now == 0.0 or not now < 0.5 * before:
            break
        before = now
        step_along(space, first, scale, tables.places, defect)
        status = move(nq, n, tables.spins, kernels.rates, t, y, p, spare.step, spare.moving)
        if status != 0:
            return int(status)
    for _ in range(VELOCITY_ITERATIONS):
        status = kernels.residual(t, y, p, defect)
        if status != 0:
            return int(status)
        step_along(space, system.rank, scale, tables.places, defect[m:])
        for i in range(n):
            y[nq + i] += spare.step[i]
    return 0


@native
def step_along(space: Workspace, rank: i64, scale: Array, places: IntArray, defect: Array) -> None:
    """``space.spare.step`` <- the shortest one, in the metric of M, with A step = -defect."""
    rows, z = space.factors.rows, space.spare.z
    for i in range(rows.n):
        z[i] = 0.0
    for i in range(rows.m):
        defect[i] = -defect[i]
    impose(rows, rank, scale, defect, z, space.spare.d)
    backward_within(rows.n, space.factors.L, rows.book.first, z)
    restore_row(rows.n, places, z, space.spare.step)
