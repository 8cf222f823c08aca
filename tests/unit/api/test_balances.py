"""Balances about moving points, work by force, and which forces are conservative."""

from __future__ import annotations

import numpy as np
import sympy as sp

import cardan as cd
from support.close import assert_close


def cart() -> cd.System:
    """A cart with a pendulum; its pivot moves, and is accelerated."""
    s = cd.System("cart")
    x, th = s.coordinates("x th")
    m, M, ell, g = s.parameters(m=0.5, M=2.0, l=0.8, g=9.81)
    wagon = s.body("wagon", mass=M, joint=cd.Prismatic("x", x))
    s.body("rod", mass=m, inertia=m * ell**2 / 12, com=(0, -ell / 2, 0), joint=cd.Revolute("z", th), parent=wagon)
    s.gravity(-g * s.world.y)
    return s


def test_the_balance_holds_about_fixed_points_and_the_centre_of_mass_with_either_definition():
    s = cart()
    for about in (None, s.world.origin, s.world.point(1, 2, 3)):
        for definition in ("A", "B"):
            assert s.balance(about, definition).holds


def test_about_a_moving_pivot_the_defects_are_those_of_the_text():
    """-m (r_G - r_C) x a_C and -v_C x m v_G of the rod alone, typed with its mass, angle and the cart's motion."""
    s = cart()
    pivot, rod = s.bodies["wagon"].origin, s.bodies["rod"]
    x, th = s.model.q
    m, _, ell, _ = s.model.parameters
    a = s.balance(pivot, "A", of=rod)
    b = s.balance(pivot, "B", of=rod)
    expected = {
        "A": -m * ell / 2 * sp.cos(th) * x.ddot,  # r_G - r_C = l/2 (sin, -cos), a_C = (xdd, 0): z of the product
        "B": -x.dot * m * ell / 2 * sp.sin(th) * th.dot,
    }
    assert not a.holds
    assert sp.simplify(a.defect.components(s.world)[2] - expected["A"]) == 0
    assert sp.simplify(b.defect.components(s.world)[2] - expected["B"]) == 0
    run = s.simulate(2.0, q=[0.0, 1.2], v=[0.3, 0.5])
    for one in (a, b):  # rate, moment and defect are formed on three ways
        gap = run.evaluate(one.rate) - run.evaluate(one.moment) - run.evaluate(one.defect)
        assert_close(gap, 0 * gap, within=1e-12, because="round-off")
    weight = -0.5 * 9.81 * 0.4 * np.sin(run["th"])  # about the pivot only the weight has a moment
    assert_close(run.evaluate(a.moment)[:, 2], weight, within=1e-11, because="round-off of accelerations")


def test_work_of_a_damper_is_the_integral_of_its_power():
    """A damped slide, v = v0 exp(-c t / m): W = m (v^2 - v0^2) / 2, at every time."""
    s = cd.System("slide")
    x = s.coordinates("x")
    s.particle("P", mass=2.0, position=x * s.world.x)
    s.damper(x, coefficient=0.7, name="dashpot")
    run = s.simulate(3.0, v=[1.5], times=np.linspace(0, 3, 16))
    expected = (2.0 / 2) * 1.5**2 * (np.exp(-2 * 0.7 * run.t / 2.0) - 1)
    assert_close(run.work["dashpot"], expected, within=1e-8, because="the tolerance of the integrator")
    assert_close(run.work["dashpot"], run.energy - run.energy[0], within=1e-8, because="the same")


def test_forces_are_judged_by_their_cross_derivatives_and_get_potentials():
    s = cd.System("field")
    x, y = s.coordinates("x y")
    k = s.parameters(k=3.0)
    P = s.particle("P", mass=1.0, position=(x, y, 0))
    s.force("central", on=P, law=-k * (x**2 + y**2) * (x * s.world.x + y * s.world.y))
    s.force("swirl", on=P, law=-y * s.world.x + x * s.world.y)
    s.force("magnetic", on=P, law=P.origin.velocity.cross(s.world.z))
    s.force("wind", on=P, along=s.world.x)
    s.strut(s.world.point(0, 0, 1), P, law=lambda length, rate: k * length**3, name="cubic")
    s.damper(x, coefficient=0.1, name="dashpot")
    s.generalized_force(x, sp.sin(y))
    s.generalized_force(y, x * sp.cos(y))
    found = {one.name: one for one in s.conservative_forces()}
    assert {name for name, one in found.items() if one.is_conservative} == {
        "central", "wind", "cubic", "typed generalized forces"
    }  # fmt: skip
    potentials = {
        "central": k * (x**2 + y**2) ** 2 / 4,
        "cubic": k * (x**2 + y**2 + 1) ** 2 / 4,
        "typed generalized forces": -x * sp.sin(y),
    }
    for name, V in potentials.items():
        assert sp.simplify(sp.diff(found[name].potential - V, x)) == 0
        assert sp.simplify(sp.diff(found[name].potential - V, y)) == 0
    assert "constant" in found["wind"].reason
    assert "= -2" in found["swirl"].reason or "= 2" in found["swirl"].reason
    assert "no work" in found["magnetic"].reason
    assert "velocities" in found["dashpot"].reason
    assert "V = " in str(found["cubic"])
