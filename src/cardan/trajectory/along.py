"""Native functions at every state of a motion."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.function import NativeFunction
from cardan.simulation.along import outputs_along

Vector = NDArray[np.float64]


def kernel_along(function: NativeFunction, times: Vector, states: Vector, p: Vector) -> Vector:
    """The outputs of a native function, one row per time; p are its parameters, or a row of them for each time."""
    if p.ndim == 1:
        return outputs_along(function.address, function.nout, times, states, p[: function.np])
    found = [function(t, y, row) for t, y, row in zip(times, states, p[:, : function.np], strict=True)]
    return np.reshape(found, (len(times), function.nout))
