"""States at requested times of runs that guards watch over: forwards, backwards, and across impacts."""

from __future__ import annotations

import numpy as np
import pytest

import cardan as cd
from support.close import assert_close


def pendulum() -> cd.System:
    s = cd.System("pendulum")
    x, y = s.coordinates("x y")
    s.distance(s.world.origin, s.particle("P", mass=1.0, position=(x, y, 0)), 1.0, name="rod")
    s.gravity(-9.81 * s.world.y)
    return s


@pytest.mark.parametrize("duration", [2.0, -2.0])
def test_requested_times_agree_with_the_same_run_read_off_between_its_steps(duration):
    times = np.linspace(0.0, duration, 23)
    start = {"q": [0.8, -0.6], "v": [0.6, 0.8]}
    asked = pendulum().simulate(duration, **start, times=times)
    whole = pendulum().simulate(duration, **start)
    assert_close(asked.t, times, within=0.0, because="as asked")
    expected = whole.at(times).q
    assert_close(asked.q, expected, within=1e-13, because="the same steps, interpolated and projected alike")


def test_a_time_at_an_impact_shows_the_state_before_it():
    """A ball dropped from g/2 lands at t = 1 and comes back to where it was at t = 2."""
    s = cd.System("ball")
    z = s.coordinate("z", on="R+")
    s.particle("ball", mass=1.0, position=(0, 0, z))
    s.gravity(-2.0 * s.world.z)
    s.stop(z, name="floor", restitution=1.0)
    times = np.array([0.0, 0.5, 1.0, 1.5, 2.0])
    run = s.simulate(2.0, q=[1.0], times=times)
    assert_close(run.t, times, within=0.0, because="as asked")
    assert_close(run.q[:, 0], [1.0, 0.75, 0.0, 0.75, 1.0], within=1e-12, because="a parabola, which DOP853 has exactly")
    assert_close(run.v[[1, 3], 0], [-1.0, 1.0], within=1e-12, because="before and after the impact")
