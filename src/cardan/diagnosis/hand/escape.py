"""A way out of a singular configuration: a short motion of the joints, simulated before it is offered.

The motion goes from rest to rest in one second along a polynomial of degree five. The arm is driven as arms are, by the
torques of inverse dynamics along the wanted motion and a feedback that keeps it there, and its forward dynamics is
integrated (Runge-Kutta); only a motion that arrives is offered.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.hand.chain import Chain
from cardan.model.joint_limits import Limits

Vector = NDArray[np.float64]

REACH = 0.25  # rad or m: how far it may go
DURATION = 1.0
STEPS = 200
ARRIVED = 1e-3  # rad or m
STIFF = 20.0  # rad/s, of the feedback: critically damped, ten times as fast as the motion


@dataclass(frozen=True)
class Escape:
    """The motion from q0 to ``q``: what it does to the smallest singular value, and what it needs of the motors."""

    q: Vector
    moves: dict[str, float]  # by joint
    before: float  # smallest singular value over the largest
    after: float
    missed: float  # how far the simulated motion ended from where it should
    torques: dict[str, float]  # largest, by joint
    too_strong: tuple[str, ...]  # joints whose motors are too weak for it


def escape_from(chain: Chain, away_from: Vector) -> Escape | None:
    """The best motion that was simulated and leaves the singularity; None where none does."""
    before = quality(chain, away_from)
    tried = sorted(_candidates(chain, away_from), key=lambda q: -quality(chain, q))
    for q in tried[:4]:
        if quality(chain, q) <= max(2 * before, 1e-3):
            return None
        missed, largest = _simulated(chain, away_from, q)
        if missed <= ARRIVED:
            moves = {name: float((q - away_from)[j]) for name, j in zip(chain.names, chain.joints, strict=True)}
            torques = {name: float(largest[j]) for name, j in zip(chain.names, chain.joints, strict=True)}
            weak = tuple(name for name, x in torques.items() if x > chain.limits.get(name, Limits()).effort)
            shown = {name: x for name, x in moves.items() if abs(x) > 1e-9}
            return Escape(q, shown, before, quality(chain, q), missed, torques, weak)
    return None


def quality(chain: Chain, q: Vector) -> float:
    """Smallest usual singular value over the largest, in consistent units."""
    s = np.linalg.svd(chain.scaled(q), compute_uv=False)
    return float(s[chain.usual_rank - 1] / s[0])


def _candidates(chain: Chain, q0: Vector) -> list[Vector]:
    """One joint, or two alike, moved either way, as far as limits allow."""
    n, found = len(chain.joints), []
    for i in range(n):
        for j in range(i, n):
            for signs in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
                d = np.zeros(n)
                d[i] += signs[0]
                d[j] += signs[1] if j != i else 0.0
                if not d.any():
                    continue
                q = q0.copy()
                q[chain.joints] += REACH * d / np.linalg.norm(d)
                if chain.is_allowed(q):
                    found.append(q)
    return found


def _simulated(chain: Chain, q0: Vector, q1: Vector) -> tuple[float, Vector]:
    """How far the simulated motion ends from q1, and the largest generalized force of each velocity."""
    k, h, nv = chain.kernel.ideal, DURATION / STEPS, chain.kernel.nv
    reach = np.zeros(nv)
    reach[chain.joints] = (q1 - q0)[chain.joints]
    largest = np.zeros(nv)

    def wanted(t: float) -> tuple[Vector, Vector, Vector, Vector]:
        """q, v, the torques of inverse dynamics, and M there."""
        s = t / DURATION
        rate = 30 * s * s * (1 - s) ** 2 / DURATION * reach
        bend = 60 * s * (1 - s) * (1 - 2 * s) / DURATION**2 * reach
        q = q0.copy()
        q[chain.joints] += s**3 * (10 - 15 * s + 6 * s * s) * reach[chain.joints]
        return q, rate, k.rnea(q, rate, bend, chain.t), k.crba(q, chain.t)

    def torque(y: Vector, aim: tuple[Vector, Vector, Vector, Vector]) -> Vector:
        q, v, tau, M = aim
        error, lag = np.zeros(nv), v - y[k.nq :]
        error[chain.joints] = (q - y[: k.nq])[chain.joints]
        found: Vector = tau + M @ (STIFF**2 * error + 2 * STIFF * lag)
        return found

    def rates(y: Vector, aim: tuple[Vector, Vector, Vector, Vector]) -> Vector:
        a = k.aba(y[: k.nq], y[k.nq :], torque(y, aim), chain.t)
        return np.concatenate([k.function("rates")(chain.t, y, k.p()), a])

    y = np.concatenate([q0, np.zeros(nv)])
    last = wanted(0.0)
    for step in range(STEPS):
        middle, end = wanted((step + 0.5) * h), wanted((step + 1) * h)
        k1 = rates(y, last)
        k2 = rates(y + h / 2 * k1, middle)
        k3 = rates(y + h / 2 * k2, middle)
        k4 = rates(y + h * k3, end)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        last, largest = end, np.maximum(largest, np.abs(torque(y, end)))
    return float(np.max(np.abs((y[: k.nq] - q1)[chain.joints]))), largest
