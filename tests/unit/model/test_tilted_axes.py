"""Axes given by parameters: a tilted hinge moves as the same hinge with numbers, and as its closed form says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp
from tests.support.close import assert_close

import cardan as cd
from cardan.errors import FrameMismatch, ModelError

TILT, ROLL = 0.4, -0.7
MASS: dict[str, Any] = {"mass": 1.3, "inertia": (0.2, 0.3, 0.45), "com": (0.1, -0.2, 0.3)}
AXIS = np.array([np.sin(TILT) * np.cos(ROLL), np.sin(TILT) * np.sin(ROLL), np.cos(TILT)])

JOINTS: dict[str, Any] = {
    "revolute": lambda axis, q: cd.Revolute(axis, q[0]),
    "prismatic": lambda axis, q: cd.Prismatic(axis, q[0]),
    "cylindrical": lambda axis, q: cd.Cylindrical(axis, q[0], q[1]),
    "screw": lambda axis, q: cd.Screw(axis, q[0], pitch=0.3),
    "universal": lambda axis, q: cd.Universal(axis, q[0], "y", q[1]),
}


def hinged(kind: str, axis: Any) -> cd.System:
    s = cd.System(kind)
    count = 2 if kind in ("cylindrical", "universal") else 1
    q = s.coordinates(f"q0:{count}")
    if callable(axis):
        axis = axis(*s.parameters(tilt=TILT, roll=ROLL))
    s.body("B", **MASS, joint=JOINTS[kind](axis, q))
    s.gravity(s.world.vector(1.0, 2.0, -9.0))
    return s


@pytest.mark.parametrize("kind", JOINTS)
def test_an_axis_of_parameters_is_the_axis_of_their_values(kind: str) -> None:
    tilted = hinged(kind, lambda a, b: (sp.sin(a) * sp.cos(b), sp.sin(a) * sp.sin(b), sp.cos(a)))
    plain = hinged(kind, tuple(AXIS))
    one, other = tilted.compile(), plain.compile()
    rng = np.random.default_rng(3)
    for _ in range(3):
        q, v = rng.uniform(-1, 1, one.nq), rng.uniform(-1, 1, one.nv)
        found, expected = one.acceleration(q, v), other.acceleration(q, v)
        assert_close(found, expected, within=1e-12 * np.max(np.abs(expected)), because="the same numbers, rounded once")
    there = plain.equations().at(q, v).reactions["B"]
    here = tilted.equations().at(q, v).reactions["B"]
    assert_close(here.force, there.force, within=1e-11, because="forces of order ten")
    assert len(tilted.simulate(0.1, q=list(q), v=list(v))) > 1


def test_a_physical_pendulum_on_a_tilted_hinge_has_its_period() -> None:
    """Small swings: omega^2 = m g l cos(tilt) / I with the axis tilted from the horizontal; tilt changed afterwards."""
    s = cd.System("gate")
    a = s.coordinates("a")
    tilt = s.parameters(tilt=0.3)
    s.body("gate", mass=2.0, inertia=0.0, com=(1.5, 0, 0), joint=cd.Revolute((0, sp.cos(tilt), sp.sin(tilt)), a))
    s.gravity(9.81 * s.world.x)
    for value in (0.3, 1.2):
        found = s.with_values(tilt=value).compile().acceleration([1e-7])[0]
        assert_close(found / 1e-7, -9.81 / 1.5, within=1e-6, because="the axis is across gravity: no tilt enters here")
    s2 = cd.System("gate")
    a = s2.coordinates("a")
    tilt = s2.parameters(tilt=0.3)
    axis = (sp.sin(tilt), sp.cos(tilt), 0)
    s2.body("gate", mass=2.0, inertia=0.0, com=(1.5 * sp.cos(tilt), -1.5 * sp.sin(tilt), 0), joint=cd.Revolute(axis, a))
    s2.gravity(9.81 * s2.world.x)
    for value in (0.3, 1.2):
        found = s2.with_values(tilt=value).compile().acceleration([1e-7])[0]
        expected = -9.81 * np.cos(value) / 1.5
        assert_close(found / 1e-7, expected, within=1e-6, because="sin of 1e-7 and rounding of a difference")


def test_axes_of_any_length_turn_as_those_of_length_one() -> None:
    """A body of moments (1, 2, 3) about n: the inertia is n.J n with n = (a, 0, b) / |(a, 0, b)|."""
    for a, b in ((0.3, 2.0), (1.0, 1.0), (-0.4, 0.1)):
        s = cd.System("any length")
        q = s.coordinates("q")
        p, r = s.parameters(p=1.0, r=1.0)
        s.body("B", mass=1.0, inertia=(1, 2, 3), joint=cd.Revolute((p, 0, r), q))
        expected = (a**2 + 3 * b**2) / (a**2 + b**2)
        assert_close(s.with_values(p=a, r=b).equations().at([0.3]).M[0, 0], expected, within=1e-13, because="round-off")
        s = cd.System("numbers")
        s.body("B", mass=1.0, inertia=(1, 2, 3), joint=cd.Revolute((a, 0, b), s.coordinates("q")))
        assert_close(s.equations().at([0.3]).M[0, 0], expected, within=1e-13, because="round-off")


def test_axes_that_move_are_refused() -> None:
    s = cd.System("moving axis")
    q = s.coordinates("q")
    with pytest.raises(ModelError, match="axis"):
        s.body("B", **MASS, joint=cd.Revolute((sp.sin(q), 0, sp.cos(q)), q))


def test_a_loop_is_not_closed_by_an_axis_of_parameters() -> None:
    s = cd.System("loop")
    x, y, z = s.coordinates("x y z")
    tilt = s.parameters(tilt=0.3)
    body = s.body("B", **MASS, joint=cd.Free(x, y, z, cd.Quaternion("e")))
    with pytest.raises(ModelError, match="tilted"):
        s.connect(s.world.origin, body, cd.Revolute((sp.sin(tilt), 0, sp.cos(tilt))))


def test_the_jacobian_of_a_point_is_asked_of_frames_bodies_particles_and_points() -> None:
    s = cd.System("arm")
    a = s.coordinates("a")
    arm = s.body("arm", mass=1.0, joint=cd.Revolute("z", a))
    bob = s.particle("bob", mass=1.0, position=2 * arm.x)
    k = s.compile()
    expected = {1: (-2 * np.sin(0.3), 2 * np.cos(0.3), 0)}[1]
    for point in (k.point_jacobian(arm, (2, 0, 0)), k.point_jacobian(arm.frame, (2, 0, 0)), k.point_jacobian(bob),
                  k.point_jacobian(arm.point(2, 0, 0))):  # fmt: skip
        assert_close(point(0.0, [0.3, 0.0], k.p()), expected, within=1e-15, because="one product each")
    other = cd.System("other")
    stranger = other.body("stranger", mass=1.0, joint=cd.Revolute("z", other.coordinates("b")))
    with pytest.raises(FrameMismatch, match="stranger"):
        k.point_jacobian(stranger)
    with pytest.raises(ModelError, match="neither a frame nor a body"):
        k.point_jacobian("arm")
