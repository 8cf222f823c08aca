"""The classical Runge-Kutta method of order 4 with steps of fixed length."""

from __future__ import annotations

from cardan.native.language import f64, i64, native
from cardan.simulation.common import all_finite, evaluate, settle_state
from cardan.simulation.layout import NON_FINITE, N
from cardan.simulation.ledger import Ledger
from cardan.simulation.methods.fixed import FixedWork, fixed_loop
from cardan.simulation.methods.method import Method, NoKernels


@native
def rk4_step(book: Ledger, own: NoKernels, t: f64, h: f64, w: FixedWork) -> i64:
    """y_new after one classical step, [HNW, II.1 table 1.2]; f is the derivative at y."""
    n, field, y, y_new, f = book.size[N], book.field, w.y, w.y_new, w.f
    k2, k3, k4 = w.k, w.k[n:], w.k[2 * n :]
    for i in range(n):
        y_new[i] = y[i] + 0.5 * h * f[i]
    status = evaluate(field, t + 0.5 * h, y_new, k2)
    if status == 0:
        for i in range(n):
            y_new[i] = y[i] + 0.5 * h * k2[i]
        status = evaluate(field, t + 0.5 * h, y_new, k3)
    if status == 0:
        for i in range(n):
            y_new[i] = y[i] + h * k3[i]
        status = evaluate(field, t + h, y_new, k4)
    for i in range(n):
        y_new[i] = y[i] + h / 6.0 * (f[i] + 2.0 * (k2[i] + k3[i]) + k4[i])
    if status != 0:
        return status
    if all_finite(n, y_new) == 0:
        return NON_FINITE
    return settle_state(book, t + h, y_new, w.scratch)


METHOD = Method(
    "RK4",
    4,
    4,
    fixed_loop("RK4", rk4_step, uses_rates=True),
    is_adaptive=False,
    is_carried_across_rank_loss=True,
    runs_side_by_side=True,
)
