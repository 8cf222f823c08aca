"""Rods that change their length and planes that rise: what time, or a coordinate, does to a constraint counts."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import sin

import cardan as cd
from support.close import assert_close


def test_a_rod_drawn_in_turns_faster_as_angular_momentum_says():
    """r = 1 - t/4 and r^2 w = 2: the angle is the integral of 2/r^2, which is 8 (1/r - 1)."""
    s = cd.System("rod")
    x, y = s.coordinates("x y")
    s.distance(s.world.origin, s.particle("P", mass=1.0, position=(x, y, 0)), 1 - s.time / 4, name="rod")
    run = s.simulate(2.0, q=[1.0, 0.0], v=[-0.25, 2.0])
    r = 1 - run.t / 4
    angle = 8 * (1 / r - 1)
    assert_close(run.q, np.column_stack([r * np.cos(angle), r * np.sin(angle)]), within=1e-7, because="rtol 1e-9")
    lam = run.multipliers["rod"]
    assert_close(lam, -4 / r**3, within=1e-5, because="the rod pulls with m r w^2 = 4/r^3, no r'' to add")
    assert run.audit().power_balance < 1e-8


def test_a_telescope_moves_with_its_coordinate():
    """The rod is as long as the coordinate l says, on which a spring acts: the same as r in polar coordinates."""
    s = cd.System("telescope")
    x, y, length = s.coordinates("x y l")
    P = s.particle("P", mass=1.0, position=(x, y, 0))
    s.distance(s.world.origin, P, length, name="rod")
    s.generalized_force(length, -9 * (length - 1))
    s.particle("slide", mass=1e-3, position=(0, 0, length))
    run = s.simulate(2.0, q=[1.0, 0.0, 1.0], v=[0.0, 1.0, 0.0])
    assert_close(run["l"], np.hypot(run["x"], run["y"]), within=1e-14, because="kept at every step")
    turning = run["x"] * run.v[:, 1] - run["y"] * run.v[:, 0]
    assert_close(turning, 1.0, within=1e-8, because="the rod has no moment about the origin")
    assert run.audit().energy_drift > 0  # the spring is a force, not a potential
    assert run.audit().power_balance < 1e-8


def test_a_ball_rolls_on_a_rising_plane():
    s = cd.System("lift")
    x, y, z = s.coordinates("x y z")
    ball = s.body("ball", mass=1.0, inertia=0.4 * 0.01, joint=cd.Free(x, y, z, cd.Quaternion("e")))
    height = sin(s.time) / 5
    s.roll(ball, on=cd.Plane(s.world, height=height), shape=cd.Sphere(0.1), name="floor")
    s.gravity(-9.81 * s.world.z)
    run = s.simulate(2.0, q={"x": 0.0, "y": 0.0, "z": 0.1, "e": (1, 0, 0, 0)}, v={"x": 0.5, "z": 0.2, "e": (0, 5.0, 0)})
    assert_close(run["z"], 0.1 + np.sin(run.t) / 5, within=1e-14, because="kept at every step")
    assert_close(run["x"], 0.5 * run.t, within=1e-9, because="no force along x; rtol 1e-9")
    assert_close(
        run.multipliers["floor_contact"], 9.81 - np.sin(run.t) / 5, within=1e-8, because="m (g + z''), one small solve"
    )


@pytest.mark.parametrize("method", ["RATTLE", "energy-momentum"])
def test_steps_on_the_manifold_follow_a_moving_length(method):
    s = cd.System("rod")
    x, y = s.coordinates("x y")
    s.distance(s.world.origin, s.particle("P", mass=1.0, position=(x, y, 0)), 1 - s.time / 4, name="rod")
    run = s.simulate(1.0, q=[1.0, 0.0], v=[-0.25, 2.0], method=method, step=1e-3)
    r = 0.75
    angle = 8 * (1 / r - 1)
    assert_close(run.q[-1], [r * np.cos(angle), r * np.sin(angle)], within=1e-4, because="second order, step 1e-3")
