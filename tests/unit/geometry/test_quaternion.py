"""Unit quaternions against SciPy, and their rates against derivatives."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation, Slerp

from cardan.errors import ModelError, WrongShape
from cardan.geometry import euler, quaternion, rotation
from support.close import EPS, assert_close

ROUND_OFF = 16 * EPS
vectors = st.tuples(*[st.floats(-1.8, 1.8)] * 3)


def random_quaternions(count: int = 20) -> np.ndarray:
    q = np.random.default_rng(2).normal(size=(count, 4))
    return q / np.linalg.norm(q, axis=1)[:, None]


def scipy_rotation(q: np.ndarray) -> Rotation:
    """SciPy keeps the scalar last."""
    return Rotation.from_quat(np.roll(q, -1))


def test_half_a_right_angle_about_z_is_a_quarter_turn() -> None:
    h = math.sqrt(0.5)
    turned = quaternion.rotate((h, 0.0, 0.0, h), (1.0, 0.0, 0.0))
    assert_close(turned, (0, 1, 0), within=4 * EPS, because="sqrt(1/2) is rounded")


def test_matrix_and_product_agree_with_scipy() -> None:
    qs = random_quaternions()
    for p, q in zip(qs, np.roll(qs, 1, axis=0), strict=True):
        because = "products of numbers below 1"
        assert_close(quaternion.matrix(q), scipy_rotation(q).as_matrix(), within=ROUND_OFF, because=because)
        product = np.array(quaternion.multiply(p, q))
        expected = (scipy_rotation(p) * scipy_rotation(q)).as_matrix()
        assert_close(quaternion.matrix(product), expected, within=2 * ROUND_OFF, because=because)
        unit = quaternion.multiply(q, quaternion.conjugate(q))
        assert_close(unit, quaternion.IDENTITY, within=ROUND_OFF, because=because)


def test_the_product_follows_hamilton() -> None:
    one, i, j, k = np.eye(4).tolist()
    assert quaternion.multiply(i, j) == tuple(k)
    assert quaternion.multiply(j, k) == tuple(i)
    assert quaternion.multiply(k, i) == tuple(j)
    assert quaternion.multiply(j, i) == tuple(-x for x in k)
    assert quaternion.multiply(i, i) == tuple(-x for x in one)


def test_every_branch_of_the_matrix_to_quaternion_map_is_accurate() -> None:
    near_half_turns = [np.roll([1.0, e, -e, e * e], s) for s in range(4) for e in (0.0, 1e-9, 0.1)]
    for q in [*random_quaternions(), *near_half_turns]:
        q = q / np.linalg.norm(q)
        found = np.array(quaternion.from_matrix(scipy_rotation(q).as_matrix()))
        assert found[0] >= 0
        same = found if found @ q > 0 else -found
        assert_close(same, q, within=ROUND_OFF, because="divided by a number of at least one half")


def test_axis_and_angle_agree_with_the_rotation_matrix() -> None:
    n = (0.6, 0.0, -0.8)
    R = quaternion.matrix(quaternion.from_axis_angle(n, 2.2))
    assert_close(R, rotation.about(n, 2.2), within=ROUND_OFF, because="two ways to one rotation")
    a = sp.Symbol("a")
    assert quaternion.from_axis_angle("y", a) == (sp.cos(a / 2), 0, sp.sin(a / 2), 0)


def test_rate_is_the_derivative_along_a_turning_body() -> None:
    """q(t) = q0 exp(w t) has the constant body angular velocity w; qd by SymPy."""
    t = sp.Symbol("t", positive=True)
    w = (sp.Rational(3, 10), sp.Rational(-6, 5), sp.Rational(2, 5))
    speed = sp.sqrt(sum(x**2 for x in w))
    step = (sp.cos(speed * t / 2), *(x / speed * sp.sin(speed * t / 2) for x in w))
    q = quaternion.multiply(tuple(random_quaternions(1)[0].tolist()), step)
    for time in (0.1, 1.7):
        value = [float(x.subs(t, time)) for x in q]
        qd = [float(sp.diff(x, t).subs(t, time)) for x in q]
        omega = [float(x) for x in w]
        assert_close(quaternion.rate(value, omega), qd, within=ROUND_OFF, because="sums of products near 1")
        assert_close(quaternion.angular_velocity(value, qd), omega, within=4 * ROUND_OFF, because="times four")
        R = np.array(quaternion.matrix(value))
        in_space = quaternion.space_rate_matrix(value) @ (R @ omega)
        assert_close(in_space, qd, within=2 * ROUND_OFF, because="the same rate from space components")


def test_rate_matrix_keeps_the_length_and_is_orthogonal() -> None:
    q = sp.symbols("w x y z", real=True)
    N = sp.Matrix(quaternion.rate_matrix(q))
    assert sp.simplify(sp.Matrix([q]) * N) == sp.zeros(1, 3)
    assert sp.simplify(N.T * N - sp.eye(3) * sum(x**2 for x in q) / 4) == sp.zeros(3)


def test_rate_matrix_belongs_to_the_rotation_matrix() -> None:
    """dR/dq N w = R skew(w) for every w, on the unit sphere."""
    q = sp.symbols("w x y z", real=True)
    R = sp.Matrix(quaternion.matrix(q))
    omega = (0.3, -0.7, 1.1)
    Rd = sum((R.diff(x) * r for x, r in zip(q, quaternion.rate(q, omega), strict=True)), sp.zeros(3))
    value = sp.lambdify([q], Rd)
    x, y, z = omega
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    for numbers in random_quaternions():
        expected = scipy_rotation(numbers).as_matrix() @ skew
        assert_close(value(numbers), expected, within=2 * ROUND_OFF, because="sums of products near 1")


@given(vectors)
def test_exponential_and_logarithm_agree_with_the_matrix_ones(phi: tuple[float, float, float]) -> None:
    q = quaternion.exp(phi)
    assert_close(math.hypot(*q), 1.0, within=4 * EPS, because="a cosine and a sine")
    assert_close(quaternion.matrix(q), rotation.exp(phi), within=ROUND_OFF, because="two ways to one rotation")
    assert_close(quaternion.log(q), phi, within=ROUND_OFF, because="lengths up to 3.12, just short of pi")
    opposite = [-x for x in q]
    assert_close(quaternion.log(opposite), phi, within=ROUND_OFF, because="q and -q are one rotation")


@pytest.mark.parametrize("size", [0.0, 1e-200, 1e-9, 0.99e-4, 1.01e-4])
def test_tiny_rotations_keep_their_relative_accuracy(size: float) -> None:
    phi = [size * x for x in (0.6, 0.0, -0.8)]
    back = quaternion.log(quaternion.exp(phi))
    assert_close(back, phi, within=8 * EPS * size, because="relative accuracy; zero stays zero")


@pytest.mark.parametrize("convention", euler.conventions(), ids=str)
def test_euler_angles_go_over_to_quaternions_and_back(convention: euler.Convention) -> None:
    angles = (0.4, 0.9, -1.3)
    q = quaternion.from_euler(convention.name, angles, convention.space)
    assert_close(quaternion.matrix(q), euler.matrix(convention, angles), within=ROUND_OFF, because="one rotation")
    found = quaternion.to_euler(q, convention.name, convention.space)
    assert_close(found.angles, angles, within=2 * ROUND_OFF, because="sin and cos of 0.9 are not small")


def test_slerp_agrees_with_scipy_and_takes_the_short_way() -> None:
    a, b = random_quaternions(2)
    expected = Slerp([0, 1], Rotation.concatenate([scipy_rotation(a), scipy_rotation(b)]))
    for s in (0.0, 0.3, 0.5, 1.0):
        for end in (b, -b):
            found = quaternion.matrix(quaternion.slerp(a, end, s))
            assert_close(found, expected(s).as_matrix(), within=2 * ROUND_OFF, because="sines of numbers near 1")
    assert_close(quaternion.slerp(a, a, 0.5), a, within=ROUND_OFF, because="nowhere to go")


def test_normalise_makes_length_one_and_refuses_zero() -> None:
    assert_close(quaternion.normalise((2.0, 0.0, 0.0, 0.0)), (1, 0, 0, 0), within=0, because="exact")
    w, x, y, z = sp.symbols("w x y z", positive=True)
    assert quaternion.normalise((w, x, y, z))[1] == x / sp.sqrt(w**2 + x**2 + y**2 + z**2)
    with pytest.raises(ModelError, match="no rotation"):
        quaternion.normalise((0.0, 0.0, 0.0, 0.0))
    with pytest.raises(WrongShape, match="quaternion must have 4 components"):
        quaternion.matrix((1.0, 0.0, 0.0))
