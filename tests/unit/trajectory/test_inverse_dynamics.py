"""Inverse dynamics: closed forms, closed loops, redundant and missing actuators, impossible motions."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import cos

import cardan as cd
from cardan.errors import DerivationError, StartError, UnreachableMotion
from support.close import assert_close


def four_bar():
    """Crank and rocker on one axis, closed by a coupler; a second bearing of the rocker repeats what its joint does."""
    s = cd.System("four-bar")
    a, b, c = s.coordinates("a b c", on="S1")
    s.gravity(-9.81 * s.world.y)
    crank = s.body("crank", mass=1.0, inertia=0.1, com=(0.5, 0, 0), joint=cd.Revolute("z", a))
    rod = s.body("rod", mass=2.0, inertia=0.2, com=(1, 0, 0), joint=cd.Revolute("z", b), parent=crank, at=(1, 0, 0))
    rocker = s.body("rocker", mass=1.5, inertia=0.2, com=(0.75, 0, 0), joint=cd.Revolute("z", c))
    s.connect(rod.point(2, 0, 0), rocker.point(1.5, 0, 0), cd.Ball(), name="pin")
    s.connect(rocker.point(0, 0, 0), s.world.point(0, 0, 0), cd.Ball(), name="idle")
    s.moment("M", on=crank, along=s.world.z)
    s.moment("N", on=rocker, along=s.world.z)
    return s


def offset_four_bar():
    """The same with the rocker's bearing away from the crank's, so that it moves."""
    s = cd.System("four-bar")
    a, b, c = s.coordinates("a b c", on="S1")
    s.gravity(-9.81 * s.world.y)
    crank = s.body("crank", mass=1.0, inertia=0.1, com=(0.5, 0, 0), joint=cd.Revolute("z", a))
    rod = s.body("rod", mass=2.0, inertia=0.2, com=(1, 0, 0), joint=cd.Revolute("z", b), parent=crank, at=(1, 0, 0))
    rocker = s.body("rocker", mass=1.5, inertia=0.2, com=(0.75, 0, 0), joint=cd.Revolute("z", c), at=(1.8, 0, 0))
    s.connect(rod.point(2, 0, 0), rocker.point(1.5, 0, 0), cd.Ball(), name="pin")
    s.moment("M", on=crank, along=s.world.z)
    s.moment("N", on=rocker, along=s.world.z)
    return s


@pytest.fixture(scope="module")
def linkage():
    s = offset_four_bar()
    run = s.simulate(0.6, q=s.assemble({"a": 1.0})[0].q, loads={"M": 3.0})
    return s, run


def test_a_pendulum_is_held_by_the_moment_of_its_weight():
    s = cd.System("pendulum")
    th = s.coordinate("th", on="S1")
    u = s.input("u")
    s.lagrangian(2.0 * 0.7**2 * th.dot**2 / 2 + 2.0 * 9.81 * 0.7 * cos(th))
    s.generalized_force(th, u)
    found = s.inverse_dynamics([0.4], [1.5], [2.0], actuators=[u])
    expected = 2.0 * 0.49 * 2.0 + 2.0 * 9.81 * 0.7 * np.sin(0.4)
    assert_close(found.forces["u"], expected, within=1e-14 * expected, because="one product")
    assert found.spare == 0


def test_a_rod_is_stretched_by_weight_and_centrifugal_force():
    """A bob on a rod in Cartesian coordinates: free swinging needs no actuator, lam = -(m v^2/l + m g cos)."""
    s = cd.System("bob")
    x, y = s.coordinates("x y")
    P = s.particle("P", mass=2.0, position=s.world.x * x + s.world.y * y)
    s.gravity(-9.81 * s.world.y)
    s.distance(s.world.origin, P, 1.5, name="rod")
    th, w = 0.3, 1.2
    wd = -9.81 / 1.5 * np.sin(th)
    q = 1.5 * np.array([np.sin(th), -np.cos(th)])
    along = 1.5 * np.array([np.cos(th), np.sin(th)])
    found = s.inverse_dynamics(q, w * along, wd * along - w**2 * q, actuators=[])
    expected = -(2.0 * 1.5 * w**2 + 2.0 * 9.81 * np.cos(th))
    assert_close(
        found.multipliers["rod"], expected, within=1e-13 * abs(expected), because="one small least-squares solve"
    )
    assert found.unique["rod"]


def test_the_motor_of_a_closed_loop_is_found_from_its_motion(linkage):
    s, run = linkage
    for k in (0, len(run) // 2, -1):
        found = s.inverse_dynamics(run.q[k], run.v[k], run.acceleration[k], t=run.t[k], actuators=["M"])
        assert_close(found.forces["M"], 3.0, within=1e-8, because="round-off of accelerations near a hundred rad/s^2")
        expected = [run.multipliers[name][k] for name in found.multipliers]
        assert_close(list(found.multipliers.values()), expected, within=1e-7, because="forces of about 100 N")


def test_redundant_motors_share_with_the_least_sum_of_squares(linkage):
    """Both motors act through one freedom: (M, N) is proportional to the rates of their bodies."""
    s, run = linkage
    k = len(run) // 2
    found = s.inverse_dynamics(run.q[k], run.v[k], run.acceleration[k], actuators=["M", "N"])
    rates = np.array([run["a_dot"][k], run["c_dot"][k]])
    assert found.spare == 1
    expected = 3.0 * rates[0] * rates / (rates @ rates)  # the same power by the shortest pair
    assert_close([found.forces["M"], found.forces["N"]], expected, within=1e-8, because="as for one motor")
    assert "no effect" in str(found)


def test_generalized_forces_on_coordinates_are_actuators_too(linkage):
    s, run = linkage
    k = len(run) // 2
    found = s.inverse_dynamics(run.q[k], run.v[k], run.acceleration[k], actuators=["a"])
    assert_close(found.forces["a"], 3.0, within=1e-8, because="the moment M is the generalized force on a")


def test_dependent_constraints_are_said_to_be_undetermined():
    s = four_bar()
    q = s.assemble({"a": 1.0})[0].q
    found = s.inverse_dynamics(q, np.zeros(3), s.compile().acceleration(q), actuators=["M"])
    assert_close(found.forces["M"], 0.0, within=1e-11, because="the motion is that without a motor")
    assert not found.unique["idle_x"]
    assert found.unique["pin_x"]


def test_what_the_actuators_cannot_do_is_named():
    """A cart is pushed; the pole on it cannot be accelerated at will."""
    s = cd.System("cart and pole")
    x, th = s.coordinates("x th")
    F = s.input("F")
    s.lagrangian(3 * x.dot**2 / 2 + (th.dot**2 + 2 * x.dot * th.dot * cos(th)) / 2 + 9.81 * cos(th))
    s.generalized_force(x, F)
    with pytest.raises(UnreachableMotion, match="th_dot") as caught:
        s.inverse_dynamics([0, 0.3], [0, 0], [1.0, 0.0], actuators=[F])
    expected = np.cos(0.3) + 9.81 * np.sin(0.3)
    assert_close(caught.value.missing["th_dot"], expected, within=1e-12, because="one product")
    s.generalized_force(x, F**2)
    with pytest.raises(DerivationError, match="not linear in F"):
        s.inverse_dynamics([0, 0.3], [0, 0], [1.0, 0.0], actuators=[F])


def test_a_motion_that_breaks_a_constraint_is_refused_by_name(linkage):
    s, run = linkage
    with pytest.raises(StartError, match=r"'pin_.' in its acceleration"):
        s.inverse_dynamics(run.q[3], run.v[3], run.acceleration[3] + [1.0, 0, 0], actuators=["M"])


def test_the_kernel_gives_what_ideal_constraints_leave_over(linkage):
    s, run = linkage
    k = len(run) // 2
    left = s.compile().inverse_dynamics(run.q[k], run.v[k], run.acceleration[k])
    power = left @ run.v[k]
    assert_close(
        power, 3.0 * run["a_dot"][k], within=1e-7, because="ideal constraints do no work: all power is the motor's"
    )
