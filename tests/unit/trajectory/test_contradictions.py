"""Constraints that agree at the start and part later; equations, and runs that share their description."""

from __future__ import annotations

import pytest
import sympy as sp

import cardan as cd
from cardan.errors import ModelError, SimulationError, UnknownName
from support.close import assert_close


def particle():
    s = cd.System("particle")
    x, y = s.coordinates("x y")
    s.particle("P", mass=2.0, position=(x, y, 0))
    return s, x, y


def test_constraints_that_part_in_time_end_the_run_there():
    s, x, _ = particle()
    s.constrain(x - sp.sin(s.time), name="sine")
    s.constrain(x - s.time, name="line")
    with pytest.raises(SimulationError, match="contradict each other as time goes on") as caught:
        s.simulate(1.0, v=[1.0, 0.5])
    run = caught.value.trajectory
    assert run.status == "contradiction"
    assert 0 < run.t[-1] < 0.1
    assert_close(run.constraint_error, 0.0, within=1e-6, because="only what was kept")
    assert_close(run.at(run.t[-1] / 2)["y"], 0.25 * run.t[-1], within=1e-12, because="free along y")


def test_constraints_that_say_the_same_twice_are_no_contradiction():
    s, x, _ = particle()
    s.constrain(x - sp.sin(s.time), name="one")
    s.constrain(2 * x - 2 * sp.sin(s.time), name="two")
    assert s.simulate(1.0, v=[1.0, 0.0]).status == "finished"


def test_an_equation_is_a_constraint():
    s, x, y = particle()
    s.constrain(sp.Eq(y, x**2), name="wire")
    assert s.equations().constraint_matrix == sp.Matrix([[-2 * x, 1]])
    with pytest.raises(ModelError, match="not an expression"):
        s.potential(sp.Eq(x, y))
    with pytest.raises(ModelError, match="not an expression"):
        s.constrain(x < y)


def test_unknown_rows_of_the_report_are_named():
    s, x, _ = particle()
    s.constrain_velocity(x.dot - 1, name="drive")
    with pytest.raises(UnknownName, match="drive"):
        s.make_holonomic("nothing", 0)


def test_runs_with_different_expressions_each_have_their_reactions():
    s, x, y = particle()
    u = s.input("u")
    s.generalized_force(x, u)
    s.constrain(y, name="floor")
    first = s.simulate(1.0, inputs={"u": sp.cos(s.time)})
    second = s.simulate(1.0, inputs={"u": 2 * sp.cos(s.time)})
    for run, factor in ((first, 1), (second, 2)):
        assert_close(run.acceleration[0, 0], factor / 2, within=1e-15, because="u / m")
        assert set(run.power) == {"u"}
        assert len(run.reactions["P"].force) == len(run)


def test_a_signal_in_terms_of_itself_is_refused():
    s, x, _ = particle()
    u = s.input("u")
    s.generalized_force(x, u)
    with pytest.raises(ModelError, match="in terms of itself"):
        s.simulate(1.0, inputs={"u": u + 1})
