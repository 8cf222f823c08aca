"""Exact derivatives at many states at once: what ``varied`` tells of one state, as stacks of matrices.

The kernels run over all states, directions and parameter values in machine code; linear algebra is that of stacks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.singular.constrained import RANK_CUT, Terms, accelerations_along

Vector = NDArray[np.float64]

ROWS = 400_000  # of one call of a kernel: more states than that are taken in parts


@dataclass(frozen=True)
class States:
    """Many states of one kernel: times, states and values of parameters and signals, a row each."""

    kernel: Kernel
    t: Vector
    y: Vector
    p: Vector

    def __len__(self) -> int:
        return len(self.y)

    def part(self, rows: slice) -> States:
        return States(self.kernel, self.t[rows], self.y[rows], self.p[rows])


@dataclass(frozen=True)
class Stack:
    """Derivatives at many states; the first axis counts the states, the others are those of ``Varied``."""

    terms: Terms
    vd: Vector
    lam: Vector
    N: Vector
    C: Vector
    pi: Vector  # of vd by displacements
    v: Vector  # of vd by velocities
    phi: Vector  # of the holonomic rows by displacements
    rates: Vector  # of A v + b0 by displacements
    balance: Vector  # of M vd + h - A^T lam by displacements

    @property
    def jacobian(self) -> Vector:
        """J of (dpi, dv)' = J (dpi, dv) for motions next to each state."""
        count, n = self.vd.shape
        ones = np.broadcast_to(np.eye(n), (count, n, n))
        return np.concatenate(
            [np.concatenate([self.C, ones], axis=2), np.concatenate([self.pi, self.v], axis=2)], axis=1
        )


def stacked(states: States, at_rest: bool = False) -> Stack:
    """The equations and their derivatives at many states; ``at_rest`` holds accelerations at zero, and multipliers at
    those that balance forces best."""
    most = max(1, ROWS // max(2 * states.kernel.nv, 1))
    parts = [_stacked(states.part(slice(k, k + most)), at_rest) for k in range(0, max(len(states), 1), most)]
    if len(parts) == 1:
        return parts[0]

    def joined(name: str) -> Vector:
        return np.concatenate([getattr(one, name) for one in parts])

    terms = Terms(*(np.concatenate([getattr(one.terms, k) for one in parts]) for k in ("qd", "M", "h", "A", "b")))
    names = ("vd", "lam", "N", "C", "pi", "v", "phi", "rates", "balance")
    return Stack(terms, *(joined(name) for name in names))


def _stacked(states: States, at_rest: bool) -> Stack:
    kernel = states.kernel
    nq, n, m = kernel.nq, kernel.nv, kernel.m
    terms = kernel.numbers(kernel.parameters).stack_of(_call(states, "terms", states.y))
    vd, lam = _resting(terms) if at_rest else accelerations_along(terms)
    N = _transfer(states)
    dq = np.concatenate([N, np.zeros((len(states), nq, n))], axis=2)
    dv = np.concatenate([np.zeros((len(states), n, n)), np.broadcast_to(np.eye(n), (len(states), n, n))], axis=2)
    table = _directional(states, vd, lam, dq, dv)
    h = len(kernel.dynamics.constraints.holonomic) if m else 0
    qd, r, phi, rate, s = np.split(table, np.cumsum([nq, n, h, m]), axis=1)
    C = np.zeros((len(states), n, n))
    if nq != n:
        C = np.linalg.pinv(N) @ (qd[:, :, :n] - _turned(states, N))
    dvd = _solved(terms, r, s)
    return Stack(terms, vd, lam, N, C, dvd[:, :, :n], dvd[:, :, n:], phi[:, :, :n], rate[:, :, :n], r[:, :, :n])


def _call(states: States, name: str, y: Vector) -> Vector:
    batch = states.kernel.own_batch(name)
    repeat = len(y) // max(len(states), 1)
    p = np.repeat(states.p[:, : batch.np], repeat, axis=0) if repeat != 1 else states.p[:, : batch.np]
    t = np.repeat(states.t, repeat) if repeat != 1 else states.t
    return batch(t, y, p)


def _directional(states: States, vd: Vector, lam: Vector, dq: Vector, dv: Vector) -> Vector:
    """The change of the equations along each direction: (states, outputs, directions)."""
    kernel, count, directions = states.kernel, len(states), dq.shape[2]
    fixed = np.repeat(np.concatenate([states.y, vd, lam], axis=1), directions, axis=0)
    moves = np.concatenate([dq, dv, np.zeros((count, len(kernel.signals), directions))], axis=1)
    moves = np.swapaxes(moves, 1, 2).reshape(count * directions, -1)
    out = _call(states, "variation", np.concatenate([fixed, moves], axis=1))
    return np.swapaxes(out.reshape(count, directions, -1), 1, 2)


def _transfer(states: States) -> Vector:
    """N of dq = N dpi."""
    kernel, count = states.kernel, len(states)
    nq, n = kernel.nq, kernel.nv
    if nq == n:
        return np.broadcast_to(np.eye(n), (count, n, n))
    return _rates(states, states.y[:, :nq])


def _rates(states: States, q: Vector) -> Vector:
    n = states.kernel.nv
    y = np.concatenate([np.repeat(q, n, axis=0), np.tile(np.eye(n), (len(states), 1))], axis=1)
    return np.swapaxes(_call(states, "rates", y).reshape(len(states), n, -1), 1, 2)


def _turned(states: States, N: Vector) -> Vector:
    """d/dt of N(q) along the motion: N is linear in quaternions, so it is N of qd."""
    nq = states.kernel.nq
    qd = np.einsum("tij,tj->ti", N, states.y[:, nq:])
    return _rates(states, qd) - _rates(states, np.zeros_like(qd))


def _resting(terms: Terms) -> tuple[Vector, Vector]:
    """Accelerations of a rest, which are none, and multipliers that balance forces best."""
    vd, A = np.zeros_like(terms.h), terms.A
    if not A.shape[1]:
        return vd, np.zeros((len(vd), 0))
    inverse = np.asarray(np.linalg.pinv(A, rcond=RANK_CUT), dtype=float)
    return vd, np.einsum("tji,tj->ti", inverse, terms.h)


def _solved(terms: Terms, r: Vector, s: Vector) -> Vector:
    """dvd of M dvd - A^T dlam + r = 0, A dvd + s = 0, stack by stack."""
    M, A = terms.M, terms.A
    m, n = A.shape[1:]
    if not m:
        return np.asarray(-np.linalg.solve(M, r), dtype=float)
    corner = np.zeros((len(M), m, m))
    K = np.concatenate(
        [np.concatenate([M, -np.swapaxes(A, 1, 2)], axis=2), np.concatenate([A, corner], axis=2)], axis=1
    )
    found = -np.linalg.pinv(K, rcond=RANK_CUT) @ np.concatenate([r, s], axis=1)
    return np.asarray(found[:, :n], dtype=float)
