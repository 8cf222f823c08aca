"""Mass-orthogonal projection to the constraint manifold and its tangent space, by Gauss-Newton steps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.singular.constrained import ConstrainedNumbers, Terms

Vector = NDArray[np.float64]
Mask = NDArray[np.bool_] | None  # velocities that may change; None: all of them

STEPS = 60
CUT = 1e-10  # singular values below this times the largest are not inverted
ROUNDED = 1e-7  # the same for positions: residuals carry rounding of 1e-16, which this turns into no more than 1e-9
CLOSED = 1e-14  # residual, in units of the size of its row, at which a configuration counts as assembled
VANISHED = 1e-10  # of its usual size: a row as small as this is only rounding
ACCEPTED = 1e5  # times CLOSED, where rounding allows no better


def in_units(values: Vector, extent: Vector) -> Vector:
    """|values| in units of the sizes of their rows: 0 where both are zero, infinite where only the size is."""
    own = np.abs(values)
    safe = np.where(extent > 0, extent, 1.0)
    return np.asarray(np.where(extent > 0, own / safe, np.where(own > 0, np.inf, 0.0)))


class ShortestSteps:
    """Steps with A step = -defect in the least-squares sense: the shortest in the metric of M, or, where only some
    velocities may change, in units of the typical sizes. Rows are measured by their own sizes."""

    def __init__(
        self,
        system: ConstrainedNumbers,
        terms: Terms,
        sizes: Vector,
        free: Mask = None,
        rows: list[int] | None = None,
        cut: float = CUT,
        usual: Vector | None = None,
    ) -> None:
        A, extent = terms.A, system.row_sizes(terms.A, sizes)
        if usual is not None:
            A = np.where((np.abs(A) @ sizes > VANISHED * usual)[:, None], A, 0.0)
        if rows is not None:
            A, extent = A[rows], extent[rows]
        self._rows = rows
        self._weight = np.where(extent > 0, 1.0 / np.where(extent > 0, extent, 1.0), 0.0)
        chosen = np.diag(sizes)[:, free] if free is not None else terms.half
        U, s, Vt = np.linalg.svd(self._weight[:, None] * (A @ chosen), full_matrices=False)
        kept = s > cut * np.max(s, initial=0.0)
        self._inverse = chosen @ (Vt[kept].T / s[kept]) @ U[:, kept].T

    def __call__(self, defect: Vector) -> Vector:
        wanted = defect if self._rows is None else defect[self._rows]
        return np.asarray(-self._inverse @ (self._weight * wanted))


def project_position(
    system: ConstrainedNumbers, t: float, y: Vector, sizes: Vector, free: Mask = None
) -> Vector | None:
    """y with phi(q, t) = 0, or None where no such configuration is found from here.

    ``sizes``: a typical size for each velocity's coordinate, in units of which residuals are judged. Velocity
    constraints do not restrict where a system can be, so their rows take no part.
    """
    extent, size = np.zeros(system.m), np.inf
    for _ in range(STEPS):
        phi, _ = system.residual(t, y)
        terms = system.terms(t, y)
        if not (np.isfinite(phi).all() and np.isfinite(terms.A).all()):
            return None
        extent = np.maximum(extent, system.row_sizes(terms.A, sizes))
        size = _size(system, phi, extent)
        if size <= CLOSED:
            break
        step = ShortestSteps(system, terms, sizes, free, system.holonomic, ROUNDED)(phi)
        moved, new = _damped(system, t, y, step, size, extent)
        if not new < size:
            break
        y = moved
    return y if size <= ACCEPTED * CLOSED else None


def _size(system: ConstrainedNumbers, phi: Vector, extent: Vector) -> float:
    return float(np.max(in_units(phi, extent)[system.holonomic], initial=0.0))


def _damped(
    system: ConstrainedNumbers, t: float, y: Vector, step: Vector, size: float, extent: Vector
) -> tuple[Vector, float]:
    """The longest of a few shortened steps that reduces the residual."""
    factor = 1.0
    while True:
        moved = system.moved(t, y, factor * step)
        new = _size(system, system.residual(t, moved)[0], extent)
        if new < size or factor < 0.02:
            return moved, new
        factor /= 2


def project_velocity(
    system: ConstrainedNumbers, t: float, y: Vector, sizes: Vector, free: Mask = None, usual: Vector | None = None
) -> Vector:
    """y with A v + b0 = 0 (as far as it can be), v changed as little as possible in the metric of M.

    ``usual``: the sizes of the rows elsewhere; those that vanish here but for rounding then forbid nothing.
    """
    y = y.copy()
    step = ShortestSteps(system, system.terms(t, y), sizes, free, usual=usual)
    for _ in range(2):
        y[system.nq :] += step(system.residual(t, y)[1])
    return y
