"""A kernel with the signals of one run, as the simulator wants to see it: addresses, sizes and parameters."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.graph import operation_count
from cardan.linalg.projection import HEAD, HOLONOMIC_RANK, RANK, REFUSED, WATCHED
from cardan.native.foreign import Failures, PythonCallback
from cardan.simulation.protocol import CompiledModel
from cardan.singular.reference import Reference

if TYPE_CHECKING:
    import sympy as sp

    from cardan.codegen.function import NativeFunction

Vector = NDArray[np.float64]

DEAR = 1e5  # operations of the right-hand side times states: beyond, its slopes take a second and more to compile


class Prepared(CompiledModel):
    """The simulator's view of a kernel; optional kernels are compiled when they are asked for."""

    def __init__(
        self,
        kernel: Kernel,
        constants: Mapping[sp.Symbol, float] | None = None,
        refresh: Callable[[float, Vector, Vector], None] | None = None,
        reference: Reference | None = None,
    ) -> None:
        self.kernel = kernel
        self.nq, self.nv = kernel.nq, kernel.nv
        if kernel.model.rubbing:
            self.rhs = kernel.friction.rhs
        else:
            self.rhs = kernel.constrained.rhs if kernel.m else kernel.function("rhs").address
        self.quaternions, self.angles = kernel.quaternions, kernel.angles
        self.parameters = kernel.p()
        first = len(kernel.model.parameters)
        for k, symbol in enumerate(kernel.model.signals):
            self.parameters[first + k] = (constants or {}).get(symbol, 0.0)
        if reference is not None:
            self.parameters = np.concatenate([self.parameters, reference.tail])
        self.reference = reference
        self.refresh = refresh
        self.failures = Failures()
        self._callback = (
            None if refresh is None else PythonCallback(refresh, self.nq + self.nv, len(self.parameters), self.failures)
        )
        self._events: list[NativeFunction] = []

    @property
    def callback(self) -> int:
        return self._callback.address if self._callback is not None else 0

    def failure(self) -> BaseException | None:
        """The exception that a Python controller raised, if one did."""
        return self.failures.first

    @property
    def project_state(self) -> int:
        return self.kernel.constrained.project if self.kernel.m else 0

    @property
    def nearness(self) -> int:
        """Address of the kernel out = [least pivot of the constraints minus the watched one]."""
        return self.kernel.constrained.nearness if self.kernel.m else 0

    def watched(
        self,
        *,
        ranks: tuple[int, int] | None = None,
        refused: float = 0.0,
        watched: float = 0.0,
        shift: Vector | None = None,
    ) -> Prepared:
        """The same model with other ranks (of all rows, of those with a phi), other limits of the least pivot and
        shifted constraints."""
        other = copy.copy(self)
        m, first = self.kernel.m, len(self.kernel.parameters)
        other.parameters = self.parameters.copy()
        tail = other.parameters[first + m :]
        if ranks is not None:
            tail[RANK], tail[HOLONOMIC_RANK] = ranks
        tail[REFUSED], tail[WATCHED] = refused, watched
        if shift is not None:
            tail[HEAD:] = shift
        return other

    def with_parameters(self, parameters: Vector) -> Prepared:
        """The same model with other numbers in p."""
        other = copy.copy(self)
        other.parameters = parameters
        return other

    def event(self, name: str, expression: sp.Expr) -> int:
        """Address of a compiled event function."""
        d = self.kernel.dynamics
        self._events.append(self.kernel.custom(name, d.impose([d.space.lift(expression)])))
        return int(self._events[-1].address)

    @property
    def energy(self) -> int:
        return self.kernel.function("energy").address

    def _of_coordinates(self, name: str) -> int:
        """A kernel that exists where velocities are rates of coordinates and forces do not depend on multipliers."""
        return self.kernel.function(name).address if self.nq == self.nv and not self.kernel.model.rubbing else 0

    @property
    def momentum(self) -> int:
        return self._of_coordinates("momentum")

    @property
    def momentum_rate(self) -> int:
        return self._of_coordinates("momentum_rate")

    @property
    def structure(self) -> int:
        return self._of_coordinates("structure")

    @property
    def residual(self) -> int:
        return self.kernel.function("residual").address if self.kernel.m else 0

    @property
    def forces(self) -> int:
        return self.kernel.function("forces").address

    @property
    def holonomic(self) -> tuple[int, ...]:
        """1 for each constraint row that has a phi, 0 for the others."""
        return tuple(int(row.is_holonomic) for row in self.kernel.dynamics.full.rows)

    @property
    def tail(self) -> int:
        """Where the row scales begin in the parameters; the generic rank stands behind them."""
        return len(self.kernel.parameters)

    @property
    def mass_matrix(self) -> int:
        return self.kernel.function("mass_matrix").address

    @property
    def jacobian(self) -> int:
        """d(rhs)/dy; 0, which means differences, where it is not known or would take long to prepare."""
        needs_differences = self._callback is not None or self.kernel.m or self.kernel.model.rubbing
        return 0 if needs_differences or self._is_dear else self.kernel.function("jacobian").address

    @property
    def _is_dear(self) -> bool:
        """Whether the slopes of the right-hand side would be too many operations to compile for a run."""
        if "jacobian" in self.kernel.compiled:
            return False
        operations = sum(operation_count(self.kernel.compiled.content("rhs").outputs).values())
        return (self.nq + self.nv) * operations > DEAR
