"""Dry friction against closed forms: inclines, decrements, belts, rods, pins, and where the motion is not unique."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from sympy import cos, sin

import cardan as cd
from cardan.errors import ModelError, SimulationError, SingularityError, UnknownName
from support.close import assert_close

G = 9.81


def on_an_incline(angle, mu, **options):
    """A particle on a constraint y = 0, gravity tilted: the pressing force is the multiplier."""
    s = cd.System("incline")
    x, y = s.coordinates("x y")
    s.particle("block", mass=2.0, position=s.world.x * x + s.world.y * y)
    s.gravity(G * (float(np.sin(angle)) * s.world.x - float(np.cos(angle)) * s.world.y))
    s.constrain(y, name="floor")
    s.friction(x, coefficient=mu, normal="floor", name="rub", **options)
    return s


def test_a_block_holds_below_the_angle_of_friction():
    run = on_an_incline(0.28, 0.3).simulate(3.0, q=[0, 0], v=[0, 0])
    assert_close(run["x"], 0.0, within=1e-13, because="held by a constraint")
    assert_close(run.multipliers["rub"], -2.0 * G * np.sin(0.28), within=1e-12, because="one small solve, 5 N")
    assert not run.events


def test_a_block_slides_above_it_at_the_known_rate():
    angle, mu = 0.5, 0.3
    run = on_an_incline(angle, mu).simulate(2.0, q=[0, 0], v=[0, 0])
    a = G * (np.sin(angle) - mu * np.cos(angle))
    assert_close(run["x"][-1], a * 2.0**2 / 2, within=1e-9, because="rtol 1e-9 of a polynomial motion")


def test_a_block_thrown_uphill_stops_and_stays_or_returns():
    """Up with g (sin + mu cos); then it stays (mu = 0.6) or comes back with g (sin - mu cos) (mu = 0.3)."""
    angle = 0.5
    for mu in (0.6, 0.3):
        run = on_an_incline(angle, mu).simulate(2.0, q=[0, 0], v=[-3.0, 0])
        up = G * (np.sin(angle) + mu * np.cos(angle))
        stop = 3.0 / up
        assert_close(run.events[0].t, stop, within=1e-10, because="rtol 1e-9 of a polynomial motion")
        down = max(0.0, G * (np.sin(angle) - mu * np.cos(angle)))
        assert run.events[0].kind == ("stick" if down == 0 else "slip")
        expected = -(3.0**2) / (2 * up) + down * (2.0 - stop) ** 2 / 2
        assert_close(run["x"][-1], expected, within=1e-9, because="rtol 1e-9 of a polynomial motion")
        assert run.audit().power_balance < 1e-9


def test_the_power_of_friction_is_that_of_force_and_speed():
    run = on_an_incline(0.5, 0.3).simulate(1.0, q=[0, 0], v=[1.0, 0])
    expected = -0.3 * 2.0 * G * np.cos(0.5) * run["x_dot"]
    assert_close(run.power["rub"], expected, within=1e-11, because="one small solve, 30 W")


def test_an_oscillator_loses_the_same_amplitude_in_every_half_cycle():
    """m = 1, k = 4, mu N = 0.5: the turning points are 1, -(1 - 2 d), 1 - 4 d, ... with d = mu N / k."""
    s = cd.System("oscillator")
    x = s.coordinate("x")
    s.lagrangian((x.dot**2 - 4 * x**2) / 2)
    s.friction(x, coefficient=0.25, normal=2.0, name="rub")
    run = s.simulate(10.0, q=[1.0], v=[0.0])
    d = 0.125
    turns = [event.q[0] for event in run.events]
    expected = [-(1 - 2 * d), 1 - 4 * d, -(1 - 6 * d), 0.0]
    assert_close(turns, expected, within=1e-8, because="rtol 1e-9 per step")
    assert [event.kind for event in run.events] == ["slip", "slip", "slip", "stick"]
    assert_close([event.t for event in run.events], np.pi / 2 * np.arange(1, 5), within=1e-8, because="rtol 1e-9")
    assert_close(run["x_dot"][-1], 0.0, within=1e-14, because="it sticks")


def test_a_pendulum_with_a_constant_friction_moment_decays_by_its_energy():
    """cos th1 - cos th0 = tau/(m g l) (th0 + th1) between turning points."""
    s = cd.System("pendulum")
    th = s.coordinate("th", on="S1")
    s.lagrangian(th.dot**2 / 2 + G * cos(th))
    s.friction(th, coefficient=0.4, normal=1.0, radius=0.5, name="bearing")
    run = s.simulate(40.0, q=[1.2], v=[0.0])
    turns = np.abs([1.2, *(event.q[0] for event in run.events)])
    assert len(turns) > 10
    for before, after in pairwise(turns):
        loss = 0.2 / G * (before + after)
        assert_close(np.cos(after) - np.cos(before), loss, within=1e-8, because="rtol 1e-9 per step")
    assert run.events[-1].kind == "stick"
    assert abs(np.sin(turns[-1])) <= 0.2 / G


def test_a_belt_drives_stick_slip_of_the_known_period():
    """Sticking lasts 2 D / u, slipping (2/w)(pi - atan(D w / u)), D = (mu_s - mu_d) N / k."""
    m, k, N, mu_s, mu_d, u = 1.0, 10.0, 5.0, 0.6, 0.3, 0.2
    s = cd.System("belt")
    x = s.coordinate("x")
    s.lagrangian((m * x.dot**2 - k * x**2) / 2)
    s.friction(x.dot - u, coefficient=mu_d, static=mu_s, normal=N, name="belt")
    run = s.simulate(20.0, q=[0.0], v=[u])
    D, w = (mu_s - mu_d) * N / k, np.sqrt(k / m)
    sticks = [event.t for event in run.events if event.kind == "stick"]
    slips = [event.t for event in run.events if event.kind == "slip"]
    assert_close(slips[0], mu_s * N / k / u, within=1e-8, because="the spring is drawn at the speed of the belt")
    assert len(sticks) >= 3
    period = 2 * D / u + 2 / w * (np.pi - np.arctan(D * w / u))
    assert_close(np.diff(sticks), period, within=1e-7, because="rtol 1e-9 per step over a period of some ten steps")
    assert_close(
        sticks[0] - slips[0], 2 / w * (np.pi - np.arctan(D * w / u)), within=1e-8, because="rtol 1e-9 per step"
    )
    assert run.audit().power_balance < 1e-8


def test_a_sled_on_a_turning_rod_is_pressed_by_coriolis_force():
    """N = 2 m w rd: rdd + 2 mu w rd - w^2 r = 0, exponents -mu w +- w sqrt(mu^2 + 1)."""
    w, mu = 1.5, 0.4
    s = cd.System("sled")
    x, y = s.coordinates("x y")
    t = s.time
    s.particle("sled", mass=0.8, position=s.world.x * x + s.world.y * y)
    s.constrain(x * sin(w * t) - y * cos(w * t), name="rod")
    s.friction(x.dot * cos(w * t) + y.dot * sin(w * t), coefficient=mu, normal="rod", name="rub")
    run = s.simulate(1.5, q=[0.3, 0.0], v=[0.0, 0.3 * w], rtol=1e-10)
    a, b = -mu * w + w * np.sqrt(mu**2 + 1), -mu * w - w * np.sqrt(mu**2 + 1)
    expected = 0.3 * (a * np.exp(b * run.t) - b * np.exp(a * run.t)) / (a - b)
    assert_close(np.hypot(run["x"], run["y"]), expected, within=1e-8, because="rtol 1e-10, lengths of a metre")


def pinned(law="exact", **options):
    """A pendulum of a mass on an arm whose pin rubs; m = 1.5, l = 0.8, pin radius 0.05, mu = 0.5."""
    s = cd.System("pendulum on a pin")
    th = s.coordinate("th", on="S1")
    arm = s.body("arm", mass=1.5, com=(0, -0.8, 0), joint=cd.Revolute("z", th))
    s.gravity(-G * s.world.y)
    s.friction(th, coefficient=0.5, normal=arm, radius=0.05, law=law, name="pin", **options)
    return s


def pin_acceleration(th, w, d):
    """wd from m l^2 wd = -m g l sin th - mu rho |F| d by bisection, F the force of the pin."""
    m, length, arm = 1.5, 0.8, 0.5 * 0.05

    def excess(wd):
        F = np.hypot(m * G * np.cos(th) + m * length * w**2, m * G * np.sin(th) + m * length * wd)
        return m * length**2 * wd + m * G * length * np.sin(th) + arm * F * d

    low, high = -1e3, 1e3
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) < 0 else (low, middle)
    return (low + high) / 2


def test_pin_friction_is_solved_together_with_the_force_of_the_pin():
    s = pinned()
    run = s.simulate(0.5, q=[0.9], v=[1.0], rtol=1e-11)
    for k in (0, len(run) // 2, -1):
        expected = pin_acceleration(run["th"][k], run["th_dot"][k], np.sign(run["th_dot"][k]))
        assert_close(run.acceleration[k, 0], expected, within=1e-9, because="bisection and one small solve, 15 rad/s^2")
    check = solve_ivp(
        lambda t, y: [y[1], pin_acceleration(*y, np.sign(y[1]))], (0, 0.1), [0.9, 1.0], rtol=1e-10, atol=1e-12
    )
    assert_close(run.at([0.1]).q[0], check.y[0, -1], within=1e-8, because="two integrators at 1e-10")


def test_machine_code_and_numpy_agree_on_pressing_forces():
    s = pinned("tanh", width=0.1)
    run = s.simulate(1.0, q=[0.9], v=[0.0], rtol=1e-9)
    for k in range(0, len(run), 5):
        w = run["th_dot"][k]
        expected = pin_acceleration(run["th"][k], w, np.tanh(w / 0.1))
        assert_close(run.acceleration[k, 0], expected, within=1e-9, because="bisection and one small solve")
    assert run.audit().power_balance < 1e-7


@pytest.mark.parametrize("law", ["tanh", "sqrt"])
def test_smooth_laws_approach_the_exact_one(law):
    """The block thrown uphill: what the smooth law creeps is of the order of its width."""
    exact = on_an_incline(0.5, 0.6).simulate(1.0, q=[0, 0], v=[-3.0, 0])
    smooth = on_an_incline(0.5, 0.6, law=law, width=1e-3).simulate(1.0, q=[0, 0], v=[-3.0, 0])
    assert_close(
        smooth["x"][-1], exact["x"][-1], within=3e-3, because="creep of at most the width for one second, twice"
    )


def test_stribeck_and_viscous_parts_are_in_the_force():
    s = cd.System("slider")
    x = s.coordinate("x")
    s.kinetic_energy(x.dot**2 / 2)
    s.friction(x, coefficient=0.2, static=0.5, stribeck=0.1, viscous=0.7, normal=3.0, law="tanh", width=1e-6)
    for v in (0.05, 0.3):
        expected = -3.0 * (0.2 + 0.3 * np.exp(-((v / 0.1) ** 2))) - 0.7 * v
        assert_close(s.compile().acceleration([0], [v])[0], expected, within=1e-13, because="one product, tanh is one")


def test_friction_of_a_manipulator_is_subtracted_from_its_equations():
    """RP manipulator with Coulomb and viscous b(q, qd): M qdd + C qd + g + b = 0, against the equations without b."""

    def manipulator():
        s = cd.System("RP manipulator")
        q1, q2 = s.coordinates("q1 q2")
        s.lagrangian((2 * q1.dot**2 * (0.5 + q2**2) + 3 * q2.dot**2) / 2 - 3 * G * q2 * sin(q1))
        return s, q1, q2

    plain, _, _ = manipulator()
    rubbing, q1, q2 = manipulator()
    rubbing.friction(q1, coefficient=1.1, normal=1.0, viscous=0.3, law="tanh", width=1e-9)
    rubbing.friction(q2, coefficient=0.2, normal=3 * G * cos(q1), viscous=0.4, law="tanh", width=1e-9)
    q, v = np.array([0.4, 0.7]), np.array([0.9, -0.6])
    b = np.array([1.1 + 0.3 * 0.9, -0.2 * 3 * G * np.cos(0.4) - 0.4 * 0.6])
    M = plain.compile().mass_matrix(q)
    expected = plain.compile().acceleration(q, v) - np.linalg.solve(M, b)
    assert_close(rubbing.compile().acceleration(q, v), expected, within=1e-12, because="one 2 x 2 solve")


def falling_rod(mu):
    """A rod, 2 l = 1, with one end kept on the floor; N changes by 3 mu sin cos / (1 + 3 cos^2) of itself."""
    s = cd.System("rod on the floor")
    x, y, th = s.coordinates("x y th")
    rod = s.body("rod", mass=1.0, inertia=1 / 12, joint=cd.Planar(x, y, th))
    s.gravity(-G * s.world.y)
    s.constrain(y - 0.5 * sin(th), name="floor")  # the lower end, at -l from the centre along the rod
    s.friction(x.dot + 0.5 * sin(th) * th.dot, coefficient=mu, normal="floor", name="rub")
    return s, rod


def test_the_paradox_of_painleve_ends_a_run_with_its_reason():
    """3 mu sin th cos th = 1 + 3 cos^2 th, which needs mu > 4/3."""
    mu = 1.8
    s, _ = falling_rod(mu)
    th = 1.42
    start = {"q": [0.0, 0.5 * np.sin(th), th], "v": {"x": 6.0, "th": -2.0}}
    with pytest.raises(SimulationError, match="no longer unique") as caught:
        s.simulate(2.0, **start)
    angle = caught.value.trajectory["th"][-1]
    ratio = 3 * mu * np.sin(angle) * np.cos(angle) / (1 + 3 * np.cos(angle) ** 2)
    assert_close(abs(ratio), 1.0, within=1e-8, because="the run ends where the event is, to round-off of the angle")


def test_below_the_critical_coefficient_there_is_no_paradox():
    s, _ = falling_rod(1.2)
    th = 1.42
    run = s.simulate(0.2, q=[0.0, 0.5 * np.sin(th), th], v={"x": 6.0, "th": -2.0})
    assert run.status == "finished"
    assert run.audit().power_balance < 1e-7


def test_a_start_inside_the_paradox_is_refused():
    s, _ = falling_rod(1.8)
    th = np.arctan(2.0)
    with pytest.raises(SingularityError, match="Painleve"):
        s.simulate(1.0, q=[0.0, 0.5 * np.sin(th), th], v={"x": 1.0, "th": 0.0})


def test_two_blocks_that_rub_on_each_other_stick_and_part():
    """The upper block is carried while its inertia is below mu m g: the motor drives the lower one by a sine."""
    mu, w, amplitude = 0.2, 3.0, 0.4
    s = cd.System("blocks")
    x, u = s.coordinates("x u")
    s.kinetic_energy(2.0 * x.dot**2 / 2)
    s.kinetic_energy(5.0 * u.dot**2 / 2)
    s.prescribe(u, amplitude * sin(w * s.time))
    s.friction(x.dot - u.dot, coefficient=mu, normal=2.0 * G, name="between")
    run = s.simulate(2.0, q={"x": 0.0}, v={"x": amplitude * w})
    slip = run.events[0]
    assert slip.kind == "slip"
    assert_close(amplitude * w**2 * np.sin(w * slip.t), mu * G, within=1e-7, because="rtol 1e-9 per step")


def test_what_cannot_be_is_refused_by_name():
    s = cd.System("block")
    x = s.coordinate("x")
    s.kinetic_energy(x.dot**2 / 2)
    with pytest.raises(ModelError, match="need width="):
        s.friction(x, coefficient=0.3, normal=1.0, law="tanh")
    with pytest.raises(ModelError, match="no sliding velocity"):
        s.friction(x**2, coefficient=0.3, normal=1.0)
    with pytest.raises(ModelError, match="law 'wet' is unknown"):
        s.friction(x, coefficient=0.3, normal=1.0, law="wet")
    s.friction(x, coefficient=0.3, normal="ceiling", name="rub")
    with pytest.raises(UnknownName, match="ceiling"):
        s.simulate(1.0, q=[0], v=[0])


def test_the_kernel_knows_what_slides_and_what_sticks():
    k = on_an_incline(0.28, 0.3).compile()
    assert_close(k.acceleration([0, 0], [0, 0]), 0.0, within=1e-14, because="held")
    sliding = G * (np.sin(0.28) - 0.3 * np.cos(0.28))
    assert_close(k.acceleration([0, 0], [1.0, 0])[0], sliding, within=1e-13, because="one small solve")
    steep = G * (np.sin(0.5) - 0.3 * np.cos(0.5))
    assert_close(
        on_an_incline(0.5, 0.3).compile().acceleration([0, 0])[0], steep, within=1e-13, because="one small solve"
    )


@pytest.mark.parametrize(("push", "upper", "lower"), [(8.0, 0.0, 0.0), (12.0, 0.438, 0.438), (60.0, None, None)])
def test_a_stack_of_two_blocks_chooses_what_sticks(push, upper, lower):
    """2 kg on 3 kg on the floor, mu = 0.3 and 0.2: at rest, together, or apart, by the force on the lower block."""
    s = cd.System("stack")
    x, u = s.coordinates("x u")
    s.kinetic_energy(2.0 * x.dot**2 / 2 + 3.0 * u.dot**2 / 2)
    s.generalized_force(u, push)
    s.friction(x.dot - u.dot, coefficient=0.3, normal=2.0 * G, name="between")
    s.friction(u, coefficient=0.2, normal=5.0 * G, name="floor")
    run = s.simulate(1.0, q=[0, 0], v=[0, 0])
    if upper is None:
        upper, lower = 0.3 * G, (push - 0.2 * 5 * G - 0.3 * 2 * G) / 3
    expected = [upper / 2, lower / 2]
    assert_close(run.q[-1], expected, within=1e-9, because="rtol 1e-9 of a polynomial motion")


def test_two_pins_press_each_other_through_their_friction():
    """A double pendulum with friction in both pins comes to rest, and its energy is accounted for."""
    s = cd.System("two pins")
    a, b = s.coordinates("a b", on="S1")
    first = s.body("first", mass=1.0, inertia=0.01, com=(0, -0.5, 0), joint=cd.Revolute("z", a))
    second = s.body(
        "second", mass=2.0, inertia=0.01, com=(0, -0.4, 0), joint=cd.Revolute("z", b), parent=first, at=(0, -1, 0)
    )
    s.gravity(-G * s.world.y)
    s.friction(a, coefficient=0.3, normal=first, radius=0.3, name="upper")
    s.friction(b, coefficient=0.3, normal=second, radius=0.3, name="lower")
    run = s.simulate(8.0, q=[1.0, 0.5], v=[0.0, 0.0])
    assert run.events[-1].kind == "stick"
    assert np.abs(run.v[-1]).max() < 1e-12
    modes = {event.name: event.facts["to"] for event in run.events}  # the last of each
    assert modes == {"upper": 0, "lower": 0}
    assert run.audit().power_balance < 1e-7
    assert all(np.all(run.power[name] <= 1e-12) for name in ("upper", "lower"))


def test_a_constraint_with_friction_is_still_diagnosed_and_read():
    s = on_an_incline(0.28, 0.3)
    assert {"floor", "rub"} <= set(s.equations().at([0, 0], [0, 0]).multipliers)
    assert s.diagnose(q=[0, 0]).kinds == set()


def test_time_that_runs_backwards_returns_through_turning_points():
    """Dry friction may be run backwards while it slides: at a turning point the motion passes, it does not stick."""
    s = pinned()
    there = s.simulate(-1.2, q=[0.9], v=[1.0], rtol=1e-10)
    assert there.status == "finished"
    assert np.min(there["th_dot"]) < -0.5  # it has turned once on the way
    back = s.simulate(1.2, q=there.q[-1], v=there.v[-1], t0=-1.2, rtol=1e-10)
    assert_close([back["th"][-1], back["th_dot"][-1]], [0.9, 1.0], within=1e-7, because="two runs at rtol 1e-10")


def test_what_is_held_stays_held_backwards():
    s = pinned()
    run = s.simulate(-0.5, q=[0.01], v=[0.0])
    assert_close(run["th"], 0.01, within=1e-15, because="it sticks: m g l sin th is below the friction of the pin")
