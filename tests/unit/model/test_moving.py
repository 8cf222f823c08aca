"""Kinematics in words against formulas of textbooks: polar accelerations, Euler rates, the transport theorem."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from sympy import cos, sin

import cardan as cd
from cardan.errors import ModelError
from support.close import assert_close


def arm() -> tuple[cd.System, sp.Symbol, sp.Symbol, cd.Body, cd.Body]:
    """A bead that slides along an arm that turns: polar coordinates."""
    s = cd.System("arm")
    r, th = s.coordinates("r th")
    turning = s.body("arm", inertia=1, joint=cd.Revolute("z", th))
    bead = s.body("bead", mass=2, inertia=(0.1, 0.1, 0.1), joint=cd.Prismatic("x", r), parent=turning)
    return s, r, th, turning, bead


def test_acceleration_in_polar_coordinates() -> None:
    """(r'' - r th'^2, r th'' + 2 r' th', 0)."""
    _, r, th, turning, bead = arm()
    a = bead.origin.acceleration.components(turning)
    expected = [r.ddot - r * th.dot**2, r * th.ddot + 2 * r.dot * th.dot, 0]
    assert sp.simplify(a - sp.Matrix(expected)) == sp.zeros(3, 1)


def test_seen_from_the_arm_the_bead_only_slides() -> None:
    _, r, _, turning, bead = arm()
    assert bead.origin.velocity(relative_to=turning).components(turning) == sp.Matrix([r.dot, 0, 0])
    assert bead.origin.acceleration(relative_to=turning).components(turning) == sp.Matrix([r.ddot, 0, 0])


def test_angular_velocity_of_euler_angles() -> None:
    """3-1-3, body axes: (psi' sin(theta) sin(phi) + theta' cos(phi), ..., psi' cos(theta) + phi')."""
    s = cd.System("top")
    psi, theta, phi = s.coordinates("psi theta phi")
    top = s.body("top", inertia=(1, 1, 2), joint=cd.Ball(cd.Euler("3-1-3", psi, theta, phi)))
    expected = [
        psi.dot * sin(theta) * sin(phi) + theta.dot * cos(phi),
        psi.dot * sin(theta) * cos(phi) - theta.dot * sin(phi),
        psi.dot * cos(theta) + phi.dot,
    ]
    assert sp.simplify(top.omega.components(top) - sp.Matrix(expected)) == sp.zeros(3, 1)
    assert sp.simplify(top.alpha.components(top) - top.omega.rate(top).components(top)) == sp.zeros(3, 1)


def test_the_angular_velocity_of_a_quaternion_is_its_velocity() -> None:
    s = cd.System("ball")
    ball = s.body("ball", mass=1, inertia=(1, 2, 3), joint=cd.Ball(cd.Quaternion("e")))
    assert list(ball.omega.components(ball)) == list(s.model.v)
    w = s.model.v
    tip = ball.point(0, 0, 2).velocity.components(ball)
    assert sp.simplify(tip - sp.Matrix([2 * w[1], -2 * w[0], 0])) == sp.zeros(3, 1)


def test_relative_angular_velocity_is_antisymmetric_and_adds_up() -> None:
    s = cd.System("chain")
    a, b = s.coordinates("a b")
    first = s.body("first", inertia=(1, 1, 1), joint=cd.Revolute("z", a))
    second = s.body("second", inertia=(1, 1, 1), joint=cd.Revolute("x", b), parent=first)
    back = first.omega(relative_to=second).components(second)
    assert back == -second.omega(relative_to=first).components(second)
    assert back == sp.Matrix([-b.dot, 0, 0])


def test_rates_of_a_scalar_product_follow_from_those_of_the_vectors() -> None:
    """d(u . v)/dt = u' . v + u . v' in any frame."""
    s, r, th, turning, _ = arm()
    u, v = r * turning.x + th * s.world.y, sin(th) * s.world.x + r**2 * turning.y
    left = sp.diff(u.dot(v), r) * r.dot + sp.diff(u.dot(v), th) * th.dot
    for frame in (s.world, turning):
        assert sp.simplify(left - u.rate(frame).dot(v) - u.dot(v.rate(frame))) == 0


def test_along_a_run_velocities_and_accelerations_are_those_of_the_motion() -> None:
    """A bead on a free arm: v^2 = r'^2 + r^2 th'^2, and r'' = r th'^2 without a force along the arm."""
    s, _, _, turning, bead = arm()
    run = s.simulate(1.0, q=[0.5, 0.1], v=[0.2, 1.5])
    v = run.velocity(bead.origin)
    speed = np.sqrt(run["r_dot"] ** 2 + run["r"] ** 2 * run["th_dot"] ** 2)
    assert_close(np.linalg.norm(v, axis=1), speed, within=1e-14 * 10, because="the same state, rounding")
    along = run.evaluate(bead.origin.acceleration.dot(turning.x))
    assert_close(along, 0 * along, within=1e-13 * 10, because="no force along the arm, one solve of size 2")
    spin = run.evaluate(turning.omega)
    assert_close(spin[:, 2], run["th_dot"], within=0.0, because="the same number")


def test_points_have_differences_and_only_points() -> None:
    s, r, _, turning, bead = arm()
    assert (bead.point(0, 1, 0) - turning.origin).components(turning) == sp.Matrix([r, 1, 0])
    with pytest.raises(ModelError, match="only points"):
        bead.origin - s.world.x
