"""Components of different dimension: whether one smooth surface of less rank passes through a configuration.

The zeros of x z and y z are the plane z = 0, on which the rows have rank 1, and the line x = y = 0, on which they have
rank 2. At a place of the plane nothing is singular, although the rank is larger elsewhere. It shows around the place:
configurations close by all have the rank that it has there, and they fill as many directions as that rank leaves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.singular.constrained import ConstrainedNumbers
from cardan.singular.projection import project_position

Vector = NDArray[np.float64]

WIDTH = 0.01  # of the box: how far around a place is looked
COUNT = 16
FILLED = 1e-3  # of the largest displacement: a direction that members of the cloud have gone
SEED = 20170131
RANK = 1e-8  # of the largest singular value


def component(system: ConstrainedNumbers, t: float, y: Vector, box: Vector) -> list[Vector] | None:
    """Configurations around y that show it to lie on a smooth component with the rank it has at y; else None."""
    if not system.holonomic:
        return None
    rank = _rank(system, t, y, box)
    freedoms = system.n - rank
    if not 0 < freedoms < system.n:
        return None
    rng = np.random.default_rng(SEED)
    steps = WIDTH * box * rng.uniform(-1.0, 1.0, (max(COUNT, 2 * freedoms), system.n))
    found: list[Vector] = []
    for step in steps:
        place = project_position(system, t, system.moved(t, y, step), box)
        if place is None:
            continue
        if _rank(system, t, place, box) != rank:  # one is enough, and at a fold the first one is
            return None
        found.append(place)
    if len(found) < len(steps) // 2:
        return None
    sizes = box if system.nq == system.n else np.ones(system.nq)
    gone = np.linalg.svd((np.array(found) - y)[:, : system.nq] / sizes, compute_uv=False)
    return found if np.sum(gone > FILLED * gone[0]) >= freedoms else None


def _rank(system: ConstrainedNumbers, t: float, y: Vector, box: Vector) -> int:
    """Rank of the holonomic rows at a place, each measured by its own size; rows that vanish there have none."""
    A = system.terms(t, y).A[system.holonomic] * box
    sizes = np.linalg.norm(A, axis=1, keepdims=True)
    largest = float(np.max(sizes, initial=0.0))
    rows = np.where(sizes > RANK * largest, A / np.where(sizes > 0, sizes, 1.0), 0.0)
    s = np.linalg.svd(rows, compute_uv=False)
    return int(np.sum(s > RANK * s[0])) if len(s) and s[0] > 0 else 0
