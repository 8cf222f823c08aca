"""Random constrained systems that rest, or rest on a turntable: where linear equations can be asked for.

A family is drawn by `random_constraints.py`; a driven one is put on a table that turns at a constant rate about the
direction of gravity, either prescribed or by a constraint that moves, and everything that was tied to the world is tied
to the table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import cardan as cd
from support.build_models import magnitudes
from support.random_constraints import Constrained, draw_constrained
from support.random_models import Amount, BodyPlan, LoadPlan, Step

FAMILIES = ("holonomic", "nonholonomic", "redundant", "driven", "quaternions")
LOOPS = ("Ball", "Distance", "Universal", "Revolute", "Cylindrical", "Typed")
ROLLING = ("Velocity", "NoSlip", "NoSpin")
RATE = 0.7  # of the table


@dataclass(frozen=True)
class Case:
    """A system and the state about which it is linearised."""

    name: str
    system: cd.System
    q: Any
    v: Any
    signals: dict[str, Any]


def draw_case(family: str, seed: int) -> Case | None:
    """A random system of a family at a rest of it; None where this drawing has none that is isolated from singular
    places."""
    constrained = _drawn(family, seed)
    if constrained is None:
        return None
    signals = {"loads": magnitudes(constrained.plan)}
    name = f"{family} {seed}"
    if family != "driven":
        return _at_rest(name, constrained.system, signals)
    table = _on_a_table(constrained)
    turning = _said(table)
    turning.prescribe(turning.model.q[0], RATE * turning.time)
    found = _at_rest(name, turning, signals)
    if found is None or seed % 2:
        return found
    tied = _said(table)
    tied.constrain(tied.model.q[0] - RATE * tied.time, name="drive")
    q, v = np.concatenate([[0.0], found.q]), np.zeros(len(found.v) + 1)
    v[0] = RATE
    return Case(name, tied, q, v, signals)


def _drawn(family: str, seed: int) -> Constrained | None:
    kinds = {"nonholonomic": ROLLING, "holonomic": LOOPS}.get(family, LOOPS + ROLLING)
    found = draw_constrained(1000 + seed, 1 + seed % 3, kinds, redundant=family == "redundant")
    has = found.plan.has_quaternions
    if (family == "quaternions") != has and family in ("quaternions", "driven"):
        return None
    return found if found.ties and len(found.plan.v) <= 9 else None


def _at_rest(name: str, s: cd.System, signals: dict[str, Any]) -> Case | None:
    rests = s.equilibria(seeds=8, loads=signals["loads"])
    for one in rests:
        if _is_far_from_singular(one.place):
            return Case(name, s, one.q, np.zeros(one.place.kernel.nv), signals)
    return None


def _is_far_from_singular(place: Any) -> bool:
    """Whether inertia and constraints are those of a typical configuration: elsewhere no run is short and accurate."""
    terms = place.kernel.numbers(place.p).terms(place.t, place.y)
    kappa = place.reference.kappa_of(terms.A @ terms.half) if place.reference is not None else 1.0
    return bool(np.linalg.cond(terms.M) < 1e4 and kappa > 0.01)


# --- a table that turns ------------------------------------------------------------------------------


def _on_a_table(constrained: Constrained) -> Constrained:
    plan, up = constrained.plan, lambda k: k + 1  # the table is the first body, and stands for the world (-1)
    axis = tuple(np.array(plan.gravity) / np.linalg.norm(plan.gravity))
    angle = Amount("q0")
    options = {"axis": axis, "amounts": [angle]}
    table = BodyPlan("table", -1, "Revolute", options, (Step("turn", axis, angle),), 1.0, np.eye(3), (0.0, 0.0, 0.0))
    on_it = replace(
        plan,
        bodies=[table, *(replace(one, parent=up(one.parent)) for one in plan.bodies)],
        coordinates=["q0", *plan.coordinates],
        variables=["q0", *plan.variables],
        springs=[replace(one, first=up(one.first), second=up(one.second)) for one in plan.springs],
        dampers=[replace(one, first=up(one.first), second=up(one.second)) for one in plan.dampers],
        loads=[_load_on_it(one) for one in plan.loads],
        q=[0.0, *plan.q],
        v=[0.0, *plan.v],
    )
    ties = [
        replace(one, first=up(one.first), second=up(one.second), carrier=up(one.carrier)) for one in constrained.ties
    ]
    return Constrained(on_it, ties)


def _load_on_it(load: LoadPlan) -> LoadPlan:
    against = None if load.against is None else load.against + 1
    return replace(load, body=load.body + 1, carrier=load.carrier + 1, against=against)


def _said(constrained: Constrained) -> cd.System:
    return Constrained(constrained.plan, constrained.ties).system
