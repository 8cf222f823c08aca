"""One configuration and a cloud around it, in numbers: what every indicator is computed from."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.diagnosis.indicators import column_scales, generic_rank
from cardan.diagnosis.judges.clock import time_scale
from cardan.diagnosis.judges.inertia import Inertias
from cardan.equations.representative import MassRows, mass_rows
from cardan.native.deadline import check
from cardan.native.once import once
from cardan.singular.constrained import ConstrainedNumbers
from cardan.singular.reference import SEED
from cardan.trajectory.extent import model_extent, typical_sizes

Vector = NDArray[np.float64]

MASSES, LOADS = (
    ("places", "inertias", "mass_velocities"),
    ("mass_loads", "actuation"),
)  # kernels that judges ask for
CLOUD = 64
WIDTH = 0.05  # of the box: members that stay on the same branch of motion
STEPS = 40  # Gauss-Newton steps of a member of the cloud towards the constraints
CLOSED = 1e-11  # last step, in units of the box, at which a member counts as assembled
VOID = 1e-13  # entries of a row below this part of their natural size are round-off
CUT = 1e-9  # singular values of scaled rows below this are not inverted
ROUNDING = 1e-11  # part of a row that is left where constraints take all of it


class Cloud:
    """Jacobians of masses, loads and constraints here and around here; everything for many states at once.

    A state is a row [q, v], meant at the time of this configuration, or [q, v, t] with a time of its own: what depends
    on time explicitly is usual or singular in (q, t), not in q alone.
    """

    def __init__(self, kernel: Kernel, y: Vector, t: float, p: Vector) -> None:
        self.kernel, self.y, self.t, self.p = kernel, y, t, p
        self.n, self.nq, self.m = kernel.nv, kernel.nq, kernel.m
        self.rows: list[MassRows] = mass_rows(kernel.dynamics)
        if self.rows:
            kernel.form(*MASSES, *(LOADS if kernel.model.judged else ()))
        self.box = typical_sizes(kernel, y, t)
        self.clock = time_scale(kernel, y, t, p, self.box, model_extent(kernel, y, t))
        self.names = [symbol.name.removesuffix("_dot") for symbol in kernel.model.v]

    # --- configurations ----------------------------------------------------------------------------

    @once
    def system(self) -> ConstrainedNumbers:
        return self.kernel.numbers(self.p)

    @once
    def states(self) -> Vector:
        """Feasible configurations around here, at rest; a fixed seed."""
        found = self.around(1.0, CLOUD)
        return found if len(found) else self.still[None]

    @once
    def nearby(self) -> Vector:
        """Feasible configurations on the same branch: what holds on an open set of it holds on all of it."""
        found = self.around(WIDTH, CLOUD // 2)
        return found if len(found) else self.still[None]

    @once
    def still(self) -> Vector:
        """This configuration, at rest, with its time."""
        return np.concatenate([self.y[: self.nq], np.zeros(self.n), [self.t]])

    def timed(self, y: Vector) -> Vector:
        """A state with the time of this configuration behind it, as the states of the cloud have theirs."""
        return np.concatenate([y[: self.nq + self.n], [self.t]])

    def around(self, width: float, count: int) -> Vector:
        """Feasible configurations in a box of ``width`` times the typical sizes, at times as far from here."""
        rng = np.random.default_rng(SEED)
        steps = width * self.box * rng.uniform(-1.0, 1.0, (count, self.n))
        states = np.repeat(self.still[None], count, axis=0)
        states[:, -1] += width * self.clock * rng.uniform(-1.0, 1.0, count)
        return self.feasible(self.moved(states, steps))

    def moved(self, states: Vector, steps: Vector) -> Vector:
        """Configurations moved by velocity-like steps, one row each."""
        nq = self.nq
        changed = states.copy()
        if nq == self.n:
            changed[:, :nq] += steps
        else:
            asked = np.hstack([states[:, :nq], steps, states[:, nq + self.n :]])
            changed[:, :nq] += self.batch("rates", asked)
            for k in self.kernel.quaternions:
                changed[:, k : k + 4] /= np.linalg.norm(changed[:, k : k + 4], axis=1, keepdims=True)
        return changed

    def feasible(self, states: Vector) -> Vector:
        """Those of the states that Gauss-Newton steps bring to the holonomic constraints, brought there."""
        rows = self.kernel.dynamics.constraints.holonomic if self.m else []
        if not rows:
            return states
        A = self.constraint_rows(states)[:, rows] * self.box
        size = np.sqrt(np.mean(np.sum(A**2, axis=2), axis=0))
        size = np.where(size > 0, size, 1.0)
        states, last = states.copy(), np.full(len(states), np.inf)
        phi = self._phi(states)[:, rows] / size
        for _ in range(STEPS):
            active = np.flatnonzero(last > CLOSED)
            if not len(active):
                break
            A = self.constraint_rows(states[active])[:, rows] * self.box / size[:, None]
            step = -(np.linalg.pinv(A, rcond=CUT) @ phi[active][:, :, None])[:, :, 0]
            length, factor = np.max(np.abs(step), axis=1), np.ones(len(active))
            norm = np.max(np.abs(phi[active]), axis=1)
            for _ in range(6):
                trial = self.moved(states[active], factor[:, None] * step * self.box)
                new = self._phi(trial)[:, rows] / size
                worse = (np.max(np.abs(new), axis=1) > norm) & (length > CLOSED)
                if not np.any(worse):
                    break
                factor[worse] /= 2
            states[active], phi[active], last[active] = trial, new, length
        good = (last <= CLOSED) & (np.max(np.abs(phi), axis=1) < 1e3 * CLOSED)
        if self.kernel.facing.names:
            times = states[:, self.nq + self.n] if states.shape[1] > self.nq + self.n else self.t
            good &= ~self.kernel.facing.any_turned(states[:, : self.nq], times, self.base)
        kept: Vector = states[good]
        return kept

    def _phi(self, states: Vector) -> Vector:
        return self.batch("residual", states)[:, : self.m]

    def batch(self, name: str, states: Vector) -> Vector:
        """Outputs of a kernel at many states, one row each; one state needs no code for many."""
        check()
        width = self.nq + self.n
        times = states[:, width] if states.shape[1] > width else np.full(len(states), self.t)
        if len(states) == 1:
            return self.kernel.function(name)(float(times[0]), states[0, :width], self.base)[None]
        return self.kernel.batch(name)(times, states[:, :width], self.base)

    @once
    def base(self) -> Vector:
        return np.ascontiguousarray(self.p[: len(self.kernel.parameters)])

    # --- masses ------------------------------------------------------------------------------------

    def jacobians(self, states: Vector) -> Vector:
        """Velocities of all masses per unit velocity, one matrix per state."""
        return self.batch("mass_velocities", states).reshape(len(states), self.rows[-1].stop, self.n)

    def bases(self, states: Vector) -> Vector:
        """B with M = B^T B; for energies typed by hand, the root of M (added to that of the masses)."""
        if self.rows:
            B = self.inertias.root @ self.jacobians(states)
        else:
            B = np.zeros((len(states), 0, self.n))
        if not self.kernel.model.is_typed:
            return B
        M = self.batch("mass_matrix", states).reshape(-1, self.n, self.n)
        scale = np.sqrt(np.maximum(np.mean(np.diagonal(M, axis1=1, axis2=2), axis=0), 0.0))
        scale = np.where(scale > 0, scale, 1.0)
        typed = (M - np.swapaxes(B, 1, 2) @ B) / scale / scale[:, None]
        w, U = np.linalg.eigh((typed + np.swapaxes(typed, 1, 2)) / 2)
        roots = np.sqrt(np.maximum(w, 0.0))[:, :, None] * np.swapaxes(U, 1, 2) * scale
        return np.concatenate([B, roots], axis=1)

    @once
    def inertias(self) -> Inertias:
        table = self.batch("inertias", self.still[None]).reshape(-1, 10)
        return Inertias(self.rows, table, float(np.max(np.where(self.box == np.pi, 0.0, self.box), initial=0.0)))

    @once
    def around_bases(self) -> Vector:
        return self.bases(self.states)

    @once
    def scales(self) -> Vector:
        """Typical size of each column of the basis."""
        return column_scales(self.around_bases)

    @once
    def metric(self) -> Vector:
        """One number per velocity that makes it dimensionless: its typical size in the basis; for what moves no mass
        anywhere, what its box suggests."""
        typical = self.scales * self.box
        mean = float(np.mean(typical[typical > 0])) if np.any(typical > 0) else 1.0
        return np.asarray(np.where(self.scales > 0, self.scales, mean / self.box))

    # --- constraints -------------------------------------------------------------------------------

    def constraint_rows(self, states: Vector) -> Vector:
        """A, one matrix per state."""
        first = self.nq + self.n * self.n + self.n
        terms = self.batch("terms", states)[:, first : first + self.m * self.n]
        return terms.reshape(-1, self.m, self.n)

    @once
    def row_scales(self) -> Vector:
        """Typical size of each constraint row in the metric; 0 for rows that vanish everywhere."""
        A = self.constraint_rows(np.concatenate([self.states, self.still[None]])) / self.metric
        found = np.sqrt(np.mean(np.sum(A**2, axis=2), axis=0))
        found[np.max(np.abs(A), axis=(0, 2), initial=0.0) <= VOID * self._natural_sizes] = 0.0
        return np.asarray(found)

    @property
    def _natural_sizes(self) -> Vector:
        """What the entries of each row would be if nothing cancelled: their size away from the constraints too, and
        for forces and moments that of the velocities they act on."""
        rng = np.random.default_rng(SEED)
        free = self.moved(np.repeat(self.still[None], 8, axis=0), self.box * rng.uniform(-1, 1, (8, self.n)))
        found = np.max(np.abs(self.constraint_rows(free) / self.metric), axis=(0, 2), initial=0.0)
        if self.rows:
            J = np.max(np.abs(self.jacobians(free) / self.metric), axis=(0, 2), initial=0.0)
            angular = [k for rows in self.rows if rows.is_body for k in range(rows.start + 3, rows.stop)]
            linear = [k for rows in self.rows for k in range(rows.start, rows.start + 3)]
            sizes = {"force": np.max(J[linear], initial=0.0), "moment": np.max(J[angular], initial=0.0)}
            acting = [row.actions[0].kind if row.actions else "" for row in self.kernel.dynamics.full.rows]
            found = np.maximum(found, [sizes.get(kind, 0.0) for kind in acting])
        return np.asarray(found)

    def scaled_rows(self, states: Vector) -> Vector:
        """Dimensionless constraint rows, one matrix per state."""
        used = np.where(self.row_scales > 0, self.row_scales, np.inf)
        return self.constraint_rows(states) / self.metric / used[:, None]

    def generic_rank(self, here: Vector) -> tuple[int, float, Vector]:
        """Rank of scaled rows on the component of the constraint set that passes here; its typical kappa; ranks.

        Around here the rank is that of the component, but at singular places. Farther away there may be components of
        other dimensions, whose members then say nothing about this one.
        """
        around, near = self.scaled_rows(self.states), self.scaled_rows(self.nearby)
        everywhere = generic_rank(np.concatenate([around, here[None]]))
        own = generic_rank(np.concatenate([near, here[None]]))
        return everywhere if own[0] >= everywhere[0] else own

    def holonomic_rank(self) -> int:
        """The same of the holonomic rows alone."""
        rows = self.kernel.dynamics.constraints.holonomic if self.m else []
        return generic_rank(self.scaled_rows(self.nearby)[:, rows])[0] if rows else 0

    @staticmethod
    def left_of(rows: Vector, free: Vector) -> Vector:
        """Rows without what constraints forbid, beside the same rows with it; what is only rounding is zero."""
        sizes = np.linalg.norm(free, axis=-1, keepdims=True)
        return np.asarray(np.where(np.linalg.norm(rows, axis=-1, keepdims=True) > ROUNDING * sizes, rows, 0.0))

    def allowed(self, state: Vector, cut: float = 1e-8) -> Vector:
        """Columns: velocities that the constraints allow at a state."""
        if not self.m:
            return np.eye(self.n)
        _, s, vt = np.linalg.svd(self.scaled_rows(state[None])[0], full_matrices=True)
        rank = int(np.sum(s > cut * s[0])) if len(s) and s[0] > 0 else 0
        return np.asarray(vt[rank:].T / self.metric[:, None])

    # --- loads -------------------------------------------------------------------------------------

    def loads(self, states: Vector) -> Vector:
        """Rows of all masses by magnitudes of named loads, one matrix per state."""
        count = sum(len(load.symbols) for load in self.kernel.model.loads)
        if not count:
            return np.zeros((len(states), self.rows[-1].stop if self.rows else 0, 0))
        return self.batch("mass_loads", states).reshape(len(states), -1, count)
