"""One step of the variational midpoint rule, symplectic in (q, p) for any mass matrix M(q).

The discrete Lagrangian h L((q0 + q1)/2, (q1 - q0)/h) gives, with the midpoint q = q0 + h v/2 and the mean velocity v,

    p0 = dL/dv(q, v) - (h/2) (dL/dq + Q)(q, v),        q1 = q0 + h v,        p1 = p0 + h (dL/dq + Q)(q, v)

[Marsden, West 2001, Discrete mechanics and variational integrators, section 2.6, eq. (1.5.2) for the momenta]. The
first equation is solved for v by Newton's method, with M in place of the Jacobian while that converges well and with
finite differences where it does not. (The midpoint rule applied to (q, v) itself is symplectic only for constant M.)
"""

from __future__ import annotations

from cardan.native.language import Array, Callback, IntArray, Kernel, f64, i64, native
from cardan.simulation.common import copy, observe
from cardan.simulation.layout import (
    EVALUATIONS,
    FACTORISATIONS,
    JACOBIANS,
    NO_CONVERGENCE,
    PIVOT,
    PIVOT_FAILED,
)
from cardan.simulation.methods.dense import factor, largest, solve


@native
def residual(
    momentum: Kernel, rate: Kernel, before: Callback, t: f64, h: f64, n: i64, q: Array, p0: Array, v: Array, p: Array,
    middle: Array, push: Array, out: Array, count: IntArray,
) -> i64:  # fmt: skip
    """out = dL/dv - (h/2)(dL/dq + Q) - p0 at the midpoint that belongs to v; ``push`` = dL/dq + Q there."""
    for i in range(n):
        middle[i] = q[i] + 0.5 * h * v[i]
        middle[n + i] = v[i]
    count[EVALUATIONS] += 1
    status = observe(momentum, before, t + 0.5 * h, middle, p, out, count)
    if status == 0:
        status = observe(rate, before, t + 0.5 * h, middle, p, push, count)
    if status != 0:
        return status
    for i in range(n):
        out[i] = out[i] - 0.5 * h * push[i] - p0[i]
    return 0


@native
def factor_mass(
    mass: Kernel, before: Callback, t: f64, n: i64, y: Array, p: Array, a: Array, order: Array, count: IntArray
) -> i64:
    """Factors of M at y = [q, v]."""
    status = observe(mass, before, t, y, p, a, count)
    if status != 0:
        return status
    count[FACTORISATIONS] += 1
    failed = factor(n, a, order)
    if failed != 0:
        count[PIVOT] = failed - 1
        return PIVOT_FAILED
    return 0


@native
def factor_differences(
    momentum: Kernel, rate: Kernel, before: Callback, t: f64, h: f64, n: i64, q: Array, p0: Array, v: Array, p: Array,
    middle: Array, push: Array, r: Array, other: Array, a: Array, order: Array, count: IntArray,
) -> i64:  # fmt: skip
    """Factors of the derivative of the residual r with respect to v, by forward differences."""
    count[JACOBIANS] += 1
    scale = max(largest(n, v), 1e-6)
    for j in range(n):
        kept = v[j]
        v[j] = kept + 1e-7 * scale
        d = v[j] - kept
        status = residual(momentum, rate, before, t, h, n, q, p0, v, p, middle, push, other, count)
        v[j] = kept
        if status != 0:
            return status
        for i in range(n):
            a[i * n + j] = (other[i] - r[i]) / d
    count[FACTORISATIONS] += 1
    if factor(n, a, order) != 0:
        return NO_CONVERGENCE
    return 0


@native
def midpoint_step(
    momentum: Kernel, rate: Kernel, mass: Kernel, before: Callback, t: f64, h: f64, n: i64, q: Array, p0: Array, v:
    Array, p: Array, work: Array, count: IntArray,
) -> i64:  # fmt: skip
    """Advance q and p0 by h; v is the guess of the mean velocity and becomes it. 0 or a failure."""
    middle, push, r, other = work, work[2 * n :], work[3 * n :], work[4 * n :]
    order, a = work[5 * n :], work[6 * n :]
    for i in range(n):
        middle[i] = q[i] + 0.5 * h * v[i]
        middle[n + i] = v[i]
    status = factor_mass(mass, before, t + 0.5 * h, n, middle, p, a, order, count)
    if status != 0:
        return status
    previous = 0.0
    exact = 0
    for iteration in range(40):
        status = residual(momentum, rate, before, t, h, n, q, p0, v, p, middle, push, r, count)
        if status != 0:
            return status
        copy(n, r, other)
        solve(n, a, order, other)
        for i in range(n):
            v[i] = v[i] - other[i]
        change = largest(n, other)
        scale = largest(n, v)
        if change <= 2e-16 * scale:
            break
        if iteration > 0:
            if change >= 0.5 * previous and change <= 1e-13 * scale:
                break  # round-off
            if change * change <= 1e-17 * scale * previous:
                break  # the next change, by the rate of this one, would be below a tenth of an ulp
        if not change < 1e300 or iteration == 39:
            return NO_CONVERGENCE
        if iteration > 1 and change > 0.1 * previous and exact == 0:
            exact = 1
            status = residual(momentum, rate, before, t, h, n, q, p0, v, p, middle, push, r, count)
            if status == 0:
                status = factor_differences(
                    momentum, rate, before, t, h, n, q, p0, v, p, middle, push, r, other, a, order, count
                )
            if status != 0:
                return status
        previous = change
    status = residual(momentum, rate, before, t, h, n, q, p0, v, p, middle, push, r, count)
    for i in range(n):
        q[i] += h * v[i]
        p0[i] += h * push[i]
    return status


@native
def velocity(
    momentum: Kernel, mass: Kernel, before: Callback, t: f64, n: i64, q: Array, p1: Array, y: Array, p: Array, work:
    Array, count: IntArray,
) -> i64:  # fmt: skip
    """y = [q, v] with the velocity whose momentum is p1: M v = p1 - (dL/dv at v = 0)."""
    r, order, a = work[3 * n :], work[5 * n :], work[6 * n :]
    for i in range(n):
        y[i] = q[i]
        y[n + i] = 0.0
    status = observe(momentum, before, t, y, p, r, count)
    if status == 0:
        status = factor_mass(mass, before, t, n, y, p, a, order, count)
    if status != 0:
        return status
    for i in range(n):
        y[n + i] = p1[i] - r[i]
    solve(n, a, order, y[n:])
    return 0
