"""One step of an explicit Runge-Kutta method: stages, error estimate, interpolant and the test for stiffness.

[HNW] Hairer, Norsett, Wanner, Solving ODEs I, sections II.1, II.4 and II.6. Rows of ``k`` are derivatives: 0 at the old
state, then those of the stages, then that at the new state, then those of additional stages of an interpolant.

``TABLEAU`` stands for the coefficients of a method; ``error_norm`` and ``dense`` are what most methods do, and a method
may have its own (`explicit.explicit_method` puts them in place).
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from cardan.native.language import Array, IntArray, carve, f64, i64, native
from cardan.simulation.common import evaluate
from cardan.simulation.interpolant import hermite
from cardan.simulation.layout import CALM, SUSPICIOUS
from cardan.simulation.ledger import Field
from cardan.simulation.methods.tableau import tableau

EULER = {0: 1.0}
TABLEAU = tableau((0.0, 1.0), ({}, EULER), 1.0, EULER, 1)  # any one: every method replaces it


class Work(NamedTuple):
    """Scratch of the loop: two states, room for a third, all derivatives of a step, the terms of its interpolant."""

    y: Array
    y_new: Array
    scratch: Array
    k: Array
    F: Array
    total: i64


@native
def work_in(n: i64, work: Array) -> Work:
    """The scratch at the begin of ``work``."""
    return carve(Work, work, n, n, n, TABLEAU.rates * n, TABLEAU.terms * n)


@native
def combine(n: i64, s: i64, h: f64, y: Array, k: Array, out: Array) -> None:
    """out = y + h (row s of the tableau) k."""
    for i in range(n):
        a = 0.0
        for e in range(TABLEAU.starts[s], TABLEAU.starts[s + 1]):
            a += TABLEAU.values[e] * k[TABLEAU.columns[e] * n + i]
        out[i] = y[i] + h * a


@native
def stages(field: Field, n: i64, t: f64, h: f64, y: Array, k: Array, y_new: Array) -> i64:
    """All stages but the first, which is given, and the new state. 0 or a failure."""
    for s in range(1, TABLEAU.stages):
        combine(n, s, h, y, k, y_new)
        status = evaluate(field, t + TABLEAU.nodes[s] * h, y_new, k[s * n :])
        if status != 0:
            return status
    combine(n, TABLEAU.stages, h, y, k, y_new)
    return 0


@native
def error_norm(n: i64, h: f64, y: Array, y_new: Array, k: Array, atol: Array, rtol: f64) -> f64:
    """The estimate in units of the tolerance, root mean square, [HNW, II.4 eq. (4.11)]."""
    total = 0.0
    for i in range(n):
        error = 0.0
        for e in range(TABLEAU.error_count):
            error += TABLEAU.error_values[e] * k[TABLEAU.error_columns[e] * n + i]
        error = h * error / (atol[i] + rtol * max(abs(y[i]), abs(y_new[i])))
        total += error * error
    return sqrt(total / n)


@native
def dense(field: Field, n: i64, t: f64, h: f64, w: Work, y: Array) -> i64:
    """The terms of the interpolant over a step from y to ``w.y_new``, whose derivatives are all known. 0 or a failure.

    Here the cubic polynomial through both states and their derivatives.
    """
    hermite(n, h, y, w.y_new, w.k, w.k[TABLEAU.stages * n :], w.F)
    return 0


@native
def looks_stiff(n: i64, h: f64, w: Work, count: IntArray) -> i64:
    """1 when |h lambda| has stayed outside the stability region for long, [HNW, II.10; HW, IV.2 eq. (2.2)].

    lambda is estimated from the two evaluations at the end of the step, at the last stage and at the new state.
    """
    combine(n, TABLEAU.stages - 1, h, w.y, w.k, w.scratch)  # the state of the last stage
    last, new = w.k[(TABLEAU.stages - 1) * n :], w.k[TABLEAU.stages * n :]
    top = 0.0
    bottom = 0.0
    for i in range(n):
        df = new[i] - last[i]
        dy = w.y_new[i] - w.scratch[i]
        top += df * df
        bottom += dy * dy
    if bottom > 0.0 and abs(h) * sqrt(top / bottom) > TABLEAU.stiff_limit:
        count[CALM] = 0
        count[SUSPICIOUS] += 1
        if count[SUSPICIOUS] >= 15:
            return 1
    else:
        count[CALM] += 1
        if count[CALM] >= 6:
            count[SUSPICIOUS] = 0
    return 0
