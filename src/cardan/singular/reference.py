"""Reference sizes of constraint rows and their generic rank, from a cloud of feasible configurations.

Rank is never decided by the matrix at one place alone: rows are measured by their typical size over the cloud, and the
generic rank is the largest that occurs there. What is smaller at one place only is a singularity, what is smaller
everywhere is a redundancy.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.linalg.constrained import orthonormal_rows, pivot_ratio
from cardan.singular.constrained import ConstrainedNumbers
from cardan.singular.projection import project_position

Vector = NDArray[np.float64]

CLOUD = 24  # configurations around the start
SEED = 20170130
DEGENERATE = 1e-3  # of the largest value over the cloud: below it a configuration is near a singular one
RANK_TOLERANCE = 1e-8  # relative to the largest singular value of the scaled matrix


@dataclass(frozen=True)
class Reference:
    """Row scales s_i (rms of |a_i| in the metric of M; zero for rows that vanish everywhere) and the generic rank r.

    ``kappa`` and ``pivots`` are medians over the cloud: of sigma_r / sigma_1, and of the pivot ratio.
    """

    scale: Vector
    rank: int
    kappa: float = 1.0
    pivots: float = 1.0

    @property
    def tail(self) -> Vector:
        """What stands behind the parameters of a constrained model: scales, rank, and no watch over them."""
        return np.concatenate([self.scale, [float(self.rank), 0.0, 0.0], np.zeros(len(self.scale))])

    def scaled(self, matrix: Vector) -> Vector:
        """Rows measured by their scales; rows that vanish everywhere are zero."""
        used = np.where(self.scale > 0, self.scale, 1.0)
        return np.asarray(np.where(self.scale[:, None] > 0, matrix / used[:, None], 0.0))

    def kappa_of(self, matrix: Vector) -> float:
        """sigma_r / sigma_1 of the scaled rows of A W, in units of its median over the cloud."""
        return _kappa(self.scaled(matrix), self.rank) / self.kappa


def reference(system: ConstrainedNumbers, t: float, y: Vector, box: Vector) -> Reference:
    """Scales and generic rank around the configuration in y; ``box``: half-width of the cloud along each velocity."""
    rng = np.random.default_rng(SEED)
    matrices = [_scaled(system, t, y)]
    for _ in range(CLOUD):
        moved = system.moved(t, y, box * rng.uniform(-1.0, 1.0, system.n))
        feasible = system.closed(t, moved) if system.closed else project_position(system, t, moved)
        if feasible is not None:
            matrices.append(_scaled(system, t, feasible))
    stack = np.array(matrices)
    scale = np.sqrt(np.mean(np.sum(stack**2, axis=2), axis=0))
    largest = float(np.max(scale, initial=0.0))
    scale[scale <= 1e-14 * largest] = 0.0
    safe = np.where(scale > 0, scale, 1.0)
    scaled = [matrix / safe[:, None] for matrix in stack]
    rank = max((_rank(matrix) for matrix in scaled), default=0)
    regular = [matrix for matrix in scaled if _rank(matrix) == rank]
    kappas = [_kappa(matrix, rank) for matrix in regular]
    pivots = [_pivots(matrix, rank) for matrix in regular]
    return Reference(scale, rank, _typical(kappas), _typical(pivots))


def _typical(values: list[float]) -> float:
    """Median over the configurations that are not singular themselves: mechanisms may have many that are."""
    kept = [value for value in values if value > DEGENERATE * max(values)]
    return float(np.median(kept)) if kept else 1.0


def _kappa(matrix: Vector, rank: int) -> float:
    """sigma_r / sigma_1."""
    if rank == 0:
        return 1.0
    s = np.linalg.svd(matrix, compute_uv=False)
    return float(s[rank - 1] / s[0]) if s[0] > 0 else 0.0


def _pivots(matrix: Vector, rank: int) -> float:
    """The pivot ratio, as the simulator computes it."""
    m, n = matrix.shape
    R, order = np.zeros((m, m)), np.zeros(m)
    orthonormal_rows(n, m, rank, np.ascontiguousarray(matrix), np.zeros((m, n)), R, order)
    return float(pivot_ratio(m, rank, R, order))


def _scaled(system: ConstrainedNumbers, t: float, y: Vector) -> Vector:
    terms = system.terms(t, y)
    return terms.A @ terms.half


def _rank(matrix: Vector) -> int:
    if matrix.size == 0:
        return 0
    s = np.linalg.svd(matrix, compute_uv=False)
    return int(np.sum(s > RANK_TOLERANCE * s[0])) if s[0] > 0 else 0
