"""Reference sizes of constraint rows and their generic rank, from a cloud of feasible configurations.

Rank is never decided by the matrix at one place alone: rows are measured by their typical size over the cloud, and the
generic rank is the largest that occurs there. What is smaller at one place only is a singularity, what is smaller
everywhere is a redundancy.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.singular.constrained import ConstrainedNumbers
from cardan.singular.projection import project_position

Vector = NDArray[np.float64]

CLOUD = 24  # configurations around the start
SEED = 20170130
RANK_TOLERANCE = 1e-8  # relative to the largest singular value of the scaled matrix


@dataclass(frozen=True)
class Reference:
    """Row scales s_i (rms of |a_i| in the metric of M; zero for rows that vanish everywhere) and the generic rank."""

    scale: Vector
    rank: int

    @property
    def tail(self) -> Vector:
        """What stands behind the parameters of a constrained model."""
        return np.concatenate([self.scale, [float(self.rank)]])


def reference(system: ConstrainedNumbers, t: float, y: Vector, box: Vector) -> Reference:
    """Scales and generic rank around the configuration in y; ``box``: half-width of the cloud along each velocity."""
    rng = np.random.default_rng(SEED)
    matrices = [_scaled(system, t, y)]
    for _ in range(CLOUD):
        moved = system.moved(t, y, box * rng.uniform(-1.0, 1.0, system.n))
        feasible = project_position(system, t, moved)
        if feasible is not None:
            matrices.append(_scaled(system, t, feasible))
    stack = np.array(matrices)
    scale = np.sqrt(np.mean(np.sum(stack**2, axis=2), axis=0))
    largest = float(np.max(scale, initial=0.0))
    scale[scale <= 1e-14 * largest] = 0.0
    safe = np.where(scale > 0, scale, 1.0)
    ranks = [_rank(matrix / safe[:, None]) for matrix in stack]
    return Reference(scale, max(ranks, default=0))


def _scaled(system: ConstrainedNumbers, t: float, y: Vector) -> Vector:
    terms = system.terms(t, y)
    return terms.A @ terms.half


def _rank(matrix: Vector) -> int:
    if matrix.size == 0:
        return 0
    s = np.linalg.svd(matrix, compute_uv=False)
    return int(np.sum(s > RANK_TOLERANCE * s[0])) if s[0] > 0 else 0
