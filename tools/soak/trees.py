"""Trees of bodies on hinges, slides, balls and free joints: MuJoCo's accelerations, integrated by SciPy.

MuJoCo computes in numbers of order one. Cardan gets the same tree in other units of length, mass and time, so that
scales are tried as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import cardan as cd
from tools.soak.judging import Answer, Case, Family, Vector, answer

DURATION = 0.8
ALLOWED = 1e-7  # of the state: rtol 1e-9 on both sides, and what a second of a tree makes of it
SPEEDS = {"hinge": 1, "slide": 1, "ball": 3, "free": 6}


def draw(rng: np.random.Generator) -> Case:
    bodies = []
    for k in range(int(rng.integers(1, 5))):
        kinds = ["hinge", "slide", "ball"] + (["free"] if k == 0 else [])
        kind = str(rng.choice(kinds, p=[0.5, 0.2, 0.3] if k else [0.4, 0.15, 0.25, 0.2]))
        axis = rng.normal(size=3)
        half = rng.normal(size=(3, 3))
        bodies.append(
            {
                "parent": -1 if kind == "free" else int(rng.integers(-1, k)),
                "kind": kind,
                "place": rng.uniform(-0.5, 0.5, 3).tolist(),
                "turn": Rotation.random(random_state=rng).as_quat().tolist(),
                "axis": (axis / np.linalg.norm(axis)).tolist(),
                "mass": float(rng.uniform(0.3, 2.0)),
                "com": rng.uniform(-0.4, 0.4, 3).tolist(),
                "inertia": inertia(half),
                "damping": float(rng.uniform(0, 0.3)) if kind in ("hinge", "slide") and rng.random() < 0.5 else 0.0,
                "stiffness": float(rng.uniform(0, 5)) if kind in ("hinge", "slide") and rng.random() < 0.5 else 0.0,
                "q": _position(rng, kind),
                "v": rng.uniform(-1.5, 1.5, SPEEDS[kind]).tolist(),
            }
        )
    return {"bodies": bodies, "gravity": rng.uniform(-8, 8, 3).tolist(), "units": _units(rng)}


def inertia(half: Vector) -> list[list[float]]:
    """Of a cloud of points with these second moments: tr S - S."""
    S = 0.01 * half @ half.T + 0.02 * np.eye(3)
    return (np.trace(S) * np.eye(3) - S).tolist()  # type: ignore[no-any-return]


def _units(rng: np.random.Generator) -> list[float]:
    """Of length, mass and time: often one, else up to 1e9 either way."""
    return [1.0] * 3 if rng.random() < 0.4 else [float(10.0 ** rng.uniform(-9, 9)) for _ in range(3)]


def _position(rng: np.random.Generator, kind: str) -> list[float]:
    e = np.roll(Rotation.random(random_state=rng).as_quat(), 1).tolist()
    if kind == "ball":
        return e
    return [*rng.uniform(-1, 1, 3).tolist(), *e] if kind == "free" else [float(rng.uniform(-1, 1))]


def in_mujoco(case: Case) -> str:
    """The tree as MJCF."""

    def text(numbers: Vector | list[float]) -> str:
        return " ".join(repr(float(x)) for x in numbers)

    def inside(parent: int) -> str:
        found = ""
        for k, one in enumerate(case["bodies"]):
            if one["parent"] != parent:
                continue
            J = np.array(one["inertia"])
            full = [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
            extra = f'axis="{text(one["axis"])}" damping="{one["damping"]!r}" stiffness="{one["stiffness"]!r}"'
            joint = f'<joint type="{one["kind"]}" {extra if one["kind"] in ("hinge", "slide") else ""}/>'
            placed = one["kind"] != "free"
            place = one["place"] if placed else [0, 0, 0]
            turn = np.roll(one["turn"], 1) if placed else [1, 0, 0, 0]
            found += (
                f'<body name="b{k}" pos="{text(place)}" quat="{text(turn)}">{joint if placed else "<freejoint/>"}'
                f'<inertial pos="{text(one["com"])}" mass="{one["mass"]!r}" fullinertia="{text(full)}"/>'
                f"{inside(k)}</body>"
            )
        return found

    return (
        '<mujoco><compiler angle="radian" autolimits="false"/>'
        f'<option gravity="{text(case["gravity"])}"><flag contact="disable"/></option>'
        f"<worldbody>{inside(-1)}</worldbody></mujoco>"
    )


def in_cardan(case: Case) -> cd.System:
    """The tree in its units."""
    length, mass, period = case["units"]
    s = cd.System("random tree")
    made: list[cd.Body] = []
    for k, one in enumerate(case["bodies"]):
        kind, name = one["kind"], f"b{k}"
        if kind == "ball":
            joint: cd.Joint = cd.Ball(cd.Quaternion(f"e{k}"))
        elif kind == "free":
            joint = cd.Free(*s.coordinates(f"x{k} y{k} z{k}"), cd.Quaternion(f"e{k}"))
        else:
            q = s.coordinate(f"q{k}")
            joint = (cd.Revolute if kind == "hinge" else cd.Prismatic)(tuple(one["axis"]), q)
            unit = mass * length**2 / period**2 if kind == "hinge" else mass / period**2
            if one["stiffness"]:
                s.spring(q, stiffness=one["stiffness"] * unit)
            if one["damping"]:
                s.damper(q, coefficient=one["damping"] * unit * period)
        R = Rotation.from_quat(one["turn"]).as_matrix().tolist()
        place = None if kind == "free" else (tuple(length * x for x in one["place"]), R)
        made.append(
            s.body(
                name,
                mass=mass * one["mass"],
                com=tuple(length * x for x in one["com"]),
                inertia=(np.array(one["inertia"]) * mass * length**2).tolist(),
                parent=None if one["parent"] < 0 else made[one["parent"]],
                joint=joint,
                at=place,
            )
        )
    g = [x * length / period**2 for x in case["gravity"]]
    s.gravity(s.world.vector(*g))
    return s


def measures(case: Case) -> tuple[Vector, Vector]:
    """Units of Cardan's q and v, by kind."""
    length, _, period = case["units"]
    q: list[float] = []
    v: list[float] = []
    for one in case["bodies"]:
        long = [length] if one["kind"] == "slide" else [length] * 3 if one["kind"] == "free" else []
        turns = {"hinge": (1, 1), "ball": (4, 3), "free": (4, 3), "slide": (0, 0)}[one["kind"]]
        q += [*long, *[1.0] * turns[0]]
        v += [*(x / period for x in long), *[1 / period] * turns[1]]
    return np.array(q), np.array(v)


def compare(case: Case) -> Answer:
    import mujoco

    model = mujoco.MjModel.from_xml_string(in_mujoco(case))
    data = mujoco.MjData(model)
    order = [int(model.body(f"b{k}").jntadr[0]) for k in range(len(case["bodies"]))]
    q0, v0 = np.zeros(model.nq), np.zeros(model.nv)
    at_q, at_v = [], []
    for k, one in zip(order, case["bodies"], strict=True):
        a, b = int(model.jnt_qposadr[k]), int(model.jnt_dofadr[k])
        q0[a : a + len(one["q"])], v0[b : b + len(one["v"])] = one["q"], one["v"]
        at_q += range(a, a + len(one["q"]))
        at_v += range(b, b + len(one["v"]))

    def rhs(t: float, y: Vector) -> Vector:
        data.qpos[:], data.qvel[:] = y[: model.nq], y[model.nq :]
        mujoco.mj_forward(model, data)
        return np.concatenate([rates(case, order, model, y), data.qacc])

    there = solve_ivp(rhs, (0, DURATION), np.concatenate([q0, v0]), method="DOP853", rtol=1e-9, atol=1e-11)
    end = there.y[:, -1]
    s, (unit_q, unit_v) = in_cardan(case), measures(case)
    start_q = np.concatenate([one["q"] for one in case["bodies"]])
    start_v = np.concatenate([one["v"] for one in case["bodies"]])
    run = s.simulate(DURATION * case["units"][2], q=start_q * unit_q, v=start_v * unit_v, rtol=1e-9, atol=1e-12)
    found = np.concatenate([run.q[-1] / unit_q, run.v[-1] / unit_v])
    expected = np.concatenate([end[at_q], end[model.nq :][at_v]])
    return answer(run, found, expected, ALLOWED, 1.0)


def rates(case: Case, order: list[int], model: Any, y: Vector) -> Vector:
    """d/dt of MuJoCo's positions: velocities, and e (0, w) / 2 for quaternions (angular velocity in the body)."""
    found = np.zeros(model.nq)
    for k, one in zip(order, case["bodies"], strict=True):
        a, b = int(model.jnt_qposadr[k]), int(model.jnt_dofadr[k])
        v = y[model.nq + b : model.nq + b + SPEEDS[one["kind"]]]
        if one["kind"] in ("hinge", "slide"):
            found[a] = v[0]
            continue
        if one["kind"] == "free":
            found[a : a + 3] = v[:3]
            a += 3
        w, (e0, e) = v[-3:], (y[a], y[a + 1 : a + 4])
        found[a] = -e @ w / 2
        found[a + 1 : a + 4] = (e0 * w + np.cross(e, w)) / 2
    return found


def simpler(case: Case) -> Iterator[Case]:
    """One leaf less, no units, no springs and dampers, no gravity, at rest."""
    bodies = case["bodies"]
    if len(bodies) > 1:
        yield {**case, "bodies": bodies[:-1]}
    if case["units"] != [1.0] * 3:
        yield {**case, "units": [1.0] * 3}
    for key in ("damping", "stiffness"):
        if any(one[key] for one in bodies):
            yield {**case, "bodies": [{**one, key: 0.0} for one in bodies]}
    if any(case["gravity"]):
        yield {**case, "gravity": [0.0, 0.0, 0.0]}


TREES = Family("trees", "MuJoCo's accelerations under SciPy's DOP853, in units of 1e-9 to 1e9", draw, compare, simpler)
