"""Rotations about axes, their exponential and logarithm, and the repair of worn ones."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import expm, polar
from scipy.spatial.transform import Rotation

from cardan.errors import ModelError
from cardan.geometry import rotation
from cardan.geometry.axis import normalised, unit_axis
from cardan.geometry.matrix import IDENTITY, matmul, matvec, transpose
from support.close import EPS, assert_close

ROUND_OFF = 16 * EPS
components = st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda v: math.hypot(*v) > 1e-3)


def test_a_quarter_turn_about_z_takes_x_to_y() -> None:
    """Fixes the sense: active and right-handed."""
    R = rotation.about("z", math.pi / 2)
    assert_close(matvec(R, (1, 0, 0)), (0, 1, 0), within=EPS, because="cos(pi/2) is not exactly 0 in doubles")
    assert_close(matvec(rotation.about("x", math.pi / 2), (0, 1, 0)), (0, 0, 1), within=EPS, because="same")
    assert_close(matvec(rotation.about("y", math.pi / 2), (0, 0, 1)), (1, 0, 0), within=EPS, because="same")
    assert_close(matvec(rotation.about("-z", math.pi / 2), (1, 0, 0)), (0, -1, 0), within=EPS, because="same")


@given(components, st.floats(-10, 10))
def test_rotation_about_any_axis_agrees_with_scipy(vector: tuple[float, ...], angle: float) -> None:
    n = normalised(vector)
    expected = Rotation.from_rotvec(angle * np.array(n, dtype=float)).as_matrix()
    assert_close(rotation.about(n, angle), expected, within=64 * EPS, because="angles to 10 rounded, then sines")


def test_coordinate_axes_given_as_vectors_keep_their_zeros() -> None:
    angle = sp.Symbol("a")
    for name, vector in (("x", (1.0, 0.0, 0.0)), ("y", (0, 1, 0)), ("-z", (0.0, 0.0, -1.0))):
        assert rotation.about(vector, angle) == rotation.about(name, angle)
        assert sum(x == 0 for row in rotation.about(vector, angle) for x in row) == 4


def test_an_axis_that_is_not_a_unit_vector_is_refused_with_its_length() -> None:
    with pytest.raises(ModelError, match=r"length 1; .* has length 1\.41421356") as caught:
        rotation.about((1.0, 1.0, 0.0), 0.3)
    assert caught.value.length == pytest.approx(math.sqrt(2.0))
    with pytest.raises(ModelError, match="Unknown axis 'w'"):
        rotation.about("w", 0.3)
    with pytest.raises(ModelError, match="length 1"):
        rotation.about((float("nan"), 0.0, 1.0), 0.3)
    with pytest.raises(ModelError, match="length 1"):
        rotation.about((0.6, 0.8 + 1e-6, 0.0), 0.3)
    with pytest.raises(ModelError, match="above 0"):
        normalised((0.0, 0.0, 0.0))
    nearly = unit_axis((0.6 + 1e-10, 0.8, 0.0))
    assert_close(math.hypot(*nearly), 1.0, within=2 * EPS, because="normalised again")


def test_symbolic_axes_are_taken_at_their_word() -> None:
    n1, n2, n3, a = sp.symbols("n1 n2 n3 a", real=True)
    R = sp.Matrix(rotation.about((n1, n2, n3), a))
    n = sp.Matrix([n1, n2, n3])
    cross = sp.Matrix([[0, -n3, n2], [n3, 0, -n1], [-n2, n1, 0]])
    expected = n * n.T + sp.cos(a) * (sp.eye(3) - n * n.T) + sp.sin(a) * cross
    assert sp.simplify(R - expected) == sp.zeros(3)


def test_exact_sympy_axes_stay_exact_and_are_checked() -> None:
    a = sp.Symbol("a")
    assert rotation.about(sp.Matrix([0, 0, 1]), a) == rotation.about("z", a)
    third = sp.Rational(1, 3)
    R = rotation.about((third, 2 * third, 2 * third), a)
    assert sp.simplify(R[0][0] - (sp.Rational(1, 9) + sp.Rational(8, 9) * sp.cos(a))) == 0
    with pytest.raises(ModelError, match="length 1"):
        rotation.about((third, third, third), a)


def test_exponential_of_sympy_components_is_rodrigues() -> None:
    x, y, z = sp.symbols("x y z", positive=True)
    R = sp.Matrix(rotation.exp((x, y, z)))
    value = np.array(R.subs({x: 0.3, y: 0.5, z: 0.7}), dtype=float)
    assert_close(value, Rotation.from_rotvec([0.3, 0.5, 0.7]).as_matrix(), within=ROUND_OFF, because="entries below 1")


@pytest.mark.parametrize("angle", [0.0, 1e-300, 1e-12, 1e-8, 0.99e-4, 1.01e-4, 0.1, 3.0, math.pi, 6.0])
def test_exponential_is_the_matrix_exponential_at_every_size(angle: float) -> None:
    n = np.array(normalised((0.2, -0.6, 0.5)), dtype=float)
    x, y, z = angle * n
    expected = expm(np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]]))
    R = rotation.exp((x, y, z))
    assert_close(R, expected, within=64 * EPS, because="scaling and squaring of the reference at angles to 6")
    skew_part = np.subtract(R, transpose(R))[2][1] / 2
    assert_close(skew_part, math.sin(angle) * n[0], within=4 * EPS * max(abs(x), 5e-324), because="relative accuracy")


@pytest.mark.parametrize("angle", [1e-9, 1e-5, 0.99e-4, 1.01e-4, 1e-3, 0.1])
def test_the_exponential_keeps_the_relative_accuracy_of_one_minus_cosine(angle: float) -> None:
    """R_12 = n_1 n_2 (1 - cos(angle)) where n_3 = 0."""
    found = rotation.exp((0.6 * angle, 0.8 * angle, 0.0))[0][1]
    expected = 0.6 * 0.8 * 2 * math.sin(angle / 2) ** 2
    assert_close(found / expected, 1.0, within=ROUND_OFF, because="no cancellation")


@pytest.mark.parametrize("angle", [1e-300, 1e-160, 1e-12, 1e-8, 1e-4, 0.5, 2.0, 3.1, math.pi - 1e-6, math.pi - 1e-9])
def test_axis_and_angle_come_back_near_zero_and_near_pi(angle: float) -> None:
    n = normalised((0.2, -0.6, 0.5))
    axis, found = rotation.axis_angle(rotation.exp([angle * x for x in n]))
    assert_close(found / angle, 1.0, within=ROUND_OFF, because="relative accuracy at every size")
    assert_close(axis, n, within=ROUND_OFF, because="the axis is read from well-sized entries")


@pytest.mark.parametrize("n", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0.6, 0.0, -0.8), (-0.6, -0.8, 0)])
def test_a_half_turn_has_an_accurate_axis_of_either_sign(n: tuple[float, ...]) -> None:
    R = 2 * np.outer(n, n) - np.eye(3)
    axis, angle = rotation.axis_angle(R.tolist())
    assert_close(angle, math.pi, within=4 * EPS, because="one arctangent")
    assert_close(np.outer(axis, axis), np.outer(n, n), within=ROUND_OFF, because="the sign of the axis is free")


def test_no_rotation_has_angle_zero_and_some_unit_axis() -> None:
    axis, angle = rotation.axis_angle(IDENTITY)
    assert angle == 0.0
    assert math.hypot(*axis) == 1.0


@given(st.tuples(*[st.floats(-1.8, 1.8)] * 3))
def test_logarithm_undoes_the_exponential(phi: tuple[float, float, float]) -> None:
    back = rotation.log(rotation.exp(phi))
    assert_close(back, phi, within=ROUND_OFF * 4, because="lengths up to 3.12, just short of pi")


def test_composition_runs_from_left_to_right() -> None:
    R_AB, R_BC = rotation.about("z", 0.4), rotation.about((0.6, 0.0, 0.8), -1.1)
    v_C = (0.3, -0.2, 0.9)
    both = matvec(rotation.compose(R_AB, R_BC), v_C)
    assert_close(both, matvec(R_AB, matvec(R_BC, v_C)), within=ROUND_OFF, because="two ways of one product")
    assert rotation.compose() == IDENTITY


def test_small_rotations_add() -> None:
    e = 1e-5
    a, b = (0.3 * e, -e, 0.5 * e), (e, 0.2 * e, -0.7 * e)
    product = matmul(rotation.exp(a), rotation.exp(b))
    total = rotation.small([x + y for x, y in zip(a, b, strict=True)])
    assert_close(product, total, within=4 * e**2, because="first order in angles of size 1e-5")


def test_angular_velocity_comes_from_the_derivative_of_r() -> None:
    t = sp.Symbol("t")
    R = rotation.compose(rotation.about("z", t**2), rotation.about("x", sp.sin(t)))
    Rd = tuple(tuple(sp.diff(x, t) for x in row) for row in R)
    space = sp.simplify(sp.Matrix(rotation.angular_velocity(R, Rd)))
    body = sp.simplify(sp.Matrix(rotation.body_angular_velocity(R, Rd)))
    assert space == sp.Matrix([sp.cos(t) * sp.cos(t**2), sp.cos(t) * sp.sin(t**2), 2 * t])
    assert sp.simplify(sp.Matrix(R) * body - space) == sp.zeros(3, 1)


def worn(size: float) -> np.ndarray:
    R = np.array(rotation.exp((0.4, -1.2, 0.7)), dtype=float)
    return R + size * np.random.default_rng(3).uniform(-1, 1, (3, 3))


@pytest.mark.parametrize("repair", [rotation.orthonormalise_gram_schmidt, rotation.orthonormalise_polar])
def test_repair_gives_a_rotation_close_by_and_leaves_a_good_one(repair) -> None:
    R = repair(worn(1e-3).tolist())
    assert rotation.orthogonality_error(worn(1e-3).tolist()) > 1e-4
    assert rotation.orthogonality_error(R) <= ROUND_OFF
    assert_close(np.linalg.det(R), 1.0, within=ROUND_OFF, because="a rotation, not a reflection")
    assert_close(R, worn(1e-3), within=4e-3, because="entries were disturbed by up to 1e-3 each")
    good = worn(0.0)
    assert_close(repair(good.tolist()), good, within=ROUND_OFF, because="nothing to repair")


def test_gram_schmidt_keeps_the_first_column_and_polar_is_the_closest() -> None:
    A = worn(0.05)
    first = np.array(rotation.orthonormalise_gram_schmidt(A.tolist()))
    closest = np.array(rotation.orthonormalise_polar(A.tolist()))
    assert_close(first[:, 0], A[:, 0] / np.linalg.norm(A[:, 0]), within=ROUND_OFF, because="direction is kept")
    assert_close(closest, polar(A)[0], within=64 * EPS, because="two routes to the polar factor")
    assert np.linalg.norm(closest - A) < np.linalg.norm(first - A)


@pytest.mark.parametrize("repair", [rotation.orthonormalise_gram_schmidt, rotation.orthonormalise_polar])
def test_a_reflection_or_a_flat_matrix_is_refused(repair) -> None:
    with pytest.raises(ModelError, match="determinant"):
        repair(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, -1.0)))
    with pytest.raises(ModelError):
        repair(((1.0, 1.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
