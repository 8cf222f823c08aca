"""Ruina, MAE 6700, 4/29: the double pendulum in space, hinges not parallel, M by three methods (row R12).

The balance of angular momentum is typed in once, for numbers and for SymPy symbols alike. Corrections to the notes:
R_2 = R(lambda_1, theta_2) R_1, and the third run of the method of numbers has thetadd = (0, 1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray

import cardan as cd
from support.close import assert_close
from support.routes import assert_same, states, vanishes

Array = NDArray[Any]
RANGES = [(-3.0, 3.0), (-3.0, 3.0)]


@dataclass(frozen=True)
class Parameters:
    """P of the notes: hinges, arms and inertias in the reference configuration; gravity is -g k."""

    hinge_0: Array
    hinge_1: Array
    r_1: Array  # from O to G1
    r_c: Array  # from O to the second hinge C
    r_2: Array  # from C to G2
    I_1: Array
    I_2: Array
    m_1: Any
    m_2: Any
    g: Any


def fractions(*entries: Any) -> Array:
    """An array of exact tenths."""
    return np.vectorize(lambda x: sp.Rational(x, 10), otypes=[object])(np.array(entries))


ALONG_AXES = Parameters(
    hinge_0=fractions(10, 0, 0),
    hinge_1=fractions(0, 10, 0),
    r_1=fractions(1, -1, -5),
    r_c=fractions(2, 1, -8),
    r_2=fractions(-1, 1, -4),
    I_1=fractions([5, 1, -1], [1, 4, 1], [-1, 1, 3]),
    I_2=fractions([3, -1, 0], [-1, 4, 1], [0, 1, 4]),
    m_1=sp.Rational(17, 10),
    m_2=sp.Rational(9, 10),
    g=sp.Rational(981, 100),
)
OBLIQUE = Parameters(
    hinge_0=np.array([2.0, 3.0, 6.0]) / 7,
    hinge_1=np.array([6.0, -2.0, 3.0]) / 7,
    **{name: getattr(ALONG_AXES, name).astype(float) for name in ("r_1", "r_c", "r_2", "I_1", "I_2")},
    m_1=1.7,
    m_2=0.9,
    g=9.81,
)


def about(n: Array, angle: Any, maths: Any) -> Array:
    """Rodrigues' formula."""
    cross = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    return np.eye(3, dtype=int) + maths.sin(angle) * cross + (1 - maths.cos(angle)) * (cross @ cross)


def unbalance(p: Parameters, q: Any, v: Any, vd: Any, maths: Any) -> Array:
    """{Hd_/0 - M_/0} . lambda_0 of the system and {Hd_/c - M_/c} . lambda_1 of object 2: M thetadd + f + g."""
    cross = np.cross
    R_1 = about(p.hinge_0, q[0], maths)
    hinge_1 = R_1 @ p.hinge_1
    R_2 = about(hinge_1, q[1], maths) @ R_1
    r_1, r_c, r_2 = R_1 @ p.r_1, R_1 @ p.r_c, R_2 @ p.r_2
    I_1, I_2 = R_1 @ p.I_1 @ R_1.T, R_2 @ p.I_2 @ R_2.T
    w_1, alpha_1 = v[0] * p.hinge_0, vd[0] * p.hinge_0
    w_2 = w_1 + v[1] * hinge_1
    alpha_2 = alpha_1 + vd[1] * hinge_1 + v[0] * v[1] * cross(p.hinge_0, hinge_1)
    a_1 = cross(alpha_1, r_1) + cross(w_1, cross(w_1, r_1))
    a_c = cross(alpha_1, r_c) + cross(w_1, cross(w_1, r_c))
    a_2 = a_c + cross(alpha_2, r_2) + cross(w_2, cross(w_2, r_2))
    k = np.array([0, 0, 1])
    spin_1 = I_1 @ alpha_1 + cross(w_1, I_1 @ w_1)
    spin_2 = I_2 @ alpha_2 + cross(w_2, I_2 @ w_2)
    about_c = cross(r_2, p.m_2 * (a_2 + p.g * k)) + spin_2
    about_0 = cross(r_1, p.m_1 * (a_1 + p.g * k)) + spin_1 + cross(r_c + r_2, p.m_2 * (a_2 + p.g * k)) + spin_2
    return np.array([about_0 @ p.hinge_0, about_c @ hinge_1])


def double_pendulum(p: Parameters) -> Any:
    s = cd.System("double pendulum in space")
    theta_1, theta_2 = s.coordinates("theta1 theta2", on="S1")
    upper = s.body("upper", mass=p.m_1, inertia=p.I_1, com=tuple(p.r_1), joint=cd.Revolute(tuple(p.hinge_0), theta_1))
    joint = cd.Revolute(tuple(p.hinge_1), theta_2)
    s.body("lower", mass=p.m_2, inertia=p.I_2, com=tuple(p.r_2), at=tuple(p.r_c), joint=joint, parent=upper)
    s.gravity(-p.g * s.world.z)
    return s


def by_numbers(equations: Any) -> tuple[Array, Array]:
    """Method 3, "numbers, not symbols": three runs with thetadd = (0, 0), (1, 0), (0, 1) give M and what is left."""
    rest, first, second = (np.asarray(equations(vd), dtype=float) for vd in ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)))
    return np.stack([first - rest, second - rest], axis=1), rest


def test_method_1_the_jacobian_of_the_balance_is_the_mass_matrix() -> None:
    """Hinges along x and y, in exact fractions: the whole equations agree, symbol for symbol."""
    s = double_pendulum(ALONG_AXES)
    q, v, eq = s.model.q, s.model.v, s.equations()
    vd = [one.dot for one in v]
    balance = sp.Matrix(unbalance(ALONG_AXES, q, v, vd, sp))
    M = balance.jacobian(vd)
    assert vanishes(M - eq.mass_matrix)
    still = {**dict.fromkeys(v, 0), **dict.fromkeys(vd, 0)}
    assert vanishes(balance.subs(still) - eq.potential_terms)
    assert vanishes(balance.subs(dict.fromkeys(vd, 0)) - balance.subs(still) - eq.velocity_terms)


def test_methods_2_and_3_composite_inertias_and_numbers_only() -> None:
    """Oblique hinges: graph and native code (composite bodies, Featherstone) against three runs of the balance."""
    s = double_pendulum(OBLIQUE)
    eq, kernel = s.equations(), s.compile()
    read = sp.lambdify([s.model.q], eq.mass_matrix)
    for state in states(s, RANGES):
        q, v = state.q, state.v
        M, rest = by_numbers(lambda vd, q=q, v=v: unbalance(OBLIQUE, q, v, vd, np))
        assert_close(M, M.T, within=1e-14, because="a mass matrix is symmetric; a dozen products of numbers near 1")
        at = eq.at(q, v)
        assert_same(at.M, M)
        assert_same(kernel.mass_matrix(q), M)
        assert_same(read(q), M)
        assert_same(at.f + at.g, rest)
        vd = np.linalg.solve(M, -rest)
        assert_same(at.acceleration, vd)
        assert_same(kernel.acceleration(q, v), vd)


def test_method_3_on_native_inverse_dynamics() -> None:
    s = double_pendulum(OBLIQUE)
    kernel = s.compile()
    for state in states(s, RANGES, seed=1):
        M, rest = by_numbers(lambda vd, at=state: kernel.inverse_dynamics(at.q, at.v, vd))
        M_printed, rest_printed = by_numbers(lambda vd, at=state: unbalance(OBLIQUE, at.q, at.v, vd, np))
        assert_same(M, M_printed)
        assert_same(rest, rest_printed)


def test_the_motion_satisfies_the_balance_and_keeps_its_energy() -> None:
    """Accelerations along the run by central differences of the computed velocities."""
    s = double_pendulum(OBLIQUE)
    run = s.simulate(4.0, q=[1.5, -0.8], v=[0.5, 1.0], rtol=1e-11, atol=1e-13)
    drift = np.abs(run.energy - run.energy[0]) / np.ptp(run.kinetic_energy)
    assert_close(drift, np.zeros_like(drift), within=1e-9, because="100 times the integrator's relative tolerance")
    h = 1e-3
    for t in np.linspace(0.1, 3.9, 20):
        near = run.at([t - 2 * h, t - h, t, t + h, t + 2 * h])
        vd = (near.v[0] - 8 * near.v[1] + 8 * near.v[3] - near.v[4]) / (12 * h)
        left = unbalance(OBLIQUE, near.q[2], near.v[2], vd, np)
        assert_close(
            left,
            np.zeros(2),
            within=1e-6,
            because="dense output good to 1e-10, divided by h = 1e-3, times inertias near 1; h^4 adds less than 1e-8",
        )
