"""Momentum and its balance: a thrown rod, two definitions about a moving point, and the action of a motion."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from sympy import cos, sin

import cardan as cd
from cardan.errors import ModelError, UnknownName
from support.close import assert_close


def rod() -> cd.System:
    """A rod thrown in a vertical plane, with a particle that rides on it."""
    s = cd.System("thrown")
    x, y, a, u = s.coordinates("x y a u")
    m, g = s.parameters(m=2.0, g=9.81)
    body = s.body("rod", mass=m, inertia=0.3, joint=cd.Planar(x, y, a))
    s.particle("rider", mass=sp.Rational(1, 2), position=u * body.x, frame=body.frame)
    s.gravity(-g * s.world.y)
    return s


def test_mass_and_centre_of_mass() -> None:
    s = rod()
    x, _, a, u = s.model.q
    m = s["m"]
    assert s.mass == m + sp.Rational(1, 2)
    centre = s.centre_of_mass.components(s.world)
    assert sp.simplify(centre[0] - x - sp.Rational(1, 2) * u * cos(a) / (m + sp.Rational(1, 2))) == 0


def test_momentum_changes_by_the_weight_and_spin_about_the_centre_stays() -> None:
    """p(t) - p(0) = -M g t, H about the centre of mass constant: no moment of the weight about it."""
    s = rod()
    run = s.simulate(0.8, q=[0, 0, 0.3, 0.2], v=[1, 2, 1.5, 0.4], rtol=1e-10, atol=1e-12)
    p = run.evaluate(s.momentum())
    assert_close(p[:, 1] - p[0, 1], -2.5 * 9.81 * run.t, within=1e-7, because="1000 times rtol, numbers of 20")
    H = run.evaluate(s.angular_momentum())[:, 2]
    assert_close(H, H[0], within=1e-8, because="100 times rtol, H of order one")
    about = run.evaluate(s.angular_momentum(s.world.origin))[:, 2]
    centre, force = run.evaluate(s.centre_of_mass), -2.5 * 9.81
    moment = np.concatenate([[0], np.cumsum(np.diff(run.t) * (centre[1:, 0] + centre[:-1, 0]) / 2 * force)])
    step = float(np.max(np.diff(run.t)))
    assert_close(
        about - about[0], moment, within=10 * step**2, because="the trapezoidal rule of the moment, second order"
    )


def test_the_two_definitions_differ_by_the_velocity_of_the_point() -> None:
    """H_A = H_B - (r_G - r_C) x m v_C, and they agree about the centre of mass."""
    s = rod()
    rider = s.particles["rider"].origin
    A, B = s.angular_momentum(rider), s.angular_momentum(rider, definition="B")
    arm = s.centre_of_mass - (rider - s.world.origin)
    gap = B - A - arm.cross(rider.velocity * s.mass)
    assert all(sp.simplify(x) == 0 for x in gap.express(s.world))
    same = s.angular_momentum() - s.angular_momentum(definition="B")
    assert all(sp.simplify(x) == 0 for x in same.express(s.world))


def test_parts_add_up_and_unknown_ones_are_named() -> None:
    s = rod()
    gap = s.momentum() - s.momentum("rod") - s.momentum(["rider"])
    assert all(sp.simplify(x) == 0 for x in gap.express(s.world))
    with pytest.raises(UnknownName, match="rider"):
        s.momentum("ridr")


def test_energies_typed_by_hand_have_no_centre() -> None:
    s = cd.System("typed")
    a = s.coordinates("a")
    s.lagrangian(a.dot**2 / 2)
    with pytest.raises(ModelError, match="no mass"):
        _ = s.centre_of_mass


def test_the_action_is_stationary_on_a_motion_and_not_beside_it() -> None:
    s = cd.System("pendulum")
    a = s.coordinates("a")
    s.lagrangian(a.dot**2 / 2 + 9.81 * cos(a))
    run = s.simulate(1.0, q=[1.0], rtol=1e-10, atol=1e-12)
    assert s.action(run).is_stationary
    pushed = cd.System("pushed")
    b = pushed.coordinates("b")
    pushed.lagrangian(b.dot**2 / 2 + 9.81 * cos(b))
    pushed.generalized_force(b, sin(3 * pushed.time))
    beside = pushed.simulate(1.0, q=[1.0], rtol=1e-10, atol=1e-12)
    found = pushed.action(beside)
    work = np.array([np.trapezoid(np.sin(3 * t) * np.sin((k + 1) * np.pi * t), t) for k in range(4) for t in [GRID]])
    assert not found.is_stationary
    assert_close(found.variations[:, 0], -work, within=1e-6, because="dS = -integral of Q eta; trapezoids of 1e-4 s")


def test_only_variations_that_a_rod_allows_are_tried() -> None:
    s = cd.System("pendulum on a rod")
    x, z = s.coordinates("x z")
    bob = s.particle("bob", mass=1.3, position=s.world.vector(x, 0, z))
    s.distance(s.world.origin, bob, 0.8, name="rod")
    s.gravity(-9.81 * s.world.z)
    found = s.action(s.simulate(0.7, q=[0.48, -0.64], rtol=1e-11, atol=1e-13))
    assert found.is_stationary
    assert found.size > 1.0


GRID = np.linspace(0, 1, 10001)
