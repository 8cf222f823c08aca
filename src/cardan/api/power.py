"""Where the energy of a run came from and went to, and whether the account balances."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardan.equations.power import power_parts

if TYPE_CHECKING:
    from cardan.api.run import Run

Vector = NDArray[np.float64]

_POINTS, _SHARES = np.polynomial.legendre.leggauss(4)  # exact for polynomials of degree 7, that of the dense output
NODES, WEIGHTS = (1 + _POINTS) / 2, _SHARES / 2  # on (0, 1)


def powers(run: Run) -> dict[str, Vector]:
    """Power of every load, input, other force, damper, motor and moving constraint, at every time of the run."""
    parts = power_parts(run.kernel.dynamics)
    if not parts:
        return run.contacts.power
    table = run.outputs(list(parts.values()), accelerations=True)
    return {name: table[:, k] for k, name in enumerate(parts)} | run.contacts.power


def balance(run: Run) -> float:
    """Largest |T + V - (T + V at the start) - work done on the way|, over the largest kinetic energy.

    Work is integrated by Gauss's rule inside every accepted step; what impacts take is in their records.
    """
    steps = run.solution.steps
    times = np.unique(steps) if steps[-1] >= steps[0] else np.unique(steps)[::-1]
    if len(times) < 2:
        return 0.0
    ends = run.at(times)
    energy = ends.energy
    work = np.zeros(len(times))
    h = np.diff(times)
    inside = (times[:-1, None] + h[:, None] * NODES).ravel()
    found = run.at(inside).power
    if found:
        total = np.sum(list(found.values()), axis=0).reshape(len(h), -1)
        work[1:] = np.cumsum(h * (total @ WEIGHTS))
    for record in run.records:
        lost = record.facts.get("energy_change")
        if lost is not None:
            work[times > record.t] += float(lost)
    scale = float(np.max(np.abs(ends.kinetic_energy), initial=0.0)) or 1.0
    return float(np.max(np.abs(energy - energy[0] - work))) / scale
