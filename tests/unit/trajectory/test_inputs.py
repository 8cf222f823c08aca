"""Loads and inputs at run time: constants, expressions, open-loop functions and feedback controllers."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from cardan.errors import ModelError, SimulationError, UnknownName, WrongShape
from support.close import EPS, assert_close

SOLVED = {"within": 1e-8, "because": "default rtol 1e-9 over one second of a motion of size one"}


def cart() -> cd.System:
    """A mass of 2 on a line: a named force F and an input u, both along it."""
    s = cd.System("cart")
    x = s.coordinates("x")
    P = s.particle("P", mass=2.0, position=(x, 0, 0))
    s.force("F", on=P, along=s.world.x)
    s.generalized_force(x, s.input("u"))
    return s


@pytest.fixture(scope="module")
def system() -> cd.System:
    return cart()


@pytest.mark.parametrize(
    "give", [{"loads": {"F": 3.0}}, {"inputs": {"u": 3.0}}, {"loads": {"F": 1}, "inputs": {"u": 2}}]
)
def test_constants(system, give):
    run = system.simulate(1.0, q=[0.0], **give)
    assert_close(run["x"], 0.75 * run.t**2, **SOLVED)


def test_numbers_of_sympy_are_constants(system):
    run = system.simulate(1.0, q=[0.0], loads={"F": sp.Rational(3)})
    assert_close(run["x"], 0.75 * run.t**2, **SOLVED)


def test_expressions_of_time_and_state(system):
    x = system.model.q[0]
    run = system.simulate(1.0, q=[1.0], inputs={"u": -8 * x})
    assert_close(run["x"], np.cos(2 * run.t), **SOLVED)
    run = system.simulate(1.0, q=[0.0], loads={"F": 6 * system.time}, inputs={"u": 6 * system.time})
    assert_close(run["x"], run.t**3, **SOLVED)
    F, u = system.model.signals
    assert_close(run.evaluate(F + 2 * u), 18 * run.t, within=64 * EPS, because="a product and a sum")


def test_an_open_loop_function_of_time(system):
    run = system.simulate(1.0, q=[0.0], inputs={"u": lambda t: 12 * t})
    assert_close(run["x"], run.t**3, **SOLVED)
    u = system.model.signals[1]
    assert_close(run.evaluate(u), 12 * run.t, within=16 * EPS, because="the function is called again along the run")


def test_a_feedback_controller_sees_the_state(system):
    seen = []

    def spring_and_damper(t, q, v):
        seen.append((q.shape, v.shape))
        return -10.0 * q[0] - 4.0 * v[0]

    run = system.simulate(1.0, q=[1.0], inputs={"u": spring_and_damper})
    assert set(seen) == {((1,), (1,))}
    decay = np.exp(-run.t) * (np.cos(2 * run.t) + 0.5 * np.sin(2 * run.t))  # 2 xdd + 4 xd + 10 x = 0
    assert_close(run["x"], decay, **SOLVED)


def test_an_exception_in_a_controller_is_the_cause_of_the_error(system):
    trouble = RuntimeError("no signal")

    def controller(t, q, v):
        if t > 0.5:
            raise trouble
        return 2.0

    with pytest.raises(SimulationError, match=r"no signal") as caught:
        system.simulate(1.0, q=[0.0], inputs={"u": controller})
    error = caught.value
    assert error.__cause__ is trouble
    assert error.status == "callback-failed"
    run = error.trajectory
    assert 0.0 < run.t[-1] <= 0.5
    assert error.t == run.t[-1]
    assert_close(run["x"], run.t**2 / 2, **SOLVED)


def test_a_controller_that_returns_nonsense_is_an_error(system):
    with pytest.raises(SimulationError) as caught:
        system.simulate(1.0, q=[0.0], inputs={"u": lambda t: nan})
    assert caught.value.status == "non-finite"
    with pytest.raises(SimulationError) as caught:
        system.simulate(1.0, q=[0.0], inputs={"u": lambda t: "much"})
    assert isinstance(caught.value.__cause__, (TypeError, ValueError))


def test_a_failed_run_can_be_returned_instead(system):
    run = system.simulate(1.0, q=[0.0], inputs={"u": lambda t: nan}, throw=False)
    assert run.status == "non-finite"
    assert run.t.tolist() == [0.0]
    assert "t = 0" in run.message


def test_a_force_with_three_components():
    s = cd.System("free particle")
    x, y, z = s.coordinates("x y z")
    P = s.particle("P", mass=1.0, position=(x, y, z))
    symbols = s.force("F", on=P)
    assert [str(one) for one in symbols] == ["F_x", "F_y", "F_z"]
    run = s.simulate(1.0, q=[0, 0, 0], loads={"F": (2.0, lambda t: 4.0, 6 * s.time)})
    assert_close(run.q[-1], [1.0, 2.0, 1.0], **SOLVED)
    assert_close(s.compile().acceleration([0, 0, 0], loads={"F_y": 5.0}), [0, 5, 0], within=0.0, because="F = m a")
    with pytest.raises(WrongShape, match=r"Load 'F' has 3 components, found 2"):
        s.simulate(1.0, q=[0, 0, 0], loads={"F": (1, 2)})


def test_a_motor_pushes_back_on_what_carries_it():
    """Two discs of inertia 1 and 2 on one axis: the moment on the second acts oppositely on the first."""
    s = cd.System("motor")
    a, b = s.coordinates("a b")
    stator = s.body("stator", inertia=1.0, joint=cd.Revolute("z", a))
    rotor = s.body("rotor", inertia=2.0, joint=cd.Revolute("z", b))
    s.moment("M", on=rotor, along=rotor.z, against=stator)
    found = s.compile().acceleration([0, 0], loads={"M": 4.0})
    assert_close(found, [-4.0, 2.0], within=4 * EPS, because="one division each")


def test_unknown_and_impossible_signals_are_refused(system):
    with pytest.raises(UnknownName, match=r"'w' is no load or input of 'cart'. Known: F, u") as caught:
        system.simulate(1.0, q=[0.0], inputs={"w": 1.0})
    assert caught.value.name == "w"
    with pytest.raises(ModelError, match=r"Signal u is nan; give a finite number"):
        system.simulate(1.0, q=[0.0], inputs={"u": nan})
    with pytest.raises(ModelError, match=r"Signal u: 'much' is not a number"):
        system.simulate(1.0, q=[0.0], inputs={"u": "much"})
    with pytest.raises(UnknownName, match=r"stranger"):
        system.simulate(1.0, q=[0.0], inputs={"u": sp.Symbol("stranger")})
