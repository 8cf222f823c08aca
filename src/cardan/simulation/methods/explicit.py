"""Adaptive explicit Runge-Kutta methods: one loop for all of them, [HNW] Hairer, Norsett, Wanner, Solving ODEs I, II.4.

Hairer's choice of the first step and his control of its length. Nothing but accepted states is stored; the interpolant
is built in the steps where an output time or an event asks for it.
"""

from __future__ import annotations

from math import isfinite

from cardan.native.language import Array, IntArray, NativeFunction, f64, i64, native, room_for
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
    settles,
    store,
    underflow,
)
from cardan.simulation.crossings import correction, end_at, is_quiet, marks_in, scan, sign_of
from cardan.simulation.interpolant import interpolate, sample, wants_sample
from cardan.simulation.layout import (
    AFTER_REJECTION,
    CALLBACK_FAILED,
    CHUNK,
    CONTROLS,
    COUNTS,
    END,
    EPS,
    EVENTS,
    GO_ON,
    H_MAX,
    INTERIOR,
    MORE,
    N_EVENTS,
    N_SAMPLES,
    NEXT_SAMPLE,
    NON_FINITE,
    PIVOT_FAILED,
    REJECTED,
    ROUGH,
    RTOL,
    SPAN,
    STARTED,
    STIFF,
    STORED,
    TERMINAL,
    THETA,
    WATCH_STIFFNESS,
    WIDTH,
    H,
    N,
    T,
)
from cardan.simulation.ledger import Field, Ledger, Rows, Span
from cardan.simulation.methods.explicit_step import (
    TABLEAU,
    Work,
    dense,
    error_norm,
    looks_stiff,
    stages,
    work_in,
)
from cardan.simulation.methods.method import Loop, NoKernels
from cardan.simulation.methods.starting import first_step, root
from cardan.simulation.methods.tableau import Tableau

SAFETY = 0.9  # of the step that the error estimate allows: Hairer's SAFE
NO_ERROR = 1e-30  # errors below this count as this, so that the next step is finite


@native
def stop_at_event(book: Ledger, span: Span, w: Work, values: Array) -> i64:
    """End the run at the terminal event by fresh steps from the last accepted state, the interpolant only guides."""
    n, t, h = book.size[N], span.t, span.h
    row = book.found[(book.field.counts[EVENTS] - 1) * (n + 2) :]
    e = int(row[0])
    x = book.control[THETA]
    t_event = t + x * h
    for attempt in range(5):
        status = stages(book.field, n, t, t_event - t, w.y, w.k, w.y_new)
        if status != 0:
            return status
        status = settle_state(book, t_event, w.y_new, w.scratch)
        if status == 0:
            status = observe(book.events, book.field, t_event, w.y_new, values)
        if status != 0:
            return status
        value = values[e]
        if attempt == 4 or value == 0.0 or book.flags[book.size[N_EVENTS] + e] == ROUGH:
            break
        dx = correction(book, span, e, x, value, values)
        if not abs(dx * h) > EPS * abs(t_event) or x + dx < 0.0:
            break
        x += dx
        t_event = t + x * h
    return end_at(book, t_event, w.y, w.y_new)


@native(inline=True)
def after_step(book: Ledger, h: f64, w: Work) -> i64:
    """Events and requested times of an accepted step; 0, TERMINAL or a failure."""
    n, ne, t = book.size[N], book.size[N_EVENTS], book.control[T]
    if wants_sample(book, t + h, copysign_of(h)) == 0:
        if ne == 0 or is_quiet(book, t + h, w.y_new) != 0:
            return 0
    status = dense(book.field, n, t, h, w, w.y)
    if status != 0:
        return status
    span = Span(t, h, TABLEAU.terms, w.y, w.y_new, w.F, w.scratch)
    if ne > 0:
        status = scan(book, span)
        if status == TERMINAL:
            sample(book, span, t + book.control[THETA] * h)
            marks = marks_in(ne, book.size[INTERIOR], book.sign)
            return stop_at_event(book, span, w, marks.values)
        if status != 0:
            return status
    sample(book, span, t + h)
    return 0


@native
def begin(book: Ledger, w: Work) -> i64:
    """The derivative at the start and the length of the first step; 0 or a failure."""
    n, control, count = book.size[N], book.control, book.field.counts
    if count[STARTED] == 0:
        status = evaluate(book.field, control[T], w.y, w.k)
        if status != 0:
            return status
        if all_finite(n, w.k) == 0:
            return NON_FINITE
        if control[H] == 0.0:
            control[H] = first_step(book, TABLEAU.order, w.y, w.k, w.y_new, w.scratch)
        control[H] = copysign_of(control[SPAN]) * abs(control[H])
        count[STARTED] = 1
    return 0


@native(inline=True)
def try_step(book: Ledger, h: f64, t_new: f64, w: Work) -> f64:
    """The error of a step in units of the tolerance; minus the status of what failed, where it could not be made.

    Behind a step that is accurate enough the new state is where it belongs and its derivative is known.
    """
    n, field, new = book.size[N], book.field, w.k[TABLEAU.stages * book.size[N] :]
    status = stages(field, n, book.control[T], h, w.y, w.k, w.y_new)
    if status == 0 and TABLEAU.estimates_with_end:
        status = evaluate(field, t_new, w.y_new, new)
    error = 0.0
    if status == 0:
        error = error_norm(n, h, w.y, w.y_new, w.k, book.atol, book.control[RTOL])
        if not isfinite(error) or all_finite(n, w.y_new) == 0:
            status = NON_FINITE
    if status == 0 and error < 1.0:
        status = settle_state(book, t_new, w.y_new, w.scratch)
        if status == 0 and (not TABLEAU.estimates_with_end or settles(book) != 0):
            status = evaluate(field, t_new, w.y_new, new)
        if status == 0 and all_finite(n, new) == 0:
            status = NON_FINITE
    if status != 0:
        return -float(status)
    return error


@native
def run(book: Ledger, own: NoKernels, work: Array) -> i64:
    """Integrate until the end, a terminal event, trouble, or the end of the chunk (MORE). State: ``work[:n]``."""
    n, control, count = book.size[N], book.control, book.field.counts
    w = work_in(n, work)
    status = begin(book, w)
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
        error = try_step(book, h, t_new, w)
        if error < 0.0:
            status = int(-error)
            if reject(status, count) != 0:
                return CALLBACK_FAILED
            control[H] = (0.5 if status == PIVOT_FAILED else 0.2) * h
            count[AFTER_REJECTION] = 1
            continue
        factor = SAFETY / root(max(error, NO_ERROR), TABLEAU.order)
        if error >= 1.0:
            count[REJECTED] += 1
            count[AFTER_REJECTION] = 1
            control[H] = h * max(TABLEAU.shrink, factor)
            continue
        factor = max(TABLEAU.shrink, min(TABLEAU.grow, factor))
        if count[AFTER_REJECTION] != 0:
            factor = min(1.0, factor)
        if TABLEAU.stiff_limit > 0.0 and book.size[WATCH_STIFFNESS] != 0:
            if looks_stiff(n, h, w, count) != 0:
                return STIFF
        status = after_step(book, h, w)
        if status != 0:
            return status
        count[AFTER_REJECTION] = 0
        advance(book, t_new, h)
        control[H] = copysign_of(h) * min(abs(h) * factor, control[H_MAX])
        copy(n, w.y_new, w.y)
        copy(n, w.k[TABLEAU.stages * n :], w.k)
        store(book, t_new, w.y)
    return after_chunk(control)


@native
def start_over(book: Ledger, first: Array, y: Array, work: Array) -> None:
    """Everything as before the first step of a motion from y; ``first`` is ``control`` at the start."""
    n, ne, count = book.size[N], book.size[N_EVENTS], book.field.counts
    for j in range(COUNTS):
        count[j] = 0
    copy(CONTROLS, first, book.control)
    copy(n, y, work)
    while count[NEXT_SAMPLE] < book.size[N_SAMPLES]:
        row = book.samples[count[NEXT_SAMPLE] * (n + 1) :]
        if row[0] != book.control[T]:
            break
        copy(n, y, row[1:])
        count[NEXT_SAMPLE] += 1
    if ne > 0:
        marks = marks_in(ne, book.size[INTERIOR], book.sign)
        observe(book.events, book.field, book.control[T], y, marks.left)
        for e in range(ne):
            marks.sign[e] = sign_of(marks.left[e])


@native
def run_many(book: Ledger, own: NoKernels, work: Array, number: i64, first: Array, rows: Rows) -> i64:
    """Motions from many starts, each as ``run`` makes it alone; what came of them is in ``rows``."""
    n, ne, count = book.size[N], book.size[N_EVENTS], book.field.counts
    asked = book.size[N_SAMPLES]
    for k in range(number):
        copy(rows.width, rows.p[k * rows.width :], book.field.p)
        copy(n, rows.atol[k * n :], book.atol)
        start_over(book, first, rows.y[k * n :], work)
        status = MORE
        while status == MORE:
            count[STORED] = 0
            count[EVENTS] = 0
            status = run(book, own, work)
            for j in range(count[EVENTS]):
                row = book.found[j * (n + 2) :]
                place = k * ne + int(row[0])
                if not rows.zeros[place] == rows.zeros[place]:
                    rows.zeros[place] = row[1]
        for j in range(count[NEXT_SAMPLE]):
            copy(n, book.samples[j * (n + 1) + 1 :], rows.states[(k * asked + j) * n :])
        out = rows.ends[k * (n + 3) :]
        out[0] = float(status)
        out[1] = book.control[T]
        out[2] = float(count[NEXT_SAMPLE])
        copy(n, work, out[3:])
    return 0


@native
def states_at(
    field: Field, size: IntArray, rows: Array, steps: IntArray, count_of_times: i64, out: Array, work: Array
) -> i64:  # fmt: skip
    """States at the times in ``out`` (rows: t, y): the j-th lies in the step that begins at row ``steps[j]``.

    The stages of a step are computed again, once for all the times that lie in it.
    """
    n, width = size[N], size[WIDTH]
    w = work_in(n, work)
    ready = -1
    for j in range(count_of_times):
        y = rows[steps[j] * width + 1 :]
        t = rows[steps[j] * width]
        h = rows[(steps[j] + 1) * width] - t
        if steps[j] != ready:
            status = evaluate(field, t, y, w.k)
            if status == 0:
                status = stages(field, n, t, h, y, w.k, w.y_new)
            if status == 0:
                copy(n, rows[(steps[j] + 1) * width + 1 :], w.y_new)
                status = evaluate(field, t + h, w.y_new, w.k[TABLEAU.stages * n :])
            if status == 0:
                status = dense(field, n, t, h, w, y)
            if status != 0:
                return status
            ready = steps[j]
        interpolate(n, TABLEAU.terms, (out[j * (n + 1)] - t) / h, y, w.F, out[j * (n + 1) + 1 :])
    return 0


def explicit_loop(
    name: str, tableau: Tableau, *, error: NativeFunction[..., float] = error_norm,
    interpolant: NativeFunction[..., int] = dense,
) -> Loop:  # fmt: skip
    """The loop with the coefficients of one method, and its own error estimate and interpolant where it has them."""
    meant = (TABLEAU, tableau), (error_norm, error), (dense, interpolant)
    lay_out = work_in.given(name, *meant)

    def work_size(n: int) -> int:
        return room_for(lay_out, n)

    return Loop(run.given(name, *meant), states_at.given(name, *meant), work_size, many=run_many.given(name, *meant))
