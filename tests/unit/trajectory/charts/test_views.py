"""Motions integrated in regular coordinates and read in the user's: particles, events, controllers, chains, starts."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import cos, sin

import cardan as cd
from support.close import assert_close

STRAIGHT = "a straight line at constant speed is a polynomial of degree one, exact up to round-off over 50 steps"
SPEED = np.array([2.0, 0.0, 0.5])


def cylindrical(on: str = "R") -> cd.System:
    s = cd.System("particle")
    r = s.coordinates("r", on=on)
    s.particle("P", mass=1.5, coordinates=cd.PolarCylindrical(r, *s.coordinates("theta z")))
    return s


def spherical() -> cd.System:
    s = cd.System("particle")
    s.particle("P", mass=1.5, coordinates=cd.PolarSpherical(*s.coordinates("R phi theta")))
    return s


def in_cylindrical(x: np.ndarray, v: np.ndarray):
    r = np.hypot(x[0], x[1])
    rates = [(x[0] * v[0] + x[1] * v[1]) / r, (x[0] * v[1] - x[1] * v[0]) / r**2, v[2]]
    return [r, np.arctan2(x[1], x[0]), x[2]], rates


def in_spherical(x: np.ndarray, v: np.ndarray):
    rho, R = np.hypot(x[0], x[1]), np.linalg.norm(x)
    rho_dot, R_dot = (x[0] * v[0] + x[1] * v[1]) / rho, x @ v / R
    rates = [R_dot, (x[2] * rho_dot - rho * v[2]) / R**2, (x[0] * v[1] - x[1] * v[0]) / rho**2]
    return [R, np.arctan2(rho, x[2]), np.arctan2(x[1], x[0])], rates


@pytest.mark.parametrize("miss", [1e-1, 1e-3, 1e-6, 1e-9, 0.0])
def test_a_free_particle_goes_straight_through_the_axis(miss):
    x0 = np.array([-1.0, miss, 0.1])
    q, v = in_cylindrical(x0, SPEED)
    run = cylindrical().simulate(1.0, q=q, v=v, rtol=1e-10, times=np.linspace(0, 1, 50))
    expected = x0 + run.t[:, None] * SPEED
    assert_close(run.position("P"), expected, within=1e-12, because=STRAIGHT)
    r, theta, z = run.q.T
    assert_close(np.stack([r * np.cos(theta), r * np.sin(theta), z], axis=1), expected, within=1e-12, because=STRAIGHT)
    if miss > 1e-8:
        assert (r > 0).all(), "a radius that never vanishes keeps its sign"
        assert_close(theta[-1], np.arctan2(miss, 1.0), within=1e-12, because="half a turn, the shorter way")
    else:
        assert r[-1] < 0, "the radius goes on through zero"
        assert np.max(np.abs(np.diff(theta))) < 1e-6, "and its direction stays"


def test_a_radius_declared_positive_stays_positive():
    q, v = in_cylindrical(np.array([-1.0, 0.0, 0.1]), SPEED)
    run = cylindrical("R+").simulate(1.0, q=q, v=v, times=np.linspace(0, 1, 50))
    assert (run["r"] > 0).all()
    assert_close(abs(run["theta"][-1] - run["theta"][0]), np.pi, within=1e-12, because="so the direction turns round")


@pytest.mark.parametrize("miss", [1e-1, 1e-4, 0.0])
def test_a_free_particle_goes_straight_through_the_pole(miss):
    x0, speed = np.array([-1.0, miss, 1.0]), np.array([2.0, 0.0, 0.0])
    q, v = in_spherical(x0, speed)
    run = spherical().simulate(1.0, q=q, v=v, rtol=1e-10, times=np.linspace(0, 1, 50))
    assert_close(run.position("P"), x0 + run.t[:, None] * speed, within=1e-10, because=STRAIGHT)
    assert (run["phi"] > 0).all() == (miss > 0)
    assert np.max(np.abs(np.diff(run["phi"]))) < 0.05, "angles of 2 rad/s at most, 0.02 s apart"


def test_a_free_particle_goes_straight_through_the_origin():
    x0 = np.array([0.3, -0.4, 0.6])
    q, v = in_spherical(x0, -2 * x0)
    run = spherical().simulate(1.0, q=q, v=v, rtol=1e-10, times=np.linspace(0, 1, 50))
    assert_close(run.position("P"), x0 * (1 - 2 * run.t[:, None]), within=1e-12, because=STRAIGHT)
    assert_close(run["R"], np.linalg.norm(x0) * (1 - 2 * run.t), within=1e-12, because="R goes on through zero")
    assert_close(run.q[:, 1:] - run.q[0, 1:], 0.0, within=1e-9, because="round-off over the smallest R, 0.01")


def test_a_start_on_the_axis_leaves_in_the_direction_given():
    run = cylindrical().simulate(1.0, q=[0.0, 0.7, 0.0], v=[-2.0, 0.0, 0.0], times=np.linspace(0, 1, 5))
    assert_close(run["r"], -2 * run.t, within=1e-12, because=STRAIGHT)
    assert_close(run["theta"], 0.7, within=1e-12, because="the direction was given")
    assert list(run.is_defined) == [False, True, True, True, True]


def top(orientation=None, *, massless: bool = False) -> tuple[cd.System, tuple]:
    s = cd.System("top")
    angles = s.coordinates("a b c", on="S1")
    B = s.body("B", mass=1.0, inertia=(1.0, 1.0, 0.5), com=(0, 0, 0.3), joint=cd.Ball(cd.Euler("3-1-3", *angles)))
    s.gravity(-9.81 * s.world.z)
    s.moment("M", on=B, along=s.world.z)
    return s, angles


def test_a_start_exactly_on_the_singularity_swings_down_as_a_pendulum():
    s, _ = top()
    run = s.simulate(1.0, q=[0.4, 0.0, -0.1], v=[0.0, -1.0, 0.0], rtol=1e-11, times=np.linspace(0, 1, 21))
    rod = cd.System("pendulum")
    th = rod.coordinates("th")
    rod.kinetic_energy((1.0 + 0.3**2) * th.dot**2 / 2)
    rod.potential(9.81 * 0.3 * cos(th))
    expected = rod.simulate(1.0, q=[0.0], v=[-1.0], rtol=1e-12, times=run.t)
    assert_close(run["b"], expected["th"], within=1e-8, because="rtol 1e-11, over an instability that grows by e^2")
    assert_close(run["a"][1:], 0.4, within=1e-8, because="the plane of motion was given by the first angle")
    assert not run.is_defined[0]
    assert run.is_defined[1:].all()


def test_a_sleeping_top_keeps_its_first_angle_and_spins_by_the_third():
    s, _ = top()
    run = s.simulate(2.0, q=[0.4, 0.0, 0.0], v=[1.0, 0.0, 30.0], times=np.linspace(0, 2, 41))
    assert not run.is_defined.any()
    assert_close(run["a"], 0.4, within=1e-12, because="it has no meaning and is left alone")
    assert_close(run["c"], 31.0 * run.t, within=1e-8, because="the whole spin, ten turns, is in the third angle")


def test_one_time_and_many_times_give_the_same_angles():
    s, _ = top()
    run = s.simulate(3.0, q=[0.0, 0.5, 0.0], v=[2.0, 0.0, 20.0])
    alone = np.array([run.at(t).q[0] for t in run.t[::7]])
    assert_close(alone, run.q[::7], within=1e-12, because="the same states, read once more")
    assert run["c"][-1] > 4 * np.pi


def test_events_written_in_angles_are_met_after_whole_turns():
    s, (a, b, c) = top()
    events = [cd.Event(c - 40.0, name="turns"), cd.Event(b.dot, direction=-1, name="lowest"), cd.Event(a - 3, name="a")]
    arguments = {"q": [0.0, 0.5, 0.0], "v": [2.0, 0.0, 20.0], "rtol": 1e-11, "events": events}
    run, typed = s.simulate(3.0, **arguments), s.simulate(3.0, chart="typed", **arguments)
    own = [one for one in run.events if one.kind == "user"]
    expected = [one for one in typed.events if one.kind == "user"]
    assert [one.name for one in own] == [one.name for one in expected]
    assert len(own) >= 4
    assert_close([one.t for one in own], [one.t for one in expected], within=1e-8, because="rtol 1e-11, two charts")
    assert_close(next(one for one in own if one.name == "turns").q[2], 40.0, within=1e-8, because="its own condition")


def test_a_terminal_event_in_an_angle_ends_the_run_there():
    s, (_, _, c) = top()
    run = s.simulate(9.0, q=[0, 0.5, 0], v=[2, 0, 20.0], events=[cd.Event(c - 40.0, terminal=True)])
    assert run.status == "event"
    assert_close(run["c"][-1], 40.0, within=1e-8, because="located to round-off on the dense output")


def test_controllers_see_continuous_angles_of_the_user():
    s, _ = top()

    def hold(_t, q, v):
        return -2.0 * (q[2] - 25.0) - 1.0 * v[2]  # a third angle that is cut to one turn would be a wrong moment

    arguments = {"q": [0.0, 0.8, 0.0], "v": [0.0, 0.0, 20.0], "rtol": 1e-10, "times": np.linspace(0, 1, 9)}
    run = s.simulate(1.0, loads={"M": hold}, **arguments)
    typed = s.simulate(1.0, loads={"M": hold}, chart="typed", **arguments)
    assert typed["c"][-1] > 2 * np.pi
    assert_close(run.q, typed.q, within=1e-7, because="rtol 1e-10, two charts, a third angle of 20 rad")


def test_a_ball_joint_in_the_middle_of_a_chain():
    """Arm, ball joint, and a hinge beyond it; the ball passes its singularity; energy and angular momentum are kept."""
    s = cd.System("chain")
    p, a, b, c, d = s.coordinates("p a b c d")
    arm = s.body("arm", mass=1.0, inertia=0.2, com=(0, 0, -0.5), joint=cd.Revolute("y", p))
    ball = cd.Ball(cd.Euler("3-1-3", a, b, c))
    rod = s.body("rod", mass=1.0, inertia=(0.2, 0.3, 0.1), com=(0.1, 0, -0.5), joint=ball, parent=arm, at=(0, 0, -1))
    s.body("tip", mass=0.5, inertia=0.05, com=(0, 0, -0.2), joint=cd.Revolute("x", d), parent=rod, at=(0, 0, -1))
    s.gravity(-9.81 * s.world.z)
    start = {"q": [0.3, 0.2, 0.25, 0.1, 0.4], "v": [0.5, 0.0, -2.0, 0.0, 1.0]}
    run = s.simulate(2.0, rtol=1e-10, times=np.linspace(0, 2, 201), **start)
    assert np.min(np.abs(np.sin(run["b"]))) < 0.05
    assert run.audit().energy_drift < 1e-8
    quaternion = cd.System("chain with a quaternion")
    p, d = quaternion.coordinates("p d")
    arm = quaternion.body("arm", mass=1.0, inertia=0.2, com=(0, 0, -0.5), joint=cd.Revolute("y", p))
    rod = quaternion.body(
        "rod",
        mass=1.0,
        inertia=(0.2, 0.3, 0.1),
        com=(0.1, 0, -0.5),
        joint=cd.Ball(cd.Quaternion("e")),
        parent=arm,
        at=(0, 0, -1),
    )
    quaternion.body(
        "tip", mass=0.5, inertia=0.05, com=(0, 0, -0.2), joint=cd.Revolute("x", d), parent=rod, at=(0, 0, -1)
    )
    quaternion.gravity(-9.81 * quaternion.world.z)
    from cardan.geometry import euler
    from cardan.geometry import quaternion as quaternions

    angles, rates = start["q"][1:4], start["v"][1:4]
    other = quaternion.simulate(
        2.0,
        q={"p": 0.3, "e": quaternions.from_euler("3-1-3", angles), "d": 0.4},
        v={"p_dot": 0.5, "e": euler.angular_velocity("3-1-3", angles, rates), "d_dot": 1.0},
        rtol=1e-10,
        times=run.t,
    )
    assert_close(run.position("tip"), other.position("tip"), within=1e-9, because="the same equations")
    assert_close(run["d"], other["d"], within=1e-9, because="the same equations")


def test_constraints_and_loads_on_a_body_read_in_angles():
    """A body pinned by a ball joint and a rod to the ground: the multiplier is that of the typed chart."""
    s, _ = top()
    B = s.model.bodies[0]
    s.distance(B.point(0, 0.0, 0.6), s.world.point(1.0, 0.0, 0.0), length=np.sqrt(0.36 + 1.0 - 1.2 * np.sin(0.5)))
    arguments = {"q": {"a": np.pi / 2, "b": 0.5, "c": 0.2}, "v": {"c_dot": 3.0}, "rtol": 1e-10, "loads": {"M": 0.4}}
    run = s.simulate(2.0, times=np.linspace(0, 2, 21), **arguments)
    typed = s.simulate(2.0, times=np.linspace(0, 2, 21), chart="typed", **arguments)
    assert_close(run.q, typed.q, within=1e-6, because="rtol 1e-10, two charts")
    name = next(iter(run.multipliers))
    assert_close(run.multipliers[name], typed.multipliers[name], within=1e-5, because="the same, in forces of 10 N")
    assert np.max(run.constraint_error) < 1e-9


def test_expressions_of_angles_and_rates_along_a_run():
    s, (a, b, c) = top()
    run = s.simulate(1.0, q=[0.1, 0.5, 0.0], v=[2.0, 0.0, 5.0], times=np.linspace(0, 1, 11))
    spin = run.evaluate(c.dot + a.dot * cos(b))
    assert_close(spin, run.omega("B")[:, 2], within=1e-10, because="w_3 = c' + a' cos b, round-off over sin b = 0.3")
    up = run.evaluate(cos(b))
    assert_close(up, run.rotation("B")[:, 2, 2], within=1e-9, because="R_33 = cos b, to rtol")
    assert_close(run.evaluate(sin(a)), np.sin(run["a"]), within=1e-12, because="the same column")


def test_angles_used_elsewhere_keep_the_chart_that_was_typed():
    s, (a, b, _) = top()
    s.potential(0.1 * sin(a) * sin(b))
    run = s.simulate(0.5, q=[0.1, 0.5, 0.0], v=[2.0, 0.0, 5.0])
    assert not run.events
    assert run.is_defined.all()


def test_an_impact_is_told_in_the_users_rates():
    """A rough floor stops a particle that slides toward the axis: r' jumps from -1 to 0."""
    s = cd.System("thrown")
    P = s.particle("P", mass=1.5, coordinates=cd.PolarCylindrical(*s.coordinates("r theta z")))
    s.gravity(-9.81 * s.world.z)
    s.contact(P, on=s.world, restitution=0.0, friction=1.0, name="floor")
    run = s.simulate(1.0, q=[2.0, 2.0, 0.5], v=[-1.0, 0.1, 0.0])
    (hit,) = [event for event in run.events if event.kind == "impact"]
    assert_close(hit.v + hit.facts["velocity_jump"], 0.0, within=1e-12, because="friction and floor stop it")
