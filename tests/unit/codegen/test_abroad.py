"""Kernels as functions of CasADi and JAX: the same numbers, and derivatives that these libraries make themselves.

Both are extras. The walk through the graph is tested with numbers of another kind (mpmath, 40 digits) everywhere.
"""

from __future__ import annotations

import operator

import mpmath
import numpy as np
import pytest
from sympy import Abs, Max, cos, sin, sqrt

import cardan as cd
from cardan.errors import CompileError, DerivationError
from cardan.graph import Graph
from cardan.graph.rebuild import rebuild
from support.close import EPS, assert_close

Q, V = [0.4, -0.3], [0.7, 1.1]


def swinging() -> cd.System:
    """A double pendulum with a force that switches, so that every kind of operation is met."""
    s = cd.System("double pendulum")
    a, b = s.coordinates("a b", on="S1")
    m, g = s.parameters(m=1.3, g=9.81)
    u = s.input("u")
    s.lagrangian(m * (a.dot**2 + b.dot**2 / 2 + a.dot * b.dot * cos(a - b)) + m * g * (2 * cos(a) + cos(b)))
    s.generalized_force(a, u - 0.1 * a.dot * Abs(a.dot) + Max(0, sin(b)) * sqrt(1 + a**2))
    return s


def four_bar() -> cd.System:
    s = cd.System("four-bar")
    a, b, c = s.coordinates("a b c", on="S1")
    rod = {"mass": 1.0, "inertia": 1 / 12, "com": (0.5, 0, 0)}
    crank = s.body("crank", **rod, joint=cd.Revolute("z", a))
    coupler = s.body(
        "coupler", mass=2.0, inertia=2 / 3, com=(1, 0, 0), at=(1, 0, 0), joint=cd.Revolute("z", b), parent=crank
    )
    rocker = s.body("rocker", **rod, at=(2.2, 0, 0), joint=cd.Revolute("z", c))
    s.distance(coupler.point(2, 0, 0), rocker.point(1.1, 0.2, 0), 0.3)
    s.gravity(-9.81 * s.world.y)
    return s


def test_an_expression_is_rebuilt_in_forty_digits():
    graph = Graph()
    x, y = graph.input("x"), graph.input("y")
    out = [(x * y + 3.0).sin() / (x - y), (x + 1.0).sqrt()]
    with mpmath.workdps(40):
        functions = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv}
        functions |= {"sin": mpmath.sin, "sqrt": mpmath.sqrt}
        values = {x: mpmath.mpf(2), y: mpmath.mpf(1) / 3}
        found = rebuild(out, values, mpmath.mpf, functions)
        exact = [mpmath.sin(mpmath.mpf(11) / 3) * 3 / 5, mpmath.sqrt(3)]
        assert all(abs(a - b) < mpmath.mpf(10) ** -38 for a, b in zip(found, exact, strict=True))
    with pytest.raises(DerivationError, match="no counterpart of 'sqrt'"):
        rebuild(
            out,
            {x: 1.0, y: 2.0},
            float,
            dict.fromkeys(("add", "sub", "mul", "div", "sin"), lambda *numbers: max(numbers)),
        )


def test_friction_that_is_solved_for_is_refused():
    s = cd.System("block")
    x = s.coordinates("x")
    block = s.body("block", mass=1.0, joint=cd.Prismatic("x", x))
    s.gravity(-9.81 * s.world.z)
    s.friction(x, normal=block, coefficient=0.3)
    with pytest.raises(CompileError, match="friction whose pressing force is solved for"):
        s.compile().to_casadi()


@pytest.mark.parametrize("build", [swinging, four_bar])
def test_casadi_has_the_numbers_and_their_derivatives(build):
    ca = pytest.importorskip("casadi", reason="CasADi is an extra: pip install cardan[exchange]")
    s = build()
    k = s.compile()
    q, v = (Q, V) if k.nq == 2 else ([0.5, 0.3, 0.9], [0.4, -0.2, 0.3])
    y, p = k.y(q, v), k.p()
    expected = np.concatenate([v, k.acceleration(q, v)])
    f = k.to_casadi("rhs")
    assert_close(
        np.array(f(0.0, y, p)).ravel(), expected, within=1e3 * EPS * 100, because="another order of operations"
    )
    t_, y_, p_ = ca.MX.sym("t"), ca.MX.sym("y", len(y)), ca.MX.sym("p", len(p))
    jacobian = ca.Function("J", [t_, y_, p_], [ca.jacobian(f(t_, y_, p_), y_)])
    found = np.array(jacobian(0.0, y, p))
    step = 1e-6
    for j in range(len(y)):
        plus, minus = y.copy(), y.copy()
        plus[j] += step
        minus[j] -= step
        rates = [np.concatenate([z[k.nq :], k.acceleration(z[: k.nq], z[k.nq :])]) for z in (plus, minus)]
        assert_close(
            found[:, j], (rates[0] - rates[1]) / (2 * step), within=2e-7, because="central differences of 1e-6"
        )


@pytest.mark.parametrize("build", [swinging, four_bar])
def test_jax_has_the_numbers_and_their_derivatives(build):
    jax = pytest.importorskip("jax", reason="JAX is an extra: pip install cardan[exchange]")
    k = build().compile()
    jax.config.update("jax_enable_x64", False)
    with pytest.raises(CompileError, match="single precision"):
        k.to_jax()
    jax.config.update("jax_enable_x64", True)
    q, v = (Q, V) if k.nq == 2 else ([0.5, 0.3, 0.9], [0.4, -0.2, 0.3])
    y, p = k.y(q, v), k.p()
    f = jax.jit(k.to_jax("rhs"))
    expected = np.concatenate([v, k.acceleration(q, v)])
    assert_close(np.asarray(f(0.0, y, p)), expected, within=1e3 * EPS * 100, because="another order of operations")
    many = jax.vmap(f, (None, 0, None))(0.0, np.stack([y, y]), p)
    assert_close(np.asarray(many[1]), expected, within=1e3 * EPS * 100, because="the same function, side by side")
    tangent = jax.jvp(lambda z: f(0.0, z, p), (y,), (np.eye(len(y))[0],))[1]
    step = np.eye(len(y))[0] * 1e-6
    sides = [np.concatenate([z[k.nq :], k.acceleration(z[: k.nq], z[k.nq :])]) for z in (y + step, y - step)]
    assert_close(np.asarray(tangent), (sides[0] - sides[1]) / 2e-6, within=2e-7, because="central differences of 1e-6")
