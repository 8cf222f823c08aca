"""Dimensionless indicators of singularity, the same in every system of units.

B holds the velocities of all masses per unit velocity, scaled by the square root of mass and inertia, so that
M = B^T B. Columns are measured by their typical size C over a cloud of configurations, never by their size here, which
would hide polar coordinates at r = 0.
"""

from __future__ import annotations

from collections.abc import Sequence
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


def column_scales(bases: Sequence[Vector]) -> Vector:
    """Root mean square of each column over a cloud; a column that vanishes everywhere gets the scale 0."""
    squares = np.array([np.sum(B**2, axis=0) for B in bases])
    return np.asarray(np.sqrt(np.mean(squares, axis=0)))


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


def reach(J: Vector, inertia: Vector, load: Vector, allowed: Vector | None = None) -> float:
    """eta_b: the part of a load that the system can feel, |P_range(B) f| / |f| in the metric of inertia, in [0, 1].

    J is the Jacobian of all masses (rows) by velocities, ``inertia`` the square roots (block matrix) with reference
    values for massless bodies, ``load`` the forces on the masses; ``allowed`` holds columns of allowable velocities.
    """
    B = inertia @ (J if allowed is None else J @ allowed)
    f = np.linalg.lstsq(inertia.T, load, rcond=None)[0]
    size = float(np.linalg.norm(f))
    if size == 0.0:
        return 0.0
    u, s, _ = np.linalg.svd(B, full_matrices=False)
    rank = int(np.sum(s > 1e-12 * s[0])) if len(s) and s[0] > 0 else 0
    return float(np.linalg.norm(u[:, :rank].T @ f)) / size


@dataclass(frozen=True)
class ConstraintIndicator:
    """Rank of the scaled constraint matrix here, its smallest generic singular value over the largest, null spaces."""

    kappa: float  # sigma_r / sigma_1 with r the generic rank
    rank: int
    generic_rank: int
    left_null: Vector  # columns N with N^T A = 0, in terms of unscaled rows
    kernel: Vector  # columns of velocities with A v = 0
    singular_values: Vector


def constraint_indicator(A: Vector, half: Vector, scale: Vector, generic: int) -> ConstraintIndicator:
    """The indicator of constraint rows scaled by their reference sizes, in the metric of M."""
    m, n = A.shape
    used = np.where(scale > 0, scale, 1.0)
    u, s, vt = np.linalg.svd((A / used[:, None]) @ half, full_matrices=True)
    s = np.concatenate([s, np.zeros(max(0, min(m, n) - len(s)))])
    largest = float(s[0]) if len(s) else 0.0
    kappa = float(s[generic - 1]) / largest if generic and largest > 0 else (1.0 if not generic else 0.0)
    rank = int(np.sum(s > SINGULAR * largest)) if largest > 0 else 0
    return ConstraintIndicator(kappa, rank, generic, u[:, rank:] / used[:, None], half @ vt[rank:].T, s)
