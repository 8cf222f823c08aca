"""Records of what happened where constraints lost rank, with facts that are worked out when they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardan.singular.records import EventRecord
from cardan.trajectory.extent import typical_sizes
from cardan.trajectory.facts import Facts
from cardan.trajectory.rank.branches import Branch, Branches
from cardan.trajectory.rank.closure import LocalRank, limit_accelerations
from cardan.trajectory.rank.numbers import RankNumbers
from cardan.trajectory.rank.passage import Passage
from cardan.trajectory.rank.states import pull_beside
from cardan.trajectory.rank.thresholds import AT_CROSSING, DIVERGENT, MOST_FREEDOMS
from cardan.trajectory.rank.unfolding import Unfolding

Vector = NDArray[np.float64]


def tangents(branches: Branches) -> list[Vector]:
    """The tangents of all branches, as a user reads them."""
    return [one.tangents if one.dimension > 1 else one.tangent for one in branches]


def crossing_records(
    numbers: RankNumbers, t: float, y: Vector, is_holonomic: NDArray[np.bool_], passage: Passage, *, rests: bool
) -> tuple[EventRecord, ...]:
    """The loss and return of rank at (t, y) on a passage, and the branch taken where several meet.

    While stops are closed (``rests``), forces are read off the passage: those of constraints and contacts together.
    """
    local = numbers.local(t, y, AT_CROSSING)
    listed = _once(lambda: numbers.branches(t, y, AT_CROSSING) if local.kernel.shape[1] <= MOST_FREEDOMS else None)
    if rests:
        vd = passage.rates(np.array([t]))[0, numbers.kernel.nq :]
        forces: dict[str, Any] = {"limit_force": local.terms.M @ vd + local.terms.h, "limit_acceleration": vd}
    else:
        limits = _once(lambda: limit_accelerations(local, numbers.extension(t, y)))
        forces = {
            "limit_force": lambda: limits()[1],
            "limit_acceleration": lambda: limits()[0],
            "divergent": lambda: _diverges(numbers, local, t, y, *limits()[1:]),
        }
    shared: dict[str, Any] = {
        "kappa": local.kappa,
        "rank": local.rank,
        "generic_rank": numbers.reference.rank,
        "freedoms": local.kernel.shape[1],
        "energy_change": 0.0,
        "window": (passage.t, passage.end),
        "branches": lambda: [] if listed() is None else tangents(listed()),
        **forces,
    }
    what = (
        f"The constraints lost {local.corank} of their rank {numbers.reference.rank} and regained it; the motion went "
        "through in the closure of their row space, with continuous velocity."
    )
    found = [EventRecord("rank-change", "crossing", t, y, what, Facts(**shared))]
    null = local.scaled_null
    if np.linalg.norm(null[is_holonomic]) > np.linalg.norm(null[~is_holonomic]):  # configurations branch
        along = _direction(y, passage, t, numbers.kernel.nq)
        taken = _once(lambda: None if listed() is None else _nearest(listed(), along, local.terms.M))
        what = "Branches of motion meet here; the motion kept to the one its velocity is tangent to."
        found.append(EventRecord("branch", "bifurcation", t, y, what, Facts(**shared, taken=taken)))
    return tuple(found)


def _once(function: Callable[[], Any]) -> Callable[[], Any]:
    """The function with its first answer kept."""
    kept: list[Any] = []

    def ask() -> Any:
        if not kept:
            kept.append(function())
        return kept[0]

    return ask


def _diverges(numbers: RankNumbers, local: LocalRank, t: float, y: Vector, force: Vector, mu: Vector) -> bool:
    """Whether lost rows carry a force: more than rounding of all forces, those elsewhere and of inertia among them."""
    v, W, sizes = y[numbers.kernel.nq :], local.terms.half, typical_sizes(numbers.kernel, y, t)
    speed = float(np.max(np.abs(v) / sizes, initial=0.0))
    weight = pull_beside(numbers.system, t, y, sizes) * np.linalg.solve(W, sizes)
    forces = [W.T @ force, W.T @ local.terms.h, speed * np.linalg.solve(W, v), weight]
    return bool(len(mu)) and float(np.linalg.norm(mu)) > DIVERGENT * max(map(float, map(np.linalg.norm, forces)))


def _direction(y: Vector, passage: Passage, t: float, nq: int) -> Vector:
    """The velocity; of a motion that departs from rest its acceleration."""
    velocity, acceleration = y[nq:], passage.rates(np.array([t]))[0, nq:]
    is_moving = float(np.max(np.abs(velocity))) > AT_CROSSING * abs(passage.h) * float(np.max(np.abs(acceleration)))
    return velocity if is_moving else acceleration


def _nearest(branches: Branches, velocity: Vector, M: Vector) -> int | None:
    """Index of the branch that the velocity belongs to."""

    def distance(one: Branch) -> float:
        off = velocity - one.nearest(velocity, M)
        return float(off @ M @ off)

    return min(range(len(branches)), key=lambda k: distance(branches[k])) if len(branches) else None


def impulse_record(numbers: RankNumbers, t: float, before: Vector, after: Vector) -> EventRecord:
    """A velocity that no continuous motion has was projected to one: the impulse and the energy it took."""
    nq = numbers.kernel.nq
    M = numbers.system.terms(t, before).M
    jump = after[nq:] - before[nq:]
    lost = 0.5 * float(after[nq:] @ M @ after[nq:] - before[nq:] @ M @ before[nq:])
    what = (
        f"No continuous motion has the velocity met here: an impulse of the constraints changed it, with an energy "
        f"change of {lost:.6g}."
    )
    facts = Facts(impulse=M @ jump, velocity_change=jump, energy_change=lost)
    return EventRecord("impulse", "rank", t, before, what, facts)


def resident_record(numbers: RankNumbers, t: float, y: Vector, local: LocalRank) -> EventRecord:
    """The motion stays where rank is lost."""
    what = (
        f"The motion stays where the constraints have rank {local.rank} instead of {numbers.reference.rank}; what they "
        "no longer forbid is free."
    )
    facts = Facts(
        kappa=local.kappa,
        rank=local.rank,
        generic_rank=numbers.reference.rank,
        freedoms=local.kernel.shape[1],
        energy_change=0.0,
        branches=lambda: tangents(numbers.branches(t, y, AT_CROSSING)),
    )
    return EventRecord("rank-change", "resident", t, y, what, facts)


def snap_record(
    numbers: RankNumbers, t: float, y: Vector, after: Vector, unfolding: Unfolding, tolerance: float
) -> EventRecord:
    """Nearly bifurcating geometry was taken to bifurcate: the state ``y`` was moved to ``after``."""
    what = (
        f"The geometry misses a bifurcation by {_missed(unfolding)}, below geometry_tol = {tolerance:.0e}: the "
        "constraints were shifted by as much, and the motion goes straight through."
    )
    before, now = (float(numbers.kernel.function("energy")(t, one, numbers.p)[:2].sum()) for one in (y, after))
    facts = Facts(e=unfolding.e, shift=unfolding.shift, q=unfolding.y, moved=after - y, energy_change=now - before)
    return EventRecord("snap", "geometry", t, y, what, facts)


def near_record(t: float, y: Vector, unfolding: Unfolding | None, tolerance: float) -> EventRecord:
    """Nearly bifurcating geometry was resolved."""
    if unfolding is None:
        what = (
            "The constraints come near to losing rank here and do not lose it; the motion is resolved by short steps."
        )
        return EventRecord("branch", "near", t, y, what, Facts(e=None))
    if unfolding.e <= tolerance:
        what = (
            "Branches of motion meet here, and no passage through this place was accurate enough; the motion goes on "
            "by short steps, and the branch it takes is not certain."
        )
        return EventRecord("branch", "unwatched", t, y, what, Facts(e=unfolding.e, q=unfolding.y, certain=False))
    what = (
        f"The geometry misses a bifurcation by {_missed(unfolding)}, above geometry_tol = {tolerance:.0e}: the motion "
        "is resolved, and turns into the other mode as the rigid geometry demands."
    )
    return EventRecord("branch", "near", t, y, what, Facts(e=unfolding.e, shift=unfolding.shift, q=unfolding.y))


def _missed(unfolding: Unfolding) -> str:
    return f"e = {unfolding.e:.2e} of its size (constraints by up to {np.max(np.abs(unfolding.shift)):.2e})"
