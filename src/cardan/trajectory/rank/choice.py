"""Starts from which no branch is preferred: refused with the list of branches, or decided by the user."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.errors import StartError
from cardan.singular.records import EventRecord
from cardan.trajectory.rank.branches import Branch, Branches
from cardan.trajectory.rank.numbers import RankNumbers
from cardan.trajectory.rank.states import RankState
from cardan.trajectory.rank.thresholds import DECIDED

Vector = NDArray[np.float64]

RULES = (None, "max_energy", "never")  # for velocities that no continuous motion has


def checked_rule(project: str | None) -> str | None:
    """The rule as given to a run."""
    if project not in RULES:
        known = ", ".join(map(repr, RULES))
        raise StartError(f"project={project!r} is unknown. It is one of {known}; see also branch=.", project=project)
    return project


def refused_impulse(numbers: RankNumbers, t: float, jump: EventRecord, *, begins: bool) -> str:
    """Why a run with project="never" ends here; at its start it is refused."""
    where = "At its start" if begins else f"At t = {t:.6g}"
    cost = jump.number("energy_change")
    words = (
        f"{where} {numbers.kernel.model.name!r} has a velocity that no continuous motion has, where its constraints "
        f"lose rank. An impulse would change the energy by {cost:.6g}; project='never' forbids it. Without that "
        "setting it acts and is recorded."
    )
    if begins:
        raise StartError(words, energy_change=cost)
    return words


def held_there(numbers: RankNumbers, t: float, contacts: Sequence[str]) -> str:
    """Why a run ends that rests on stops at a singular configuration and does not move across it."""
    return (
        f"{numbers.kernel.model.name!r} rests on {', '.join(contacts)} where its constraints lose rank, and its "
        "velocity does not lead across: how it goes on there with these contacts closed is not decided. Start away "
        "from the singular configuration, or with a velocity along one of its branches (s.branches)."
    )


def chosen_state(
    numbers: RankNumbers, t: float, y: Vector, state: RankState, branch: int | ArrayLike | None, project: str | None
) -> RankState:
    """The state on the branch that the user chose (by index or tangent), or that keeps the most energy."""
    found = numbers.branches(t, y, DECIDED)
    if branch is None and project != "max_energy":
        raise no_preferred_branch(numbers, t, y)
    terms = numbers.system.terms(t, y)
    if branch is not None:
        taken = _named(found, branch, terms.M)
    else:
        if not len(found) or not np.any(y[numbers.kernel.nq :]):
            raise no_preferred_branch(numbers, t, y)
        taken = found[int(np.argmax(retained(found, y[numbers.kernel.nq :], terms.M)))]
    velocity = taken.nearest(y[numbers.kernel.nq :], terms.M)
    T = taken.tangents
    acceleration = T @ np.linalg.solve(T.T @ terms.M @ T, -T.T @ terms.h)
    if taken.rank < numbers.reference.rank:
        return RankState("resident", velocity, acceleration)
    return RankState("crossing", velocity, acceleration)


def _named(found: Branches, branch: int | ArrayLike | None, M: Vector) -> Branch:
    """The branch by its index, or the one that a given tangent belongs to."""
    if isinstance(branch, (int, np.integer)):
        if not 0 <= int(branch) < len(found):
            raise StartError(f"branch={branch} is not among the {len(found)} branches found.", branch=branch)
        return found[int(branch)]
    tangent = np.asarray(branch, dtype=float).ravel()
    if len(tangent) != len(M):
        raise StartError(f"branch has {len(tangent)} numbers, expected an index or {len(M)} velocities.")
    off = [tangent - one.nearest(tangent, M) for one in found]
    sizes = [float(x @ M @ x) / float(tangent @ M @ tangent) for x in off]
    if not sizes or min(sizes) > 1e-4:
        raise StartError(f"The direction given as branch= belongs to none of the {len(found)} branches found.")
    return found[int(np.argmin(sizes))]


def retained(found: Branches, velocity: Vector, M: Vector) -> list[float]:
    """The share of kinetic energy that the nearest velocity on each branch keeps."""
    energy = float(velocity @ M @ velocity)
    near = [one.nearest(velocity, M) for one in found]
    return [float(v @ M @ v) / energy if energy > 0 else 0.0 for v in near]


def no_preferred_branch(numbers: RankNumbers, t: float, y: Vector, *, on_the_way: bool = False) -> StartError:
    """Branches meet here and the velocity belongs to none of them: the list, with what each would keep.

    ``on_the_way``: not at the start of a run; then only an impact can have made such a velocity.
    """
    if numbers.is_driven(t, y) and not on_the_way:
        return StartError(
            f"{numbers.kernel.model.name!r} starts where its constraints lose rank, driven by what they prescribe in "
            "time, and the velocity given belongs to no motion through this place. Give the velocities of one of these "
            "motions, or start a moment before, from where it is carried across."
        )
    found = numbers.branches(t, y, DECIDED)
    velocity = y[numbers.kernel.nq :]
    M = numbers.system.terms(t, y).M
    names = [str(symbol) for symbol in numbers.kernel.model.v]
    keeps = retained(found, velocity, M)
    lines = [f"{k}: {_words(one, names)}" + (f" keeps {100 * keeps[k]:.4g} %" if any(velocity) else "")
             for k, one in enumerate(found)]  # fmt: skip
    why = "its velocity belongs to none of them" if any(velocity) else "it rests there, and forces pull it off"
    listed = "; ".join(lines) or "none was found"
    where = f"at t = {t:.6g} in the motion of" if on_the_way else "at the start of"
    stops = ", ".join(one.name for one in numbers.kernel.model.stops)
    why += f" (a stop, of {stops}, was hit where constraints lose rank)" if on_the_way and stops else ""
    remedy = "Choose one with branch=index, or give a velocity along one"  # from rest no branch keeps more than others
    if on_the_way:
        remedy = "With project='max_energy' it goes on along the one that keeps most"
    elif any(velocity):
        remedy = "Choose one with branch=index, give a velocity along one, or use project='max_energy'"
    return StartError(
        f"{len(found)} branches of motion meet {where} {numbers.kernel.model.name!r}, and {why}, so that none "
        f"is preferred. Branches{' (energy kept)' if any(velocity) else ''}: {listed}. {remedy}.",
        branches=[one.tangents if one.dimension > 1 else one.tangent for one in found],
        retained=keeps,
    )


def _words(branch: Branch, names: list[str]) -> str:
    columns = [
        ", ".join(f"{name} = {value:.6g}" for name, value in zip(names, column, strict=True) if value != 0.0)
        for column in branch.tangents.T
    ]
    return "(" + ") and (".join(columns) + ")"
