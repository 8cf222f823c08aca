"""Every call that takes numbers by name refuses a name that nothing carries, and asks whether the nearest was meant."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from typer.testing import CliRunner

import cardan as cd
from cardan.cli.main import app
from cardan.errors import ModelError, UnknownName, WrongShape


def driven_body() -> cd.System:
    """A body on a slider with a load of one magnitude, a load of three, an input and a parameter."""
    s = cd.System("slider")
    x = s.coordinates("place")
    body = s.body("body", mass=s.parameters(mass=2.0), inertia=0.1, joint=cd.Prismatic("x", x))
    s.force("push", on=body, along=s.world.x)
    s.force("wind", on=body)
    s.generalized_force(x, s.input("drive"))
    return s


@pytest.fixture(scope="module")
def slider() -> cd.System:
    return driven_body()


CALLS: dict[str, Callable[[cd.System], object]] = {
    "diagnose, load": lambda s: s.diagnose(loads={"pusch": 1}),
    "diagnose, q": lambda s: s.diagnose(q={"plaec": 1}),
    "diagnose, v": lambda s: s.diagnose(v={"plaec": 1}),
    "simulate, load": lambda s: s.simulate(0.1, loads={"pusch": 1}),
    "simulate, input": lambda s: s.simulate(0.1, inputs={"driev": 1}),
    "simulate, q": lambda s: s.simulate(0.1, q={"plaec": 1}),
    "simulate, v": lambda s: s.simulate(0.1, v={"plaec": 1}),
    "with_values": lambda s: s.with_values(masss=1),
    "singular_set, name": lambda s: s.singular_set("pusch"),
    "singular_set, mapping": lambda s: s.singular_set({"pusch": 1}),
    "inverse_dynamics, load": lambda s: s.inverse_dynamics([0], [0], [0], actuators=["drive"], loads={"pusch": 1}),
    "inverse_dynamics, input": lambda s: s.inverse_dynamics([0], [0], [0], actuators=["push"], inputs={"driev": 1}),
    "inverse_dynamics, actuator": lambda s: s.inverse_dynamics([0], [0], [0], actuators=["driev"]),
    "equations.at": lambda s: s.equations().at([0], loads={"pusch": 1}),
    "kernel.p": lambda s: s.compile().p(loads={"pusch": 1}),
    "kernel.acceleration": lambda s: s.compile().acceleration([0], parameters={"masss": 1}),
    "indicators, load": lambda s: s.simulate(0.1).indicators({"pusch": 1}),
    "indicators, series": lambda s: s.simulate(0.1).indicators()["load pusch"],
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_an_unknown_name_is_refused_and_the_nearest_is_asked_for(
    slider: cd.System, call: Callable[[cd.System], object]
):
    with pytest.raises(UnknownName, match=r"is no .*Did you mean '.*(push|drive|place|mass)'\? Known: ") as caught:
        call(slider)
    assert caught.value.known


@pytest.mark.parametrize("loads", [{"push": "much"}, {"push": float("nan")}, {"wind": [1, float("inf"), 0]}])
def test_a_magnitude_that_is_no_number_is_refused(slider: cd.System, loads: dict[str, object]):
    with pytest.raises(ModelError, match=r"Magnitude of "):
        slider.diagnose(loads=loads)


def test_a_load_of_three_components_needs_three_numbers(slider: cd.System):
    with pytest.raises(WrongShape, match=r"'wind' has 3 components"):
        slider.diagnose(loads={"wind": [1.0, 2.0]})


def test_what_is_known_is_judged(slider: cd.System):
    """Magnitudes by load, by component and of an input are all names of signals."""
    assert list(slider.diagnose(loads={"push": 2}).indicators) == ["basis", "load push", "actuation"]
    assert "load wind" in slider.diagnose(loads={"wind_x": 1}).indicators
    assert slider.diagnose(loads={"drive": 1}).is_regular


def test_the_command_line_refuses_a_load_that_is_not_there():
    result = CliRunner().invoke(app, ["diagnose", "gallery:H12", "--load", "N=1"])
    assert result.exit_code != 0
    assert "'N' is no load or input" in result.output
