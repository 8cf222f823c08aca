"""Whether a driven mechanism came to the end of its reach: the reason behind a motion that could not go on.

There the constraints lose rank, N^T A = 0, while what drives them asks for N^T b0 != 0: no velocity satisfies
A v + b0 = 0, and a moment later no configuration satisfies phi = 0.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.simulation.solution import Solution
from cardan.singular.constrained import ConstrainedNumbers
from cardan.singular.projection import project_position
from cardan.singular.reference import SEED
from cardan.trajectory.assembly import ConsistentStart
from cardan.trajectory.contradiction import Refresh
from cardan.trajectory.rank.closure import LocalRank

Vector = NDArray[np.float64]

NEAR = 0.3  # kappa, in units of its typical value, within which a loss of rank may have ended the motion
AHEAD = (1e-4, 1e-2, 1e-1)  # parts of the time covered, after the end, at which configurations are looked for
SEEDS = 12  # guesses at each of them, as far from the end as SPREAD of the typical sizes
SPREAD = 0.05
DRIVEN = 1e-3  # share of N^T b0 in the sum of its terms that counts as a demand
NAMED = 0.1  # share of the largest entry of N from which a constraint is named


def told_reach(
    kernel: Kernel, parameters: Vector, refresh: Refresh | None, solution: Solution, start: ConsistentStart
) -> Solution:
    """The solution; where it broke off at the end of the mechanism's reach, with the status ``out-of-reach``."""
    if solution.is_complete or solution.status in ("interrupted", "callback-failed", "too-many-steps"):
        return solution
    t, y, p = solution.t_final, solution.y_final, parameters.copy()
    if refresh is not None:
        refresh(t, y, p)
    system = kernel.numbers(p)
    terms = system.terms(t, y)
    if not (np.isfinite(terms.A).all() and np.isfinite(terms.M).all()):
        return solution
    local = LocalRank(terms, start.reference)
    if not start.reference.rank or not local.kappa < NEAR:
        return solution
    names = _overstretched(kernel, system, local, start, t, y)
    first = float(solution.segments[0].rows[0, 0])
    if not names or _goes_on(system, t, y, t - first or 1.0, start.sizes):
        return solution
    return replace(solution, status="out-of-reach", message=_message(kernel, names, t, float(local.kappa)))


def _overstretched(
    kernel: Kernel, system: ConstrainedNumbers, local: LocalRank, start: ConsistentStart, t: float, y: Vector
) -> list[str]:
    """Constraints that are losing rank together and are driven against it, by name; none where nothing drives them."""
    scale, r = start.reference.scale, start.reference.rank
    null = np.where(scale > 0, local.svd[0][:, r - 1] / np.where(scale > 0, scale, 1.0), 0.0)
    still = np.concatenate([y[: kernel.nq], np.zeros(kernel.nv)])
    demands = null * system.residual(t, still)[1]
    if not abs(float(np.sum(demands))) > DRIVEN * float(np.sum(np.abs(demands))):
        return []
    weights = np.abs(null) * start.reference.extent
    rows = kernel.dynamics.constraints.rows
    return list(
        dict.fromkeys(rows[i].constraint.name for i in np.flatnonzero(weights > NAMED * np.max(weights)).tolist())
    )


def _goes_on(system: ConstrainedNumbers, t: float, y: Vector, covered: float, sizes: Vector) -> bool:
    """Whether configurations near the end satisfy the constraints later, too."""
    if not system.holonomic:
        return False
    rng = np.random.default_rng(SEED)
    for part in AHEAD:
        later = t + part * covered
        steps = SPREAD * sizes * rng.uniform(-1, 1, (SEEDS, system.n))
        steps[0] = 0.0
        if all(project_position(system, later, system.moved(t, y, step), sizes) is None for step in steps):
            return False
    return True


def _message(kernel: Kernel, names: list[str], t: float, kappa: float) -> str:
    drives = ", ".join(str(symbol) for symbol in kernel.model.prescribed)
    by = f"the prescribed motion of {drives}" if drives else "what they prescribe as functions of time"
    listed = ", ".join(map(repr, names))
    return (
        f"At t = {t:.9g} the mechanism comes to the end of its reach: {listed} cannot follow {by} any further (their "
        f"last independent direction has shrunk to {kappa:.1g} of its usual size, and no configuration near satisfies "
        "them later). Let the drive turn back before, or change lengths and placements."
    )
