"""Zero crossings of event functions within an accepted step, located on the interpolant to round-off.

What is detected: a change between the last nonzero sign and the sign at one of ``INTERIOR`` equally spaced points
inside the step or at its end; and, where a function comes nearer to zero at one of them than at its neighbours, a
change of sign and back in between, found by golden section. Of several such dips between two points one is found, and
one that is too narrow to show at the points is not.

A zero is not an event by itself, only the change of sign is; so a function that is zero at the start fires when, after
having had one sign, it takes the other. ``direction`` refers to the direction of integration.
"""

from __future__ import annotations

from typing import NamedTuple

from cardan.native.language import Array, carve, f64, i64, native, room_for
from cardan.simulation.common import advance, copy, observe, store
from cardan.simulation.interpolant import interpolate
from cardan.simulation.layout import EPS, EVENTS, INTERIOR, N_EVENTS, TERMINAL, THETA, N, T
from cardan.simulation.ledger import Ledger, Span

GOLDEN = 0.6180339887498949
DIPS = 24  # steps of golden section
SHALLOW = 0.6  # of the larger neighbour: a function that dips to zero and back lies below this at the nearest point
FARTHEST = 0.125  # of a step: what the interpolant may be wrong by
NEXT = 1e-6  # of a piece: how far inside the step the slope at its ends is looked at


class Marks(NamedTuple):
    """What is known of the events: last nonzero signs, values at the left and right of an interval, room for values,
    values at the points inside a step and at its ends, and fractions at which one is beyond zero for a moment."""

    sign: Array
    left: Array
    right: Array
    values: Array
    table: Array
    cuts: Array
    total: i64


@native
def marks_in(events: i64, interior: i64, sign: Array) -> Marks:
    """The marks of several events, with ``interior`` points inside a step."""
    return carve(Marks, sign, events, events, events, events, (interior + 2) * events, interior + 1)


def scan_size(events: int, interior: int) -> int:
    """Numbers that marks have."""
    return room_for(marks_in, events, interior)


@native
def value_at(book: Ledger, span: Span, x: f64, values: Array) -> i64:
    """Event values at the fraction x of the step; 0 or a failure."""
    interpolate(book.size[N], span.terms, x, span.y, span.F, span.state)
    return observe(book.events, book.field, span.t + x * span.h, span.state, values)


@native
def sign_of(x: f64) -> f64:
    """-1, 0 or 1."""
    if x > 0.0:
        return 1.0
    if x < 0.0:
        return -1.0
    return 0.0


@native
def root(
    book: Ledger, span: Span, e: i64, left: f64, f_left: f64, right: f64, f_right: f64, values: Array
) -> f64:  # fmt: skip
    """Fraction of the step at which event e vanishes: Brent's method [Brent 1973, chapter 4]; -1 if a call failed."""
    a, fa, b, fb = left, f_left, right, f_right
    if fa == 0.0:
        return a
    c, fc, d, last = a, fa, b - a, b - a
    resolution = EPS * (1.0 + abs(span.t / span.h))
    for _ in range(100):
        if abs(fc) < abs(fb):
            a, b, c = b, c, b
            fa, fb, fc = fb, fc, fb
        tolerance = 2.0 * EPS * abs(b) + 0.5 * resolution
        m = 0.5 * (c - b)
        if abs(m) <= tolerance or fb == 0.0:
            return b
        if abs(last) < tolerance or abs(fa) <= abs(fb):
            d, last = m, m
        else:
            s = fb / fa
            num = 2.0 * m * s
            den = 1.0 - s
            if a != c:
                q = fa / fc
                r = fb / fc
                num = s * (2.0 * m * q * (q - r) - (b - a) * (r - 1.0))
                den = (q - 1.0) * (r - 1.0) * (s - 1.0)
            if num > 0.0:
                den = -den
            else:
                num = -num
            if 2.0 * num < min(3.0 * m * den - abs(tolerance * den), abs(last * den)):
                last = d
                d = num / den
            else:
                d, last = m, m
        a, fa = b, fb
        if abs(d) > tolerance:
            b += d
        elif m > 0.0:
            b += tolerance
        else:
            b -= tolerance
        if value_at(book, span, b, values) != 0:
            return -1.0
        fb = values[e]
        if sign_of(fb) * sign_of(fc) > 0.0:
            c, fc, d, last = a, fa, b - a, b - a
    return b


@native
def insert(found: Array, width: i64, first: i64, last: i64, e: i64, x: f64) -> None:
    """Put event e at fraction x into the rows first..last, which stay ordered."""
    j = last
    while j > first and found[(j - 1) * width + 1] > x:
        found[j * width] = found[(j - 1) * width]
        found[j * width + 1] = found[(j - 1) * width + 1]
        j -= 1
    found[j * width] = float(e)
    found[j * width + 1] = x


@native
def settle(book: Ledger, span: Span, first: i64) -> i64:
    """Give the crossings of this step their times and states; TERMINAL, and nothing later, at a terminal one."""
    n, ne, count = book.size[N], book.size[N_EVENTS], book.field.counts
    for j in range(first, count[EVENTS]):
        row = book.found[j * (n + 2) :]
        x = row[1]
        row[1] = span.t + x * span.h
        interpolate(n, span.terms, x, span.y, span.F, row[2:])
        if book.flags[ne + int(row[0])] != 0:
            count[EVENTS] = j + 1
            book.control[THETA] = x
            return TERMINAL
    return 0


@native
def dip(book: Ledger, span: Span, e: i64, s: f64, a: f64, b: f64, values: Array) -> f64:
    """A fraction between a and b at which event e does not have the sign s, by golden section; -1 if none is found."""
    left, right = a, b
    low = right - GOLDEN * (right - left)
    high = left + GOLDEN * (right - left)
    f_low, f_high = 0.0, 0.0
    for attempt in range(DIPS + 2):
        x = low
        if attempt == 1:
            x = high
        if attempt > 1:
            if f_low <= f_high:
                right, high, f_high = high, low, f_low
                low = right - GOLDEN * (right - left)
                x = low
            else:
                left, low, f_low = low, high, f_high
                high = left + GOLDEN * (right - left)
                x = high
        if value_at(book, span, x, values) != 0:
            return -1.0
        f = s * values[e]
        if f < 0.0:
            return x
        if x == low:
            f_low = f
        else:
            f_high = f
    return -1.0


@native
def find_dips(book: Ledger, span: Span, marks: Marks) -> None:
    """``cuts``: for each piece of the step, a fraction in it at which some event is beyond zero for a moment, or -1."""
    ne, table, values = book.size[N_EVENTS], marks.table, marks.values
    pieces = book.size[INTERIOR] + 1
    for e in range(ne):
        s = marks.sign[e]
        for k in range(pieces + 1):
            here = s * table[k * ne + e]
            before_it, behind = 1e300, 1e300
            largest = 0.0
            if k > 0:
                before_it = s * table[(k - 1) * ne + e]
                largest = max(largest, before_it)
            if k < pieces:
                behind = s * table[(k + 1) * ne + e]
                largest = max(largest, behind)
            if here > 0.0 and here <= before_it and here <= behind and here <= SHALLOW * largest:
                a = max(0.0, float(k - 1) / pieces)
                b = min(1.0, float(k + 1) / pieces)
                falls = 1
                if k == 0 or k == pieces:
                    inside = NEXT / pieces
                    if k == pieces:
                        inside = 1.0 - NEXT / pieces
                    falls = 0
                    if value_at(book, span, inside, values) == 0:
                        if s * values[e] < here:
                            falls = 1
                if falls != 0:
                    x = dip(book, span, e, s, a, b, values)
                    if x >= 0.0:
                        marks.cuts[min(pieces - 1, int(x * pieces))] = x


@native
def is_quiet(book: Ledger, t_new: f64, y_new: Array) -> i64:
    """1 where no event has changed its sign at the end of a step and no point inside is to be looked at."""
    ne, interior = book.size[N_EVENTS], book.size[INTERIOR]
    marks = marks_in(ne, interior, book.sign)
    if interior > 0 or observe(book.events, book.field, t_new, y_new, marks.right) != 0:
        return 0
    for e in range(ne):
        if not marks.right[e] * marks.sign[e] > 0.0:
            return 0
    copy(ne, marks.right, marks.left)
    return 1


@native
def look_inside(book: Ledger, span: Span, marks: Marks) -> i64:
    """The values of all events at the points inside a step and at its ends, and where they dip; 0 or a failure."""
    ne, pieces = book.size[N_EVENTS], book.size[INTERIOR] + 1
    copy(ne, marks.left, marks.table)
    for piece in range(pieces):
        marks.cuts[piece] = -1.0
        values = marks.table[(piece + 1) * ne :]
        if piece == pieces - 1:
            status = observe(book.events, book.field, span.t + span.h, span.y_new, values)
        else:
            status = value_at(book, span, float(piece + 1) / pieces, values)
        if status != 0:
            return status
    if pieces > 1:
        find_dips(book, span, marks)
    return 0


@native
def locate(book: Ledger, span: Span, marks: Marks, e: i64, a: f64, b: f64, f_right: f64) -> f64:
    """The fraction between a and b at which event e, given at b, changes its sign; -1 if a call failed."""
    s, values = marks.sign[e], marks.values
    start, f_start = a, marks.left[e]
    half = 0.5 * (b - a)
    while f_start * s <= 0.0 and half > EPS:  # rounding hides the sign at the left
        if value_at(book, span, a + half, values) != 0:
            break
        if values[e] * s > 0.0:
            start, f_start = a + half, values[e]
        half = 0.5 * half
    if f_start * s > 0.0:
        return root(book, span, e, start, f_start, b, f_right, values)
    return start


@native
def scan(book: Ledger, span: Span) -> i64:
    """Record the crossings of this step in their order; 0, TERMINAL (its fraction in THETA) or a failure."""
    n, ne, count = book.size[N], book.size[N_EVENTS], book.field.counts
    pieces = book.size[INTERIOR] + 1
    first = count[EVENTS]
    marks = marks_in(ne, pieces - 1, book.sign)
    status = look_inside(book, span, marks)
    if status != 0:
        return status
    a = 0.0
    for j in range(2 * pieces):
        piece = j // 2
        right = marks.table[(piece + 1) * ne :]
        b = float(piece + 1) / pieces
        if j % 2 == 0:
            if marks.cuts[piece] < 0.0:
                continue
            right = marks.right
            b = marks.cuts[piece]
            status = value_at(book, span, b, right)
            if status != 0:
                return status
        for e in range(ne):
            s = sign_of(right[e])
            if s != 0.0:
                wanted = book.flags[e] == 0 or float(book.flags[e]) == s
                if marks.sign[e] * s < 0.0 and wanted:
                    x = locate(book, span, marks, e, a, b, right[e])
                    if x < 0.0:
                        return observe(book.events, book.field, span.t, span.y, marks.values)
                    insert(book.found, n + 2, first, count[EVENTS], e, x)
                    count[EVENTS] += 1
                marks.sign[e] = s
        copy(ne, right, marks.left)
        a = b
    return settle(book, span, first)


@native
def correction(book: Ledger, span: Span, e: i64, x: f64, value: f64, values: Array) -> f64:
    """Newton correction of the fraction x, when a fresh step of that length leaves ``value``.

    The slope is taken from the interpolant; 0 where it vanishes, cannot be evaluated, or says that the zero is far away
    (the function jumps there, or began beyond zero).
    """
    d = 1e-4
    if value_at(book, span, x - d, values) != 0:
        return 0.0
    low = values[e]
    if value_at(book, span, x + d, values) != 0:
        return 0.0
    slope = (values[e] - low) / (2.0 * d)
    if slope == 0.0 or not abs(value) <= FARTHEST * abs(slope) or x - value / slope > 1.0:
        return 0.0
    return float(-value / slope)


@native
def end_at(book: Ledger, t_event: f64, y: Array, y_new: Array) -> i64:
    """End the run at a terminal event, the last one found, whose state is y_new; TERMINAL."""
    n, t = book.size[N], book.control[T]
    row = book.found[(book.field.counts[EVENTS] - 1) * (n + 2) :]
    row[1] = t_event
    copy(n, y_new, row[2:])
    if t_event != t:
        advance(book, t_event, t_event - t)
        copy(n, y_new, y)
        store(book, t_event, y)
    return TERMINAL
