"""Native functions at every state of a motion."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.function import NativeFunction
from cardan.simulation.common import observe_all
from cardan.simulation.protocol import CompiledModel

Vector = NDArray[np.float64]


def kernel_along(function: NativeFunction, times: Vector, states: Vector, p: Vector) -> Vector:
    """The outputs of a native function, one row per time; p are its parameters, or a row of them for each time."""
    if p.ndim == 1:
        return outputs_along(function.address, function.nout, times, states, p[: function.np])
    found = [function(t, y, row) for t, y, row in zip(times, states, p[:, : function.np], strict=True)]
    return np.reshape(found, (len(times), function.nout))


def outputs_along(kernel: int, width: int, times: Vector, states: Vector, p: Vector, callback: int = 0) -> Vector:
    """The outputs of a kernel at each of several states, one row each; nan where it cannot be evaluated.

    ``callback`` writes signals given as Python functions into p first.
    """
    count, n = states.shape
    out, moments, rows = np.empty((count, width)), np.ascontiguousarray(times), np.ascontiguousarray(states)
    observe_all(kernel, callback, count, n, width, moments, rows, np.array(p, dtype=float), out)
    return out


def rates_along(model: CompiledModel, times: Vector, states: Vector) -> Vector:
    """The right-hand side at each of several states; nan where it cannot be evaluated."""
    count, n = states.shape
    p, out = np.array(model.parameters, dtype=float), np.empty((count, n))
    moments, rows = np.ascontiguousarray(times, dtype=float), np.ascontiguousarray(states, dtype=float)
    observe_all(model.rhs, model.callback, count, n, n, moments, rows, p, out)
    return out
