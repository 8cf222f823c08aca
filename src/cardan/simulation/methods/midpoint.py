"""One step of the variational midpoint rule, symplectic in (q, p) for any mass matrix M(q).

The discrete Lagrangian h L((q0 + q1)/2, (q1 - q0)/h) gives, with the midpoint q = q0 + h v/2 and the mean velocity v,

    p0 = dL/dv(q, v) - (h/2) (dL/dq + Q)(q, v),        q1 = q0 + h v,        p1 = p0 + h (dL/dq + Q)(q, v)

[Marsden, West 2001, Discrete mechanics and variational integrators, section 2.6, eq. (1.5.2) for the momenta]. The
first equation is solved for v by Newton's method, with M in place of the Jacobian while that converges well and with
finite differences where it does not. (The midpoint rule applied to (q, v) itself is symplectic only for constant M.)
"""

from __future__ import annotations

from typing import NamedTuple

from cardan.native.language import Array, Kernel, carve, f64, i64, native, room_for
from cardan.simulation.common import copy, observe
from cardan.simulation.layout import (
    EPS,
    EVALUATIONS,
    FACTORISATIONS,
    JACOBIANS,
    NO_CONVERGENCE,
    PIVOT,
    PIVOT_FAILED,
)
from cardan.simulation.ledger import Field
from cardan.simulation.methods.dense import factor, largest, solve
from cardan.simulation.protocol import CompiledModel


class Mechanical(NamedTuple):
    """The kernels of an unconstrained mechanical system."""

    momentum: Kernel
    momentum_rate: Kernel
    mass_matrix: Kernel


def mechanical(model: CompiledModel) -> Mechanical:
    """These kernels of a model."""
    return Mechanical(model.momentum, model.momentum_rate, model.mass_matrix)


class Momenta(NamedTuple):
    """Momenta before and after a step, its mean velocity, and scratch: the midpoint (2 n), dL/dq + Q there, residuals,
    and a matrix with its factors."""

    p0: Array
    p1: Array
    v: Array
    middle: Array
    push: Array
    r: Array
    other: Array
    order: Array
    a: Array
    total: i64


@native
def momenta_in(n: i64, work: Array) -> Momenta:
    """Momenta and scratch at the begin of ``work``, for n velocities."""
    return carve(Momenta, work, n, n, n, 2 * n, n, n, n, n, n * n)


def midpoint_work(nv: int, rows: int) -> int:
    """Numbers that momenta and scratch take."""
    return room_for(momenta_in, nv)


@native
def residual(own: Mechanical, field: Field, t: f64, h: f64, n: i64, q: Array, w: Momenta, out: Array) -> i64:
    """out = dL/dv - (h/2)(dL/dq + Q) - p1 at the midpoint that belongs to v; ``push`` = dL/dq + Q there.

    p1 is the momentum before the step until the step is made.
    """
    for i in range(n):
        w.middle[i] = q[i] + 0.5 * h * w.v[i]
        w.middle[n + i] = w.v[i]
    field.counts[EVALUATIONS] += 1
    status = observe(own.momentum, field, t + 0.5 * h, w.middle, out)
    if status == 0:
        status = observe(own.momentum_rate, field, t + 0.5 * h, w.middle, w.push)
    if status != 0:
        return status
    for i in range(n):
        out[i] = out[i] - 0.5 * h * w.push[i] - w.p1[i]
    return 0


@native
def factor_mass(own: Mechanical, field: Field, t: f64, n: i64, y: Array, w: Momenta) -> i64:
    """Factors of M at y = [q, v]."""
    status = observe(own.mass_matrix, field, t, y, w.a)
    if status != 0:
        return status
    field.counts[FACTORISATIONS] += 1
    failed = factor(n, w.a, w.order)
    if failed != 0:
        field.counts[PIVOT] = failed - 1
        return PIVOT_FAILED
    return 0


@native
def factor_differences(own: Mechanical, field: Field, t: f64, h: f64, n: i64, q: Array, w: Momenta) -> i64:
    """Factors of the derivative of the residual r with respect to v, by forward differences."""
    field.counts[JACOBIANS] += 1
    v, other = w.v, w.other
    scale = max(largest(n, v), EPS * largest(n, q) / abs(h))
    if scale == 0.0:
        scale = 1.0
    for j in range(n):
        kept = v[j]
        v[j] = kept + 1e-7 * scale
        d = v[j] - kept
        status = residual(own, field, t, h, n, q, w, other)
        v[j] = kept
        if status != 0:
            return status
        for i in range(n):
            w.a[i * n + j] = (other[i] - w.r[i]) / d
    field.counts[FACTORISATIONS] += 1
    if factor(n, w.a, w.order) != 0:
        return NO_CONVERGENCE
    return 0


@native
def midpoint_step(own: Mechanical, field: Field, t: f64, h: f64, n: i64, q: Array, w: Momenta) -> i64:
    """Advance q and the momenta p1 by h; v is the guess of the mean velocity and becomes it. 0 or a failure."""
    v, r, other = w.v, w.r, w.other
    for i in range(n):
        w.middle[i] = q[i] + 0.5 * h * v[i]
        w.middle[n + i] = v[i]
    status = factor_mass(own, field, t + 0.5 * h, n, w.middle, w)
    if status != 0:
        return status
    previous = 0.0
    exact = 0
    for iteration in range(40):
        status = residual(own, field, t, h, n, q, w, r)
        if status != 0:
            return status
        copy(n, r, other)
        solve(n, w.a, w.order, other)
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
            status = residual(own, field, t, h, n, q, w, r)
            if status == 0:
                status = factor_differences(own, field, t, h, n, q, w)
            if status != 0:
                return status
        previous = change
    status = residual(own, field, t, h, n, q, w, r)
    for i in range(n):
        q[i] += h * v[i]
        w.p1[i] += h * w.push[i]
    return status


@native
def velocity(own: Mechanical, field: Field, t: f64, n: i64, q: Array, w: Momenta, y: Array) -> i64:
    """y = [q, v] with the velocity whose momentum is p1: M v = p1 - (dL/dv at v = 0)."""
    for i in range(n):
        y[i] = q[i]
        y[n + i] = 0.0
    status = observe(own.momentum, field, t, y, w.r)
    if status == 0:
        status = factor_mass(own, field, t, n, y, w)
    if status != 0:
        return status
    for i in range(n):
        y[n + i] = w.p1[i] - w.r[i]
    solve(n, w.a, w.order, y[n:])
    return 0
