"""Systems of every kind whose page is drawn: name -> a short run."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import sympy as sp

import cardan as cd


def suspension() -> cd.Run:
    """A platform in gimbals, driven by a moment through gimbal lock."""
    s = cd.System("Cardan suspension")
    alpha, beta, gamma = s.coordinates("alpha beta gamma", on="S1")
    outer = s.body("outer", inertia=0.3, joint=cd.Revolute("z", alpha))
    inner = s.body("inner", inertia=0.2, joint=cd.Revolute("x", beta), parent=outer)
    platform = s.body("platform", inertia=0.1, joint=cd.Revolute("z", gamma), parent=inner)
    s.moment("M", on=platform, along=inner.y)
    return s.simulate(1.5, q=[0.1, 0.8, -0.2], v=[1.0, -2.0, 1.5], loads={"M": 0.4})


def hanging() -> cd.Run:
    """A pendulum at rest."""
    s = cd.System("pendulum at rest")
    phi = s.coordinates("phi", on="S1")
    m, length, g = s.parameters(m=2.0, length=0.5, g=10.0)
    s.body("rod", mass=m, inertia=(0.02, 0.02, 0), com=(0, 0, -length), joint=cd.Revolute("y", phi))
    s.gravity(-g * s.world.z)
    return s.simulate(1.0, q=[0.0])


def typed() -> cd.Run:
    """A double pendulum from a Lagrangian typed by hand."""
    s = cd.System("double pendulum")
    a, b = s.coordinates("a b", on="S1")
    m, length, g = s.parameters(m=1.0, length=1.0, g=9.81)
    T = m * length**2 * (a.dot**2 + b.dot**2 / 2 + a.dot * b.dot * sp.cos(a - b))
    s.lagrangian(T + m * g * length * (2 * sp.cos(a) + sp.cos(b)))
    return s.simulate(2.0, q=[2.0, 1.0])


def particles() -> cd.Run:
    """A particle in cylindrical polar coordinates on a spring, and one on a rod from it."""
    s = cd.System("two particles")
    r, theta, z = s.coordinates("r theta z")
    P = s.particle("P", mass=1.0, coordinates=cd.PolarCylindrical(r, theta, z))
    x, y = s.coordinates("x y")
    R = s.particle("R", mass=0.5, position=s.world.vector(x, y, 0))
    s.spring(P, s.world.origin, stiffness=4.0, length=1.0, name="spring")
    s.distance(P, R, 1.0, name="rod")
    s.force("F", on=P, along=P.e_theta)
    return s.simulate(1.0, q={"r": 1.0, "x": 2.0}, v={"theta": 1.0}, loads={"F": 0.1})


def beads() -> cd.Run:
    """A bead on a circle of wire, one on a gimbal, one on a plate."""
    s = cd.System("three beads")
    u, phi, theta = s.coordinates("u phi theta", on="S1")
    r, psi = s.coordinates("r psi")
    a = s.parameters(a=1.0)
    s.particle("wired", mass=1.0, coordinates=cd.Curve((a * sp.cos(u), 0, a * sp.sin(u)), u))
    s.particle("hung", mass=1.0, coordinates=cd.PolarSpherical(2 * a, phi, theta))
    s.particle("laid", mass=1.0, coordinates=cd.PolarCylindrical(r, psi, -a))
    s.gravity(-9.81 * s.world.z)
    return s.simulate(1.0, q={"u": 0.3, "phi": 2.0, "r": 1.0}, v={"theta": 1.0, "psi": 1.0})


def four_bar() -> cd.Run:
    s = cd.System("four-bar linkage")
    a, b, c = s.coordinates("a b c", on="S1")
    rods = {}
    for name, angle, length, parent, at in (
        ("crank", a, 1.0, None, None),
        ("coupler", b, 2.0, "crank", (1.0, 0, 0)),
        ("rocker", c, 1.5, None, (2.2, 0, 0)),
    ):
        rods[name] = s.body(
            name,
            mass=length,
            inertia=(0, length**3 / 12, length**3 / 12),
            com=(length / 2, 0, 0),
            joint=cd.Revolute("z", angle),
            parent=None if parent is None else rods[parent],
            at=at,
        )
    s.connect(rods["coupler"].point(2.0), rods["rocker"].point(1.5), cd.Revolute("z"), name="pin")
    s.gravity(-9.81 * s.world.y)
    return s.simulate(1.0, q={"a": 1.0}, v={"a": 1.0})


def rolling() -> cd.Run:
    """A ball on a plane that turns, with a prescribed angle and a quaternion."""
    s = cd.System("ball on a turntable")
    x, y, z, psi = s.coordinates("x y z psi")
    table = s.frame("table", joint=cd.Revolute("z", psi))
    joint = cd.Free(x, y, z, cd.Quaternion("e"))
    ball = s.body("ball", mass=0.5, inertia=0.008, shape=cd.Sphere(0.2), joint=joint)
    s.prescribe(psi, s.time)
    s.roll(ball, on=table, name="contact")
    s.gravity(-9.81 * s.world.z)
    return s.simulate(1.0, q={"x": 1.0, "z": 0.2, "e": (1, 0, 0, 0)}, v={"y": 0.5})


def bouncing() -> cd.Run:
    """A ball that falls on the floor with impacts and friction."""
    s = cd.System("bouncing ball")
    x, z, phi = s.coordinates("x z phi")
    ball = s.body("ball", mass=0.5, inertia=0.002, joint=cd.Planar(z, x, phi, normal="y"))
    s.gravity(-9.81 * s.world.z)
    s.contact(ball, on=cd.Plane(s.world), shape=cd.Sphere(0.1), restitution=0.7, friction=0.3, name="floor")
    return s.simulate(1.5, q={"z": 1.0}, v={"x": 1.0})


def free() -> cd.Run:
    """A free body with a quaternion."""
    s = cd.System("free body")
    x, y, z = s.coordinates("x y z")
    s.body("brick", mass=1.0, inertia=(0.1, 0.2, 0.25), joint=cd.Free(x, y, z, cd.Quaternion("e")))
    return s.simulate(3.0, q={"e": (1, 0, 0, 0)}, v={"x": 0.1, "e": (0.01, 3.0, 0.0)})


def euler() -> cd.Run:
    """A heavy top in Euler angles, simulated in a quaternion and shown in its angles."""
    s = cd.System("heavy top")
    psi, theta, phi = s.coordinates("psi theta phi", on="S1")
    joint = cd.Ball(cd.Euler("3-1-3", psi, theta, phi))
    s.body("top", mass=1.0, inertia=(0.02, 0.02, 0.01), com=(0, 0, 0.2), joint=joint)
    s.gravity(-9.81 * s.world.z)
    return s.simulate(1.0, q=[0.0, 0.5, 0.0], v=[0.0, 0.0, 30.0])


def prescribed() -> cd.Run:
    """A bead on a turning rod, and a slider."""
    s = cd.System("bead on a turning rod")
    psi, x = s.coordinates("psi x")
    rod = s.body("rod", inertia=1.0, joint=cd.Revolute("z", psi))
    s.body("bead", mass=1.0, joint=cd.Prismatic("x", x), parent=rod)
    s.prescribe(psi, 2 * s.time)
    return s.simulate(1.0, q=[0.1])


def large() -> cd.Run:
    """A chain that is too large for formulas on a page."""
    s = cd.System("chain of eight links")
    angles = s.coordinates(" ".join(f"q{k}" for k in range(8)), on="S1")
    parent, at = None, None
    for k, angle in enumerate(angles):
        axis = "xy"[k % 2]
        parent = s.body(
            f"link{k}", mass=1.0, inertia=0.01, com=(0, 0, -0.5), joint=cd.Revolute(axis, angle), parent=parent, at=at
        )
        at = (0, 0, -1.0)
    s.gravity(-9.81 * s.world.z)
    return s.simulate(0.5, q=[0.3] * 8)


KINDS: dict[str, Callable[[], cd.Run]] = {
    one.__name__: one
    for one in (
        suspension,
        hanging,
        typed,
        particles,
        beads,
        four_bar,
        rolling,
        bouncing,
        free,
        euler,
        prescribed,
        large,
    )
}


@cache
def run_of(kind: str) -> cd.Run:
    """The run of that name, made once."""
    return KINDS[kind]()
