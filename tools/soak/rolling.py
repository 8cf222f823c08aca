"""Balls and discs that roll: a ball on a tilted turntable in closed form, a disc by its own equations in NumPy.

Cardan gets them in quaternions or Euler angles, and in other units of length.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import cardan as cd
from tools.soak.judging import Answer, Case, Family, Vector, answer
from tools.soak.turns import angles_of, quaternion_of, rates_of

ALLOWED = 1e-6  # of lengths of a metre: rtol 1e-9 on both sides, over a few turns
GRAVITY = 9.81
CHARTS = ("quaternion", "3-2-1", "3-1-3", "1-2-3")


def _unit(rng: np.random.Generator) -> float:
    return float(10.0 ** rng.uniform(-9, 9)) if rng.random() < 0.5 else 1.0


def simpler(case: Case) -> Iterator[Case]:
    if case["unit"] != 1.0:
        yield {**case, "unit": 1.0}
    if case["chart"] != "quaternion":
        yield {**case, "chart": "quaternion"}
    if case["duration"] > 0.1:
        yield {**case, "duration": case["duration"] / 2}


def _free(s: cd.System, chart: str) -> cd.Free:
    angles = s.coordinates("a b c", on="S1") if chart != "quaternion" else ()
    orientation = cd.Euler(chart, *angles) if angles else cd.Quaternion("e")
    return cd.Free(*s.coordinates("x y z"), orientation)


def _start(chart: str, place: Vector, turn: Rotation, speed: Vector, omega: Vector) -> dict[str, dict[str, object]]:
    """q and v by name, for an angular velocity in the world."""
    q: dict[str, object] = dict(zip("xyz", place.tolist(), strict=True))
    v: dict[str, object] = dict(zip("xyz", speed.tolist(), strict=True))
    if chart == "quaternion":
        return {"q": {**q, "e": quaternion_of(turn).tolist()}, "v": {**v, "e": turn.inv().apply(omega).tolist()}}
    angles = angles_of(turn, chart)
    rates = rates_of(angles, omega, chart)
    return {
        "q": q | dict(zip("abc", angles.tolist(), strict=True)),
        "v": v | dict(zip("abc", rates.tolist(), strict=True)),
    }


# --- balls ------------------------------------------------------------------------------------------------------------


def draw_ball(rng: np.random.Generator) -> Case:
    tilt = rng.uniform(-0.5, 0.5, 2) if rng.random() < 0.5 else np.zeros(2)
    return {
        "m": float(rng.uniform(0.2, 3)),
        "r": float(rng.uniform(0.1, 0.5)),
        "beta": float(rng.uniform(0.1, 2 / 3)),  # I = beta m r^2: from a heavy core to a shell
        "turning": float(rng.uniform(-3, 3)) if rng.random() < 0.7 else 0.0,  # of the table
        "tilt": tilt.tolist(),  # gravity along the table, in units of that across
        "x": rng.uniform(-1, 1, 2).tolist(),
        "v": rng.uniform(-1, 1, 2).tolist(),
        "chart": str(rng.choice(CHARTS)),
        "turn": rng.uniform(-0.6, 0.6, 3).tolist(),
        "duration": float(rng.uniform(0.5, 3)),
        "unit": _unit(rng),
    }


def rolled(case: Case) -> Vector:
    """Place and velocity of the centre: (1 + beta) dv/dt = beta W x v + g along the table, as complex numbers."""
    beta, T = case["beta"], case["duration"]
    a = 1j * case["turning"] * beta / (1 + beta)
    b = GRAVITY * complex(*case["tilt"]) / (1 + beta)
    x, v = complex(*case["x"]), complex(*case["v"])
    if a == 0:
        end, speed = x + v * T + b * T**2 / 2, v + b * T
    else:
        grown = np.exp(a * T)
        end, speed = x + (v + b / a) * (grown - 1) / a - b / a * T, (v + b / a) * grown - b / a
    return np.array([end.real, end.imag, speed.real, speed.imag])


def compare_ball(case: Case) -> Answer:
    unit, m, r = case["unit"], case["m"], case["r"] * case["unit"]
    s = cd.System("ball on a turntable")
    psi = s.coordinate("psi", on="S1")
    table = s.frame("table", joint=cd.Revolute("z", psi))
    ball = s.body("ball", mass=m, inertia=case["beta"] * m * r**2, joint=_free(s, case["chart"]))
    s.prescribe(psi, case["turning"] * s.time)
    s.roll(ball, on=table, shape=cd.Sphere(r))
    s.gravity(s.world.vector(*(GRAVITY * unit * np.array([*case["tilt"], -1.0]))))
    x, v = np.array([*case["x"], 0.0]), np.array([*case["v"], 0.0])
    slip = v - np.cross([0, 0, case["turning"]], x)
    omega = np.cross([0, 0, 1], slip) / case["r"]  # v = W x x + r w x n, without spin about the normal
    turn = Rotation.from_euler("ZYX", case["turn"])
    start = _start(case["chart"], unit * np.array([*case["x"], case["r"]]), turn, unit * v, omega)
    run = s.simulate(case["duration"], **start)
    found = np.array([run[name][-1] for name in ("x", "y", "x_dot", "y_dot")]) / unit
    return answer(run, found, rolled(case), ALLOWED, 1.0)


# --- discs ------------------------------------------------------------------------------------------------------------


def draw_disc(rng: np.random.Generator) -> Case:
    across = float(rng.uniform(0.2, 0.5))
    return {
        "m": float(rng.uniform(0.2, 3)),
        "r": float(rng.uniform(0.2, 0.8)),
        "across": across,  # A = across m r^2 about a diameter
        "along": across * float(rng.uniform(1.0, 2.0)),  # C = along m r^2 about the axis, 2 A for a flat one
        "theta": float(rng.uniform(0.9, np.pi - 0.9)),  # of the axis from the vertical
        "psi": float(rng.uniform(-3, 3)),
        "omega": [float(rng.uniform(-0.5, 0.5)), float(rng.uniform(-1, 1)), float(rng.uniform(-9, 9))],
        "chart": str(rng.choice(CHARTS)),
        "duration": float(rng.uniform(0.3, 1.0)),
        "unit": _unit(rng),
    }


def disc_rates(t: float, y: Vector, case: Case) -> Vector:
    """y = (theta, psi, w1, w2, w3, X, Y), w along e1 (level), e2 (up in the disc) and e3 (its axis).

    The frame e turns with W = (w1, w2, w2 cot theta); v = r w x e2, m a = F - m g k, d/dt H = -r e2 x F.
    """
    theta, psi, w1, w2, w3 = y[:5]
    m, r = case["m"], case["r"]
    A, C = case["across"] * m * r**2, case["along"] * m * r**2
    W = np.array([w1, w2, w2 / np.tan(theta)])
    v = r * np.array([-w3, 0.0, w1])
    turned, carried = np.cross(W, [A * w1, A * w2, C * w3]), np.cross(W, v)
    dw1 = (-m * r * (carried[2] + GRAVITY * np.cos(theta)) - turned[0]) / (A + m * r**2)
    dw2 = -turned[1] / A
    dw3 = (m * r * carried[0] - turned[2]) / (C + m * r**2)
    level = v[0] * np.array([np.cos(psi), np.sin(psi)]) + v[2] * np.sin(theta) * np.array([np.sin(psi), -np.cos(psi)])
    return np.array([w1, w2 / np.sin(theta), dw1, dw2, dw3, *level])


def compare_disc(case: Case) -> Answer:
    unit, m, r = case["unit"], case["m"], case["r"] * case["unit"]
    y0 = np.array([case["theta"], case["psi"], *case["omega"], 0.0, 0.0])
    lying = [lambda t, y, c: np.sin(y[0]) - 0.25]  # nearly flat: the contact runs around too fast for either side
    lying[0].terminal = True  # type: ignore[attr-defined]
    there = solve_ivp(
        disc_rates, (0, case["duration"]), y0, "DOP853", args=(case,), rtol=1e-11, atol=1e-12, events=lying
    )
    T, end = float(there.t[-1]), there.y[:, -1]
    s = cd.System("rolling disc")
    A, C = case["across"] * m * r**2, case["along"] * m * r**2
    disc = s.body("disc", mass=m, inertia=(A, A, C), joint=_free(s, case["chart"]))
    s.roll(disc, on=s.world, shape=cd.Disc(r))
    s.gravity(-GRAVITY * unit * s.world.z)
    turn = Rotation.from_euler("ZX", [case["psi"], case["theta"]])
    omega = turn.apply(case["omega"])
    e2 = turn.apply([0, 1, 0])
    start = _start(case["chart"], r * e2 * [0, 0, 1], turn, r * np.cross(omega, e2), omega)
    run = s.simulate(T, **start)
    place = np.array([end[5], end[6], case["r"] * np.sin(end[0])])
    axis = Rotation.from_euler("ZX", [end[1], end[0]]).apply([0, 0, 1])
    tip = run.position(disc.point(0, 0, r))[-1]
    centre = run.position(disc)[-1]
    found = np.concatenate([centre, tip - centre]) / unit
    return answer(run, found, np.concatenate([place, case["r"] * axis]), ALLOWED, 1.0)


BALLS = Family("rolling balls", "turntables, level and tilted, in closed form", draw_ball, compare_ball, simpler)
DISCS = Family("rolling discs", "equations of the disc in NumPy under DOP853", draw_disc, compare_disc, simpler)
