"""Hemingway & O'Reilly (2017), appendix A: rotations, Euler bases and dual Euler bases (row H13).

Q is the paper's rotation tensor, our R; its components are typed in from the page.
"""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from sympy import cos, sin

from cardan.geometry import euler, matrix, rotation
from support.close import assert_close

nu1, nu2, nu3 = nu = sp.symbols("nu1:4", real=True)
theta = sp.Symbol("theta", real=True)
p = sp.Matrix([sp.Rational(2, 7), sp.Rational(-3, 7), sp.Rational(6, 7)])  # a rational unit vector
E1, E2, E3 = (sp.Matrix(sp.eye(3)[:, i]) for i in range(3))


def skwt(u: sp.Matrix) -> sp.Matrix:
    """(105): skwt(p) = -epsilon p."""
    return sp.Matrix(3, 3, lambda i, j: -sum(sp.LeviCivita(i, j, k) * u[k] for k in range(3)))


def ax(W: sp.Matrix) -> sp.Matrix:
    """(106): ax[W] = -1/2 epsilon[W]."""
    half = sp.Rational(1, 2)
    return sp.Matrix(
        [-half * sum(sp.LeviCivita(i, j, k) * W[j, k] for j in range(3) for k in range(3)) for i in range(3)]
    )


def L(angle: sp.Expr, axis: sp.Matrix) -> sp.Matrix:
    """(104): cos(theta) (I - p p) + sin(theta) skwt(p) + p p."""
    dyad = axis * axis.T
    return cos(angle) * (sp.eye(3) - dyad) + sin(angle) * skwt(axis) + dyad


def vanishes(A: sp.Matrix) -> bool:
    return A.applyfunc(lambda x: sp.simplify(sp.expand_trig(x))) == sp.zeros(*A.shape)


# (110) and (111), letter by letter
Q_321 = sp.Matrix(
    [
        [
            cos(nu1) * cos(nu2),
            cos(nu1) * sin(nu2) * sin(nu3) - sin(nu1) * cos(nu3),
            cos(nu1) * sin(nu2) * cos(nu3) + sin(nu1) * sin(nu3),
        ],
        [
            sin(nu1) * cos(nu2),
            sin(nu1) * sin(nu2) * sin(nu3) + cos(nu1) * cos(nu3),
            sin(nu1) * sin(nu2) * cos(nu3) - cos(nu1) * sin(nu3),
        ],
        [-sin(nu2), cos(nu2) * sin(nu3), cos(nu2) * cos(nu3)],
    ]
)
Q_313 = sp.Matrix(
    [
        [
            cos(nu1) * cos(nu3) - sin(nu1) * cos(nu2) * sin(nu3),
            -cos(nu1) * sin(nu3) - sin(nu1) * cos(nu2) * cos(nu3),
            sin(nu1) * sin(nu2),
        ],
        [
            sin(nu1) * cos(nu3) + cos(nu1) * cos(nu2) * sin(nu3),
            -sin(nu1) * sin(nu3) + cos(nu1) * cos(nu2) * cos(nu3),
            -cos(nu1) * sin(nu2),
        ],
        [sin(nu2) * sin(nu3), sin(nu2) * cos(nu3), cos(nu2)],
    ]
)
PRINTED = {"3-2-1": Q_321, "3-1-3": Q_313}
both = pytest.mark.parametrize("convention", PRINTED)


def test_104_euler_s_formula() -> None:
    assert vanishes(sp.Matrix(rotation.about(tuple(p), theta)) - L(theta, p))


def test_104_is_proper_orthogonal() -> None:
    Q = sp.Matrix(rotation.about(tuple(p), theta))
    assert vanishes(Q * Q.T - sp.eye(3))
    assert sp.simplify(Q.det() - 1) == 0


def test_105_to_107_skew_tensors_and_axial_vectors() -> None:
    w, a = sp.Matrix(sp.symbols("w1:4")), sp.Matrix(sp.symbols("a1:4"))
    Omega = sp.Matrix(matrix.skew(tuple(w)))
    assert Omega == skwt(w)
    assert sp.Matrix(matrix.unskew(matrix.skew(tuple(w)))) == ax(Omega)
    assert (Omega * a - w.cross(a)).expand() == sp.zeros(3, 1)  # (107)
    any_matrix = sp.Matrix(3, 3, sp.symbols("k1:10"))
    assert (sp.Matrix(matrix.unskew(any_matrix.tolist())) - ax(any_matrix)).expand() == sp.zeros(3, 1)


@both
def test_108_euler_angles_are_three_rotations_about_the_euler_basis(convention: str) -> None:
    """Q = L(nu3, g_3) L(nu2, g_2) L(nu1, g_1), each axis where the rotations before it have carried it."""
    g1, g2, g3 = (sp.Matrix(g) for g in euler.basis(convention, nu))
    product = L(nu3, g3) * L(nu2, g2) * L(nu1, g1)
    at = {nu1: sp.Rational(3, 10), nu2: sp.Rational(11, 10), nu3: sp.Rational(-7, 10)}
    assert vanishes(L(nu1, g1) - L(nu1, E3))
    difference = (product - PRINTED[convention]).subs(at).evalf(30)
    assert max(abs(x) for x in difference) < 1e-25


@both
def test_109_the_dual_euler_basis_is_reciprocal(convention: str) -> None:
    for frame in ("space", "body"):
        g = sp.Matrix(euler.basis(convention, nu, expressed_in=frame))
        dual = sp.Matrix(euler.dual_basis(convention, nu, expressed_in=frame))
        assert vanishes(g * dual.T - sp.eye(3))


@both
def test_110_and_111_the_printed_components(convention: str) -> None:
    assert vanishes(sp.Matrix(euler.matrix(convention, nu)) - PRINTED[convention])


@both
def test_components_are_the_same_in_the_corotational_basis(convention: str) -> None:
    """Q = Q_ij e_i e_j = Q_ij E_i E_j with e_i = Q E_i."""
    Q = PRINTED[convention]
    e = [Q * E for E in (E1, E2, E3)]
    total = sum((Q[i, j] * e[i] * e[j].T for i in range(3) for j in range(3)), sp.zeros(3))
    value = sp.lambdify([nu], total - Q)
    for angles in np.random.default_rng(0).uniform(-3, 3, (20, 3)):
        assert_close(value(angles), np.zeros((3, 3)), within=1e-12, because="12 digits of cosines")


@both
def test_112_derivatives_of_q_are_the_euler_basis(convention: str) -> None:
    Q = PRINTED[convention]
    for x, g in zip(nu, euler.basis(convention, nu), strict=True):
        assert vanishes(Q.diff(x) * Q.T - skwt(sp.Matrix(g)))


def test_77_the_euler_basis_of_3_1_3() -> None:
    printed = sp.Matrix([[0, 0, 1], [cos(nu1), sin(nu1), 0], [sin(nu2) * sin(nu1), -sin(nu2) * cos(nu1), cos(nu2)]])
    assert sp.Matrix(euler.basis("3-1-3", nu)) == printed


def test_77_at_its_singularities_the_first_and_third_axis_coincide() -> None:
    """g_1 = g_3 at nu2 = 0, where only nu1 + nu3 is determined; g_1 = -g_3 at pi, where only nu1 - nu3 is."""
    for second, sign in ((0, 1), (sp.pi, -1)):
        g1, _, g3 = (sp.Matrix(g) for g in euler.basis("3-1-3", (nu1, second, nu3)))
        assert g1 == sign * g3
        Q = sp.Matrix(euler.matrix("3-1-3", (nu1, second, nu3)))
        shifted = Q.subs({nu1: nu1 + theta, nu3: nu3 - sign * theta}, simultaneous=True)
        assert vanishes(Q - shifted)


def test_81_the_dual_euler_basis_of_3_1_3() -> None:
    printed = sp.Matrix(
        [
            [-sin(nu1) * sp.cot(nu2), cos(nu1) * sp.cot(nu2), 1],
            [cos(nu1), sin(nu1), 0],
            [sin(nu1) * sp.csc(nu2), -cos(nu1) * sp.csc(nu2), 0],
        ]
    )
    assert vanishes(sp.Matrix(euler.dual_basis("3-1-3", nu)) - printed)


def test_the_euler_basis_of_3_2_1() -> None:
    """g_1 = E_3, g_2 = -sin(nu1) E_1 + cos(nu1) E_2, g_3 = e_1 = Q E_1."""
    g1, g2, g3 = (sp.Matrix(g) for g in euler.basis("3-2-1", nu))
    assert g1 == E3
    assert g2 == -sin(nu1) * E1 + cos(nu1) * E2
    assert vanishes(g3 - Q_321 * E1)


def test_the_euler_bases_are_left_handed_and_collapse_where_the_paper_says() -> None:
    """g_1 . (g_2 x g_3) is -sin(nu2) for 3-1-3 (zero at 0 and pi) and -cos(nu2) for 3-2-1 (zero at +-pi/2)."""
    for convention, expected in (("3-1-3", -sin(nu2)), ("3-2-1", -cos(nu2))):
        g1, g2, g3 = (sp.Matrix(g) for g in euler.basis(convention, nu))
        assert sp.simplify(g1.dot(g2.cross(g3)) - expected) == 0
        assert sp.simplify(euler.determinant(convention, nu) - expected) == 0


def test_113_constraining_the_third_angle_leaves_two_rotations() -> None:
    """Q = L(nu2, e_1) L(nu1, E_3), with e_1 = cos(nu1) E_1 + sin(nu1) E_2."""
    e1 = cos(nu1) * E1 + sin(nu1) * E2
    assert vanishes(L(nu2, e1) * L(nu1, E3) - sp.Matrix(euler.matrix("3-1-3", (nu1, nu2, 0))))


def test_114_a_fixed_axis_gives_a_circle_of_rotations() -> None:
    """a_1 = dQ/dtheta = -sin(theta) (I - p p) + cos(theta) skwt(p)."""
    Q = sp.Matrix(rotation.about(tuple(p), theta))
    expected = -sin(theta) * (sp.eye(3) - p * p.T) + cos(theta) * skwt(p)
    assert vanishes(Q.diff(theta) - expected)
    radius = Q - p * p.T
    assert sp.simplify((radius.T * radius).trace()) == 2  # constant: a circle in the space of tensors
    assert sp.simplify((radius.T * (p * p.T)).trace()) == 0  # and p p is normal to its plane
