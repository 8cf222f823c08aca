"""RATTLE and the energy-momentum rule: order, energy, constraints, momenta, dependent and moving constraints."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from sympy import cos, sin

import cardan as cd
from support.close import assert_close

METHODS = ("RATTLE", "energy-momentum")


def double_pendulum(*, twice=False):
    """Two particles on rods, in Cartesian coordinates; with ``twice`` each rod is stated twice."""
    s = cd.System("double pendulum")
    x1, y1, x2, y2 = s.coordinates("x1 y1 x2 y2")
    w = s.world
    a = s.particle("a", mass=1.0, position=w.x * x1 + w.y * y1)
    b = s.particle("b", mass=2.0, position=w.x * x2 + w.y * y2)
    s.gravity(-9.81 * w.y)
    for k in range(2 if twice else 1):
        s.distance(w.origin, a, 1.0, name=f"first{k}")
        s.distance(a, b, 1.5, name=f"second{k}")
    return s


def four_bar():
    """A crank, a coupler and a rocker as a chain of revolutes that is closed: M depends on q."""
    s = cd.System("four-bar")
    a, b, c = s.coordinates("a b c", on="S1")
    s.gravity(-9.81 * s.world.y)
    crank = s.body("crank", mass=1.0, inertia=0.1, com=(0.5, 0, 0), joint=cd.Revolute("z", a))
    rod = s.body("rod", mass=2.0, inertia=0.2, com=(1, 0, 0), joint=cd.Revolute("z", b), parent=crank, at=(1, 0, 0))
    rocker = s.body(
        "rocker", mass=1.5, inertia=0.2, com=(0.75, 0, 0), joint=cd.Revolute("z", c), parent=rod, at=(2, 0, 0)
    )
    s.connect(rocker.point(1.5, 0, 0), s.world.point(1.8, 0, 0), cd.Revolute("z"), name="loop")
    return s


def bead_on_a_turning_rod(rate=1.3):
    s = cd.System("bead")
    x, y = s.coordinates("x y")
    s.particle("bead", mass=0.7, position=s.world.x * x + s.world.y * y)
    s.constrain(x * sin(rate * s.time) - y * cos(rate * s.time), name="rod")
    return s


START = {"q": [0.6, -0.8, 0.6, -2.3], "v": [0.0, 0.0, 0.0, 0.0]}


def state(run):
    return np.concatenate([run.q[-1], run.v[-1]])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("model", ["cartesian", "four-bar"])
def test_errors_fall_with_the_square_of_the_step(method, model):
    """Against the eighth-order method with projection, an independent algorithm, at rtol 1e-12."""
    if model == "cartesian":
        s, start = double_pendulum(), START
    else:
        s = four_bar()
        start = {"q": s.assemble({"a": 1.0})[0].q, "v": None}
    exact = state(s.simulate(1.0, **start, rtol=1e-12, atol=1e-13))
    errors = [np.abs(state(s.simulate(1.0, **start, method=method, step=1 / n)) - exact).max() for n in (200, 400)]
    order = np.log2(errors[0] / errors[1])
    assert_close(order, 2.0, within=0.1, because="two steps in the asymptotic range of a second-order method")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("twice", [False, True])
def test_constraints_hold_to_round_off_also_where_rows_depend_on_each_other(method, twice):
    run = double_pendulum(twice=twice).simulate(20.0, **START, method=method, step=0.01)
    assert_close(run.constraint_error[:, 0], 0.0, within=1e-14, because="solved to round-off in every step, lengths ~1")
    assert_close(run.constraint_error[:, 1], 0.0, within=1e-13, because="one projection at speeds up to 8 m/s")


def test_dependent_rows_do_not_change_the_motion():
    runs = [double_pendulum(twice=twice).simulate(2.0, **START, method="RATTLE", step=0.01) for twice in (False, True)]
    assert_close(runs[0].q, runs[1].q, within=1e-10, because="round-off grown over 200 steps of a chaotic system")


def test_the_energy_of_rattle_stays_within_a_band():
    """A symplectic method of a system without chaos: the error of the last quarter is that of the first."""
    s = four_bar()
    run = s.simulate(100.0, q=s.assemble({"a": 1.0})[0].q, method="RATTLE", step=0.01)
    error = np.abs(run.energy - run.energy[0])
    quarter = len(error) // 4
    assert error[-quarter:].max() < 1.2 * error[:quarter].max()
    assert error.max() < 0.02 * run.kinetic_energy.max()


@pytest.mark.parametrize("model", ["cartesian", "four-bar"])
def test_energy_momentum_keeps_the_energy(model):
    s = double_pendulum() if model == "cartesian" else four_bar()
    start = START if model == "cartesian" else {"q": s.assemble({"a": 1.0})[0].q}
    run = s.simulate(50.0, **start, method="energy-momentum", step=0.01)
    assert_close(
        run.energy, run.energy[0], within=1e-10, because="the solver's round-off, 1e-15 of 60 J, in 5000 steps"
    )


def test_energy_momentum_keeps_energy_and_the_momentum_of_an_ignorable_angle():
    """A spherical pendulum in angles, without constraints: M depends on q."""
    s = cd.System("spherical pendulum")
    th, ph = s.coordinates("th ph", on="S1")
    s.lagrangian((th.dot**2 + sin(th) ** 2 * ph.dot**2) / 2 + 9.81 * cos(th))
    run = s.simulate(20.0, q=[1.0, 0.0], v=[0.0, 2.0], method="energy-momentum", step=0.02)
    momentum = run.evaluate(sin(th) ** 2 * ph.dot)
    assert_close(run.energy, run.energy[0], within=1e-11, because="round-off of 10 J in 1000 steps")
    assert_close(momentum, momentum[0], within=1e-12, because="round-off of 1.4 in 1000 steps")


@pytest.mark.parametrize("method", METHODS)
def test_angular_momentum_of_a_free_rod_is_kept(method):
    """Two particles on a rod without gravity."""
    s = cd.System("dumbbell")
    x1, y1, x2, y2 = s.coordinates("x1 y1 x2 y2")
    w = s.world
    a = s.particle("a", mass=1.0, position=w.x * x1 + w.y * y1)
    b = s.particle("b", mass=3.0, position=w.x * x2 + w.y * y2)
    s.distance(a, b, 2.0, name="rod")
    run = s.simulate(20.0, q=[-1, 0, 1, 0], v=[0.3, -2, 0.3, 1], method=method, step=0.02)
    H = run.evaluate(x1 * y1.dot - y1 * x1.dot + 3 * (x2 * y2.dot - y2 * x2.dot))
    assert_close(H, H[0], within=1e-12, because="round-off of 5 kg m^2/s in 1000 steps")


@pytest.mark.parametrize("method", METHODS)
def test_a_moving_constraint_is_followed(method):
    """r = r0 cosh(w t) on a rod that turns at the rate w."""
    rate, errors = 1.3, []
    for n in (100, 200):
        run = bead_on_a_turning_rod(rate).simulate(1.0, q=[0.5, 0.0], v=[0.0, 0.65], method=method, step=1 / n)
        assert_close(run.constraint_error, 0.0, within=1e-14, because="solved to round-off")
        errors.append(abs(np.hypot(*run.q[-1]) - 0.5 * np.cosh(rate)))
    assert_close(np.log2(errors[0] / errors[1]), 2.0, within=0.1, because="second order")


@pytest.mark.parametrize("method", METHODS)
def test_a_knife_edge_keeps_its_energy_and_its_constraint(method):
    """A skate on the level plane: constant speed and turning rate, a circle."""
    s = cd.System("skate")
    x, y, th = s.coordinates("x y th")
    s.kinetic_energy(2.0 * (x.dot**2 + y.dot**2) / 2 + 0.3 * th.dot**2 / 2)
    s.constrain_velocity(x.dot * sin(th) - y.dot * cos(th), name="edge")
    errors = []
    for n in (100, 200):
        run = s.simulate(1.0, q=[0, 0, 0], v=[1.0, 0, 2.0], method=method, step=1 / n)
        assert_close(run.constraint_error[:, 1], 0.0, within=1e-14, because="solved to round-off at 1 m/s")
        errors.append(np.abs(run.q[-1] - [np.sin(2) / 2, (1 - np.cos(2)) / 2, 2.0]).max())
    assert_close(np.log2(errors[0] / errors[1]), 2.0, within=0.1, because="second order")
    assert_close(run.energy, run.energy[0], within=1e-4, because="second-order energy error at h = 1/200")


@pytest.mark.parametrize("method", METHODS)
def test_events_end_a_run_between_two_steps(method):
    s = double_pendulum()
    x1 = s.model.q[0]
    run = s.simulate(2.0, **START, method=method, step=0.01, events=[cd.Event(x1 - 0.5, terminal=True)])
    assert_close(run.q[-1][0], 0.5, within=1e-12, because="the last step is adjusted until the event is met")
    assert_close(run.constraint_error[-1], 0.0, within=1e-13, because="solved to round-off")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("step", [5e-3, 2e-3, 1e-3])
def test_a_parallelogram_goes_straight_through_its_flat_position(method, step):
    """Masses 1 and 2 on two cranks: constraint forces grow as 1/angle there; the motion is that of a pendulum."""
    s = cd.System("parallelogram")
    x1, y1, x2, y2 = s.coordinates("x1 y1 x2 y2")
    w = s.world
    a = s.particle("a", mass=1.0, position=w.x * x1 + w.y * y1)
    b = s.particle("b", mass=2.0, position=w.x * x2 + w.y * y2)
    s.gravity(-9.81 * w.y)
    s.distance(w.origin, a, 1.0, name="first crank")
    s.distance(a, b, 2.0, name="coupler")
    s.distance(w.point(2.0, 0, 0), b, 1.0, name="second crank")
    run = s.simulate(3.0, q=[0, 1, 2, 1], v=[1, 0, 1, 0], method=method, step=step)
    assert_close(run["x2"] - run["x1"], 2.0, within=1e-7, because="constraints hold to 1e-15, its root near the flat")
    exact = solve_ivp(lambda t, y: [y[1], -9.81 * np.cos(y[0])], (0, 3), [np.pi / 2, -1.0], rtol=1e-12, atol=1e-12)
    angle = exact.y[0, -1]
    error = np.abs(run.q[-1, :2] - [np.cos(angle), np.sin(angle)]).max()
    assert error < 200 * step**2, "second order, over four passages of the flat position"
