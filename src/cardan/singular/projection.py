"""Mass-orthogonal projection to the constraint manifold and its tangent space, by Gauss-Newton steps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.singular.constrained import ConstrainedNumbers

Vector = NDArray[np.float64]

STEPS = 40
CUT = 1e-10  # singular values below this times the largest are not inverted


def _shortest(A: Vector, half: Vector, defect: Vector) -> Vector:
    """The shortest step in the metric of M with A step = -defect, in the least-squares sense."""
    step: Vector = half @ np.linalg.lstsq(A @ half, -defect, rcond=CUT)[0]
    return step


def project_position(system: ConstrainedNumbers, t: float, y: Vector, steps: int = STEPS) -> Vector | None:
    """y with phi(q, t) = 0, or None where no such configuration is found nearby."""
    phi, _ = system.residual(t, y)
    size = float(np.max(np.abs(phi), initial=0.0))
    for _ in range(steps):
        if not np.isfinite(size):
            return None
        terms = system.terms(t, y)
        holonomic = phi != 0.0
        if not np.any(holonomic):
            return y
        step = _shortest(terms.A, terms.half, phi)
        y, phi, new = _damped(system, t, y, step, size)
        if new <= 1e-13 * max(1.0, float(np.max(np.abs(y)))) or new >= size:
            return y if new <= 1e-9 * max(1.0, float(np.max(np.abs(y)))) else None
        size = new
    return y if size <= 1e-9 * max(1.0, float(np.max(np.abs(y)))) else None


def _damped(system: ConstrainedNumbers, t: float, y: Vector, step: Vector, size: float) -> tuple[Vector, Vector, float]:
    """The longest of a few shortened steps that reduces the residual."""
    factor = 1.0
    while True:
        moved = system.moved(t, y, factor * step)
        phi, _ = system.residual(t, moved)
        new = float(np.max(np.abs(phi), initial=0.0))
        if new < size or factor < 0.05:
            return moved, phi, new
        factor /= 2


def project_velocity(system: ConstrainedNumbers, t: float, y: Vector) -> Vector:
    """y with A v + b0 = 0 (as far as it can be), v changed as little as possible in the metric of M."""
    y = y.copy()
    for _ in range(2):
        terms = system.terms(t, y)
        _, rate = system.residual(t, y)
        y[system.nq :] += _shortest(terms.A, terms.half, rate)
    return y
