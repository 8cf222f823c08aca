"""Exact derivatives of inverse and forward dynamics, through constraints as well.

With r = M a + h - A^T lam and s = A a - b, the variation kernel gives r' and s' along any direction of (q, v); one
batch of directions gives them all. Then M da - A^T dlam = dtau - r', A da = -s'.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from cardan.codegen.compiled import Kernel

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Derivatives:
    """Derivatives at (q, v, a), nv by nv; columns of q are along velocities: dq = N(q) delta.

    tau = M a + f + g - Q is what acts beside the applied forces; with constraints tau_q and tau_v hold the multipliers.
    """

    a: Vector
    tau: Vector
    tau_q: Vector  # of inverse dynamics
    tau_v: Vector
    tau_a: Vector  # M
    a_q: Vector  # of forward dynamics
    a_v: Vector
    a_tau: Vector  # M^-1, or its part that constraints leave


def derivatives(kernel: Kernel, t: float, q: Vector, v: Vector, a: Vector, lam: Vector, p: Vector) -> Derivatives:
    """All of them from one batch of the variation kernel and one linear system."""
    nq, nv, m = kernel.nq, kernel.nv, kernel.m
    N = _rate_matrix(kernel, t, q, p)
    varied = kernel.batch("variation")
    count = 2 * nv
    rows = np.zeros((count, varied.ny))
    state = [q, v, a, lam]
    rows[:, : sum(map(len, state))] = np.concatenate(state)
    first = nq + nv + nv + m
    rows[:nv, first : first + nq] = N.T
    rows[nv:, first + nq : first + nq + nv] = np.eye(nv)
    found = varied(t, rows, p)
    balance = found[:, nq : nq + nv].T
    s = found[:, found.shape[1] - m :].T if m else np.zeros((0, count))
    M = kernel.function("mass_matrix")(t, np.concatenate([q, v]), p).reshape(nv, nv)
    A = kernel.numbers(p).terms(t, np.concatenate([q, v])).A if m else np.zeros((0, nv))
    right = np.block([[-balance, np.eye(nv)], [-s, np.zeros((m, nv))]])
    K = np.block([[M, -A.T], [A, np.zeros((m, m))]])
    solved = (np.linalg.lstsq(K, right, rcond=1e-12)[0] if m else np.linalg.solve(K, right))[:nv]
    tau = kernel.function("inverse_dynamics")(t, np.concatenate([q, v, a]), p) - A.T @ lam
    return Derivatives(
        a, tau, balance[:, :nv], balance[:, nv:], M, solved[:, :nv], solved[:, nv:count], solved[:, count:]
    )


def _rate_matrix(kernel: Kernel, t: float, q: Vector, p: Vector) -> Vector:
    """N(q) of qd = N v (what prescribed motions add taken away)."""
    rates = kernel.batch("rates")
    units = np.hstack([np.tile(q, (kernel.nv + 1, 1)), np.vstack([np.zeros(kernel.nv), np.eye(kernel.nv)])])
    found = rates(t, units, p)
    N: Vector = (found[1:] - found[0]).T
    return N
