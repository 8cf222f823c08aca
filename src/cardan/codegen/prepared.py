"""A kernel with the signals of one run, as the simulator wants to see it: addresses, sizes and parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.native.foreign import Failures, PythonCallback
from cardan.singular.reference import Reference

Vector = NDArray[np.float64]


class Prepared:
    """Satisfies the simulator's CompiledModel; optional kernels are compiled when they are asked for."""

    def __init__(
        self,
        kernel: Kernel,
        constants: Mapping[Any, float] | None = None,
        refresh: Callable[[float, Vector, Vector], None] | None = None,
        reference: Reference | None = None,
    ) -> None:
        self.kernel = kernel
        self.nq, self.nv = kernel.nq, kernel.nv
        self.rhs = kernel.constrained.rhs if kernel.m else kernel.function("rhs").address
        self.project_state = kernel.constrained.project if kernel.m else 0
        self.quaternions, self.angles = kernel.quaternions, kernel.angles
        self.parameters = kernel.p()
        first = len(kernel.model.parameters)
        for k, symbol in enumerate(kernel.model.signals):
            self.parameters[first + k] = (constants or {}).get(symbol, 0.0)
        if reference is not None:
            self.parameters = np.concatenate([self.parameters, reference.tail])
        self.refresh = refresh
        self.failures = Failures()
        self._callback = (
            None if refresh is None else PythonCallback(refresh, self.nq + self.nv, len(self.parameters), self.failures)
        )
        self._events: list[Any] = []

    @property
    def callback(self) -> int:
        return self._callback.address if self._callback is not None else 0

    def failure(self) -> BaseException | None:
        """The exception that a Python controller raised, if one did."""
        return self.failures.first

    def event(self, name: str, expression: Any) -> int:
        """Address of a compiled event function."""
        d = self.kernel.dynamics
        self._events.append(self.kernel.custom(name, d.impose([d.space.lift(expression)])))
        return int(self._events[-1].address)

    @property
    def energy(self) -> int:
        return self.kernel.function("energy").address

    @property
    def _is_plain(self) -> bool:
        """Whether the symplectic methods apply: coordinates only, no constraints."""
        return self.nq == self.nv and not self.kernel.m

    @property
    def momentum(self) -> int:
        return self.kernel.function("momentum").address if self._is_plain else 0

    @property
    def momentum_rate(self) -> int:
        return self.kernel.function("momentum_rate").address if self._is_plain else 0

    @property
    def mass_matrix(self) -> int:
        return self.kernel.function("mass_matrix").address

    @property
    def jacobian(self) -> int:
        return 0 if self._callback is not None or self.kernel.m else self.kernel.function("jacobian").address
