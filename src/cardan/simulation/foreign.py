"""Models given by Python functions: what tests and quick experiments simulate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cardan.native.foreign import (
    CALLBACK,
    FAILED,
    KERNEL,
    Failures,
    PythonCallback,
    PythonKernel,
    StateFunction,
    Vector,
    Writer,
)
from cardan.simulation.protocol import CompiledModel

__all__ = ["CALLBACK", "FAILED", "KERNEL", "Failures", "PythonCallback", "PythonKernel", "PythonModel"]


class PythonModel(CompiledModel):
    """A model given by Python functions of (t, y, p): right-hand side and, where known, the optional kernels.

    >>> model = PythonModel(1, lambda t, y, p: [y[1], -y[0]])
    """

    callback: int = 0
    momentum: int = 0
    momentum_rate: int = 0
    mass_matrix: int = 0
    jacobian: int = 0
    project_state: int = 0

    def __init__(
        self,
        nv: int,
        rhs: StateFunction,
        *,
        nq: int | None = None,
        parameters: Sequence[float] = (),
        callback: Writer | None = None,
        quaternions: tuple[int, ...] = (),
        angles: tuple[int, ...] = (),
        momentum: StateFunction | None = None,
        momentum_rate: StateFunction | None = None,
        mass_matrix: StateFunction | None = None,
        jacobian: StateFunction | None = None,
        project_state: StateFunction | None = None,
    ) -> None:
        self.nq, self.nv = (nv if nq is None else nq), nv
        self.parameters: Vector = np.array(parameters, dtype=float)
        self.quaternions, self.angles = quaternions, angles
        self._failures = Failures()
        self._kept: list[object] = []
        n = self.nq + nv
        self.rhs = self._kernel(rhs, n)
        self.momentum = self._kernel(momentum, nv)
        self.momentum_rate = self._kernel(momentum_rate, nv)
        self.mass_matrix = self._kernel(mass_matrix, nv * nv)
        self.jacobian = self._kernel(jacobian, n * n)
        self.project_state = self._kernel(project_state, n)
        if callback is not None:
            kept = PythonCallback(callback, n, len(self.parameters), self._failures)
            self._kept.append(kept)
            self.callback = kept.address

    def failure(self) -> BaseException | None:
        """The exception that stopped the last run, if one did; asking clears it."""
        error, self._failures.first = self._failures.first, None
        return error

    def _kernel(self, function: StateFunction | None, n_out: int) -> int:
        if function is None:
            return 0
        kept = PythonKernel(function, self.nq + self.nv, len(self.parameters), n_out, self._failures)
        self._kept.append(kept)
        return kept.address
