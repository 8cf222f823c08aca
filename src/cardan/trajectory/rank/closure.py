"""Constraints where their matrix loses rank: the closure of the row space, and what it says about velocities.

Rows are scaled by their reference sizes and measured in the metric of M: Ahat = R^-1 A W with M = W^-T W^-1. Where the
rank k is smaller than the generic rank r, the left null vectors N (N^T Ahat = 0) carry no first-order restriction, but
along a motion v the rows N^T Adot(q, v) are the limits of the directions that were lost. The closure of the row space
is spanned by the rows that remain and by these, and a motion satisfies

    A v = 0   and   N^T Adot(q, v) v = 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.native.once import once
from cardan.singular.constrained import Terms
from cardan.singular.reference import Reference

Vector = NDArray[np.float64]

SINGULAR = 1e-8  # kappa, in units of its reference, below which rank counts as lost
RESIDENT = 1e-9  # size of N^T Adot, relative to the regular rows times the rate of motion, below which rank stays lost
ON_CONE = 1e-6  # relative size of N^T Adot v up to which a velocity counts as tangent to a branch


@dataclass(frozen=True)
class Extension:
    """Adot, the derivative of Adot v by v, and the rate of Adot v at fixed v: for constraints differentiated twice."""

    matrix_rate: Vector  # Adot, m x n
    drift_gradient: Vector  # d(Adot v + b0dot)/dv, m x n
    drift_rate: Vector  # m


@dataclass(frozen=True)
class LocalRank:
    """The constraint matrix at a state: singular values, numerical rank k, null spaces in scaled quantities."""

    terms: Terms
    reference: Reference
    tolerance: float = SINGULAR

    @once
    def svd(self) -> tuple[Vector, Vector, Vector]:
        """U, S, V^T of the scaled rows."""
        matrix = self.reference.scaled(self.terms.A @ self.terms.half)
        U, S, Vt = np.linalg.svd(matrix, full_matrices=True)
        return U, S, Vt

    @property
    def singular_values(self) -> Vector:
        return self.svd[1]

    @once
    def kappa(self) -> float:
        """sigma_r in units of its typical value."""
        r = self.reference.rank
        return float(self.svd[1][r - 1]) / self.reference.kappa if r else 1.0

    @once
    def rank(self) -> int:
        """Numerical rank here, at most the generic one."""
        here = int(np.sum(self.svd[1] > self.tolerance * self.reference.kappa))
        return min(here, self.reference.rank)

    def rank_of(self, rows: Sequence[int]) -> int:
        """Numerical rank of some of the rows here."""
        matrix = self.reference.scaled(self.terms.A @ self.terms.half)[list(rows)]
        values = np.linalg.svd(matrix, compute_uv=False)
        return min(int(np.sum(values > self.tolerance * self.reference.kappa)), self.rank)

    @property
    def corank(self) -> int:
        """How much rank is lost here."""
        return self.reference.rank - self.rank

    @property
    def is_singular(self) -> bool:
        return self.corank > 0

    @once
    def scaled_null(self) -> Vector:
        """Left null vectors of the scaled rows, m x (m - k)."""
        return self.svd[0][:, self.rank :]

    @once
    def left_null(self) -> Vector:
        """Columns N with N^T A = 0, for the unscaled rows."""
        scale = self.reference.scale
        inverse = np.where(scale > 0, 1.0 / np.where(scale > 0, scale, 1.0), 0.0)
        return np.asarray(inverse[:, None] * self.scaled_null)

    @once
    def kernel(self) -> Vector:
        """Columns Z with A Z = 0, orthonormal in the metric of M: all first-order freedoms."""
        return np.asarray(self.terms.half @ self.svd[2][self.rank :].T)

    @once
    def regular_rows(self) -> Vector:
        """Orthonormal rows that span what A forbids here (in the coordinates z = W^-1 v)."""
        return self.svd[2][: self.rank]

    def closure(self, matrix_rate: Vector) -> Vector:
        """Orthonormal rows of the closure of the row space along the motion with this Adot."""
        if not self.is_singular:
            return self.regular_rows
        extra = self.left_null.T @ matrix_rate @ self.terms.half
        size = float(np.linalg.norm(extra, 2))
        if size == 0.0:
            return self.regular_rows
        extra = extra - extra @ self.regular_rows.T @ self.regular_rows
        _, S, Vt = np.linalg.svd(extra / size)
        found = int(np.sum(S > 1e-8))
        return np.vstack([self.regular_rows, Vt[: min(found, self.corank)]])

    def closure_projection(self, velocity: Vector, matrix_rate: Vector) -> Vector:
        """The velocity nearest in the metric of M that the closure allows: the limit of stiff or slipping contacts."""
        z = np.linalg.solve(self.terms.half, velocity)
        V = self.closure(matrix_rate)
        return np.asarray(self.terms.half @ (z - V.T @ (V @ z)))


def limit_accelerations(local: LocalRank, extension: Extension) -> tuple[Vector, Vector, Vector]:
    """(vd, A^T lam + (N^T Adot)^T mu, |N^T Adot| mu) where rank is lost and regained along the motion: the constraints

        U_k^T (A vd - b) = 0 ,    N^T [(Adot + d(Adot v)/dv) vd + (Adot v)'] = 0

    with reactions along the closure. Where mu is not zero the multipliers diverge, but this force is their limit.
    """
    terms, W = local.terms, local.terms.half
    free = -W.T @ terms.h
    if not local.is_singular:
        vd, lam = terms.accelerations()
        return vd, terms.A.T @ lam, np.zeros(0)
    U, S, _ = local.svd
    scale = np.where(local.reference.scale > 0, local.reference.scale, 1.0)
    k, N = local.rank, local.left_null
    first = local.regular_rows
    wanted = (U[:, :k].T @ (terms.b / scale)) / S[:k]
    second = N.T @ (extension.matrix_rate + extension.drift_gradient) @ W
    target = -N.T @ extension.drift_rate
    closure = N.T @ extension.matrix_rate @ W
    rate = float(np.linalg.norm(closure, 2)) or 1.0  # a slow crossing says as much as a fast one
    conditions = np.vstack([first, second / rate])
    pushes = np.vstack([first, closure / rate])
    system = conditions @ pushes.T
    missing = np.concatenate([wanted, target / rate]) - conditions @ free
    amounts: Vector = np.asarray(np.linalg.lstsq(system, missing, rcond=1e-9)[0], dtype=np.float64)
    push: Vector = np.asarray(pushes.T @ amounts, dtype=np.float64)
    force: Vector = np.asarray(np.linalg.solve(W.T, push), dtype=np.float64)
    return W @ (free + push), force, amounts[k:]
