"""What every integrator does: evaluate, keep quaternions on the unit sphere, measure errors, store states."""

from __future__ import annotations

from math import isfinite, sqrt

from cardan.native.language import Array, Callback, IntArray, Kernel, f64, i64, native
from cardan.simulation.layout import (
    ACCEPTED,
    CALLBACK_FAILED,
    END,
    EPS,
    EVALUATIONS,
    EVENT_CAPACITY,
    EVENTS,
    FINISHED,
    GO_ON,
    INTERIOR,
    KEEP,
    LARGEST,
    MAX_STEPS,
    MORE,
    N_EVENTS,
    N_QUATERNIONS,
    NON_FINITE,
    PIVOT,
    PIVOT_FAILED,
    REJECTED,
    SMALLEST,
    SPAN,
    STORED,
    TOO_MANY_STEPS,
    TROUBLE,
    UNDERFLOW,
    WIDTH,
    N,
    T,
)
from cardan.simulation.ledger import Field, Ledger

UNKNOWN = float("nan")


@native
def observe(kernel: Kernel, field: Field, t: f64, y: Array, out: Array) -> i64:
    """Run a kernel of a model after refreshing its inputs; 0, PIVOT_FAILED or CALLBACK_FAILED."""
    if field.before != 0:
        if field.before(t, y, field.p) != 0:
            return CALLBACK_FAILED
    status = kernel(t, y, field.p, out)
    if status < 0:
        return CALLBACK_FAILED
    if status > 0:
        field.counts[PIVOT] = status - 1
        return PIVOT_FAILED
    return 0


@native
def observe_all(
    kernel: Kernel, before: Callback, number: i64, n: i64, width: i64, times: Array, states: Array, p: Array, out: Array
) -> None:  # fmt: skip
    """The outputs of a kernel, ``width`` of them, at each of several states; nan where it cannot be evaluated."""
    for j in range(number):
        y = states[j * n :]
        row = out[j * width :]
        failed = 0
        if before != 0:
            failed = int(before(times[j], y, p))
        if failed == 0:
            failed = int(kernel(times[j], y, p, row))
        if failed != 0:
            for i in range(width):
                row[i] = UNKNOWN


@native
def evaluate(field: Field, t: f64, y: Array, out: Array) -> i64:
    """The right-hand side, counted as an evaluation; otherwise as ``observe``."""
    field.counts[EVALUATIONS] += 1
    return observe(field.rhs, field, t, y, out)


@native
def all_finite(n: i64, x: Array) -> i64:
    """1 when no entry is infinite or nan, else 0."""
    for i in range(n):
        if not isfinite(x[i]):
            return 0
    return 1


@native
def copy(n: i64, x: Array, out: Array) -> None:
    """out = x."""
    for i in range(n):
        out[i] = x[i]


@native
def normalise(size: IntArray, flags: IntArray, y: Array) -> None:
    """Scale each quaternion of the state to unit length."""
    first = 2 * size[N_EVENTS]
    for j in range(size[N_QUATERNIONS]):
        e = y[flags[first + j] :]
        length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3])
        if length > 0.0:
            for i in range(4):
                e[i] = e[i] / length


@native
def settles(book: Ledger) -> i64:
    """1 where states are brought back after a step, else 0."""
    if book.project != 0 or book.size[N_QUATERNIONS] > 0:
        return 1
    return 0


@native
def settle_state(book: Ledger, t: f64, y: Array, scratch: Array) -> i64:
    """Bring the state after a step back to where it belongs: unit quaternions, then the model's own projection."""
    normalise(book.size, book.flags, y)
    if book.project != 0:
        status = observe(book.project, book.field, t, y, scratch)
        if status != 0:
            return status
        copy(book.size[N], scratch, y)
    return 0


@native
def scaled_norm(n: i64, x: Array, y: Array, atol: Array, rtol: f64) -> f64:
    """Root mean square of x in units of atol + rtol |y|, [HNW, II.4 eq. (4.11)]."""
    s = 0.0
    for i in range(n):
        r = x[i] / (atol[i] + rtol * abs(y[i]))
        s += r * r
    return sqrt(s / n)


@native
def copysign_of(h: f64) -> f64:
    """1 or -1, the direction of a step."""
    if h < 0.0:
        return -1.0
    return 1.0


@native
def least_step(control: Array) -> f64:
    """Steps shorter than this no longer move the time reliably."""
    return float(4.0 * EPS * max(abs(control[T]), 1e-8 * abs(control[SPAN])))


@native
def end_of_step(control: Array, end: f64, h: f64) -> f64:
    """Time after a step h: exactly ``end`` when at most a hundredth of a step would remain."""
    t = control[T]
    if (t + 1.01 * h - end) * copysign_of(h) > 0.0:
        return end
    return float(t + h)


@native(inline=True)
def pause(book: Ledger) -> i64:
    """Why the loop returns before the next step: the end, no room for events, or too many steps; else GO_ON."""
    size, count = book.size, book.field.counts
    if book.control[T] == book.control[END]:
        return FINISHED
    most = 2 * size[N_EVENTS] * (size[INTERIOR] + 1)
    if size[N_EVENTS] > 0 and count[EVENTS] + most > size[EVENT_CAPACITY]:
        return MORE
    if count[ACCEPTED] + count[REJECTED] >= size[MAX_STEPS]:
        return TOO_MANY_STEPS
    return GO_ON


@native
def after_chunk(control: Array) -> i64:
    """What the loop returns behind the last step of a chunk."""
    if control[T] == control[END]:
        return FINISHED
    return MORE


@native
def reject(status: i64, count: IntArray) -> i64:
    """Count a step that could not be completed; nonzero (the status) when the run must end at once."""
    if status == CALLBACK_FAILED:
        return CALLBACK_FAILED
    count[REJECTED] += 1
    count[TROUBLE] = status
    return 0


@native
def underflow(count: IntArray) -> i64:
    """Status of a run whose step became too small: the trouble behind it where there is one."""
    if count[TROUBLE] == PIVOT_FAILED or count[TROUBLE] == NON_FINITE:
        return int(count[TROUBLE])
    return UNDERFLOW


@native
def store(book: Ledger, t: f64, y: Array) -> None:
    """Append the accepted state to the rows of this chunk."""
    size, count = book.size, book.field.counts
    if size[KEEP] == 0 and count[STORED] > 0:
        count[STORED] = 0
    row = book.rows[count[STORED] * size[WIDTH] :]
    row[0] = t
    copy(size[N], y, row[1:])
    count[STORED] += 1


@native
def advance(book: Ledger, t: f64, h: f64) -> None:
    """Move the time and keep the statistics of accepted steps."""
    count, control = book.field.counts, book.control
    count[ACCEPTED] += 1
    count[TROUBLE] = 0
    control[T] = t
    control[SMALLEST] = min(control[SMALLEST], abs(h))
    control[LARGEST] = max(control[LARGEST], abs(h))
