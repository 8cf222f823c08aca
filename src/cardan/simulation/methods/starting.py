"""Length of the first step of an adaptive method."""

from __future__ import annotations

from math import isfinite, sqrt

from cardan.native.language import Array, f64, native
from cardan.simulation.common import copysign_of, evaluate, scaled_norm
from cardan.simulation.layout import END, H_MAX, RTOL, SPAN, N, T
from cardan.simulation.ledger import Ledger

SHORT = 1e-6  # of the run, where neither the state nor its rate says how long a step may be


@native
def root(x: f64, order: f64) -> f64:
    """x^(1/order) of a whole order by square roots, and Newton's method for what is odd in it.

    Made of operations that every processor rounds alike, which the C library's power is not: steps, and with them the
    bits of a motion, are then the same everywhere.
    """
    n = int(order)
    while n % 2 == 0:
        x = sqrt(x)
        n = n // 2
    if n == 1:
        return x
    y = max(1.0, x)  # above the root, from where Newton's method falls towards it
    for _ in range(1000):
        power = 1.0
        for _ in range(n - 1):
            power = power * y
        better = y + (x / power - y) / float(n)
        if not better < y:
            break
        y = better
    return float(y)


@native
def first_step(book: Ledger, order: f64, y: Array, f: Array, trial: Array, slope: Array) -> f64:
    """Length of the first step, [HNW, II.4 'Starting step size']; only the sizes of y, f, f' and the span enter."""
    n, control, atol, rtol = book.size[N], book.control, book.atol, book.control[RTOL]
    direction = copysign_of(control[SPAN])
    d0 = scaled_norm(n, y, y, atol, rtol)
    d1 = scaled_norm(n, f, y, atol, rtol)
    h0 = SHORT * abs(control[SPAN])
    if d0 >= 1e-5 and d1 >= 1e-5:
        h0 = 0.01 * d0 / d1
    h0 = min(h0, control[H_MAX], abs(control[END] - control[T]))
    for i in range(n):
        trial[i] = y[i] + direction * h0 * f[i]
    if evaluate(book.field, control[T] + direction * h0, trial, slope) != 0:
        return float(h0)
    for i in range(n):
        slope[i] = slope[i] - f[i]
    d2 = scaled_norm(n, slope, y, atol, rtol) / h0
    if not isfinite(d2):
        return float(h0)
    h1 = max(SHORT * abs(control[SPAN]), 1e-3 * h0)
    if max(d1, d2) > 1e-15:
        h1 = root(0.01 / max(d1, d2), order)
    return float(min(100.0 * h0, h1, control[H_MAX]))
