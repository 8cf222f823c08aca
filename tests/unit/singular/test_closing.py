"""Loops closed in native code, from guesses that are far off."""

from __future__ import annotations

import numpy as np
import pytest

import cardan as cd
from support.close import assert_close


def four_bar(ground: float) -> cd.System:
    """Crank 0.4, coupler 0.9, rocker 0.8."""
    s = cd.System("four-bar")
    a, b, c = s.coordinates("a b c", on="S1")
    crank = s.body("crank", mass=1, inertia=0.1, com=(0.2, 0, 0), joint=cd.Revolute("z", a))
    coupler = s.body("coupler", mass=1, inertia=0.1, parent=crank, at=(0.4, 0, 0), joint=cd.Revolute("z", b))
    rocker = s.body("rocker", mass=1, inertia=0.1, at=(ground, 0, 0), joint=cd.Revolute("z", c))
    s.connect(coupler.point(0.9, 0, 0), rocker.point(0.8, 0, 0), cd.Ball(), name="pin")
    return s


def sledge() -> cd.System:
    """A blade that does not slip sideways, its point on a circle."""
    s = cd.System("sledge")
    x, y, a = s.coordinates("x y a")
    s.body("blade", mass=1, inertia=0.1, joint=cd.Planar(x, y, a))
    s.constrain(x**2 + y**2 - 4, name="circle")
    s.constrain_velocity(x.dot - y.dot, name="skate")
    return s


def pins(q: np.ndarray, ground: float) -> np.ndarray:
    """How far the pin is open, by hand."""
    a, b, c = q
    coupler = 0.4 * np.array([np.cos(a), np.sin(a)]) + 0.9 * np.array([np.cos(a + b), np.sin(a + b)])
    return coupler - np.array([ground, 0]) - 0.8 * np.array([np.cos(c), np.sin(c)])


def closed(kernel, q) -> np.ndarray | None:
    """The configuration reached from a guess without a step, with sizes of one radian and one metre."""
    n = kernel.nv
    cloud = kernel.numbers(kernel.p()).cloud(0.0, np.concatenate([q, np.zeros(n)]), np.zeros((1, n)), np.ones(n))
    return cloud.places[0, : kernel.nq] if cloud.found[0] else None


@pytest.mark.parametrize("seed", range(20))
def test_a_four_bar_closes_from_a_random_guess(seed):
    guess = np.random.default_rng(seed).uniform(-np.pi, np.pi, 3)
    kernel = four_bar(1.0).compile()
    q = closed(kernel, guess)
    assert_close(pins(q, 1.0), 0.0, within=1e-11, because="closed to 1e-12 of the rows, a few metres per radian")


def test_bars_that_are_too_short_do_not_close():
    kernel = four_bar(3.0).compile()
    assert closed(kernel, np.array([0.3, 0.2, 2.8])) is None


def test_velocity_constraints_do_not_say_where_to_go():
    """The shortest way to the circle is along the radius, whatever the blade would allow."""
    kernel = sledge().compile()
    q = closed(kernel, np.array([1.0, 2.0, 0.0]))
    assert_close(q, np.array([2, 4, 0]) / np.sqrt(5), within=1e-11, because="closed to 1e-12")
