"""Hemingway & O'Reilly (2017), sections 6.1 and 6.3: a body about a fixed point, and the Cardan suspension (H10, H12).

Applied moments are given by their components along E_1, E_2, E_3.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp
from sympy import cos, sin

import cardan as cd
from cardan.errors import SingularMassMatrix
from support.close import assert_close
from support.routes import assert_printed, assert_same, numbers, states, vanishes

ANGLE = (-3.0, 3.0)
REGULAR = [ANGLE, (0.3, 2.8), ANGLE]


def skwt(u: Any) -> Any:
    return sp.Matrix([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])


def euler_basis(nu1: Any, nu2: Any) -> list[Any]:
    """(77): g_1, g_2, g_3 of the 3-1-3 set along E_1, E_2, E_3."""
    return [
        sp.Matrix([0, 0, 1]),
        sp.Matrix([cos(nu1), sin(nu1), 0]),
        sp.Matrix([sin(nu2) * sin(nu1), -sin(nu2) * cos(nu1), cos(nu2)]),
    ]


def rotation_313(nu1: Any, nu2: Any, nu3: Any) -> Any:
    """(111), as three plane rotations."""

    def about_3(a: Any) -> Any:
        return sp.Matrix([[cos(a), -sin(a), 0], [sin(a), cos(a), 0], [0, 0, 1]])

    return about_3(nu1) * sp.Matrix([[1, 0, 0], [0, cos(nu2), -sin(nu2)], [0, sin(nu2), cos(nu2)]]) * about_3(nu3)


def fixed_point() -> tuple[Any, ...]:
    """H10: a spherically symmetric body about its centre of mass, 3-1-3 Euler angles."""
    s = cd.System("body about a fixed point")
    nu = s.coordinates("nu1 nu2 nu3")
    lam = s.parameters(lam=0.9)
    body = s.body("body", mass=2.0, inertia=lam, joint=cd.Ball(cd.Euler("3-1-3", *nu)))
    moment = sp.Matrix(s.moment("M", on=body))
    return s, nu, lam, moment


def printed_79(nu: Any, lam: Any) -> tuple[Any, Any]:
    """M and f of (79), f with the signs of the errata: lam sin(nu2) (-nu2d nu3d, +nu1d nu3d, -nu1d nu2d)."""
    nu1, nu2, nu3 = nu
    M = lam * sp.Matrix([[1, 0, cos(nu2)], [0, 1, 0], [cos(nu2), 0, 1]])
    f = lam * sin(nu2) * sp.Matrix([-nu2.dot * nu3.dot, nu1.dot * nu3.dot, -nu1.dot * nu2.dot])
    return M, f


def test_76_the_covariant_basis_of_rotations() -> None:
    """(76): a_i = (0, skwt(g_i) Q), components of Q column by column."""
    s, nu, _, _ = fixed_point()
    Q, eq = rotation_313(*nu), s.equations()
    columns = [sp.Matrix([0, 0, 0, *(skwt(g) * Q).T]) for g in euler_basis(nu[0], nu[1])]
    printed = sp.Matrix.hstack(*columns)
    assert vanishes(eq.covariant_basis - printed)
    value = numbers(s, printed)
    for state in states(s, REGULAR):
        assert_same(eq.at(state.q, state.v).basis, value(state))


def test_78_kinetic_energy() -> None:
    s, (nu1, nu2, nu3), lam, _ = fixed_point()
    printed = lam / 2 * (nu1.dot**2 + nu2.dot**2 + nu3.dot**2 + 2 * nu1.dot * nu3.dot * cos(nu2))
    assert vanishes(s.equations().kinetic_energy - printed)


def test_79_equations_of_motion() -> None:
    s, nu, lam, moment = fixed_point()
    M, f = printed_79(nu, lam)
    assert_printed(s, M=M, f=f, Q=[moment.dot(g) for g in euler_basis(nu[0], nu[1])], ranges=REGULAR)


@pytest.mark.parametrize("nu2", [0.0, np.pi])
def test_79_is_singular_where_g_1_and_g_3_coincide(nu2: float) -> None:
    """Rank 2 of 3, and a moment along g_1 x g_2 enters no Q_i."""
    s, *_ = fixed_point()
    q, v = [0.4, nu2, -0.7], [1.0, 2.0, 3.0]
    missed = np.cross([0, 0, 1], [np.cos(0.4), np.sin(0.4), 0])
    at = s.equations().at(q, v, loads={"M": missed})
    assert np.linalg.matrix_rank(at.basis) == 2
    assert_close(at.Q, np.zeros(3), within=1e-15, because="sin(pi) and products of two cosines in floats")
    with pytest.raises(SingularMassMatrix, match="nu1_dot"):
        _ = at.acceleration
    with pytest.raises(SingularMassMatrix):
        s.compile().acceleration(q, v)


def suspension() -> tuple[Any, ...]:
    """H12: three nested gimbals about E_3, e_1^2 and e_3^3, with a moment on each."""
    s = cd.System("Cardan suspension")
    q = alpha, beta, gamma = s.coordinates("alpha beta gamma", on="S1")
    lam = s.parameters(lam1=0.5, lam2=0.3, lam3=0.9)
    outer = s.body("outer", inertia=lam[0], joint=cd.Revolute("z", alpha))
    inner = s.body("inner", inertia=lam[1], joint=cd.Revolute("x", beta), parent=outer)
    platform = s.body("platform", inertia=lam[2], joint=cd.Revolute("z", gamma), parent=inner)
    return s, q, lam, (outer, inner, platform)


def printed_103(q: Any, lam: Any) -> tuple[Any, Any]:
    (alpha, beta, gamma), (l1, l2, l3) = q, lam
    M = sp.Matrix([[l1 + l2 + l3, 0, l3 * cos(beta)], [0, l2 + l3, 0], [l3 * cos(beta), 0, l3]])
    f = l3 * sin(beta) * sp.Matrix([-beta.dot * gamma.dot, alpha.dot * gamma.dot, -alpha.dot * beta.dot])
    return M, f


def test_102_kinetic_energy() -> None:
    s, (alpha, beta, gamma), (l1, l2, l3), _ = suspension()
    a, b, c = alpha.dot, beta.dot, gamma.dot
    printed = l1 * a**2 / 2 + l2 * (a**2 + b**2) / 2 + l3 * (a**2 + b**2 + c**2 + 2 * a * c * cos(beta)) / 2
    assert vanishes(s.equations().kinetic_energy - printed)


def test_101_and_103_equations_of_motion_with_moments_on_all_bodies() -> None:
    """Q_1 = (M1 + M2 + M3).E_3, Q_2 = (M2 + M3).e_1^2, Q_3 = M3.e_3^3, with e_1^2 and e_3^3 = e_3^2 from (77)."""
    s, q, lam, bodies = suspension()
    M1, M2, M3 = (sp.Matrix(s.moment(f"M{k}", on=body)) for k, body in enumerate(bodies, 1))
    E_3, e_12, e_33 = euler_basis(q[0], q[1])
    M, f = printed_103(q, lam)
    Q = [(M1 + M2 + M3).dot(E_3), (M2 + M3).dot(e_12), M3.dot(e_33)]
    assert_printed(s, M=M, f=f, Q=Q, ranges=[ANGLE] * 3)


def test_103_has_the_determinant_that_vanishes_only_without_gimbal_inertia() -> None:
    s, (_, beta, _), (l1, l2, l3), _ = suspension()
    printed = l3 * (l2 + l3) * (l1 + l2 + l3 * sin(beta) ** 2)
    assert vanishes(s.equations().mass_matrix.det() - printed)


@pytest.mark.parametrize("beta", [0.0, np.pi])
def test_103_gimbal_lock_is_no_singularity(beta: float) -> None:
    """A moment on body 3 along e_2^2 enters Q_1 as M sin(beta) and nothing else: at lock it moves nothing."""
    s, q, _, (_, inner, platform) = suspension()
    load = s.moment("M", on=platform, along=inner.y)
    eq = s.equations()
    assert vanishes(sp.Matrix(list(eq.generalized_forces.values())[:3]) - sp.Matrix([load * sin(q[1]), 0, 0]))
    at = eq.at([0.3, beta, 0.8], loads={"M": 1.0})
    assert np.linalg.matrix_rank(at.M) == np.linalg.matrix_rank(at.basis) == 3
    assert_close(at.acceleration, np.zeros(3), within=1e-15, because="sin(pi) is 1.2e-16 in floats")
    assert_close(
        s.compile().acceleration([0.3, beta, 0.8], loads={"M": 1.0}), np.zeros(3), within=1e-15, because="as above"
    )


def test_103_without_gimbal_inertia_is_79_and_its_singularity_returns() -> None:
    s, q, lam, _ = suspension()
    M, f = printed_103(q, (0, 0, lam[2]))
    M_79, f_79 = printed_79(q, lam[2])
    assert M == M_79
    assert f == f_79
    light = s.with_values(lam1=0.0, lam2=0.0)
    state = [0.3, 0.0, 0.8], [1.0, 2.0, 3.0]
    with pytest.raises(SingularMassMatrix):
        _ = light.equations().at(*state).acceleration
    with pytest.raises(SingularMassMatrix):
        light.compile().acceleration(*state)
    regular = [0.3, 1.1, 0.8], [1.0, 2.0, 3.0]
    values = {**dict(zip(q, regular[0], strict=True)), **{x.dot: v for x, v in zip(q, regular[1], strict=True)}}
    vd = np.linalg.solve(
        np.array(M_79.subs({**values, lam[2]: 0.9}), float), -np.array(f_79.subs({**values, lam[2]: 0.9}), float)
    )
    assert_same(light.compile().acceleration(*regular), vd.ravel())


@pytest.mark.parametrize("light", ["lam1", "lam2"])
def test_103_one_gimbal_with_inertia_is_enough(light: str) -> None:
    s, *_ = suspension()
    one = s.with_values(**{light: 0.0})
    assert np.all(np.isfinite(one.compile().acceleration([0.3, 0.0, 0.8], [1.0, 2.0, 3.0])))


def test_103_simulated_keeps_energy_and_the_momenta_of_ignorable_angles() -> None:
    """alpha and gamma do not appear in (102), so dT/d(alphad) and dT/d(gammad) are constant, through lock at beta=0."""
    s, (alpha, beta, gamma), (l1, l2, l3), _ = suspension()
    run = s.simulate(5.0, q=[0.1, -0.4, 0.2], v=[0.5, 1.0, -0.7], rtol=1e-11, atol=1e-13)
    p_alpha = (l1 + l2 + l3) * alpha.dot + l3 * cos(beta) * gamma.dot
    p_gamma = l3 * (gamma.dot + cos(beta) * alpha.dot)
    assert run["beta"][0] < 0 < run["beta"][-1]
    for kept in (run.evaluate(p_alpha), run.evaluate(p_gamma), run.energy):
        assert_close(kept, np.full_like(kept, kept[0]), within=1e-9, because="100 times the integrator's tolerance")
