"""Loads that constraints carry, but not where they lose rank: there a motion is free along which the load works."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.indicators import SINGULAR
from cardan.diagnosis.judges.cloud import CUT, Cloud
from cardan.diagnosis.judges.constraints import ConstraintJudge
from cardan.diagnosis.judges.nearest import nearest_singular
from cardan.diagnosis.words import listed, number

Vector = NDArray[np.float64]

FEW = 3  # starts here and around here from which configurations are sought where constraints lose rank
ACTS = 1e-3  # of a load: the part along the allowed velocities that counts as an effect
CHANGED = 1e-2  # of the way there: a coordinate that moves by less of the box has no part in it


@dataclass(frozen=True)
class Freed:
    """A configuration where constraints lose rank and a load acts; the rank they have elsewhere."""

    state: Vector
    text: str
    rank: int


def loses_rank(cloud: Cloud, y: Vector) -> bool:
    """Whether the constraints allow more velocities here than nearby."""
    return bool(cloud.allowed(y).shape[1] > cloud.allowed(cloud.nearby[0]).shape[1])


def freed_accelerations(cloud: Cloud, y: Vector, weights: Vector) -> Vector:
    """Accelerations by a load alone from rest, along the velocities that constraints allow here: Z^T M Z a = Z^T Q."""
    Q = cloud.jacobians(y[None])[0].T @ (cloud.loads(y[None])[0] @ weights)
    M, Z = cloud.batch("mass_matrix", y[None]).reshape(cloud.n, cloud.n), cloud.allowed(y)
    return np.asarray(Z @ np.linalg.lstsq(Z.T @ M @ Z, Z.T @ Q, rcond=CUT)[0])


def moving_parts(cloud: Cloud, rates: Vector) -> list[str]:
    """The accelerations that are more than rounding, by name."""
    sizes = np.abs(rates * cloud.metric)
    moves = sizes > SINGULAR * np.max(sizes, initial=0.0)
    return [f"{one} by {number(x)}" for one, x, used in zip(cloud.names, rates.tolist(), moves, strict=True) if used]


def where_freed(cloud: Cloud, etas: Callable[[Vector], Vector], y: Vector) -> Freed | None:
    """A configuration where constraints lose rank and the load acts, if one is found from here and around here.

    ``etas`` is the part of the load along the allowed velocities, for many states.
    """
    judge = ConstraintJudge(cloud, y) if cloud.m else None
    if judge is None or judge.generic == 0:
        return None
    for start in [cloud.timed(y), *cloud.nearby[:FEW], *cloud.states[:FEW]]:
        approach = nearest_singular(cloud, judge.kappas, start)
        if approach.is_reached and float(etas(approach.state[None])[0]) > ACTS:
            changed = np.abs(approach.step) > CHANGED * cloud.box * approach.distance
            parts = [
                f"{one} = {number(float(x))}"
                for one, x, moved in zip(cloud.names, approach.state, changed, strict=False)
                if moved
            ]
            return Freed(approach.state, listed(parts), judge.generic)
    return None
