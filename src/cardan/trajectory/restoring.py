"""States between steps, brought back to the constraints: an interpolant knows nothing of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.linalg.sampling import restore_rows
from cardan.singular.records import EventRecord
from cardan.trajectory.jumps import shifts, with_shift

Vector = NDArray[np.float64]

TOO_NEAR = 1e-3  # last pivot of constraints about to lose rank: a projection would multiply errors by its inverse


def restored(
    kernel: Kernel,
    parameters: Vector,
    times: Vector,
    states: Vector,
    records: Sequence[EventRecord] = (),
    ahead: float = 1.0,
) -> Vector:
    """The states projected to the constraints (and quaternions to unit length); as they are where there is neither.

    ``records`` of a motion ``ahead`` (1) or back (-1) in time say from when on its constraints were shifted.
    """
    rows = np.column_stack([times, np.asarray(states, dtype=float)])
    for k in kernel.quaternions:
        rows[:, 1 + k : 5 + k] /= np.linalg.norm(rows[:, 1 + k : 5 + k], axis=1, keepdims=True)
    if kernel.m and len(parameters) > len(kernel.parameters):
        n, functions = kernel.nq + kernel.nv, kernel.constrained
        amounts, which = np.unique(shifts(records, times, kernel.m, ahead), axis=0, return_inverse=True)
        for k, shift in enumerate(amounts):
            here = np.flatnonzero(which.ravel() == k)
            some, p = rows[here], with_shift(parameters, len(kernel.parameters), shift)
            restore_rows(functions.project, functions.nearness, TOO_NEAR, len(some), n, some, p, np.empty(n + 1))
            rows[here] = some
    return rows[:, 1:].copy()
