"""Coordinates eliminated by constraints that give them, against the same motion kept by multipliers."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from cardan.errors import ModelError
from support.close import assert_close


def bead_on_a_parabola() -> cd.System:
    s = cd.System("bead on a parabola")
    x, y = s.coordinates("x y")
    k, m = s.parameters(k=0.7, m=1.3)
    s.particle("P", mass=m, position=x * s.world.x + y * s.world.y)
    s.gravity(-9.81 * s.world.y)
    s.generalized_force(y, -0.3 * y.dot)
    s.constrain(y - k * x**2, name="wire")
    return s


def test_the_minimal_form_has_one_equation_in_one_coordinate():
    """y = k x^2: T = m (1 + 4 k^2 x^2) xd^2 / 2, V = m g k x^2, and Q_x = Q_y dy/dx."""
    eq = bead_on_a_parabola().equations(form="minimal")
    (x,) = eq.model.q
    m, k = (sp.Symbol(name, real=True) for name in ("m", "k"))
    assert sp.simplify(eq.mass_matrix[0, 0] - m * (1 + 4 * k**2 * x**2)) == 0
    assert sp.simplify(eq.velocity_terms[0] - 4 * m * k**2 * x * x.dot**2) == 0
    assert sp.simplify(eq.potential_terms[0] - 2 * sp.Float(9.81) * m * k * x) == 0
    assert sp.simplify(eq.generalized_forces["x"] + sp.Rational(3, 10) * (2 * k * x) ** 2 * x.dot) == 0


def test_eliminated_and_constrained_systems_move_alike():
    kept, free = bead_on_a_parabola(), bead_on_a_parabola()
    assert free.constraints["wire"].solved is not None
    free.eliminate("wire")
    assert [one.name for one in free.model.free] == ["x"]
    times = np.linspace(0.0, 3.0, 31)
    one = kept.simulate(3.0, q=[1.0, 0.7], rtol=1e-11, times=times)
    other = free.simulate(3.0, q=[1.0], rtol=1e-11, times=times)
    assert_close(other["x"], one["x"], within=1e-9, because="two runs at rtol 1e-11 over a few swings")


def test_a_joint_takes_the_expression_of_an_eliminated_angle():
    """Two wheels geared by b = -2 a: M = J1 + 4 J2, by hand."""
    s = cd.System("gears")
    a, b = s.coordinates("a b", on="S1")
    s.body("first", inertia=0.3, joint=cd.Revolute("z", a))
    s.body("second", inertia=0.2, joint=cd.Revolute("z", b))
    s.constrain(b + 2 * a, name="gear")
    s.eliminate("gear")
    assert len(s.model.q) == 1
    weight = 0.3 + 4 * 0.2 if str(s.model.q[0]) == "a" else 0.3 / 4 + 0.2
    assert_close(s.compile().mass_matrix([0.4]), [[weight]], within=1e-15, because="three products")


def test_a_constraint_that_gives_no_coordinate_is_kept():
    s = cd.System("circle")
    x, y = s.coordinates("x y")
    s.kinetic_energy((x.dot**2 + y.dot**2) / 2)
    s.constrain(x**2 + y**2 - 1, name="circle")
    with pytest.raises(ModelError, match="gives no coordinate uniquely"):
        s.eliminate("circle")
