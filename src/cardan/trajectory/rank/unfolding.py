"""How far nearly bifurcating geometry is from bifurcating: the singular point near by and the unfolding parameter e.

Solves  Phi(q) - N e = 0,  N^T Phi'(q) = 0  for a configuration q* where c rows of the constraints become dependent, N
their left null vectors: with e = 0 branches meet at q*, with e other than zero they avoid each other by about sqrt(e).
Where constraints are driven, e depends on time, and branches meet when it is extreme, if it is zero then.
Rows are measured by their reference sizes and lengths by the size of the system, so that e is a number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.singular.constrained import ConstrainedNumbers
from cardan.trajectory.rank.closure import LocalRank

Vector = NDArray[np.float64]

STEPS = 12
CONVERGED = 1e-10
TIMES = 12  # parabolas in time
FINE = 1e-2  # of the time given: over which parabolas are made in the end
NEAR = 10.0  # steps of time: farther away the extreme of a driven unfolding is not looked for


@dataclass(frozen=True)
class Unfolding:
    """The singular state, the residuals that the constraints keep there (``shift``), and their size e."""

    y: Vector
    shift: Vector  # m, in the units of the constraints
    e: float
    distance: float  # from the given state to the singular one, in units of typical sizes


def unfold(
    system: ConstrainedNumbers,
    t: float,
    y: Vector,
    corank: int,
    sizes: Vector,
    local_at: Callable[[float, Vector], LocalRank],
    quadrics_at: Callable[[float, Vector, LocalRank], Vector],
) -> Unfolding | None:
    """The singular configuration near y at which the rank is ``corank`` less than usual; None where none is found."""
    start = y
    nq = system.nq
    for _ in range(STEPS):
        local = local_at(t, y)
        k = local.reference.rank - corank
        if k < 0:
            return None
        weak = LocalAt(local, k)
        Q = quadrics_at(t, y, weak.local)
        slope = weak.slope()
        z = -np.linalg.lstsq(Q.reshape(-1, Q.shape[2]), slope.reshape(-1), rcond=1e-9)[0]
        step = weak.local.kernel @ z
        y = system.moved(t, y, step)
        y = system.moved(t, y, _regular_step(system, t, y, LocalAt(local_at(t, y), k)))
        if not np.isfinite(y).all():
            return None
        if float(np.max(np.abs(step) / sizes)) < CONVERGED:
            break
    else:
        return None
    weak = LocalAt(local_at(t, y), local.reference.rank - corank)
    phi, _ = system.residual(t, y)
    scale = weak.local.reference.scale
    used = np.where(scale > 0, scale, 1.0)
    amounts = weak.null.T @ np.where(scale > 0, phi / used, 0.0)
    length = float(np.sqrt(sizes @ weak.local.terms.M @ sizes))
    shift = scale * (weak.null @ amounts)
    moved = float(np.max(np.abs((y - start)[:nq]))) / float(np.max(sizes))
    return Unfolding(y, shift, float(np.linalg.norm(amounts)) / length, moved)


def extreme(at: Callable[[float], Unfolding | None], t: float, step: float) -> Unfolding | None:
    """The unfolding at the time near t when it is extreme, of constraints that are driven; ``step``: a short time.

    It is a parabola in time there; where no such time is near, the one at t.
    """
    found, here, farthest, finest = at(t), t, NEAR * abs(step), FINE * abs(step)
    for _ in range(TIMES):
        before, middle, after = at(here - step), at(here), at(here + step)
        if before is None or middle is None or after is None:
            return found
        slope = (after.shift - before.shift) / (2 * step)
        bend = (after.shift - 2 * middle.shift + before.shift) / step**2
        if not bend.any():
            return middle
        move = -float(slope @ bend) / float(bend @ bend)
        here += move
        if not abs(here - t) <= farthest:
            return found
        if abs(step) <= finest and abs(move) < FINE * finest:
            return at(here)
        step *= 1.0 if abs(step) <= finest else 0.1
    return found


class LocalAt:
    """A constraint matrix whose rank is taken to be k, however small its other singular values are."""

    def __init__(self, local: LocalRank, k: int) -> None:
        S = local.singular_values
        above = S[k - 1] / local.reference.kappa if k > 0 else 1e300
        below = S[k] / local.reference.kappa if k < len(S) else 0.0
        between = 2 * below if k == 0 else np.sqrt(above * max(below, 1e-300))
        self.local = LocalRank(local.terms, local.reference, tolerance=float(max(between, 1e-300)))
        self.k = k

    @property
    def null(self) -> Vector:
        """Left null vectors N: of the rows that are lost, and of those that always depend on others.

        At the singular configuration rounding cannot tell them apart. It need not: rows that always depend keep no
        residual of their own.
        """
        return self.local.scaled_null

    def slope(self) -> Vector:
        """N^T A Z: zero at the singular configuration."""
        return np.asarray(self.local.left_null.T @ self.local.terms.A @ self.local.kernel)


def _regular_step(system: ConstrainedNumbers, t: float, y: Vector, at: LocalAt) -> Vector:
    """The shortest step that satisfies the rows which keep their rank."""
    phi, _ = system.residual(t, y)
    local = at.local
    scale = np.where(local.reference.scale > 0, local.reference.scale, 1.0)
    U, S, Vt = local.svd
    wanted = -(U[:, : at.k].T @ (phi / scale)) / S[: at.k]
    return np.asarray(local.terms.half @ (Vt[: at.k].T @ wanted))
