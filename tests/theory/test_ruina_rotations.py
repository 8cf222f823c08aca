"""Ruina's MAE 6700 notes, lectures of 1/28 to 2/13: rotations (row R1).

The notes' direction cosines C (b_i = C_ij a_j) are the transpose of our R; their S(n) is our skew(n). Errata of the
notes: sin(theta) n with cos(theta) loses n at theta = pi; c_ij = b_i . a_j; entry (2,3) of the product of 2/6 is
sin(theta_2); R_ij has -sin(theta) eps_ijk n_k.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import sympy as sp
from sympy import cos, sin

from cardan.geometry import euler, matrix, quaternion, rotation
from cardan.geometry.axis import normalised
from support.close import EPS, assert_close

theta, theta1, theta2, theta3 = sp.symbols("theta theta1 theta2 theta3", real=True)
n1, n2, n3 = n_symbols = sp.symbols("n1:4", real=True)
n = sp.Matrix(n_symbols)
RELATIVE = 1e-12


def random_cases(count: int = 20) -> list[tuple[np.ndarray, float, np.ndarray]]:
    """(unit axis, angle, vector)."""
    rng = np.random.default_rng(28)
    axes = [np.array(normalised(v), dtype=float) for v in rng.normal(size=(count, 3))]
    return list(zip(axes, rng.uniform(-math.pi, math.pi, count), rng.uniform(-1, 1, (count, 3)), strict=True))


def transposed(C: list[list[sp.Expr]]) -> sp.Matrix:
    """A rotation from the notes' direction cosines."""
    return sp.Matrix(C).T


def test_1_28_the_boxed_formula_for_a_rotated_vector() -> None:
    """r = n n.r0 + cos(theta) (r0 - n (n.r0)) + sin(theta) n x r0"""
    for axis, angle, r0 in random_cases():
        along = axis * (axis @ r0)
        expected = along + np.cos(angle) * (r0 - along) + np.sin(angle) * np.cross(axis, r0)
        found = matrix.matvec(rotation.about(axis, angle), r0)
        assert_close(found, expected, within=RELATIVE, because="12 digits of vectors of length about 1")


def test_1_28_axis_and_angle_are_not_unique() -> None:
    """(n, theta) is (-n, -theta) and (n, theta + 2 pi k)."""
    for axis, angle, _ in random_cases():
        R = rotation.about(axis, angle)
        assert_close(rotation.about(-axis, -angle), R, within=4 * EPS, because="the same sines")
        assert_close(rotation.about(axis, angle + 4 * math.pi), R, within=64 * EPS, because="4 pi is rounded")


def test_1_28_erratum_sine_and_cosine_lose_the_axis_at_a_half_turn_but_half_angles_keep_it() -> None:
    a, b = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
    lossy = [(math.sin(math.pi) * np.array(axis), math.cos(math.pi)) for axis in (a, b)]
    assert_close(lossy[0][0], lossy[1][0], within=2 * EPS, because="sin(pi) is 1.2e-16 in doubles")
    kept = [np.array(quaternion.from_axis_angle(axis, math.pi)) for axis in (a, b)]
    assert np.abs(kept[0] - kept[1]).max() == 1.0
    axis, angle = rotation.axis_angle(rotation.about(b, math.pi))
    assert_close(angle, math.pi, within=4 * EPS, because="one arctangent")
    assert_close(np.abs(axis), b, within=4 * EPS, because="either sign of the axis")


def test_1_30_the_skew_matrix() -> None:
    a1, a2, a3 = alpha = sp.symbols("alpha1:4")
    v = sp.symbols("v1:4")
    printed = sp.Matrix([[0, -a3, a2], [a3, 0, -a1], [-a2, a1, 0]])
    assert sp.Matrix(matrix.skew(alpha)) == printed
    assert (printed * sp.Matrix(v) - sp.Matrix(alpha).cross(sp.Matrix(v))).expand() == sp.zeros(3, 1)


def test_1_30_columns_of_r_are_the_rotated_basis_vectors() -> None:
    for axis, angle, _ in random_cases(5):
        R = rotation.about(axis, angle)
        for i, e in enumerate(np.eye(3)):
            assert_close(matrix.column(R, i), matrix.matvec(R, e), within=0, because="the same entries")


def test_2_4_direction_cosines_of_a_general_axis() -> None:
    """c_ij = a_i.a_j cos + (a_i.n)(n.a_j)(1 - cos) + (n x a_i).a_j sin, with c_ij = b_i.a_j = R_ji."""
    e = [sp.Matrix(sp.eye(3)[:, i]) for i in range(3)]
    C = [
        [
            e[i].dot(e[j]) * cos(theta)
            + e[i].dot(n) * n.dot(e[j]) * (1 - cos(theta))
            + n.cross(e[i]).dot(e[j]) * sin(theta)
            for j in range(3)
        ]
        for i in range(3)
    ]
    assert C[0][1].expand() == (n1 * n2 * (1 - cos(theta)) + n3 * sin(theta)).expand()  # printed entry (1,2)
    assert C[1][0].expand() == (-n3 * sin(theta) + n1 * n2 * (1 - cos(theta))).expand()  # printed entry (2,1)
    R = sp.Matrix(rotation.about(n_symbols, theta))
    assert (R - transposed(C)).expand() == sp.zeros(3)


def test_2_4_direction_cosines_about_the_coordinate_axes() -> None:
    c, s = cos(theta), sin(theta)
    printed = {
        "x": [[1, 0, 0], [0, c, s], [0, -s, c]],
        "y": [[c, 0, -s], [0, 1, 0], [s, 0, c]],
        "z": [[c, s, 0], [-s, c, 0], [0, 0, 1]],
    }
    for axis, C in printed.items():
        assert sp.Matrix(rotation.about(axis, theta)) == transposed(C)


def test_2_6_turning_twice_about_one_axis_adds_the_angles() -> None:
    product = sp.Matrix(rotation.compose(rotation.about("z", theta1), rotation.about("z", theta2)))
    c, s = cos(theta1 + theta2), sin(theta1 + theta2)
    printed = transposed([[c, s, 0], [-s, c, 0], [0, 0, 1]])
    assert (product - printed).applyfunc(sp.simplify) == sp.zeros(3)


def test_2_6_body_3_then_1() -> None:
    """C(CB) C(BA), printed with entry (2,3) = sin(theta1); it is sin(theta2)."""
    c1, s1, c2, s2 = cos(theta1), sin(theta1), cos(theta2), sin(theta2)
    corrected = [[c1, s1, 0], [-s1 * c2, c1 * c2, s2], [s1 * s2, -s2 * c1, c2]]
    R = rotation.compose(rotation.about("z", theta1), rotation.about("x", theta2))
    assert sp.Matrix(R) == transposed(corrected)


def test_2_6_space_3_then_1() -> None:
    """The second rotation about a_1 fixed in space: its axis in B, then the product, both printed."""
    c1, s1, c2, s2 = cos(theta1), sin(theta1), cos(theta2), sin(theta2)
    axis_in_B = sp.Matrix([c1, -s1, 0])
    R_AB = sp.Matrix(rotation.about("z", theta1))
    assert R_AB.T * sp.Matrix([1, 0, 0]) == axis_in_B
    C_CB = [
        [s1**2 * c2 + c1**2, -s1 * c1 * (1 - c2), s2 * s1],
        [-(1 - c2) * s1 * c1, s1**2 + c1**2 * c2, s2 * c1],
        [-s2 * s1, -s2 * c1, c2],
    ]
    R_BC = sp.Matrix(rotation.about(tuple(axis_in_B), theta2))
    assert (R_BC - transposed(C_CB)).applyfunc(sp.simplify) == sp.zeros(3)
    C_CA = [[c1, s1 * c2, s1 * s2], [-s1, c1 * c2, c1 * s2], [0, -s2, c2]]
    assert (R_AB * R_BC - transposed(C_CA)).applyfunc(sp.simplify) == sp.zeros(3)
    space = rotation.compose(rotation.about("x", theta2), rotation.about("z", theta1))
    assert sp.Matrix(space) == transposed(C_CA)


def elementary(axis: int, angle: sp.Expr) -> sp.Matrix:
    """Active rotation about coordinate axis 1, 2 or 3, from the notes' C by transposing."""
    c, s = cos(angle), sin(angle)
    return transposed(
        {
            1: [[1, 0, 0], [0, c, s], [0, -s, c]],
            2: [[c, 0, -s], [0, 1, 0], [s, 0, c]],
            3: [[c, s, 0], [-s, c, 0], [0, 0, 1]],
        }[axis]
    )


SEQUENCES = [axes for axes in itertools.product((1, 2, 3), repeat=3) if axes[0] != axes[1] and axes[1] != axes[2]]


@pytest.mark.parametrize("space", [False, True], ids=["body", "space"])
@pytest.mark.parametrize("axes", SEQUENCES, ids=str)
def test_2_6_all_24_conventions(axes: tuple[int, int, int], space: bool) -> None:
    """Body axes multiply to the right, space axes to the left."""
    first, second, third = (elementary(a, t) for a, t in zip(axes, (theta1, theta2, theta3), strict=True))
    expected = third * second * first if space else first * second * third
    found = euler.matrix("-".join(map(str, axes)), (theta1, theta2, theta3), space=space)
    assert (sp.Matrix(found) - expected).expand() == sp.zeros(3)


def test_2_6_there_are_24_conventions() -> None:
    assert 2 * len(SEQUENCES) == 24 == len(euler.conventions())


def test_2_11_components_of_r() -> None:
    """R_ij = n_i n_j + cos(theta) (delta_ij - n_i n_j) - sin(theta) eps_ijk n_k (printed with +)."""
    delta = sp.eye(3)

    def entry(i: int, j: int) -> sp.Expr:
        eps = sum(sp.LeviCivita(i, j, k) * n[k] for k in range(3))
        return n[i] * n[j] + cos(theta) * (delta[i, j] - n[i] * n[j]) - sin(theta) * eps

    expected = sp.Matrix(3, 3, entry)
    assert (sp.Matrix(rotation.about(n_symbols, theta)) - expected).expand() == sp.zeros(3)


def test_2_11_r_is_the_sum_of_dyads_of_new_and_old_basis_vectors_and_its_inverse_the_transpose() -> None:
    for axis, angle, _ in random_cases():
        R = np.array(rotation.about(axis, angle))
        dyads = sum(np.outer(R @ e, e) for e in np.eye(3))
        assert_close(dyads, R, within=0, because="products with 0 and 1")
        assert_close(R.T @ R, np.eye(3), within=RELATIVE, because="12 digits")


def test_2_11_angle_from_the_trace_and_axis_from_the_eigenvector() -> None:
    """theta = arccos((trace - 1)/2), n the eigenvector of eigenvalue 1; away from 0 and pi, where arccos is blunt."""
    for axis, angle, _ in random_cases():
        R = np.array(rotation.about(axis, angle))
        found_axis, found_angle = rotation.axis_angle(R.tolist())
        assert_close(found_angle, math.acos((np.trace(R) - 1) / 2), within=1e-12, because="angles above 0.01 from pi")
        values, vectors = np.linalg.eig(R)
        eigenvector = np.real(vectors[:, np.argmin(abs(values - 1))])
        assert_close(abs(eigenvector @ found_axis), 1.0, within=RELATIVE, because="parallel, of either sign")
        assert_close(found_angle * np.array(found_axis), angle * axis, within=RELATIVE, because="12 digits")


def test_2_11_puzzle_net_axis_and_angle_of_two_rotations() -> None:
    """Rodrigues' composition: cos(t/2) = c1 c2 - s1 s2 n1.n2 and sin(t/2) n = s2 c1 n2 + c2 s1 n1 + s1 s2 n2 x n1."""
    cases = random_cases()
    for (axis1, angle1, _), (axis2, angle2, _) in itertools.pairwise(cases):
        c1, s1, c2, s2 = (f(x / 2) for x in (angle1, angle2) for f in (math.cos, math.sin))
        w = c1 * c2 - s1 * s2 * (axis1 @ axis2)
        v = s2 * c1 * axis2 + c2 * s1 * axis1 + s1 * s2 * np.cross(axis2, axis1)
        net = rotation.compose(rotation.about(axis2, angle2), rotation.about(axis1, angle1))  # R = R2 . R1
        axis, angle = rotation.axis_angle(net)
        sign = math.copysign(1.0, w)
        assert_close(math.cos(angle / 2), sign * w, within=RELATIVE, because="12 digits")
        assert_close(math.sin(angle / 2) * np.array(axis), sign * v, within=RELATIVE, because="12 digits")


def test_2_13_small_rotations() -> None:
    """R = I + theta S(n) to first order, and small rotations add."""
    a, b = sp.symbols("a1:4"), sp.symbols("b1:4")
    e = sp.Symbol("e")
    first_order = sp.Matrix(rotation.about(n_symbols, e)).applyfunc(lambda x: sp.series(x, e, 0, 2).removeO())
    assert (first_order - sp.Matrix(rotation.small([e * x for x in n_symbols]))).expand() == sp.zeros(3)
    product = sp.Matrix(matrix.matmul(rotation.small([e * x for x in a]), rotation.small([e * x for x in b])))
    linear = product.applyfunc(lambda x: sp.expand(x)).applyfunc(lambda x: x.coeff(e, 0) + e * x.coeff(e, 1))
    assert (linear - sp.Matrix(rotation.small([e * (x + y) for x, y in zip(a, b, strict=True)]))).expand() == sp.zeros(
        3
    )


t = sp.Symbol("t")
R_TUMBLING = rotation.compose(rotation.about("z", t**2), rotation.about("x", sp.sin(3 * t)), rotation.about("y", t))


def derivative(A) -> sp.Matrix:
    return sp.Matrix(A).diff(t)


def test_2_13_angular_velocity_about_a_fixed_axis_is_the_rate_times_the_axis() -> None:
    axis = (sp.Rational(2, 7), sp.Rational(-3, 7), sp.Rational(6, 7))
    angle = sp.Function("theta")(t)
    R = rotation.about(axis, angle)
    w = sp.Matrix(rotation.angular_velocity(R, derivative(R).tolist()))
    assert (w - angle.diff(t) * sp.Matrix(axis)).applyfunc(sp.simplify) == sp.zeros(3, 1)


def test_2_13_s_of_omega_is_rd_r_transposed_and_2_25_rd_is_s_of_omega_r() -> None:
    Rd = derivative(R_TUMBLING)
    w = rotation.angular_velocity(R_TUMBLING, Rd.tolist())
    difference = sp.lambdify(t, Rd - sp.Matrix(matrix.skew(w)) * sp.Matrix(R_TUMBLING))
    for time in np.random.default_rng(13).uniform(-1, 1, 20):
        assert_close(difference(time), np.zeros((3, 3)), within=RELATIVE, because="12 digits of rates about 3")


def test_2_13_transport_theorem() -> None:
    """The rate of Q seen from F is the rate seen from B plus w x Q."""
    Q_B = sp.Matrix([sp.cos(2 * t), t**3, sp.exp(-t)])
    R = sp.Matrix(R_TUMBLING)
    w = sp.Matrix(rotation.angular_velocity(R_TUMBLING, derivative(R_TUMBLING).tolist()))
    seen_from_F = (R * Q_B).diff(t)
    seen_from_B = R * Q_B.diff(t)
    difference = sp.lambdify(t, seen_from_F - seen_from_B - w.cross(R * Q_B))
    for time in np.random.default_rng(14).uniform(-1, 1, 20):
        assert_close(difference(time), np.zeros((3, 1)), within=RELATIVE, because="12 digits of rates about 3")


def test_2_25_the_rate_of_omega_is_the_same_in_both_frames() -> None:
    Rd = derivative(R_TUMBLING).tolist()
    w_space = sp.Matrix(rotation.angular_velocity(R_TUMBLING, Rd))
    w_body = sp.Matrix(rotation.body_angular_velocity(R_TUMBLING, Rd))
    difference = sp.lambdify(t, w_space.diff(t) - sp.Matrix(R_TUMBLING) * w_body.diff(t))
    for time in np.random.default_rng(25).uniform(-1, 1, 20):
        assert_close(difference(time), np.zeros((3, 1)), within=10 * RELATIVE, because="12 digits of rates about 10")
