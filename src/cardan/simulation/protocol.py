"""What the simulator needs to know of a model: addresses of kernels, sizes, parameters.

Every kernel is ``int64 f(double t, const double* y, const double* p, double* out)`` with y = [q, v]; it returns 0, or
1 + the index of the pivot that failed, or a negative number when a Python function inside it raised.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardan.native.language import NativeFunction

Vector = NDArray[np.float64]
EventFunction: TypeAlias = "int | NativeFunction[..., int] | Callable[[float, Vector, Vector], float]"
"""The address of a kernel, a native function with its signature, or a Python function g(t, y, p)."""


class CompiledModel(Protocol):
    """A model that can be simulated. Its classes extend this one: what they do not say is said here.

    Addresses of kernels that a model does not have are 0.
    """

    nq: int
    """Length of q."""
    nv: int
    """Length of v."""
    rhs: int
    """Address of the kernel out = [N(q) v, vd]."""
    parameters: Vector
    """p = [parameters, loads, inputs]."""
    quaternions: tuple[int, ...] = ()
    """Where each unit quaternion begins in q."""
    angles: tuple[int, ...] = ()
    """Which coordinates are angles, continuous here and wrapped on output where wanted."""
    method: str = ""
    """The method that moves this model where the one asked for cannot."""

    @property
    def callback(self) -> int:
        """``int64 f(double t, double* y, double* p)``, called before every evaluation to refresh the inputs in p.

        It must depend on (t, y) only, because steps are computed again for dense output.
        """
        return 0

    def failure(self) -> BaseException | None:
        """The exception that a Python function inside a kernel or callback raised, or None."""
        return None

    @property
    def project_state(self) -> int:
        """out = y brought back to where it belongs (onto the constraints, say).

        Applied after every accepted step, when quaternions have been given unit length.
        """
        return 0

    @property
    def energy(self) -> int:
        """out = [T, V, jacobi]."""
        return 0

    @property
    def jacobian(self) -> int:
        """out = d(ydot)/dy, row-major, for implicit methods (finite differences where it is absent)."""
        return 0

    @property
    def momentum(self) -> int:
        """out = dL/dv, n numbers."""
        return 0

    @property
    def momentum_rate(self) -> int:
        """out = dL/dq + Q, n numbers."""
        return 0

    @property
    def mass_matrix(self) -> int:
        """out = M, row-major."""
        return 0

    @property
    def structure(self) -> int:
        """out = [M, A] by rows."""
        return 0

    @property
    def residual(self) -> int:
        """out = [phi (0 for velocity constraints), A v + b0]."""
        return 0

    @property
    def forces(self) -> int:
        """out = Q."""
        return 0

    @property
    def holonomic(self) -> tuple[int, ...]:
        """1 for each constraint row that has a phi, 0 for the others."""
        return ()

    @property
    def tail(self) -> int:
        """Where the scales of these rows begin in p, the generic rank behind them."""
        return 0

    @property
    def nearness(self) -> int:
        """out = [least pivot of the constraints minus the watched one]."""
        return 0


@dataclass(frozen=True, slots=True)
class Watch:
    """A function g(t, y, p) whose change of sign is reported.

    ``direction`` +1 (-1) keeps only crossings from negative to positive (positive to negative) along the integration.
    ``start_sign`` is the sign that g is to be taken to have at the start, where round-off hides it: after an impact,
    say. A kernel may serve several watches: this one is its output number ``output`` of ``outputs``. A terminal one
    that is not ``exact`` may end a run a little beside the crossing.
    """

    kernel: EventFunction
    direction: int = 0
    terminal: bool = False
    start_sign: int = 0
    name: str = ""
    output: int = 0
    outputs: int = 1
    exact: bool = True
