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

from cardan.native.language import Array, IntArray, Kernel, f64, i64, native
from cardan.simulation.common import (
    advance,
    after_chunk,
    all_finite,
    copy,
    copysign_of,
    end_of_step,
    evaluate,
    least_step,
    observe,
    pause,
    reject,
    settle_state,
    store,
    underflow,
)
from cardan.simulation.crossings import correction, end_at, marks_in, scan
from cardan.simulation.interpolant import interpolate, sample
from cardan.simulation.layout import (
    AFTER_REJECTION,
    CALLBACK_FAILED,
    CHUNK,
    END,
    EPS,
    ERROR_OLD,
    EVENTS,
    FACTORED,
    FRESH,
    GO_ON,
    H_MAX,
    H_OLD,
    INTERIOR,
    ITERATIONS,
    N_EVENTS,
    NO_CONVERGENCE,
    NON_FINITE,
    RATE,
    REJECTED,
    ROUGH,
    SPAN,
    STARTED,
    STORED,
    TERMINAL,
    THETA,
    WIDTH,
    H,
    N,
    T,
)
from cardan.simulation.ledger import Field, Ledger, Span
from cardan.simulation.methods.method import Loop, Method
from cardan.simulation.methods.newton import (
    C1,
    C2,
    C3,
    RadauWork,
    jacobian_at,
    newton,
    prepare,
    radau_work_in,
    work_size,
)
from cardan.simulation.methods.radau_step import TERMS, collocation, estimate, growth, predict
from cardan.simulation.methods.starting import first_step
from cardan.simulation.protocol import CompiledModel


class Implicit(NamedTuple):
    """The further kernel: the Jacobian, where the model has one."""

    jacobian: Kernel


def implicit(model: CompiledModel) -> Implicit:
    """The kernel of a model."""
    return Implicit(model.jacobian)


def width(n: int) -> int:
    """A row holds t, y and the last two coefficients of the polynomial that arrives at y."""
    return 1 + 3 * n


@native
def store_polynomial(book: Ledger, own: RadauWork) -> None:
    """Put the coefficients of the polynomial behind the state that was stored last."""
    n = book.size[N]
    copy(2 * n, own.F[n:], book.rows[(book.field.counts[STORED] - 1) * book.size[WIDTH] + 1 + n :])


@native
def shorter_step(book: Ledger, kernels: Implicit, t: f64, h: f64, h_made: f64, own: RadauWork) -> i64:
    """Stages of a step h from the last accepted state, of which a longer one, ``h_made``, has just been made.

    The stages start on its polynomial; where they do not converge, once more with a new Jacobian.
    """
    n, y, scratch = book.size[N], own.y, own.scratch
    status = 0
    for attempt in range(2):
        if attempt == 1:
            status = jacobian_at(book, kernels.jacobian, t, own)
        if status == 0:
            status = prepare(n, h, own, book.field.counts)
        if status != 0:
            return status
        for s in range(3):
            c = C1
            if s == 1:
                c = C2
            if s == 2:
                c = C3
            interpolate(n, TERMS, c * h / h_made, y, own.F, scratch)
            for i in range(n):
                own.z[s * n + i] = scratch[i] - y[i]
        status = newton(book, t, h, own)
        if status != NO_CONVERGENCE:
            return status
        status = 0
    return NO_CONVERGENCE


@native
def step_to(book: Ledger, kernels: Implicit, span: Span, t_event: f64, own: RadauWork) -> i64:
    """``own.y_new`` <- the state at t_event by a fresh step from the last accepted one; 0 or a failure."""
    n, t = book.size[N], span.t
    if t_event == t:
        copy(n, own.y, own.y_new)
        return 0
    status = shorter_step(book, kernels, t, t_event - t, span.h, own)
    if status != 0:
        return status
    for i in range(n):
        own.y_new[i] = own.y[i] + own.z[2 * n + i]
    return settle_state(book, t_event, own.y_new, own.scratch)


@native
def stop_at_event(book: Ledger, kernels: Implicit, span: Span, own: RadauWork, values: Array) -> i64:
    """End the run at the terminal event by fresh steps from the last accepted state."""
    n, t, h = book.size[N], span.t, span.h
    row = book.found[(book.field.counts[EVENTS] - 1) * (n + 2) :]
    e = int(row[0])
    x = book.control[THETA]
    t_event = t + x * h
    for attempt in range(5):
        status = step_to(book, kernels, span, t_event, own)
        if status == 0:
            status = observe(book.events, book.field, t_event, own.y_new, values)
        if status != 0:
            return status
        if attempt == 4 or values[e] == 0.0 or book.flags[book.size[N_EVENTS] + e] == ROUGH:
            break
        dx = correction(book, span, e, x, values[e], values)
        if not abs(dx * h) > EPS * abs(t_event) or x + dx < 0.0:
            break
        x += dx
        t_event = t + x * h
    if t_event == t:
        return end_at(book, t_event, own.y, own.y_new)
    collocation(n, own)
    status = end_at(book, t_event, own.y, own.y_new)
    store_polynomial(book, own)
    return status


@native
def start(book: Ledger, kernels: Implicit, own: RadauWork) -> i64:
    """Derivative, Jacobian and length of the first step."""
    control, count = book.control, book.field.counts
    status = evaluate(book.field, control[T], own.y, own.f)
    if status != 0:
        return status
    if all_finite(book.size[N], own.f) == 0:
        return NON_FINITE
    if control[H] == 0.0:
        control[H] = first_step(book, 4.0, own.y, own.f, own.y_new, own.f_new)
    control[H] = copysign_of(control[SPAN]) * abs(control[H])
    control[H_OLD] = 0.0
    control[ERROR_OLD] = 0.0
    count[FACTORED] = 0
    count[STARTED] = 1
    return jacobian_at(book, kernels.jacobian, control[T], own)


@native(inline=True)
def solve_stages(book: Ledger, h: f64, own: RadauWork) -> i64:
    """The stages of a step, from the last one's polynomial; 0 or a failure."""
    n, count, status = book.size[N], book.field.counts, 0
    if h != book.control[H]:
        count[FACTORED] = 0
    if count[FACTORED] == 0:
        status = prepare(n, h, own, count)
    if status == 0:
        predict(n, h, book.control[H_OLD], own)
        status = newton(book, book.control[T], h, own)
    return status


@native
def give_way(book: Ledger, kernels: Implicit, failure: i64, h: f64, own: RadauWork) -> i64:
    """After stages that were not found: a new Jacobian, where it is not new, or half the step. GO_ON or a failure."""
    count = book.field.counts
    if reject(failure, count) != 0:
        return CALLBACK_FAILED
    count[AFTER_REJECTION] = 1
    count[FACTORED] = 0
    if count[FRESH] == 0 and failure == NO_CONVERGENCE:
        status = jacobian_at(book, kernels.jacobian, book.control[T], own)
        if status != 0:
            return status
    else:
        book.control[H] = 0.5 * h
    return GO_ON


@native(inline=True)
def judge(book: Ledger, h: f64, t_new: f64, own: RadauWork) -> f64:
    """The error of a step whose stages are known, in units of the tolerance; minus the status of what failed.

    Behind a step that is accurate enough the new state is where it belongs and its derivative is known.
    """
    n, y_new = book.size[N], own.y_new
    for i in range(n):
        y_new[i] = own.y[i] + own.z[2 * n + i]
    again = book.field.counts[AFTER_REJECTION]
    if book.control[H_OLD] == 0.0:
        again = 1
    error = estimate(book, book.control[T], h, again, own)
    status = 0
    if not isfinite(error) or all_finite(n, y_new) == 0:
        status = NON_FINITE
    elif error < 1.0:
        status = settle_state(book, t_new, y_new, own.scratch)
        if status == 0:
            status = evaluate(book.field, t_new, y_new, own.f_new)
        if status == 0 and all_finite(n, own.f_new) == 0:
            status = NON_FINITE
    if status != 0:
        return -float(status)
    return error


@native(inline=True)
def accept(book: Ledger, kernels: Implicit, h: f64, t_new: f64, own: RadauWork) -> i64:
    """Events and requested times of an accepted step, then the step itself; 0, TERMINAL or a failure."""
    n, ne, t = book.size[N], book.size[N_EVENTS], book.control[T]
    copy(n, own.y, own.y_old)
    collocation(n, own)
    span = Span(t, h, TERMS, own.y, own.y_new, own.F, own.scratch)
    if ne > 0:
        status = scan(book, span)
        if status == TERMINAL:
            sample(book, span, t + book.control[THETA] * h)
            marks = marks_in(ne, book.size[INTERIOR], book.sign)
            return stop_at_event(book, kernels, span, own, marks.values)
        if status != 0:
            return status
    sample(book, span, t_new)
    advance(book, t_new, h)
    copy(n, own.y_new, own.y)
    copy(n, own.f_new, own.f)
    store(book, t_new, own.y)
    store_polynomial(book, own)
    return 0


@native(inline=True)
def plan(book: Ledger, kernels: Implicit, h: f64, error: f64, wanted: f64, own: RadauWork) -> i64:
    """The length of the next step, and a new Jacobian where the iterations were slow; 0 or a failure."""
    count, control = book.field.counts, book.control
    count[FRESH] = 0
    slow = count[ITERATIONS] > 2 and control[RATE] > 1e-3
    factor = max(0.2, min(10.0, wanted))
    if count[AFTER_REJECTION] != 0:
        factor = min(1.0, factor)
    count[AFTER_REJECTION] = 0
    control[H_OLD] = h
    control[ERROR_OLD] = max(error, 1e-2)
    if slow:
        status = jacobian_at(book, kernels.jacobian, control[T], own)
        if status != 0:
            return status
    if slow or factor < 0.99 or factor > 1.2 or abs(h * factor) > control[H_MAX]:
        count[FACTORED] = 0
        control[H] = copysign_of(h) * min(abs(h) * factor, control[H_MAX])
    else:
        control[H] = h
    return 0


@native
def run(book: Ledger, kernels: Implicit, work: Array) -> i64:
    """Integrate until the end, a terminal event, trouble, or the end of the chunk (MORE). State: ``work[:n]``."""
    control, count = book.control, book.field.counts
    own = radau_work_in(book.size[N], work)
    if count[STARTED] == 0:
        status = start(book, kernels, own)
        if status != 0:
            return status
    for _ in range(book.size[CHUNK]):
        status = pause(book)
        if status != GO_ON:
            return status
        if abs(control[H]) < least_step(control):
            return underflow(count)
        t_new = end_of_step(control, control[END], control[H])
        h = t_new - control[T]
        status = solve_stages(book, h, own)
        if status != 0:
            status = give_way(book, kernels, status, h, own)
            if status != GO_ON:
                return status
            continue
        error = judge(book, h, t_new, own)
        if error < 0.0:
            if reject(int(-error), count) != 0:
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
        status = accept(book, kernels, h, t_new, own)
        if status == 0:
            status = plan(book, kernels, h, error, factor, own)
        if status != 0:
            return status
    return after_chunk(control)


@native
def states_at(
    field: Field, size: IntArray, rows: Array, steps: IntArray, count_of_times: i64, out: Array, work: Array
) -> i64:  # fmt: skip
    """States at the times in ``out`` (rows: t, y): the j-th lies in the step that begins at row ``steps[j]``."""
    n = size[N]
    own = radau_work_in(n, work)
    F = own.F
    for j in range(count_of_times):
        here, there = rows[steps[j] * size[WIDTH] :], rows[(steps[j] + 1) * size[WIDTH] :]
        for i in range(n):
            F[i] = there[1 + i] - here[1 + i]
        copy(2 * n, there[1 + n :], F[n:])
        x = (out[j * (n + 1)] - here[0]) / (there[0] - here[0])
        interpolate(n, TERMS, x, here[1:], F, out[j * (n + 1) + 1 :])
    return 0


METHOD = Method(
    "Radau", 5, 4, Loop(run, states_at, work_size, width, kernels=implicit), is_held_at_rank_loss=True,
    is_carried_across_rank_loss=True,
)  # fmt: skip
