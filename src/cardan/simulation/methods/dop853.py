"""DOP853: adaptive explicit Runge-Kutta of order 8(5,3), [HNW] Hairer, Norsett, Wanner, Solving ODEs I, II.5 to II.10.

Its own, beside the coefficients: the combined error estimate of orders 5 and 3, and the interpolant of order 7, for
which three further evaluations are made.
"""

from __future__ import annotations

from math import sqrt

from cardan.native.language import Array, f64, i64, native
from cardan.simulation.common import all_finite, evaluate
from cardan.simulation.interpolant import hermite
from cardan.simulation.layout import CALLBACK_FAILED
from cardan.simulation.ledger import Field
from cardan.simulation.methods.explicit import explicit_loop
from cardan.simulation.methods.explicit_step import TABLEAU, Work, combine
from cardan.simulation.methods.method import Method
from cardan.simulation.methods.tableau import tableau
from cardan.simulation.methods.tableau_dop853 import (
    DENSE,
    DENSE_STAGE,
    ERROR_5,
    ERROR_STAGE,
    FIFTH,
    NODE,
    ROWS,
    THIRD,
)

COEFFICIENTS = tableau(
    NODE, ROWS, 8.0, ERROR_5, 12, terms=7, shrink=0.333, grow=6.0, stiff_limit=6.1
)  # fmt: skip  # limits as in Hairer's program: FAC1, FAC2, and the boundary of the stability region
N_ERROR = len(ERROR_STAGE)
N_DENSE = len(DENSE_STAGE)


@native
def combined_error(n: i64, h: f64, y: Array, y_new: Array, k: Array, atol: Array, rtol: f64) -> f64:
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
def seventh_order(field: Field, n: i64, t: f64, h: f64, w: Work, y: Array) -> i64:
    """The seven terms of the interpolant, from stages 0 to 12 (12 is the derivative at the new state).

    Where an additional stage cannot be evaluated (the step itself could) the cubic part is all there is.
    """
    k, F = w.k, w.F
    hermite(n, h, y, w.y_new, k, k[12 * n :], F)
    for j in range(3 * n, TABLEAU.terms * n):
        F[j] = 0.0
    for s in range(13, 16):
        combine(n, s, h, y, k, w.scratch)
        status = evaluate(field, t + TABLEAU.nodes[s] * h, w.scratch, k[s * n :])
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


METHOD = Method(
    "DOP853", 8, 8, explicit_loop("DOP853", COEFFICIENTS, error=combined_error, interpolant=seventh_order),
    is_held_at_rank_loss=True, is_carried_across_rank_loss=True, keeps_pace=True,
)  # fmt: skip
