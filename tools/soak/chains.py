"""Chains of bodies on joints of every kind, some of them driven: the DAE of maximal coordinates moves them by rows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import cardan as cd
from tools.soak.judging import Answer, Case, Family, Vector, answer
from tools.soak.loops import Maximal
from tools.soak.trees import inertia

DURATION = 0.5
ALLOWED = 1e-6  # of lengths of a metre: rtol 1e-10 on both sides, rows of the other side drift a little
SPEEDS = {"Revolute": 1, "Prismatic": 1, "Screw": 1, "Cylindrical": 2, "Universal": 2, "Planar": 3, "Ball": 3}


def draw(rng: np.random.Generator) -> Case:
    """All coordinates are zero at the start, where the frames of every joint are aligned."""
    bodies = []
    for _ in range(int(rng.integers(1, 4))):
        kind = str(rng.choice(list(SPEEDS)))
        bodies.append(
            {
                "kind": kind,
                "place": rng.uniform(-0.6, 0.6, 3).tolist(),  # of the joint on the body before, and how it is turned
                "turn": Rotation.random(random_state=rng).as_quat().tolist(),
                "driven": float(rng.uniform(1, 6)) if rng.random() < 0.3 else 0.0,  # frequency, of a hinge or slide
                "pitch": float(rng.choice([-1, 1]) * rng.uniform(0.3, 3)),
                "mass": float(rng.uniform(0.4, 2)),
                "com": rng.uniform(-0.4, 0.4, 3).tolist(),
                "inertia": inertia(rng.normal(size=(3, 3))),
                "v": rng.uniform(-1.5, 1.5, SPEEDS[kind]).tolist(),
            }
        )
    if all(is_driven(one) for one in bodies):
        bodies[-1]["driven"] = 0.0
    return {"bodies": bodies, "gravity": rng.uniform(-8, 8, 3).tolist()}


def is_driven(one: Case) -> bool:
    return one["kind"] in ("Revolute", "Prismatic") and one["driven"] > 0


def twist(one: Case) -> tuple[Vector, Vector]:
    """Angular velocity and velocity of a body against the one before, along the axes of the joint."""
    v = one["v"]
    match one["kind"]:
        case "Revolute":
            return np.array([0, 0, v[0]]), np.zeros(3)
        case "Prismatic":
            return np.zeros(3), np.array([0, 0, v[0]])
        case "Screw":
            return np.array([0, 0, v[0]]), np.array([0, 0, one["pitch"] / (2 * np.pi) * v[0]])
        case "Cylindrical":
            return np.array([0, 0, v[0]]), np.array([0, 0, v[1]])
        case "Universal":
            return np.array([v[1], 0, v[0]]), np.zeros(3)
        case "Planar":
            return np.array([0, 0, v[2]]), np.array([v[0], v[1], 0])
    return np.array(v), np.zeros(3)


def maximal(case: Case) -> Maximal:
    """Bodies at their centres of mass, in the axes of their joints."""
    origin, turn, omega, speed = np.zeros(3), np.eye(3), np.zeros(3), np.zeros(3)
    bodies, joints, v = [], [], []
    before = np.zeros(3)  # the centre of mass of the body before, in its axes
    for k, one in enumerate(case["bodies"]):
        arm, own = turn @ one["place"], Rotation.from_quat(one["turn"]).as_matrix()
        ends = [
            {"body": k - 1, "place": (np.array(one["place"]) - before).tolist(), "axes": own.tolist()},
            {"body": k, "place": (-np.array(one["com"])).tolist(), "axes": np.eye(3).tolist()},
        ]
        joints.append({"kind": one["kind"], "pitch": one["pitch"], "ends": ends})
        if is_driven(one):
            joints[-1]["drive"] = [one["v"][0], one["driven"]]
        turning, sliding = twist(one)
        speed = speed + np.cross(omega, arm)
        origin, turn = origin + arm, turn @ own
        omega, speed = omega + turn @ turning, speed + turn @ sliding
        before = np.array(one["com"])
        centre = turn @ before
        bodies.append(
            {"place": (origin + centre).tolist(), "turn": turn.tolist(), "mass": one["mass"], "inertia": one["inertia"]}
        )
        v += [*(speed + np.cross(omega, centre)), *(turn.T @ omega)]
    return Maximal({"bodies": bodies, "joints": joints, "gravity": case["gravity"], "v": np.array(v)})


def in_cardan(case: Case) -> tuple[cd.System, list[cd.Body], dict[str, object]]:
    """The chain with coordinates, and its velocities by name."""
    s = cd.System("chain")
    made: list[cd.Body] = []
    speeds: dict[str, object] = {}
    for k, one in enumerate(case["bodies"]):
        kind = one["kind"]
        if kind == "Ball":
            joint: cd.Joint = cd.Ball(cd.Quaternion(f"e{k}"))
            speeds[f"e{k}"] = one["v"]
        else:
            names = [f"q{k}{letter}" for letter in "abc"[: SPEEDS[kind]]]
            q = [s.coordinate(name) for name in names]
            if is_driven(one):
                s.prescribe(q[0], one["v"][0] / one["driven"] * sp.sin(one["driven"] * s.time))
            else:
                speeds |= dict(zip(names, one["v"], strict=True))
            joint = {
                "Revolute": lambda q, one: cd.Revolute("z", *q),
                "Prismatic": lambda q, one: cd.Prismatic("z", *q),
                "Screw": lambda q, one: cd.Screw("z", *q, pitch=one["pitch"]),
                "Cylindrical": lambda q, one: cd.Cylindrical("z", *q),
                "Universal": lambda q, one: cd.Universal("z", q[0], "x", q[1]),
                "Planar": lambda q, one: cd.Planar(*q),
            }[kind](q, one)
        made.append(
            s.body(
                f"b{k}",
                mass=one["mass"],
                inertia=one["inertia"],
                com=tuple(one["com"]),
                joint=joint,
                parent=made[-1] if made else None,
                at=(tuple(one["place"]), Rotation.from_quat(one["turn"]).as_matrix().tolist()),
            )
        )
    s.gravity(s.world.vector(*case["gravity"]))
    return s, made, speeds


def compare(case: Case) -> Answer:
    other = maximal(case)
    there = solve_ivp(other.rhs, (0, DURATION), other.start(), method="DOP853", rtol=1e-10, atol=1e-12)
    s, made, speeds = in_cardan(case)
    run = s.simulate(DURATION, v=speeds, rtol=1e-10)
    end = there.y[: 7 * other.n, -1].reshape(-1, 7)
    found, expected = [], []
    for body, pose, one in zip(made, end, case["bodies"], strict=True):
        turn = Rotation.from_quat(np.roll(pose[3:], -1))
        for place in (one["com"], [0.5, 0, 0], [0, 0.5, 0]):
            expected.append(pose[:3] + turn.apply(np.array(place) - one["com"]))
            found.append(run.position(body.point(*place))[-1])
    return answer(run, np.concatenate(found), np.concatenate(expected), ALLOWED, 1.0)


def simpler(case: Case) -> Iterator[Case]:
    """A body less, no weight, no drives, hinges."""
    bodies = case["bodies"]
    if any(one["driven"] for one in bodies):
        yield {**case, "bodies": [{**one, "driven": 0.0} for one in bodies]}
    if len(bodies) > 1 and not all(is_driven(one) for one in bodies[:-1]):
        yield {**case, "bodies": bodies[:-1]}
    if any(case["gravity"]):
        yield {**case, "gravity": [0.0, 0.0, 0.0]}
    for k, one in enumerate(bodies):
        if one["kind"] != "Revolute":
            plain = {**one, "kind": "Revolute", "v": one["v"][:1]}
            yield {**case, "bodies": [plain if i == k else other for i, other in enumerate(bodies)]}


CHAINS = Family("chains of all joints", "the same DAE, of free bodies and rows", draw, compare, simpler)
