"""How far the nearest singular configuration is: the one at the smallest distance in joint space.

min |q - q0|^2 subject to J(q)^T u = 0, |u| = 1 (or J z = 0 where joints are fewer than rows), by Newton's method on
exact derivatives from several starts. The best that converged is told; a search cannot exclude a nearer one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.hand.chain import Chain
from cardan.native.deadline import check

Vector = NDArray[np.float64]

STEPS = 60
LONGEST = 0.4  # rad or m of a step
FREE = 100.0  # how much dearer it is to move a joint than to turn the lost direction, which costs nothing in truth
EXACT = 1e-11  # of the largest singular value


@dataclass(frozen=True)
class Nearest:
    """The nearest singular configuration found, and how far it is in joint space and for the hand."""

    q: Vector
    distance: float  # |q - q0| over the joints
    hand_distance: float  # how far the hand's point is from where it is now
    is_allowed: bool  # within the limits of the joints
    ratio: float  # smallest singular value over the largest, in consistent units


def nearest_singularity(chain: Chain) -> Nearest | None:
    """The nearest one; None where none was found (or where the arm is singular everywhere)."""
    n, rows = len(chain.joints), len(chain.weights)
    if chain.usual_rank < min(n, rows):
        return None
    by_rows = n >= rows
    found: list[Vector] = []
    for start in [chain.q0, *chain.drawn]:
        u, _, vt = np.linalg.svd(chain.scaled(start))
        directions = u.T[:rows] if by_rows else vt[:n]
        for z in directions[::-1][:3]:
            check()
            q = _followed(chain, start, z, by_rows)
            if q is not None:
                found.append(q)
    if not found:
        return None
    inside = [q for q in found if chain.is_allowed(q)]
    best = min(inside or found, key=lambda q: float(np.linalg.norm(q - chain.q0)))
    s = np.linalg.svd(chain.scaled(best), compute_uv=False)
    here, there = (chain.kernel.placement(chain.point, q, chain.t)[1] for q in (chain.q0, best))
    moved = float(np.linalg.norm((best - chain.q0)[chain.joints]))
    return Nearest(best, moved, float(np.linalg.norm(there - here)), bool(inside), float(s[-1] / s[0]))


def _followed(chain: Chain, start: Vector, z: Vector, by_rows: bool) -> Vector | None:
    """Newton's method for the nearest zero; None where it does not converge."""
    q, z, own = start.copy(), z.copy(), chain.joints
    for _ in range(STEPS):
        r, slope = chain.vanishing(q, z, by_rows)
        J = chain.scaled(q)
        R = np.block([[slope, (J.T if by_rows else J) * FREE], [np.zeros((1, len(own))), z[None] * FREE]])
        right = -np.append(r, (z @ z - 1) / 2)
        wanted = np.concatenate([(chain.q0 - q)[own], np.zeros(len(z))])
        x = wanted + np.linalg.pinv(R, rcond=1e-10) @ (right - R @ wanted)
        x *= min(1.0, LONGEST / max(float(np.linalg.norm(x[: len(own)])), 1e-300))
        q[own] += x[: len(own)]
        z = z + FREE * x[len(own) :]
        z /= np.linalg.norm(z)
        if np.linalg.norm(x[: len(own)]) < 1e-12:
            break
    s = np.linalg.svd(chain.scaled(q), compute_uv=False)
    return q if s[-1] <= EXACT * s[0] else None
