"""Which joints make a hand singular: the smallest set of axes that depend on each other here and not usually.

The name follows geometry: axes that become parallel make a wrist singularity (a shoulder one where the first joint is
among them); a set with the first joint is a shoulder singularity; any other is one of the elbow (arm stretched or
folded).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.hand.chain import Chain, rank_of
from cardan.diagnosis.words import listed

Vector = NDArray[np.float64]
PARALLEL = 1e-6  # sine of the angle between axes


@dataclass(frozen=True)
class Cause:
    """The joints whose axes depend on each other, the name of the singularity, and the reason in words."""

    joints: tuple[str, ...]
    name: str  # "wrist", "elbow" or "shoulder"
    why: str


def cause_at(chain: Chain, q: Vector) -> Cause | None:
    """The cause of the singularity at q; None where the axes are as independent as usual."""
    here, usual = chain.screws(q), [chain.screws(one) for one in chain.drawn]

    def is_dependent(own: list[int]) -> bool:
        return rank_of(here[:, own]) < max(rank_of(one[:, own]) for one in usual)

    kept = list(range(len(chain.joints)))
    if not is_dependent(kept):
        return None
    for joint in list(kept):
        fewer = [one for one in kept if one != joint]
        if fewer and is_dependent(fewer):
            kept = fewer
    names = tuple(chain.names[one] for one in kept)
    new = _newly_parallel(here, usual, kept)
    is_first = kept[0] == 0
    if new:
        name = "shoulder" if any(0 in pair for pair in new) else "wrist"
    else:
        name = "shoulder" if is_first else "elbow"
    return Cause(names, name, _words(here, kept, new, chain.names, chain.length))


def _newly_parallel(here: Vector, usual: list[Vector], own: list[int]) -> list[tuple[int, int]]:
    """Pairs of turning axes that are parallel here and not usually."""

    def sine(S: Vector, i: int, j: int) -> float:
        return float(np.linalg.norm(np.cross(S[3:, i], S[3:, j])))

    turning = [one for one in own if np.linalg.norm(here[3:, one]) > 0.5]
    return [
        (i, j)
        for a, i in enumerate(turning)
        for j in turning[a + 1 :]
        if sine(here, i, j) < PARALLEL and max(sine(S, i, j) for S in usual) > 1e-3
    ]


def _words(here: Vector, own: list[int], new: list[tuple[int, int]], names: list[str], length: float) -> str:
    listed_names = listed([names[one] for one in own])
    if new:
        i, j = min(new, key=lambda pair: pair[1] - pair[0])
        w = here[3:, i]
        apart = np.linalg.norm(np.cross(w, _foot(here, i) - _foot(here, j)))
        how = "coincide" if apart < 1e-6 else f"are parallel, {apart * length:.4g} m apart"
        rest = "" if len(own) == 2 else f"; with them the axes of {listed_names} depend on each other"
        return f"the axes of {names[i]} and {names[j]} {how}{rest}"
    axes = here[3:, own]
    if rank_of(axes) == 1 and np.linalg.norm(axes, axis=0).min() > 0.5:
        return f"the axes of {listed_names} are parallel and lie in one plane: the arm is stretched or folded"
    return f"the axes of {listed_names} depend on each other"


def _foot(here: Vector, k: int) -> Vector:
    """The point of an axis nearest to the origin, in sizes of the arm."""
    v, w = here[:3, k], here[3:, k]
    return np.cross(w, v) / (w @ w)
