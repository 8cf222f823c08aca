"""Exact derivatives of inverse and forward dynamics by states, forces and parameters, through constraints as well.

Without constraints a kernel of its own makes those of inverse dynamics, and M solves for the others. With r = M a + h
- A^T lam and s = A a - b, the variation kernel gives r' and s' along any direction of (q, v); one batch of directions
gives them all. Then M da - A^T dlam = dtau - r', A da = -s'.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardan.errors import unknown

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
    """All of them, nv by nv each."""
    nv = kernel.nv
    state = np.concatenate([q, v, a])
    M = kernel.function("mass_matrix")(t, state[: len(q) + nv], p).reshape(nv, nv)
    tau = kernel.function("inverse_dynamics")(t, state, p)
    if not kernel.m:
        tau_q, tau_v = kernel.function("inverse_dynamics_derivatives")(t, state, p).reshape(2, nv, nv)
        solved = np.linalg.solve(M, np.hstack([-tau_q, -tau_v, np.eye(nv)]))
        return Derivatives(a, tau, tau_q, tau_v, M, *np.hsplit(solved, 3))
    balance, s = _varied(kernel, t, q, v, a, lam, p)
    A = kernel.numbers(p).terms(t, state[: len(q) + nv]).A
    right = np.block([[-balance, np.eye(nv)], [-s, np.zeros((kernel.m, nv))]])
    solved = _solved(M, A, right)[:nv]
    return Derivatives(a, tau - A.T @ lam, balance[:, :nv], balance[:, nv:], M, *np.hsplit(solved, 3))


def _varied(kernel: Kernel, t: float, q: Vector, v: Vector, a: Vector, lam: Vector, p: Vector) -> tuple[Vector, Vector]:
    """r' and s' along every direction of q, then of v: one batch of the variation kernel."""
    nq, nv, m = kernel.nq, kernel.nv, kernel.m
    varied = kernel.batch("variation")
    rows = np.zeros((2 * nv, varied.ny))
    rows[:, : nq + nv + nv + m] = np.concatenate([q, v, a, lam])
    first = nq + nv + nv + m
    rows[:nv, first : first + nq] = _rate_matrix(kernel, t, q, p).T
    rows[nv:, first + nq : first + nq + nv] = np.eye(nv)
    found = varied(t, rows, p)
    return found[:, nq : nq + nv].T, found[:, found.shape[1] - m :].T


def _solved(M: Vector, A: Vector, right: Vector) -> Vector:
    """[da, dlam]; where rows are redundant, the shortest."""
    m = len(A)
    K = np.block([[M, -A.T], [A, np.zeros((m, m))]])
    found: Vector = np.linalg.lstsq(K, right, rcond=1e-12)[0]
    return found


@dataclass(frozen=True)
class ParameterDerivatives:
    """By the parameters ``names``: of inverse dynamics at (q, v, a), and of the accelerations at (q, v, tau)."""

    names: tuple[str, ...]
    a: Vector
    tau_p: Vector  # nv by parameters
    a_p: Vector  # nv by parameters

    def __getitem__(self, name: str) -> Vector:
        """How accelerations change with one parameter."""
        if name not in self.names:
            raise unknown(name, dict.fromkeys(self.names), "parameter")
        found: Vector = self.a_p[:, self.names.index(name)]
        return found


def parameter_derivatives(
    kernel: Kernel, t: float, q: Vector, v: Vector, a: Vector, lam: Vector, p: Vector
) -> ParameterDerivatives:
    """From one kernel and one linear system, through constraints as well."""
    nv, m = kernel.nv, kernel.m
    names = tuple(str(one) for one in kernel.model.parameters)
    function = kernel.function("parameter_slopes")
    slopes = function(t, np.concatenate([q, v, a, lam]), p).reshape(nv + m, len(names))
    state = np.concatenate([q, v])
    M = kernel.function("mass_matrix")(t, state, p).reshape(nv, nv)
    A = kernel.numbers(p).terms(t, state).A if m else np.zeros((0, nv))
    solved: Vector = _solved(M, A, -slopes) if m else np.asarray(np.linalg.solve(M, -slopes), dtype=float)
    return ParameterDerivatives(names, a, slopes[:nv], solved[:nv])


@dataclass(frozen=True)
class SecondDerivatives:
    """Second derivatives of forward dynamics, nv by nv by nv: ``a_qv[i, j, k]`` is d2 a_i / dq_j dv_k.

    By q along velocities; with quaternions the order matters: the first index of the two is taken first.
    """

    a: Vector
    a_qq: Vector
    a_qv: Vector
    a_vv: Vector
    a_qtau: Vector


def second_derivatives(kernel: Kernel, t: float, q: Vector, v: Vector, tau: Vector, p: Vector) -> SecondDerivatives:
    """One batch of a kernel that takes a direction."""
    nq, nv = kernel.nq, kernel.nv
    batch = kernel.batch("second_derivatives")
    rows = np.zeros((3 * nv, batch.ny))
    rows[:, : nq + 2 * nv] = np.concatenate([q, v, tau])
    at = nq + 2 * nv
    rows[:nv, at : at + nq] = _rate_matrix(kernel, t, q, p).T
    rows[nv:, at + nq :] = np.eye(2 * nv)
    found = batch(t, rows, p).reshape(3, nv, 3, nv, nv)  # direction, of which, entry
    by_q, by_v, by_tau = (np.moveaxis(one, 0, -1) for one in found)  # of which, i, j, direction
    a = kernel.function("forward_dynamics")(t, np.concatenate([q, v, tau]), p)
    return SecondDerivatives(a, by_q[0], by_v[0], by_v[1], by_tau[0])


def _rate_matrix(kernel: Kernel, t: float, q: Vector, p: Vector) -> Vector:
    """N(q) of qd = N v (what prescribed motions add taken away)."""
    rates = kernel.batch("rates")
    units = np.hstack([np.tile(q, (kernel.nv + 1, 1)), np.vstack([np.zeros(kernel.nv), np.eye(kernel.nv)])])
    found = rates(t, units, p)
    N: Vector = (found[1:] - found[0]).T
    return N
