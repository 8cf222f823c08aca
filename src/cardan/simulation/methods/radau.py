"""Radau IIA of order 5, for stiff models: three implicit stages, adaptive, L-stable.

The method and its implementation are those of [HW] Hairer, Wanner, Solving ODEs II, sections IV.5 and IV.8 (RADAU5):
simplified Newton iterations in transformed stages, so that one real system of size n and one complex system (here a
real one of size 2n) are solved; an embedded error estimate of order 3; predictive step-size control. The Jacobian
comes from the model's kernel, or from finite differences. Between steps the collocation polynomial is used, whose
coefficients are stored with each state.
"""

from __future__ import annotations

from math import isfinite
from typing import NamedTuple

from cardan.native.language import Array, Callback, IntArray, Kernel, f64, i64, native
from cardan.simulation.common import (
    advance,
    all_finite,
    copy,
    copysign_of,
    end_of_step,
    evaluate,
    has_too_many,
    least_step,
    observe,
    reject,
    settle_state,
    store,
    underflow,
)
from cardan.simulation.crossings import correction, scan
from cardan.simulation.interpolant import interpolate, sample
from cardan.simulation.layout import (
    AFTER_REJECTION,
    CALLBACK_FAILED,
    CHUNK,
    END,
    EPS,
    ERROR_OLD,
    EVENT_CAPACITY,
    EVENTS,
    FACTORED,
    FINISHED,
    FRESH,
    H_MAX,
    H_OLD,
    INTERIOR,
    ITERATIONS,
    MORE,
    N_EVENTS,
    NO_CONVERGENCE,
    NON_FINITE,
    RATE,
    REJECTED,
    ROUGH,
    RTOL,
    SPAN,
    STARTED,
    STORED,
    TERMINAL,
    THETA,
    TOO_MANY_STEPS,
    WIDTH,
    H,
    N,
    T,
)
from cardan.simulation.methods.method import Loop, Method
from cardan.simulation.methods.newton import C1, C2, C3, jacobian_at, newton, prepare
from cardan.simulation.methods.radau_step import TERMS, collocation, estimate, growth, predict
from cardan.simulation.methods.starting import first_step
from cardan.simulation.protocol import CompiledModel


def work_size(n: int) -> int:
    """Numbers of scratch space: 25 vectors, the Jacobian, and the factors of sizes n and 2n."""
    return 25 * n + 6 * n * n + 3 * n


def width(n: int) -> int:
    """A row holds t, y and the last two coefficients of the polynomial that arrives at y."""
    return 1 + 3 * n


@native
def shorter_step(
    rhs: Kernel, before: Callback, jacobian: Kernel, n: i64, t: f64, h: f64, h_made: f64, atol: Array, rtol: f64, p:
    Array, work: Array, count: IntArray, control: Array,
) -> i64:  # fmt: skip
    """Stages of a step h from the last accepted state, of which a longer one, ``h_made``, has just been made.

    The stages start on its polynomial; where they do not converge, once more with a new Jacobian.
    """
    y, scratch, z, F = work, work[4 * n :], work[7 * n :], work[19 * n :]
    status = 0
    for attempt in range(2):
        if attempt == 1:
            status = jacobian_at(rhs, jacobian, before, n, t, p, work, count)
        if status == 0:
            status = prepare(n, h, work, count)
        if status != 0:
            return status
        for s in range(3):
            c = C1
            if s == 1:
                c = C2
            if s == 2:
                c = C3
            interpolate(n, TERMS, c * h / h_made, y, F, scratch)
            for i in range(n):
                z[s * n + i] = scratch[i] - y[i]
        status = newton(rhs, before, n, t, h, atol, rtol, p, work, count, control)
        if status != NO_CONVERGENCE:
            return status
        status = 0
    return NO_CONVERGENCE


@native
def stop_at_event(
    rhs: Kernel, before: Callback, events: Kernel, project: Kernel, jacobian: Kernel, size: IntArray, flags: IntArray,
    count: IntArray, control: Array, atol: Array, found: Array, rows: Array, h: f64, p: Array, work: Array, values:
    Array,
) -> i64:  # fmt: skip
    """End the run at the terminal event by fresh steps from the last accepted state."""
    n = size[N]
    t = control[T]
    y, y_new, scratch, z, F = work, work[n:], work[4 * n :], work[7 * n :], work[19 * n :]
    row = found[(count[EVENTS] - 1) * (n + 2) :]
    e = int(row[0])
    x = control[THETA]
    t_event = t + x * h
    for attempt in range(5):
        if t_event == t:
            copy(n, y, y_new)
        else:
            status = shorter_step(
                rhs, before, jacobian, n, t, t_event - t, h, atol, control[RTOL], p, work, count, control
            )  # fmt: skip
            if status != 0:
                return status
            for i in range(n):
                y_new[i] = y[i] + z[2 * n + i]
            status = settle_state(project, before, size, flags, t_event, y_new, p, scratch, count)
            if status != 0:
                return status
        status = observe(events, before, t_event, y_new, p, values, count)
        if status != 0:
            return status
        if attempt == 4 or values[e] == 0.0 or flags[size[N_EVENTS] + e] == ROUGH:
            break
        dx = correction(events, before, e, x, values[e], t, h, n, TERMS, y, F, p, scratch, values, count)
        if not abs(dx * h) > EPS * abs(t_event) or x + dx < 0.0:
            break
        x += dx
        t_event = t + x * h
    row[1] = t_event
    copy(n, y_new, row[2:])
    if t_event != t:
        collocation(n, y, y_new, z, F)
        advance(count, control, t_event, t_event - t)
        copy(n, y_new, y)
        store(size, count, rows, t_event, y)
        copy(2 * n, F[n:], rows[(count[STORED] - 1) * size[WIDTH] + 1 + n :])
    return TERMINAL


@native
def start(
    rhs: Kernel, before: Callback, jacobian: Kernel, size: IntArray, count: IntArray, control: Array, atol: Array, p:
    Array, work: Array,
) -> i64:  # fmt: skip
    """Derivative, Jacobian and length of the first step."""
    n = size[N]
    y, y_new, f, f_new = work, work[n:], work[2 * n :], work[3 * n :]
    status = evaluate(rhs, before, control[T], y, p, f, count)
    if status != 0:
        return status
    if all_finite(n, f) == 0:
        return NON_FINITE
    if control[H] == 0.0:
        control[H] = first_step(rhs, before, 4.0, n, control, y, f, p, atol, y_new, f_new, count)
    control[H] = copysign_of(control[SPAN]) * abs(control[H])
    control[H_OLD] = 0.0
    control[ERROR_OLD] = 0.0
    count[FACTORED] = 0
    count[STARTED] = 1
    return jacobian_at(rhs, jacobian, before, n, control[T], p, work, count)


@native
def run(
    rhs: Kernel, before: Callback, events: Kernel, project: Kernel, jacobian: Kernel, size: IntArray, flags: IntArray,
    count: IntArray, control: Array, atol: Array, p: Array, samples: Array, sign: Array, found: Array, rows: Array,
    work: Array,
) -> i64:  # fmt: skip
    """Integrate until the end, a terminal event, trouble, or the end of the chunk (MORE). State: ``work[:n]``."""
    n, ne = size[N], size[N_EVENTS]
    y, y_new, f, f_new, scratch = work, work[n:], work[2 * n :], work[3 * n :], work[4 * n :]
    y_old, error_vector, z, F = work[5 * n :], work[6 * n :], work[7 * n :], work[19 * n :]
    lu, order = work[25 * n + n * n :], work[25 * n + 6 * n * n :]
    rtol = control[RTOL]
    if count[STARTED] == 0:
        status = start(rhs, before, jacobian, size, count, control, atol, p, work)
        if status != 0:
            return status
    for _ in range(size[CHUNK]):
        t = control[T]
        if t == control[END]:
            return FINISHED
        if ne > 0 and count[EVENTS] + 2 * ne * (size[INTERIOR] + 1) > size[EVENT_CAPACITY]:
            return MORE
        if has_too_many(size, count) != 0:
            return TOO_MANY_STEPS
        if abs(control[H]) < least_step(control):
            return underflow(count)
        t_new = end_of_step(control, control[END], control[H])
        h = t_new - t
        if h != control[H]:
            count[FACTORED] = 0
        status = 0
        if count[FACTORED] == 0:
            status = prepare(n, h, work, count)
        if status == 0:
            predict(n, h, control[H_OLD], y, y_old, F, z, scratch)
            status = newton(rhs, before, n, t, h, atol, rtol, p, work, count, control)
        if status != 0:
            if reject(status, count) != 0:
                return CALLBACK_FAILED
            count[AFTER_REJECTION] = 1
            count[FACTORED] = 0
            if count[FRESH] == 0 and status == NO_CONVERGENCE:
                status = jacobian_at(rhs, jacobian, before, n, t, p, work, count)
                if status != 0:
                    return status
            else:
                control[H] = 0.5 * h
            continue
        for i in range(n):
            y_new[i] = y[i] + z[2 * n + i]
        again = count[AFTER_REJECTION]
        if control[H_OLD] == 0.0:
            again = 1
        error = estimate(
            rhs, before, n, t, h, y, y_new, f, z, p, atol, rtol, again, lu, order, error_vector, scratch, f_new, count
        )
        status = 0
        if not isfinite(error) or all_finite(n, y_new) == 0:
            status = NON_FINITE
        elif error < 1.0:
            status = settle_state(project, before, size, flags, t_new, y_new, p, scratch, count)
            if status == 0:
                status = evaluate(rhs, before, t_new, y_new, p, f_new, count)
            if status == 0 and all_finite(n, f_new) == 0:
                status = NON_FINITE
        if status != 0:
            if reject(status, count) != 0:
                return CALLBACK_FAILED
            control[H] = 0.2 * h
            count[AFTER_REJECTION] = 1
            count[FACTORED] = 0
            continue
        used = float(count[ITERATIONS])
        safety = 0.9 * 13.0 / (12.0 + used)
        factor = safety * growth(h, control[H_OLD], error, control[ERROR_OLD])
        if error >= 1.0:
            count[REJECTED] += 1
            count[AFTER_REJECTION] = 1
            count[FACTORED] = 0
            control[H] = h * max(0.2, factor)
            continue
        copy(n, y, y_old)
        collocation(n, y, y_new, z, F)
        if ne > 0:
            status = scan(
                events, before, size, flags, count, control, sign, found, t, h, TERMS, y, y_new, F, p, scratch
            )
            if status == TERMINAL:
                sample(size, count, samples, t + control[THETA] * h, t, h, TERMS, y, y_new, F)
                return stop_at_event(
                    rhs,
                    before,
                    events,
                    project,
                    jacobian,
                    size,
                    flags,
                    count,
                    control,
                    atol,
                    found,
                    rows,
                    h,
                    p,
                    work,
                    sign[3 * ne :],
                )
            if status != 0:
                return status
        sample(size, count, samples, t_new, t, h, TERMS, y, y_new, F)
        advance(count, control, t_new, h)
        copy(n, y_new, y)
        copy(n, f_new, f)
        store(size, count, rows, t_new, y)
        copy(2 * n, F[n:], rows[(count[STORED] - 1) * size[WIDTH] + 1 + n :])
        count[FRESH] = 0
        slow = count[ITERATIONS] > 2 and control[RATE] > 1e-3
        factor = max(0.2, min(10.0, factor))
        if count[AFTER_REJECTION] != 0:
            factor = min(1.0, factor)
        count[AFTER_REJECTION] = 0
        control[H_OLD] = h
        control[ERROR_OLD] = max(error, 1e-2)
        if slow:
            status = jacobian_at(rhs, jacobian, before, n, t_new, p, work, count)
            if status != 0:
                return status
        if slow or factor < 0.99 or factor > 1.2 or abs(h * factor) > control[H_MAX]:
            count[FACTORED] = 0
            control[H] = copysign_of(h) * min(abs(h) * factor, control[H_MAX])
        else:
            control[H] = h
    if control[T] == control[END]:
        return FINISHED
    return MORE


@native
def states_at(
    rhs: Kernel, before: Callback, size: IntArray, p: Array, rows: Array, steps: IntArray, count_of_times: i64, out:
    Array, count: IntArray, work: Array,
) -> i64:  # fmt: skip
    """States at the times in ``out`` (rows: t, y): the j-th lies in the step that begins at row ``steps[j]``."""
    n = size[N]
    F = work[19 * n :]
    for j in range(count_of_times):
        here, there = rows[steps[j] * size[WIDTH] :], rows[(steps[j] + 1) * size[WIDTH] :]
        for i in range(n):
            F[i] = there[1 + i] - here[1 + i]
        copy(2 * n, there[1 + n :], F[n:])
        x = (out[j * (n + 1)] - here[0]) / (there[0] - here[0])
        interpolate(n, TERMS, x, here[1:], F, out[j * (n + 1) + 1 :])
    return 0


class _Jacobian(NamedTuple):
    jacobian: int


def _jacobian(model: CompiledModel) -> _Jacobian:
    return _Jacobian(model.jacobian)


METHOD = Method(
    "Radau", 5, 4, Loop(run, states_at, work_size, width, kernels=_jacobian), is_held_at_rank_loss=True,
    is_carried_across_rank_loss=True,
)  # fmt: skip
