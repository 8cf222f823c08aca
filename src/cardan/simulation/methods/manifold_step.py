"""The equations of a step on the constraint manifold (`manifold.py`), and Newton's iterations for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from cardan.linalg.cholesky import backward, forward
from cardan.linalg.constrained import Factors, System, factors_in, impose, measure_rows, multipliers
from cardan.linalg.orthonormal import holonomic_rows_first
from cardan.linalg.projection import HOLONOMIC_RANK, RANK
from cardan.native.language import Array, IntArray, Kernel, carve, f64, i64, native, room_for
from cardan.simulation.common import all_finite, observe
from cardan.simulation.layout import (
    EPS,
    EVALUATIONS,
    FACTORISATIONS,
    N_EVENTS,
    N_QUATERNIONS,
    NO_CONVERGENCE,
    PIVOT,
    PIVOT_FAILED,
    ROWS,
    TAIL,
    N,
)
from cardan.simulation.ledger import Field, Ledger
from cardan.simulation.methods.dense import largest
from cardan.simulation.methods.saddle import Saddle, SaddleWork, saddle_step, saddle_work_in
from cardan.simulation.protocol import CompiledModel

MOST = 60  # Newton iterations
SIGMA, IN_SADDLE, BEST, SIZE, START = 0, 1, 2, 3, 4  # in ``state``: what a step remembers from round to round


@dataclass(frozen=True, eq=False)
class Rule:
    """Which rule: whether the constraint force is that of the midpoint, and a force along the path mends the energy."""

    is_exact: bool


RULE = Rule(is_exact=False)  # RATTLE; the energy-momentum rule replaces it


class Constrained(NamedTuple):
    """The kernels of a constrained mechanical system."""

    momentum: Kernel
    momentum_rate: Kernel
    structure: Kernel
    residual: Kernel
    forces: Kernel
    energy: Kernel


def constrained(model: CompiledModel) -> Constrained:
    """These kernels of a model."""
    return Constrained(
        model.momentum, model.momentum_rate, model.structure, model.residual, model.forces, model.energy
    )  # fmt: skip


class Task(NamedTuple):
    """A step from y over h: of which model, with n velocities and m constraint rows, ``rank`` of them independent."""

    field: Field
    own: Constrained
    n: i64
    m: i64
    rank: i64
    scale: Array
    holonomic: IntArray
    t: f64
    h: f64
    y: Array


class Arrays(NamedTuple):
    """The arrays of a step, in the order in which they stand."""

    p0: Array  # momenta before the step
    p1: Array  # and behind it
    guess: Array  # of the mean velocity
    v: Array  # the mean velocity
    lam: Array
    mu: Array
    push: Array  # dL/dq + Q at the midpoint
    Q: Array
    p_now: Array  # momenta of an end of the step
    excess: Array  # of the momenta of the same state at the middle of the step
    shift: Array  # what that does to the energy
    mask: Array  # 1 for the coordinates that the force along the path has
    middle: Array
    end: Array
    r: Array
    b: Array
    d: Array
    more: Array  # the change of lam
    defect: Array
    b_end: Array
    nothing: Array  # zeros in place of b (m) and h (n)
    energies: Array
    state: Array
    shape: Array  # [M, A] at the midpoint
    last: Array  # [M, A] at the end, or at the start
    A0: Array
    total: i64


class ManifoldWork(NamedTuple):
    """The arrays of a step and the factors of M and A at its midpoint and at its end."""

    a: Arrays
    middle: Factors
    end: Factors
    saddle: SaddleWork
    total: i64


@native
def manifold_work_in(n: i64, m: i64, work: Array) -> ManifoldWork:
    """The scratch of a step at the begin of ``work``."""
    both = n * n + m * n
    a = carve(
        Arrays, work, n, n, n, n, m, m, n, n, n, n, 1, n, 2 * n, 2 * n, n, m, m, m, 2 * m, m, m + n, 3, 5, both, both,
        m * n,
    )  # fmt: skip
    middle = factors_in(n, m, work[a.total :])
    end = factors_in(n, m, work[a.total + middle.total :])
    saddle = saddle_work_in(n, m, work[a.total + middle.total + end.total :])
    return ManifoldWork(a, middle, end, saddle, a.total + middle.total + end.total + saddle.total)


def manifold_work(nv: int, rows: int) -> int:
    """Numbers that it takes."""
    return room_for(manifold_work_in, nv, rows)


@native
def task_of(book: Ledger, own: Constrained, t: f64, h: f64, y: Array) -> Task:
    """The step that is to be made."""
    n, m = book.size[N] // 2, book.size[ROWS]
    scale = book.field.p[book.size[TAIL] :]
    holonomic = book.flags[2 * book.size[N_EVENTS] + book.size[N_QUATERNIONS] :]
    rank = 0
    if m > 0:
        rank = int(scale[m + RANK])
    return Task(book.field, own, n, m, rank, scale, holonomic, t, h, y)


@native
def factor_at(task: Task, t: f64, y: Array, shape: Array, nothing: Array, factors: Factors) -> i64:
    """``shape`` = [M, A] at y, and its factors, rows with a phi first; 0 or a failure."""
    n, m, count = task.n, task.m, task.field.counts
    status = observe(task.own.structure, task.field, t, y, shape)
    if status != 0:
        return status
    for i in range(n + m):
        nothing[i] = 0.0
    count[FACTORISATIONS] += 1
    system = System(n, m, task.rank, task.scale, shape, nothing[m:], shape[n * n :], nothing)
    failed = measure_rows(system, factors)
    if failed != 0:
        count[PIVOT] = failed - 1
        return PIVOT_FAILED
    if m > 0:
        holonomic_rows_first(factors.rows, task.rank, int(task.scale[m + HOLONOMIC_RANK]), task.holonomic)
    return 0


@native
def solve_rows(task: Task, factors: Factors, b: Array, x: Array, d: Array, lam: Array) -> None:
    """x <- the solution of M x' = x + A^T lam with A x' = b."""
    forward(task.n, factors.L, x)
    impose(factors.rows, task.rank, task.scale, b, x, d)
    multipliers(factors.rows, task.rank, task.scale, d, lam)
    backward(task.n, factors.L, x)


@native(inline=True)
def constraint_defect(task: Task, a: Arrays) -> i64:
    """b = -phi(q1)/h for holonomic rows, -(A v + b0) at the midpoint for the others; ``middle`` becomes the end."""
    n, m, t, h, state, defect = task.n, task.m, task.t, task.h, a.middle, a.defect
    if m == 0:
        return 0
    for i in range(n):
        state[i] = task.y[i] + 0.5 * h * a.v[i]
        state[n + i] = a.v[i]
    status = observe(task.own.residual, task.field, t + 0.5 * h, state, defect)
    for i in range(m):
        a.b[i] = -defect[m + i]
    if status != 0:
        return status
    for i in range(n):
        state[i] = task.y[i] + h * a.v[i]
    status = observe(task.own.residual, task.field, t + h, state, defect)
    for i in range(m):
        if task.holonomic[i] != 0:
            a.b[i] = -defect[i] / h
    return status


@native
def masked(n: i64, row: Array, mask: Array, v: Array) -> f64:
    """Sum of row_j v_j over the entries that are not masked out."""
    total = 0.0
    for j in range(n):
        total += row[j] * mask[j] * v[j]
    return total


@native(inline=True)
def imbalance(task: Task, a: Arrays) -> i64:
    """r = p0 + (h/2) push + A^T lam - p, less half the force along the path; ``push`` and b with it. 0 or a failure."""
    n, t, h, field, middle, r = task.n, task.t, task.h, task.field, a.middle, a.r
    for i in range(n):
        middle[i] = task.y[i] + 0.5 * h * a.v[i]
        middle[n + i] = a.v[i]
    field.counts[EVALUATIONS] += 1
    status = observe(task.own.momentum, field, t + 0.5 * h, middle, r)
    if status == 0:
        status = observe(task.own.momentum_rate, field, t + 0.5 * h, middle, a.push)
    if status == 0 and RULE.is_exact:
        status = observe(task.own.structure, field, t + 0.5 * h, middle, a.shape)
    if status == 0:
        status = constraint_defect(task, a)
    if status != 0:
        return status
    A = a.A0
    if RULE.is_exact:
        A = a.shape[n * n :]
    for i in range(n):
        total = a.p0[i] + 0.5 * h * a.push[i] - r[i]
        if RULE.is_exact:
            total -= 0.5 * h * a.state[SIGMA] * a.mask[i] * h * masked(n, a.shape[i * n :], a.mask, a.v)
        for k in range(task.m):
            if task.scale[k] > 0.0:
                total += A[k * n + i] * a.lam[k]
        r[i] = total
    return 0


@native(inline=True)
def correct(task: Task, w: ManifoldWork) -> i64:
    """v and lam by one Newton step, whose change of v is left in r; 0 or a failure.

    In the saddle the constraints are linearised at the end of the step.
    """
    n, m, a = task.n, task.m, w.a
    if a.state[IN_SADDLE] == 0.0:
        solve_rows(task, w.middle, a.b, a.r, a.d, a.more)
    else:
        status = observe(task.own.structure, task.field, task.t + task.h, a.middle, a.last)
        if status != 0:
            return status
        A = a.A0
        if RULE.is_exact:
            A = a.shape[n * n :]
        saddle = Saddle(n, m, task.rank, task.scale, w.middle.L, A, a.last[n * n :], a.b)
        saddle_step(saddle, a.r, a.more, w.saddle)
    for i in range(n):
        a.v[i] += a.r[i]
    for k in range(m):
        a.lam[k] += a.more[k]
    if all_finite(n, a.v) == 0:
        return NO_CONVERGENCE
    return 0


@native
def solve_midpoint(task: Task, w: ManifoldWork) -> i64:
    """Newton's iterations for the mean velocity v and lam; leaves ``push`` and, where exact, [M, A] at the midpoint."""
    n, h, y, a = task.n, task.h, task.y, w.a
    previous = 0.0
    for iteration in range(MOST):
        status = imbalance(task, a)
        if status == 0:
            status = correct(task, w)
        if status != 0:
            return status
        change = largest(n, a.r)
        size = max(largest(n, a.v), largest(n, y[n:]))  # a step up and down again has no mean velocity
        if change <= 2e-16 * size:
            return 0
        if iteration > 1 and change >= 0.5 * previous and change <= 1e-12 * size + 64.0 * EPS * largest(n, y) / abs(h):
            return 0  # round-off of v, or of q1 = q0 + h v
        in_saddle = a.state[IN_SADDLE] != 0.0 and iteration > 2
        if in_saddle and change <= 1e-6 * size and h * largest(task.m, a.b) <= 64.0 * EPS * largest(n, y):
            return 0  # the constraints say no more about v than this
        if iteration > 0 and change * change <= 1e-17 * size * previous:
            return 0  # the next change, by the rate of this one, would be below a tenth of an ulp
        previous = change
    return NO_CONVERGENCE


@native
def predict(task: Task, v: Array, scratch: Array) -> None:
    """v = v0 + (h/2) vd, or v0 where there is no acceleration to be had."""
    n = task.n
    status = observe(task.field.rhs, task.field, task.t, task.y, scratch)
    for i in range(n):
        v[i] = task.y[n + i]
        if status == 0:
            v[i] += 0.5 * task.h * scratch[n + i]


@native(inline=True)
def end_velocity(task: Task, w: ManifoldWork) -> i64:
    """end = [q0 + h v, v1] with M v1 = p1 - (dL/dv at v = 0) + A^T mu and A v1 + b0 = 0; -b0 is left in ``b_end``."""
    n, m, t, a = task.n, task.m, task.t + task.h, w.a
    end = a.end
    for i in range(n):
        end[i] = task.y[i] + task.h * a.v[i]
        end[n + i] = 0.0
    status = factor_at(task, t, end, a.last, a.nothing, w.end)
    if status == 0:
        status = observe(task.own.momentum, task.field, t, end, a.r)
    if status == 0 and m > 0:
        status = observe(task.own.residual, task.field, t, end, a.defect)
    if status != 0:
        return status
    for k in range(m):
        a.b_end[k] = -a.defect[m + k]
    for i in range(n):
        end[n + i] = a.p1[i] - a.r[i]
    solve_rows(task, w.end, a.b_end, end[n:], a.d, a.mu)
    return 0
