"""What an interruption does to neighbours of a motion: the saltation matrix.

A neighbour meets the surface g = 0 earlier or later, by tau = -g' d / (g' f + g_t). With the map R of states at the
interruption, and with f, f+ before and behind it,

    d+ = R' d + (R' f + R_t - f+) tau                     [LeineNijmeijer2004, ch. 7]

An impact is M w = A^T Lam with w = v+ - v, where the hit row has  a v+ + g_t = -e (a v + g_t): R' and R_t follow
from the same exact derivatives as everything else, with the stop's gap written as a constraint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from cardan.analysis.varied import Varied, varied
from cardan.codegen.compiled import Kernel
from cardan.codegen.function import NativeFunction
from cardan.codegen.model_functions import ModelFunctions
from cardan.errors import SimulationError
from cardan.graph import jacobian
from cardan.singular.constrained import RANK_CUT

Vector = NDArray[np.float64]

GRAZING = 1e-6  # of the speeds that are there: a stop that is approached more slowly than this is grazed
SAME = 1e-9  # of the accelerations: a smaller jump of them is rounding

_closed: WeakKeyDictionary[ModelFunctions, dict[tuple[str, ...], ModelFunctions]] = WeakKeyDictionary()


@dataclass(frozen=True)
class Side:
    """The state on one side of an interruption, and the stops that are closed there."""

    t: float
    y: Vector
    closed: tuple[str, ...]


def with_closed(kernel: Kernel, names: Sequence[str]) -> Kernel:
    """The model with some of its stops held closed, in the order in which it lists them; compiled once."""
    chosen = tuple(one.name for one in kernel.model.stops if one.name in set(names))
    if not chosen:
        return kernel
    made = _closed.setdefault(kernel.compiled, {})
    if chosen not in made:
        made[chosen] = ModelFunctions(replace(kernel.dynamics, full=replace(kernel.dynamics.full, closed=chosen)))
    return Kernel(made[chosen].dynamics, kernel.values, made[chosen])


def field(kernel: Kernel, p: Vector, side: Side) -> Vector:
    """(v, vd) at one side of an interruption: how displacements and velocities change there."""
    own = with_closed(kernel, side.closed)
    vd, _ = own.numbers(p).terms(side.t, side.y).accelerations()
    return np.concatenate([side.y[kernel.nq :], vd])


def across_impact(kernel: Kernel, p: Vector, before: Side, after: Side, stop: str) -> Vector:
    """d+ by d at an impact on one smooth stop."""
    rows = with_closed(kernel, (*before.closed, stop))
    names = [one.name for one in kernel.model.stops if one.name in {*before.closed, stop}]
    hit = kernel.m + names.index(stop)
    g = rows.numbers(p).terms(before.t, before.y).A[hit]
    approach = float(rows.numbers(p).residual(before.t, before.y)[1][hit])
    _refuse_grazing(stop, before, approach, g, before.y[kernel.nq :])
    R, R_t = _impact_slopes(rows, p, before, after, hit, _restitution(kernel, stop))
    f, f_after = field(kernel, p, before), field(kernel, p, after)
    tau = -np.concatenate([g, np.zeros_like(g)]) / approach
    return R + np.outer(R @ f + R_t - f_after, tau)


def across_switch(kernel: Kernel, p: Vector, before: Side, after: Side, jump: Vector) -> Vector:
    """d+ by d where forces switch at a place and velocities stay; ``jump`` is f - f+."""
    n = kernel.nv
    if np.max(np.abs(jump), initial=0.0) <= SAME * max(1.0, float(np.max(np.abs(field(kernel, p, before))))):
        return np.eye(2 * n)
    slopes = kernel.keep("slopes of switches", lambda: _switch_slopes(kernel))
    table = slopes(before.t, before.y, p[: slopes.np]).reshape(-1, 2 + kernel.nq + n)
    which = int(np.argmin(np.abs(table[:, 0]) / np.maximum(np.max(np.abs(table[:, 1:]), axis=1), 1e-300)))
    dg, g_t = table[which, 1:-1], float(table[which, -1])
    if not np.any(dg):
        return np.eye(2 * n)  # it switches with time alone, for all neighbours at once
    N = varied(kernel, before.t, before.y, p).N
    g = np.concatenate([dg[: kernel.nq] @ N, dg[kernel.nq :]])
    speed = float(g @ field(kernel, p, before)) + g_t
    return np.asarray(np.eye(2 * n) - np.outer(jump, g) / speed)


def _impact_slopes(rows: Kernel, p: Vector, before: Side, after: Side, hit: int, e: float) -> tuple[Vector, Vector]:
    """R' and R_t of the impact map of (displacements, velocities)."""
    t, y, nq, n, m = before.t, before.y, rows.nq, rows.nv, rows.m
    v, w = y[nq:], after.y[nq:] - y[nq:]
    terms = rows.numbers(p).terms(t, y)
    Lam = np.asarray(np.linalg.lstsq(terms.A.T, terms.M @ w, rcond=RANK_CUT)[0], dtype=float)
    later = np.concatenate([y[:nq], v + w])
    with_impulse = varied(rows, t, y, p, (w, Lam))
    without = varied(rows, t, y, p, (np.zeros(n), np.zeros(m)))
    behind = varied(rows, t, later, p, (np.zeros(n), np.zeros(m)))
    K = np.block([[terms.M, -terms.A.T], [terms.A, np.zeros((m, m))]])
    r_pi = with_impulse.balance.pi - without.balance.pi
    s_pi, s_v = behind.rates - without.rates, np.zeros((m, n))
    s_pi[hit], s_v[hit] = behind.rates[hit] + e * without.rates[hit], (1 + e) * terms.A[hit]
    r_t, s_t = _by_time(rows, p, before, w, Lam), _rate_by_time(behind, v + w) - _rate_by_time(without, v)
    s_t[hit] = _rate_by_time(behind, v + w)[hit] + e * _rate_by_time(without, v)[hit]
    known = np.block([[r_pi, np.zeros((n, n)), r_t[:, None]], [s_pi, s_v, s_t[:, None]]])
    dw = -np.linalg.lstsq(K, known, rcond=RANK_CUT)[0][:n]
    R = np.block([[np.eye(n), np.zeros((n, n))], [dw[:, :n], np.eye(n) + dw[:, n : 2 * n]]])
    return R, np.concatenate([np.zeros(n), dw[:, -1]])


def _rate_by_time(d: Varied, v: Vector) -> Vector:
    """The partial derivative by time of A v + b0: along a motion with constant v it changes by -b."""
    return np.asarray(-d.terms.b - d.rates @ v)


def _by_time(rows: Kernel, p: Vector, side: Side, w: Vector, Lam: Vector) -> Vector:
    """The partial derivative by time of M w - A^T Lam."""
    slopes = rows.keep("slopes by time", lambda: _time_slopes(rows))
    out, n = slopes(side.t, side.y, p[: slopes.np]), rows.nv
    return np.asarray(out[: n * n].reshape(n, n) @ w - out[n * n :].reshape(rows.m, n).T @ Lam)


def _time_slopes(kernel: Kernel) -> NativeFunction:
    d = kernel.dynamics
    nodes = [x for row in (*d.mass_matrix, *d.constraints.matrix) for x in row]
    return kernel.custom("slopes_by_time", [row[0] for row in jacobian(nodes, [d.t])])


def _switch_slopes(kernel: Kernel) -> NativeFunction:
    d = kernel.dynamics
    found = []
    for one in d.smoothness.switches:
        found += [one, *jacobian([one], [*d.q, *d.v, d.t])[0]]
    return kernel.custom("slopes_of_switches", found)


def _restitution(kernel: Kernel, name: str) -> float:
    stop = next(one for one in kernel.model.stops if one.name == name)
    return float(stop.restitution.xreplace({symbol: float(value) for symbol, value in kernel.values.items()}))


def _refuse_grazing(stop: str, before: Side, approach: float, g: Vector, v: Vector) -> None:
    if abs(approach) <= GRAZING * max(float(np.abs(g) @ np.abs(v)), 1e-300):
        raise SimulationError(
            f"The stop {stop!r} is only grazed at t = {before.t:.6g} (approached with {abs(approach):.3g}): neighbours "
            "miss it, and the motion has no derivative there. Change a parameter a little.",
            t=before.t,
        )
