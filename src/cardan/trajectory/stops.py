"""The stops of a model as native functions, and the model while it rests on some of them.

The rows of the stops stand behind the constraints in the same kernels (``terms``, ``residual``), so that everything
known about constraints serves contacts too; one set of machine code serves every combination of closed stops, which is
said by numbers behind the parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.constrained import projection_tables, spin_table
from cardan.codegen.function import SCALAR, NativeFunction
from cardan.codegen.linking import tie
from cardan.equations.stops import StopNodes, stop_nodes
from cardan.graph import Node
from cardan.kinematics.rows import Row
from cardan.linalg.contact import STATE, bounce, contact_rhs, contact_solution, contact_watch, contact_workspace
from cardan.linalg.projection import HEAD, HOLONOMIC_RANK, RANK, WATCHED, nearness, project, workspace
from cardan.native import Library
from cardan.native.once import once
from cardan.simulation.contact.resting import RestingModel
from cardan.singular.constrained import ConstrainedNumbers, Terms
from cardan.trajectory.extent import typical_sizes
from cardan.trajectory.prepared import Prepared

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class ContactFunctions:
    """Machine code of a system that rests on stops."""

    rhs: Library
    project: Library
    solution: Library
    watch: Library
    bounce: Library
    nearness: Library | None  # of constraints


_made: WeakKeyDictionary[NativeFunction, ContactFunctions] = WeakKeyDictionary()


class StopKernels:
    """Everything a simulator asks about the stops of one run: numbers, event kernels, and modes."""

    def __init__(self, compiled: Prepared) -> None:
        self.compiled, self.kernel = compiled, compiled.kernel
        kernel = self.kernel
        self.nodes: StopNodes = stop_nodes(kernel.dynamics)
        self.names = tuple(one.stop.name for one in self.nodes.stops)
        self.count, self.stride, self.m = len(self.names), self.nodes.stride, kernel.m
        self.slips = tuple(len(one.slips) for one in self.nodes.stops)
        self.row_names = (
            *(kernel.dynamics.constraints.names if kernel.m else ()),
            *(row.name for row in self.nodes.rows),
        )
        self.drivers = tuple(self.nodes.driver_names)
        self.nq, self.n = kernel.nq, kernel.nv
        self.rows = self.m + self.stride * self.count
        values = {symbol: float(value) for symbol, value in kernel.values.items()}
        stops = [one.stop for one in self.nodes.stops]
        self.restitution = np.array([float(stop.restitution.xreplace(values)) for stop in stops])
        self.friction = np.array([float(stop.friction.xreplace(values)) for stop in stops])
        self.base = len(kernel.parameters)
        self.p: Vector = compiled.parameters[: self.base].copy()
        head = compiled.parameters[self.base + kernel.m :]
        self.rank, self.holonomic_rank = (int(head[RANK]), int(head[HOLONOMIC_RANK])) if kernel.m else (0, 0)
        self.scale: Vector = compiled.parameters[self.base : self.base + self.m]
        shift = compiled.parameters[self.base + self.m + HEAD : self.base + 2 * self.m + HEAD]
        self.shift: Vector = shift if len(shift) == self.m else np.zeros(self.m)
        self._terms, self._residual = self._function("stop terms"), self._function("stop residual")
        self._gaps = self._function("gaps")

    # --- functions ---------------------------------------------------------------------------------

    def _function(self, name: str) -> NativeFunction:
        kernel = self.kernel
        return kernel.keep(name, lambda: kernel.custom(name.replace(" ", "_"), self._outputs(name)))

    def _outputs(self, name: str) -> Sequence[Node]:
        d, own = self.kernel.dynamics, self.nodes
        if name == "gaps":
            return own.gaps
        if name == "drive rows":
            return own.drive_rows()
        zero = d.space.graph.zero
        if name == "stop residual":
            phi = iter(d.constraints.phi if self.m else ())
            rows = d.constraints.rows if self.m else ()
            held = [next(phi) if row.is_holonomic else zero for row in rows]
            return [*held, *own.residuals, *(d.constraints.rates if self.m else ()), *own.nodes.rates]
        M = [x for row in d.mass_matrix for x in row]
        A = [x for row in (*(d.constraints.matrix if self.m else ()), *own.nodes.matrix) for x in row]
        b = [*(d.constraints.targets if self.m else ()), *own.nodes.targets]
        return [*d.configuration_rates, *M, *d.bias, *A, *b]

    @property
    def gaps_address(self) -> int:
        """Kernel with one output per stop: its gap."""
        return self._gaps.address

    @property
    def watch_address(self) -> int:
        """Kernel with two outputs per stop: what becomes negative when its state ends."""
        return self.functions.watch.address("watch")

    def gaps(self, t: float, y: Vector) -> Vector:
        return self._gaps(t, y, self._now(t, y)).copy()

    def reach(self, t: float, y: Vector, span: float) -> Vector:
        """How far each gap typically goes, by the sizes of the model here: what small gaps are compared with.

        A model that sits at one place says little about sizes; there it is how far it can come in ``span``, at most 1.
        """
        terms, v = self.numbers(t, y).terms(t, y), y[self.nq :]
        G = terms.A[self.m :: self.stride]
        W = Terms(terms.qd, terms.M, terms.h, terms.A[: self.m], terms.b[: self.m]).half
        speed, push = np.sqrt(max(float(v @ terms.M @ v), 0.0)), float(np.linalg.norm(W.T @ terms.h))
        moved = np.linalg.norm(G @ W, axis=1) * (speed * abs(span) + push * span**2 / 2)
        typical = np.fmax(np.abs(G) @ typical_sizes(self.kernel, y, t), np.abs(self.gaps(t, y)))
        return np.asarray(np.fmax(typical, np.fmin(moved, 1.0)), dtype=np.float64)

    def sizes(self, G: Vector, y: Vector) -> Vector:
        """Sums of the sizes of what makes up each gap, of which rounding is a share; ``G``: the rows of the gaps."""
        return np.asarray(np.abs(G[:, self._owned[1]]) @ np.abs(y[self._owned[0]]), dtype=np.float64)

    @once
    def _owned(self) -> tuple[list[int], list[int]]:
        """Coordinates, and their rates among the velocities; quaternions, which are of size one, are left out."""
        inside = {k + j for k in self.kernel.quaternions for j in range(4)}
        spins = {k - i + j for i, k in enumerate(self.kernel.quaternions) for j in range(3)}
        q, v = (sorted({*range(n)} - left) for n, left in ((self.nq, inside), (self.n, spins)))
        return q, v

    def numbers(self, t: float, y: Vector) -> ConstrainedNumbers:
        """The system with the rows of all stops behind its constraints, inputs as they are at (t, y)."""
        p = self._now(t, y)
        return ConstrainedNumbers(
            self.nq,
            self.n,
            self.rows,
            lambda t, y: self._terms(t, y, p),
            lambda t, y: self._residual(t, y, p),
            lambda t, y: self.kernel.function("rates")(t, y, p),
            self.kernel.quaternions,
            np.flatnonzero(self.has_phi).tolist(),
            [row.unit for row in self._all_rows],
        )

    @once
    def has_phi(self) -> list[bool]:
        """For each constraint and each row of the stops, whether it has a residual of positions."""
        return [row.is_holonomic for row in self._all_rows]

    @property
    def _all_rows(self) -> tuple[Row, ...]:
        return (*(self.kernel.dynamics.constraints.rows if self.m else ()), *self.nodes.rows)

    def momentum(self, t: float, y: Vector) -> Vector:
        """dL/dv."""
        return self.kernel.function("momentum")(t, y, self._now(t, y))

    def drive_impulses(self, t: float, y: Vector, dv: Vector, lam: Vector) -> dict[str, float]:
        """Impulse of the driver of each prescribed coordinate, for a jump dv under impulses lam of all rows."""
        if not self.drivers:
            return {}
        table = self._drive_rows(t, y)
        found = table[:, : self.n] @ dv - table[:, self.n :] @ lam
        return dict(zip(self.drivers, found.tolist(), strict=True))

    def driven(self, t: float, y: Vector) -> Vector:
        """Rows of the stops as the drivers of prescribed coordinates feel them: (drivers, rows of the stops)."""
        return self._drive_rows(t, y)[:, self.n + self.m :]

    def _drive_rows(self, t: float, y: Vector) -> Vector:
        return self._function("drive rows")(t, y, self._now(t, y)).reshape(len(self.drivers), -1)

    def bounce(self, t: float, y: Vector, i: int) -> tuple[Vector, Vector, float, float, Vector, Vector] | None:
        """What happens when stop i alone is hit, without friction and constraints: state on the stop, jump of v, D_ii,
        impulse, and gaps and rates of all stops; None where that is not enough."""
        if self.m or self.slips[i]:
            return None
        nq, n = self.nq, self.n
        p = np.concatenate([self._now(t, y), [float(i), self.restitution[i]]])
        out = np.zeros(nq + 2 * n + 2 + 2 * self.rows)
        if self._bounce(t, np.ascontiguousarray(y), p, out) != 0:
            return None
        rest = out[nq + 2 * n + 2 :]
        gaps, rates = rest[: self.rows : self.stride], rest[self.rows :: self.stride]
        return out[: nq + n], out[nq + n : nq + 2 * n], out[nq + 2 * n], out[nq + 2 * n + 1], gaps, rates

    @once
    def _bounce(self) -> Callable[[float, Vector, Vector, Vector], int]:
        return _call(self.functions.bounce, "bounce")

    def _now(self, t: float, y: Vector) -> Vector:
        if self.compiled.refresh is not None:
            self.compiled.refresh(t, y, self.p)
        return self.p

    @property
    def functions(self) -> ContactFunctions:
        if self._terms not in _made:
            _made[self._terms] = self._tied()
        return _made[self._terms]

    def _tied(self) -> ContactFunctions:
        terms, residual, rates = self._terms, self._residual, self.kernel.function("rates")
        sizes = f"i64 {self.nq}, i64 {self.n}, i64 {self.m}, i64 {self.count}, i64 {self.stride}, i64 {terms.np}"
        total = contact_workspace(self.nq, self.n, self.m, self.count, self.stride)
        plain = f"i64 {self.nq}, i64 {self.n}, i64 {self.rows}, i64 {terms.np}"
        both, quaternions = [terms, residual], self.kernel.quaternions
        tables = projection_tables(self.kernel.places, self.has_phi, quaternions)
        space = workspace(self.nq, self.n, self.rows)
        return ContactFunctions(
            tie("rhs", contact_rhs, both, sizes, total),
            tie("project", project, [*both, rates], plain, space, tables),
            tie("solution", contact_solution, both, sizes, total),
            tie("watch", contact_watch, both, sizes, total),
            tie("bounce", bounce, [*both, rates], sizes, total, spin_table(quaternions)),
            self._rank_of_constraints() if self.m else None,
        )

    def _rank_of_constraints(self) -> Library:
        """The last pivot of the constraints alone, whose scales and rank stand behind everything else in p."""
        terms = self.kernel.function("terms")
        sizes = f"i64 {self.nq}, i64 {self.n}, i64 {self.m}, i64 {terms.np + self.behind}"
        return tie(
            "nearness", nearness, [terms], sizes, workspace(self.nq, self.n, self.m), {"places": self.kernel.places}
        )

    @property
    def behind(self) -> int:
        """How many numbers about rows and stops stand behind the parameters of a mode."""
        return 2 * self.rows + HEAD + STATE * self.count

    def mode(self, tail: Vector) -> ContactMode:
        """The model while it rests on stops as the numbers behind the parameters say."""
        return ContactMode(self, tail)


class ContactMode(RestingModel):
    """The simulator's view of a kernel while some stops are closed."""

    method = "DOP853"  # where the method of the run does not apply to constrained motion

    def __init__(self, stops: StopKernels, tail: Vector) -> None:
        self.stops = stops
        compiled = stops.compiled
        self.nq, self.nv = compiled.nq, compiled.nv
        self.rhs = stops.functions.rhs.address("rhs")
        self.quaternions, self.angles = compiled.quaternions, compiled.angles
        head = np.zeros(HEAD)
        head[RANK] = stops.rank
        self.parameters = np.concatenate([stops.p, tail, stops.scale, head])
        self.behind = tail

    @property
    def callback(self) -> int:
        return self.stops.compiled.callback

    @property
    def project_state(self) -> int:
        return self.stops.functions.project.address("project")

    @property
    def energy(self) -> int:
        return self.stops.compiled.energy

    def failure(self) -> BaseException | None:
        return self.stops.compiled.failure()

    def nearness_to(self, watched: float) -> int:
        """Address of the kernel out = [last pivot of the constraints minus the watched one]."""
        assert self.stops.functions.nearness is not None
        self.parameters[WATCHED - HEAD] = watched
        return self.stops.functions.nearness.address("nearness")

    @property
    def closed_names(self) -> list[str]:
        """The stops that are closed."""
        scale = self.behind[self.stops.m : self.stops.rows : self.stops.stride]
        return [name for name, size in zip(self.stops.names, scale, strict=True) if size > 0]

    def set_shift(self, shift: Vector) -> None:
        """Let the constraints keep phi = shift from now on."""
        start = self.stops.rows + HEAD
        for numbers, first in ((self.behind, start), (self.parameters, len(self.stops.p) + start)):
            numbers[first : first + self.stops.m] = shift

    def solution(self, t: float, y: Vector) -> tuple[Vector, Vector]:
        """(vd, lam) at a state, lam for the constraints and all rows of the stops."""
        p = np.concatenate([self.stops._now(t, y), self.behind])
        call = _call(self.stops.functions.solution, "solution")
        out = np.zeros(self.nv + self.stops.rows)
        if call(t, np.ascontiguousarray(y), p, out) != 0:
            out[:] = np.nan  # where these coordinates are singular
        return out[: self.nv], out[self.nv :]


def _call(library: Library, name: str) -> Callable[[float, Vector, Vector, Vector], int]:
    """The function of a library, for arrays."""
    kernel = SCALAR(library.address(name))

    def call(t: float, y: Vector, p: Vector, out: Vector) -> int:
        return int(kernel(t, y.ctypes.data, p.ctypes.data, out.ctypes.data))

    return call
