"""Motions with closed forms: billiards in polygons, dry friction against a spring, drives, oscillators of any scale."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sympy import Piecewise

import cardan as cd
from tools.soak.judging import Answer, Case, Family, Vector, answer

# --- billiards --------------------------------------------------------------------------------------------------------


def draw_billiard(rng: np.random.Generator) -> Case:
    """A particle in a polygon around the origin, whose sides have their own restitution."""
    count = int(rng.integers(3, 8))
    angles = np.sort(2 * np.pi * (np.arange(count) + rng.uniform(0, 0.6, count)) / count)
    return {
        "walls": [[float(np.cos(a)), float(np.sin(a)), float(rng.uniform(0.5, 1.5))] for a in angles],
        "restitution": [float(rng.choice([1.0, rng.uniform(0.3, 1.0)])) for _ in angles],
        "v": rng.uniform(-2, 2, 2).tolist(),
        "duration": 3.0,
        "unit": float(10.0 ** rng.uniform(-9, 9)) if rng.random() < 0.5 else 1.0,
    }


def bounced(case: Case) -> tuple[Vector, Vector, float]:
    """Position, velocity and the least angle to a wall, from one straight line to the next."""
    x, v, left, least = np.zeros(2), np.array(case["v"]), case["duration"], 1.0
    walls = np.array(case["walls"])
    while True:
        rates = walls[:, :2] @ v
        times = np.full(len(walls), np.inf)
        ahead = rates > 1e-14
        times[ahead] = (walls[ahead, 2] - walls[ahead, :2] @ x) / rates[ahead]
        k = int(np.argmin(times))
        if times[k] >= left:
            return x + left * v, v, least
        others = np.delete(times, k)
        least = min(least, float(np.min(others) - times[k]), abs(float(rates[k])) / float(np.linalg.norm(v)))
        x, left = x + max(times[k], 0.0) * v, left - max(times[k], 0.0)
        v = v - (1 + case["restitution"][k]) * rates[k] * walls[k, :2]


def billiard_in_cardan(case: Case) -> cd.System:
    unit = case["unit"]
    s = cd.System("billiard")
    x, y = s.coordinates("x y", scale=unit)
    s.particle("P", mass=1.0, position=x * s.world.x + y * s.world.y)
    for k, ((a, b, c), e) in enumerate(zip(case["walls"], case["restitution"], strict=True)):
        s.stop(c * unit - a * x - b * y, restitution=e, name=f"wall{k}")
    return s


def compare_billiard(case: Case) -> Answer:
    unit = case["unit"]
    run = billiard_in_cardan(case).simulate(case["duration"], q=[0, 0], v=[unit * one for one in case["v"]])
    place, speed, least = bounced(case)
    allowed = 1e-8 / max(least, 1e-6)  # corners and grazing walls magnify rounding
    return answer(run, np.concatenate([run.q[-1], run.v[-1]]) / unit, np.concatenate([place, speed]), allowed, 1.0)


def simpler_billiard(case: Case) -> Iterator[Case]:
    if case["unit"] != 1.0:
        yield {**case, "unit": 1.0}
    if case["duration"] > 0.1:
        yield {**case, "duration": case["duration"] / 2}


# --- dry friction against a spring ------------------------------------------------------------------------------------


def draw_rub(rng: np.random.Generator) -> Case:
    return {
        "m": float(rng.uniform(0.5, 3)),
        "k": float(rng.uniform(5, 50)),
        "mu": float(rng.uniform(0.02, 0.4)),
        "x": float(rng.uniform(-2, 2)),
        "duration": float(rng.uniform(0.5, 6)),
        "unit": float(10.0 ** rng.uniform(-9, 9)) if rng.random() < 0.5 else 1.0,
        "pressed by": str(rng.choice(["number", "constraint", "joint"])),
    }


def rubbed(case: Case) -> float:
    """Half waves about -+a, a = mu g / w^2, from one turning point to the next, until |x| <= a."""
    w, a = np.sqrt(case["k"] / case["m"]), case["mu"] * 9.81 * case["m"] / case["k"]
    x, left = case["x"], case["duration"]
    while abs(x) > a and left > 0:
        centre = np.sign(x) * a
        span = min(left, np.pi / w)
        x = centre + (x - centre) * np.cos(w * span)
        left -= np.pi / w
    return float(x)


def compare_rub(case: Case) -> Answer:
    unit, m = case["unit"], case["m"]
    s = cd.System("block on a spring")
    x, z = s.coordinates("x z", scale=unit)
    kind = case["pressed by"]
    if kind == "constraint":
        s.particle("block", mass=m, position=x * s.world.x + z * s.world.z)
        s.constrain(z, name="floor")
        s.friction(x, coefficient=case["mu"], normal="floor", name="rub")
    else:
        s.prescribe(z, 0 * s.time)
        block = s.body("block", mass=m, inertia=m * unit**2, joint=cd.Prismatic("x", x))
        normal = block if kind == "joint" else m * 9.81 * unit
        s.friction(x, coefficient=case["mu"], normal=normal, name="rub")
    s.gravity(-9.81 * unit * s.world.z)
    s.spring(x, stiffness=case["k"])
    q = {"x": case["x"] * unit}
    run = s.simulate(case["duration"], q=q if kind != "constraint" else {**q, "z": 0.0}, rtol=1e-9)
    return answer(run, np.array([run["x"][-1] / unit]), np.array([rubbed(case)]), 1e-6, 1.0)


# --- drives -----------------------------------------------------------------------------------------------------------


def draw_drive(rng: np.random.Generator) -> Case:
    begin = np.sort(rng.uniform(0, 10, 2 * int(rng.integers(1, 4))))
    return {
        "pulses": [[float(a), float(b), float(rng.uniform(-3, 3))] for a, b in begin.reshape(-1, 2)],
        "as": str(rng.choice(["input", "force", "load"])),
        "duration": 10.0,
    }


def compare_drive(case: Case) -> Answer:
    """A particle under pulses of force: x and v by sums."""
    s = cd.System("pulses")
    x = s.coordinate("x")
    P = s.particle("P", mass=1.0, position=x * s.world.x)
    t = s.time
    push = sum(Piecewise((h, (t > a) & (t < b)), (0, True)) for a, b, h in case["pulses"])
    given: dict[str, dict[str, object]] = {}
    if case["as"] == "input":
        s.generalized_force(x, s.input("u"))
        given = {"inputs": {"u": push}}
    elif case["as"] == "load":
        s.force("F", on=P, along=s.world.x)
        given = {"loads": {"F": push}}
    else:
        s.generalized_force(x, push)
    run = s.simulate(case["duration"], q=[0.0], **given)
    T = case["duration"]
    v = sum(h * (b - a) for a, b, h in case["pulses"])
    place = sum(h * ((b - a) ** 2 / 2 + (b - a) * (T - b)) for a, b, h in case["pulses"])
    return answer(run, np.array([run["x"][-1], run["x_dot"][-1]]), np.array([place, v]), 1e-6, 1.0)


def simpler_drive(case: Case) -> Iterator[Case]:
    if len(case["pulses"]) > 1:
        yield {**case, "pulses": case["pulses"][:-1]}


BILLIARDS = Family("billiards", "straight lines from wall to wall", draw_billiard, compare_billiard, simpler_billiard)
RUBS = Family("dry friction", "half waves in closed form", draw_rub, compare_rub)
DRIVES = Family("drives that switch", "sums of pulses", draw_drive, compare_drive, simpler_drive)
