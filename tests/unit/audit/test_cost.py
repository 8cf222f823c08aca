"""What the audit saves must not change what it says: neighbours are followed with what was prepared, gaps natively."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sympy import sin

import cardan as cd
from cardan.audit.belief import belief_line
from cardan.audit.unseen import may_hide
from support.close import assert_close


def swinging(swell: float) -> cd.System:
    s = cd.System("particle on a circle")
    x, y = s.coordinates("x y")
    s.particle("P", mass=1, position=x * s.world.x + y * s.world.y)
    s.gravity(-9.81 * s.world.y)
    s.constrain(x**2 + y**2 - (1 + swell * sin(3 * s.time)) ** 2, name="rod")
    return s


def top() -> cd.System:
    s = cd.System("top")
    angles = cd.Euler("3-1-3", *s.coordinates("f th psi", on="S1"))
    s.body("top", mass=1, inertia=(1.0, 1.0, 0.4), com=(0, 0, 1), joint=cd.Ball(angles))
    s.gravity(-9.81 * s.world.z)
    return s


@pytest.mark.parametrize(
    ("make", "options"),
    [
        (lambda: swinging(0.0), {"q": [1.0, 0.0]}),
        (lambda: swinging(0.2), {"q": [1.0, 0.0], "v": [0.6, 0.0]}),
        (top, {"q": [0.0, 0.4, 0.0], "v": [0.0, 0.0, 20.0]}),
    ],
)
def test_a_neighbour_of_a_prepared_entry_tells_the_same_digits_as_a_whole_second_run(make, options):
    run = make().simulate(2.0, **options)
    assert run.beside is not None
    short, whole = belief_line(run), belief_line(replace(run, beside=None))
    assert short is not None
    assert whole is not None
    assert abs(short.value - whole.value) <= 1  # floor of a logarithm, from two different last digits
    assert short.verdict == whole.verdict


def test_the_neighbour_of_a_motion_begins_beside_it():
    run = swinging(0.0).simulate(1.0, q=[1.0, 0.0])
    assert run.beside is not None
    beside = run.beside(run.settings, run.solution.y[0])
    assert_close(beside.q[-1], run.q[-1], within=1e-12, because="the same start and tolerances: rounding")


def test_angles_are_called_defined_without_being_counted():
    """Whether Euler angles have a meaning is read off each state; the continuous reading says the same."""
    run = top().simulate(1.0, q=[0.0, 0.4, 0.0], v=[0.0, 0.0, 20.0])
    np.testing.assert_array_equal(run.is_defined, run.user_states[1])


def test_what_drives_a_motion_in_time_may_hide():
    s = cd.System("pendulum")
    a = s.coordinates("a", on="S1")
    s.body("rod", mass=1, inertia=1 / 12, com=(0.5, 0, 0), joint=cd.Revolute("z", a))
    s.gravity(-9.81 * s.world.y)
    assert not may_hide(s.simulate(0.1, q=[1.0]))
    s.generalized_force(a, sin(3 * s.time))
    assert may_hide(s.simulate(0.1, q=[1.0]))
