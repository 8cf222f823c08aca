"""Chains of plates on ice with blades under them: a DAE of its own in places and angles of every plate, in NumPy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.integrate import solve_ivp

import cardan as cd
from tools.soak.judging import Answer, Case, Family, Vector, answer

ALLOWED = 1e-6  # of lengths of a metre: rtol 1e-9 on both sides
DURATION = 1.0


def draw(rng: np.random.Generator) -> Case:
    """One to three plates, hinged one to the next, and blades under some, one freedom at least left."""
    count = int(rng.integers(1, 4))
    plates = [
        {
            "mass": float(rng.uniform(0.5, 2)),
            "inertia": float(rng.uniform(0.05, 0.5)),
            "com": rng.uniform(-0.3, 0.3, 2).tolist(),
            "hinge": rng.uniform(-0.8, 0.8, 2).tolist(),  # on the plate before, where this one's origin is
            "angle": float(rng.uniform(-np.pi, np.pi)),  # to the plate before
            "rate": float(rng.uniform(-1.5, 1.5)),
        }
        for _ in range(count)
    ]
    blades = [
        {
            "plate": int(k),
            "place": rng.uniform(-0.6, 0.6, 2).tolist(),
            "heading": float(rng.uniform(-np.pi, np.pi)),
        }
        for k in rng.permutation(count)[: int(rng.integers(1, count + 1))]
    ]
    slope = rng.uniform(-4, 4, 2) if rng.random() < 0.5 else np.zeros(2)
    return {
        "plates": plates,
        "blades": blades,
        "v": rng.uniform(-1, 1, 2).tolist(),
        "gravity": slope.tolist(),
        "damping": float(rng.uniform(0, 0.5)) if rng.random() < 0.5 else 0.0,  # of the hinges
        "unit": float(10.0 ** rng.uniform(-9, 9)) if rng.random() < 0.5 else 1.0,
    }


def _turn(angle: float) -> Vector:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


class Plates:
    """y = (x, y, angle of each plate's origin, then their rates), and rows A a = b for hinges and blades."""

    def __init__(self, case: Case) -> None:
        self.case, self.n = case, len(case["plates"])

    def start(self) -> Vector:
        """Placed outwards from the first, at the angles and rates drawn; blades are minded by ``projected``."""
        q, v = np.zeros((self.n, 3)), np.zeros((self.n, 3))
        v[0, :2] = self.case["v"]
        for k, one in enumerate(self.case["plates"]):
            if k:
                arm = _turn(q[k - 1, 2]) @ one["hinge"]
                q[k, :2] = q[k - 1, :2] + arm
                v[k, :2] = v[k - 1, :2] + v[k - 1, 2] * np.array([-arm[1], arm[0]])
            q[k, 2] = (q[k - 1, 2] if k else 0.0) + one["angle"]
            v[k, 2] = (v[k - 1, 2] if k else 0.0) + one["rate"]
        return np.concatenate([q.ravel(), v.ravel()])

    def _point(self, y: Vector, k: int, place: Vector) -> tuple[Vector, Vector]:
        """Rows of a point's velocity, and the acceleration that rates alone give it."""
        q, v = y[: 3 * self.n].reshape(-1, 3), y[3 * self.n :].reshape(-1, 3)
        arm = _turn(q[k, 2]) @ place
        rows = np.zeros((2, 3 * self.n))
        rows[:, 3 * k : 3 * k + 2] = np.eye(2)
        rows[:, 3 * k + 2] = [-arm[1], arm[0]]
        return rows, -(v[k, 2] ** 2) * arm

    def rows(self, y: Vector) -> tuple[Vector, Vector]:
        A: list[Vector] = []
        b: list[float] = []
        for k in range(1, self.n):
            one, rest = self._point(y, k - 1, np.array(self.case["plates"][k]["hinge"]))
            two, other = self._point(y, k, np.zeros(2))
            A += list(two - one)
            b += list(rest - other)
        for blade in self.case["blades"]:
            k = blade["plate"]
            rows, rest = self._point(y, k, np.array(blade["place"]))
            angle, rate = y[3 * k + 2] + blade["heading"], y[3 * self.n + 3 * k + 2]
            along, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
            A.append(across @ rows)
            b.append(float(-across @ rest + rate * along @ (rows @ y[3 * self.n :])))
        return np.array(A), np.array(b)

    def mass(self, y: Vector) -> tuple[Vector, Vector]:
        """Mass matrix about the origins, and forces: weight, centrifugal, and damping of the hinges."""
        M, f = np.zeros((3 * self.n, 3 * self.n)), np.zeros(3 * self.n)
        for k, one in enumerate(self.case["plates"]):
            rows, rest = self._point(y, k, np.array(one["com"]))
            M += one["mass"] * rows.T @ rows
            M[3 * k + 2, 3 * k + 2] += one["inertia"]
            f += one["mass"] * rows.T @ (np.array(self.case["gravity"]) - rest)
            if k:
                w = y[3 * self.n :].reshape(-1, 3)[:, 2]
                rub = self.case["damping"] * (w[k] - w[k - 1])
                f[3 * k + 2] -= rub
                f[3 * k - 1] += rub
        return M, f

    def projected(self, y: Vector) -> Vector:
        """The rates nearest in energy that hinges and blades allow."""
        A, _ = self.rows(y)
        M, _ = self.mass(y)
        v, back = y[3 * self.n :], np.linalg.solve(M, A.T)
        return np.concatenate([y[: 3 * self.n], v - back @ np.linalg.solve(A @ back, A @ v)])

    def rhs(self, t: float, y: Vector) -> Vector:
        A, b = self.rows(y)
        M, f = self.mass(y)
        free, back = np.linalg.solve(M, f), np.linalg.solve(M, A.T)
        return np.concatenate([y[3 * self.n :], free + back @ np.linalg.solve(A @ back, b - A @ free)])


def in_cardan(case: Case) -> tuple[cd.System, list[cd.Body]]:
    unit, made = case["unit"], []
    s = cd.System("plates on ice")
    for k, one in enumerate(case["plates"]):
        angle = s.coordinate(f"a{k}", on="S1")
        joint = cd.Revolute("z", angle) if k else cd.Planar(*s.coordinates("x y", scale=unit), angle)
        made.append(
            s.body(
                f"plate{k}",
                mass=one["mass"],
                inertia=one["inertia"] * unit**2,
                com=(*(unit * np.array(one["com"])), 0),
                joint=joint,
                parent=made[k - 1] if k else None,
                at=(*(unit * np.array(one["hinge"])), 0) if k else None,
            )
        )
        if k and case["damping"]:
            s.damper(angle, coefficient=case["damping"] * unit**2)
    for blade in case["blades"]:
        body, heading = made[blade["plate"]], blade["heading"]
        across = -np.sin(heading) * body.x + np.cos(heading) * body.y
        s.no_slip(on=body, along=across, point=body.point(*(unit * np.array(blade["place"])), 0))
    s.gravity(s.world.vector(*(unit * np.array([*case["gravity"], 0.0]))))
    return s, made


def compare(case: Case) -> Answer:
    other, unit = Plates(case), case["unit"]
    y0 = other.projected(other.start())
    n = other.n
    there = solve_ivp(other.rhs, (0, DURATION), y0, method="DOP853", rtol=1e-10, atol=1e-11)
    q, v = y0[: 3 * n].reshape(-1, 3), y0[3 * n :].reshape(-1, 3)
    s, _ = in_cardan(case)
    angles, rates = np.diff(q[:, 2], prepend=0.0), np.diff(v[:, 2], prepend=0.0)
    start = {f"a{k}": float(one) for k, one in enumerate(angles)} | dict(zip("xy", unit * q[0, :2], strict=True))
    speed = {f"a{k}": float(one) for k, one in enumerate(rates)} | dict(zip("xy", unit * v[0, :2], strict=True))
    run = s.simulate(DURATION, q=start, v=speed, rtol=1e-10)
    end = there.y[: 3 * n, -1].reshape(-1, 3)
    expected = np.array([*end[0, :2], *np.diff(end[:, 2], prepend=0.0)])
    found = np.array([run["x"][-1] / unit, run["y"][-1] / unit, *(run[f"a{k}"][-1] for k in range(n))])
    A, _ = other.rows(y0)
    sizes = np.linalg.svd(A, compute_uv=False)
    blurred = max(1.0, 0.1 * float(sizes[0] / sizes[-1]))  # near a loss of rank both sides lose digits
    return answer(run, found, expected, ALLOWED * blurred, 1.0)


def simpler(case: Case) -> Iterator[Case]:
    """No units, no weight, no damping, a blade less, a plate less where no blade is under it."""
    for key, plain in (("unit", 1.0), ("gravity", [0.0, 0.0]), ("damping", 0.0)):
        if case[key] != plain:
            yield {**case, key: plain}
    if len(case["blades"]) > 1:
        yield {**case, "blades": case["blades"][:-1]}
    last = len(case["plates"]) - 1
    if last and all(one["plate"] != last for one in case["blades"]):
        yield {**case, "plates": case["plates"][:-1]}


BLADES = Family("blades", "a DAE of plates in NumPy under DOP853", draw, compare, simpler)
