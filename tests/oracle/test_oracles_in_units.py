"""The reference motions of tests/oracle/data in six systems of units, at default settings, compiled once each.

All amounts of a mechanism are parameters with a dimension; a system of units changes their values, the clock and the
start, and what comes out is turned back. Motions on which units are of no account (angles alone) are timed in them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from math import cos as cosine
from math import pi, tan
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sympy import Symbol, cos, sin, sqrt

import cardan as cd
from support.reference import keyed_times, reference

Array = NDArray[np.float64]
Dimension = tuple[int, int, int]  # powers of length, time and mass

ONE, LENGTH, MASS, RATE, INERTIA = (0, 0, 0), (1, 0, 0), (0, 0, 1), (0, -1, 0), (2, 0, 1)
PULL, SPEED, FORCE = (1, -2, 0), (1, -1, 0), (1, -2, 1)
UNITS: dict[str, tuple[float, float, float]] = {  # how many of them are a metre, a second, a kilogram
    "SI": (1, 1, 1),
    "mm, ms, g": (1e3, 1e3, 1e3),
    "AU, years, suns": (1 / 1.496e11, 1 / 3.156e7, 1 / 1.989e30),
    "km, h, t": (1e-3, 1 / 3600, 1e-3),
    "nm, ns, ug": (1e9, 1e9, 1e9),
    "Gm, Gs, Mt": (1e-9, 1e-9, 1e-9),
}
WITHIN = 2e-6  # of the largest of its kind: some thousand times rtol = 1e-9, over up to a thousand steps and ten folds


@dataclass
class Case:
    """A mechanism with the dimensions of its amounts, a start and what is known of its motion, all in SI."""

    system: cd.System
    q: dict[str, Any]
    v: dict[str, Any]
    known: Mapping[float, Mapping[str, float]]  # by time, by name
    kinds: dict[str, Dimension] = field(default_factory=dict)  # of parameters and coordinates
    values: dict[str, float] = field(default_factory=dict)  # of parameters
    reads: dict[str, tuple[Dimension, Callable[[cd.Run], Array]]] = field(default_factory=dict)

    def amount(self, name: str, value: float, dimension: Dimension) -> Symbol:
        self.kinds[name], self.values[name] = dimension, value
        return self.system.parameters(**{name: value})

    def lengths(self, names: str) -> list[Symbol]:
        self.kinds |= dict.fromkeys(names.split(), LENGTH)
        return self.system.coordinates(names)


def scale(dimension: Dimension, units: tuple[float, float, float]) -> float:
    return float(np.prod([one**power for one, power in zip(units, dimension, strict=True)]))


def rate_of(dimension: Dimension) -> Dimension:
    return dimension[0], dimension[1] - 1, dimension[2]


def started(name: str) -> Case:
    return Case(cd.System(name), {}, {}, keyed_times(reference(name)["reference"]))


# --- the mechanisms ---------------------------------------------------------------------------------------


def a01() -> Case:
    c = started("A01_simple_pendulum")
    s, (x, y) = c.system, c.lengths("x y")
    m, L, g = c.amount("m", 1, MASS), c.amount("L", 1, LENGTH), c.amount("g", 9.81, PULL)
    P = s.particle("P", mass=m, position=s.world.vector(x, y, 0))
    s.gravity(-g * s.world.y)
    s.distance(s.world.origin, P, L, name="rod")
    c.q, c.v = {"x": -1.0, "y": 0.0}, {"x": 0.0, "y": 0.0}
    c.reads = {
        "vx": (SPEED, lambda run: run["x_dot"]),
        "vy": (SPEED, lambda run: run["y_dot"]),
        "tension": (FORCE, lambda run: -run.multipliers["rod"]),
    }
    return c


def a02() -> Case:
    """Two four-bars, through the positions in which they fold."""
    c = Case(cd.System("A02"), {}, {}, keyed_times(reference("A02_N_four_bar")["reference"]["2"]))
    s, a = c.system, c.system.coordinates("a0 a1 a2 c0 c1", on="S1")
    m, L, g = c.amount("m", 1, MASS), c.amount("L", 1, LENGTH), c.amount("g", 9.81, PULL)
    s.gravity(-g * s.world.y)
    for k, angle in enumerate(a[:3]):
        middle = (k * L + L / 2 * cos(angle), L / 2 * sin(angle), 0)
        s.particle(f"crank{k}", mass=m, position=s.world.vector(*middle))
    for k, angle in enumerate(a[3:]):
        middle = (k * L + L * cos(a[k]) + L / 2 * cos(angle), L * sin(a[k]) + L / 2 * sin(angle), 0)
        s.particle(f"coupler{k}", mass=m, position=s.world.vector(*middle))
    s.kinetic_energy(m * L**2 / 24 * sum(angle.dot**2 for angle in a))  # of the rods about their centres
    for k in range(2):
        s.constrain(L * (cos(a[k]) + cos(a[3 + k]) - cos(a[k + 1]) - 1), name=f"along{k}")
        s.constrain(L * (sin(a[k]) + sin(a[3 + k]) - sin(a[k + 1])), name=f"across{k}")
    c.q = {"a0": pi / 2, "a1": pi / 2, "a2": pi / 2, "c0": 0.0, "c1": 0.0}
    c.v = {"a0": -1.0, "a1": -1.0, "a2": -1.0, "c0": 0.0, "c1": 0.0}
    c.reads = {
        "theta": (ONE, lambda run: pi / 2 - run["a0"]),
        "theta_dot": (RATE, lambda run: -run["a0_dot"]),
    }
    return c


def bead_in_gimbal() -> Case:
    c = started("bead_in_free_gimbal_T2")
    s, (nu, phi) = c.system, c.system.coordinates("nu phi_e", on="S1")
    values = reference("bead_in_free_gimbal_T2")["parameters"]
    m, R, g = c.amount("m", values["m"], MASS), c.amount("R0", values["R0"], LENGTH), c.amount("g", values["g"], PULL)
    gimbal = s.body("gimbal", inertia=c.amount("M_k2", values["M_k2"], INERTIA), joint=cd.Revolute("z", nu))
    s.particle("bead", mass=m, position=gimbal.vector(R * sin(phi), 0, R * cos(phi)))
    s.gravity(-g * s.world.z)
    c.q, c.v = {"nu": 0.0, "phi_e": 0.5}, {"nu": 2.0, "phi_e": -6.0}
    return c


def rotating_line() -> Case:
    c = started("bead_on_rotating_line")
    s, (r,), theta = c.system, (c.lengths("r"),), c.system.coordinates("theta")
    s.particle("bead", mass=c.amount("m", 1, MASS), coordinates=cd.PolarCylindrical(r, theta))
    s.prescribe(theta, c.amount("Omega", 2, RATE) * s.time)
    c.q, c.v = {"r": 1.0}, {"r": -3.0}
    c.reads = {
        "r_e": (LENGTH, lambda run: run["r"]),
        "r_e_dot": (SPEED, lambda run: run["r_dot"]),
        "x": (LENGTH, lambda run: run.position("bead")[:, 0]),
        "y": (LENGTH, lambda run: run.position("bead")[:, 1]),
    }
    return c


def suspension() -> Case:
    c = started("cardan_suspension_T3")
    s, (al, be, ga) = c.system, c.system.coordinates("alpha beta gamma", on="S1")
    l1, l2, l3 = (c.amount(f"lambda{k}", one, INERTIA) for k, one in ((1, 0.3), (2, 0.2), (3, 0.1)))
    outer = s.body("outer", inertia=l1, joint=cd.Revolute("z", al))
    inner = s.body("inner", inertia=l2, joint=cd.Revolute("x", be), parent=outer)
    s.body("platform", inertia=l3, joint=cd.Revolute("z", ga), parent=inner)
    c.q, c.v = {"alpha": 0.1, "beta": 0.8, "gamma": -0.2}, {"alpha": 1.0, "beta": -2.0, "gamma": 1.5}
    return c


def sleigh() -> Case:
    c = started("chaplygin_sleigh")
    s, (x, y), theta = c.system, c.lengths("x y"), c.system.coordinates("theta")
    m, J, d = c.amount("m", 2, MASS), c.amount("J", 0.3, INERTIA), c.amount("d", 0.25, LENGTH)
    body = s.body("sleigh", mass=m, inertia=J, joint=cd.Planar(x, y, theta))
    s.no_slip(on=body, point=body.point(-d, 0, 0), along=body.y, name="skate")
    c.q, c.v = {"x": 0.0, "y": 0.0, "theta": 0.0}, {"x": -1.0, "y": 0.5, "theta": 2.0}
    c.reads = {
        "omega": (RATE, lambda run: run["theta_dot"]),
        "lateral_force_F": (FORCE, lambda run: run.multipliers["skate"]),
    }
    return c


def double_pendulum(start: str) -> Case:
    content = reference("double_pendulum_chaotic")
    known = {t: one for t, one in keyed_times(content["reference"][start]).items() if t <= 5.0}
    c = Case(cd.System("double pendulum"), {}, {}, known)
    s, (a, b) = c.system, c.system.coordinates("theta1 theta2", on="S1")
    m, L, g = c.amount("m", 1, MASS), c.amount("L", 1, LENGTH), c.amount("g", 9.81, PULL)
    upper = s.body("upper", mass=m, com=(0, -L, 0), joint=cd.Revolute("z", a))
    s.body("lower", mass=m, com=(0, -L, 0), at=(0, -L, 0), joint=cd.Revolute("z", b - a), parent=upper)
    s.gravity(-g * s.world.y)
    first, second = {"A": (pi / 2, pi / 2), "B": (0.3, -0.2)}[start]
    c.q, c.v = {"theta1": first, "theta2": second}, {"theta1": 0.0, "theta2": 0.0}
    c.reads = {f"omega{k}": (RATE, lambda run, k=k: run[f"theta{k}_dot"]) for k in (1, 2)}
    return c


def free_rotation(name: str) -> Case:
    content = reference(name)
    moments = {t: one for t, one in keyed_times(content["reference"]).items() if t <= 10.0}
    known = {t: {f"w{k}": one["omega_body"][k] for k in range(3)} for t, one in moments.items()}
    c = Case(cd.System(name), {}, {}, known)
    J = tuple(c.amount(f"I{k}", one, INERTIA) for k, one in enumerate(content["parameters"]["I"]))
    c.system.body("B", mass=c.amount("m", 2, MASS), inertia=J, joint=cd.Ball(cd.Quaternion("e")))
    c.v = {"e": np.array([float(w) for w in content["initial_conditions"]["omega_body"]])}
    c.reads = {f"w{k}": (RATE, lambda run, k=k: run.omega("B")[:, k]) for k in range(3)}
    return c


def fast_top() -> Case:
    content = reference("heavy_top_lie_group_benchmark")
    values, parts = content["parameters"], (("p", "com_position"), ("w", "omega_body"))
    known = {
        t: {f"{letter}{k}": one[what][k] for letter, what in parts for k in range(3)}
        for t, one in keyed_times(content["reference"]).items()
    }
    c = Case(cd.System("fast top"), {}, {}, known)
    J = tuple(c.amount(f"J{k}", one, INERTIA) for k, one in enumerate(values["J_com"]))
    h, m, g = c.amount("h", 1, LENGTH), c.amount("m", values["m"], MASS), c.amount("g", 9.81, PULL)
    top = c.system.body("top", mass=m, inertia=J, com=(0, h, 0), joint=cd.Ball(cd.Quaternion("e")))
    c.system.gravity(-g * c.system.world.z)
    c.v = {"e": np.array(content["initial_conditions"]["omega_body"], dtype=float)}
    c.reads = {f"p{k}": (LENGTH, lambda run, k=k: run.position(top.centre)[:, k]) for k in range(3)}
    c.reads |= {f"w{k}": (RATE, lambda run, k=k: run.omega("top")[:, k]) for k in range(3)}
    return c


def disc() -> Case:
    c = started("rolling_disc")
    values = reference("rolling_disc")["parameters"]
    m, r, g = (c.amount(name, values[name], one) for name, one in (("m", MASS), ("r", LENGTH), ("g", PULL)))
    s, place, angles = c.system, c.lengths("x y z"), c.system.coordinates("yaw lean spin")
    inertia = (m * r**2 / 4, m * r**2 / 2, m * r**2 / 4)
    body = s.body("disc", mass=m, inertia=inertia, joint=cd.Free(*place, cd.Euler("3-1-2", *angles)))
    s.gravity(-g * s.world.z)
    s.roll(body, on=s.world, shape=cd.Disc(r, "y"), name="roll")
    lean, third = 0.2, 0.5
    c.q = {"x": 0.0, "y": 0.0, "yaw": 0.0, "lean": lean, "spin": 0.0}
    c.v = {"yaw": third / cosine(lean), "lean": 0.1, "spin": 4.0 - third * tan(lean)}
    c.reads = {
        "com_height": (LENGTH, lambda run: run["z"]),
        "lean_cos": (ONE, lambda run: np.cos(run["lean"])),
        "omega_along_normal": (RATE, lambda run: run.omega("disc")[:, 1]),
    }
    return c


def ball_on_turntable() -> Case:
    content = reference("ball_on_turntable")
    known = {t: {"x": one[0], "y": one[1]} for t, one in keyed_times(content["reference"]).items()}
    c = Case(cd.System("turntable"), {}, {}, known)
    s, turn = c.system, c.system.coordinates("turn", on="S1")
    place, a = c.lengths("x y z"), c.amount("a", 0.1, LENGTH)
    m, Omega, g = c.amount("m", 1, MASS), c.amount("Omega", 3, RATE), c.amount("g", 9.81, PULL)
    table = s.body("table", inertia=c.amount("J", 1, INERTIA), joint=cd.Revolute("z", turn))
    s.prescribe(turn, Omega * s.time)
    ball = s.body("ball", mass=m, inertia=0.4 * m * a**2, joint=cd.Free(*place, cd.Quaternion("e")))
    s.gravity(-g * s.world.z)
    s.roll(ball, on=table, shape=cd.Sphere(a), name="roll")
    up, middle, speed = np.array([0, 0, 1.0]), np.array([0.5, 0, 0]), np.array([0.3, -0.2, 0])
    c.q = {"x": 0.5, "y": 0.0, "z": 0.1}
    c.v = {"x": 0.3, "y": -0.2, "z": 0.0, "e": np.cross(up, speed - 3 * np.cross(up, middle)) / 0.1 + up}
    return c


def rp_arm() -> Case:
    content = reference("rp_manipulator")
    known = {
        t: {"q1": one["q"][0], "q2": one["q"][1], "q1_dot": one["v"][0], "q2_dot": one["v"][1]}
        for t, one in keyed_times(content["reference"]).items()
    }
    c = Case(cd.System("arm"), {}, {}, known)
    s, q1, q2 = c.system, c.system.coordinates("q1"), c.lengths("q2")
    m1, m2, r1 = c.amount("m1", 2, MASS), c.amount("m2", 1, MASS), c.amount("r1", 0.4, LENGTH)
    I1, I2, g = c.amount("I1", 0.1, INERTIA), c.amount("I2", 0.05, INERTIA), c.amount("g", 9.81, PULL)
    s.kinetic_energy((I1 + I2 + m1 * r1**2 + m2 * q2**2) * q1.dot**2 / 2 + m2 * q2.dot**2 / 2)
    s.potential(g * sin(q1) * (m1 * r1 + m2 * q2))
    c.q, c.v = {"q1": 0.3, "q2": 0.8}, {"q1": 2.0, "q2": 0.5}
    return c


def slider_crank() -> Case:
    c = started("slider_crank_equal_links")
    s, (a, b) = c.system, c.system.coordinates("a b", on="S1")
    m, L, g = c.amount("m", 1, MASS), c.amount("L", 1, LENGTH), c.amount("g", 9.81, PULL)
    bar = {"mass": m, "inertia": m * L**2 / 12, "com": (L / 2, 0, 0)}
    crank = s.body("crank", joint=cd.Revolute("z", a), **bar)
    s.body("coupler", at=(L, 0, 0), parent=crank, joint=cd.Revolute("z", b), **bar)
    s.gravity(-g * s.world.y)
    s.constrain(L * (sin(a) + sin(a + b)), name="guide")
    rate = 4 / np.sqrt(2)  # x = 2 cos(a) goes at -2 sin(pi/4) rate = -4
    c.q, c.v = {"a": pi / 4, "b": -pi / 2}, {"a": rate, "b": -2 * rate}
    c.reads = {
        "crank_angle": (ONE, lambda run: run["a"]),
        "crank_rate": (RATE, lambda run: run["a_dot"]),
    }
    return c


def snake_cart() -> Case:
    c = started("snake_cart_through_degeneracy")
    values = reference("snake_cart_through_degeneracy")["parameters"]
    kinds = {"m_b": MASS, "m_w": MASS, "J_b": INERTIA, "J_w": INERTIA, "l": LENGTH}
    m_b, m_w, J_b, J_w, length = (c.amount(name, values[name], one) for name, one in kinds.items())
    s, (x, y), (theta, phi) = c.system, c.lengths("x y"), c.system.coordinates("theta phi", on="S1")
    J = J_b + 2 * J_w + length**2 * m_w / 2
    s.kinetic_energy((m_b + 2 * m_w) * (x.dot**2 + y.dot**2) / 2 + J * theta.dot**2 / 2 + J_w * phi.dot**2)
    turn = length / 2 * cos(phi) * theta.dot
    s.constrain_velocity(turn + cos(theta + phi) * y.dot - sin(theta + phi) * x.dot, name="front")
    s.constrain_velocity(turn - cos(theta - phi) * y.dot + sin(theta - phi) * x.dot, name="rear")
    c.q = {"x": 0.0, "y": 0.0, "theta": 0.0, "phi": 0.3}
    c.v = {"x": 1.2, "y": 0.0, "theta": 2 * tan(0.3) * 1.2 / 0.8, "phi": 0.9}
    c.reads = {
        "lambda1": (FORCE, lambda run: run.multipliers["front"]),
        "lambda2": (FORCE, lambda run: run.multipliers["rear"]),
    }
    return c


def spherical_pendulum() -> Case:
    """Started at (sin(pi/3), 0, -1/2) with 2 rad/s about the vertical."""
    expected = reference("spherical_pendulum")["reference"]["state_t10"]
    c = Case(cd.System("spherical pendulum"), {}, {}, {10.0: expected})
    s, (tilt, turn) = c.system, c.system.coordinates("tilt turn", on="S1")
    m, L, g = c.amount("m", 1, MASS), c.amount("l", 1, LENGTH), c.amount("g", 9.81, PULL)
    s.particle("P", mass=m, coordinates=cd.PolarSpherical(L, tilt, turn))
    s.gravity(-g * s.world.z)
    c.q, c.v = {"tilt": 2 * pi / 3, "turn": 0.0}, {"tilt": 0.0, "turn": 2.0}
    for k, axis in enumerate("xyz"):
        c.reads[axis] = (LENGTH, lambda run, k=k: run.position("P")[:, k])
        c.reads[f"v{axis}"] = (SPEED, lambda run, k=k: run.velocity("P")[:, k])
    return c


def half_gimbal() -> Case:
    expected = reference("half_gimbal_bead_bounce")["reference"]["both_ends"]
    known = {10.0: {"phi": expected["phi_t10"], "phi_dot": expected["phid_t10"]}}
    c = Case(cd.System("half-gimbal"), {}, {}, known)
    s, (phi, theta) = c.system, c.system.coordinates("phi theta")
    m, R, g = c.amount("m", 1, MASS), c.amount("R0", 0.5, LENGTH), c.amount("g", 9.81, PULL)
    s.particle("bead", mass=m, coordinates=cd.PolarSpherical(R, phi, theta))
    s.gravity(-g * s.world.z)
    s.prescribe(theta, c.amount("Omega", 3, RATE) * s.time)
    s.stop(phi, restitution=1, name="top")
    s.stop(pi - phi, restitution=1, name="bottom")
    c.q, c.v = {"phi": pi / 3}, {"phi": expected["phid0"]}
    return c


def chain(which: str) -> Case:
    content = reference("collinear_elastic_chain")
    given = content["initial_conditions"][which]
    names = [f"x{k}" for k in range(len(given["masses"]))]
    final = {f"{name}_dot": w for name, w in zip(names, content["reference"][which]["v"], strict=True)}
    c = Case(cd.System("row"), {}, {}, {6.0: final})
    x = c.lengths(" ".join(names))
    for name, mass, place in zip(names, given["masses"], x, strict=True):
        c.system.particle(f"ball{name}", mass=c.amount(f"m{name}", mass, MASS), position=place * c.system.world.x)
    for k in range(len(x) - 1):
        c.system.stop(x[k + 1] - x[k], restitution=1, name=f"pair{k}")
    c.q = {name: float(k) for k, name in enumerate(names)}
    c.v = dict(zip(names, given["v"], strict=True))
    return c


def sphere() -> Case:
    """Down a sphere, off it, and along the floor, on which it does not bounce."""
    expected = reference("particle_leaves_sphere")["reference"]
    c = Case(cd.System("sphere"), {}, {}, {expected["landing_time"]: {"x": expected["landing_x"]}})
    s, (x, y) = c.system, c.lengths("x y")
    m, g, R = c.amount("m", 1, MASS), c.amount("g", 9.81, PULL), c.amount("R", 1, LENGTH)
    s.particle("P", mass=m, position=x * s.world.x + y * s.world.y)
    s.gravity(-g * s.world.y)
    s.stop(sqrt(x**2 + y**2) - R, restitution=0, name="sphere")
    s.stop(y + R, restitution=0, name="floor")
    c.q, c.v = {"x": 0.0, "y": 1.0}, {"x": 1.0, "y": 0.0}
    return c


def rod() -> Case:
    """After the end of a rod has hit a smooth floor."""
    expected = reference("rod_impact_and_painleve")["reference"]
    known = {0.05: {"y_dot": expected["vy_after"], "spin": expected["abs_omega_after"]}}
    c = Case(cd.System("rod"), {}, {}, known)
    s, (x, y), theta = c.system, c.lengths("x y"), c.system.coordinates("theta")
    L, m = c.amount("L", 1, LENGTH), c.amount("m", 1, MASS)
    body = s.body("rod", mass=m, inertia=m * L**2 / 12, joint=cd.Planar(x, y, theta))
    s.contact(body.point(-L / 2, 0, 0), on=cd.Plane(s.world, "y"), restitution=0.5, name="floor")
    c.q = {"x": 0.0, "y": 0.5 * np.sin(pi / 4), "theta": pi / 4}
    c.v = {"x": 0.0, "y": -2.0, "theta": 0.0}
    c.reads = {"spin": (RATE, lambda run: np.abs(run["theta_dot"]))}
    return c


def crossing() -> Case:
    """Past the singularity of Euler angles by 5e-5; R[1][2] and R[2][2] tell how far."""
    content = reference("euler_313_near_singular_crossing")
    known = {t: {"R12": one["R"][1][2], "R22": one["R"][2][2]} for t, one in keyed_times(content["reference"]).items()}
    c = Case(cd.System("crossing"), {}, {}, known)
    angles = c.system.coordinates("a b c", on="S1")
    J = c.amount("lambda1", 1, INERTIA)
    c.system.body("B", mass=c.amount("m", 1, MASS), inertia=J, joint=cd.Ball(cd.Euler("3-1-3", *angles)))
    w = np.array(content["initial_conditions"]["omega_space"], dtype=float)
    # omega = a' e3 + b' g2 + c' g3 at a = c = 0, b = 1/2: g2 = e1, g3 = (0, -sin b, cos b)
    c.q, c.v = {"a": 0.0, "b": 0.5, "c": 0.0}, {"a": w[1] / tan(0.5), "b": w[0], "c": -w[1] / np.sin(0.5)}
    c.reads = {f"R{i}2": (ONE, lambda run, i=i: run.rotation("B")[:, i, 2]) for i in (1, 2)}
    return c


def lagrange_top() -> Case:
    """After each of nine nutations it is as high as at the start, and turned by the same angle."""
    content = reference("heavy_symmetric_top")
    values, expected = content["parameters"], content["reference"]
    known = {
        k * expected["nutation_period"]: {"height": cosine(pi / 6), "phi": k * expected["azimuth_advance_per_nutation"]}
        for k in (1, 5, 9)
    }
    c = Case(cd.System("top"), {}, {}, known)
    s, (phi, theta, psi) = c.system, c.system.coordinates("phi theta psi", on="S1")
    A, C = c.amount("A", values["A_transverse_about_pivot"], INERTIA), c.amount("C", values["C_axial"], INERTIA)
    m, h = c.amount("m", values["m"], MASS), c.amount("h", values["l_pivot_to_com"], LENGTH)
    joint = cd.Ball(cd.Euler("3-1-3", phi, theta, psi))
    s.body("top", mass=m, inertia=(A - m * h**2, A - m * h**2, C), com=(0, 0, h), joint=joint)
    s.gravity(-c.amount("g", 9.81, PULL) * s.world.z)
    c.q, c.v = {"phi": 0.0, "theta": pi / 6, "psi": 0.0}, {"phi": 0.0, "theta": 0.0, "psi": 150.0}
    c.reads = {"height": (ONE, lambda run: np.cos(run["theta"]))}
    return c


CASES: dict[str, Callable[[], Case]] = {
    "A01_simple_pendulum": a01,
    "A02_N_four_bar": a02,
    "ball_on_turntable": ball_on_turntable,
    "bead_in_free_gimbal_T2": bead_in_gimbal,
    "bead_on_rotating_line": rotating_line,
    "cardan_suspension_T3": suspension,
    "chaplygin_sleigh": sleigh,
    **{f"collinear_elastic_chain, {one}": lambda one=one: chain(one) for one in "ABC"},
    **{f"double_pendulum_chaotic, {one}": lambda one=one: double_pendulum(one) for one in "AB"},
    "dzhanibekov_intermediate_axis": lambda: free_rotation("dzhanibekov_intermediate_axis"),
    "euler_313_near_singular_crossing": crossing,
    "half_gimbal_bead_bounce": half_gimbal,
    "heavy_symmetric_top": lagrange_top,
    "heavy_top_lie_group_benchmark": fast_top,
    "particle_leaves_sphere": sphere,
    "rod_impact_and_painleve": rod,
    "rolling_disc": disc,
    "rp_manipulator": rp_arm,
    "slider_crank_equal_links": slider_crank,
    "snake_cart_through_degeneracy": snake_cart,
    "spherical_pendulum": spherical_pendulum,
    "torque_free_generic": lambda: free_rotation("torque_free_generic"),
}


@cache
def made(name: str) -> Case:
    return CASES[name]()


def moved(c: Case, units: tuple[float, float, float]) -> cd.Run:
    """The motion in these units, at the times at which something is known of it."""
    s = c.system.with_values(**{name: scale(c.kinds[name], units) * value for name, value in c.values.items()})
    q = {name: scale(c.kinds.get(name, ONE), units) * value for name, value in c.q.items()}
    v = {name: scale(rate_of(c.kinds.get(name, ONE)), units) * value for name, value in c.v.items()}
    times = np.array(sorted(c.known)) * units[1]
    return s.simulate(float(times[-1]), q=q or None, v=v, times=times)


def columns(c: Case) -> dict[str, tuple[Dimension, Callable[[cd.Run], Array]]]:
    """What the reference knows and this mechanism tells, with its dimension."""
    known, found = set(next(iter(c.known.values()))), dict(c.reads)
    for one in c.system.model.q:
        kind = c.kinds.get(str(one), ONE)
        found[str(one)] = kind, lambda run, name=str(one): run[name]
        found[f"{one}_dot"] = rate_of(kind), lambda run, name=f"{one}_dot": run[name]
    return {name: found[name] for name in found if name in known}


ALIKE = ("chain, B", "chain, C", "chaotic, B", "dzhanibekov_intermediate_axis")  # mechanisms that others are already


@pytest.mark.parametrize("units", UNITS)
@pytest.mark.parametrize(
    "case", [pytest.param(one, marks=pytest.mark.long) if one.endswith(ALIKE) else one for one in CASES]
)
def test_the_reference_is_met_in_every_system_of_units(case: str, units: str) -> None:
    c = made(case)
    run = moved(c, UNITS[units])
    told, largest = columns(c), dict[Dimension, float]()
    assert told
    moments = sorted(c.known)
    for name, (dimension, _) in told.items():
        largest[dimension] = max(largest.get(dimension, 0.0), *(abs(c.known[t][name]) for t in moments))
    for name, (dimension, history) in told.items():
        off = history(run) / scale(dimension, UNITS[units]) - [c.known[t][name] for t in moments]
        assert np.max(np.abs(off)) <= WITHIN * largest[dimension], name
    assert run.solution.statistics.accepted < 4000, "as many steps as in any other unit"
    assert not [line for line in run.audit(quick=True).complaints if line.verdict == "wrong"]
