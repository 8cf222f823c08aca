"""All 24 Euler conventions against SciPy and against the derivative of the rotation itself."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sp
from scipy.spatial.transform import Rotation

from cardan.errors import ModelError, SingularityError
from cardan.geometry import euler
from cardan.geometry.euler import Convention
from cardan.geometry.matrix import matvec
from cardan.geometry.rotation import about, compose
from support.close import EPS, assert_close

ROUND_OFF = 16 * EPS
every_convention = pytest.mark.parametrize("convention", euler.conventions(), ids=str)


def scipy_matrix(convention: Convention, angles: np.ndarray) -> np.ndarray:
    """SciPy writes body sequences in capitals and space sequences in small letters."""
    letters = convention.name.replace("-", "").translate(str.maketrans("123", "xyz"))
    return Rotation.from_euler(letters if convention.space else letters.upper(), angles).as_matrix()


def random_angles(count: int = 20) -> np.ndarray:
    """Angles all over the circle; nu2 stays 0.1 away from multiples of pi/2, hence from every singularity."""
    rng = np.random.default_rng(5)
    angles = rng.uniform(-math.pi, math.pi, (count, 3))
    angles[:, 1] = rng.integers(-2, 2, count) * math.pi / 2 + rng.uniform(0.1, math.pi / 2 - 0.1, count)
    return angles


def test_there_are_24_different_conventions() -> None:
    assert len({euler.matrix(c, (0.3, 0.5, 0.8)) for c in euler.conventions()}) == 24


@every_convention
def test_the_matrix_agrees_with_scipy(convention: Convention) -> None:
    for angles in random_angles():
        assert_close(
            euler.matrix(convention, angles),
            scipy_matrix(convention, angles),
            within=ROUND_OFF,
            because="two products of rotations",
        )


@every_convention
def test_elementary_axes_describe_a_chain_of_hinges(convention: Convention) -> None:
    nu = (0.4, -0.7, 1.9)
    axes, order = euler.elementary_axes(convention)
    chain = compose(*(about(axis, nu[index]) for axis, index in zip(axes, order, strict=True)))
    assert_close(chain, scipy_matrix(convention, np.array(nu)), within=ROUND_OFF, because="two products of rotations")


def test_space_123_is_body_321_with_the_angles_reversed() -> None:
    assert euler.elementary_axes("1-2-3", space=True) == (("z", "y", "x"), (2, 1, 0))
    assert euler.elementary_axes("3-1-3") == (("z", "x", "z"), (0, 1, 2))
    a, b, c = sp.symbols("a b c")
    assert euler.matrix("1-2-3", (a, b, c), space=True) == euler.matrix("3-2-1", (c, b, a))


@every_convention
def test_the_euler_basis_is_the_derivative_of_the_rotation(convention: Convention) -> None:
    """skew(g_i) = dR/dnu_i R^T in space components and R^T dR/dnu_i in body components, differentiated by SymPy."""
    nu = sp.symbols("nu1:4", real=True)
    R = sp.Matrix(euler.matrix(convention, nu))
    in_space = [R.diff(x) * R.T for x in nu]
    in_body = [R.T * R.diff(x) for x in nu]
    g_space = euler.basis(convention, nu)
    g_body = euler.basis(convention, nu, expressed_in="body")
    for derivatives, basis in ((in_space, g_space), (in_body, g_body)):
        axial = [[S[2, 1], S[0, 2], S[1, 0]] for S in derivatives]
        difference = sp.lambdify([nu], sp.Matrix(axial) - sp.Matrix(basis), "numpy")
        for angles in random_angles():
            assert_close(difference(angles), np.zeros((3, 3)), within=ROUND_OFF, because="sums of products of sines")


@every_convention
@pytest.mark.parametrize("frame", ["space", "body"])
def test_the_dual_basis_is_reciprocal_and_the_determinant_right(convention: Convention, frame) -> None:
    for angles in random_angles():
        g = np.array(euler.basis(convention, angles, expressed_in=frame), dtype=float)
        dual = np.array(euler.dual_basis(convention, angles, expressed_in=frame), dtype=float)
        because = "dual vectors up to 1/sin(0.1) = 10 long"
        assert_close(g @ dual.T, np.eye(3), within=10 * ROUND_OFF, because=because)
        found = euler.determinant(convention, angles)
        assert_close(found, np.linalg.det(g), within=ROUND_OFF, because="sums of products of sines")
        expected = math.sin(angles[1]) if convention.is_proper else math.cos(angles[1])
        assert_close(abs(found), abs(expected), within=0, because="the same sine")


@every_convention
@pytest.mark.parametrize("frame", ["space", "body"])
def test_rates_and_angular_velocity_undo_each_other(convention: Convention, frame) -> None:
    for angles in random_angles(5):
        rates = (0.3, -1.1, 0.6)
        omega = euler.angular_velocity(convention, angles, rates, expressed_in=frame)
        back = euler.rates_from(convention, angles, omega, expressed_in=frame)
        assert_close(back, rates, within=20 * ROUND_OFF, because="dual vectors up to 10 long, rates near 1")


@every_convention
def test_body_and_space_components_differ_by_the_rotation(convention: Convention) -> None:
    for angles in random_angles(5):
        R = euler.matrix(convention, angles)
        for function in (euler.basis, euler.dual_basis):
            space = function(convention, angles, expressed_in="space")
            body = function(convention, angles, expressed_in="body")
            turned = [matvec(R, g) for g in body]
            assert_close(turned, space, within=10 * ROUND_OFF, because="vectors up to 10 long")


@every_convention
def test_angles_come_back_inside_the_usual_range(convention: Convention) -> None:
    rng = np.random.default_rng(8)
    low, high = (0.0, math.pi) if convention.is_proper else (-math.pi / 2, math.pi / 2)
    for _ in range(20):
        angles = rng.uniform(-math.pi, math.pi, 3)
        angles[1] = rng.uniform(low + 0.01, high - 0.01)
        found = euler.angles_from(convention, euler.matrix(convention, angles))
        assert not found.is_singular
        assert_close(found.angles, angles, within=100 * ROUND_OFF, because="sin(0.01) amplifies round-off by 100")


@every_convention
@pytest.mark.parametrize("away", [0.0, 1e-15, 1e-13, 1e-9, 1e-7, 1e-4])
def test_angles_reproduce_the_rotation_at_and_near_the_singularity(convention: Convention, away: float) -> None:
    for singular in (0.0, math.pi) if convention.is_proper else (-math.pi / 2, math.pi / 2):
        R = np.array(euler.matrix(convention, (0.4, singular + away, -1.3)), dtype=float)
        found = euler.angles_from(convention, R)
        assert found.is_singular == (away < 1e-12)
        because = "within 1e-12 of the singularity the first stage's angle is dropped"
        allowed = 2e-12 if 0 < away < 1e-12 else ROUND_OFF
        assert_close(euler.matrix(convention, found.angles), R, within=allowed, because=because)
        if found.is_singular:
            assert found.angles[convention.order[0]] == 0.0


@every_convention
def test_the_dual_basis_of_numbers_is_refused_at_the_singularity(convention: Convention) -> None:
    for singular in (0.0, math.pi, 0, -math.pi) if convention.is_proper else (-math.pi / 2, math.pi / 2):
        with pytest.raises(SingularityError, match="nu2") as caught:
            euler.dual_basis(convention, (0.1, singular, 0.2))
        assert caught.value.angle == "nu2"
        assert str(convention) in str(caught.value)
    euler.dual_basis(convention, (0.1, 0.5 + (0 if convention.is_proper else 1.0), 0.2))


def test_the_dual_basis_of_symbols_is_infinite_only_when_evaluated() -> None:
    nu = sp.symbols("nu1:4", real=True)
    g1 = sp.Matrix(euler.dual_basis("3-1-3", nu)[0])
    assert g1.subs(nu[1], 0).has(sp.zoo)


@pytest.mark.parametrize("spelling", ["3-1-3", "313", "zxz", "ZXZ", "z-x-z", "Z-X-Z", " 3 1 3 "])
def test_a_convention_may_be_spelled_in_several_ways(spelling: str) -> None:
    assert euler.parse(spelling) == Convention("3-1-3", space=False)
    assert str(euler.parse(spelling, space=True)) == "space 3-1-3"


@pytest.mark.parametrize("wrong", ["3-3-1", "1-1-1", "12", "", "abc", "3-1-3-1", "xy3q", 313.5])
def test_a_wrong_convention_is_answered_with_the_valid_ones(wrong: str) -> None:
    with pytest.raises(ModelError, match=r"Unknown Euler convention .* 3-1-3, 3-2-3.*space=True") as caught:
        euler.parse(wrong)
    assert len(caught.value.valid) == 12


def test_components_are_asked_for_by_frame_name() -> None:
    with pytest.raises(ModelError, match="'space' or 'body'; found 'world'"):
        euler.basis("3-1-3", (0.1, 0.2, 0.3), expressed_in="world")  # type: ignore[arg-type]


def test_entries_are_as_short_as_by_hand() -> None:
    nu = sp.symbols("nu1:4", real=True)
    s, c = [sp.sin(x) for x in nu], [sp.cos(x) for x in nu]
    assert euler.rate_matrix("3-1-3", nu) == (
        (s[1] * s[2], c[2], 0),
        (s[1] * c[2], -s[2], 0),
        (c[1], 0, 1),
    )
    assert sum(sp.count_ops(x) for row in euler.matrix("3-2-1", nu) for x in row) <= 54
