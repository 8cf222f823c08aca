"""Motions of constrained systems by hand (B2 to B4): balances of every body, and constraints differentiated once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.findings import Diagnosis

Array = NDArray[np.float64]


def freedoms(found: Diagnosis) -> int:
    """How many velocities are left: dim D."""
    assert found.velocity_dof is not None  # it is counted wherever constraints can be evaluated
    return found.velocity_dof


def solved(M: Array, Q: Array, A: Array, target: Array) -> tuple[Array, Array]:
    """Accelerations and multipliers of M a = Q + A^T lambda together with A a = target."""
    n, m = len(M), len(A)
    K = np.block([[M, -A.T], [A, np.zeros((m, m))]])
    found = np.linalg.solve(K, np.concatenate([Q, target]))
    return np.asarray(found[:n]), np.asarray(found[n:])


def drift(rows: Callable[[Array], Array], q: Array, v: Array, h: float = 1e-4) -> Array:
    """- (dA/dt) v along q + t v, by differences of order h^4: what A a must be, where A v stays zero."""
    A = [rows(q + k * h * v) for k in (-2, -1, 1, 2)]
    rate = (A[0] - 8 * A[1] + 8 * A[2] - A[3]) / (12 * h)
    return np.asarray(-rate @ v)


def allowed(A: Array, draw: np.random.Generator) -> Array:
    """A random velocity that the rows allow."""
    v = draw.uniform(-2, 2, A.shape[1])
    return np.asarray(v - np.linalg.pinv(A) @ (A @ v))
