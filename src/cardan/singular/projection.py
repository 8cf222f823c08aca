"""Mass-orthogonal projection to the constraint manifold and its tangent space, by Gauss-Newton steps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.singular.constrained import ConstrainedNumbers, Terms

Vector = NDArray[np.float64]
Mask = NDArray[np.bool_] | None  # velocities that may change; None: all of them

STEPS = 60
CUT = 1e-10  # singular values below this times the largest are not inverted
CLOSED = 1e-12  # residual, in units of the state's size, at which a configuration counts as assembled


def shortest_step(terms: Terms, defect: Vector, free: Mask = None, rows: list[int] | None = None) -> Vector:
    """The shortest step in the metric of M with A step = -defect, in the least-squares sense; for all rows or some."""
    A, wanted = (terms.A, -defect) if rows is None else (terms.A[rows], -defect[rows])
    if free is None:
        step: Vector = terms.half @ np.linalg.lstsq(A @ terms.half, wanted, rcond=CUT)[0]
        return step
    step = np.zeros(A.shape[1])
    step[free] = np.linalg.lstsq(A[:, free], wanted, rcond=CUT)[0]
    return step


def project_position(system: ConstrainedNumbers, t: float, y: Vector, free: Mask = None) -> Vector | None:
    """y with phi(q, t) = 0, or None where no such configuration is found from here.

    Velocity constraints do not restrict where a system can be, so their rows take no part.
    """
    closed = CLOSED * max(1.0, float(np.max(np.abs(y), initial=0.0)))
    size = _size(system, t, y)
    for _ in range(STEPS):
        if not np.isfinite(size):
            return None
        if size <= closed:
            break
        phi, _ = system.residual(t, y)
        step = shortest_step(system.terms(t, y), phi, free, system.holonomic)
        moved, new = _damped(system, t, y, step, size)
        if not new < size:
            break
        y, size = moved, new
    return y if size <= 1e3 * closed else None


def _size(system: ConstrainedNumbers, t: float, y: Vector) -> float:
    return float(np.max(np.abs(system.residual(t, y)[0]), initial=0.0))


def _damped(system: ConstrainedNumbers, t: float, y: Vector, step: Vector, size: float) -> tuple[Vector, float]:
    """The longest of a few shortened steps that reduces the residual."""
    factor = 1.0
    while True:
        moved = system.moved(t, y, factor * step)
        new = _size(system, t, moved)
        if new < size or factor < 0.02:
            return moved, new
        factor /= 2


def project_velocity(system: ConstrainedNumbers, t: float, y: Vector, free: Mask = None) -> Vector:
    """y with A v + b0 = 0 (as far as it can be), v changed as little as possible in the metric of M."""
    y = y.copy()
    terms = system.terms(t, y)
    for _ in range(2):
        _, rate = system.residual(t, y)
        y[system.nq :] += shortest_step(terms, rate, free)
    return y
