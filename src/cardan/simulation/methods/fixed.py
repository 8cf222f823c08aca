"""Steps of fixed length: classical Runge-Kutta, symplectic compositions of the midpoint rule, steps on constraints.

``size[STAGES]`` selects the method: 0 is RK4; 1, 5 and 9 are compositions of that many midpoint steps, of order 2, 4
(Suzuki's fractal) and 6 (Kahan and Li); -1 is RATTLE and -2 the energy-momentum rule (``manifold.py``). Between steps
the motion is the cubic Hermite polynomial, so output between steps and event times that do not end the run are of order
4; a terminal event is found by steps of adjusted length.
"""

from __future__ import annotations

from typing import NamedTuple

from cardan.native.language import Array, Callback, IntArray, Kernel, f64, i64, native
from cardan.simulation.common import (
    advance,
    all_finite,
    copy,
    copysign_of,
    evaluate,
    has_too_many,
    observe,
    settle_state,
    store,
)
from cardan.simulation.crossings import correction, scan
from cardan.simulation.interpolant import HERMITE_TERMS, hermite, interpolate, sample, wants_sample
from cardan.simulation.layout import (
    ACCEPTED,
    CHUNK,
    END,
    EPS,
    EVENT_CAPACITY,
    EVENTS,
    FINISHED,
    INTERIOR,
    MORE,
    N_EVENTS,
    N_QUATERNIONS,
    NON_FINITE,
    ORIGIN,
    ROWS,
    SPAN,
    STAGES,
    STARTED,
    TAIL,
    TERMINAL,
    THETA,
    TOO_MANY_STEPS,
    WIDTH,
    H,
    N,
    T,
)
from cardan.simulation.methods.manifold import manifold_step, rows_work
from cardan.simulation.methods.method import Loop, Method
from cardan.simulation.methods.midpoint import midpoint_step, velocity
from cardan.simulation.protocol import CompiledModel

S4 = 1.0 / (4.0 - 4.0 ** (1.0 / 3.0))  # [Hairer, Lubich, Wanner, Geometric Numerical Integration, II.4 eq. (4.5)]
FRACTIONS_4 = (S4, S4, 1.0 - 4.0 * S4, S4, S4)
K6 = (  # [Kahan, Li 1997, Math. Comp. 66, table 6, s = 9]
    0.39216144400731413928,
    0.33259913678935943860,
    -0.70624617255763935981,
    0.08221359629355080023,
)
FRACTIONS_6 = (*K6, 1.0 - 2.0 * sum(K6), *reversed(K6))


def work_size(n: int) -> int:
    """Numbers of scratch space: y, y_new, f, f_new, four more states, three terms, momenta, and the midpoint's own."""
    m = n // 2
    return 11 * n + 3 * m + 6 * m + m * m + 8


@native
def rk4_step(
    rhs: Kernel, before: Callback, n: i64, t: f64, h: f64, y: Array, f: Array, p: Array, k: Array, y_new: Array, count:
    IntArray,
) -> i64:  # fmt: skip
    """y_new after one classical step, [HNW, II.1 table 1.2]; f is the derivative at y."""
    k2, k3, k4 = k, k[n:], k[2 * n :]
    for i in range(n):
        y_new[i] = y[i] + 0.5 * h * f[i]
    status = evaluate(rhs, before, t + 0.5 * h, y_new, p, k2, count)
    if status == 0:
        for i in range(n):
            y_new[i] = y[i] + 0.5 * h * k2[i]
        status = evaluate(rhs, before, t + 0.5 * h, y_new, p, k3, count)
    if status == 0:
        for i in range(n):
            y_new[i] = y[i] + h * k3[i]
        status = evaluate(rhs, before, t + h, y_new, p, k4, count)
    for i in range(n):
        y_new[i] = y[i] + h / 6.0 * (f[i] + 2.0 * (k2[i] + k3[i]) + k4[i])
    return status


@native
def symplectic_step(
    momentum: Kernel, rate: Kernel, mass: Kernel, before: Callback, stages: i64, n: i64, t: f64, h: f64, y: Array, p0:
    Array, p: Array, y_new: Array, p1: Array, v: Array, work: Array, count: IntArray,
) -> i64:  # fmt: skip
    """State and momenta after ``stages`` midpoint steps that add up to h."""
    m = n // 2
    copy(m, p0, p1)
    copy(m, y, y_new)
    for i in range(m):
        if stages == 1:
            v[i] = 2.0 * y[m + i] - v[i]  # the last mean velocity, continued to the next midpoint
        else:
            v[i] = y[m + i]
    q = y_new
    now = t
    for s in range(stages):
        part = h
        if stages == 5:
            part = FRACTIONS_4[s] * h
        if stages == 9:
            part = FRACTIONS_6[s] * h
        status = midpoint_step(momentum, rate, mass, before, now, part, m, q, p1, v, p, work, count)
        if status != 0:
            return status
        now += part
    return velocity(momentum, mass, before, t + h, m, q, p1, y_new, p, work, count)


@native
def step(
    rhs: Kernel, before: Callback, project: Kernel, momentum: Kernel, rate: Kernel, mass: Kernel, residual: Kernel,
    forces: Kernel, energy: Kernel, size: IntArray, flags: IntArray, t: f64, h: f64, p: Array, work: Array, count:
    IntArray,
) -> i64:  # fmt: skip
    """One step of the chosen method, from ``work[:n]`` to ``work[n:2n]``."""
    n, stages = size[N], size[STAGES]
    y, y_new, f = work, work[n:], work[2 * n :]
    momenta = work[11 * n :]
    m = n // 2
    if stages == 0:
        status = rk4_step(rhs, before, n, t, h, y, f, p, work[4 * n :], y_new, count)
    elif stages < 0:
        holonomic = flags[2 * size[N_EVENTS] + size[N_QUATERNIONS] :]
        status = manifold_step(
            rhs, momentum, rate, mass, residual, forces, energy, before, -1 - stages, t, h, m, size[ROWS], holonomic,
            size[TAIL], y, y_new, p, momenta, count,
        )  # fmt: skip
    else:
        status = symplectic_step(
            momentum, rate, mass, before, stages, n, t, h, y, momenta, p, y_new, momenta[m:], momenta[2 * m :],
            momenta[3 * m :], count,
        )  # fmt: skip
    if status != 0:
        return status
    if all_finite(n, y_new) == 0:
        return NON_FINITE
    if stages < 0:
        return 0  # on the constraints already, and without quaternions
    return settle_state(project, before, size, flags, t + h, y_new, p, work[7 * n :], count)


@native
def stop_at_event(
    rhs: Kernel, before: Callback, events: Kernel, project: Kernel, momentum: Kernel, rate: Kernel, mass: Kernel,
    residual: Kernel, forces: Kernel, energy: Kernel, size: IntArray, flags: IntArray, count: IntArray, control: Array,
    found: Array, rows: Array, h: f64, p: Array, work: Array, values: Array,
) -> i64:  # fmt: skip
    """End the run at the terminal event by steps of adjusted length."""
    n = size[N]
    t = control[T]
    y, y_new, scratch, F = work, work[n:], work[7 * n :], work[8 * n :]
    row = found[(count[EVENTS] - 1) * (n + 2) :]
    e = int(row[0])
    x = control[THETA]
    t_event = t + x * h
    for attempt in range(8):
        status = step(
            rhs, before, project, momentum, rate, mass, residual, forces, energy, size, flags, t, t_event - t, p, work,
            count,
        )  # fmt: skip
        if status == 0:
            status = observe(events, before, t_event, y_new, p, values, count)
        if status != 0:
            return status
        if attempt == 7 or values[e] == 0.0:
            break
        dx = correction(events, before, e, x, values[e], t, h, n, HERMITE_TERMS, y, F, p, scratch, values, count)
        if not abs(dx * h) > EPS * abs(t_event) or x + dx < 0.0:
            break
        x += dx
        t_event = t + x * h
    row[1] = t_event
    copy(n, y_new, row[2:])
    if t_event != t:
        advance(count, control, t_event, t_event - t)
        copy(n, y_new, y)
        store(size, count, rows, t_event, y)
    return TERMINAL


@native
def run(
    rhs: Kernel, before: Callback, events: Kernel, project: Kernel, momentum: Kernel, rate: Kernel, mass: Kernel,
    residual: Kernel, forces: Kernel, energy: Kernel, size: IntArray, flags: IntArray, count: IntArray, control: Array,
    atol: Array, p: Array, samples: Array, sign: Array, found: Array, rows: Array, work: Array,
) -> i64:  # fmt: skip
    """Integrate until the end, a terminal event, trouble, or the end of the chunk (MORE). State: ``work[:n]``."""
    n, ne, stages = size[N], size[N_EVENTS], size[STAGES]
    y, y_new, f, f_new = work, work[n:], work[2 * n :], work[3 * n :]
    scratch, F, momenta = work[7 * n :], work[8 * n :], work[11 * n :]
    m = n // 2
    if count[STARTED] == 0:
        control[H] = copysign_of(control[SPAN]) * abs(control[H])
        status = evaluate(rhs, before, control[T], y, p, f, count)
        if status == 0 and stages > 0:
            copy(m, y[m:], momenta[2 * m :])
            status = observe(momentum, before, control[T], y, p, momenta, count)
        if status != 0:
            return status
        count[STARTED] = 1
    for _ in range(size[CHUNK]):
        t = control[T]
        if t == control[END]:
            return FINISHED
        if ne > 0 and count[EVENTS] + 2 * ne * (size[INTERIOR] + 1) > size[EVENT_CAPACITY]:
            return MORE
        if has_too_many(size, count) != 0:
            return TOO_MANY_STEPS
        h = control[H]
        t_new = control[ORIGIN] + float(count[ACCEPTED] + 1) * h  # not t + h, whose rounding would add up
        if (t_new + 0.01 * h - control[END]) * copysign_of(h) > 0.0:
            t_new = control[END]
            h = t_new - t
        status = step(
            rhs, before, project, momentum, rate, mass, residual, forces, energy, size, flags, t, h, p, work, count
        )  # fmt: skip
        if status != 0:
            return status
        watched = ne > 0 or wants_sample(size, count, samples, t_new, copysign_of(h)) != 0
        if stages == 0 or watched:
            status = evaluate(rhs, before, t_new, y_new, p, f_new, count)
            if status != 0:
                return status
        if watched:
            if stages != 0:
                status = evaluate(rhs, before, t, y, p, f, count)
                if status != 0:
                    return status
            hermite(n, h, y, y_new, f, f_new, F)
            if ne > 0:
                status = scan(
                    events, before, size, flags, count, control, sign, found, t, h, HERMITE_TERMS, y, y_new, F, p,
                    scratch,
                )  # fmt: skip
                if status == TERMINAL:
                    sample(size, count, samples, t + control[THETA] * h, t, h, HERMITE_TERMS, y, y_new, F)
                    return stop_at_event(
                        rhs, before, events, project, momentum, rate, mass, residual, forces, energy, size, flags,
                        count, control, found, rows, h, p, work, sign[3 * ne :],
                    )  # fmt: skip
                if status != 0:
                    return status
            sample(size, count, samples, t_new, t, h, HERMITE_TERMS, y, y_new, F)
        advance(count, control, t_new, h)
        copy(n, y_new, y)
        copy(n, f_new, f)
        if stages > 0:
            copy(m, momenta[m:], momenta)
        store(size, count, rows, t_new, y)
    if control[T] == control[END]:
        return FINISHED
    return MORE


@native
def states_at(
    rhs: Kernel, before: Callback, size: IntArray, p: Array, rows: Array, steps: IntArray, count_of_times: i64, out:
    Array, count: IntArray, work: Array,
) -> i64:  # fmt: skip
    """States at the times in ``out`` (rows: t, y): the j-th lies in the step that begins at row ``steps[j]``."""
    n, width = size[N], size[WIDTH]
    f, f_new, F = work[2 * n :], work[3 * n :], work[8 * n :]
    ready = -1
    for j in range(count_of_times):
        y, y_new = rows[steps[j] * width + 1 :], rows[(steps[j] + 1) * width + 1 :]
        t = rows[steps[j] * width]
        h = rows[(steps[j] + 1) * width] - t
        if steps[j] != ready:
            status = evaluate(rhs, before, t, y, p, f, count)
            if status == 0:
                status = evaluate(rhs, before, t + h, y_new, p, f_new, count)
            if status != 0:
                return status
            hermite(n, h, y, y_new, f, f_new, F)
            ready = steps[j]
        interpolate(n, HERMITE_TERMS, (out[j * (n + 1)] - t) / h, y, F, out[j * (n + 1) + 1 :])
    return 0


class _Kernels(NamedTuple):
    momentum: int = 0
    momentum_rate: int = 0
    structure: int = 0  # or the mass matrix alone
    residual: int = 0
    forces: int = 0
    energy: int = 0


def _none(model: CompiledModel) -> _Kernels:
    return _Kernels()


class _Mechanical(NamedTuple):
    momentum: int
    momentum_rate: int
    mass_matrix: int
    residual: int = 0
    forces: int = 0
    energy: int = 0


def _mechanical(model: CompiledModel) -> _Mechanical:
    return _Mechanical(model.momentum, model.momentum_rate, model.mass_matrix)


def _constrained(model: CompiledModel) -> _Kernels:
    return _Kernels(
        model.momentum, model.momentum_rate, model.structure, model.residual, model.forces, model.energy
    )  # fmt: skip


def _symplectic(name: str, order: int, stages: int) -> Method:
    needs = ("momentum", "momentum_rate", "mass_matrix")
    loop = Loop(run, states_at, work_size, kernels=_mechanical, needs=needs, stages=stages)
    return Method(
        name, order, min(order, 4), loop, is_adaptive=False, is_symplectic=True, needs_own_coordinates=True,
        solves_friction=False,
    )  # fmt: skip


def _on_manifold(stages: int, *more: str) -> Loop:
    needs = ("momentum", "momentum_rate", "structure", *more)
    return Loop(run, states_at, work_size, kernels=_constrained, needs=needs, stages=stages, rows_work=rows_work)


RK4 = Method(
    "RK4", 4, 4, Loop(run, states_at, work_size, kernels=_none), is_adaptive=False, is_carried_across_rank_loss=True
)
SYMPLECTIC_2 = _symplectic("symplectic", 2, 1)
SYMPLECTIC_4 = _symplectic("symplectic-4", 4, 5)
SYMPLECTIC_6 = _symplectic("symplectic-6", 6, 9)
RATTLE = Method(
    "RATTLE", 2, 2, _on_manifold(-1), is_adaptive=False, is_carried_across_rank_loss=True, is_symplectic=True,
    needs_own_coordinates=True, keeps_constraints=True, solves_friction=False,
)  # fmt: skip
ENERGY_MOMENTUM = Method(
    "energy-momentum", 2, 2, _on_manifold(-2, "energy"), is_adaptive=False, is_carried_across_rank_loss=True,
    conserves_energy=True, needs_own_coordinates=True, keeps_constraints=True, solves_friction=False,
)  # fmt: skip
