"""The interpolant of a step, one form for all methods.

    y(t + x h) = y + x (F0 + (1 - x) (F1 + x (F2 + (1 - x) (F3 + ...))))

With three terms this is the cubic Hermite polynomial, or Radau's collocation polynomial; with seven it is DOP853's
seventh-order interpolant [HNW, II.6]. F is stored as rows of n numbers.
"""

from __future__ import annotations

from cardan.native.language import Array, f64, i64, native
from cardan.simulation.common import copy
from cardan.simulation.layout import N_SAMPLES, NEXT_SAMPLE, N
from cardan.simulation.ledger import Ledger, Span

HERMITE_TERMS = 3


@native
def hermite(n: i64, h: f64, y: Array, y_new: Array, f: Array, f_new: Array, F: Array) -> None:
    """First three terms: values and derivatives at both ends."""
    for i in range(n):
        dy = y_new[i] - y[i]
        F[i] = dy
        F[n + i] = h * f[i] - dy
        F[2 * n + i] = 2.0 * dy - h * (f[i] + f_new[i])


@native
def interpolate(n: i64, terms: i64, x: f64, y: Array, F: Array, out: Array) -> None:
    """The state at the fraction x of the step."""
    for i in range(n):
        s = 0.0
        for j in range(terms - 1, -1, -1):
            s += F[j * n + i]
            if j % 2 == 0:
                s *= x
            else:
                s *= 1.0 - x
        out[i] = y[i] + s


@native
def wants_sample(book: Ledger, limit: f64, direction: f64) -> i64:
    """1 when a requested time lies at or before ``limit``."""
    j = book.field.counts[NEXT_SAMPLE]
    if j < book.size[N_SAMPLES]:
        if (limit - book.samples[j * (book.size[N] + 1)]) * direction >= 0.0:
            return 1
    return 0


@native
def sample(book: Ledger, span: Span, limit: f64) -> None:
    """Write the states at all requested times up to ``limit``, within the step."""
    n, t, h = book.size[N], span.t, span.h
    direction = 1.0
    if h < 0.0:
        direction = -1.0
    while wants_sample(book, limit, direction) != 0:
        row = book.samples[book.field.counts[NEXT_SAMPLE] * (n + 1) :]
        if row[0] == t + h:
            copy(n, span.y_new, row[1:])
        else:
            interpolate(n, span.terms, (row[0] - t) / h, span.y, span.F, row[1:])
        book.field.counts[NEXT_SAMPLE] += 1
