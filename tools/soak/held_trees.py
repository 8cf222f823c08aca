"""Trees with a hinge or slide that rubs or meets a stop: MuJoCo's mass matrix and accelerations, events by SciPy.

The reference is of its own: while the joint slides, friction pushes against it; while it sticks, the force that holds
it is found from M^-1; where it meets its stop, the impulse is (1 + e) v / (M^-1)_jj. Nothing of MuJoCo's own contacts,
limits and friction is used, which are soft.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp

import cardan as cd
from tools.soak import trees
from tools.soak.judging import Answer, Case, Family, Vector, answer

ALLOWED = 1e-6  # of the state: an event is located to 1e-9 on both sides, and a tree makes more of it afterwards
MOST_IMPACTS = 5


def drawn(rng: np.random.Generator) -> Case:
    """A tree with a hinge or a slide."""
    while True:
        case = trees.draw(rng)
        held = [k for k, one in enumerate(case["bodies"]) if one["kind"] in ("hinge", "slide")]
        if held:
            return {**case, "held": int(rng.choice(held))}


def draw_rubbed(rng: np.random.Generator) -> Case:
    return {**drawn(rng), "friction": float(rng.uniform(0.05, 3.0))}


def draw_stopped(rng: np.random.Generator) -> Case:
    return {**drawn(rng), "way": float(rng.uniform(0.02, 0.4)), "restitution": float(rng.uniform(0.6, 1.0))}


class Reference:
    """The tree in MuJoCo, as equations with a force on the held joint."""

    def __init__(self, case: Case) -> None:
        import mujoco

        self.case, self.mujoco = case, mujoco
        self.model = mujoco.MjModel.from_xml_string(trees.in_mujoco(case))
        self.data = mujoco.MjData(self.model)
        self.order = [int(self.model.body(f"b{k}").jntadr[0]) for k in range(len(case["bodies"]))]
        self.nq, q0, v0 = self.model.nq, np.zeros(self.model.nq), np.zeros(self.model.nv)
        self.at_q: list[int] = []
        self.at_v: list[int] = []
        for k, one in zip(self.order, case["bodies"], strict=True):
            a, b = int(self.model.jnt_qposadr[k]), int(self.model.jnt_dofadr[k])
            q0[a : a + len(one["q"])], v0[b : b + len(one["v"])] = one["q"], one["v"]
            self.at_q += range(a, a + len(one["q"]))
            self.at_v += range(b, b + len(one["v"]))
        held = self.order[case["held"]]
        self.q, self.v = int(self.model.jnt_qposadr[held]), self.nq + int(self.model.jnt_dofadr[held])
        self.y = np.concatenate([q0, v0])

    def free(self, y: Vector) -> tuple[Vector, Vector]:
        """(accelerations without a force on the held joint, what a unit force on it adds)."""
        self.data.qpos[:], self.data.qvel[:] = y[: self.nq], y[self.nq :]
        self.mujoco.mj_forward(self.model, self.data)
        unit, moved = np.zeros((1, self.model.nv)), np.zeros((1, self.model.nv))
        unit[0, self.v - self.nq] = 1.0
        self.mujoco.mj_solveM(self.model, self.data, moved, unit)
        return self.data.qacc.copy(), moved[0]

    def holding(self, y: Vector) -> float:
        """The force that keeps the held joint from accelerating."""
        a, w = self.free(y)
        return float(-a[self.v - self.nq] / w[self.v - self.nq])

    def follow(
        self,
        t: float,
        force: Callable[[Vector], float],
        event: Callable[[Vector], float],
        way: float,
        end: float = trees.DURATION,
    ) -> float:
        """Move on under a force until an event function passes through zero that way, or to the end; the time there."""

        def rhs(_: float, y: Vector) -> Vector:
            a, w = self.free(y)
            return np.concatenate([trees.rates(self.case, self.order, self.model, y), a + w * force(y)])

        def watched(_: float, y: Vector) -> float:
            return event(y)

        watched.terminal, watched.direction = True, way  # type: ignore[attr-defined]
        made = solve_ivp(rhs, (t, end), self.y, method="DOP853", rtol=1e-10, atol=1e-12, events=watched, max_step=0.05)
        self.y = made.y[:, -1]
        return float(made.t[-1])

    @property
    def end(self) -> Vector:
        """The state in Cardan's order."""
        return np.concatenate([self.y[: self.nq][self.at_q], self.y[self.nq :][self.at_v]])


def rubbed_end(case: Case) -> Vector:
    """The final state with dry friction of a given size on the held joint."""
    one, c, t = Reference(case), case["friction"], 0.0
    while t < trees.DURATION:
        moving = np.sign(one.y[one.v])
        if not moving and abs(one.holding(one.y)) <= c:
            t = one.follow(t, one.holding, lambda y: abs(one.holding(y)) - c, 1)
            one.y[one.v] = 0.0
            if t >= trees.DURATION:
                break
        s = moving or -np.sign(one.holding(one.y))
        t = one.follow(t, lambda _, s=s: -c * s, lambda y: y[one.v], -s)  # type: ignore[misc]
        if t < trees.DURATION:
            one.y[one.v] = 0.0
    return one.end


def stopped_end(case: Case) -> tuple[Vector, float]:
    """(final state with a stop in the way of the held joint, when): between two impacts where there are many."""
    one, impacts, t = Reference(case), 0, 0.0
    side = np.sign(one.y[one.v]) or 1.0
    wall = one.y[one.q] + side * case["way"]

    def gap(y: Vector) -> float:
        return float(y[one.q] - wall)

    while t < trees.DURATION:
        begun, start = t, one.y.copy()
        t = one.follow(t, lambda _: 0.0, gap, side)
        if t >= trees.DURATION:
            break
        if impacts == MOST_IMPACTS:
            one.y, t = start, (begun + t) / 2
            one.follow(begun, lambda _: 0.0, gap, side, t)
            break
        _, w = one.free(one.y)
        one.y[one.nq :] -= (1 + case["restitution"]) * one.y[one.v] * w / w[one.v - one.nq]
        impacts += 1
    return one.end, t


def compare_rubbed(case: Case) -> Answer:
    expected, one = rubbed_end(case), case["bodies"][case["held"]]
    length, mass, period = case["units"]
    s = trees.in_cardan(case)
    unit = mass * length**2 / period**2 if one["kind"] == "hinge" else mass * length / period**2
    s.friction(_held(case, s), coefficient=1, normal=case["friction"] * unit)
    return _judged(case, s, expected, trees.DURATION)


def compare_stopped(case: Case) -> Answer:
    expected, end = stopped_end(case)
    one, length = case["bodies"][case["held"]], case["units"][0]
    s = trees.in_cardan(case)
    q, size = _held(case, s), length if one["kind"] == "slide" else 1.0
    side = np.sign(one["v"][0]) or 1.0
    s.stop(side * ((one["q"][0] + side * case["way"]) * size - q), restitution=case["restitution"])
    return _judged(case, s, expected, end)


def _held(case: Case, s: cd.System) -> sp.Symbol:
    """The coordinate of the held joint."""
    return next(q for q in s.model.q if str(q) == f"q{case['held']}")


def _judged(case: Case, s: cd.System, expected: Vector, end: float) -> Answer:
    unit_q, unit_v = trees.measures(case)
    q = np.concatenate([one["q"] for one in case["bodies"]]) * unit_q
    v = np.concatenate([one["v"] for one in case["bodies"]]) * unit_v
    run = s.simulate(end * case["units"][2], q=q, v=v, rtol=1e-9, atol=1e-12)
    return answer(run, np.concatenate([run.q[-1] / unit_q, run.v[-1] / unit_v]), expected, ALLOWED, 1.0)


def simpler(case: Case) -> Iterator[Case]:
    """As trees, as long as the held joint is there."""
    for one in trees.simpler(case):
        if case["held"] < len(one["bodies"]):
            yield one


STICKS = "MuJoCo's M and accelerations, stick and slip by SciPy's events"
RUBBED = Family("trees that rub", STICKS, draw_rubbed, compare_rubbed, simpler)
IMPACTS = "MuJoCo's M and accelerations, impulses by M^-1 at SciPy's events"
STOPPED = Family("trees at stops", IMPACTS, draw_stopped, compare_stopped, simpler)
