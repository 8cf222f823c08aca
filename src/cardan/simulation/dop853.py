"""DOP853: adaptive explicit Runge-Kutta of order 8(5,3), [HNW] Hairer, Norsett, Wanner, Solving ODEs I, II.4 to II.10.

One native loop with the twelve stages, the combined error estimate of orders 5 and 3, Hairer's choice of the first
step and his step-size control. Nothing but accepted states is stored; the interpolant is built from three further
evaluations in the steps where an output time or an event asks for it.
"""

from __future__ import annotations

from math import isfinite, sqrt

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
    normalise,
    observe,
    reject,
    scaled_norm,
    store,
    underflow,
)
from cardan.simulation.crossings import correction, scan
from cardan.simulation.interpolant import hermite, interpolate, sample, wants_sample
from cardan.simulation.layout import (
    AFTER_REJECTION,
    CALLBACK_FAILED,
    CALM,
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
    REJECTED,
    RTOL,
    SPAN,
    STARTED,
    STIFF,
    SUSPICIOUS,
    TERMINAL,
    THETA,
    TOO_MANY_STEPS,
    WATCH_STIFFNESS,
    WIDTH,
    H,
    N,
    T,
)
from cardan.simulation.tableau_dop853 import COLUMN, DENSE, DENSE_STAGE, ERROR_STAGE, FIFTH, NODE, START, THIRD, VALUE

TERMS = 7
N_ERROR = len(ERROR_STAGE)
N_DENSE = len(DENSE_STAGE)
SAFETY, SHRINK, GROW = 0.9, 0.333, 6.0  # Hairer's SAFE, FAC1, FAC2
STIFF_LIMIT = 6.1  # |h lambda| on the boundary of the stability region, as in Hairer's program


def work_size(n: int) -> int:
    """Numbers of scratch space the loop needs: y, y_new, scratch, 16 stages, 7 terms."""
    return n * (3 + 16 + TERMS)


@native
def combine(n: i64, s: i64, h: f64, y: Array, k: Array, out: Array) -> None:
    """out = y + h (row s of the tableau) k."""
    for i in range(n):
        a = 0.0
        for e in range(START[s], START[s + 1]):
            a += VALUE[e] * k[COLUMN[e] * n + i]
        out[i] = y[i] + h * a


@native
def stages(
    rhs: Kernel, before: Callback, n: i64, t: f64, h: f64, y: Array, p: Array, k: Array, y_new: Array, count: IntArray
) -> i64:
    """Stages 1 to 11 and the new state; stage 0 is given. 0 or a failure."""
    for s in range(1, 12):
        combine(n, s, h, y, k, y_new)
        status = evaluate(rhs, before, t + NODE[s] * h, y_new, p, k[s * n :], count)
        if status != 0:
            return status
    combine(n, 12, h, y, k, y_new)
    return 0


@native
def error_norm(n: i64, h: f64, y: Array, y_new: Array, k: Array, atol: Array, rtol: f64) -> f64:
    """The combined estimate |h| e5^2 / sqrt(e5^2 + 0.01 e3^2), [HNW, II.10 eq. (10.17)]."""
    sum5 = 0.0
    sum3 = 0.0
    for i in range(n):
        e5 = 0.0
        e3 = 0.0
        for e in range(N_ERROR):
            e5 += FIFTH[e] * k[ERROR_STAGE[e] * n + i]
            e3 += THIRD[e] * k[ERROR_STAGE[e] * n + i]
        scale = atol[i] + rtol * max(abs(y[i]), abs(y_new[i]))
        e5 = e5 / scale
        e3 = e3 / scale
        sum5 += e5 * e5
        sum3 += e3 * e3
    bottom = sum5 + 0.01 * sum3
    if bottom <= 0.0:
        return 0.0
    return abs(h) * sum5 / sqrt(bottom * n)


@native
def dense(
    rhs: Kernel, before: Callback, n: i64, t: f64, h: f64, y: Array, y_new: Array, p: Array, k: Array, F: Array,
    scratch: Array, count: IntArray,
) -> i64:  # fmt: skip
    """The seven terms of the interpolant, from stages 0 to 12 (12 is the derivative at the new state).

    Where an additional stage cannot be evaluated (the step itself could) the cubic part is all there is.
    """
    hermite(n, h, y, y_new, k, k[12 * n :], F)
    for j in range(3 * n, TERMS * n):
        F[j] = 0.0
    for s in range(13, 16):
        combine(n, s, h, y, k, scratch)
        status = evaluate(rhs, before, t + NODE[s] * h, scratch, p, k[s * n :], count)
        if status == CALLBACK_FAILED:
            return status
        if status != 0 or all_finite(n, k[s * n :]) == 0:
            return 0
    for j in range(4):
        for i in range(n):
            a = 0.0
            for e in range(N_DENSE):
                a += DENSE[j * N_DENSE + e] * k[DENSE_STAGE[e] * n + i]
            F[(3 + j) * n + i] = h * a
    return 0


@native
def first_step(
    rhs: Kernel, before: Callback, order: f64, n: i64, control: Array, y: Array, f: Array, p: Array, atol: Array,
    trial: Array, slope: Array, count: IntArray,
) -> f64:  # fmt: skip
    """Length of the first step, [HNW, II.4 'Starting step size']; only the sizes of y, f and f' enter."""
    rtol = control[RTOL]
    direction = copysign_of(control[SPAN])
    d0 = scaled_norm(n, y, y, atol, rtol)
    d1 = scaled_norm(n, f, y, atol, rtol)
    h0 = 1e-6
    if d0 >= 1e-5 and d1 >= 1e-5:
        h0 = 0.01 * d0 / d1
    h0 = min(h0, control[H_MAX], abs(control[END] - control[T]))
    for i in range(n):
        trial[i] = y[i] + direction * h0 * f[i]
    if evaluate(rhs, before, control[T] + direction * h0, trial, p, slope, count) != 0:
        return float(h0)
    for i in range(n):
        slope[i] = slope[i] - f[i]
    d2 = scaled_norm(n, slope, y, atol, rtol) / h0
    if not isfinite(d2):
        return float(h0)
    h1 = max(1e-6, 1e-3 * h0)
    if max(d1, d2) > 1e-15:
        h1 = (0.01 / max(d1, d2)) ** (1.0 / order)
    return float(min(100.0 * h0, h1, control[H_MAX]))


@native
def looks_stiff(n: i64, h: f64, y_new: Array, k: Array, stage: Array, count: IntArray) -> i64:
    """1 when |h lambda| has stayed outside the stability region for long, [HNW, II.10; HW, IV.2 eq. (2.2)].

    lambda is estimated from the two evaluations at the end of the step, at the last stage and at the new state.
    """
    top = 0.0
    bottom = 0.0
    for i in range(n):
        df = k[12 * n + i] - k[11 * n + i]
        dy = y_new[i] - stage[i]
        top += df * df
        bottom += dy * dy
    if bottom > 0.0 and abs(h) * sqrt(top / bottom) > STIFF_LIMIT:
        count[CALM] = 0
        count[SUSPICIOUS] += 1
        if count[SUSPICIOUS] >= 15:
            return 1
    else:
        count[CALM] += 1
        if count[CALM] >= 6:
            count[SUSPICIOUS] = 0
    return 0


@native
def stop_at_event(
    rhs: Kernel, before: Callback, events: Kernel, size: IntArray, flags: IntArray, count: IntArray, control: Array,
    found: Array, rows: Array, h: f64, y: Array, p: Array, k: Array, F: Array, y_new: Array, scratch: Array,
    values: Array,
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
        normalise(size, flags, y_new)
        status = observe(events, before, t_event, y_new, p, values, count)
        if status != 0:
            return status
        value = values[e]
        if attempt == 4 or value == 0.0:
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
    rhs: Kernel, before: Callback, events: Kernel, size: IntArray, flags: IntArray, count: IntArray, control: Array,
    samples: Array, sign: Array, found: Array, rows: Array, h: f64, y: Array, y_new: Array, p: Array, k: Array,
    F: Array, scratch: Array,
) -> i64:  # fmt: skip
    """Events and requested times of an accepted step; 0, TERMINAL or a failure."""
    n, ne = size[N], size[N_EVENTS]
    t = control[T]
    direction = copysign_of(h)
    if ne == 0 and wants_sample(size, count, samples, t + h, direction) == 0:
        return 0
    status = dense(rhs, before, n, t, h, y, y_new, p, k, F, scratch, count)
    if status != 0:
        return status
    if ne > 0:
        status = scan(events, before, size, flags, count, control, sign, found, t, h, TERMS, y, y_new, F, p, scratch)
        if status == TERMINAL:
            sample(size, count, samples, t + control[THETA] * h, t, h, TERMS, y, y_new, F)
            return stop_at_event(
                rhs, before, events, size, flags, count, control, found, rows, h, y, p, k, F, y_new, scratch,
                sign[3 * ne :],
            )  # fmt: skip
        if status != 0:
            return status
    sample(size, count, samples, t + h, t, h, TERMS, y, y_new, F)
    return 0


@native
def run(
    rhs: Kernel, before: Callback, events: Kernel, size: IntArray, flags: IntArray, count: IntArray, control: Array,
    atol: Array, p: Array, samples: Array, sign: Array, found: Array, rows: Array, work: Array,
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
        if ne > 0 and count[EVENTS] + ne * (size[INTERIOR] + 1) > size[EVENT_CAPACITY]:
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
            normalise(size, flags, y_new)
            status = evaluate(rhs, before, t_new, y_new, p, k[12 * n :], count)
            if status == 0 and all_finite(n, k[12 * n :]) == 0:
                status = NON_FINITE
        if status != 0:
            if reject(status, count) != 0:
                return CALLBACK_FAILED
            control[H] = 0.2 * h
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
            rhs, before, events, size, flags, count, control, samples, sign, found, rows, h, y, y_new, p, k, F, scratch
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
    rhs: Kernel, before: Callback, size: IntArray, p: Array, rows: Array, steps: IntArray, count_of_times: i64,
    out: Array, count: IntArray, work: Array,
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
