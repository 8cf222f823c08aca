"""A step of a constrained motion across configurations where its constraints lose rank.

Along the motion through such a configuration everything is smooth, but close to it accelerations multiply every error
of the state by 1 / kappa, and so do the stages of a Runge-Kutta step, which lie off the constraints. A passage is one
long step of collocation at Gauss points,

    Y_i = y0 + h sum_j a_ij F_j,    F_j = f(t + c_j h, projection of Y_j),        [HNW II.7, eq. (7.7)]

solved by sweeps, each node with the newest rates of the others. Its states are on the constraints wherever f is
evaluated, and the points where they are singular lie between the nodes, where nothing is evaluated: the polynomial
carries the motion across, which is the continuation with continuous velocity. The decay of its coefficients measures
the error. Rounding at nodes near a singular point keeps the sweeps from converging; what it leaves is mostly along the
directions that the constraints forbid, and goes with the projection of the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import NDArray

from cardan.native.language import Array, IntArray, Kernel, f64, i64, native
from cardan.simulation.common import all_finite, copy
from cardan.simulation.ledger import Field
from cardan.simulation.protocol import CompiledModel

Vector = NDArray[np.float64]

NODES = 8  # even, so that the middle, where rank is lost, is between nodes, and few, so that these are not too near
SWEEPS = 40
FEW = 3  # numbers
CONVERGED = 0.1  # of the tolerance: sweeps that change states by less are the last, since each takes off far more
NEXT = 0.5  # the same for the sweep that would be next, if it takes off as much as the last two
FALLING = 0.7  # of the least change before: sweeps that change states by more, twice in a row, no longer converge


class Nodes(NamedTuple):
    """How many nodes there are, how many of them are known, where they are, and integrals of their basis to each."""

    number: i64
    known: i64
    c: Array
    a: Array


class Leg(NamedTuple):
    """From where a passage starts, how long it is, and the errors that are allowed in each of n numbers."""

    n: i64
    t: f64
    h: f64
    y: Array
    weight: Array


class Iterate(NamedTuple):
    """Rates F and states Y at the nodes, room for two states, and the largest change of Y in units of the weight."""

    F: Array
    Y: Array
    state: Array
    change: Array


@native
def sweep(
    field: Field, project: Kernel, spins: i64, quaternions: IntArray, nodes: Nodes, leg: Leg, now: Iterate
) -> i64:  # fmt: skip
    """At each node in turn the state Y, on the constraints, from the rates F at all of them, and then F from Y.

    At the first ``known`` nodes nothing is done.
    """
    n, s, p, F, Y, state, change = leg.n, nodes.number, field.p, now.F, now.Y, now.state, now.change
    change[0] = 0.0
    for i in range(nodes.known, s):
        time = leg.t + nodes.c[i] * leg.h
        for k in range(n):
            total = 0.0
            for j in range(s):
                total += nodes.a[i * s + j] * F[j * n + k]
            state[n + k] = leg.y[k] + leg.h * total
        for j in range(spins):
            e = state[n + quaternions[j] :]
            length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3])
            for k in range(4):
                e[k] = e[k] / length
        status = project(time, state[n:], p, state)
        if status != 0:
            return int(status)
        for k in range(n):
            change[0] = max(change[0], abs(state[k] - Y[i * n + k]) / leg.weight[k])
        copy(n, state, Y[i * n :])
        if field.before != 0:
            if field.before(time, Y[i * n :], p) != 0:
                return -1
        status = field.rhs(time, Y[i * n :], p, F[i * n :])
        if status != 0:
            return int(status)
        if all_finite(n, F[i * n :]) == 0:
            return 1
    return 0


@dataclass(frozen=True)
class Rule:
    """Nodes c in [0, 1], integrals a of their basis to each of them, and Legendre coefficients from values there."""

    c: Vector
    a: Vector
    invert: Vector
    known: int  # how many nodes, the first ones, have rates that are known beforehand

    def end(self, h: float, y: Vector, F: Vector) -> Vector:
        """The state after a step h from y with rates F at the nodes."""
        return np.asarray(y + h * (self.invert[0] @ F))


@lru_cache(maxsize=2)
def rule(departing: bool = False) -> Rule:
    """Gauss points; or, for a motion that departs from where rank is lost, the start and points far from it.

    Early nodes would be too near to it, above all from rest; at the start itself the rates are known.
    """
    x, _ = legendre.leggauss(NODES)
    if departing:
        x = np.concatenate([[-1.0], 0.3 - 0.7 * np.cos(np.pi * np.arange(NODES - 1) / (NODES - 2))])
    invert: Vector = np.asarray(np.linalg.inv(legendre.legvander(x, NODES - 1)), dtype=float)
    return Rule((x + 1) / 2, np.ascontiguousarray(_integrals(x) @ invert), invert, 1 if departing else 0)


def _integrals(x: Vector) -> Vector:
    """Integrals from -1 to each x, halved, of the first Legendre polynomials; one row per x.

    (k + 1) P_{k+1} = (2 k + 1) x P_k - k P_{k-1}, and the integral of P_k is (P_{k+1} - P_{k-1}) / (2 k + 1).
    """
    found = np.empty((len(x), NODES))
    if len(x) > FEW:
        _fill(found.T, x)
    else:  # quicker than arrays
        for row, value in zip(found, x.tolist(), strict=True):
            _fill(row, value)
    return found


def _fill(found: Vector, x: float | Vector) -> None:
    """The integrals to x, a number or several, into the rows of ``found``."""
    before: float | Vector = 1.0
    here: float | Vector = x
    found[0] = (x + 1.0) / 2.0
    for k in range(1, NODES):
        after = ((2 * k + 1) * x * here - k * before) / (k + 1)
        found[k] = (after - before) / (4 * k + 2)
        before, here = here, after


@dataclass(frozen=True)
class Passage:
    """A piece of motion as a polynomial: from ``t``, over ``h``, with Legendre coefficients of the rates."""

    t: float
    h: float
    y: Vector
    coefficients: Vector  # NODES x n
    error: float  # in units of the tolerance
    node_times: Vector
    nodes: Vector  # states at the nodes, on the constraints
    evaluations: int  # of the right-hand side, each after a projection
    unrest: Vector | None = None  # what the last sweep still changed at the end; None where the sweeps converged

    def at(self, times: Vector) -> Vector:
        """States, one row per time."""
        x = 2 * (np.asarray(times, dtype=float) - self.t) / self.h - 1
        return np.asarray(self.y + self.h * _integrals(x) @ self.coefficients)

    def rates(self, times: Vector) -> Vector:
        """ydot, one row per time."""
        x = 2 * (np.asarray(times, dtype=float) - self.t) / self.h - 1
        return np.asarray(legendre.legvander(x, NODES - 1) @ self.coefficients)

    @property
    def end(self) -> float:
        return self.t + self.h


def pass_through(
    model: CompiledModel, t: float, h: float, y: Vector, rates: Vector, weight: Vector, nodes: Rule
) -> Passage | None:
    """One step across, from the rates at its start, to errors of the size ``weight``; None where the sweeps do not
    converge or a kernel fails."""
    n, nq = len(y), model.nq
    starts = np.array(model.quaternions, dtype=np.int64)
    field = Field(model.rhs, model.callback, np.array(model.parameters), np.zeros(0, dtype=np.int64))
    F, Y = np.tile(rates, (NODES, 1)), np.tile(y, (NODES, 1))
    now, leg = Iterate(F, Y, np.zeros(2 * n), np.zeros(1)), Leg(n, t, h, y, weight)
    places = Nodes(NODES, nodes.known, nodes.c, nodes.a)
    if nq == model.nv:
        F[:, :nq] += np.outer(h * nodes.c, rates[nq:])
    changes: list[float] = []
    best, worse, sweeps = np.inf, 0, 0
    while sweeps < SWEEPS and worse < 2:
        sweeps += 1
        before = F.copy()
        status = sweep(field, model.project_state, len(starts), starts, places, leg, now)
        if status != 0:
            return None
        changes.append(float(now.change[0]))
        if _is_last(changes):
            break
        worse = worse + 1 if changes[-1] >= FALLING * best else 0
        best = min(best, changes[-1])
    unrest = None if _is_last(changes) else nodes.end(h, y, F) - nodes.end(h, y, before)
    coefficients = nodes.invert @ F
    decay = 0.0 if nodes.known else 0.25
    error = _error(h, coefficients, weight, decay)
    return Passage(t, h, y.copy(), coefficients, error, t + h * nodes.c, Y, sweeps * NODES, unrest)


def _is_last(changes: list[float]) -> bool:
    """Whether sweeps with these changes of the states have converged, or would in the next one at the pace so far."""
    now = changes[-1]
    return now < CONVERGED or (len(changes) > 2 and now * sqrt(now / changes[-3]) < NEXT)


def _error(h: float, coefficients: Vector, weight: Vector, decay: float) -> float:
    """Error of the end of a passage in units of ``weight``.

    The last coefficient is the error of the rates between the nodes; from Gauss points the end is more accurate by as
    much as the coefficients decay (its order is 2 NODES), of which a quarter of the exponent is counted on.
    """
    size = np.abs(coefficients) / weight
    last, largest = float(np.max(size[-1])), float(np.max(size))
    if largest == 0.0:
        return 0.0
    return float(abs(h) * last * (last / largest) ** decay / (2 * NODES))
