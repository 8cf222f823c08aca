"""One step on the constraint manifold: RATTLE for any mass matrix M(q), and the energy-momentum midpoint rule.

The discrete Lagrangian h L((q0 + q1)/2, (q1 - q0)/h) with constraints at the ends of the step gives, with the midpoint
q = q0 + h v/2, the mean velocity v, momenta p = dL/dv and push = dL/dq + Q there [Marsden, West 2001, section 3.5;
Leimkuhler, Reich 2004, section 7.2 for M = const],

    p(q, v) - (h/2) push(q, v) = p0 + A(q0)^T lam        phi(q1, t1) = 0
    p1 = p(q, v) + (h/2) push(q, v) + A(q1)^T mu         A(q1) v1 + b0 = 0

(velocity constraints: A v + b0 = 0 at the midpoint and at the end). The energy-momentum rule has the constraint force
at the midpoint, A(q)^T lam, and a force -sigma d along d = M (q1 - q0), restricted to the coordinates that appear in L
or in a constraint, with sigma such that the energy H(q, p) of the middle of the step changes by the work of Q alone: a
discrete gradient [Gonzalez 1996, J. Nonlinear Sci. 6], which leaves the momenta of all other coordinates as they are.

Both are solved by Newton's method with M and A of the predicted midpoint as derivatives; dependent rows are dropped by
the pivoted Gram-Schmidt of ``linalg/constrained.py`` as far as the generic rank. Where that does not converge, near a
loss of rank, the constraints are linearised at the end of the step (``saddle.py``).
"""

from __future__ import annotations

from cardan.linalg.cholesky import dot, forward
from cardan.native.language import Array, f64, i64, native
from cardan.simulation.common import all_finite, copy, observe
from cardan.simulation.layout import EPS, GO_ON, NO_CONVERGENCE, NON_FINITE
from cardan.simulation.ledger import Ledger
from cardan.simulation.methods.fixed import FixedWork, fixed_loop
from cardan.simulation.methods.manifold_step import (
    BEST,
    IN_SADDLE,
    RULE,
    SIGMA,
    SIZE,
    START,
    Arrays,
    Constrained,
    ManifoldWork,
    Rule,
    Task,
    constrained,
    end_velocity,
    factor_at,
    manifold_work,
    manifold_work_in,
    masked,
    predict,
    solve_midpoint,
    task_of,
)
from cardan.simulation.methods.method import Loop, Method, NoKernels

ROUNDS = 12  # corrections of sigma
LIGHT = 0.5  # of the inertia over a step: what the force along the path that mends the energy may be


@native(inline=True)
def enter(task: Task, w: ManifoldWork) -> i64:
    """What a step begins with: momenta, A and energy at its start, a guess of v, factors at its midpoint."""
    n, m, t, h, a = task.n, task.m, task.t, task.h, w.a
    end, state = a.end, a.state
    status = observe(task.own.momentum, task.field, t, task.y, a.p0)
    if status == 0:
        status = observe(task.own.structure, task.field, t, task.y, a.last)
    copy(m * n, a.last[n * n :], a.A0)
    predict(task, a.guess, end)
    for i in range(n):
        a.v[i] = a.guess[i]
        end[i] = task.y[i] + 0.5 * h * a.v[i]
        end[n + i] = a.v[i]
        a.mask[i] = 1.0
    for k in range(m):
        a.lam[k] = 0.0
    if status == 0:
        status = factor_at(task, t + 0.5 * h, end, a.shape, a.nothing, w.middle)
    if status == 0 and RULE.is_exact:
        status = observe(task.own.energy, task.field, t + 0.5 * h, task.y, a.energies)
    state[SIGMA], state[IN_SADDLE], state[BEST] = 0.0, 0.0, 1e300
    state[START] = a.energies[2]
    if status == 0 and RULE.is_exact:
        status = with_its_momenta(task, w, t, task.y)
        state[START] += a.shift[0]
    state[SIZE] = abs(a.energies[0]) + abs(a.energies[1]) + abs(a.energies[2])
    return status


@native
def with_its_momenta(task: Task, w: ManifoldWork, t: f64, y: Array) -> i64:
    """What the energy at the middle of the step gets if the momenta p(q, v, t) are kept instead of the velocities.

    Energies of both ends are those of one time, the middle; where momenta depend on time (driven coordinates), it is
    these that go on through a step: e = p(middle) - p(t) changes them by -v e + e M^-1 e / 2. Zero otherwise.
    """
    n, a = task.n, w.a
    status = observe(task.own.momentum, task.field, t, y, a.p_now)
    if status == 0:
        status = observe(task.own.momentum, task.field, task.t + 0.5 * task.h, y, a.excess)
    for i in range(n):
        a.excess[i] -= a.p_now[i]
    along = dot(n, y[n:], a.excess)
    forward(n, w.middle.L, a.excess)
    a.shift[0] = 0.5 * dot(n, a.excess, a.excess) - along
    return status


@native(inline=True)
def make_round(task: Task, w: ManifoldWork) -> i64:
    """A step with the force along the path as it is now: v, lam, p1 and the state at the end; 0 or a failure."""
    n, m, h, a = task.n, task.m, task.h, w.a
    status = solve_midpoint(task, w)
    if status == NO_CONVERGENCE and a.state[IN_SADDLE] == 0.0 and m > 0:
        a.state[IN_SADDLE] = 1.0
        copy(n, a.guess, a.v)
        for k in range(m):
            a.lam[k] = 0.0
        status = solve_midpoint(task, w)
    if status != 0:
        return status
    share = 1.0
    A = a.A0
    if RULE.is_exact:
        share = 2.0
        A = a.shape[n * n :]
    for i in range(n):
        a.p1[i] = a.p0[i] + h * a.push[i]
        if RULE.is_exact:
            a.p1[i] -= h * a.state[SIGMA] * a.mask[i] * h * masked(n, a.shape[i * n :], a.mask, a.v)
        for k in range(m):
            if task.scale[k] > 0.0:
                a.p1[i] += share * A[k * n + i] * a.lam[k]
    return end_velocity(task, w)


@native(inline=True)
def observe_energy(task: Task, a: Arrays, state: Array) -> i64:
    """Q at the midpoint, energies at the end and, without velocities, the residual at the midpoint; 0 or a failure."""
    n, own, t = task.n, task.own, task.t + 0.5 * task.h
    for i in range(n):
        state[i] = task.y[i] + 0.5 * task.h * a.v[i]
        state[n + i] = a.v[i]
    for i in range(n):
        a.Q[i] = 0.0
    status = 0
    if own.forces != 0:
        status = observe(own.forces, task.field, t, state, a.Q)
    if status == 0:
        status = observe(own.energy, task.field, t, a.end, a.energies)
    if status == 0 and task.m > 0:
        for i in range(n):
            state[n + i] = 0.0
        status = observe(own.residual, task.field, t, state, a.defect)
    return status


@native(inline=True)
def energy_change(task: Task, a: Arrays) -> f64:
    """What the energy has changed by, less the work of Q and of moving constraints."""
    change = float(a.energies[2] - a.state[START] - task.h * dot(task.n, a.Q, a.v))
    for k in range(task.m):
        if task.scale[k] > 0.0:
            change += 2.0 * a.lam[k] * a.defect[task.m + k] - a.mu[k] * a.b_end[k]
    return change


@native(inline=True)
def mend_energy(task: Task, w: ManifoldWork, scratch: Array) -> i64:
    """sigma by which the energy would be right; GO_ON for a step with it, 0 where it is right already, or a failure."""
    n, h, a = task.n, task.h, w.a
    status = observe_energy(task, a, scratch)
    if status == 0:
        status = with_its_momenta(task, w, task.t + h, a.end)
        a.energies[2] += a.shift[0]
    if status != 0:
        return status
    change = energy_change(task, a)
    a.state[SIZE] = max(a.state[SIZE], abs(a.energies[0]) + abs(a.energies[1]) + abs(a.energies[2]))
    for i in range(n):  # a coordinate that neither L nor a constraint depends on keeps its momentum
        a.mask[i] = 0.0
        if a.push[i] - a.Q[i] != 0.0:
            a.mask[i] = 1.0
        for k in range(task.m):
            if a.shape[n * n + k * n + i] != 0.0:
                a.mask[i] = 1.0
    length = 0.0
    for i in range(n):
        length += h * h * a.mask[i] * a.v[i] * masked(n, a.shape[i * n :], a.mask, a.v)
    if abs(change) <= EPS * a.state[SIZE] or abs(change) >= 0.9 * a.state[BEST] or not length > 1e-300:
        return 0
    a.state[BEST] = abs(change)
    if h * h * abs(a.state[SIGMA] + change / length) > LIGHT:
        return 0  # a path of hardly any length, up and down again: no force along it can mend the energy
    a.state[SIGMA] += change / length
    return GO_ON


@native
def manifold_step(book: Ledger, own: Constrained, t: f64, h: f64, w: FixedWork) -> i64:
    """y_new after one step from y, on the constraints; 0 or a failure."""
    task = task_of(book, own, t, h, w.y)
    work = manifold_work_in(task.n, task.m, w.own)
    status = enter(task, work)
    if status != 0:
        return status
    for _ in range(ROUNDS):
        status = make_round(task, work)
        if status == 0 and RULE.is_exact:
            status = mend_energy(task, work, w.y_new)
        if status != GO_ON:
            break
    if status > 0:
        return status
    copy(2 * task.n, work.a.end, w.y_new)
    if all_finite(2 * task.n, w.y_new) == 0:
        return NON_FINITE
    return 0


def manifold_loop(name: str, rule: Rule, *more: str) -> Loop:
    """The loop of one of the two rules; ``more`` kernels are needed beside the three that both need."""
    needs = ("momentum", "momentum_rate", "structure", *more)
    return fixed_loop(
        name, manifold_step, (NoKernels, Constrained), (RULE, rule), kernels=constrained, needs=needs,
        own_work=manifold_work,
    )  # fmt: skip


RATTLE = Method(
    "RATTLE", 2, 2, manifold_loop("RATTLE", RULE), is_adaptive=False, is_carried_across_rank_loss=True,
    is_symplectic=True, needs_own_coordinates=True, keeps_constraints=True, solves_friction=False,
)  # fmt: skip
ENERGY_MOMENTUM = Method(
    "energy-momentum", 2, 2, manifold_loop("energy_momentum", Rule(is_exact=True), "energy"), is_adaptive=False,
    is_carried_across_rank_loss=True, conserves_energy=True, needs_own_coordinates=True, keeps_constraints=True,
    solves_friction=False,
)  # fmt: skip
