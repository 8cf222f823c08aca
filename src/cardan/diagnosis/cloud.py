"""One configuration and a cloud around it, in numbers: what every indicator is computed from."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.codegen.extent import typical_sizes
from cardan.equations.representative import MassRows, mass_rows
from cardan.singular.constrained import ConstrainedNumbers
from cardan.singular.indicators import column_scales
from cardan.singular.projection import project_position
from cardan.singular.reference import SEED

Vector = NDArray[np.float64]

CLOUD = 64


class Cloud:
    """Jacobians of masses, loads and constraints here and around here."""

    def __init__(self, kernel: Kernel, y: Vector, t: float, p: Vector) -> None:
        self.kernel, self.y, self.t, self.p = kernel, y, t, p
        self.n = kernel.nv
        self.rows: list[MassRows] = mass_rows(kernel.dynamics)
        self.box = typical_sizes(kernel, y, t)

    # --- configurations ----------------------------------------------------------------------------

    @cached_property
    def system(self) -> ConstrainedNumbers:
        return self.kernel.numbers(self.p)

    @cached_property
    def states(self) -> list[Vector]:
        """Feasible configurations around here, at rest; a fixed seed."""
        rng = np.random.default_rng(SEED)
        found = []
        for _ in range(CLOUD):
            moved = self.moved(self.box * rng.uniform(-1.0, 1.0, self.n))
            feasible = project_position(self.system, self.t, moved) if self.kernel.m else moved
            if feasible is not None:
                found.append(feasible)
        return found or [self.y]

    def moved(self, step: Vector) -> Vector:
        """The configuration moved by a velocity-like step."""
        nq = self.kernel.nq
        state = np.concatenate([self.y[:nq], step])
        changed = self.y.copy()
        changed[:nq] += self.kernel.function("rates")(self.t, state, self._base)
        for k in self.kernel.quaternions:
            changed[k : k + 4] /= np.linalg.norm(changed[k : k + 4])
        changed[nq:] = 0.0
        return changed

    @property
    def _base(self) -> Vector:
        return np.ascontiguousarray(self.p[: len(self.kernel.parameters)])

    # --- masses ------------------------------------------------------------------------------------

    def jacobian(self, y: Vector) -> Vector:
        """Velocities of all masses per unit velocity."""
        return self.kernel.function("mass_velocities")(self.t, y, self._base).reshape(-1, self.n)

    def basis(self, y: Vector) -> Vector:
        """B with M = B^T B; for energies typed by hand, the root of M (added to that of the masses)."""
        B = self.root_of_inertia @ self.jacobian(y) if self.rows else np.zeros((0, self.n))
        if self.kernel.model.is_typed:
            typed = self.mass_matrix(y) - B.T @ B
            w, U = np.linalg.eigh((typed + typed.T) / 2)
            B = np.vstack([B, np.sqrt(np.maximum(w, 0.0))[:, None] * U.T])
        return B

    def mass_matrix(self, y: Vector) -> Vector:
        return self.kernel.function("mass_matrix")(self.t, y, self._base).reshape(self.n, self.n)

    @cached_property
    def scales(self) -> Vector:
        """Typical size of each column of the basis."""
        return column_scales([self.basis(y) for y in self.states])

    @cached_property
    def root_of_inertia(self) -> Vector:
        """Block matrix of sqrt(m) and J^(1/2); zero for what carries no mass."""
        return self._roots({})

    def root_for(self, load: Vector) -> Vector:
        """The same with reference values for what is loaded and carries no mass: mean mass, mean inertia (or mean mass
        times extent squared)."""
        masses = [m for m, _ in self._inertias if m > 0]
        mass = float(np.mean(masses)) if masses else 1.0
        moments = [float(np.trace(J)) / 3 for _, J in self._inertias if J is not None and np.trace(J) > 0]
        length = float(np.max(np.where(self.box == np.pi, 0.0, self.box), initial=0.0)) or 1.0
        moment = float(np.mean(moments)) if moments else mass * length**2
        return self._roots({"mass": mass, "moment": moment}, load)

    def _roots(self, reference: dict[str, float], load: Vector | None = None) -> Vector:
        total = self.rows[-1].stop if self.rows else 0
        root = np.zeros((total, total))
        for rows, (m, J) in zip(self.rows, self._inertias, strict=True):
            linear, angular = slice(rows.start, rows.start + 3), slice(rows.start + 3, rows.stop)
            pushed = load is not None and bool(np.any(load[linear]))
            turned = load is not None and bool(np.any(load[angular]))
            root[linear, linear] = np.sqrt(m or (reference["mass"] if pushed else 0.0)) * np.eye(3)
            if J is not None:
                w, U = np.linalg.eigh(J)
                w = np.where(w > 1e-14 * max(float(np.max(w)), 1e-300), w, reference["moment"] if turned else 0.0)
                root[angular, angular] = np.sqrt(np.maximum(w, 0.0))[:, None] * U.T
        return root

    @cached_property
    def _inertias(self) -> list[tuple[float, Any]]:
        """(mass, inertia about the centre of mass along the link's axes) of each mass."""
        values = dict(zip(self.kernel.model.parameters, self.p, strict=False))
        found: list[tuple[float, Any]] = []
        for mass in self.kernel.dynamics.full.tree.masses:
            m = float(mass.mass.xreplace(values))
            if mass.inertia is None:
                found.append((m, None))
                continue
            J = np.array([[float(x.xreplace(values)) for x in row] for row in mass.inertia])
            R = np.array(self.kernel.dynamics.full.tree.attachments[mass.frame].rotation, dtype=float)
            found.append((m, R @ J @ R.T))
        return found

    # --- loads -------------------------------------------------------------------------------------

    def loads(self, y: Vector) -> Vector:
        """Rows of all masses by magnitudes of named loads."""
        count = sum(len(load.symbols) for load in self.kernel.model.loads)
        return self.kernel.function("mass_loads")(self.t, y, self._base).reshape(-1, count)
