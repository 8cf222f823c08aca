"""Slider-crank with equal links, up to the position where both links stand and its constraint loses rank."""

from __future__ import annotations

from math import pi, sqrt

import pytest
from sympy import sin

import cardan as cd
from support.close import assert_close
from support.reference import STRICT, keyed_times, reference

FILE = reference("slider_crank_equal_links")
TOLERANCE = float(FILE["tolerance"])
BECAUSE = "the tolerance of the reference"


def links() -> tuple[cd.System, object]:
    s = cd.System("slider-crank")
    a, b = s.coordinates("a b", on="S1")
    m, L, g = s.parameters(m=FILE["parameters"]["m"], L=FILE["parameters"]["L"], g=9.81)
    crank = s.body("crank", mass=m, inertia=m * L**2 / 12, com=(L / 2, 0, 0), joint=cd.Revolute("z", a))
    coupler = s.body(
        "coupler", mass=m, inertia=m * L**2 / 12, com=(L / 2, 0, 0), at=(L, 0, 0), parent=crank,
        joint=cd.Revolute("z", b),
    )  # fmt: skip
    s.gravity(-g * s.world.y)
    return s, coupler


def by_expression() -> cd.System:
    """The end of the coupler stays on y = 0."""
    s, _ = links()
    a, b = s.model.q
    s.constrain(sin(a) + sin(a + b), name="guide")
    return s


def by_massless_slider() -> cd.System:
    """A slider without mass on a prismatic joint, pinned to the coupler."""
    s, coupler = links()
    x = s.coordinates("x")
    slider = s.body("slider", joint=cd.Prismatic("x", x))
    s.connect(slider, coupler.point(1, 0, 0), cd.Ball(), name="pin")
    return s


def by_hinged_slider() -> cd.System:
    """The same with a hinge: its rows along z and across its axis are zero, in a plane, and redundant."""
    s, coupler = links()
    x = s.coordinates("x")
    slider = s.body("slider", joint=cd.Prismatic("x", x))
    s.connect(slider, coupler.point(1, 0, 0), cd.Revolute("z"), name="pin")
    return s


RATE = 4 / sqrt(2)  # x = 2 cos(a), so xd = -2 sin(pi/4) ad = -4


@pytest.mark.parametrize("build", [by_expression, by_massless_slider, by_hinged_slider])
def test_the_regular_part_of_the_motion(build):
    """The crank's angle and rate are given; the rest is found."""
    s = build()
    guess = {"a": pi / 4, "b": -pi / 2}
    run = s.simulate(0.2, q=guess, v={"a": RATE}, times=[0.0, 0.2], **STRICT)
    expected = FILE["reference"]["0.2"]
    assert_close(run["a"][-1], expected["crank_angle"], within=TOLERANCE, because=BECAUSE)
    assert_close(run["b"][-1], -2 * expected["crank_angle"], within=TOLERANCE, because=BECAUSE)
    assert_close(run["a_dot"][-1], expected["crank_rate"], within=TOLERANCE, because=BECAUSE)
    if build is not by_expression:
        assert_close(run["x"][-1], expected["slider_x"], within=TOLERANCE, because=BECAUSE)
        assert_close(run["x_dot"][-1], expected["slider_v"], within=TOLERANCE, because=BECAUSE)
    assert_close(run.energy, FILE["reference"]["energy"], within=TOLERANCE, because=BECAUSE)


@pytest.mark.parametrize("build", [by_expression, by_massless_slider, by_hinged_slider])
def test_the_motion_goes_through_the_position_in_which_both_links_stand(build):
    """Another branch, with the coupler at rest beside the turning crank, begins there and is not taken."""
    expected = keyed_times(FILE["reference"])
    times = sorted(expected)
    run = build().simulate(5.0, q={"a": pi / 4, "b": -pi / 2}, v={"a": RATE}, times=[0.0, *times], **STRICT)
    for k, t in enumerate(times, start=1):
        assert_close(run["a"][k], expected[t]["crank_angle"], within=TOLERANCE, because=BECAUSE)
        assert_close(run["a_dot"][k], expected[t]["crank_rate"], within=TOLERANCE, because=BECAUSE)
        assert_close(run["b"][k], -2 * expected[t]["crank_angle"], within=2 * TOLERANCE, because="twice the crank's")
    first = next(event for event in run.events if event.kind == "rank-change")
    assert_close(first.t, FILE["reference"]["first_singular_crossing_time"], within=TOLERANCE, because=BECAUSE)
    assert_close(run.energy, FILE["reference"]["energy"], within=TOLERANCE, because=BECAUSE)
