"""States between steps, brought back to the constraints: an interpolant knows nothing of them."""

from __future__ import annotations

import ctypes

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel

Vector = NDArray[np.float64]

TOO_NEAR = 1e-3  # last pivot of constraints about to lose rank: a projection would multiply errors by its inverse

_KERNEL = ctypes.PYFUNCTYPE(ctypes.c_int64, ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


def restored(kernel: Kernel, parameters: Vector, times: Vector, states: Vector) -> Vector:
    """The states projected to the constraints (and quaternions to unit length); as they are where there is neither."""
    rows = np.ascontiguousarray(states, dtype=float).copy()
    for k in kernel.quaternions:
        rows[:, k : k + 4] /= np.linalg.norm(rows[:, k : k + 4], axis=1, keepdims=True)
    if not kernel.m or len(parameters) <= len(kernel.parameters):
        return rows
    project, nearness = _KERNEL(kernel.constrained.project), _KERNEL(kernel.constrained.nearness)
    p = np.ascontiguousarray(parameters)
    out, near = np.empty(rows.shape[1]), np.empty(1)
    for t, row in zip(times, rows, strict=True):
        if nearness(float(t), row.ctypes.data, p.ctypes.data, near.ctypes.data) == 0 and near[0] < TOO_NEAR:
            continue
        if project(float(t), row.ctypes.data, p.ctypes.data, out.ctypes.data) == 0 and np.isfinite(out).all():
            row[:] = out
    return rows
