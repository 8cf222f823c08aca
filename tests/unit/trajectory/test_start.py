"""The start of a run: sequences, mappings, and what is refused."""

from __future__ import annotations

import math

import pytest
import sympy as sp

import cardan as cd
from cardan.errors import ModelError, SimulationError, StartError, UnknownName, WrongShape
from support.close import EPS, assert_close


@pytest.fixture(scope="module")
def oscillator() -> cd.System:
    s = cd.System("oscillator")
    x = s.coordinates("x")
    m, k = s.parameters(m=1.0, k=4.0)
    s.kinetic_energy(m * x.dot**2 / 2)
    s.potential(k * x**2 / 2)
    return s


@pytest.fixture(scope="module")
def ball() -> cd.System:
    s = cd.System("ball")
    s.body("B", inertia=1.0, joint=cd.Ball(cd.Quaternion("e")))
    return s


@pytest.mark.parametrize("q", [[0.5], (0.5,), {"x": 0.5}])
@pytest.mark.parametrize("v", [[0.25], {"x": 0.25}, {"x_dot": 0.25}])
def test_sequences_and_mappings_say_the_same(oscillator, q, v):
    run = oscillator.simulate(0.1, q=q, v=v)
    assert (run.q[0, 0], run.v[0, 0]) == (0.5, 0.25)


def test_symbols_name_coordinates_and_what_is_left_out_is_zero(oscillator):
    run = oscillator.simulate(0.1, q={oscillator.model.q[0]: 0.5})
    assert (run.q[0, 0], run.v[0, 0]) == (0.5, 0.0)


def test_a_quaternion_starts_at_the_identity_and_is_normalised(ball):
    assert ball.simulate(0.0, v={"e": (1, 0, 0)}).q[0].tolist() == [1, 0, 0, 0]
    typed = ball.simulate(0.0, q={"e": (0.7071068, 0.7071068, 0, 0)}).q[0]
    assert_close(typed @ typed, 1.0, within=4 * EPS, because="normalised")


def test_a_quaternion_that_is_no_rotation_is_refused(ball):
    with pytest.raises(StartError, match=r"quaternion 'e' starts with length 2, expected 1") as caught:
        ball.simulate(1.0, q=[2, 0, 0, 0])
    assert caught.value.length == 2.0


def test_a_start_of_the_wrong_size_is_refused(oscillator, ball):
    with pytest.raises(WrongShape, match=r"q has 2 numbers, expected 1: x"):
        oscillator.simulate(1.0, q=[1, 2])
    with pytest.raises(WrongShape, match=r"'e' needs 4 numbers at the start, found 3"):
        ball.simulate(1.0, q={"e": (1, 0, 0)})


def test_a_start_that_is_not_finite_is_refused(oscillator):
    with pytest.raises(StartError, match=r"x_dot = nan; give a finite number") as caught:
        oscillator.simulate(1.0, q=[1.0], v=[math.nan])
    assert caught.value.name == "x_dot"


@pytest.mark.parametrize("q", [["one"], {"x": "one"}, {"x": None}])
def test_a_start_that_is_no_number_is_refused(oscillator, q):
    with pytest.raises(StartError, match=r"no number.*Give numbers"):
        oscillator.simulate(1.0, q=q)


def test_an_unknown_name_at_the_start_is_refused(oscillator):
    with pytest.raises(UnknownName, match=r"y.*[uU]nknown.*x|y.*no.*x"):
        oscillator.simulate(1.0, q={"y": 1.0})


def test_durations_tolerances_methods_and_times_are_checked(oscillator):
    with pytest.raises(ModelError, match=r"Duration is nan; give a finite number"):
        oscillator.simulate(math.nan, q=[1.0])
    with pytest.raises(SimulationError, match=r"rtol must be positive, not -1"):
        oscillator.simulate(1.0, q=[1.0], rtol=-1)
    with pytest.raises(SimulationError, match=r"no method 'Euler'. Choose one of auto, DOP853"):
        oscillator.simulate(1.0, q=[1.0], method="Euler")
    with pytest.raises(SimulationError, match=r"times must be ordered and lie between"):
        oscillator.simulate(1.0, q=[1.0], times=[0.0, 2.0])


def test_events_are_checked(oscillator):
    x = oscillator.model.q[0]
    with pytest.raises(ModelError, match=r"direction is -1, 0 or \+1, found 2") as caught:
        cd.Event(x, direction=2)
    assert caught.value.direction == 2
    with pytest.raises(UnknownName, match=r"stranger.*Known symbols: .*x"):
        oscillator.simulate(1.0, q=[1.0], events=[cd.Event(sp.Symbol("stranger"))])
    with pytest.raises(ModelError, match=r"no event. Use cd.Event"):
        oscillator.simulate(1.0, q=[1.0], events=[x])


def test_a_system_of_energies_alone_has_no_places_to_refuse():
    s = cd.System("two numbers")
    x, y = s.coordinates("x y")
    s.kinetic_energy((x.dot**2 + y.dot**2) / 2)
    s.constrain(x + y, name="sum")
    assert s.diagnose(q=[0.0, 0.0]).velocity_dof == 1
    assert s.simulate(0.1, q=[0.0, 0.0]).status == "finished"
