"""Parameter values: changing one never compiles again."""

from __future__ import annotations

import math
from math import sin

import pytest
from sympy import cos

import cardan as cd
from cardan.codegen import model_functions
from cardan.errors import ModelError, UnknownName
from cardan.report.data.provenance import model_hash
from support.close import EPS, assert_close


def pendulum() -> cd.System:
    s = cd.System("pendulum")
    a = s.coordinates("a", on="S1")
    m, length, g = s.parameters(m=1.0, length=2.0, g=9.81)
    s.lagrangian(m * length**2 * a.dot**2 / 2 + m * g * length * cos(a))
    return s


def test_new_values_share_the_compiled_functions(monkeypatch):
    s = pendulum()
    first = s.simulate(0.1, q=[0.5])
    energy = first.energy[0]  # asked before: what is compiled when it is first asked for is shared, too
    function = s.compile().function("rhs")

    def refuse(*args, **options):
        raise AssertionError("compiled again")

    monkeypatch.setattr(model_functions, "native_function", refuse)
    other = s.with_values(length=1.0)
    assert other.compile().function("rhs") is function
    run = other.simulate(0.1, q=[0.5])
    assert_close(run.energy[0], -9.81 * math.cos(0.5), within=64 * EPS, because="-m g l cos(a) with l = 1")
    assert energy == pytest.approx(2 * run.energy[0], abs=64 * EPS)


def test_values_reach_the_equations_and_leave_the_original_alone():
    s = pendulum()
    other = s.with_values(length=1.0, g=4.0)
    assert_close(s.compile().acceleration([0.5]), -9.81 / 2 * sin(0.5), within=8 * EPS, because="-g/l sin(a)")
    assert_close(other.compile().acceleration([0.5]), -4.0 * sin(0.5), within=8 * EPS, because="-g/l sin(a)")
    assert_close(other.equations().at([0.5]).acceleration, -4.0 * sin(0.5), within=8 * EPS, because="-g/l sin(a)")
    by_call = s.compile().acceleration([0.5], parameters={"length": 1.0, "g": 4.0})
    assert_close(by_call, -4.0 * sin(0.5), within=8 * EPS, because="-g/l sin(a)")


def test_adding_to_a_system_compiles_again():
    s = pendulum()
    a = s.model.q[0]
    before = s.compile()
    assert s.compile() is before
    s.generalized_force(a, -1)
    assert s.compile() is not before
    assert_close(s.compile().acceleration([0.0]), -0.25, within=4 * EPS, because="Q / (m l^2)")


def test_adding_to_one_system_leaves_its_relatives_alone():
    s = pendulum()
    other = s.with_values(length=1.0)
    other.generalized_force(other.model.q[0], -1)
    assert_close(s.compile().acceleration([0.0]), 0.0, within=0.0, because="no force was added here")
    assert_close(other.compile().acceleration([0.0]), -1.0, within=4 * EPS, because="Q / (m l^2)")


def test_unknown_or_impossible_values_are_refused():
    s = pendulum()
    with pytest.raises(UnknownName, match=r"'mass' is no parameter of 'pendulum'. Known: m, length, g") as caught:
        s.with_values(mass=1.0)
    assert caught.value.name == "mass"
    with pytest.raises(ModelError, match=r"Parameter 'm' is nan; give a finite number"):
        s.with_values(m=float("nan"))
    with pytest.raises(UnknownName, match=r"'mass' is no parameter of 'pendulum'. Known: m, length, g"):
        s.compile().acceleration([0.5], parameters={"mass": 1.0})


@pytest.mark.parametrize("chart", ["auto", "typed"])
def test_the_model_of_a_run_has_the_values_of_the_run(chart: str):
    """After with_values, portraits, the page's sets and the model's hash speak of the system that moved."""

    def top(length: float) -> cd.System:
        s = cd.System("top")
        psi, theta, phi = s.coordinates("psi theta phi")
        el = s.parameters(el=length)
        s.body("top", mass=1, inertia=(1, 1, 2), com=(0, 0, el), joint=cd.Ball(cd.Euler("3-1-3", psi, theta, phi)))
        s.gravity(-9.81 * s.world.z)
        return s

    start = {"q": [0, 1, 0], "v": [0, 0, 5], "chart": chart}
    changed, typed = top(1.0).with_values(el=2.0).simulate(0.1, **start), top(2.0).simulate(0.1, **start)
    assert [*changed.model.values.values()] == [*changed.kernel.model.values.values()] == [2.0]
    assert model_hash(changed) == model_hash(typed)
