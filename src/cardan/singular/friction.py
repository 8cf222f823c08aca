"""Pressing forces and friction together: N_k = |n_k0 + sum_j n_kj N_j|, in numbers.

The pressing forces are linear in the accelerations and multipliers, and these in the friction forces; so n is linear in
N. Where the sums over j of |n_kj| are below one the solution is unique; beyond that there may be several motions or
none (Painleve's paradox), which is reported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.singular.constrained import Terms

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Pressed:
    """Accelerations, multipliers and pressing forces; ``margin`` > 0: they are the only ones."""

    vd: Vector
    lam: Vector
    N: Vector
    margin: float
    solutions: tuple[float, ...] = ()  # every N that satisfies the equations, for a single friction


def pressed(terms: Terms, pushes: Vector, pressing: Callable[[Vector, Vector], Vector]) -> Pressed:
    """vd, lam and N for terms without friction, generalized forces per unit N (K, n), and (vd, lam) -> n (K, 3)."""
    vd, lam = terms.accelerations()
    responses = [_response(terms, push) for push in pushes]
    n0 = pressing(vd, lam)
    slopes = np.array([pressing(vd + a, lam + b) - n0 for a, b in responses])  # [j, k, :]
    K = len(pushes)
    N = np.linalg.norm(n0, axis=1)
    for _ in range(500):
        before = N.copy()
        for k in range(K):
            rest = n0[k] + np.tensordot(N, slopes[:, k], 1) - N[k] * slopes[k, k]
            N[k] = root(rest, slopes[k, k])
        if np.max(np.abs(N - before), initial=0.0) <= 1e-15 * np.max(N, initial=0.0):
            break
    sums = np.sum(np.linalg.norm(slopes, axis=2), axis=0) if K else np.zeros(0)
    for (a, b), force in zip(responses, N, strict=True):
        vd, lam = vd + force * a, lam + force * b
    every = tuple(roots(n0[0], slopes[0, 0])) if K == 1 else ()
    return Pressed(vd, lam, N, 1.0 - float(np.max(sums, initial=0.0)), every)


def _response(terms: Terms, push: Vector) -> tuple[Vector, Vector]:
    """Change of (vd, lam) by a generalized force."""
    alone = Terms(terms.qd, terms.M, -push, terms.A, np.zeros_like(terms.b))
    return alone.accelerations()


def root(a: Vector, b: Vector) -> float:
    """The N with |a + b N| = N that is continued from small b."""
    aa, ab, bb = float(a @ a), float(a @ b), float(b @ b)
    r = np.sqrt(max(0.0, ab * ab + (1 - bb) * aa))
    if bb < 1 and ab > 0:
        return float((ab + r) / (1 - bb))
    return float(aa / (r - ab)) if r - ab > 0 else float(np.sqrt(aa))


def roots(a: Vector, b: Vector) -> list[float]:
    """All N >= 0 with |a + b N| = N."""
    aa, ab, bb = float(a @ a), float(a @ b), float(b @ b)
    if abs(1 - bb) < 1e-14:
        return [-aa / (2 * ab)] if ab < 0 else []
    under = ab * ab + (1 - bb) * aa
    if under < 0:
        return []
    found = [(ab + sign * np.sqrt(under)) / (1 - bb) for sign in (1.0, -1.0)]
    return [float(x) for x in found if x >= 0]
