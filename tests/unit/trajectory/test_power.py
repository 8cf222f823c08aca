"""Power by name against closed forms, and the account of energy along a run."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import cos, sin

import cardan as cd
from support.close import assert_close

W, R0, MASS = 1.3, 0.5, 0.7


def bead_power(t):
    """r = r0 cosh(w t): the motor gives d/dt of m (rd^2 + r^2 w^2)/2 = m r0^2 w^3 sinh(2 w t)."""
    return MASS * R0**2 * W**3 * np.sinh(2 * W * t)


def test_the_motor_of_a_turning_wire_gives_the_bead_its_energy():
    s = cd.System("bead in polar coordinates")
    r, th = s.coordinates("r th")
    s.kinetic_energy(MASS * (r.dot**2 + r**2 * th.dot**2) / 2)
    s.prescribe(th, W * s.time)
    run = s.simulate(1.5, q={"r": R0}, v={"r": 0.0}, rtol=1e-11)
    assert set(run.power) == {"th"}
    expected = bead_power(run.t)
    assert_close(run.power["th"], expected, within=1e-9 * expected[-1], because="the run's own error at rtol 1e-11")
    assert run.audit().power_balance < 1e-9


def test_a_moving_constraint_does_the_same_work():
    s = cd.System("bead in Cartesian coordinates")
    x, y = s.coordinates("x y")
    s.particle("bead", mass=MASS, position=s.world.x * x + s.world.y * y)
    s.constrain(x * sin(W * s.time) - y * cos(W * s.time), name="wire")
    run = s.simulate(1.5, q=[R0, 0], v=[0, W * R0], rtol=1e-11)
    assert set(run.power) == {"wire"}
    expected = bead_power(run.t)
    assert_close(run.power["wire"], expected, within=1e-8 * expected[-1], because="the run's own error at rtol 1e-11")
    assert run.audit().power_balance < 1e-8


def test_a_joint_that_contains_the_time_is_accounted_for():
    """The wire turned by the joint itself: nobody is named, so the power is that of time."""
    s = cd.System("bead on a turning arm")
    r = s.coordinate("r")
    arm = s.frame("arm", joint=cd.Revolute("z", W * s.time))
    s.particle("bead", mass=MASS, position=arm.x * r)
    run = s.simulate(1.5, q=[R0], v=[0.0], rtol=1e-11)
    expected = bead_power(run.t)
    assert_close(run.power["time"], expected, within=1e-9 * expected[-1], because="the run's own error at rtol 1e-11")


def test_a_driven_and_damped_pendulum_balances():
    """Moment u = 2 cos(3 t) as an input, damper c = 0.4, a wind force on the bob."""
    s = cd.System("pendulum")
    th = s.coordinate("th", on="S1")
    arm = s.frame("arm", joint=cd.Revolute("z", th))
    bob = s.particle("bob", mass=1.5, position=-0.8 * arm.y)
    s.gravity(-9.81 * s.world.y)
    u = s.input("u")
    s.generalized_force(th, u)
    s.damper(th, coefficient=0.4, name="bearing")
    s.force("wind", on=bob, along=s.world.x)
    run = s.simulate(5.0, q=[0.5], v=[0.0], inputs={"u": 2 * cos(3 * s.time)}, loads={"wind": 1.1}, rtol=1e-11)
    w, t = run["th_dot"], run.t
    assert_close(run.power["u"], 2 * np.cos(3 * t) * w, within=1e-13, because="one product of numbers near ten")
    assert_close(run.power["bearing"], -0.4 * w**2, within=1e-13, because="one product")
    assert_close(run.power["wind"], 1.1 * 0.8 * np.cos(run["th"]) * w, within=1e-13, because="one product")
    assert set(run.power) == {"u", "bearing", "wind"}
    audit = run.audit()
    assert audit.energy_drift > 1e-2
    assert audit.power_balance < 1e-9
    assert "power balance" in str(audit)


def test_a_shaken_pivot_works_by_its_multiplier():
    """Pivot at x = 0.1 sin(9 t): the power is the horizontal force of the pivot times its velocity."""
    s = cd.System("shaken pendulum")
    x, th = s.coordinates("x th")
    s.lagrangian((x.dot**2 + 2 * x.dot * th.dot * cos(th) + th.dot**2) / 2 + 9.81 * cos(th))
    s.prescribe(x, 0.1 * sin(9 * s.time))
    run = s.simulate(3.0, q={"th": 0.3}, v={"th": 0.0}, rtol=1e-11)
    xd, xdd = 0.9 * np.cos(9 * run.t), -8.1 * np.sin(9 * run.t)
    a, w = run["th"], run["th_dot"]
    wd = -xdd * np.cos(a) - 9.81 * np.sin(a)
    force = xdd + wd * np.cos(a) - w**2 * np.sin(a)
    assert_close(run.power["x"], force * xd, within=1e-12, because="a few products of numbers near ten")
    assert run.audit().power_balance < 1e-9


@pytest.mark.parametrize("callback", [False, True])
def test_a_conservative_system_has_no_powers_and_python_functions_are_followed(callback):
    s = cd.System("oscillator")
    x = s.coordinate("x")
    s.lagrangian((x.dot**2 - 4 * x**2) / 2)
    if callback:
        s.generalized_force(x, s.input("F"))
    run = s.simulate(3.0, q=[1.0], v=[0.0], inputs={"F": lambda t: np.sin(t)} if callback else None)
    if callback:
        assert_close(run.power["F"], np.sin(run.t) * run["x_dot"], within=1e-14, because="one product")
    else:
        assert run.power == {}
    assert run.audit().power_balance < 1e-8
