"""Gradients of what may be conserved: the Jacobi integral, and the momenta of symmetries, by state."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.analysis.symmetries import Field
from cardan.analysis.varied import varied
from cardan.codegen.compiled import Kernel
from cardan.codegen.function import NativeFunction
from cardan.graph import jacobian

Vector = NDArray[np.float64]


def gradients(kernel: Kernel, t: float, y: Vector, p: Vector, fields: tuple[Field, ...]) -> dict[str, Vector]:
    """By (dpi, dv), with names; whether they are conserved is for others to say."""
    nq, n = kernel.nq, kernel.nv
    slopes = kernel.keep("slopes of conserved", lambda: _slopes(kernel))
    out = slopes(t, y, p[: slopes.np])
    table, momenta = out[: (1 + n) * (nq + n)].reshape(1 + n, nq + n), out[(1 + n) * (nq + n) :]
    N = varied(kernel, t, y, p).N if nq != n else np.eye(n)
    by_state = np.concatenate([table[:, :nq] @ N, table[:, nq:]], axis=1)
    found = {"energy": by_state[0]}
    for one in fields:  # p . X(q), with dX = B dq
        found[f"momentum of {one}"] = one(y[:nq]) @ by_state[1:] + np.concatenate([momenta @ one.B, np.zeros(n)])
    return found


def _slopes(kernel: Kernel) -> NativeFunction:
    d = kernel.dynamics
    rows = [d.energies[2], *d.momenta]
    nodes = [x for row in jacobian(rows, [*d.q, *d.v]) for x in row]
    return kernel.custom("slopes_of_conserved", [*nodes, *d.momenta])
