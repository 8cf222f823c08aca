"""Linear equations in symbols: against closed forms, and against the numbers of the other route."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from cardan.errors import CardanError, ModelError
from support.close import assert_close

ROUNDING, ROUNDED = 1e-11, "the same matrix by two routes: rounding of small products of numbers below 100"
LETTER = sp.Symbol("lambda")


def test_an_upright_rolling_disc_in_letters():
    """det(lambda - A) = lambda^6 (lambda^2 - 4/5 (g / r - 3 w^2)): five displacements and three velocities."""
    s = cd.System("rolling disc")
    x, y, z, phi, theta, psi = s.coordinates("x y z phi theta psi")
    m, r, g = s.parameters(m=1.3, r=0.5, g=9.81)
    joint = cd.Free(x, y, z, cd.Euler("3-2-1", phi, theta, psi))
    body = s.body("disc", mass=m, inertia=(m * r**2 / 2, m * r**2 / 4, m * r**2 / 4), joint=joint)
    s.gravity(-g * s.world.z)
    s.roll(body, on=s.world, shape=cd.Disc(r, axis="x"))
    w = sp.Symbol("w")
    along = {psi.dot: w, x.dot: 0, y.dot: -w * r}
    lin = s.linearize_symbolic({z: r, phi: 0, theta: 0, psi: 0}, along)
    expected = LETTER**6 * (LETTER**2 - sp.Rational(4, 5) * (g / r - 3 * w**2))
    assert sp.simplify(lin.polynomial - expected) == 0
    assert lin.accelerations.applyfunc(sp.simplify) == sp.zeros(6, 1)
    spin = 5.0
    numeric = s.linearize({"z": 0.5}, {"psi": spin, "y": -spin * 0.5})
    found = np.linalg.eigvals(lin.numbers(w=spin)[0])
    assert_close(np.sum(found**2).real, np.sum(numeric.eigenvalues**2).real, within=ROUNDING, because=ROUNDED)


def test_a_redundant_pendulum_in_letters():
    s = cd.System("pendulum in x and y")
    x, y = s.coordinates("x y")
    length, g, c = s.parameters(l=2.0, g=9.81, c=0.3)
    s.lagrangian((x.dot**2 + y.dot**2) / 2 - g * y)
    s.generalized_force(x, -c * x.dot + s.input("u"))
    s.constrain(x**2 + y**2 - length**2, name="rod")
    s.constrain(3 * x**2 + 3 * y**2 - 3 * length**2, name="the same rod")
    lin = s.linearize_symbolic({x: 0, y: -length})
    assert (lin.states, lin.inputs) == (["x", "x_dot"], ["u"])
    assert lin.A == sp.Matrix([[0, 1], [-g / length, -c]])
    assert lin.B == sp.Matrix([0, 1])


def test_letters_and_numbers_agree_on_a_driven_damped_chain():
    """Two links on a table that turns, a moment and damping, at any state: A and B of both routes are one matrix."""
    rng = np.random.default_rng(1)
    s = cd.System("chain on a table")
    table, a, b = s.coordinates("table a b")
    m, length, g, c, rate = s.parameters(m=1.2, l=0.8, g=9.81, c=0.2, Omega=1.7)
    turn = s.body("turntable", inertia=1.0, joint=cd.Revolute("z", table))
    link = {"mass": m, "inertia": (0.02, 0.03, 0.04), "com": (0, 0, -length / 2)}
    one = s.body("one", parent=turn, joint=cd.Revolute("x", a), **link)
    s.body("two", parent=one, at=(0, 0, -length), joint=cd.Revolute("y", b), **link)
    s.gravity(-g * s.world.z)
    s.generalized_force(b, -c * b.dot)
    s.moment("drive", on=one, along=s.world.x)
    s.prescribe(table, rate * s.time)
    q, v = rng.uniform(-1, 1, 2), rng.uniform(-1, 1, 2)
    lin = s.linearize(q, v, about="trajectory", loads={"drive": 0.4})
    known = {a: q[0], b: q[1]}, {a.dot: v[0], b.dot: v[1]}
    A, B = s.linearize_symbolic(*known, signals={"drive": 0.4}).numbers(t=0.0)
    assert_close(A, lin.A, within=ROUNDING, because=ROUNDED)
    assert_close(B, lin.B, within=ROUNDING, because=ROUNDED)


def test_what_cannot_be_written_is_said():
    s = cd.System("pendulum in x and y")
    x, y = s.coordinates("x y")
    s.lagrangian((x.dot**2 + y.dot**2) / 2 - y)
    s.constrain(x**2 + y**2 - 4, name="rod")
    with pytest.raises(ModelError, match="not met"):
        s.linearize_symbolic({x: 0, y: -1})
    with pytest.raises(ModelError, match="velocity"):
        s.linearize_symbolic({x: 0, y: -2}, {y.dot: 1})
    with pytest.raises(CardanError, match="coordinate"):
        s.linearize_symbolic({"theta": 0})
    ball = cd.System("ball")
    ball.body("b", mass=1, inertia=(1, 1, 1), joint=cd.Ball(cd.Quaternion("e")))
    with pytest.raises(ModelError, match="quaternion"):
        ball.linearize_symbolic()
