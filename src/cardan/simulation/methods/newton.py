"""The nonlinear system of a Radau step: Jacobian, factors, and simplified Newton iterations in transformed stages.

[HW] Hairer, Wanner, Solving ODEs II, section IV.8: with T^-1 A^-1 T = diag(gamma, (alpha, -beta; beta, alpha)) the
stages W = T^-1 Z decouple into (gamma/h I - J) and ((alpha - i beta)/h I - J).
"""

from __future__ import annotations

from math import isfinite, sqrt
from typing import NamedTuple

from cardan.native.language import Array, IntArray, Kernel, carve, f64, i64, native, room_for
from cardan.simulation.common import all_finite, evaluate, observe
from cardan.simulation.layout import (
    EPS,
    FACTORED,
    FACTORISATIONS,
    FRESH,
    ITERATIONS,
    JACOBIANS,
    NO_CONVERGENCE,
    NON_FINITE,
    RATE,
    RTOL,
    N,
)
from cardan.simulation.ledger import Ledger
from cardan.simulation.methods.dense import factor, solve

ROOT6 = sqrt(6.0)
C1, C2, C3 = (4.0 - ROOT6) / 10.0, (4.0 + ROOT6) / 10.0, 1.0  # nodes, [HW, IV.5 table 5.6]
E1, E2, E3 = (-13.0 - 7.0 * ROOT6) / 3.0, (-13.0 + 7.0 * ROOT6) / 3.0, -1.0 / 3.0  # error weights, [HW, IV.8 (8.19)]
GAMMA = 3.0 + 3.0 ** (2.0 / 3.0) - 3.0 ** (1.0 / 3.0)  # eigenvalues of the inverse of A
ALPHA = 3.0 + 0.5 * (3.0 ** (1.0 / 3.0) - 3.0 ** (2.0 / 3.0))
BETA = 0.5 * (3.0 ** (5.0 / 6.0) + 3.0 ** (7.0 / 6.0))
T11, T12, T13 = 0.09443876248897524, -0.14125529502095421, 0.03002919410514742  # eigenvectors, as in RADAU5
T21, T22, T23 = 0.25021312296533332, 0.20412935229379994, -0.38294211275726192
I11, I12, I13 = 4.17871859155190428, 0.32768282076106237, 0.52337644549944951  # and their inverse
I21, I22, I23 = -4.17871859155190428, -0.32768282076106237, 0.47662355450055044
I31, I32, I33 = 0.50287263494578682, -2.57192694985560522, 0.59603920482822492
MOST = 6  # iterations
NEARLY_ZERO = 1e9  # times atol: a number is varied as if it were at least as large


class RadauWork(NamedTuple):
    """Scratch of the loop.

    States y, y_new and y_old with derivatives f and f_new, room for a state and for an error, the stages (z, and w
    transformed) with derivatives k and corrections d (3 n each), the terms F of the interpolant, the Jacobian J, and
    the matrices ``real`` (n) and ``coupled`` (2 n) with the orders of their rows.
    """

    y: Array
    y_new: Array
    f: Array
    f_new: Array
    scratch: Array
    y_old: Array
    error: Array
    z: Array
    w: Array
    k: Array
    d: Array
    F: Array
    J: Array
    real: Array
    coupled: Array
    order: Array
    order2: Array
    total: i64


@native
def radau_work_in(n: i64, work: Array) -> RadauWork:
    """The scratch at the begin of ``work``."""
    return carve(
        RadauWork, work, n, n, n, n, n, n, n, 3 * n, 3 * n, 3 * n, 3 * n, 3 * n, n * n, n * n, 4 * n * n, n, 2 * n
    )  # fmt: skip


def work_size(n: int) -> int:
    """Numbers of scratch space."""
    return room_for(radau_work_in, n)


@native
def jacobian_at(book: Ledger, jacobian: Kernel, t: f64, own: RadauWork) -> i64:
    """Jacobian at the current state: the kernel's, or forward differences as in RADAU5."""
    n, count, y, changed = book.size[N], book.field.counts, own.y, own.scratch
    count[JACOBIANS] += 1
    count[FRESH] = 1
    count[FACTORED] = 0
    if jacobian != 0:
        return observe(jacobian, book.field, t, y, own.J)
    for j in range(n):
        kept = y[j]
        y[j] = kept + sqrt(EPS) * max(abs(kept), NEARLY_ZERO * book.atol[j])
        d = y[j] - kept
        status = evaluate(book.field, t, y, changed)
        y[j] = kept
        if status != 0:
            return status
        for i in range(n):
            own.J[i * n + j] = (changed[i] - own.f[i]) / d
    return 0


@native
def prepare(n: i64, h: f64, own: RadauWork, count: IntArray) -> i64:
    """Factors of gamma/h I - J and of the complex matrix, written as a real one of size 2n."""
    J, real, coupled = own.J, own.real, own.coupled
    m = 2 * n
    for i in range(n):
        for j in range(n):
            a = -J[i * n + j]
            real[i * n + j] = a
            coupled[i * m + j] = a
            coupled[(n + i) * m + n + j] = a
            coupled[i * m + n + j] = 0.0
            coupled[(n + i) * m + j] = 0.0
        real[i * n + i] += GAMMA / h
        coupled[i * m + i] += ALPHA / h
        coupled[(n + i) * m + n + i] += ALPHA / h
        coupled[i * m + n + i] = BETA / h
        coupled[(n + i) * m + i] = -BETA / h
    count[FACTORISATIONS] += 2
    count[FACTORED] = 1
    if all_finite(n * n, J) == 0:
        return NON_FINITE
    if factor(n, real, own.order) != 0 or factor(m, coupled, own.order2) != 0:
        return NO_CONVERGENCE
    return 0


@native
def stages_from(n: i64, w: Array, z: Array) -> None:
    """Z = T W."""
    for i in range(n):
        a, b, c = w[i], w[n + i], w[2 * n + i]
        z[i] = T11 * a + T12 * b + T13 * c
        z[n + i] = T21 * a + T22 * b + T23 * c
        z[2 * n + i] = a + b


@native
def corrections(n: i64, h: f64, own: RadauWork) -> None:
    """d = the change of W that the linear systems give for derivatives k at the stages."""
    w, k, d = own.w, own.k, own.d
    for i in range(n):
        a, b, c = k[i], k[n + i], k[2 * n + i]
        u, v = w[n + i], w[2 * n + i]
        d[i] = I11 * a + I12 * b + I13 * c - GAMMA / h * w[i]
        d[n + i] = I21 * a + I22 * b + I23 * c - (ALPHA / h * u + BETA / h * v)
        d[2 * n + i] = I31 * a + I32 * b + I33 * c - (ALPHA / h * v - BETA / h * u)
    solve(n, own.real, own.order, d)
    solve(2 * n, own.coupled, own.order2, d[n:])


@native
def stage_norm(n: i64, d: Array, y: Array, atol: Array, rtol: f64) -> f64:
    """Root mean square of 3n numbers in units of the tolerance."""
    s = 0.0
    for j in range(3):
        for i in range(n):
            r = d[j * n + i] / (atol[i] + rtol * abs(y[i]))
            s += r * r
    return sqrt(s / (3 * n))


@native
def newton(book: Ledger, t: f64, h: f64, own: RadauWork) -> i64:
    """Solve for the stages, starting from ``z``; 0, NO_CONVERGENCE or a failure. [HW, IV.8 eq. (8.10)]"""
    n, rtol, y, state = book.size[N], book.control[RTOL], own.y, own.scratch
    z, w, k, d = own.z, own.w, own.k, own.d
    enough = max(10.0 * EPS / rtol, min(0.03, sqrt(rtol)))
    for i in range(n):
        a, b, c = z[i], z[n + i], z[2 * n + i]
        w[i] = I11 * a + I12 * b + I13 * c
        w[n + i] = I21 * a + I22 * b + I23 * c
        w[2 * n + i] = I31 * a + I32 * b + I33 * c
    previous = 0.0
    rate = 0.0
    for iteration in range(MOST):
        book.field.counts[ITERATIONS] = iteration + 1
        for s in range(3):
            c = C1
            if s == 1:
                c = C2
            if s == 2:
                c = C3
            for i in range(n):
                state[i] = y[i] + z[s * n + i]
            status = evaluate(book.field, t + c * h, state, k[s * n :])
            if status != 0:
                return status
        corrections(n, h, own)
        size = stage_norm(n, d, y, book.atol, rtol)
        if not isfinite(size):
            return NON_FINITE
        if iteration > 0 and previous > 0.0:
            rate = size / previous
            if size <= 0.01 * enough or max(size, previous) <= enough:
                rate = min(rate, 0.5)  # rounding, where the stages were nearly known beforehand
            if rate >= 1.0 or rate ** float(MOST - iteration) / (1.0 - rate) * size > enough:
                return NO_CONVERGENCE
        for j in range(3 * n):
            w[j] += d[j]
        stages_from(n, w, z)
        book.control[RATE] = rate
        if size == 0.0 or (iteration > 0 and rate / (1.0 - rate) * size < enough):
            return 0
        previous = size
    return NO_CONVERGENCE
