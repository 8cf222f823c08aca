"""Terms of the equations on mechanisms small enough to do by hand."""

from __future__ import annotations

from math import cos, sin
from time import process_time

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from cardan.equations.tidy import tidy
from cardan.errors import ModelError, UnknownName, WrongShape
from support.close import EPS, assert_close

FEW = {"within": 32 * EPS, "because": "a handful of operations on numbers of order ten"}


def hoop() -> tuple[cd.System, list]:
    """A bead of mass m on a hoop of radius r that is turned about the vertical by a(t) = w t."""
    s = cd.System("hoop")
    a, b = s.coordinates("a b")
    m, r, g, w = s.parameters(m=2.0, r=0.5, g=9.81, w=3.0)
    s.particle("bead", mass=m, coordinates=cd.PolarSpherical(r, b, a))
    s.gravity(-g * s.world.z)
    s.prescribe(a, w * s.time)
    return s, [a, b, m, r, g, w]


def test_kinetic_energy_splits_by_powers_of_the_velocity():
    s, (_, b, m, r, _, w) = hoop()
    T2, T1, T0 = s.equations().kinetic_energy_split
    assert sp.simplify(T2 - m * r**2 * b.dot**2 / 2) == 0
    assert T1 == 0
    assert sp.simplify(T0 - m * r**2 * w**2 * sp.sin(b) ** 2 / 2) == 0


def test_a_moving_support_gives_a_linear_part():
    s = cd.System("belt")
    x = s.coordinates("x")
    m, u = s.parameters(m=2.0, u=3.0)
    s.particle("P", mass=m, position=(x + u * s.time, 0, 0))
    T2, T1, T0 = s.equations().kinetic_energy_split
    assert sp.expand(T2 - m * x.dot**2 / 2) == 0
    assert sp.expand(T1 - m * u * x.dot) == 0
    assert sp.expand(T0 - m * u**2 / 2) == 0


def test_terms_of_the_driven_hoop():
    s, _ = hoop()
    at = s.equations().at([0.4], [1.5], t=0.2)
    m, r, g, w = 2.0, 0.5, 9.81, 3.0
    assert_close(at.M, [[m * r**2]], **FEW)
    assert_close(at.f, -m * r**2 * w**2 * sin(0.4) * cos(0.4), **FEW)
    assert_close(at.g, -m * g * r * sin(0.4), **FEW)
    assert_close(at.acceleration, w**2 * sin(0.4) * cos(0.4) + g / r * sin(0.4), **FEW)


def test_the_multiplier_is_the_moment_that_drives_the_hoop():
    """d/dt (m r^2 sin^2(b) w) = 2 m r^2 w sin(b) cos(b) b_dot."""
    s, (_, b, m, r, _, w) = hoop()
    eq = s.equations()
    found = eq.at([0.4], [1.5]).multipliers
    assert_close(found["a"], 2 * 2.0 * 0.25 * 3.0 * sin(0.4) * cos(0.4) * 1.5, **FEW)
    assert sp.simplify(eq.multipliers["a"] - m * r**2 * w * sp.sin(2 * b) * b.dot) == 0


def test_multipliers_are_named_by_their_coordinate_in_whatever_order_motions_are_prescribed():
    """Masses 1, 2 and 3 on three axes, accelerated by 2, 4 and 6."""
    s = cd.System("pushed")
    x, y, z = s.coordinates("x y z")
    for name, mass, place in (("A", 1.0, (x, 0, 0)), ("B", 2.0, (0, y, 0)), ("C", 3.0, (0, 0, z))):
        s.particle(name, mass=mass, position=place)
    for coordinate, k in ((z, 3), (x, 1), (y, 2)):
        s.prescribe(coordinate, k * s.time**2)
    found = s.equations().at([], []).multipliers
    assert found == {"x": 2.0, "y": 8.0, "z": 18.0}


def test_christoffel_symbols_and_coriolis_matrix_of_polar_coordinates():
    """M = diag(1, r^2): Gamma_r,tt = -r, Gamma_t,rt = r (Choset 10.9)."""
    s = cd.System("polar")
    r, th = s.coordinates("r th")
    s.particle("P", mass=1, coordinates=cd.PolarCylindrical(r, th))
    eq = s.equations()
    gamma = eq.christoffel
    expected = {(0, 1, 1): -r, (1, 0, 1): r, (1, 1, 0): r}
    for i in range(2):
        for j in range(2):
            for k in range(2):
                assert sp.simplify(gamma[i, j, k] - expected.get((i, j, k), 0)) == 0, (i, j, k)
    C = sp.Matrix([[0, -r * th.dot], [r * th.dot, r * r.dot]])
    assert sp.simplify(eq.coriolis_matrix - C) == sp.zeros(2, 2)
    assert_close(eq.at([2.0, 0.1], [0.5, 3.0]).C, [[0, -6.0], [6.0, 1.0]], **FEW)
    assert sp.simplify(eq.velocity_terms - sp.Matrix([-r * th.dot**2, 2 * r * r.dot * th.dot])) == sp.zeros(2, 1)


def test_a_lagrangian_and_its_energies_typed_apart_give_the_same_terms():
    whole, parts = cd.System("whole"), cd.System("parts")
    for s in (whole, parts):
        a, b = s.coordinates("a b")
        T, V = a.dot**2 + sp.cos(a - b) * a.dot * b.dot + b.dot**2 / 2, -3 * sp.cos(a) + a * b
        if s is whole:
            s.lagrangian(T - V)
        else:
            s.kinetic_energy(T)
            s.potential(V)
    q, v = [0.3, -0.8], [1.0, 2.0]
    one, other = whole.equations().at(q, v), parts.equations().at(q, v)
    for name in ("M", "f", "g", "Q", "acceleration"):
        assert_close(getattr(one, name), getattr(other, name), **FEW)


def test_springs_and_dampers_on_coordinates_and_between_points():
    s = cd.System("spring")
    x = s.coordinates("x")
    P = s.particle("P", mass=1.0, position=(x, 3.0, 0))
    s.spring(x, stiffness=2.0, length=0.5)
    s.damper(x, coefficient=0.7)
    s.spring(P, s.world.origin, stiffness=4.0, length=1.0)
    s.damper(P, s.world.origin, coefficient=1.1)
    at = s.equations().at([4.0], [2.0])  # the distance from the origin is 5, its rate 2 * 4/5
    assert_close(at.g, 2.0 * 3.5 + 4.0 * (5 - 1) * 4 / 5, **FEW)
    assert_close(at.Q, -0.7 * 2.0 - 1.1 * (2.0 * 4 / 5) * 4 / 5, **FEW)
    assert_close(at.energy["V"], 2.0 * 3.5**2 / 2 + 4.0 * 16 / 2, **FEW)


def test_generalized_forces_of_loads():
    """A force along the world's y on the tip of an arm of length 2, and a moment about its hinge."""
    s = cd.System("arm")
    a = s.coordinates("a")
    arm = s.body("arm", mass=1.0, inertia=1.0, joint=cd.Revolute("z", a))
    F = s.force("F", on=arm.point(2, 0, 0), along=s.world.y)
    M = s.moment("M", on=arm, along=arm.z)
    eq = s.equations()
    assert sp.simplify(eq.generalized_forces["a"] - (2 * F * sp.cos(a) + M)) == 0
    assert_close(eq.at([0.3], loads={"F": 5.0, "M": 7.0}).Q, 10 * cos(0.3) + 7, **FEW)


def test_the_generalized_force_on_an_angular_velocity_is_a_moment():
    s = cd.System("ball")
    s.body("B", inertia=(1.0, 2.0, 2.5), joint=cd.Ball(cd.Quaternion("e")))
    s.generalized_force(s.model.v[1], 6.0)
    assert_close(s.compile().acceleration([1, 0, 0, 0]), [0, 3, 0], **FEW)


def test_eulers_equations_come_out_for_a_quaternion():
    s = cd.System("ball")
    s.body("B", inertia=(1, 2, 3), joint=cd.Ball(cd.Quaternion("e")))
    w1, w2, w3 = s.model.v
    found = s.equations().velocity_terms
    assert sp.simplify(found - sp.Matrix([(3 - 2) * w2 * w3, (1 - 3) * w3 * w1, (2 - 1) * w1 * w2])) == sp.zeros(3, 1)


def test_covariant_basis_of_spherical_coordinates():
    s = cd.System("particle")
    R, phi, theta = s.coordinates("R phi theta")
    s.particle("P", mass=1.0, coordinates=cd.PolarSpherical(R, phi, theta))
    a = s.equations().at([2.0, 0.4, -0.3]).basis
    lengths = np.linalg.norm(a, axis=0)
    assert_close(lengths, [1.0, 2.0, 2.0 * sin(0.4)], **FEW)
    assert_close(a.T @ a - np.diag(lengths**2), 0.0, **FEW)


def test_the_equations_are_displayed():
    s = cd.System("oscillator")
    x = s.coordinates("x")
    m, k = s.parameters(m=1.0, k=4.0)
    s.kinetic_energy(m * x.dot**2 / 2)
    s.potential(k * x**2 / 2)
    s.generalized_force(x, s.input("u"))
    eq = s.equations()
    assert str(eq) == "k*x + m*x_ddot = u"
    assert eq.latex() == "\\begin{aligned}\nk x + m \\ddot{x} &= u\n\\end{aligned}"
    assert eq._repr_latex_().startswith("$")


def test_numbers_are_asked_for_with_the_right_names_and_shapes():
    s, _ = hoop()
    eq = s.equations()
    with pytest.raises(WrongShape, match=r"q has 2 numbers, expected 1: b"):
        eq.at([1.0, 2.0])
    with pytest.raises(WrongShape, match=r"v has 2 numbers, expected 1: b_dot"):
        eq.at([1.0], [1.0, 2.0])
    with pytest.raises(UnknownName, match=r"'F' is no load or input of 'hoop'"):
        eq.at([1.0], loads={"F": 1.0})
    with pytest.raises(ModelError, match=r"form 'weird' is unknown") as caught:
        s.equations("weird")
    assert caught.value.form == "weird"


def test_long_trigonometric_entries_are_tidied_in_bounded_time():
    """SymPy's trigsimp takes minutes on a thousand operations: squares are reduced first, long sums left alone."""
    a, b, c, d = sp.symbols("a b c d", real=True)
    long = sp.expand((sp.sin(a + b) + sp.cos(c) * d + sp.sin(d) * sp.cos(b)) ** 4 + sp.sin(c) ** 2 + sp.cos(c) ** 2)
    start = process_time()
    assert abs((tidy(long) - long).subs({a: 0.1, b: 0.2, c: 0.3, d: 0.4})) < 1e-12
    assert process_time() - start < 10
    assert tidy(d * sp.sin(a) ** 2 + d * sp.cos(a) ** 2 * sp.cos(b) ** 2 + d * sp.cos(a) ** 2 * sp.sin(b) ** 2) == d
