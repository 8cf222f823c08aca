"""Closed loops of free bodies on random joints: a DAE of its own in maximal coordinates, integrated by SciPy.

Positions, quaternions, velocities in the world and angular velocities in the body; each joint is points that coincide
(or stay on a line, or a plane) and axes that stay parallel or perpendicular, written here with NumPy. Accelerations are
the least-squares solution of M a = f + A^T lam, A a = b.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import cardan as cd
from tools.soak.judging import Answer, Case, Family, Vector, answer
from tools.soak.trees import inertia

DURATION = 0.25
ALLOWED = 1e-7  # of lengths of a metre: rtol 1e-9 on both sides
KINDS = ("Revolute", "Ball", "Universal", "Cylindrical", "Prismatic", "Planar")


def draw(rng: np.random.Generator) -> Case:
    """Bodies in a ring from the world to the world, joints where they are, at rest but for gravity."""
    count = int(rng.integers(1, 4))
    poses = [(rng.uniform(-1, 1, 3), Rotation.random(random_state=rng).as_matrix()) for _ in range(count)]
    world = (np.zeros(3), np.eye(3))
    joints = []
    for k in range(count + 1):
        a, b = k - 1, k if k < count else -1
        kind = str(rng.choice(KINDS, p=[0.3, 0.25, 0.1, 0.1, 0.1, 0.15]))
        place, axes = rng.uniform(-1, 1, 3), Rotation.random(random_state=rng).as_matrix()
        ends = []
        for body in (a, b):
            p, R = world if body < 0 else poses[body]
            ends.append({"body": body, "place": (R.T @ (place - p)).tolist(), "axes": (R.T @ axes).tolist()})
        joints.append({"kind": kind, "ends": ends})
    bodies = [
        {
            "place": p.tolist(),
            "turn": R.tolist(),
            "mass": float(rng.uniform(0.5, 2)),
            "inertia": inertia(rng.normal(size=(3, 3))),
        }
        for p, R in poses
    ]
    return {"bodies": bodies, "joints": joints, "gravity": rng.uniform(-8, 8, 3).tolist()}


def skew(x: Vector) -> Vector:
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])


class Maximal:
    """The loop in maximal coordinates."""

    def __init__(self, case: Case) -> None:
        self.case, self.n = case, len(case["bodies"])
        self.J = [np.array(one["inertia"]) for one in case["bodies"]]
        self.m = [one["mass"] for one in case["bodies"]]

    def start(self) -> Vector:
        parts = [
            [*one["place"], *np.roll(Rotation.from_matrix(one["turn"]).as_quat(), 1)] for one in self.case["bodies"]
        ]
        return np.concatenate([*parts, self.case.get("v", np.zeros(6 * self.n))])

    def rows(self, y: Vector, t: float = 0.0) -> tuple[Vector, Vector]:
        """A and b = -d(A)/dt v, for velocities (v in the world, w in the body) of each body."""
        A: list[Vector] = []
        b: list[float] = []
        for joint in self.case["joints"]:
            first, second = (self._end(y, end) for end in joint["ends"])
            for row, right in _held(joint, first, second, 6 * self.n):
                A.append(row)
                b.append(right)
            if "drive" in joint:
                row, right = _driven(joint, first, second, 6 * self.n, t)
                A.append(row)
                b.append(right)
        return np.array(A), np.array(b)

    def _end(self, y: Vector, end: Any) -> dict[str, Any]:
        """Place, velocity, acceleration that velocities leave, and the same of three axes, of one end of a joint."""
        k, arm, axes = end["body"], np.array(end["place"]), np.array(end["axes"])
        if k < 0:
            return {"k": -1, "p": arm, "v": np.zeros(3), "c": np.zeros(3), "R": np.eye(3), "w": np.zeros(3),
                    "arm": arm, "axes": axes}  # fmt: skip
        q, v = y[7 * k : 7 * k + 7], y[7 * self.n + 6 * k : 7 * self.n + 6 * k + 6]
        R = Rotation.from_quat(np.roll(q[3:], -1)).as_matrix()
        w = v[3:]
        return {"k": k, "p": q[:3] + R @ arm, "v": v[:3] + R @ np.cross(w, arm), "c": R @ np.cross(w, np.cross(w, arm)),
                "R": R, "w": w, "arm": arm, "axes": axes}  # fmt: skip

    def rhs(self, t: float, y: Vector) -> Vector:
        n = self.n
        A, b = self.rows(y, t)
        inverse = np.zeros((6 * n, 6 * n))
        force = np.zeros(6 * n)
        rates = np.zeros(7 * n)
        for k in range(n):
            e, v = y[7 * k + 3 : 7 * k + 7], y[7 * n + 6 * k : 7 * n + 6 * k + 6]
            w = v[3:]
            inverse[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = np.eye(3) / self.m[k]
            inverse[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = np.linalg.inv(self.J[k])
            force[6 * k : 6 * k + 3] = self.m[k] * np.array(self.case["gravity"])
            force[6 * k + 3 : 6 * k + 6] = -np.cross(w, self.J[k] @ w)
            rates[7 * k : 7 * k + 3] = v[:3]
            rates[7 * k + 3] = -e[1:] @ w / 2
            rates[7 * k + 4 : 7 * k + 7] = (e[0] * w + np.cross(e[1:], w)) / 2
        free = inverse @ force
        lam = np.linalg.lstsq(A @ inverse @ A.T, b - A @ free, rcond=1e-9)[0]
        return np.concatenate([rates, free + inverse @ (A.T @ lam)])


def _held(joint: Any, one: Any, two: Any, n: int) -> Iterator[tuple[Vector, float]]:
    """Rows of a joint: what is forbidden of the second end against the first, whose z axis is that of the joint."""
    kind = joint["kind"]
    P1, P2 = one["R"] @ one["axes"], two["R"] @ two["axes"]
    along = {"Revolute": (0, 1, 2), "Ball": (0, 1, 2), "Universal": (0, 1, 2), "Cylindrical": (0, 1),
             "Prismatic": (0, 1), "Planar": (2,), "Screw": (0, 1, 2)}[kind]  # fmt: skip
    for k in along:  # a . (p2 - p1) = const with a fixed in the first body; on a thread it grows with the angle
        row, right = _along(one, two, P1[:, k], n)
        if kind == "Screw" and k == 2:
            advance = joint["pitch"] / (2 * np.pi)
            turned, rest = _about(one, two, P1[:, 2], n)
            row, right = row - advance * turned, right - advance * rest
        yield row, right
    pairs = {"Revolute": ((0, 2), (1, 2)), "Ball": (), "Universal": ((2, 0),), "Cylindrical": ((0, 2), (1, 2)),
             "Prismatic": ((0, 2), (1, 2), (0, 1)), "Planar": ((0, 2), (1, 2)),
             "Screw": ((0, 2), (1, 2))}[kind]  # fmt: skip
    for i, j in pairs:  # axis i of the first stays perpendicular to axis j of the second
        yield _axes(one, two, P1[:, i], P2[:, j], n)


def _along(one: Any, two: Any, a: Vector, n: int) -> tuple[Vector, float]:
    """The second derivative of a . (p2 - p1), with a fixed in the first body."""
    gap, speed, rest = two["p"] - one["p"], two["v"] - one["v"], two["c"] - one["c"]
    row = np.zeros(n)
    _point(row, two, a)
    _point(row, one, -a)
    if one["k"] >= 0:
        row[6 * one["k"] + 3 : 6 * one["k"] + 6] += one["R"].T @ np.cross(a, gap)
    w1 = one["R"] @ one["w"]
    ad = np.cross(w1, a)
    return row, -float(a @ rest + 2 * ad @ speed + np.cross(w1, ad) @ gap)


def _about(one: Any, two: Any, a: Vector, n: int) -> tuple[Vector, float]:
    """The derivative of a . (w2 - w1), with a fixed in the first body."""
    row = np.zeros(n)
    for end, sign in ((two, 1.0), (one, -1.0)):
        if end["k"] >= 0:
            row[6 * end["k"] + 3 : 6 * end["k"] + 6] += sign * end["R"].T @ a
    w1, w2 = one["R"] @ one["w"], two["R"] @ two["w"]
    return row, -float(np.cross(w1, a) @ (w2 - w1))


def _driven(joint: Any, one: Any, two: Any, n: int, t: float) -> tuple[Vector, float]:
    """A hinge or slide whose coordinate is (v / f) sin(f t)."""
    v, f = joint["drive"]
    a = (one["R"] @ one["axes"])[:, 2]
    row, right = (_about if joint["kind"] == "Revolute" else _along)(one, two, a, n)
    return row, right - v * f * np.sin(f * t)


def _point(row: Vector, end: Any, a: Vector) -> None:
    if end["k"] >= 0:
        row[6 * end["k"] : 6 * end["k"] + 3] += a
        row[6 * end["k"] + 3 : 6 * end["k"] + 6] += np.cross(end["arm"], end["R"].T @ a)


def _axes(one: Any, two: Any, a: Vector, c: Vector, n: int) -> tuple[Vector, float]:
    row = np.zeros(n)
    turn = np.cross(a, c)  # d/dt (a . c) = (w1 - w2) . (a x c)
    if one["k"] >= 0:
        row[6 * one["k"] + 3 : 6 * one["k"] + 6] += one["R"].T @ turn
    if two["k"] >= 0:
        row[6 * two["k"] + 3 : 6 * two["k"] + 6] -= two["R"].T @ turn
    w1, w2 = one["R"] @ one["w"], two["R"] @ two["w"]
    ad, cd_ = np.cross(w1, a), np.cross(w2, c)
    return row, -float((w1 - w2) @ (np.cross(ad, c) + np.cross(a, cd_)))


def in_cardan(case: Case) -> cd.System:
    s = cd.System("random loop")
    made = []
    for k, one in enumerate(case["bodies"]):
        x, y, z = s.coordinates(f"x{k} y{k} z{k}")
        made.append(
            s.body(f"b{k}", mass=one["mass"], inertia=one["inertia"], joint=cd.Free(x, y, z, cd.Quaternion(f"e{k}")))
        )
    for k, joint in enumerate(case["joints"]):
        ends = [
            s.frame(
                f"j{k}{side}",
                parent=None if end["body"] < 0 else made[end["body"]],
                at=(tuple(end["place"]), end["axes"]),
            )
            for side, end in zip("ab", joint["ends"], strict=True)
        ]
        kinds: dict[str, cd.Joint] = {
            "Revolute": cd.Revolute("z"),
            "Ball": cd.Ball(),
            "Universal": cd.Universal("z", None, "x", None),
            "Cylindrical": cd.Cylindrical("z"),
            "Prismatic": cd.Prismatic("z"),
            "Planar": cd.Planar(),
        }
        s.connect(*ends, kinds[joint["kind"]], name=f"j{k}")
    s.gravity(s.world.vector(*case["gravity"]))
    return s


def compare(case: Case) -> Answer:
    other = Maximal(case)
    y0 = other.start()
    there = solve_ivp(other.rhs, (0, DURATION), y0, method="DOP853", rtol=1e-9, atol=1e-11)
    n = len(case["bodies"])
    run = in_cardan(case).simulate(DURATION, q=y0[: 7 * n], v=y0[7 * n :], rtol=1e-9, atol=1e-12)
    return answer(run, run.q[-1], there.y[: 7 * n, -1], ALLOWED * blurred(case), 1.0)


def blurred(case: Case) -> float:
    """How many times more two sides may differ: near a loss of rank both lose digits."""
    other = Maximal(case)
    A, _ = other.rows(other.start())
    s = np.linalg.svd(A, compute_uv=False)
    used = s[s > 1e-9 * s[0]]
    return max(1.0, 1e-3 * float(s[0] / used[-1]))


def draw_moving(rng: np.random.Generator) -> Case:
    """A loop that is not rigid, with velocities that its joints allow."""
    while is_rigid(case := draw(rng)):
        pass
    A, _ = Maximal(case).rows(Maximal(case).start())
    _, s, Vt = np.linalg.svd(A)
    free = Vt[int(np.sum(s > 1e-9 * s[0])) :]
    return {**case, "v": (free.T @ (free @ rng.uniform(-1, 1, A.shape[1]))).tolist()}


def is_rigid(case: Case) -> bool:
    """Whether the rows of this side leave nothing free at the start: such a loop is refused, and rightly so."""
    other = Maximal(case)
    rows, _ = other.rows(other.start())
    return int(np.linalg.matrix_rank(rows, tol=1e-9 * float(np.linalg.norm(rows, 2)))) == 6 * other.n


def simpler(case: Case) -> Iterator[Case]:
    """Every joint a ball in turn, and no gravity."""
    for k, joint in enumerate(case["joints"]):
        if joint["kind"] != "Ball":
            joints = [{**one, "kind": "Ball"} if i == k else one for i, one in enumerate(case["joints"])]
            yield {**case, "joints": joints}


LOOPS = Family(
    "loops of free bodies", "a DAE of maximal coordinates in NumPy under DOP853", draw, compare, simpler, is_rigid
)
MOVING_LOOPS = Family(
    "loops in motion", "a DAE of maximal coordinates in NumPy under DOP853", draw_moving, compare, may_refuse=is_rigid
)
