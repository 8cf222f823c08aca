"""Signs of multipliers and reactions, fixed by what a person would feel: M vd + f + g = Q + A^T lam."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp
from sympy import cos, sin

import cardan as cd
from support.close import assert_close

FEW = "a small linear solve with numbers below 100"


def hanging(how: str) -> Any:
    """A mass m at (0, -l) below the origin, y up, on a rod (or cord) of length l."""
    s = cd.System("hanging mass")
    x, y = s.coordinates("x y")
    m, g, length = s.parameters(m=2.0, g=9.81, length=1.5)
    P = s.particle("P", mass=m, position=s.world.vector(x, y, 0))
    s.gravity(-g * s.world.y)
    if how == "rod":
        s.distance(s.world.origin, P, length, name="rod")
    elif how == "typed":
        s.constrain((x**2 + y**2 - length**2) / 2, name="rod")
    else:
        s.constrain_velocity(x * x.dot + y * y.dot, name="rod")
    return s


@pytest.mark.parametrize(("how", "lam"), [("rod", -19.62), ("typed", -19.62 / 1.5), ("velocity", -19.62 / 1.5)])
def test_the_rod_pulls_the_hanging_mass_up_by_its_weight(how: str, lam: float) -> None:
    """A^T lam is (0, +m g). A rod's own multiplier is its force, negative while it pulls; the typed A is (x, y)."""
    at = hanging(how).equations().at([0.0, -1.5])
    assert_close(at.A.T @ [at.multipliers["rod"]], [0.0, 19.62], within=1e-13, because=FEW)
    assert_close(at.multipliers["rod"], lam, within=1e-13, because=FEW)
    assert_close(at.reactions["P"].force, [0.0, 19.62, 0.0], within=1e-13, because=FEW)
    assert_close(at.acceleration, [0.0, 0.0], within=1e-13, because=FEW)


def test_a_swinging_mass_is_pulled_harder() -> None:
    """At the bottom with speed v the rod pulls with m g + m v^2 / l."""
    at = hanging("rod").equations().at([0.0, -1.5], [3.0, 0.0])
    assert_close(-at.multipliers["rod"], 2.0 * 9.81 + 2.0 * 9.0 / 1.5, within=1e-13, because=FEW)


def test_a_rod_that_carries_a_mass_above_it_pushes() -> None:
    at = hanging("rod").equations().at([0.0, 1.5])
    assert_close(at.multipliers["rod"], 19.62, within=1e-13, because=FEW)


def block() -> tuple[Any, Any]:
    """A block of mass m that slides on a table z = 0 (z of its centre), pushed by a horizontal force."""
    s = cd.System("block on a table")
    x, z = s.coordinates("x z")
    m, g = s.parameters(m=2.0, g=9.81)
    body = s.body("block", mass=m, inertia=0.1, joint=cd.Planar(z, x, 0, normal="y"))
    s.gravity(-g * s.world.z)
    s.force("push", on=body, along=s.world.x)
    return s, (x, z)


def test_a_table_pushes_a_block_up() -> None:
    s, (_, z) = block()
    s.constrain(z, name="table")
    at = s.equations().at([0.3, 0.0], [1.0, 0.0], loads={"push": 5.0})
    assert_close(at.multipliers["table"], 19.62, within=1e-13, because=FEW)
    assert_close(at.reactions["block"].force, [0.0, 0.0, 19.62], within=1e-13, because=FEW)
    assert_close(at.acceleration, [2.5, 0.0], within=1e-13, because=FEW)


def test_a_lift_pushes_with_the_weight_and_what_accelerates() -> None:
    """z = t^2 (2 m/s^2 up): mu = m (g + 2), the force of the lift along z; its reaction is that force."""
    s, (_, z) = block()
    s.prescribe(z, s.time**2)
    at = s.equations().at([0.3], [1.0], t=0.5)
    assert_close(at.multipliers["z"], 2.0 * 11.81, within=1e-13, because=FEW)
    assert_close(at.reactions["block"].force, [0.0, 0.0, 2.0 * 11.81], within=1e-13, because=FEW)


def test_the_multiplier_of_a_driven_pendulum_is_the_torque_of_its_motor() -> None:
    """Held at the angle 0.4 the motor carries m g l sin(0.4); spun up at the rate 3 it adds m l^2 3.

    The same torque, given as a load on the free pendulum, keeps it where it is.
    """
    s = cd.System("driven pendulum")
    theta = s.coordinates("theta", on="S1")
    m, g, length = s.parameters(m=2.0, g=9.81, length=1.5)
    arm = s.body("arm", mass=m, com=(0, -length, 0), joint=cd.Revolute("z", theta))
    s.gravity(-g * s.world.y)
    s.moment("motor", on=arm, along=s.world.z)
    free = s.equations()
    s.prescribe(theta, sp.Rational(2, 5) + 3 * s.time**2 / 2)
    at = s.equations().at([], t=0.0)
    torque = 2.0 * 9.81 * 1.5 * np.sin(0.4) + 2.0 * 1.5**2 * 3
    assert_close(at.multipliers["theta"], torque, within=1e-13, because=FEW)
    assert_close(free.at([0.4], loads={"motor": torque}).acceleration, [3.0], within=1e-13, because=FEW)
    assert_close(at.reactions["arm"].force[1], 2.0 * (9.81 + 1.5 * 3 * np.sin(0.4)), within=1e-13, because=FEW)


def test_the_skate_pushes_a_turning_sleigh_to_the_inside_of_its_curve() -> None:
    """Sliding forward along x and turning left, the blade is pushed to the left (+y)."""
    s = cd.System("skate")
    x, y, theta = s.coordinates("x y theta")
    body = s.body("sleigh", mass=2.0, inertia=0.7, joint=cd.Planar(x, y, theta))
    s.no_slip(on=body, along=body.y, name="skate")
    at = s.equations().at([0.0, 0.0, 0.0], [3.0, 0.0, 0.5])
    assert_close(at.multipliers["skate"], 2.0 * 3.0 * 0.5, within=1e-13, because=FEW)
    assert_close(at.reactions["sleigh"].force, [0.0, 3.0, 0.0], within=1e-13, because=FEW)
    assert_close(at.acceleration, [0.0, 1.5, 0.0], within=1e-13, because=FEW)


def chain() -> tuple[Any, ...]:
    """Two free bodies: the upper is pinned to the world, the lower pinned to the upper; both hang at rest."""
    s = cd.System("two hanging bodies")
    g = s.parameters(g=9.81)
    a = s.coordinates("ax ay az")
    upper = s.body("upper", mass=2.0, inertia=(0.3, 0.4, 0.5), joint=cd.Free(*a, cd.Quaternion("ea")))
    b = s.coordinates("bx by bz")
    lower = s.body("lower", mass=3.0, inertia=(0.3, 0.4, 0.5), joint=cd.Free(*b, cd.Quaternion("eb")))
    s.gravity(-g * s.world.z)
    s.connect(s.world.origin, upper.point(0, 0, 0.5), cd.Ball(), name="top")
    s.connect(upper.point(0, 0, -0.5), lower.point(0, 0, 0.5), cd.Ball(), name="pin")
    q = [0, 0, -0.5, 1, 0, 0, 0, 0, 0, -1.5, 1, 0, 0, 0]
    return s, q


def test_a_connection_pulls_the_second_body_up_and_the_first_one_down_by_the_same_force() -> None:
    """The multiplier along z is the force on the second of the two: the pin holds 3 g, the top 5 g."""
    s, q = chain()
    at = s.equations().at(q)
    assert_close(at.multipliers["pin_z"], 3 * 9.81, within=1e-12, because=FEW)
    assert_close(at.multipliers["top_z"], 5 * 9.81, within=1e-12, because=FEW)
    columns = at.A.T @ np.where([name == "pin_z" for name in s.equations().constraints.names], 3 * 9.81, 0.0)
    assert_close(columns[2], -3 * 9.81, within=1e-12, because=FEW)  # az: the upper body is pulled down
    assert_close(columns[8], 3 * 9.81, within=1e-12, because=FEW)  # bz: the lower body is pulled up
    assert_close(at.reactions["lower"].force, [0, 0, 3 * 9.81], within=1e-12, because=FEW)
    assert_close(at.reactions["upper"].force, [0, 0, 2 * 9.81], within=1e-12, because=FEW)


def test_forces_of_a_connection_in_motion_are_opposite() -> None:
    """Whatever the motion, reaction of the lower body = force of the pin; that of the upper = top minus pin."""
    s, q = chain()
    eq = s.equations()
    start = np.array(q, dtype=float)
    for v in np.random.default_rng(3).uniform(-1, 1, (5, 6)):
        w_a, w_b = v[:3], v[3:]
        at_pin = np.cross(w_a, [0, 0, -1.0])
        speeds = np.concatenate([np.cross(w_a, [0, 0, -0.5]), w_a, at_pin + np.cross(w_b, [0, 0, -0.5]), w_b])
        at = eq.at(start, speeds)
        assert_close(at.A @ speeds, np.zeros(6), within=1e-14, because="sums of products below one")
        pin, top = (np.array([at.multipliers[f"{name}_{k}"] for k in "xyz"]) for name in ("pin", "top"))
        assert_close(at.reactions["lower"].force, pin, within=1e-12, because=FEW)
        assert_close(at.reactions["upper"].force, top - pin, within=1e-12, because=FEW)
        twist = np.cross([0, 0, 0.5], top) + np.cross([0, 0, -0.5], -pin)
        assert_close(at.reactions["upper"].moment, twist, within=1e-12, because=FEW)
        assert_close(at.reactions["lower"].moment, np.cross([0, 0, 0.5], pin), within=1e-12, because=FEW)


def test_a_hinge_carries_the_moment_of_a_weight_beside_it() -> None:
    """A bracket of mass m on a hinge along x, its mass at distance d along x: the hinge holds m g up, and the moment
    -m g d about y that keeps the bracket from tipping down (r x W = d x (-m g z) = +m g d y)."""
    s = cd.System("bracket")
    phi = s.coordinates("phi", on="S1")
    m, g, d = s.parameters(m=2.0, g=9.81, d=0.5)
    s.body("bracket", mass=m, com=(d, 0, 0), joint=cd.Revolute("x", phi))
    s.gravity(-g * s.world.z)
    found = s.equations().multipliers
    turned = {name: found[f"bracket_{name}"] for name in ("force_y", "force_z", "moment_y", "moment_z")}
    assert sp.simplify(turned["force_z"] - m * g * cos(phi)) == 0
    assert sp.simplify(turned["force_y"] - m * g * sin(phi)) == 0
    assert sp.simplify(turned["moment_y"] + m * g * d * cos(phi)) == 0
    assert sp.simplify(turned["moment_z"] - m * g * d * sin(phi)) == 0
