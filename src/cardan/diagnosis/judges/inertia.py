"""Square roots of masses and inertias, the metric in which velocities and loads are measured."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cardan.equations.representative import MassRows
from cardan.native.once import once

Vector = NDArray[np.float64]

LIGHT = 1e-14  # a principal moment below this part of the largest one of the body counts as none


class Inertias:
    """The block matrix of sqrt(m) and J^(1/2) of all masses, and the loads that it makes dimensionless."""

    def __init__(self, rows: Sequence[MassRows], table: Vector, length: float) -> None:
        self.rows, self.length = rows, length or 1.0
        self.masses = table[:, 0] if len(table) else np.zeros(0)
        self.moments = table[:, 1:].reshape(-1, 3, 3) if len(table) else np.zeros((0, 3, 3))

    @once
    def root(self) -> Vector:
        """sqrt(m) and J^(1/2) on the diagonal; zero for what carries no mass."""
        return self._root(0.0, 0.0)

    @once
    def reference(self) -> Vector:
        """The same with reference values for what carries no mass: the mean mass, and the mean moment of inertia (or
        the mean mass times the extent squared)."""
        masses = self.masses[self.masses > 0]
        mass = float(np.mean(masses)) if len(masses) else 1.0
        traces = np.trace(self.moments, axis1=1, axis2=2) / 3
        traces = traces[traces > 0]
        moment = float(np.mean(traces)) if len(traces) else mass * self.length**2
        if not len(masses) and len(traces):
            mass = moment / self.length**2
        return self._root(mass, moment)

    @once
    def _principal(self) -> tuple[Vector, Vector]:
        return np.linalg.eigh(self.moments)

    def _root(self, mass: float, moment: float) -> Vector:
        total = self.rows[-1].stop if self.rows else 0
        root = np.zeros((total, total))
        w, U = self._principal
        largest = np.maximum(np.max(w, axis=1, keepdims=True, initial=0.0), 1e-300)
        w = np.where(w > LIGHT * largest, w, moment)
        turning = U * np.sqrt(w)[:, None, :] @ np.swapaxes(U, 1, 2)
        pushing = np.sqrt(np.where(self.masses > 0, self.masses, mass))
        for k, rows in enumerate(self.rows):
            linear = np.arange(rows.start, rows.start + 3)
            root[linear, linear] = pushing[k]
            if rows.is_body:
                root[rows.start + 3 : rows.stop, rows.start + 3 : rows.stop] = turning[k]
        return root

    def root_for(self, load: Vector) -> Vector:
        """The root with reference values only where a massless body is loaded."""
        root = self.root.copy()
        for rows in self.rows:
            for part in (slice(rows.start, rows.start + 3), slice(rows.start + 3, rows.stop)):
                if np.any(load[..., part]):
                    root[part, part] = self.reference[part, part]
        return root
