"""Placements compose and invert like homogeneous matrices; power does not depend on the frame."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from cardan.errors import WrongShape
from cardan.geometry import rigid, rotation
from cardan.geometry.rigid import Placement, Twist, Wrench
from support.close import EPS, assert_close

ROUND_OFF = 64 * EPS
BECAUSE = "sums of products of numbers below 3"


def random_placement(rng: np.random.Generator) -> Placement:
    return Placement(rotation.exp(rng.uniform(-1, 1, 3)), tuple(rng.uniform(-1, 1, 3).tolist()))


def homogeneous(X: Placement) -> np.ndarray:
    H = np.eye(4)
    H[:3, :3], H[:3, 3] = X
    return H


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(4)


def test_placements_compose_and_invert_like_homogeneous_matrices(rng: np.random.Generator) -> None:
    X, Y, Z = (random_placement(rng) for _ in range(3))
    product = homogeneous(X) @ homogeneous(Y) @ homogeneous(Z)
    assert_close(homogeneous(rigid.compose(X, Y, Z)), product, within=ROUND_OFF, because=BECAUSE)
    assert_close(homogeneous(rigid.inverse(X)), np.linalg.inv(homogeneous(X)), within=ROUND_OFF, because=BECAUSE)
    assert_close(rigid.apply(X, (1, 2, 3)), (homogeneous(X) @ [1, 2, 3, 1])[:3], within=ROUND_OFF, because=BECAUSE)
    assert rigid.compose() == rigid.IDENTITY


def test_a_placement_may_leave_out_either_part() -> None:
    assert rigid.placement() == rigid.IDENTITY
    assert rigid.placement(p=np.array([1.0, 2.0, 3.0])) == (rigid.IDENTITY.R, (1.0, 2.0, 3.0))
    assert rigid.placement(R=np.eye(3)).p == (0, 0, 0)
    with pytest.raises(WrongShape, match="position must have 3"):
        rigid.placement(p=(1.0, 2.0))


def test_a_spinning_wheel_seen_from_its_rim() -> None:
    """Signs by a picture: w = 2 about z at B's origin, B at x = 3 of A. The body's point at A's origin moves to -y."""
    X_AB = rigid.placement(p=(3.0, 0.0, 0.0))
    in_A = rigid.twist_in_outer(X_AB, Twist((0.0, 0.0, 2.0), (0.0, 0.0, 0.0)))
    assert in_A == Twist((0.0, 0.0, 2.0), (0, -6.0, 0))
    push = rigid.wrench_in_outer(X_AB, Wrench((0.0, 0.0, 0.0), (0.0, 5.0, 0.0)))
    assert push == Wrench((0, 0, 15.0), (0.0, 5.0, 0.0))
    assert rigid.force_at((3.0, 0.0, 0.0), (0.0, 5.0, 0.0)) == push


def test_power_is_the_same_in_every_frame_and_the_maps_undo_each_other(rng: np.random.Generator) -> None:
    X = random_placement(rng)
    twist = Twist(*(tuple(x) for x in rng.uniform(-1, 1, (2, 3)).tolist()))
    wrench = Wrench(*(tuple(x) for x in rng.uniform(-1, 1, (2, 3)).tolist()))
    there, push = rigid.twist_in_outer(X, twist), rigid.wrench_in_outer(X, wrench)
    assert_close(rigid.power(there, push), rigid.power(twist, wrench), within=ROUND_OFF, because=BECAUSE)
    assert_close(rigid.twist_in_inner(X, there), twist, within=ROUND_OFF, because=BECAUSE)
    assert_close(rigid.wrench_in_inner(X, push), wrench, within=ROUND_OFF, because=BECAUSE)
    back = rigid.inverse(X)
    assert_close(rigid.twist_in_inner(X, there), rigid.twist_in_outer(back, there), within=ROUND_OFF, because=BECAUSE)
    assert_close(rigid.wrench_in_inner(X, push), rigid.wrench_in_outer(back, push), within=ROUND_OFF, because=BECAUSE)


def test_the_twist_of_a_moving_frame_is_its_derivative() -> None:
    """v_A of a body-fixed frame B moving in A, read from X_AB(t) by SymPy: every body point has velocity v + w x r."""
    t = sp.Symbol("t")
    X = Placement(rotation.compose(rotation.about("z", t), rotation.about("x", t**2)), (sp.sin(t), t, 0))
    r_B = (sp.Rational(1, 3), sp.Rational(-2, 5), 2)
    position = rigid.apply(X, r_B)
    Rd = tuple(tuple(sp.diff(x, t) for x in row) for row in X.R)
    w_B = rotation.body_angular_velocity(X.R, Rd)
    v_B = sp.Matrix(X.R).T * sp.Matrix([sp.diff(x, t) for x in X.p])
    in_A = rigid.twist_in_outer(X, Twist(w_B, tuple(v_B)))
    velocity = rigid.velocity_at(in_A, position)
    difference = [sp.diff(x, t) - v for x, v in zip(position, velocity, strict=True)]
    assert_close([d.subs(t, 0.7) for d in difference], np.zeros(3), within=ROUND_OFF, because=BECAUSE)


def test_cross_products_keep_power_constant_when_both_are_carried_along(rng: np.random.Generator) -> None:
    """d/dt (twist . wrench) = 0 when a motion carries both: (a x b) . f + b . (a x* f) = 0."""
    a, b = (Twist(*(tuple(x) for x in rng.uniform(-1, 1, (2, 3)).tolist())) for _ in range(2))
    f = Wrench(*(tuple(x) for x in rng.uniform(-1, 1, (2, 3)).tolist()))
    total = rigid.power(rigid.twist_cross(a, b), f) + rigid.power(b, rigid.wrench_cross(a, f))
    assert_close(total, 0.0, within=ROUND_OFF, because=BECAUSE)


def test_moment_about_a_point_on_the_line_of_force_vanishes() -> None:
    wrench = rigid.force_at((0.0, 2.0, 0.0), (3.0, 0.0, 0.0))
    assert wrench.m == (0, 0, -6.0)
    assert rigid.moment_about(wrench, (7.0, 2.0, 0.0)) == (0, 0, 0.0)
