"""Dimensionless indicators of singularity, the same in every system of units.

B holds the velocities of all masses per unit velocity, scaled by the square root of mass and inertia, so that
M = B^T B. Columns are measured by their typical size C over a cloud of configurations, never by their size here, which
would hide polar coordinates at r = 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

SINGULAR = 1e-8  # below this an indicator counts as zero
NEAR = 1e-3  # below this it is reported as near


@dataclass(frozen=True)
class BasisIndicator:
    """kappa_a = smallest over largest singular value of the scaled basis, its null directions, and its rank."""

    kappa: float
    rank: int
    null: Vector  # columns: unit velocities (in the user's coordinates, scaled) that move nothing
    singular_values: Vector
    scales: Vector


def column_scales(bases: Vector) -> Vector:
    """Root mean square of each column over a cloud of matrices; a column that vanishes everywhere gets the scale 0."""
    return np.asarray(np.sqrt(np.mean(np.sum(bases**2, axis=1), axis=0)))


def basis_indicator(B: Vector, scales: Vector, tolerance: float = SINGULAR) -> BasisIndicator:
    """The indicator of a basis measured by column scales."""
    n = B.shape[1]
    used = np.where(scales > 0, scales, 1.0)
    _, s, vt = np.linalg.svd(B / used, full_matrices=True)
    s = np.concatenate([s, np.zeros(max(0, n - len(s)))])[:n]
    largest = float(s[0]) if n else 0.0
    kappa = float(s[-1]) / largest if largest > 0 else (1.0 if n == 0 else 0.0)
    rank = int(np.sum(s > tolerance * largest)) if largest > 0 else 0
    null = (vt[rank:] / used).T
    sizes = np.linalg.norm(null * used[:, None], axis=0)
    return BasisIndicator(kappa, rank, null / np.where(sizes > 0, sizes, 1.0), s, used)


def reaches(J: Vector, inertia: Vector, loads: Vector) -> Vector:
    """eta_b for a stack of states: the part of a load that the system can feel, |P_range(B) f| / |f| in the metric of
    inertia, in [0, 1].

    J holds Jacobians of all masses (rows) by allowed dimensionless velocities, (count, rows, n); ``inertia`` the square
    roots (block matrix) with reference values for massless bodies; ``loads`` the forces on the masses, (count, rows).
    """
    used = np.flatnonzero(np.any(inertia != 0.0, axis=1))
    f = np.zeros_like(loads)
    f[:, used] = np.linalg.solve(inertia[np.ix_(used, used)].T, loads[:, used].T).T
    size = np.linalg.norm(f, axis=1)
    u, s, _ = np.linalg.svd(inertia @ J, full_matrices=False)
    inside = s > SINGULAR / 10 * np.max(s, axis=1, keepdims=True, initial=1e-300)
    parts = np.einsum("kij,ki->kj", u, f) * inside
    return np.asarray(np.linalg.norm(parts, axis=1) / np.where(size > 0, size, 1.0))


@dataclass(frozen=True)
class ConstraintIndicator:
    """Rank of the scaled constraint matrix here, its smallest generic singular value over the largest, null spaces."""

    kappa: float  # sigma_r / sigma_1 with r the generic rank
    rank: int
    generic_rank: int
    left_null: Vector  # columns N with N^T A = 0, in terms of scaled rows, orthonormal
    kernel: Vector  # columns of velocities with A v = 0
    singular_values: Vector


def constraint_indicator(rows: Vector, metric: Vector, generic: int) -> ConstraintIndicator:
    """The indicator of dimensionless constraint rows (m, n); ``metric`` makes velocities dimensionless."""
    m, n = rows.shape
    u, s, vt = np.linalg.svd(rows, full_matrices=True)
    s = np.concatenate([s, np.zeros(max(0, min(m, n) - len(s)))])
    largest = float(s[0]) if len(s) else 0.0
    kappa = float(s[generic - 1]) / largest if generic and largest > 0 else (1.0 if not generic else 0.0)
    rank = int(np.sum(s > SINGULAR * largest)) if largest > 0 else 0
    return ConstraintIndicator(kappa, rank, generic, u[:, rank:], vt[rank:].T / metric[:, None], s)


def generic_rank(rows: Vector) -> tuple[int, float, Vector]:
    """(largest rank over a stack of dimensionless rows, median of sigma_r / sigma_1 where it has that rank, ranks)."""
    s = np.linalg.svd(rows, compute_uv=False)
    if not s.size:
        return 0, 1.0, np.zeros(len(rows))
    largest = np.where(s[:, 0] > 0, s[:, 0], 1.0)
    ranks = np.sum(s > SINGULAR * largest[:, None], axis=1)
    rank = int(np.max(ranks, initial=0))
    if rank == 0:
        return 0, 1.0, ranks
    return rank, float(np.median((s[:, rank - 1] / largest)[ranks == rank])), ranks
