"""What a motion does at a configuration where its constraints lose rank: cross, stay, rest, leave by an impulse, or
none of these, so that somebody has to choose.

With v the velocity and N the left null vectors, N^T Adot(q, v) is how the lost rows come back along the motion:

    N^T Adot = 0                   the motion stays where rank is lost: resident
    N^T Adot v = 0                 it crosses, in the closure of the row space
    otherwise                      no continuous motion; velocity constraints take away by an impulse what it forbids
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.singular.constrained import ConstrainedNumbers, Terms
from cardan.trajectory.rank.closure import ON_CONE, RESIDENT, Extension, LocalRank

Vector = NDArray[np.float64]

AT_REST = 1e-9  # of what forces give elsewhere: accelerations as small as this are rounding
BESIDE = 0.3  # of the sizes: how far away that is


@dataclass(frozen=True)
class RankState:
    """``kind``: "crossing", "resident", "rest", "impulse" or "open"; the velocity and acceleration to go on with."""

    kind: str
    velocity: Vector
    acceleration: Vector


def decide(
    local: LocalRank,
    velocity: Vector,
    sizes: Vector,
    is_holonomic: NDArray[np.bool_],
    matrix_rate: Callable[[Vector], Vector],
    limit: Callable[[Vector], Vector],
    usual_pull: Callable[[], float] = lambda: 0.0,
) -> RankState:
    """How the motion goes on from a singular state.

    ``matrix_rate(v)`` is A'[v], ``limit(v)`` the acceleration in the closure with velocity v; ``usual_pull()`` is the
    acceleration that forces give elsewhere, in units of the sizes, beside which rounding is seen as such.
    """
    free, _ = local.terms.accelerations()
    speed = float(np.max(np.abs(velocity) / sizes, initial=0.0))
    pull = float(np.sqrt(np.max(np.abs(free) / sizes, initial=0.0)))
    if speed == 0.0 or (speed <= 1e-9 * pull and not _crosses(local, matrix_rate(velocity), velocity)):
        is_open = _branches_are_configurations(local, is_holonomic)
        return _from_rest(local, free, sizes, is_open, matrix_rate, usual_pull)
    along = matrix_rate(velocity)
    if _size(local, along) < RESIDENT * speed:
        leaving = matrix_rate(free)
        if _size(local, leaving) < RESIDENT * max(pull, speed) ** 2:
            return RankState("resident", velocity, free)
        along = leaving
    if _is_on_cone(local, along, velocity):
        if len(local.closure(along)) < local.reference.rank:
            return RankState("open", velocity, free)
        return RankState("crossing", velocity, limit(velocity))
    if _branches_are_configurations(local, is_holonomic):
        return RankState("open", velocity, free)
    for _ in range(3):
        velocity = local.closure_projection(velocity, along)
    return RankState("impulse", velocity, limit(velocity))


def decide_driven(
    local: LocalRank, velocity: Vector, extension: Extension, limit: Callable[[Vector], Vector]
) -> RankState:
    """The same where constraints are driven, A v + b0 = 0: the motion crosses if N^T (Adot v + b0dot) = 0."""
    along = extension.matrix_rate
    drift = local.left_null.T @ local.terms.b  # b = -(Adot v + b0dot)
    speed = float(np.linalg.norm(np.linalg.solve(local.terms.half, velocity)))
    crosses = float(np.linalg.norm(drift)) <= ON_CONE * _size(local, along) * speed
    if crosses and len(local.closure(along)) == local.reference.rank:
        return RankState("crossing", velocity, limit(velocity))
    return RankState("open", velocity, np.zeros(len(velocity)))


def _branches_are_configurations(local: LocalRank, is_holonomic: NDArray[np.bool_]) -> bool:
    """Whether what is lost is holonomic: then configurations branch here, not only velocities."""
    null = local.scaled_null
    return bool(np.linalg.norm(null[is_holonomic]) > np.linalg.norm(null[~is_holonomic]))


def _from_rest(
    local: LocalRank,
    free: Vector,
    sizes: Vector,
    is_open: bool,
    matrix_rate: Callable[[Vector], Vector],
    usual_pull: Callable[[], float],
) -> RankState:
    """From rest every branch that forces pull along begins a motion: where configurations branch, all is open."""
    still = np.zeros(len(free))
    if np.max(np.abs(free) / sizes, initial=0.0) <= AT_REST * max(pushed(local.terms, sizes), usual_pull()):
        return RankState("rest", still, np.zeros(len(free)))
    along = matrix_rate(free)
    if _size(local, along) < RESIDENT * float(np.max(np.abs(free) / sizes)):
        return RankState("resident", still, free)
    if not is_open and _crosses(local, along, free):
        return RankState("crossing", still, free)
    return RankState("open", still, free)


def pushed(terms: Terms, sizes: Vector) -> float:
    """The largest acceleration that forces alone would give, in units of the sizes."""
    return float(np.max(np.abs(terms.half @ (terms.half.T @ terms.h)) / sizes, initial=0.0))


def pull_beside(system: ConstrainedNumbers, t: float, y: Vector, sizes: Vector) -> float:
    """The same at rest in configurations some way from y, whether or not the constraints are satisfied there."""
    still = np.concatenate([y[: system.nq], np.zeros(system.n)])
    steps = BESIDE * sizes * np.array([[1.0], [-1.0], [0.5]]) * np.where(np.arange(system.n) % 2, 1.0, 0.7)
    everywhere = [system.terms(t, system.moved(t, still, step)) for step in steps]
    return max(
        (pushed(one, sizes) for one in everywhere if np.isfinite(one.h).all() and np.isfinite(one.M).all()), default=0.0
    )


def _crosses(local: LocalRank, along: Vector, velocity: Vector) -> bool:
    """Whether this velocity leads across, all rows that are lost coming back along it."""
    return _is_on_cone(local, along, velocity) and len(local.closure(along)) == local.reference.rank


def _size(local: LocalRank, along: Vector) -> float:
    """Size of N^T A'[v], in the metric of M and units of the reference rows."""
    return float(np.linalg.norm(local.left_null.T @ along @ local.terms.half))


def _is_on_cone(local: LocalRank, along: Vector, velocity: Vector) -> bool:
    """Whether N^T A'[.] v is zero up to rounding of what is given."""
    rows = local.left_null.T @ along
    z = np.linalg.solve(local.terms.half, velocity)
    return float(np.linalg.norm(rows @ velocity)) <= ON_CONE * _size(local, along) * float(np.linalg.norm(z))
