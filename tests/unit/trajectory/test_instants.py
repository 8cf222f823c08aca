"""Forces, signals and drives that switch: steps end where they do, and nothing is stepped over."""

from __future__ import annotations

import math
from math import pi, sqrt

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from sympy import Abs, Expr, Heaviside, Max, Min, Piecewise, Symbol, cos, exp, floor, sign, sin

import cardan as cd
from cardan.errors import SimulationError
from cardan.trajectory.instants import zeros
from support.close import assert_close

EXACT, EXACTLY = 1e-12, "forces are constant or linear between switches, which the methods integrate exactly"
CONTROL, CONTROLLED = 1e-7, "a hundred times rtol, over some hundred steps"


@pytest.fixture(scope="module")
def pushed() -> cd.System:
    """A particle of unit mass under a force u: v = integral of u."""
    s = cd.System("pushed")
    x = s.coordinates("x")
    s.lagrangian(x.dot**2 / 2)
    s.generalized_force(x, s.input("u"))
    return s


t = cd.System("clock").time


@pytest.mark.parametrize("method", ["auto", "Radau"])
@pytest.mark.parametrize(
    ("force", "speed"),
    [
        (Piecewise((1, (t > 5) & (t < 6)), (0, True)), 1.0),
        (Piecewise((1, (t >= 5) & (t <= 6)), (0, True)), 1.0),
        (Heaviside(t - 5) - Heaviside(t - 5.001), 0.001),
        (Max(0, t - 9), 0.5),
        (Min(t, 1), 9.5),
        (Abs(t - 5), 25.0),
        (floor(t / 2 - 1 / 4), 2.0 * (0 + 1 + 2 + 3) + 4 * 1.5 - 0.5),
    ],
)
def test_a_pulse_gives_its_impulse(pushed: cd.System, method: str, force: Expr, speed: float):
    run = pushed.simulate(10.0, inputs={"u": force}, method=method)
    assert_close(run.v[-1, 0], speed, within=EXACT * max(1.0, speed), because=EXACTLY)
    assert not run.audit().complaints


def test_a_square_wave_of_600_switches(pushed: cd.System):
    """636 half waves cancel in pairs; what is left of the last one is 10 - 636 pi / 200."""
    run = pushed.simulate(10.0, inputs={"u": sign(sin(200 * t))})
    left_out = 636 * 8e-14  # around each switch the state is held for a few roundings of the clock
    assert_close(run.v[-1, 0], 10 - 636 * pi / 200, within=left_out, because="time left out at switches")


def test_a_pulse_backwards_in_time(pushed: cd.System):
    pulse = Piecewise((1, (t > 5) & (t < 6)), (0, True))
    run = pushed.simulate(-10.0, t0=10.0, v=[1.0], inputs={"u": pulse}, times=np.linspace(10, 0, 11))
    assert_close(run.v[:, 0], np.array([1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0.0]), within=EXACT, because=EXACTLY)


def test_requested_times_at_a_switch(pushed: cd.System):
    run = pushed.simulate(10.0, inputs={"u": Heaviside(t - 5)}, times=[0.0, 5.0, 7.0, 10.0])
    assert_close(run.v[:, 0], np.array([0.0, 0.0, 2.0, 5.0]), within=EXACT, because=EXACTLY)


def test_a_python_function_with_a_pulse(pushed: cd.System):
    """Nothing can be read off a function; steps of at most 1/200 of the run see the pulse and resolve its ends."""
    run = pushed.simulate(10.0, inputs={"u": lambda t: float(5 < t < 6)})
    assert_close(run.v[-1, 0], 1.0, within=CONTROL, because=CONTROLLED)


def test_an_event_of_time_ends_a_step_for_a_python_function(pushed: cd.System):
    marks = [cd.Event(t - 5, name="on"), cd.Event(6 - t, name="off")]
    run = pushed.simulate(10.0, inputs={"u": lambda t: float(5 <= t < 6)}, events=marks)
    assert [(one.name, one.t) for one in run.events] == [("on", 5.0), ("off", 6.0)]
    assert_close(run.v[-1, 0], 1.0, within=EXACT, because=EXACTLY)


def test_an_event_at_a_time_that_a_parameter_says(pushed: cd.System):
    s = cd.System("timed")
    a = s.coordinates("x")
    on = s.parameters(on=5)
    s.lagrangian(a.dot**2 / 2)
    s.generalized_force(a, s.input("u"))
    run = s.simulate(10.0, inputs={"u": lambda t: float(t >= 5)}, events=cd.Event(s.time - on))
    assert [one.t for one in run.events] == [5.0]
    assert_close(run.v[-1, 0], 5.0, within=EXACT * 5, because=EXACTLY)


@pytest.mark.parametrize(("direction", "count"), [(0, 2), (1, 1), (-1, 1)])
def test_events_of_time_keep_their_direction(pushed: cd.System, direction: int, count: int):
    run = pushed.simulate(3.0, events=cd.Event((t - 1) * (t - 2), direction=direction))
    assert len(run.events) == count


def test_a_terminal_event_of_time_ends_the_run(pushed: cd.System):
    run = pushed.simulate(10.0, inputs={"u": 1.0}, events=cd.Event(t - 2.5, terminal=True))
    assert run.status == "event"
    assert_close(run.v[-1, 0], 2.5, within=EXACT, because=EXACTLY)
    assert run.solution.is_complete


# --- forces that switch with the state ---------------------------------------------------------------


def in_potential(potential: Expr, x: Symbol) -> cd.System:
    s = cd.System("in a potential")
    own = s.coordinates("x")
    s.lagrangian(own.dot**2 / 2)
    s.potential(potential.xreplace({x: own}))
    return s


x = Symbol("x")


def test_a_ramp_on_both_sides():
    """V = |x| from x = 1 at rest: parabolas of duration sqrt(2); after 10 s in the eighth of them."""
    run = in_potential(Abs(x), x).simulate(10.0, q=[1.0])
    late = 10 - 7 * sqrt(2)
    assert_close(run.q[-1, 0], sqrt(2) * late - late**2 / 2, within=CONTROL, because=CONTROLLED)
    assert_close(run.v[-1, 0], sqrt(2) - late, within=CONTROL, because=CONTROLLED)


@pytest.mark.parametrize(
    "barrier",
    [
        100 * exp(-(((x - 5) / 0.03) ** 2)),
        Piecewise((100 * (1 - ((x - 5) / 0.05) ** 2) ** 2, (x > 4.95) & (x < 5.05)), (0, True)),
    ],
)
def test_a_barrier_that_cannot_be_climbed_reflects(barrier: Expr):
    """Half a joule before a hill of a hundred, as wide as a hundredth of the way."""
    run = in_potential(barrier, x).simulate(10.0, v=[1.0])
    assert_close(run.v[-1, 0], -1.0, within=CONTROL, because=CONTROLLED)


def test_a_potential_that_jumps_is_refused():
    wall = Piecewise((100, (x > 5) & (x < 5.1)), (0, True))
    with pytest.raises(SimulationError, match="potential energy jumps by 100"):
        in_potential(wall, x).simulate(10.0, v=[1.0])


def test_a_force_that_holds_on_a_jump_ends_the_run():
    s = cd.System("rubbed")
    a = s.coordinates("a")
    s.lagrangian(a.dot**2 / 2)
    s.generalized_force(a, -sign(a.dot))
    run = s.simulate(10.0, v=[1.0], throw=False)
    assert run.status == "stopped"
    assert "s.friction" in run.message
    assert_close(run.t[-1], 1.0, within=CONTROL, because=CONTROLLED)


# --- drives -----------------------------------------------------------------------------------------


def carried(motion: Expr) -> cd.System:
    """A cart that carries another of the same mass: the momentum 2 x' + y' is kept."""
    s = cd.System("carts")
    a, b = s.coordinates("x y")
    s.lagrangian(a.dot**2 / 2 + (a.dot + b.dot) ** 2 / 2)
    s.prescribe(b, motion)
    return s


def test_a_bump_of_a_drive_is_not_stepped_over():
    bump = Piecewise((sin(pi * (t - 5)) ** 4, (t > 5) & (t < 6)), (0, True))
    run = carried(bump).simulate(10.0)
    assert_close(run.at([5.5]).q[0, 0], -0.5, within=CONTROL, because=CONTROLLED)
    assert not run.audit().complaints


@pytest.mark.parametrize(("motion", "what"), [(Heaviside(t - 5), "position"), (Abs(t - 5), "velocity")])
def test_a_drive_that_jumps_is_refused(motion: Expr, what: str):
    with pytest.raises(SimulationError, match=f"the {what} prescribed for y jumps"):
        carried(motion).simulate(10.0)


def test_a_constraint_that_jumps_is_refused():
    s = cd.System("jumping rod")
    a, b = s.coordinates("x y")
    s.particle("P", mass=1, position=a * s.world.x + b * s.world.y)
    s.constrain(a**2 + b**2 - Piecewise((1, t < 2), (4, True)), name="rod")
    with pytest.raises(SimulationError, match="the constraint rod jumps"):
        s.simulate(4.0, q=[1.0, 0.0], v=[0.0, 1.0])


# --- bounds ------------------------------------------------------------------------------------------


def test_max_step_bounds_the_steps(pushed: cd.System):
    assert np.diff(pushed.simulate(10.0, inputs={"u": 1.0}, max_step=0.3).t).max() <= 0.3 * (1 + EXACT)


def test_smooth_motions_keep_their_long_steps(pushed: cd.System):
    assert len(pushed.simulate(10.0, inputs={"u": 1.0}).t) < 30


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (lambda t: t - 2.5, [2.5]),
        (lambda t: (t - 2.5) * (t - 2.5000001), [2.5, 2.5000001]),
        (lambda t: np.cos(t), [pi / 2, 3 * pi / 2]),
        (lambda t: np.sin(3000 * t) + 2, []),
        (lambda t: 1.0 + 0 * t, []),
    ],
)
def test_zeros_of_functions_of_time(f: object, expected: list[float]):
    found = zeros(f, 0.0, 5.0)  # type: ignore[arg-type]
    assert len(found) == len(expected)
    assert_close(found, np.array(expected), within=1e-8, because="two near zeros are found to sqrt(rounding)")


def test_fast_zeros_are_counted():
    assert len(zeros(lambda t: np.cos(20000 * t), 0.0, 5.0)) == int(5.0 * 20000 / pi + 0.5)


def test_a_force_that_switches_by_time_and_place_agrees_with_its_parts():
    """On a switch of time inside a potential: kicked at t = 2 while it swings. Closed form, two cosines."""
    s = cd.System("kicked")
    a = s.coordinates("x")
    s.lagrangian(a.dot**2 / 2 - a**2 / 2)
    s.generalized_force(a, Heaviside(t - 2))
    run = s.simulate(5.0, q=[1.0])
    expected = cos(5.0) + 1 - cos(3.0)  # x" + x = 1 from t = 2 on adds 1 - cos(t - 2)
    assert_close(run.q[-1, 0], float(expected), within=CONTROL, because=CONTROLLED)


def test_switches_that_move_with_python_functions():
    """Two switches whose places are known only when a function is called; beside SciPy in steps of 1e-3."""
    s = cd.System("two switches")
    a, u, w = s.coordinates("x"), s.input("u"), s.input("w")
    s.lagrangian(a.dot**2 / 2)
    s.generalized_force(a, Piecewise((-1, a > u), (1, True)) + Piecewise((-1, a > w), (1, True)) / 2)

    def rates(t: float, y: np.ndarray) -> list[float]:
        return [y[1], (-1 if y[0] > math.sin(t) else 1) + (-1 if y[0] > 2 + math.cos(t) else 1) / 2]

    run = s.simulate(10.0, q=[1.0], inputs={"u": math.sin, "w": lambda t: 2 + math.cos(t)})
    reference = solve_ivp(rates, (0, 10), [1.0, 0.0], rtol=1e-9, atol=1e-11, max_step=1e-3)
    because = "each of some ten switches is stepped over by SciPy in a step of at most 1e-3, shortened by its control"
    assert_close(run.q[-1, 0], reference.y[0, -1], within=1e-6, because=because)
