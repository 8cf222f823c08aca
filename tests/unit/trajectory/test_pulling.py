"""Loops in space are assembled from guesses that are far away, or turned the wrong way round."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

import cardan as cd
from support.close import assert_close

D = (0.089159, 0.0, 0.0, 0.10915, 0.09465, 0.0823)  # Universal Robots: DH parameters of the UR5
A = (0.0, -0.425, -0.39225, 0.0, 0.0, 0.0)
ALPHA = (pi / 2, 0.0, 0.0, pi / 2, -pi / 2, 0.0)


def placed(q: np.ndarray) -> np.ndarray:
    """The tool of the arm as the product of six matrices."""
    T = np.eye(4)
    for k, angle in enumerate(q):
        c, s, ca, sa = cos(angle), sin(angle), cos(ALPHA[k]), sin(ALPHA[k])
        rows = [[c, -s * ca, s * sa, A[k] * c], [s, c * ca, -c * sa, A[k] * s], [0, sa, ca, D[k]], [0, 0, 0, 1]]
        T = T @ np.array(rows)
    return T


def held_at(T: np.ndarray) -> cd.System:
    """The arm with its tool welded to a place in the world."""
    s = cd.System("held arm")
    parent, at = s.world, None
    for k in range(6):
        q = s.coordinates(f"q{k + 1}", on="S1")
        parent = s.body(f"link{k + 1}", mass=1.0, inertia=0.1, joint=cd.Revolute("z", q), parent=parent, at=at)
        c, sn = cos(ALPHA[k]), sin(ALPHA[k])
        at = ((A[k], 0, D[k]), ((1, 0, 0), (0, c, -sn), (0, sn, c)))
    tool = s.body("tool", joint=cd.Fixed(), parent=parent, at=at)
    goal = s.frame("goal", at=(tuple(T[:3, 3]), tuple(map(tuple, T[:3, :3]))))
    s.connect(goal, tool, cd.Fixed())
    return s


def test_an_arm_is_brought_to_a_reachable_pose_from_twenty_of_twenty_guesses() -> None:
    rng = np.random.default_rng(4)
    T = placed(rng.uniform(-2, 2, 6))
    s = held_at(T)
    for _ in range(20):
        (found,) = s.assemble(rng.uniform(-pi, pi, 6), seeds=1)  # one guess each
        assert_close(placed(found.q), T, within=1e-8, because="residuals of 1e-9, divided by a small singular value")


def test_a_hinge_that_would_close_upside_down_is_turned_round() -> None:
    """A body on a ball joint is connected to the world by a hinge at the same place: its z must point up, not down."""
    s = cd.System("hinge")
    body = s.body("body", mass=1.0, inertia=(0.1, 0.2, 0.3), joint=cd.Ball(cd.Quaternion("e")))
    s.connect(s.world.origin, body.point(0, 0, 0), cd.Revolute("z"))
    turned = np.array([0.05, 0.998, 0.02, 0.03])  # nearly half a turn about x
    (found, *_) = s.assemble(turned / np.linalg.norm(turned), seeds=1)
    R, _ = s.compile().placement("body", found.q)
    assert_close(R[:, 2], [0, 0, 1], within=1e-8, because="the axes are parallel")
