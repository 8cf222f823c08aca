"""One step of DOP853: stages, error estimate, interpolant and the test for stiffness.

[HNW] Hairer, Norsett, Wanner, Solving ODEs I, sections II.5, II.6 and II.10. Rows of ``k`` are derivatives: 0 at the
old state, 1 to 11 at the stages, 12 at the new state, 13 to 15 at the additional stages of the interpolant.
"""

from __future__ import annotations

from math import sqrt

from cardan.native.language import Array, Callback, IntArray, Kernel, f64, i64, native
from cardan.simulation.common import all_finite, evaluate
from cardan.simulation.interpolant import hermite
from cardan.simulation.layout import CALLBACK_FAILED, CALM, SUSPICIOUS
from cardan.simulation.methods.tableau_dop853 import (
    COLUMN,
    DENSE,
    DENSE_STAGE,
    ERROR_STAGE,
    FIFTH,
    NODE,
    START,
    THIRD,
    VALUE,
)

TERMS = 7  # of the interpolant
N_ERROR = len(ERROR_STAGE)
N_DENSE = len(DENSE_STAGE)
STIFF_LIMIT = 6.1  # |h lambda| on the boundary of the stability region, as in Hairer's program


@native
def combine(n: i64, s: i64, h: f64, y: Array, k: Array, out: Array) -> None:
    """out = y + h (row s of the tableau) k."""
    for i in range(n):
        a = 0.0
        for e in range(START[s], START[s + 1]):
            a += VALUE[e] * k[COLUMN[e] * n + i]
        out[i] = y[i] + h * a


@native
def stages(
    rhs: Kernel, before: Callback, n: i64, t: f64, h: f64, y: Array, p: Array, k: Array, y_new: Array, count: IntArray
) -> i64:
    """Stages 1 to 11 and the new state; stage 0 is given. 0 or a failure."""
    for s in range(1, 12):
        combine(n, s, h, y, k, y_new)
        status = evaluate(rhs, before, t + NODE[s] * h, y_new, p, k[s * n :], count)
        if status != 0:
            return status
    combine(n, 12, h, y, k, y_new)
    return 0


@native
def error_norm(n: i64, h: f64, y: Array, y_new: Array, k: Array, atol: Array, rtol: f64) -> f64:
    """The combined estimate |h| e5^2 / sqrt(e5^2 + 0.01 e3^2), [HNW, II.10 eq. (10.17)]."""
    sum5 = 0.0
    sum3 = 0.0
    for i in range(n):
        e5 = 0.0
        e3 = 0.0
        for e in range(N_ERROR):
            e5 += FIFTH[e] * k[ERROR_STAGE[e] * n + i]
            e3 += THIRD[e] * k[ERROR_STAGE[e] * n + i]
        scale = atol[i] + rtol * max(abs(y[i]), abs(y_new[i]))
        e5 = e5 / scale
        e3 = e3 / scale
        sum5 += e5 * e5
        sum3 += e3 * e3
    bottom = sum5 + 0.01 * sum3
    if bottom <= 0.0:
        return 0.0
    return abs(h) * sum5 / sqrt(bottom * n)


@native
def dense(
    rhs: Kernel, before: Callback, n: i64, t: f64, h: f64, y: Array, y_new: Array, p: Array, k: Array, F: Array,
    scratch: Array, count: IntArray,
) -> i64:  # fmt: skip
    """The seven terms of the interpolant, from stages 0 to 12 (12 is the derivative at the new state).

    Where an additional stage cannot be evaluated (the step itself could) the cubic part is all there is.
    """
    hermite(n, h, y, y_new, k, k[12 * n :], F)
    for j in range(3 * n, TERMS * n):
        F[j] = 0.0
    for s in range(13, 16):
        combine(n, s, h, y, k, scratch)
        status = evaluate(rhs, before, t + NODE[s] * h, scratch, p, k[s * n :], count)
        if status == CALLBACK_FAILED:
            return status
        if status != 0 or all_finite(n, k[s * n :]) == 0:
            return 0
    for j in range(4):
        for i in range(n):
            a = 0.0
            for e in range(N_DENSE):
                a += DENSE[j * N_DENSE + e] * k[DENSE_STAGE[e] * n + i]
            F[(3 + j) * n + i] = h * a
    return 0


@native
def looks_stiff(n: i64, h: f64, y_new: Array, k: Array, stage: Array, count: IntArray) -> i64:
    """1 when |h lambda| has stayed outside the stability region for long, [HNW, II.10; HW, IV.2 eq. (2.2)].

    lambda is estimated from the two evaluations at the end of the step, at the last stage and at the new state.
    """
    top = 0.0
    bottom = 0.0
    for i in range(n):
        df = k[12 * n + i] - k[11 * n + i]
        dy = y_new[i] - stage[i]
        top += df * df
        bottom += dy * dy
    if bottom > 0.0 and abs(h) * sqrt(top / bottom) > STIFF_LIMIT:
        count[CALM] = 0
        count[SUSPICIOUS] += 1
        if count[SUSPICIOUS] >= 15:
            return 1
    else:
        count[CALM] += 1
        if count[CALM] >= 6:
            count[SUSPICIOUS] = 0
    return 0
