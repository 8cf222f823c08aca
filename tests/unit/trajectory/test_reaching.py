"""Inverse kinematics against forward kinematics written down by hand, and why targets are missed."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np
import pytest

import cardan as cd
from cardan.errors import ModelError, UnreachableTarget
from cardan.model.frames import Point
from cardan.model.joint_limits import Limits
from cardan.trajectory.reaching import rotation_vector
from support.close import assert_close

D = (0.089159, 0.0, 0.0, 0.10915, 0.09465, 0.0823)  # Universal Robots: DH parameters of the UR5
A = (0.0, -0.425, -0.39225, 0.0, 0.0, 0.0)
ALPHA = (pi / 2, 0.0, 0.0, pi / 2, -pi / 2, 0.0)


def denavit(k: int, angle: float) -> np.ndarray:
    c, s, ca, sa = cos(angle), sin(angle), cos(ALPHA[k]), sin(ALPHA[k])
    rows = [[c, -s * ca, s * sa, A[k] * c], [s, c * ca, -c * sa, A[k] * s], [0, sa, ca, D[k]], [0, 0, 0, 1]]
    return np.array(rows)


def placed(q: np.ndarray) -> np.ndarray:
    """The tool of the arm as the product of six matrices."""
    T = np.eye(4)
    for k, angle in enumerate(q):
        T = T @ denavit(k, angle)
    return T


@pytest.fixture(scope="module")
def arm() -> cd.System:
    s = cd.System("ur5")
    parent, at = s.world, None
    for k in range(6):
        q = s.coordinates(f"q{k + 1}")
        parent = s.body(f"link{k + 1}", mass=1.0, inertia=0.1, joint=cd.Revolute("z", q), parent=parent, at=at)
        c, sn = cos(ALPHA[k]), sin(ALPHA[k])
        at = ((A[k], 0, D[k]), ((1, 0, 0), (0, c, -sn), (0, sn, c)))
    s.body("tool", joint=cd.Fixed(), parent=parent, at=at)
    return s


def planar() -> tuple[cd.System, Point]:
    """Links of length 1 and 0.7 in the plane."""
    s = cd.System("planar arm")
    a, b = s.coordinates("a b")
    upper = s.body("upper", mass=1.0, inertia=0.1, joint=cd.Revolute("z", a))
    lower = s.body("lower", mass=1.0, inertia=0.1, joint=cd.Revolute("z", b), parent=upper, at=(1, 0, 0))
    return s, lower.point(0.7, 0, 0)


def test_twenty_of_twenty_reachable_poses_are_found(arm: cd.System) -> None:
    rng = np.random.default_rng(4)
    for _ in range(20):
        T = placed(rng.uniform(-pi, pi, 6))
        found = arm.inverse_kinematics("tool", T, rng.uniform(-1, 1, 6))
        assert_close(placed(found.q), T, within=1e-9, because="the error is below 1e-10 in sizes of the arm")


def test_a_target_that_is_near_is_reached_without_going_elsewhere(arm: cd.System) -> None:
    q = np.array([0.3, -1.0, 1.2, -0.9, 0.8, 0.2])
    found = arm.inverse_kinematics("tool", placed(q + 0.01), q)
    assert found.starts == 1
    assert_close(found.q, q + 0.01, within=1e-8, because="the solution nearby, J being far from singular")


def test_a_target_out_of_reach_is_missed_by_the_distance_to_the_circle() -> None:
    """The arm reaches 1.7; a target at 2.0 is 0.3 away, and the arm points at it."""
    s, tip = planar()
    with pytest.raises(UnreachableTarget, match=r"out of reach; 0\.3 m are missing") as caught:
        s.inverse_kinematics(tip, [2.0 * cos(0.5), 2.0 * sin(0.5), 0.0])
    assert_close(caught.value.distance, 0.3, within=1e-6, because="a minimum is flat: the square root of 1e-12")
    assert not s.inverse_kinematics(tip, [2.0, 0.0, 0.0], throw=False).is_reached


def test_limits_that_stand_in_the_way_are_named() -> None:
    """The origin's neighbourhood needs the elbow bent by more than 2."""
    s, tip = planar()
    s.limits = {"b": Limits(-2.0, 2.0)}
    with pytest.raises(UnreachableTarget, match=r"limits of joints stand in the way \(b\)"):
        s.inverse_kinematics(tip, [0.4, 0.0, 0.0])
    assert s.inverse_kinematics(tip, [0.4, 0.0, 0.0], limits=False).is_reached


def test_an_orientation_that_the_arm_has_not_is_told_from_a_place(arm: cd.System) -> None:
    s, _ = planar()
    place = (1.0, 0.7, 0.0)
    tilted = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    s.body("tool", joint=cd.Fixed(), parent=s.bodies["lower"], at=(0.7, 0, 0))
    with pytest.raises(UnreachableTarget, match="not with this orientation"):
        s.inverse_kinematics("tool", (tilted, place))
    with pytest.raises(ModelError, match="rotation matrix"):
        arm.inverse_kinematics("tool", (2 * np.eye(3), place))


def test_the_rotation_vector_near_half_a_turn_and_near_none() -> None:
    """Rodrigues' formula, there and back."""
    rng = np.random.default_rng(2)
    for angle in (0.0, 1e-9, 1e-4, 1.0, 3.0, pi - 1e-4, pi - 1e-8, pi):
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
        R = np.eye(3) + sin(angle) * K + (1 - cos(angle)) * K @ K
        found = rotation_vector(R)
        off = min(np.max(np.abs(found - angle * axis)), np.max(np.abs(found + angle * axis)) if angle > 3.14 else 9.0)
        assert_close(off, 0.0, within=1e-7, because="the axis comes from a square root near half a turn")
