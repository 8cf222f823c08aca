"""What welds and universal joints take up: forces and moments against closed forms of Newton and Euler."""

from __future__ import annotations

import pytest
import sympy as sp

import cardan as cd
from support.close import assert_close

ROUNDING = "a few products, rounded"


def welded_arm() -> cd.System:
    """An arm welded to a hub at the distance r from its axis; its centre of mass is c further out."""
    s = cd.System("welded arm")
    a = s.coordinates("a")
    m, J, r, c, g = s.parameters(m=2.0, J=0.3, r=0.5, c=0.25, g=9.81)
    hub = s.body("hub", inertia=1, joint=cd.Revolute("z", a))
    arm = s.body("arm", mass=m, inertia=(0, J, J), com=(c, 0, 0), parent=hub, at=(r, 0, 0))
    s.moment("M", on=arm, along=arm.x)
    s.gravity(-g * s.world.z)
    return s


def test_a_weld_carries_weight_and_inertia_of_what_it_holds():
    """F = m a + m g z with a = (-(r + c) w^2, (r + c) wd, 0); moments about the weld: J wd + c x F, less the load."""
    s = welded_arm()
    eq = s.equations()
    a, M = s.model.q[0], sp.Symbol("M", real=True)
    m, J, r, c, g = s.model.parameters
    w, wd = a.dot, a.ddot
    expected = {
        "arm_force_x": -m * (r + c) * w**2,
        "arm_force_y": m * (r + c) * wd,
        "arm_force_z": m * g,
        "arm_moment_x": -M,
        "arm_moment_y": -m * g * c,
        "arm_moment_z": (J + m * c * (r + c)) * wd,
    }
    for name, value in expected.items():
        assert sp.simplify(eq.multipliers[name] - value) == 0, name
        assert eq.generalized_forces[name].has(sp.Symbol(f"mu_{name}", real=True))
    assert sp.simplify(eq.generalized_forces["arm_moment_x"] - M - sp.Symbol("mu_arm_moment_x", real=True)) == 0


def test_the_graph_gives_the_reactions_of_a_weld_as_numbers():
    """At w = 3 with no drive wd = 0; the load about x turns nothing."""
    found = welded_arm().equations().at([0.4], [3.0], loads={"M": 1.5}).multipliers
    expected = {
        "arm_force_x": -2 * 0.75 * 9,
        "arm_force_y": 0,
        "arm_force_z": 2 * 9.81,
        "arm_moment_x": -1.5,
        "arm_moment_y": -2 * 9.81 * 0.25,
        "arm_moment_z": 0,
    }
    for name, value in expected.items():
        assert_close(found[name], value, within=1e-13, because=ROUNDING)


def test_a_weld_to_the_world_carries_the_arm_beyond_it():
    """A bracket on the wall holds a pendulum that hangs still: both weights, and the lever of the hinge."""
    s = cd.System("bracket")
    a = s.coordinates("a")
    bracket = s.body("bracket", mass=3, com=(1, 0, 0))
    s.body("bob", mass=2, com=(0, 0, -1), joint=cd.Revolute("y", a), parent=bracket, at=(2, 0, 0))
    s.gravity(-10 * s.world.z)
    found = s.equations().at([0.0], [0.0]).multipliers
    assert_close(found["bracket_force_z"], 50, within=1e-13, because=ROUNDING)
    assert_close(found["bracket_moment_y"], -(30 * 1 + 20 * 2), within=1e-13, because=ROUNDING)
    assert_close(found["bob_force_z"], 20, within=1e-13, because=ROUNDING)


@pytest.mark.parametrize("axis", ["x", (0.6, 0.8, 0.0)])
def test_a_universal_joint_takes_up_the_moment_across_both_its_axes(axis):
    """A ball of inertia J on crossing axes, loaded by M about its own z axis.

    With angles a, b about x and y, n = (-sin b, 0, cos b) along the body; w = (a' cos b, b', a' sin b), and so
    J wd . n = J a' b'; the joint adds what M lacks: mu = J a' b' - M cos b. Axes that do not cross at right angles have
    the same normal, and their w differs by what lies in their plane: a' b' sin(angle between them).
    """
    s = cd.System("cardan joint")
    a, b = s.coordinates("a b")
    J = s.parameters(J=0.7)
    body = s.body("body", mass=1, inertia=J, joint=cd.Universal(axis, a, "y", b))
    M = s.moment("M", on=body, along=body.z)
    eq = s.equations()
    sine = 1 if axis == "x" else 0.6
    values = {a: 0.3, b: -0.8, a.dot: 1.1, b.dot: 0.4, J: 0.7, M: 2.0}
    mu = eq.multipliers["body_moment_1"].subs(values | {a.ddot: 0.9, b.ddot: -0.2})
    assert_close(mu, 0.7 * 1.1 * 0.4 * sine - 2.0 * float(sp.cos(0.8)), within=1e-13, because=ROUNDING)
    at = eq.at([0.3, -0.8], [1.1, 0.4], loads={"M": 2.0}).multipliers
    assert_close(at["body_moment_1"], float(mu), within=1e-13, because="no acceleration is left in mu")
    force = eq.generalized_forces["body_moment_1"]
    assert sp.simplify(force - M * sp.cos(b) - sp.Symbol("mu_body_moment_1", real=True)) == 0


def test_two_turns_about_one_axis_forbid_what_a_hinge_forbids():
    s = cd.System("two turns")
    a, b = s.coordinates("a b")
    s.body("body", inertia=1, joint=cd.Universal("z", a, "z", b))
    held = [name for name in s.equations().generalized_forces if name.startswith("body_")]
    assert held == ["body_moment_y", "body_moment_x", "body_force_x", "body_force_y", "body_force_z"]
