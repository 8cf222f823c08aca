"""The systems of Hemingway & O'Reilly (rows H) and Briggs (rows B) whose configurations `singular_cases.py` judges.

Each system is built once, in SI units; parameters and lengths know their dimensions, so that the same configuration can
be written in other units. Factors k1, k2, ... multiply constraint rows that are typed by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from sympy import cos, sin

import cardan as cd

UNITS = {"SI": (1.0, 1.0), "mm, tonne": (1e3, 1e-3), "nano": (1e-9, 1e-21), "astro": (1e9, 1e24)}
PI = np.pi


@dataclass(frozen=True)
class Built:
    """A system; which coordinates are lengths; dimensions (mass, length) of its parameters; factors of rows."""

    s: Any
    lengths: tuple[bool, ...]
    dimensions: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    factors: tuple[str, ...] = ()

    def scaled(self, length: float, mass: float, factors: Any, values: Mapping[str, float]) -> Any:
        """The system in other units, with other parameter values (SI) and row factors."""
        known = {str(symbol): value for symbol, value in self.s.model.values.items()} | dict(values)
        changed = {name: known[name] * mass**m * length**n for name, (m, n) in self.dimensions.items()}
        return self.s.with_values(**changed, **dict(zip(self.factors, factors, strict=True)))

    def configuration(self, q: Any, length: float) -> list[float]:
        return [x * (length if is_length else 1.0) for x, is_length in zip(q, self.lengths, strict=True)]


def _polar(s: Any, r: Any, theta: Any, z: Any, frame: Any = None) -> Any:
    m = s.parameters(m=1.7)
    P = s.particle("P", mass=m, frame=frame, coordinates=cd.PolarCylindrical(r, theta, z))
    s.force("F", on=P, along=P.e_theta)
    return P


@cache
def cylindrical() -> Built:
    s = cd.System("H1: free particle, cylindrical polar")
    _polar(s, s.coordinates("r", on="R+"), s.coordinates("theta", on="S1"), s.coordinates("z"))
    return Built(s, (True, False, True), {"m": (1, 0)})


@cache
def plane(half: bool = False) -> Built:
    s = cd.System(f"{'H2' if half else 'H3'}: particle on a rotating plane")
    r, theta, z = s.coordinates("r theta z")
    _polar(s, r, theta, z)
    s.prescribe(theta, 0.8 * s.time + 0.3)
    if half:
        s.stop(r, restitution=0.5, name="edge")
    return Built(s, (True, True), {"m": (1, 0)})


@cache
def plate(half: bool = False) -> Built:
    s = cd.System(f"{'H5' if half else 'H4'}: particle on a plate")
    r, nu, z = s.coordinates("r_e nu z")
    M, J, c = s.parameters(M=2.3, J=0.4, c=0.3)
    com = (c, 0, 0) if half else (0, 0, 0)
    body = s.body("plate", mass=M, inertia=(J, J, J), com=com, joint=cd.Revolute("z", nu))
    P = s.particle("P", mass=s.parameters(m=1.7), frame=body, position=body.vector(r, 0, z))
    s.force("F", on=P, along=body.y)
    if half:
        s.stop(r, restitution=0.5, name="edge")
    return Built(s, (True, False, True), {"m": (1, 0), "M": (1, 0), "J": (1, 2), "c": (0, 1)})


@cache
def spherical() -> Built:
    s = cd.System("H6: free particle, spherical polar")
    R, phi, theta = s.coordinates("R", on="R+"), s.coordinates("phi", on=(0, PI)), s.coordinates("theta", on="S1")
    P = s.particle("P", mass=s.parameters(m=1.7), coordinates=cd.PolarSpherical(R, phi, theta))
    s.force("F", on=P, along=P.e_theta)
    return Built(s, (True, False, False), {"m": (1, 0)})


@cache
def line(half: bool = False) -> Built:
    s = cd.System("H7: particle on a rotating line")
    R, phi, theta = s.coordinates("R phi theta")
    P = s.particle("P", mass=s.parameters(m=1.7), coordinates=cd.PolarSpherical(R, phi, theta))
    s.force("F", on=P, along=P.e_theta)
    s.prescribe(phi, 0.7 + 0.2 * s.time)
    s.prescribe(theta, 0.8 * s.time)
    if half:
        s.stop(R, restitution=0.5, name="end")
    return Built(s, (True,), {"m": (1, 0)})


@cache
def gimbal(half: bool = False) -> Built:
    s = cd.System(f"{'H9' if half else 'H8'}: particle on a gimbal")
    nu, phi = s.coordinates("nu phi")
    M, J, R0, m = s.parameters(M=2.3, J=0.4, R0=0.6, m=1.7)
    body = s.body("gimbal", mass=M, inertia=(J, J, J), joint=cd.Revolute("z", nu))
    P = s.particle("P", mass=m, frame=body, position=body.vector(R0 * sin(phi), 0, R0 * cos(phi)))
    s.force("F", on=P, along=body.y)
    if half:
        s.stop(phi, restitution=0.5, name="top")
        s.stop(PI - phi, restitution=0.5, name="bottom")
    return Built(s, (False, False), {"m": (1, 0), "M": (1, 0), "J": (1, 2), "R0": (0, 1)})


@cache
def euler(convention: str = "3-1-3") -> Built:
    s = cd.System(f"H10: body about a fixed point, {convention}")
    nu = s.coordinates("nu1 nu2 nu3", on="S1")
    body = s.body("body", mass=2.0, inertia=s.parameters(J=0.9), joint=cd.Ball(cd.Euler(convention, *nu)))
    s.moment("M", on=body)
    return Built(s, (False,) * 3, {"J": (1, 2)})


@cache
def driven(how: str = "prescribed") -> Built:
    """H11: nu1 = f(t), prescribed or as a row; with stops on nu2."""
    s = cd.System(f"H11: first Euler angle driven, {how}")
    nu = nu1, nu2, _ = s.coordinates("nu1 nu2 nu3", on="S1")
    body = s.body("body", mass=2.0, inertia=s.parameters(J=0.9), joint=cd.Ball(cd.Euler("3-1-3", *nu)))
    fork = s.frame("fork", parent=s.frame("ring", joint=cd.Revolute("z", nu1)), joint=cd.Revolute("x", nu2))
    s.moment("M", on=body, along=fork.y)
    f = 0.8 * s.time + 0.3
    if how == "row":
        s.constrain(s.parameters(k1=1.0) * (nu1 - f), name="drive")
        return Built(s, (False,) * 3, {"J": (1, 2)}, ("k1",))
    s.prescribe(nu1, f)
    if how == "stops":
        s.stop(nu2, restitution=0.5, name="low")
        s.stop(PI - nu2, restitution=0.5, name="high")
    return Built(s, (False,) * 2, {"J": (1, 2)})


@cache
def suspension(stops: bool = False) -> Built:
    s = cd.System("H12: Cardan suspension")
    alpha, beta, gamma = s.coordinates("alpha beta gamma", on="S1")
    l1, l2, l3 = s.parameters(l1=0.5, l2=0.3, l3=0.9)
    outer = s.body("outer", inertia=l1, joint=cd.Revolute("z", alpha))
    inner = s.body("inner", inertia=l2, joint=cd.Revolute("x", beta), parent=outer)
    platform = s.body("platform", inertia=l3, joint=cd.Revolute("z", gamma), parent=inner)
    s.moment("M", on=platform, along=inner.y)
    s.moment("bearing", on=outer, along=outer.x)
    if stops:
        s.stop(beta, restitution=0.5, name="low")
        s.stop(PI - beta, restitution=0.5, name="high")
    return Built(s, (False,) * 3, {"l1": (1, 2), "l2": (1, 2), "l3": (1, 2)})


@cache
def pinned() -> Built:
    """Fig. 1(a): a body pinned to a whirling shaft; its third 3-1-3 angle is zero."""
    s = cd.System("H13: whirling pinned body")
    nu1, nu2 = s.coordinates("nu1 nu2", on="S1")
    m, J, h = s.parameters(m=1.2, J=0.4, h=0.3)
    shaft = s.frame("shaft", joint=cd.Revolute("z", nu1))
    s.body("body", mass=m, inertia=(J, 0.8 * J, 0.5 * J), com=(0, 0, h), parent=shaft, joint=cd.Revolute("x", nu2))
    return Built(s, (False, False), {"m": (1, 0), "J": (1, 2), "h": (0, 1)})


@cache
def cylinder() -> Built:
    """Fig. 1(b): a cylinder that slides on a plane, its axis along x of the body staying horizontal."""
    s = cd.System("H13: sliding cylinder")
    (x, y), (nu1, nu2) = s.coordinates("x y"), s.coordinates("nu1 nu2", on="S1")
    m, J, radius = s.parameters(m=1.2, J=0.4, radius=0.1)
    carriage = s.frame("carriage", joint=cd.Planar(x, y, nu1))
    s.body("cylinder", mass=m, inertia=(0.5 * J, J, J), parent=carriage, at=(0, 0, radius), joint=cd.Revolute("x", nu2))
    return Built(s, (True, True, False, False), {"m": (1, 0), "J": (1, 2), "radius": (0, 1)})


@cache
def joint() -> Built:
    """H14: two shafts at an angle delta, joined by a Cardan joint; delta can be steered."""
    s = cd.System("H14: Cardan joint")
    turn, arm, other, delta = s.coordinates("turn arm other delta", on="S1")
    J = s.parameters(J=0.3)
    drive = s.body("drive", inertia=J, joint=cd.Revolute("z", turn))
    cross = s.body("cross", inertia=0.1 * J, joint=cd.Revolute("x", arm), parent=drive)
    output = s.body("output", inertia=J, joint=cd.Revolute("y", other), parent=cross)
    bed = s.body("bed", inertia=0.5 * J, joint=cd.Revolute("y", delta))
    s.connect(bed.point(0, 0, 0), output.point(0, 0, 0), cd.Revolute("z"), name="shaft")
    s.moment("M", on=output, along=bed.z, against=bed)
    return Built(s, (False,) * 4, {"J": (1, 2)})


@cache
def top(quaternion: bool = False) -> Built:
    s = cd.System("H14: Lagrange top")
    orientation = cd.Quaternion("e") if quaternion else cd.Euler("3-1-3", *s.coordinates("psi theta phi", on="S1"))
    m, J, h, g = s.parameters(m=1.0, J=0.1, h=0.4, g=9.81)
    body = s.body("top", mass=m, inertia=(J, J, 0.6 * J), com=(0, 0, h), joint=cd.Ball(orientation))
    s.gravity(-g * s.world.z)
    s.moment("M", on=body)
    dimensions = {"m": (1, 0), "J": (1, 2), "h": (0, 1), "g": (0, 1)}
    return Built(s, (False,) * (4 if quaternion else 3), dimensions)


@cache
def snake_cart() -> Built:
    s = cd.System("B1: snake cart")
    (x, y), (theta, phi) = s.coordinates("x y"), s.coordinates("theta phi", on="S1")
    mb, mw, Jb, Jw, length = s.parameters(mb=2.0, mw=0.5, Jb=0.3, Jw=0.02, l=1.0)
    k1, k2 = s.parameters(k1=1.0, k2=1.0)
    cart = s.body("cart", mass=mb, inertia=Jb, joint=cd.Planar(x, y, theta))
    front = s.body("front", mass=mw, inertia=Jw, parent=cart, at=(length / 2, 0, 0), joint=cd.Revolute("z", phi))
    rear = s.body("rear", mass=mw, inertia=Jw, parent=cart, at=(-length / 2, 0, 0), joint=cd.Revolute("z", -phi))
    s.no_slip(on=front, point=front.point(0, 0, 0), along=k1 * front.y, name="lam1")
    s.no_slip(on=rear, point=rear.point(0, 0, 0), along=-k2 * rear.y, name="lam2")  # (1.2.1), second row
    dimensions = {"mb": (1, 0), "mw": (1, 0), "Jb": (1, 2), "Jw": (1, 2), "l": (0, 1)}
    return Built(s, (True, True, False, False), dimensions, ("k1", "k2"))


@cache
def four_bar() -> Built:
    """B2: a parallelogram, ground 2, crank 1, coupler 2, rocker 1; its loop as two rows typed by hand."""
    s = cd.System("B2: parallelogram")
    a, b, c = s.coordinates("a b c", on="S1")
    m, unit, k1, k2 = s.parameters(m=1.0, unit=1.0, k1=1.0, k2=1.0)
    crank = s.body("crank", mass=m, inertia=m * unit**2 / 12, com=(unit / 2, 0, 0), joint=cd.Revolute("z", a))
    s.body(
        "coupler",
        mass=2 * m,
        inertia=2 * m * unit**2 / 3,
        com=(unit, 0, 0),
        parent=crank,
        at=(unit, 0, 0),
        joint=cd.Revolute("z", b),
    )
    s.body(
        "rocker", mass=m, inertia=m * unit**2 / 12, com=(unit / 2, 0, 0), at=(2 * unit, 0, 0), joint=cd.Revolute("z", c)
    )
    s.constrain(k1 * unit * (cos(a) + 2 * cos(a + b) - 2 - cos(c)), name="loop_x")
    s.constrain(k2 * unit * (sin(a) + 2 * sin(a + b) - sin(c)), name="loop_y")
    return Built(s, (False,) * 3, {"m": (1, 0), "unit": (0, 1)}, ("k1", "k2"))


@cache
def pendulums() -> Built:
    """B2: two bodies, each with its own coordinates, interconnected by balls."""
    s = cd.System("B2: two bodies interconnected")
    x = s.coordinates("x1 y1 x2 y2")
    a, b = s.coordinates("a b", on="S1")
    m, length = s.parameters(m=1.0, l=0.5)
    one = s.body("one", mass=m, inertia=m * length**2 / 12, joint=cd.Planar(x[0], x[1], a))
    two = s.body("two", mass=m, inertia=m * length**2 / 12, joint=cd.Planar(x[2], x[3], b))
    s.connect(s.world.origin, one.point(-length / 2, 0, 0), cd.Ball(), name="hang")
    s.connect(one.point(length / 2, 0, 0), two.point(-length / 2, 0, 0), cd.Ball(), name="joint")
    return Built(s, (True, True, True, True, False, False), {"m": (1, 0), "l": (0, 1)})


@cache
def typed_polar() -> Built:
    """H1 by (21) alone: nothing but the kinetic energy is told."""
    s = cd.System("H1: kinetic energy typed by hand")
    r, theta = s.coordinates("r", on="R+"), s.coordinates("theta", on="S1")
    s.kinetic_energy(s.parameters(m=1.7) / 2 * (r.dot**2 + r**2 * theta.dot**2))
    return Built(s, (True, False), {"m": (1, 0)})


@cache
def typed_euler() -> Built:
    """H10 by (78) alone."""
    s = cd.System("H10: kinetic energy typed by hand")
    a, b, c = s.coordinates("a b c", on="S1")
    s.kinetic_energy(s.parameters(J=0.9) / 2 * (a.dot**2 + b.dot**2 + c.dot**2 + 2 * a.dot * c.dot * cos(b)))
    return Built(s, (False,) * 3, {"J": (1, 2)})


@cache
def typed_cart() -> Built:
    """B1 by its Lagrangian (corrected) and (1.2.1)."""
    s = cd.System("B1: Lagrangian typed by hand")
    (x, y), (theta, phi) = s.coordinates("x y"), s.coordinates("theta phi", on="S1")
    mb, mw, Jb, Jw, length, k1, k2 = s.parameters(mb=2.0, mw=0.5, Jb=0.3, Jw=0.02, l=1.0, k1=1.0, k2=1.0)
    turning = Jw * phi.dot**2 + (Jb / 2 + Jw + length**2 * mw / 4) * theta.dot**2
    s.lagrangian(turning + (mb / 2 + mw) * (x.dot**2 + y.dot**2))
    arm = length / 2 * cos(phi) * theta.dot
    s.constrain_velocity(k1 * (arm + cos(theta + phi) * y.dot - sin(theta + phi) * x.dot), name="lam1")
    s.constrain_velocity(k2 * (arm - cos(theta - phi) * y.dot + sin(theta - phi) * x.dot), name="lam2")
    dimensions = {"mb": (1, 0), "mw": (1, 0), "Jb": (1, 2), "Jw": (1, 2), "l": (0, 1)}
    return Built(s, (True, True, False, False), dimensions, ("k1", "k2"))


def _floating(name: str) -> tuple[Any, Any, tuple[Any, ...]]:
    s = cd.System(name)
    x, angles = s.coordinates("x y z"), s.coordinates("a b c", on="S1")
    m, J, d = s.parameters(m=1.3, J=0.2, d=0.4)
    body = s.body("body", mass=m, inertia=(J, 1.3 * J, 1.1 * J), joint=cd.Free(*x, cd.Euler("3-2-1", *angles)))
    return s, body, (d, *s.parameters(k1=1.0, k2=1.0, k3=1.0))


FLOATING = {"m": (1, 0), "J": (1, 2), "d": (0, 1)}
FREE = (True, True, True, False, False, False)


@cache
def spinless() -> Built:
    """B3, Theorem 4.4: no spin about z of the world and about z of the body."""
    s, body, (_, k1, k2, _) = _floating("B3: two angular constraints")
    s.no_spin(on=body, about=k1 * s.world.z, name="world_z")
    s.no_spin(on=body, about=k2 * body.z, name="body_z")
    return Built(s, FREE, FLOATING, ("k1", "k2"))


@cache
def skates() -> Built:
    """B3, Theorem 4.5: two points of one body, each held along a direction: x of the world, x of the body."""
    s, body, (d, k1, k2, _) = _floating("B3: two translational constraints")
    beside = s.parameters(beside=0.0)
    s.no_slip(on=body, point=body.point(d, beside, 0), along=k1 * s.world.x, name="one")
    s.no_slip(on=body, point=body.point(-d, 0, 0), along=k2 * body.x, name="two")
    return Built(s, FREE, FLOATING | {"beside": (0, 1)}, ("k1", "k2"))


@cache
def three_lines() -> Built:
    """B3, n = 3: two points held along y of the world, and one along y of the body; dependent where all three lie in
    one plane and are parallel."""
    s, body, (d, k1, k2, k3) = _floating("B3: three translational constraints")
    s.no_slip(on=body, point=body.point(d, 0, 0), along=k1 * s.world.y, name="one")
    s.no_slip(on=body, point=body.point(-d, 0, 0), along=k2 * s.world.y, name="two")
    s.no_slip(on=body, point=body.point(0, 0, 0), along=k3 * body.y, name="three")
    return Built(s, FREE, FLOATING, ("k1", "k2", "k3"))
