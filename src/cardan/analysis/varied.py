"""Motions next to one state: exact derivatives of velocities and accelerations, as matrices.

Configurations are varied by displacements dpi that are measured like velocities, dq = N(q) dpi: as many as freedoms,
also for quaternions. Then dpi' = dv + C dpi, where C is zero for coordinates and -[omega x] for a body's rotation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.native.once import once
from cardan.singular.constrained import RANK_CUT, Terms

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Parts:
    """One quantity's derivatives by displacements, velocities and signals."""

    pi: Vector
    v: Vector
    u: Vector


@dataclass(frozen=True)
class Varied:
    """The equations at a state, and their derivatives there."""

    terms: Terms
    vd: Vector
    lam: Vector
    N: Vector  # dq = N dpi
    C: Vector  # dpi' = dv + C dpi
    balance: Parts  # of M vd + h - A^T lam
    phi: Vector  # of the holonomic rows, by displacements
    rates: Vector  # of A v + b0, by displacements
    drift: Parts  # of A vd - b

    @once
    def accelerations(self) -> Parts:
        """dvd: of M dvd - A^T dlam + r' = 0, A dvd + s' = 0, where multipliers need not be unique."""
        if np.any(np.diag(self.terms.M) == 0.0):
            return self._by_saddle_point()
        W, A = self.terms.half, self.terms.A
        inverse = np.linalg.pinv(A @ W, rcond=RANK_CUT) if len(A) else np.zeros((len(W), 0))

        def solved(r: Vector, s: Vector) -> Vector:
            free = -W.T @ r
            found: Vector = W @ (free - inverse @ (s + A @ (W @ free)))
            return found

        b, d = self.balance, self.drift
        return Parts(solved(b.pi, d.pi), solved(b.v, d.v), solved(b.u, d.u))

    def _by_saddle_point(self) -> Parts:
        """The same from the whole system, where a freedom has no inertia."""
        M, A = self.terms.M, self.terms.A
        n, m = len(M), len(A)
        K = np.block([[M, -A.T], [A, np.zeros((m, m))]])
        b, d = self.balance, self.drift
        pairs = ((b.pi, d.pi), (b.v, d.v), (b.u, d.u))
        found = [-np.linalg.lstsq(K, np.vstack(pair), rcond=RANK_CUT)[0][:n] for pair in pairs]
        return Parts(*found)


def varied(kernel: Kernel, t: float, y: Vector, p: Vector, held: tuple[Vector, Vector] | None = None) -> Varied:
    """The equations and their derivatives at the state y; ``held``: accelerations and multipliers, if not its own."""
    nq, n, m, count = kernel.nq, kernel.nv, kernel.m, len(kernel.signals)
    numbers = kernel.numbers(p)
    terms = numbers.terms(t, y)
    vd, lam = terms.accelerations() if held is None else held
    rates, function = kernel.function("rates"), kernel.function("variation")
    base, q = p[: function.np], y[:nq]
    N = (
        np.column_stack([rates(t, np.concatenate([q, e]), p[: rates.np]) for e in np.eye(n)])
        if n
        else np.zeros((nq, 0))
    )

    def along(dq: Vector, dv: Vector, du: Vector) -> Vector:
        return function(t, np.concatenate([y, vd, lam, dq, dv, du]), base)

    zq, zv, zu = np.zeros(nq), np.zeros(n), np.zeros(count)
    columns = [along(N[:, j], zv, zu) for j in range(n)]
    columns += [along(zq, e, zu) for e in np.eye(n)]
    columns += [along(zq, zv, e) for e in np.eye(count)]
    table = np.array(columns).reshape(2 * n + count, -1).T
    h = len(kernel.dynamics.constraints.holonomic)
    qd, r, phi, rate, s = np.split(table, np.cumsum([nq, n, h, m]))
    turned = _turned(kernel, t, y, N) if nq != n else np.zeros((nq, n))
    C = np.asarray(np.linalg.lstsq(N, qd[:, :n] - turned, rcond=None)[0] if n else np.zeros((0, 0)), dtype=float)
    return Varied(terms, vd, lam, N, C, _parts(r, n), phi[:, :n], rate[:, :n], _parts(s, n))


def _parts(rows: Vector, n: int) -> Parts:
    return Parts(rows[:, :n], rows[:, n : 2 * n], rows[:, 2 * n :])


def _turned(kernel: Kernel, t: float, y: Vector, N: Vector) -> Vector:
    """d/dt of N(q) along the motion: N is linear in quaternions, so it is N of qd."""
    nq, n = kernel.nq, kernel.nv
    rates, p = kernel.function("rates"), kernel.parameters
    base = p[: rates.np]
    qd, origin = N @ y[nq:], np.zeros(nq)

    def of(q: Vector, e: Vector) -> Vector:
        return rates(t, np.concatenate([q, e]), base)

    return np.column_stack([of(qd, e) - of(origin, e) for e in np.eye(n)])
