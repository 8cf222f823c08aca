"""Ball joints whose swing is limited: the cone is a stop, and the motion bounces at it."""

from __future__ import annotations

import numpy as np
import pytest

import cardan as cd
from cardan.errors import ModelError
from support.close import assert_close

LIMIT = 0.5
RUN = "the default tolerances of a run, rtol 1e-9 and atol 1e-12"


def stick(**options: object) -> cd.System:
    """A ball without weight on a ball joint, its z axis kept within a cone."""
    s = cd.System("stick")
    s.body("stick", inertia=1, joint=cd.Ball(cd.Quaternion("e"), limit=LIMIT, **options))
    return s


def tilt(run: cd.Run) -> np.ndarray:
    """Angle between the stick and the vertical."""
    return np.arccos(np.clip(run.rotation("stick")[:, 2, 2], -1, 1))


def test_a_stick_bounces_between_the_sides_of_its_cone():
    """Turning about x at 1 rad/s with e = 1: the tilt is the triangle wave of height 0.5 and period 2."""
    run = stick(restitution=1).simulate(2.25, q=[1, 0, 0, 0], v=[1, 0, 0])
    hits = [one.t for one in run.events if one.kind == "impact"]
    assert_close(hits, [0.5, 1.5], within=1e-9, because=RUN)
    assert_close(tilt(run)[-1], 0.25, within=1e-8, because=RUN)
    assert_close(run.v[-1], [1, 0, 0], within=1e-9, because="two elastic impacts")


@pytest.mark.parametrize("restitution", [0.0, 0.4])
def test_the_rate_after_an_impact_is_that_before_times_the_restitution(restitution):
    run = stick(restitution=restitution).simulate(0.75, q=[1, 0, 0, 0], v=[1, 0, 0])
    assert_close(tilt(run)[-1], LIMIT - restitution * 0.25, within=1e-8, because=RUN)


def test_spinning_about_its_axis_is_free():
    """The cone limits where the axis points, not the turn about it: ten radians about z reach no stop."""
    run = stick().simulate(10.0, q=[1, 0, 0, 0], v=[0, 0, 1])
    assert not run.events
    assert_close(tilt(run), 0, within=1e-7, because="the arc cosine near 1 halves the digits")


def test_the_cone_stands_where_the_joint_is_placed():
    """Placed with its z axis along the world's x, it starts in the middle of its cone and hits after 0.5 s."""
    s = cd.System("sideways")
    turned = ((0, 0, 1), (0, 1, 0), (-1, 0, 0))
    s.body("stick", inertia=1, joint=cd.Ball(cd.Quaternion("e"), limit=LIMIT), at=((0, 0, 2), turned))
    run = s.simulate(1.0, q=[1, 0, 0, 0], v=[0, 1, 0])
    assert_close([one.t for one in run.events if one.kind == "impact"], [0.5], within=1e-9, because=RUN)


def test_angles_still_have_a_quaternion_behind_them():
    """Euler angles 3-1-3 start in gimbal lock; the limit is no expression of them, so they stay replaceable."""
    s = cd.System("angles")
    angles = s.coordinates("psi theta phi")
    s.body("stick", inertia=1, joint=cd.Ball(cd.Euler("3-1-3", *angles), limit=LIMIT, restitution=1))
    run = s.simulate(0.75, q=[0.0, 0.1, 0.0], v=[0.0, 1.0, 0.0])
    assert_close([one.t for one in run.events if one.kind == "impact"], [0.4], within=1e-9, because=RUN)
    assert_close(tilt(run)[-1], 0.15, within=1e-8, because=RUN)


def test_a_connection_is_limited_alike():
    """A free body pinned to the world by a limited ball hits when its z axis has swung by 0.5."""
    s = cd.System("pinned")
    x, y, z = s.coordinates("x y z")
    body = s.body("stick", mass=1, inertia=1, joint=cd.Free(x, y, z, cd.Quaternion("e")))
    s.connect(s.world.origin, body.origin, cd.Ball(limit=LIMIT, restitution=1), name="pin")
    run = s.simulate(0.75, q=[0, 0, 0, 1, 0, 0, 0], v=[0, 0, 0, 1, 0, 0])
    assert [one.name for one in s.model.stops] == ["pin_limit"]
    assert_close([one.t for one in run.events if one.kind == "impact"], [0.5], within=1e-9, because=RUN)
    assert_close(run.v[-1], [0, 0, 0, -1, 0, 0], within=1e-9, because="an elastic impact")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"limit": 4.0}, "between 0 and pi"),
        ({"limit": 0.0}, "between 0 and pi.*Revolute"),
        ({"limit": 0.5, "restitution": 2}, "restitution 2"),
        ({"limit": 0.5, "axis": (0, 0, 0)}, "says no direction"),
    ],
)
def test_a_limit_that_cannot_be_is_refused(options, message):
    s = cd.System("refused")
    with pytest.raises(ModelError, match=message):
        s.body("stick", inertia=1, joint=cd.Ball(cd.Quaternion("e"), **options))
    assert not s.model.stops
    assert not s.model.bodies
