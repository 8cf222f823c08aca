"""Random constraints on random trees: as plain data, said with the public API, and as rows of their own.

Lengths, points and axes are chosen so that the constraints hold at the plan's configuration. `Rows` forms phi, A and b
from the poses of `lagrange_by_plan.py` by differentiation; nothing of Cardan's kinematics or constraints is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import Any

import numpy as np

import cardan as cd
from cardan.graph import evaluate, gradient, jvp
from support.build_models import build
from support.lagrange_by_plan import Lagrangian
from support.random_models import JOINTS, Plan, draw, draw_kinds

KINDS = ("Ball", "Distance", "Universal", "Revolute", "Cylindrical", "Typed", "Velocity", "NoSlip", "NoSpin")
COUNTS = {"Ball": 3, "Distance": 1, "Universal": 4, "Revolute": 5, "Cylindrical": 4}


@dataclass(frozen=True)
class Tie:
    """One constraint between bodies ``first`` and ``second`` (-1: the world), at points, along axes, with factors."""

    kind: str
    name: str
    first: int = -1
    second: int = -1
    here: tuple[float, ...] = (0.0, 0.0, 0.0)
    there: tuple[float, ...] = (0.0, 0.0, 0.0)
    axis: tuple[float, ...] = (1.0, 0.0, 0.0)
    other: tuple[float, ...] = (1.0, 0.0, 0.0)
    factors: tuple[float, ...] = ()
    names: tuple[str, ...] = ()
    carrier: int = -1


@dataclass
class Constrained:
    """A plan and its ties."""

    plan: Plan
    ties: list[Tie] = field(default_factory=list)

    @cached_property
    def system(self) -> cd.System:
        s = build(self.plan)
        bodies = [*s.model.bodies, s.world]
        symbols = {str(symbol): symbol for symbol in s.model.q}
        rates = {name: symbols[name].dot for name in self.plan.coordinates}
        for tie in self.ties:
            say(s, bodies, tie, symbols | {"t": s.time}, rates)
        return s


def say(s: cd.System, bodies: Sequence[Any], tie: Tie, q: dict[str, Any], v: dict[str, Any]) -> None:
    """One tie with the public API."""
    first, second = bodies[tie.first], bodies[tie.second]
    here, there = first.point(*tie.here), second.point(*tie.there)
    along = bodies[tie.carrier].vector(*tie.axis)
    match tie.kind:
        case "Ball":
            s.connect(here, there, cd.Ball(), name=tie.name)
        case "Distance":
            s.distance(here, there, tie.factors[0], name=tie.name)
        case "Universal":
            cross = cd.Universal(tie.axis, None, two_across(tie.axis)[0], None)
            s.connect(here, there, cross, second_axis=tie.other, name=tie.name)
        case "Revolute":
            s.connect(here, there, cd.Revolute(tie.axis), second_axis=tie.other, name=tie.name)
        case "Cylindrical":
            s.connect(here, there, cd.Cylindrical(tie.axis), second_axis=tie.other, name=tie.name)
        case "Typed":
            s.constrain(typed(tie, q), name=tie.name)
        case "Velocity":
            s.constrain_velocity(velocity(tie, q, v), name=tie.name)
        case "NoSlip":
            s.no_slip(on=first, point=here, along=along, relative_to=second, name=tie.name)
        case "NoSpin":
            s.no_spin(on=first, about=along, relative_to=second, name=tie.name)


def typed(tie: Tie, q: dict[str, Any]) -> Any:
    """c0 + c1 a + c2 b + c3 a b + c4 t, in the numbers of ``q``."""
    a, b = (q[name] for name in tie.names)
    c = tie.factors
    return c[0] + c[1] * a + c[2] * b + c[3] * a * b + c[4] * q["t"]


def velocity(tie: Tie, q: dict[str, Any], v: dict[str, Any]) -> Any:
    """(c0 + c1 a b) ad + c2 bd + c3 a + c4 with c3 = c4 = 0 where nothing drives."""
    a, b = (q[name] for name in tie.names)
    ad, bd = (v[name] for name in tie.names)
    c = tie.factors
    return (c[0] + c[1] * a * b) * ad + c[2] * bd + c[3] * a + c[4]


class Rows:
    """phi, A and b of the ties, from poses alone."""

    def __init__(self, constrained: Constrained) -> None:
        self.plan, self.ties = constrained.plan, constrained.ties
        self.motion = Lagrangian(self.plan)
        self.rates: list[Any] = []
        self.phi: list[Any] = []
        for tie in self.ties:
            self._form(tie)

    def _form(self, tie: Tie) -> None:
        L = self.motion
        p1, p2 = L.point(tie.first, tie.here), L.point(tie.second, tie.there)
        R1, R2 = L.poses[tie.first][0], L.poses[tie.second][0]
        gap = p2 - p1
        if tie.kind in ("Ball", "Universal", "Revolute"):
            self._close(list(gap))
        if tie.kind == "Distance":
            self._close([L._node(gap @ gap).sqrt() - tie.factors[0]])
        elif tie.kind == "Universal":
            self._close([(R1 @ np.array(tie.axis)) @ (R2 @ np.array(tie.other))])
        elif tie.kind in ("Revolute", "Cylindrical"):
            a = R1 @ np.array(tie.axis)
            self._close([a @ (R2 @ across) for across in two_across(tie.other)])
            if tie.kind == "Cylindrical":
                self._close([(R1 @ across) @ gap for across in two_across(tie.axis)])
        elif tie.kind == "Typed":
            self._close([typed(tie, L.value)])
        elif tie.kind == "Velocity":
            v = {name: L.v[self._index(name)] for name in tie.names}
            self.rates.append(velocity(tie, L.value, v))
        elif tie.kind in ("NoSlip", "NoSpin"):
            along = L.poses[tie.carrier][0] @ np.array(tie.axis)
            turning = self.omega(tie.first) - self.omega(tie.second)
            moving = self.speed(tie.first, p1) - self.speed(tie.second, p1)
            self.rates.append(along @ (moving if tie.kind == "NoSlip" else turning))

    def _index(self, name: str) -> int:
        return next(iv for (_, iv, _), one in zip(self.motion.spans, self.plan.variables, strict=True) if one == name)

    def _close(self, phi: list[Any]) -> None:
        self.phi += phi
        self.rates += self.motion.rates(phi)

    def omega(self, body: int) -> Any:
        """Angular velocity in the world."""
        return self.motion.poses[body][0] @ self.motion.spin(body) if body >= 0 else np.zeros(3)

    def speed(self, body: int, place: Any) -> Any:
        """Velocity of the material point of a body that is at a place."""
        if body < 0:
            return np.zeros(3)
        p = self.motion.poses[body][1]
        return np.array(self.motion.rates(list(p))) + np.cross(self.omega(body), place - p)

    # --- numbers -----------------------------------------------------------------------------------

    def _nodes(self, values: Sequence[Any]) -> list[Any]:
        return [self.motion._node(x) for x in values]

    @cached_property
    def A(self) -> np.ndarray:
        L, rates = self.motion, self._nodes(self.rates)
        return np.array([L.numbers(gradient(rate, L.v)) for rate in rates]).reshape(len(rates), len(L.v))

    @cached_property
    def b(self) -> np.ndarray:
        L = self.motion
        drift = jvp(self._nodes(self.rates), [*L.q, L.t], [*L.qd, L.graph.one])
        return -L.numbers(drift)

    @cached_property
    def residual(self) -> np.ndarray:
        return self.motion.numbers(self.phi)

    @cached_property
    def speed_residual(self) -> np.ndarray:
        """A v + b0."""
        return self.motion.numbers(self.rates)

    @cached_property
    def load(self) -> np.ndarray:
        """h = f + g - Q."""
        terms = self.motion.terms
        return terms["f"] + terms["g"] - terms["Q"]

    def solution(self) -> tuple[np.ndarray, np.ndarray]:
        """(vd, A^T lam) from the dense system [[M, -A^T], [A, 0]], by least squares where rows depend."""
        M, A = self.motion.mass_matrix, self.A
        K = np.block([[M, -A.T], [A, np.zeros((len(A), len(A)))]])
        found = np.linalg.lstsq(K, np.concatenate([-self.load, self.b]), rcond=1e-11)[0]
        return found[: len(M)], A.T @ found[len(M) :]


def two_across(axis: Sequence[float]) -> np.ndarray:
    """Two unit vectors across an axis."""
    return np.linalg.svd(np.array(axis, dtype=float).reshape(1, 3))[2][1:]


# --- drawing -----------------------------------------------------------------------------------------


MOVING = tuple(kind for kind in JOINTS if kind != "Fixed")


def draw_constrained(
    seed: int, bodies: int, kinds: Sequence[str] = KINDS, *, rheonomic: bool = False, redundant: bool = False
) -> Constrained:
    """A tree with independent ties that hold at its configuration and leave at least one freedom.

    With ``redundant`` one of them is said twice, so that its rows depend on each other everywhere.
    """
    random = Random(seed)
    plan = draw(seed, draw_kinds(seed, bodies, MOVING))
    found = Constrained(plan)
    used, room = 0, len(plan.v) - 1
    motion = Lagrangian(plan)
    choice = random.sample(list(kinds), len(kinds))
    for k in range(3 * len(choice)):
        kind = choice[k % len(choice)]
        count = COUNTS.get(kind, 1)
        if used + count <= room and (k < len(choice) or not found.ties):
            tie = _draw_tie(random, motion, plan, kind, f"tie{len(found.ties) + 1}", rheonomic)
            if tie is not None and _are_independent(plan, [*found.ties, tie]):
                found.ties.append(tie)
                used += count
    if redundant and found.ties:
        found.ties.append(replace(random.choice(found.ties), name="again"))
    return found


def _are_independent(plan: Plan, ties: list[Tie]) -> bool:
    """Whether the rows of these ties are far from dependent on each other."""
    values = np.linalg.svd(Rows(Constrained(plan, ties)).A, compute_uv=False)
    return bool(values[-1] > 0.02)


def _draw_tie(random: Random, L: Lagrangian, plan: Plan, kind: str, name: str, rheonomic: bool) -> Tie | None:
    def number(low: float, high: float) -> float:
        return low + (high - low) * random.random()

    def triple(size: float = 0.6) -> np.ndarray:
        return np.array([number(-size, size) for _ in range(3)])

    def unit() -> np.ndarray:
        x = triple() + 0.05
        return x / np.linalg.norm(x)

    def pose(k: int) -> tuple[np.ndarray, np.ndarray]:
        R, p = L.poses[k]
        return L.numbers(list(np.ravel(R))).reshape(3, 3), L.numbers(list(p))

    if kind in ("Typed", "Velocity"):
        if len(plan.coordinates) < 2:
            return None
        names = tuple(random.sample(plan.coordinates, 2))
        c = [number(0.5, 1.5) for _ in range(5)]
        if not rheonomic:
            c[3:] = [c[3] if kind == "Typed" else 0.0, 0.0]
        tie = Tie(kind, name, names=names, factors=tuple(c))
        if kind == "Typed":
            values = {one: L.numbers([L.value[one]])[0] for one in names} | {"t": plan.t}
            tie = Tie(kind, name, names=names, factors=(c[0] - typed(tie, values), *c[1:]))
        return tie
    second = random.randrange(len(plan.bodies))
    first = random.choice([k for k in range(-1, len(plan.bodies)) if k != second])
    if kind in ("NoSlip", "NoSpin"):
        carrier = random.choice([-1, second])
        return Tie(kind, name, second, first, tuple(triple()), axis=tuple(unit()), carrier=carrier)
    (R1, p1), (R2, p2) = pose(first), pose(second)
    here, axis = triple(), unit()
    place = p1 + R1 @ here
    if kind == "Distance":
        there = triple()
        length = float(np.linalg.norm(p2 + R2 @ there - place))
        return Tie(kind, name, first, second, tuple(here), tuple(there), factors=(length,))
    if kind == "Cylindrical":
        place = place + R1 @ axis * 0.3
    other = R2.T @ R1 @ axis
    if kind == "Universal":
        other = R2.T @ R1 @ two_across(axis)[0]
    there = R2.T @ (place - p2)
    return Tie(kind, name, first, second, tuple(here), tuple(there), tuple(axis), tuple(other / np.linalg.norm(other)))


def settle(constrained: Constrained, seed: int, size: float = 1e-3) -> None:
    """Disturb the configuration, let Cardan assemble it again, and give it a velocity that the rows allow."""
    plan, rng = constrained.plan, np.random.default_rng(seed)
    guess = np.array(plan.q) + size * rng.uniform(-1, 1, len(plan.q))
    at = 0
    for name in plan.variables:
        if name not in plan.coordinates:
            guess[at : at + 4] /= np.linalg.norm(guess[at : at + 4])
        at += 1 if name in plan.coordinates else 4
    plan.q = constrained.system.assemble(guess, t=plan.t, seeds=1)[0].q.tolist()
    rows = Rows(constrained)
    A, wanted = rows.A, rng.uniform(-1, 1, len(plan.v))
    at_rest = np.array(
        [float(x) for x in evaluate(rows._nodes(rows.rates), rows.motion._inputs(0 * wanted, 0 * wanted))]
    )
    plan.v = (wanted - np.linalg.lstsq(A, A @ wanted + at_rest, rcond=1e-11)[0]).tolist()
