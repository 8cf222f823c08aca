"""Work along a motion: the integral of every power, from the dense output between the times of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

NODES, WEIGHTS = np.polynomial.legendre.leggauss(4)  # exact for powers of time up to seven


def works(run: Trajectory) -> dict[str, Vector]:
    """Work since the begin of the run of all that has a power, by name, at every time of the run."""
    t = run.t
    if len(t) < 2:
        return {name: np.zeros(len(t)) for name in run.power}
    half, middle = np.diff(t)[:, None] / 2, (t[1:] + t[:-1])[:, None] / 2
    inside = run.at((middle + half * NODES).ravel()).power
    found = {}
    for name, power in inside.items():
        steps = np.sum(np.reshape(power, (-1, len(NODES))) * WEIGHTS * half, axis=1)
        found[name] = np.concatenate([[0.0], np.cumsum(steps)])
    return found
