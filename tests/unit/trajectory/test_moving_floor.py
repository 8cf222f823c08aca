"""A floor that is carried by a bare frame: it moves, and what falls on it meets it."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

import cardan as cd
from cardan.errors import DerivationError
from support.close import assert_close

RISE, GRAVITY, HEIGHT = 0.5, 9.81, 1.0


def lift() -> cd.System:
    """A floor that rises with constant speed under a ball of radius 0.1."""
    s = cd.System("ball over a lift")
    x, z, h = s.coordinates("x z h")
    floor = s.frame("floor", joint=cd.Prismatic("z", h))
    ball = s.body("ball", mass=1.0, inertia=0.01, joint=cd.Planar(z, x, 0, normal="y"))
    s.prescribe(h, RISE * s.time)
    s.gravity(-GRAVITY * s.world.z)
    s.contact(ball, on=floor, shape=cd.Sphere(0.1), restitution=1.0, name="floor_contact")
    return s


def test_a_ball_meets_a_rising_floor_where_both_are() -> None:
    """1 - 0.1 - g t^2/2 = v t; an elastic impact then turns the relative velocity round."""
    run = lift().simulate(0.5, q={"z": HEIGHT})
    impact = next(one for one in run.events if one.kind == "impact")
    moment = (-RISE + sqrt(RISE**2 + 2 * GRAVITY * (HEIGHT - 0.1))) / GRAVITY
    assert_close(impact.t, moment, within=1e-9, because="located to round-off on a parabola")
    after = float(run.at(moment + 1e-6)["z_dot"][0])
    expected = GRAVITY * moment + 2 * RISE
    assert_close(after, expected, within=1e-4, because="a microsecond of gravity after the impact")


def test_what_a_moving_floor_leaves_is_an_open_question() -> None:
    manifold = lift().manifold()
    assert str(manifold).startswith("part of")
    assert "changes with time" in manifold.undecided[0]


def test_sets_that_are_none_of_configurations_are_refused_by_name() -> None:
    s = cd.System("quartic")
    x = s.coordinates("x")
    s.lagrangian(x.dot**4 / 4 + x.dot**2 / 2 - x**2 / 2)
    with pytest.raises(DerivationError, match="depends on x_dot"):
        s.singular_set()


def test_the_motor_of_a_belt_feels_what_lies_on_it():
    """A block is dragged along by friction: the motor pushes with it until the block moves with the belt."""
    s = cd.System("belt")
    x, z, w = s.coordinates("x z w")
    s.prescribe(w, s.time / 2)
    belt = s.body("belt", mass=1.0, inertia=1.0, joint=cd.Prismatic("x", w))
    block = s.particle("block", mass=2.0, position=x * s.world.x + z * s.world.z)
    s.gravity(-9.81 * s.world.z)
    s.contact(block, on=belt, restitution=0, friction=0.2, name="touch")
    run = s.simulate(1.0)
    slides = run.t < 0.5 / (0.2 * 9.81)
    drag = np.where(slides, 0.2 * 2.0 * 9.81, 0.0)
    inside = np.abs(run.t - 0.5 / (0.2 * 9.81)) > 1e-6
    assert_close(run.multipliers["w"][inside], drag[inside], within=1e-9, because="one linear solve")
    assert_close(run.power["w"][inside], drag[inside] / 2, within=1e-9, because="at half a metre per second")
    slip = 0.5 - run["x_dot"]
    assert_close(
        run.power["contact touch"][inside], (-drag * slip)[inside], within=1e-8, because="what friction wastes"
    )
    assert run.audit().power_balance < 1e-9  # rtol 1e-9
