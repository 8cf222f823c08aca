"""States between steps, brought back to the constraints: an interpolant knows nothing of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.linalg.sampling import restore_rows

Vector = NDArray[np.float64]

TOO_NEAR = 1e-3  # last pivot of constraints about to lose rank: a projection would multiply errors by its inverse


def restored(kernel: Kernel, parameters: Vector, times: Vector, states: Vector) -> Vector:
    """The states projected to the constraints (and quaternions to unit length); as they are where there is neither."""
    rows = np.column_stack([times, np.asarray(states, dtype=float)])
    for k in kernel.quaternions:
        rows[:, 1 + k : 5 + k] /= np.linalg.norm(rows[:, 1 + k : 5 + k], axis=1, keepdims=True)
    if kernel.m and len(parameters) > len(kernel.parameters):
        n, functions = kernel.nq + kernel.nv, kernel.constrained
        restore_rows(
            functions.project, functions.nearness, TOO_NEAR, len(rows), n, rows, np.array(parameters), np.empty(n + 1)
        )
    return rows[:, 1:].copy()
