"""One step of Radau IIA of order 5: the collocation polynomial, starting values, the error estimate, the next size.

[HW] is Hairer, Wanner, Solving ODEs II, section IV.8.
"""

from __future__ import annotations

from cardan.native.language import f64, i64, native
from cardan.simulation.common import evaluate, scaled_norm
from cardan.simulation.interpolant import HERMITE_TERMS, interpolate
from cardan.simulation.layout import RTOL, N
from cardan.simulation.ledger import Ledger
from cardan.simulation.methods.dense import solve
from cardan.simulation.methods.newton import C1, C2, C3, E1, E2, E3, RadauWork

TERMS = HERMITE_TERMS


@native
def collocation(n: i64, own: RadauWork) -> None:
    """The polynomial through the stages, values z1, z2 at C1, C2 and the new state at 1 [HW, IV.8]"""
    y, y_new, z, F = own.y, own.y_new, own.z, own.F
    for i in range(n):
        dy = y_new[i] - y[i]
        w1 = (z[i] - C1 * dy) / (C1 * (1.0 - C1))
        w2 = (z[n + i] - C2 * dy) / (C2 * (1.0 - C2))
        F[i] = dy
        F[2 * n + i] = (w2 - w1) / (C2 - C1)
        F[n + i] = w1 - C1 * F[2 * n + i]


@native
def predict(n: i64, h: f64, h_old: f64, own: RadauWork) -> None:
    """Starting values of the stages: the last step's polynomial continued, or zero before there is one."""
    z, scratch = own.z, own.scratch
    for s in range(3):
        c = C1
        if s == 1:
            c = C2
        if s == 2:
            c = C3
        if h_old == 0.0:
            for i in range(n):
                z[s * n + i] = 0.0
        else:
            interpolate(n, TERMS, 1.0 + c * h / h_old, own.y_old, own.F, scratch)
            for i in range(n):
                z[s * n + i] = scratch[i] - own.y[i]


@native
def estimate(book: Ledger, t: f64, h: f64, again: i64, own: RadauWork) -> f64:
    """Size of the error in units of the tolerance, [HW, IV.8 eq. (8.19) and (8.20)]; nan if it cannot be found."""
    n, rtol, y, z = book.size[N], book.control[RTOL], own.y, own.z
    error, scratch, slope = own.error, own.scratch, own.f_new
    for i in range(n):
        error[i] = own.f[i] + (E1 * z[i] + E2 * z[n + i] + E3 * z[2 * n + i]) / h
    solve(n, own.real, own.order, error)
    for i in range(n):
        scratch[i] = max(abs(y[i]), abs(own.y_new[i]))
    size = scaled_norm(n, error, scratch, book.atol, rtol)
    if size >= 1.0 and again != 0:
        for i in range(n):
            slope[i] = y[i] + error[i]
        if evaluate(book.field, t, slope, error) != 0:
            return size
        for i in range(n):
            error[i] = error[i] + (E1 * z[i] + E2 * z[n + i] + E3 * z[2 * n + i]) / h
        solve(n, own.real, own.order, error)
        size = scaled_norm(n, error, scratch, book.atol, rtol)
    return size


@native
def growth(h: f64, h_old: f64, error: f64, error_old: f64) -> f64:
    """Factor for the next step: predictive control of Gustafsson, [HW, IV.8 eq. (8.25)]."""
    if error <= 1e-30:
        return 100.0
    plain = 1.0 / error**0.25
    if error_old <= 0.0 or h_old == 0.0:
        return float(plain)
    return float(plain * min(1.0, abs(h / h_old) * (error_old / error) ** 0.25))
