"""Steps of fixed length: one loop for all methods that make them.

``step`` is what makes one, ``begin`` and ``keep`` what a method does before the first and behind each; the loop itself
knows events, requested times and the end. Between steps the motion is the cubic Hermite polynomial, so output between
steps and event times that do not end the run are of order 4; a terminal event is found by steps of adjusted length.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from cardan.native.language import Array, IntArray, NativeFunction, carve, f64, i64, native, room_for
from cardan.simulation.common import (
    advance,
    after_chunk,
    copy,
    copysign_of,
    evaluate,
    observe,
    pause,
    store,
)
from cardan.simulation.crossings import correction, end_at, marks_in, scan
from cardan.simulation.interpolant import HERMITE_TERMS, hermite, interpolate, sample, wants_sample
from cardan.simulation.layout import (
    ACCEPTED,
    CHUNK,
    END,
    EPS,
    EVENTS,
    GO_ON,
    INTERIOR,
    N_EVENTS,
    ORIGIN,
    SPAN,
    STARTED,
    TERMINAL,
    THETA,
    WIDTH,
    H,
    N,
    T,
)
from cardan.simulation.ledger import Field, Ledger, Span
from cardan.simulation.methods.method import Kernels, Loop, NoKernels, no_kernels
from cardan.simulation.protocol import CompiledModel


@dataclass(frozen=True, eq=False)
class Scheme:
    """What the loop has to know of a method: whether its steps begin with the derivative at the old state."""

    uses_rates: bool


SCHEME = Scheme(uses_rates=False)  # any one: every method replaces it


class FixedWork(NamedTuple):
    """Scratch of the loop: states and derivatives at both ends of a step, stages, a state, terms of the interpolant."""

    y: Array
    y_new: Array
    f: Array
    f_new: Array
    k: Array
    scratch: Array
    F: Array
    own: Array  # of the method
    total: i64


@native
def fixed_work_in(n: i64, work: Array) -> FixedWork:
    """The scratch at the begin of ``work``."""
    return carve(FixedWork, work, n, n, n, n, 3 * n, n, HERMITE_TERMS * n, 0)


@native
def begin(book: Ledger, own: NoKernels, w: FixedWork) -> i64:
    """What a method needs before its first step; nothing, where it does not say. 0 or a failure."""
    return 0


@native
def step(book: Ledger, own: NoKernels, t: f64, h: f64, w: FixedWork) -> i64:
    """``w.y_new`` <- the state a step after ``w.y``; every method replaces this. 0 or a failure."""
    return 0


@native
def keep(book: Ledger, w: FixedWork) -> None:
    """What a method does when a step is accepted; nothing, where it does not say."""
    return


@native
def stop_at_event(book: Ledger, own: NoKernels, span: Span, w: FixedWork, values: Array) -> i64:
    """End the run at the terminal event by steps of adjusted length."""
    n, t, h = book.size[N], span.t, span.h
    row = book.found[(book.field.counts[EVENTS] - 1) * (n + 2) :]
    e = int(row[0])
    x = book.control[THETA]
    t_event = t + x * h
    for attempt in range(8):
        status = step(book, own, t, t_event - t, w)
        if status == 0:
            status = observe(book.events, book.field, t_event, w.y_new, values)
        if status != 0:
            return status
        if attempt == 7 or values[e] == 0.0:
            break
        dx = correction(book, span, e, x, values[e], values)
        if not abs(dx * h) > EPS * abs(t_event) or x + dx < 0.0:
            break
        x += dx
        t_event = t + x * h
    return end_at(book, t_event, w.y, w.y_new)


@native(inline=True)
def after_step(book: Ledger, own: NoKernels, h: f64, t_new: f64, w: FixedWork) -> i64:
    """The derivative at the end, events and requested times of a step; 0, TERMINAL or a failure."""
    n, ne, t = book.size[N], book.size[N_EVENTS], book.control[T]
    watched = ne > 0 or wants_sample(book, t_new, copysign_of(h)) != 0
    if SCHEME.uses_rates or watched:
        status = evaluate(book.field, t_new, w.y_new, w.f_new)
        if status != 0:
            return status
    if not watched:
        return 0
    if not SCHEME.uses_rates:
        status = evaluate(book.field, t, w.y, w.f)
        if status != 0:
            return status
    hermite(n, h, w.y, w.y_new, w.f, w.f_new, w.F)
    span = Span(t, h, HERMITE_TERMS, w.y, w.y_new, w.F, w.scratch)
    if ne > 0:
        status = scan(book, span)
        if status == TERMINAL:
            sample(book, span, t + book.control[THETA] * h)
            marks = marks_in(ne, book.size[INTERIOR], book.sign)
            return stop_at_event(book, own, span, w, marks.values)
        if status != 0:
            return status
    sample(book, span, t_new)
    return 0


@native
def run(book: Ledger, own: NoKernels, work: Array) -> i64:
    """Integrate until the end, a terminal event, trouble, or the end of the chunk (MORE). State: ``work[:n]``."""
    n, control, count = book.size[N], book.control, book.field.counts
    w = fixed_work_in(n, work)
    if count[STARTED] == 0:
        control[H] = copysign_of(control[SPAN]) * abs(control[H])
        status = evaluate(book.field, control[T], w.y, w.f)
        if status == 0:
            status = begin(book, own, w)
        if status != 0:
            return status
        count[STARTED] = 1
    for _ in range(book.size[CHUNK]):
        status = pause(book)
        if status != GO_ON:
            return status
        t, h = control[T], control[H]
        t_new = control[ORIGIN] + float(count[ACCEPTED] + 1) * h  # not t + h, whose rounding would add up
        if (t_new + 0.01 * h - control[END]) * copysign_of(h) > 0.0:
            t_new = control[END]
            h = t_new - t
        status = step(book, own, t, h, w)
        if status == 0:
            status = after_step(book, own, h, t_new, w)
        if status != 0:
            return status
        advance(book, t_new, h)
        copy(n, w.y_new, w.y)
        copy(n, w.f_new, w.f)
        keep(book, w)
        store(book, t_new, w.y)
    return after_chunk(control)


@native
def states_at(
    field: Field, size: IntArray, rows: Array, steps: IntArray, count_of_times: i64, out: Array, work: Array
) -> i64:  # fmt: skip
    """States at the times in ``out`` (rows: t, y): the j-th lies in the step that begins at row ``steps[j]``."""
    n, width = size[N], size[WIDTH]
    w = fixed_work_in(n, work)
    ready = -1
    for j in range(count_of_times):
        y, y_new = rows[steps[j] * width + 1 :], rows[(steps[j] + 1) * width + 1 :]
        t = rows[steps[j] * width]
        h = rows[(steps[j] + 1) * width] - t
        if steps[j] != ready:
            status = evaluate(field, t, y, w.f)
            if status == 0:
                status = evaluate(field, t + h, y_new, w.f_new)
            if status != 0:
                return status
            hermite(n, h, y, y_new, w.f, w.f_new, w.F)
            ready = steps[j]
        interpolate(n, HERMITE_TERMS, (out[j * (n + 1)] - t) / h, y, w.F, out[j * (n + 1) + 1 :])
    return 0


def fixed_loop(
    name: str, one_step: NativeFunction[..., int], *others: tuple[object, object], uses_rates: bool = False,
    kernels: Callable[[CompiledModel], Kernels] = no_kernels, needs: tuple[str, ...] = (),
    own_work: Callable[[int, int], int] = lambda nv, rows: 0,
) -> Loop:  # fmt: skip
    """The loop with the step of one method, which takes its kernels; ``others`` are further replacements.

    ``own_work`` says how many numbers of scratch the method needs for so many velocities and constraint rows.
    """
    meant = (step, one_step), (SCHEME, Scheme(uses_rates)), *others

    def work_size(n: int) -> int:
        return room_for(fixed_work_in, n)

    return Loop(
        run.given(name, *meant), states_at, work_size, kernels=kernels, needs=needs, own_work=own_work
    )  # fmt: skip
