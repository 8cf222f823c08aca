"""Accelerations and multipliers along a motion: of all states at once, with contact and losses of rank put in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardan.singular.constrained import accelerations_along
from cardan.trajectory.along import kernel_along
from cardan.trajectory.rank.limits import Limits

if TYPE_CHECKING:
    from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]


def forces_along(run: Trajectory, limits: Limits) -> tuple[Vector, Vector]:
    """(vd, lam) at every time: M vd + f + g = Q + A^T lam; near losses of rank by their ``limits``."""
    kernel = run.kernel
    p = run.parameters if run.refresh is None else run.parameters_along()
    outputs = kernel_along(kernel.function("terms" if kernel.m else "acceleration"), run.t, run.solution.y, p)
    vd, lam = outputs, np.zeros((len(run), 0))
    if kernel.m:
        vd, lam = accelerations_along(kernel.numbers(run.parameters).stack_of(outputs))
    if not kernel.model.stops and not (kernel.m and limits.windows):
        return vd, lam
    for k, (t, y, mode) in enumerate(zip(run.t, run.solution.y, run.contacts.modes, strict=True)):
        if mode is not None:
            found, pushes = mode.solution(t, y)
            vd[k], lam[k] = found, pushes[: kernel.m]
        elif kernel.m and (limit := limits.at(t)) is not None:
            vd[k], lam[k] = limit
    return vd, lam
