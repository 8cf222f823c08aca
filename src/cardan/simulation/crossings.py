"""Zero crossings of event functions within an accepted step, located on the interpolant to round-off.

What is detected: a change between the last nonzero sign and the sign at one of ``INTERIOR`` equally spaced points
inside the step or at its end; and, where a function comes nearer to zero at one of them than at its neighbours, a
change of sign and back in between, found by golden section. Of several such dips between two points one is found, and
one that is too narrow to show at the points is not.

A zero is not an event by itself, only the change of sign is; so a function that is zero at the start fires when, after
having had one sign, it takes the other. ``direction`` refers to the direction of integration.
"""

from __future__ import annotations

from cardan.native.language import Array, Callback, IntArray, Kernel, f64, i64, native
from cardan.simulation.common import copy, observe
from cardan.simulation.interpolant import interpolate
from cardan.simulation.layout import EPS, EVENTS, INTERIOR, N_EVENTS, TERMINAL, THETA, N

GOLDEN = 0.6180339887498949
DIPS = 24  # steps of golden section
SHALLOW = 0.6  # of the larger neighbour: a function that dips to zero and back lies below this at the nearest point
FARTHEST = 0.125  # of a step: what the interpolant may be wrong by
NEXT = 1e-6  # of a piece: how far inside the step the slope at its ends is looked at


def scan_size(events: int, interior: int) -> int:
    """Numbers that ``scan`` needs in ``sign``."""
    return (6 + interior) * events + interior + 1


@native
def value_at(
    events: Kernel, before: Callback, x: f64, t: f64, h: f64, n: i64, terms: i64, y: Array, F: Array, p: Array, state:
    Array, values: Array, count: IntArray,
) -> i64:  # fmt: skip
    """Event values at the fraction x of the step; 0 or a failure."""
    interpolate(n, terms, x, y, F, state)
    return observe(events, before, t + x * h, state, p, values, count)


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
    events: Kernel, before: Callback, e: i64, left: f64, f_left: f64, right: f64, f_right: f64, t: f64, h: f64, n: i64,
    terms: i64, y: Array, F: Array, p: Array, state: Array, values: Array, count: IntArray,
) -> f64:  # fmt: skip
    """Fraction of the step at which event e vanishes: Brent's method [Brent 1973, chapter 4]; -1 if a call failed."""
    a, fa, b, fb = left, f_left, right, f_right
    if fa == 0.0:
        return a
    c, fc, d, last = a, fa, b - a, b - a
    resolution = EPS * (1.0 + abs(t / h))
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
        if value_at(events, before, b, t, h, n, terms, y, F, p, state, values, count) != 0:
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
def settle(
    size: IntArray, flags: IntArray, count: IntArray, control: Array, found: Array, first: i64, t: f64, h: f64,
    terms: i64, y: Array, F: Array,
) -> i64:  # fmt: skip
    """Give the crossings of this step their times and states; TERMINAL, and nothing later, at a terminal one."""
    n, ne = size[N], size[N_EVENTS]
    for j in range(first, count[EVENTS]):
        row = found[j * (n + 2) :]
        x = row[1]
        row[1] = t + x * h
        interpolate(n, terms, x, y, F, row[2:])
        if flags[ne + int(row[0])] != 0:
            count[EVENTS] = j + 1
            control[THETA] = x
            return TERMINAL
    return 0


@native
def dip(
    events: Kernel, before: Callback, e: i64, s: f64, a: f64, b: f64, t: f64, h: f64, n: i64, terms: i64, y: Array, F:
    Array, p: Array, state: Array, values: Array, count: IntArray,
) -> f64:  # fmt: skip
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
        if value_at(events, before, x, t, h, n, terms, y, F, p, state, values, count) != 0:
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
def find_dips(
    events: Kernel, before: Callback, size: IntArray, count: IntArray, sign: Array, t: f64, h: f64, terms: i64, y:
    Array, F: Array, p: Array, state: Array, values: Array, table: Array, cuts: Array,
) -> None:  # fmt: skip
    """``cuts``: for each piece of the step, a fraction in it at which some event is beyond zero for a moment, or -1."""
    n, ne = size[N], size[N_EVENTS]
    pieces = size[INTERIOR] + 1
    for e in range(ne):
        s = sign[e]
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
                    if value_at(events, before, inside, t, h, n, terms, y, F, p, state, values, count) == 0:
                        if s * values[e] < here:
                            falls = 1
                if falls != 0:
                    x = dip(events, before, e, s, a, b, t, h, n, terms, y, F, p, state, values, count)
                    if x >= 0.0:
                        cuts[min(pieces - 1, int(x * pieces))] = x


@native
def is_quiet(
    events: Kernel, before: Callback, size: IntArray, count: IntArray, sign: Array, t_new: f64, y_new: Array, p: Array
) -> i64:  # fmt: skip
    """1 where no event has changed its sign at the end of a step and no point inside is to be looked at."""
    ne = size[N_EVENTS]
    left, right = sign[ne:], sign[2 * ne :]
    if size[INTERIOR] > 0 or observe(events, before, t_new, y_new, p, right, count) != 0:
        return 0
    for e in range(ne):
        if not right[e] * sign[e] > 0.0:
            return 0
    copy(ne, right, left)
    return 1


@native
def scan(
    events: Kernel, before: Callback, size: IntArray, flags: IntArray, count: IntArray, control: Array, sign: Array,
    found: Array, t: f64, h: f64, terms: i64, y: Array, y_new: Array, F: Array, p: Array, state: Array,
) -> i64:  # fmt: skip
    """Record the crossings of this step in their order; 0, TERMINAL (its fraction in THETA) or a failure.

    ``sign`` holds the last nonzero signs, the values at the left of the interval, two scratch rows, and what is needed
    for the points inside: see ``scan_size``.
    """
    n, ne = size[N], size[N_EVENTS]
    first = count[EVENTS]
    left, values, table = sign[ne:], sign[3 * ne :], sign[4 * ne :]
    pieces = size[INTERIOR] + 1
    cuts = table[(pieces + 1) * ne :]
    copy(ne, left, table)
    for piece in range(pieces):
        cuts[piece] = -1.0
        if piece == pieces - 1:
            status = observe(events, before, t + h, y_new, p, table[pieces * ne :], count)
        else:
            x = float(piece + 1) / pieces
            status = value_at(
                events, before, x, t, h, n, terms, y, F, p, state, table[(piece + 1) * ne :], count
            )  # fmt: skip
        if status != 0:
            return status
    if pieces > 1:
        find_dips(events, before, size, count, sign, t, h, terms, y, F, p, state, values, table, cuts)
    a = 0.0
    for j in range(2 * pieces):
        piece = j // 2
        right = table[(piece + 1) * ne :]
        b = float(piece + 1) / pieces
        if j % 2 == 0:
            if cuts[piece] < 0.0:
                continue
            right = sign[2 * ne :]
            b = cuts[piece]
            status = value_at(events, before, b, t, h, n, terms, y, F, p, state, right, count)
            if status != 0:
                return status
        for e in range(ne):
            s = sign_of(right[e])
            if s != 0.0:
                wanted = flags[e] == 0 or float(flags[e]) == s
                if sign[e] * s < 0.0 and wanted:
                    start, f_start = a, left[e]
                    half = 0.5 * (b - a)
                    while f_start * sign[e] <= 0.0 and half > EPS:  # rounding hides the sign at the left
                        if value_at(events, before, a + half, t, h, n, terms, y, F, p, state, values, count) != 0:
                            break
                        if values[e] * sign[e] > 0.0:
                            start, f_start = a + half, values[e]
                        half = 0.5 * half
                    x = start
                    if f_start * sign[e] > 0.0:
                        x = root(
                            events, before, e, start, f_start, b, right[e], t, h, n, terms, y, F, p, state, values,
                            count,
                        )  # fmt: skip
                    if x < 0.0:
                        return observe(events, before, t, y, p, values, count)
                    insert(found, n + 2, first, count[EVENTS], e, x)
                    count[EVENTS] += 1
                sign[e] = s
        copy(ne, right, left)
        a = b
    return settle(size, flags, count, control, found, first, t, h, terms, y, F)


@native
def correction(
    events: Kernel, before: Callback, e: i64, x: f64, value: f64, t: f64, h: f64, n: i64, terms: i64, y: Array, F:
    Array, p: Array, state: Array, values: Array, count: IntArray,
) -> f64:  # fmt: skip
    """Newton correction of the fraction x, when a fresh step of that length leaves ``value``.

    The slope is taken from the interpolant; 0 where it vanishes, cannot be evaluated, or says that the zero is far away
    (the function jumps there, or began beyond zero).
    """
    d = 1e-4
    if value_at(events, before, x - d, t, h, n, terms, y, F, p, state, values, count) != 0:
        return 0.0
    low = values[e]
    if value_at(events, before, x + d, t, h, n, terms, y, F, p, state, values, count) != 0:
        return 0.0
    slope = (values[e] - low) / (2.0 * d)
    if slope == 0.0 or not abs(value) <= FARTHEST * abs(slope) or x - value / slope > 1.0:
        return 0.0
    return float(-value / slope)
