"""Contacts that rub: blocks that slide on a slope, and balls that bounce with spin, by mechanics of one body."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import cardan as cd
from tools.soak.judging import Answer, Case, Family, Vector, answer

GRAVITY = 9.81
MOST_BLOWS = 5


def _unit(rng: np.random.Generator) -> float:
    return float(10.0 ** rng.uniform(-9, 9)) if rng.random() < 0.5 else 1.0


def simpler(case: Case) -> Iterator[Case]:
    if case["unit"] != 1.0:
        yield {**case, "unit": 1.0}
    if case["duration"] > 0.1:
        yield {**case, "duration": case["duration"] / 2}


# --- blocks on slopes -------------------------------------------------------------------------------------------------


def draw_slope(rng: np.random.Generator) -> Case:
    """Up or down the slope, or in any direction where it is level or too steep to stop on."""
    kind = str(rng.choice(["along", "level", "across"]))
    slope = 0.0 if kind == "level" else float(rng.uniform(0.05, 1.2))
    mu = float(rng.uniform(0.05, 1.0)) if kind != "across" else float(rng.uniform(0.1, 0.9)) * np.tan(slope)
    v = rng.uniform(-3, 3, 2)
    return {
        "kind": kind,
        "slope": slope,
        "mu": float(mu),
        "m": float(rng.uniform(0.3, 3)),
        "v": ([float(v[0]), 0.0] if kind == "along" else v.tolist()),  # down the slope, across it
        "heading": float(rng.uniform(-np.pi, np.pi)),  # where down points
        "duration": float(rng.uniform(0.3, 2)),
        "unit": _unit(rng),
    }


def slid(case: Case) -> Vector:
    """Place and velocity in the slope: (down, across)."""
    down, rub = GRAVITY * np.sin(case["slope"]), case["mu"] * GRAVITY * np.cos(case["slope"])
    x, v, left = np.zeros(2), np.array(case["v"]), case["duration"]
    if case["kind"] == "across":

        def rhs(t: float, y: Vector) -> Vector:
            return np.array([*y[2:], *(np.array([down, 0.0]) - rub * y[2:] / np.linalg.norm(y[2:]))])

        return solve_ivp(rhs, (0, left), [*x, *v], "DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    while left > 0:
        speed = float(np.linalg.norm(v))
        if speed == 0 and rub >= down:
            break
        along = v / speed if speed else np.array([1.0, 0.0])
        a = np.array([down, 0.0]) - rub * along
        stops = -speed / float(a @ along) if a @ along < 0 else np.inf
        span = min(left, stops)
        x, v = x + span * v + span**2 / 2 * a, v + span * a if span < stops else np.zeros(2)
        left -= span
    return np.concatenate([x, v])


def compare_slope(case: Case) -> Answer:
    """A particle on a plane that leans over, seen by its world's coordinates."""
    unit = case["unit"]
    s = cd.System("block on a slope")
    x, y, z = s.coordinates("x y z", scale=unit)
    turn = Rotation.from_euler("ZY", [case["heading"], case["slope"]])
    block = s.particle("block", mass=case["m"], position=x * s.world.x + y * s.world.y + z * s.world.z)
    plane = s.frame("plane", at=((0, 0, 0), turn.as_matrix().tolist()))
    s.contact(block, on=plane, restitution=0.0, friction=case["mu"], name="slope")
    s.gravity(-GRAVITY * unit * s.world.z)
    start = unit * turn.apply([*case["v"], 0.0])
    run = s.simulate(case["duration"], q=[0, 0, 0], v=start)
    found = np.concatenate([turn.inv().apply(run.q[-1])[:2], turn.inv().apply(run.v[-1])[:2]]) / unit
    return answer(run, found, slid(case), 1e-6, 1.0)  # rtol 1e-9 over one stop


# --- balls that bounce ------------------------------------------------------------------------------------------------


def draw_bounce(rng: np.random.Generator) -> Case:
    return {
        "m": float(rng.uniform(0.3, 3)),
        "r": float(rng.uniform(0.05, 0.3)),
        "beta": float(rng.uniform(0.2, 2 / 3)),
        "e": float(rng.uniform(0.4, 1.0)),
        "mu": float(rng.uniform(0.02, 0.8)),
        "height": float(rng.uniform(0.1, 1.0)),
        "v": rng.uniform(-2, 2, 3).tolist(),
        "omega": rng.uniform(-20, 20, 3).tolist(),
        "duration": float(rng.uniform(0.5, 2.0)),
        "unit": _unit(rng),
    }


def bounced(case: Case) -> tuple[float, Vector]:
    """Flights between blows; a blow turns the normal speed by -e and rubs until the ball rolls, or mu is used up.

    Ends in the middle of a flight after a few of them, before they come too close together.
    """
    T, x, v, w = 0.0, np.array([0.0, 0.0, case["height"]]), np.array(case["v"]), np.array(case["omega"])
    beta, r, left = case["beta"], case["r"], case["duration"]
    for blows in range(MOST_BLOWS + 1):
        flight = (v[2] + np.sqrt(v[2] ** 2 + 2 * GRAVITY * x[2])) / GRAVITY
        left = min(left, flight / 2) if blows == MOST_BLOWS else left
        span = min(flight, left)
        x, v = x + span * v - [0, 0, GRAVITY * span**2 / 2], v - [0, 0, GRAVITY * span]
        left, T = left - span, T + span
        if left <= 0:
            break
        x[2] = 0.0
        blow = -(1 + case["e"]) * v[2]  # by mass
        slip = (v + np.cross(w, [0, 0, -r]))[:2]
        sticking = -slip / (1 + 1 / beta)
        size = float(np.linalg.norm(sticking))
        rub = sticking * min(1.0, case["mu"] * blow / size) if size else sticking
        push = np.array([*rub, blow])
        v, w = v + push, w + np.cross([0, 0, -r], push) / (beta * r**2)
    return T, np.concatenate([x, v, w])


def compare_bounce(case: Case) -> Answer:
    unit, m, r = case["unit"], case["m"], case["r"] * case["unit"]
    s = cd.System("ball")
    x, y, z = s.coordinates("x y z", scale=unit)
    ball = s.body("ball", mass=m, inertia=case["beta"] * m * r**2, joint=cd.Free(x, y, z, cd.Quaternion("e")))
    s.contact(ball, on=s.world, shape=cd.Sphere(r), restitution=case["e"], friction=case["mu"], name="floor")
    s.gravity(-GRAVITY * unit * s.world.z)
    place = unit * np.array([0, 0, case["height"] + case["r"]])
    speed = [*(unit * np.array(case["v"])), *case["omega"]]
    T, expected = bounced(case)
    run = s.simulate(T, q=[*place, 1, 0, 0, 0], v=speed)
    turn = Rotation.from_quat(np.roll(run.q[-1][3:], -1))
    centre = run.q[-1][:3] / unit - [0, 0, case["r"]]
    found = np.concatenate([centre, run.v[-1][:3] / unit, turn.apply(run.v[-1][3:])])
    sizes = np.array([1.0] * 6 + [20.0] * 3)
    return answer(run, found / sizes, expected / sizes, 1e-6, 1.0)


SLOPES = Family("sliding on slopes", "closed forms, and one block in NumPy", draw_slope, compare_slope, simpler)
BOUNCES = Family("bouncing with spin", "flights and blows in closed form", draw_bounce, compare_bounce, simpler)
