"""What the simulator needs to know of a model: addresses of kernels, sizes, parameters.

Every kernel is ``int64 f(double t, const double* y, const double* p, double* out)`` with y = [q, v]; it returns 0, or
1 + the index of the pivot that failed, or a negative number when a Python function inside it raised.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


@runtime_checkable
class CompiledModel(Protocol):
    """A model that can be simulated.

    Optional attributes, addresses as well, looked up with 0 as default:

    - ``energy``: out = [T, V, jacobi].
    - ``jacobian``: out = d(ydot)/dy, row-major, for implicit methods (finite differences where it is absent).
    - ``momentum``: out = dL/dv (n numbers), ``momentum_rate``: out = dL/dq + Q (n numbers), ``mass_matrix``: out = M
      row-major; all three are needed by the symplectic methods.
    - ``structure``: out = [M, A] by rows, ``residual``: out = [phi (0 for velocity constraints), A v + b0], ``forces``:
      out = Q; needed by the methods on constraints, with ``holonomic`` (1 or 0 for each row) and ``tail``, where in p
      the row scales begin, the generic rank behind them.
    - ``project_state``: out = y brought back to where it belongs (onto the constraints, say), applied after every
      accepted step, when quaternions have been given unit length.
    - ``callback``: ``int64 f(double t, double* y, double* p)``, called before every evaluation to refresh the inputs in
      p. It must depend on (t, y) only, because steps are computed again for dense output.
    - ``failure()``: the exception that a Python function inside a kernel or callback raised, or None.
    """

    @property
    def nq(self) -> int:
        """Length of q."""

    @property
    def nv(self) -> int:
        """Length of v."""

    @property
    def rhs(self) -> int:
        """Address of the kernel out = [N(q) v, vd]."""

    @property
    def parameters(self) -> NDArray[np.float64]:
        """p = [parameters, loads, inputs]."""

    @property
    def quaternions(self) -> tuple[int, ...]:
        """Where each unit quaternion begins in q."""

    @property
    def angles(self) -> tuple[int, ...]:
        """Which coordinates are angles, continuous here and wrapped on output where wanted."""


@dataclass(frozen=True, slots=True)
class Event:
    """A function g(t, y, p) whose change of sign is reported.

    ``kernel`` is the address of a kernel with one output, or a Python function ``g(t, y, p) -> float``. ``direction``
    +1 (-1) keeps only crossings from negative to positive (positive to negative) along the integration. ``start_sign``
    is the sign that g is to be taken to have at the start, where round-off hides it: after an impact, say. A kernel may
    serve several events: this one is its output number ``output`` of ``outputs``. A terminal one that is not ``exact``
    may end a run a little beside the crossing.
    """

    kernel: Any
    direction: int = 0
    terminal: bool = False
    start_sign: int = 0
    name: str = ""
    output: int = 0
    outputs: int = 1
    exact: bool = True


def optional(model: CompiledModel, name: str) -> int:
    """Address of an optional kernel, 0 where the model has none."""
    return int(getattr(model, name, 0) or 0)
