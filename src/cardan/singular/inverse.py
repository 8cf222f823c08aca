"""Forces for a given motion: B u + A^T lam = M a + h, with u from actuators and lam from constraints.

The constraints supply whatever lies in the range of A^T. With Z spanning the motions they allow, A Z = 0, what is left
for the actuators is Z^T B u = Z^T (M a + h).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.singular.constrained import RANK_CUT, Terms

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Share:
    """u and lam; ``missing`` are the generalized forces that neither actuators nor constraints can supply.

    ``spare`` counts the ways in which the actuators can work against each other (or against the constraints) without
    any effect; u is then the shortest. ``determined`` says of each multiplier whether it is unique.
    """

    u: Vector
    lam: Vector
    missing: Vector
    spare: int
    determined: NDArray[np.bool_]


def share(terms: Terms, a: Vector, B: Vector) -> Share:
    """Actuator forces u and multipliers lam of M a + h = B u + A^T lam; shortest where they are not unique."""
    wanted = terms.M @ a + terms.h
    W = terms.half
    Z = W @ _null_space(terms.A @ W)
    reduced = Z.T @ B
    u: Vector = np.zeros(B.shape[1])
    if B.size:
        u = np.asarray(np.linalg.lstsq(reduced, Z.T @ wanted, rcond=RANK_CUT)[0], dtype=np.float64)
    rank = np.linalg.matrix_rank(reduced, tol=RANK_CUT * _norm(reduced)) if reduced.size else 0
    rest = wanted - B @ u
    lam, determined = _multipliers(terms.A, W, rest)
    return Share(u, lam, rest - terms.A.T @ lam, B.shape[1] - int(rank), determined)


def unsupplied(terms: Terms, a: Vector) -> Vector:
    """The part of M a + h that ideal constraints do not supply: the generalized forces shortest in the metric of M."""
    wanted = terms.M @ a + terms.h
    lam, _ = _multipliers(terms.A, terms.half, wanted)
    left: Vector = wanted - terms.A.T @ lam
    return left


def _null_space(rows: Vector) -> Vector:
    """Orthonormal columns that span the null space."""
    n = rows.shape[1]
    if not rows.size:
        return np.eye(n)
    _, s, Vt = np.linalg.svd(rows)
    rank = int(np.sum(s > RANK_CUT * s[0])) if s[0] > 0 else 0
    null: Vector = Vt[rank:].T
    return null


def _multipliers(A: Vector, W: Vector, force: Vector) -> tuple[Vector, NDArray[np.bool_]]:
    """lam with A^T lam nearest to the force in the metric of M^-1, and which of them are unique."""
    if not A.size:
        return np.zeros(len(A)), np.ones(len(A), dtype=bool)
    rows = A @ W
    lam: Vector = np.asarray(np.linalg.lstsq(rows.T, W.T @ force, rcond=RANK_CUT)[0], dtype=np.float64)
    U, s, _ = np.linalg.svd(rows)
    rank = int(np.sum(s > RANK_CUT * s[0])) if s[0] > 0 else 0
    idle = np.linalg.norm(U[:, rank:], axis=1)  # row i is unique iff row i of the left null space is zero
    return lam, idle < 1e-8


def _norm(matrix: Vector) -> float:
    return float(np.linalg.norm(matrix, 2)) if matrix.size else 0.0
