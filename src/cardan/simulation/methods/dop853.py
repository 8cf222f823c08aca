"""DOP853: adaptive explicit Runge-Kutta of order 8(5,3), [HNW] Hairer, Norsett, Wanner, Solving ODEs I, II.4 to II.10.

One native loop with the twelve stages, the combined error estimate of orders 5 and 3, Hairer's choice of the first
step and his step-size control. Nothing but accepted states is stored; the interpolant is built from three further
evaluations in the steps where an output time or an event asks for it.
"""

from __future__ import annotations

from math import isfinite

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
from cardan.simulation.crossings import correction, is_quiet, scan
from cardan.simulation.interpolant import interpolate, sample, wants_sample
from cardan.simulation.layout import (
    AFTER_REJECTION,
    CALLBACK_FAILED,
    CHUNK,
    END,
    EPS,
    EVENT_CAPACITY,
    EVENTS,
    FINISHED,
    H_MAX,
    INTERIOR,
    MORE,
    N_EVENTS,
    NON_FINITE,
    PIVOT_FAILED,
    REJECTED,
    ROUGH,
    RTOL,
    SPAN,
    STARTED,
    STIFF,
    TERMINAL,
    THETA,
    TOO_MANY_STEPS,
    WATCH_STIFFNESS,
    WIDTH,
    H,
    N,
    T,
)
from cardan.simulation.methods.dop853_step import TERMS, combine, dense, error_norm, looks_stiff, stages
from cardan.simulation.methods.method import Loop, Method
from cardan.simulation.methods.starting import first_step

SAFETY, SHRINK, GROW = 0.9, 0.333, 6.0  # Hairer's SAFE, FAC1, FAC2


def work_size(n: int) -> int:
    """Numbers of scratch space the loop needs: y, y_new, scratch, 16 stages, 7 terms."""
    return n * (3 + 16 + TERMS)


@native
def stop_at_event(
    rhs: Kernel, before: Callback, events: Kernel, project: Kernel, size: IntArray, flags: IntArray, count: IntArray,
    control: Array, found: Array, rows: Array, h: f64, y: Array, p: Array, k: Array, F: Array, y_new: Array, scratch:
    Array, values: Array,
) -> i64:  # fmt: skip
    """End the run at the terminal event by fresh steps from the last accepted state, the interpolant only guides."""
    n = size[N]
    t = control[T]
    row = found[(count[EVENTS] - 1) * (n + 2) :]
    e = int(row[0])
    x = control[THETA]
    t_event = t + x * h
    for attempt in range(5):
        status = stages(rhs, before, n, t, t_event - t, y, p, k, y_new, count)
        if status != 0:
            return status
        status = settle_state(project, before, size, flags, t_event, y_new, p, scratch, count)
        if status == 0:
            status = observe(events, before, t_event, y_new, p, values, count)
        if status != 0:
            return status
        value = values[e]
        if attempt == 4 or value == 0.0 or flags[size[N_EVENTS] + e] == ROUGH:
            break
        dx = correction(events, before, e, x, value, t, h, n, TERMS, y, F, p, scratch, values, count)
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
def after_step(
    rhs: Kernel, before: Callback, events: Kernel, project: Kernel, size: IntArray, flags: IntArray, count: IntArray,
    control: Array, samples: Array, sign: Array, found: Array, rows: Array, h: f64, y: Array, y_new: Array, p: Array, k:
    Array, F: Array, scratch: Array,
) -> i64:  # fmt: skip
    """Events and requested times of an accepted step; 0, TERMINAL or a failure."""
    n, ne = size[N], size[N_EVENTS]
    t = control[T]
    direction = copysign_of(h)
    if wants_sample(size, count, samples, t + h, direction) == 0:
        if ne == 0 or is_quiet(events, before, size, count, sign, t + h, y_new, p) != 0:
            return 0
    status = dense(rhs, before, n, t, h, y, y_new, p, k, F, scratch, count)
    if status != 0:
        return status
    if ne > 0:
        status = scan(events, before, size, flags, count, control, sign, found, t, h, TERMS, y, y_new, F, p, scratch)
        if status == TERMINAL:
            sample(size, count, samples, t + control[THETA] * h, t, h, TERMS, y, y_new, F)
            return stop_at_event(
                rhs, before, events, project, size, flags, count, control, found, rows, h, y, p, k, F, y_new, scratch,
                sign[3 * ne :],
            )  # fmt: skip
        if status != 0:
            return status
    sample(size, count, samples, t + h, t, h, TERMS, y, y_new, F)
    return 0


@native
def run(
    rhs: Kernel, before: Callback, events: Kernel, project: Kernel, size: IntArray, flags: IntArray, count: IntArray,
    control: Array, atol: Array, p: Array, samples: Array, sign: Array, found: Array, rows: Array, work: Array,
) -> i64:  # fmt: skip
    """Integrate until the end, a terminal event, trouble, or the end of the chunk (MORE). State: ``work[:n]``."""
    n, ne = size[N], size[N_EVENTS]
    y, y_new, scratch = work, work[n:], work[2 * n :]
    k, F = work[3 * n :], work[19 * n :]
    rtol = control[RTOL]
    if count[STARTED] == 0:
        status = evaluate(rhs, before, control[T], y, p, k, count)
        if status != 0:
            return status
        if all_finite(n, k) == 0:
            return NON_FINITE
        if control[H] == 0.0:
            control[H] = first_step(rhs, before, 8.0, n, control, y, k, p, atol, y_new, scratch, count)
        control[H] = copysign_of(control[SPAN]) * abs(control[H])
        count[STARTED] = 1
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
        status = stages(rhs, before, n, t, h, y, p, k, y_new, count)
        error = 0.0
        if status == 0:
            error = error_norm(n, h, y, y_new, k, atol, rtol)
            if not isfinite(error) or all_finite(n, y_new) == 0:
                status = NON_FINITE
        if status == 0 and error < 1.0:
            status = settle_state(project, before, size, flags, t_new, y_new, p, scratch, count)
            if status == 0:
                status = evaluate(rhs, before, t_new, y_new, p, k[12 * n :], count)
            if status == 0 and all_finite(n, k[12 * n :]) == 0:
                status = NON_FINITE
        if status != 0:
            if reject(status, count) != 0:
                return CALLBACK_FAILED
            control[H] = (0.5 if status == PIVOT_FAILED else 0.2) * h
            count[AFTER_REJECTION] = 1
            continue
        factor = SAFETY / max(error, 1e-30) ** (1.0 / 8.0)
        if error >= 1.0:
            count[REJECTED] += 1
            count[AFTER_REJECTION] = 1
            control[H] = h * max(SHRINK, factor)
            continue
        factor = max(SHRINK, min(GROW, factor))
        if count[AFTER_REJECTION] != 0:
            factor = min(1.0, factor)
        if size[WATCH_STIFFNESS] != 0:
            combine(n, 11, h, y, k, scratch)  # the state of the last stage
            if looks_stiff(n, h, y_new, k, scratch, count) != 0:
                return STIFF
        status = after_step(
            rhs,
            before,
            events,
            project,
            size,
            flags,
            count,
            control,
            samples,
            sign,
            found,
            rows,
            h,
            y,
            y_new,
            p,
            k,
            F,
            scratch,
        )
        if status != 0:
            return status
        count[AFTER_REJECTION] = 0
        advance(count, control, t_new, h)
        control[H] = copysign_of(h) * min(abs(h) * factor, control[H_MAX])
        copy(n, y_new, y)
        copy(n, k[12 * n :], k)
        store(size, count, rows, t_new, y)
    if control[T] == control[END]:
        return FINISHED
    return MORE


@native
def states_at(
    rhs: Kernel, before: Callback, size: IntArray, p: Array, rows: Array, steps: IntArray, count_of_times: i64, out:
    Array, count: IntArray, work: Array,
) -> i64:  # fmt: skip
    """States at the times in ``out`` (rows: t, y): the j-th lies in the step that begins at row ``steps[j]``.

    The stages of a step are computed again, once for all the times that lie in it.
    """
    n = size[N]
    width = size[WIDTH]
    y_new, scratch, k, F = work[n:], work[2 * n :], work[3 * n :], work[19 * n :]
    ready = -1
    for j in range(count_of_times):
        y = rows[steps[j] * width + 1 :]
        t = rows[steps[j] * width]
        h = rows[(steps[j] + 1) * width] - t
        if steps[j] != ready:
            status = evaluate(rhs, before, t, y, p, k, count)
            if status == 0:
                status = stages(rhs, before, n, t, h, y, p, k, y_new, count)
            if status == 0:
                copy(n, rows[(steps[j] + 1) * width + 1 :], y_new)
                status = evaluate(rhs, before, t + h, y_new, p, k[12 * n :], count)
            if status == 0:
                status = dense(rhs, before, n, t, h, y, y_new, p, k, F, scratch, count)
            if status != 0:
                return status
            ready = steps[j]
        interpolate(n, TERMS, (out[j * (n + 1)] - t) / h, y, F, out[j * (n + 1) + 1 :])
    return 0


METHOD = Method(
    "DOP853", 8, 8, Loop(run, states_at, work_size), is_held_at_rank_loss=True, is_carried_across_rank_loss=True,
    keeps_pace=True,
)  # fmt: skip
