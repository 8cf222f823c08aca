"""Calls that robotics needs: bound kernels, derivatives through constraints, deep trees, inverse dynamics."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from cardan.errors import ModelError, UnknownName, WrongShape
from support.close import assert_close

EPS = np.finfo(float).eps


def chain(n: int) -> cd.System:
    s = cd.System(f"chain of {n}")
    s.gravity(-9.81 * s.world.z)
    parent = None
    for k in range(n):
        q = s.coordinates(f"q{k}")
        place = None if parent is None else (0.1, 0, 0.5)
        parent = s.body(
            f"b{k}", mass=1.0, inertia=(0.1, 0.2, 0.25), com=(0.1, 0, 0.3), joint=cd.Revolute("xyz"[k % 3], q),
            parent=parent, at=place,
        )  # fmt: skip
    return s


def test_a_bound_kernel_gives_the_same_bits_and_keeps_its_array() -> None:
    k, rng = chain(4).compile(), np.random.default_rng(1)
    f, g = k.bind(), k.bind("inverse_dynamics")
    for _ in range(3):
        q, v, a = rng.normal(size=(3, 4))
        assert np.array_equal(f(q, v), k.acceleration(q, v))
        assert np.array_equal(g(q, v, a), k.rnea(q, v, a))
    assert f(q) is f.out  # v is as before
    assert np.array_equal(k.bind("mass_matrix")(q), k.crba(q))
    with pytest.raises(WrongShape, match="takes 2 arrays, found 3"):
        f(q, v, a)


def test_bound_values_may_be_changed_in_place() -> None:
    s = cd.System("block")
    x = s.coordinates("x")
    m = s.parameters(m=2.0)
    s.body("block", mass=m, joint=cd.Prismatic("x", x))
    s.generalized_force(x, s.input("u"))
    f = s.compile().bind(parameters={"m": 4.0}, inputs={"u": 8.0})
    assert f([0.0], [0.0])[0] == 2.0
    f.p[1] = 4.0
    assert f([0.0], [0.0])[0] == 1.0


def test_inverse_dynamics_of_a_deep_chain_undoes_its_accelerations() -> None:
    """Two algorithms: articulated bodies forwards (the only one tried in deep trees), Newton-Euler backwards."""
    s = chain(40)
    k, rng = s.compile(), np.random.default_rng(2)
    q, v, tau = rng.normal(size=(3, 40))
    back = k.rnea(q, v, k.aba(q, v, tau))
    size = float(np.max(np.abs(k.rnea(q, v, np.zeros(40)))))
    assert_close(back, tau, within=1e-10 * size, because="forces of some thousand cancel to some ones over 40 bodies")
    free = k.rnea(q, v, k.acceleration(q, v))
    assert_close(free, np.zeros(40), within=1e-10 * size, because="the same without torques")


def test_derivatives_through_a_constraint_are_those_of_the_closed_form() -> None:
    """A particle on a rod: a = g - (g . r + v . v) r / r^2, differentiated by SymPy, on the rod and beside it."""
    s = cd.System("pendulum on a rod")
    x, y = s.coordinates("x y")
    mass = s.particle("mass", mass=2.0, position=(x, y, 0))
    s.gravity(-9.81 * s.world.y)
    s.distance(mass, s.world.origin, 1.0, name="rod")
    px, py, vx, vy = state = sp.symbols("px py vx vy")
    lam = (-9.81 * py + vx**2 + vy**2) / (px**2 + py**2)
    closed = sp.Matrix([-lam * px, -9.81 - lam * py])
    at = dict(zip(state, (0.6, -0.8, 0.4, 0.3), strict=True))
    found = s.compile().derivatives([0.6, -0.8], [0.4, 0.3])
    exact = np.array(closed.jacobian(state).subs(at), dtype=float)
    assert_close(found.a, np.array(closed.subs(at), dtype=float)[:, 0], within=1e-13, because="one solve")
    assert_close(np.hstack([found.a_q, found.a_v]), exact, within=1e-12, because="one 3 by 3 solve of numbers near 20")
    across = np.array([0.8, 0.6])
    assert_close(found.a_tau, np.outer(across, across) / 2.0, within=1e-14, because="what the rod leaves of 1 / m")


def test_dampers_and_friction_are_left_out_of_the_ideal_model() -> None:
    s = cd.System("slider")
    x = s.coordinates("x")
    s.body("block", mass=2.0, joint=cd.Prismatic("x", x))
    s.damper(x, coefficient=3.0)
    s.friction(x, coefficient=0.5, normal=1, law="tanh", width=1e-3)
    k = s.compile()
    assert_close(k.rnea([0.0], [1.0], [0.0]), [3.5], within=4 * EPS, because="exact numbers")
    assert_close(k.ideal.rnea([0.0], [1.0], [1.5]), [3.0], within=4 * EPS, because="exact numbers")


def test_wrong_questions_are_refused_by_name() -> None:
    k = chain(2).compile()
    with pytest.raises(UnknownName, match=r"'b7'.*b0"):
        k.placement("b7", [0, 0])
    with pytest.raises(ModelError, match='Use "world", "body" or "mixed"'):
        k.jacobian("b0", [0, 0], frame="local")
    with pytest.raises(ModelError, match="'drake' is unknown"):
        k.order("drake")
    with pytest.raises(WrongShape, match="tau has 3 numbers, expected 2"):
        k.aba([0, 0], [0, 0], [1, 2, 3])
