"""Constraints differentiated once more, as a kernel: what decides a motion where the constraint matrix loses rank."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.codegen.function import NativeFunction, native_function
from cardan.graph import jacobian, jvp
from cardan.trajectory.rank.closure import Extension

Vector = NDArray[np.float64]


def extension(kernel: Kernel, t: float, y: Vector, p: Vector) -> Extension:
    """Adot, d(Adot v + b0dot)/dv and the rate of Adot v + b0dot at fixed v, at a state."""
    m, n = kernel.m, kernel.nv
    function = kernel.keep("extension", lambda: _compiled(kernel))
    out = function(t, y, p[: function.np])
    return Extension(out[: m * n].reshape(m, n), out[m * n : 2 * m * n].reshape(m, n), out[2 * m * n :])


def _compiled(kernel: Kernel) -> NativeFunction:
    d, c = kernel.dynamics, kernel.dynamics.constraints
    drift = [-x for x in c.targets]
    rates = jvp(drift, [*c.q, c.t], [*c.qd, c.graph.one])
    outputs = [x for row in c.matrix_rate for x in row]
    outputs += [x for row in jacobian(drift, c.v) for x in row]
    outputs += rates
    return native_function("extension", t=d.t, y=[*d.q, *d.v], p=d.p, outputs=outputs)
