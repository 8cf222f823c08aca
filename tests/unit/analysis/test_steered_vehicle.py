"""Steady motions of a steered vehicle and of a rolling disc, found without guesses and followed in runs."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import cardan as cd
from support.close import assert_close

BASE, TRAIL, STEER = 1.1, 0.08, 0.25  # wheelbase, trail of the front wheel, where the steering spring is slack


@cache
def vehicle() -> cd.System:
    """A frame and a fork in the plane; neither wheel slips sideways, and a spring holds the steering."""
    s = cd.System("steered vehicle")
    x, y, yaw, delta = s.coordinates("x y yaw delta")
    frame = s.body("frame", mass=12.0, inertia=(1, 1, 1.5), com=(0.5, 0, 0), joint=cd.Planar(x, y, yaw))
    turn = cd.Revolute("z", delta)
    fork = s.body(
        "fork", mass=2.0, inertia=(0.1, 0.1, 0.08), com=(-0.05, 0, 0), parent=frame, at=(BASE, 0, 0), joint=turn
    )
    s.no_slip(on=frame, point=frame.point(0, 0, 0), along=frame.y, name="rear")
    s.no_slip(on=fork, point=fork.point(-TRAIL, 0, 0), along=fork.y, name="front")
    s.potential(4 * (delta - STEER) ** 2)
    return s


@cache
def circles() -> tuple[Any, ...]:
    """The members of all families with a steering angle below a radian."""
    found = vehicle().steady_families(box={"delta": (-1.0, 1.0)}, seeds=16, members=25)
    return tuple(one for family in found for one in family.members if abs(one["x_dot"]) < 12)


def test_every_circle_satisfies_the_equations_and_the_wheels():
    """yaw' (L cos(delta) - c) = v sin(delta) by geometry, and accelerations that turn with the vehicle alone."""
    eq, members = vehicle().equations(), circles()
    assert len(members) > 10
    assert {np.sign(one["x_dot"]) for one in members} >= {-1.0, 1.0}
    for one in members:
        v, w, delta = one["x_dot"], one["yaw_dot"], one["delta"]
        wheels = w * (BASE * np.cos(delta) - TRAIL) - v * np.sin(delta)
        assert_close(wheels, 0.0, within=1e-11 * max(1.0, abs(v)), because="Newton's method ends at rounding")
        turning = [-w * one["y_dot"], w * v, 0.0, 0.0]  # a heading along x
        size = max(1.0, v**2)
        assert_close(
            eq.at(one.q, one.v).acceleration / size,
            np.array(turning) / size,
            within=1e-11,
            because="the same, one solve",
        )


def test_a_trailing_wheel_is_stable_forwards_and_not_backwards():
    """A caster: with its contact behind its axis it follows, and pushed backwards it turns round."""
    fast = [one for one in circles() if abs(one["x_dot"]) > 2]
    for one in fast:
        assert (one.stability.verdict == "unstable") == (one["x_dot"] < 0)


@pytest.mark.long
def test_circles_of_the_vehicle_are_followed_for_a_hundred_seconds():
    members = sorted(circles(), key=lambda one: one["x_dot"])
    for one in members:
        nudged = one.q + np.array([0, 0, 0, 1e-7])
        run = vehicle().simulate(100.0, q=nudged, v={"delta": 0.0, "x": one["x_dot"]}, rtol=1e-11, atol=1e-13)
        off = np.abs(run["delta"] - one["delta"])
        grows = one.stability.verdict == "unstable"
        growth = float(np.max(one.linear.eigenvalues.real))
        if grows and growth * 100 > 20:  # 1e-7 e^20 is beyond everything
            assert off.max() > 1e-2
        elif not grows:
            assert_close(off.max(), 0.0, within=1e-4, because="1e-7 and rtol 1e-11 over 100 s of neutral motion")


@pytest.mark.long
def test_circles_of_the_disc_are_followed_for_a_hundred_seconds():
    from cardan.gallery.ruina.r09_rolling_disc import disc

    s, held, left = disc(), 0, 0
    for family in s.steady_families(hold={"theta": 0.3}, seeds=12, members=12):
        for one in family.members:
            growth = float(np.max(one.linear.eigenvalues.real))
            if one.stability.verdict != "unstable":
                run = s.simulate(100.0, q=one.q, v=one.v, rtol=1e-11, atol=1e-13)
                assert_close(
                    run["theta"], 0.3, within=1e-6, because="rtol 1e-11 at every step of 100 s, neutral motions"
                )
                held += 1
            elif growth * 100 > 20:  # 1e-7 e^20 is beyond everything
                nudged = one.q + 1e-7 * (np.arange(6) == 4)
                assert np.abs(s.simulate(100.0, q=nudged, v=one.v)["theta"] - 0.3).max() > 1e-2
                left += 1
    assert held >= 12
    assert left >= 1
