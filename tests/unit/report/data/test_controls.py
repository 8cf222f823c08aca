"""The sliders of a run: their ranges hold the value and what the model allows, their steps meet the value."""

from __future__ import annotations

import math

import pytest

import cardan as cd
from cardan.api.viewing import moved
from cardan.report.data.controls import controls
from cardan.viewer.session import Change


def rotor() -> cd.System:
    """A wheel with a motor, on a rail that ends: one coordinate of every kind."""
    s = cd.System("wheel on a rail")
    x = s.coordinates("x", on=(0.0, 2.0))
    phi = s.coordinates("phi", on="S1")
    r = s.coordinates("r", on="R+")
    m, e, o = s.parameters(m=2.0, e=0.5, o=0.0)
    u = s.input("u")
    s.kinetic_energy(m * (x.dot**2 + phi.dot**2 + r.dot**2) / 2)
    s.potential(o * x + m * (r - 1) ** 2)
    s.generalized_force(phi, u)
    s.stop(r - 0.1, restitution=e, name="inner")
    s.stop(m - r, restitution=e, name="outer")
    return s


@pytest.fixture(scope="module")
def sliders() -> dict[str, dict[str, object]]:
    run = rotor().simulate(0.1, q={"x": 0.5, "phi": 7.0, "r": 1.5}, v={"x": 0.25}, inputs={"u": 3.0})
    return {str(one["name"]): one for one in controls(run)}


def test_everything_that_may_be_changed_has_one(sliders: dict[str, dict[str, object]]) -> None:
    groups = {name: one["group"] for name, one in sliders.items()}
    start = dict.fromkeys(["x", "phi", "r", "x_dot", "phi_dot", "r_dot"], "start")
    assert groups == dict.fromkeys(["m", "e", "o"], "parameters") | start | {"u": "inputs"}
    assert [sliders[name]["of"] for name in start] == ["q"] * 3 + ["v"] * 3


def test_values_lie_on_a_step_inside_the_range(sliders: dict[str, dict[str, object]]) -> None:
    for one in sliders.values():
        value, low, high, step = (float(one[key]) for key in ("value", "minimum", "maximum", "step"))  # type: ignore[arg-type]
        assert low <= value <= high
        assert low < high
        steps = (value - low) / step
        assert abs(steps - round(steps)) < 1e-6, one
        assert 200 < (high - low) / step < 1001


def test_ranges_keep_to_what_the_model_allows(sliders: dict[str, dict[str, object]]) -> None:
    def reach(name: str) -> tuple[float, float]:
        return float(sliders[name]["minimum"]), float(sliders[name]["maximum"])  # type: ignore[arg-type]

    assert 0 < reach("x")[0] < reach("x")[1] < 2, "the chart of x is the open interval (0, 2)"
    assert 0.1 <= reach("r")[0] < reach("r")[1] <= 2, "between its stops, at 0.1 and m = 2"
    assert 0 <= reach("e")[0] < reach("e")[1] <= 1, "a restitution"
    assert reach("m")[0] > 0, "a mass"
    assert reach("phi")[1] - reach("phi")[0] <= 2 * math.pi


def test_signals_given_as_functions_have_no_slider() -> None:
    s = rotor()
    run = s.simulate(0.1, q={"x": 0.5, "r": 1.0}, inputs={"u": lambda t: math.sin(t)})
    assert "u" not in [one["name"] for one in controls(run)]


def test_a_tumbling_body_can_be_thrown_otherwise() -> None:
    """An orientation as a quaternion has no slider; its angular velocity has three."""
    s = cd.System("stone")
    s.body("stone", mass=1, inertia=(1, 2, 3), joint=cd.Ball(cd.Quaternion("e")))
    run = s.simulate(0.5, v={"e": [1.0, 0.1, 0.0]})
    assert [(one["name"], one["of"]) for one in controls(run)] == [(f"omega_e_{axis}", "v") for axis in "xyz"]
    again = moved(run, Change(v={"omega_e_z": 2.0}))
    assert again.v[0].tolist() == [1.0, 0.1, 2.0]
