"""cd.rotations: one turn about one axis, told in every way, and starts given as rotations."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sp
from scipy.spatial.transform import Rotation as Independent

import cardan as cd
from cardan.errors import ModelError, SingularityError
from support.close import EPS, assert_close

ROUNDING = 40 * EPS
AXIS, ANGLE = (1.0, -2.0, 2.0), 1.3  # of length three


def independent() -> Independent:
    return Independent.from_rotvec(np.array(AXIS) / 3 * ANGLE)


def test_every_way_of_telling_a_rotation_agrees_with_scipy() -> None:
    R, other = cd.rotations.about(AXIS, ANGLE), independent()
    x, y, z, w = other.as_quat()
    for found, expected in (
        (R.matrix, other.as_matrix()),
        (R.quaternion, [w, x, y, z]),
        (R.vector, other.as_rotvec()),
        (R.rodrigues, math.tan(ANGLE / 2) * np.array(AXIS) / 3),
        (R.inverse.matrix, other.inv().as_matrix()),
        ([*R.axis, R.angle], [1 / 3, -2 / 3, 2 / 3, ANGLE]),
        (R.angles("3-1-3").angles, other.as_euler("ZXZ")),
        (R.angles("3-1-3", space=True).angles, other.as_euler("zxz")),
        (cd.rotations.from_quaternion([2 * w, 2 * x, 2 * y, 2 * z]).matrix, other.as_matrix()),
        (cd.rotations.from_vector(other.as_rotvec().tolist()).matrix, other.as_matrix()),
        (R @ (0.2, 0.5, -1.0), other.apply([0.2, 0.5, -1.0])),
    ):
        assert_close(found, expected, within=ROUNDING, because="a dozen roundings of numbers of size one")


def test_all_conventions_compose_as_scipy_does() -> None:
    nu = (0.4, 0.9, -1.1)
    assert len(cd.rotations.conventions()) == 24
    for one in cd.rotations.conventions():
        letters = "".join("xyz"[int(digit) - 1] for digit in one.name.split("-"))
        expected = Independent.from_euler(letters if one.space else letters.upper(), nu).as_matrix()
        assert_close(cd.rotations.euler(one, *nu).matrix, expected, within=ROUNDING, because="rounding")
        g = np.array(cd.rotations.basis(one, *nu))
        dual = np.array(cd.rotations.dual_basis(one, *nu))
        assert_close(g @ dual.T, np.eye(3), within=100 * EPS, because="rounding, over sin(0.9) and cos(0.9)")


def test_a_convention_says_where_it_locks() -> None:
    assert cd.rotations.singular_angles("3-1-3") == "sin(nu2) = 0"
    assert cd.rotations.singular_angles("3-2-1") == "cos(nu2) = 0"
    with pytest.raises(SingularityError):
        cd.rotations.dual_basis("3-1-3", 0.1, 0.0, 0.2)


def test_the_second_of_two_rotations_stands_on_the_left() -> None:
    """A quarter turn about z takes x to y; one about x then takes y to z."""
    first, second = cd.rotations.about("z", math.pi / 2), cd.rotations.about("x", math.pi / 2)
    assert_close((second @ first) @ (1, 0, 0), (0, 0, 1), within=ROUNDING, because="rounding")
    assert_close((first @ second) @ (1, 0, 0), (0, 1, 0), within=ROUNDING, because="rounding")


def test_an_axis_of_symbols_is_divided_by_its_length() -> None:
    a, t = sp.symbols("a t", positive=True)
    R = sp.Matrix(cd.rotations.about((0, 3 * a, 4 * a), t).matrix)
    n = sp.Matrix([0, sp.Rational(3, 5), sp.Rational(4, 5)])
    assert sp.simplify(R * n - n) == sp.zeros(3, 1)
    assert sp.simplify(R.trace() - 1 - 2 * sp.cos(t)) == 0


def test_eulers_theorem_from_points_before_and_after() -> None:
    """A screw: turn by ANGLE about an axis through p, and 0.7 along it; mean and scatter of points do not matter."""
    draw = np.random.default_rng(2)
    before, n, p = draw.normal(4.0, 1.0, size=(7, 3)), np.array(AXIS) / 3, np.array([0.3, 0.4, 0.25])
    p = p - n * (n @ p)
    after = independent().apply(before - p) + p + 0.7 * n
    found = cd.rotations.displacement(before.tolist(), after.tolist())
    told = [*found.axis, found.angle, found.advance, *found.point_on_axis, found.residual]
    assert_close(told, [*n, ANGLE, 0.7, *p, 0.0], within=1e-13, because="least squares of points within 10 of 0")
    assert_close(
        cd.rotations.from_points(before, after).matrix, independent().as_matrix(), within=1e-14, because="same"
    )


def test_points_on_a_line_and_mirror_images() -> None:
    with pytest.raises(ModelError, match="on a line"):
        cd.rotations.from_points([(0, 0, 0), (1, 0, 0), (2, 0, 0)], [(0, 0, 0), (0, 1, 0), (0, 2, 0)])
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    found = cd.rotations.displacement(corners, corners * [1, 1, -1])
    assert np.linalg.det(np.array(found.rotation)) > 0
    assert found.residual > 0.1


def test_what_is_no_rotation_is_refused_or_straightened() -> None:
    R = np.array(independent().as_matrix())
    with pytest.raises(ModelError, match="straighten"):
        cd.rotations.from_matrix(R + 0.01)
    with pytest.raises(ModelError, match="reflection"):
        cd.rotations.from_matrix(-R)
    with pytest.raises(ModelError, match="half a turn"):
        _ = cd.rotations.about("x", math.pi).rodrigues
    for by in ("polar", "gram-schmidt"):
        assert_close(cd.rotations.straighten(R * 1.01, by=by).matrix, R, within=ROUNDING, because="R was only enlarged")


def test_tensors_in_two_frames() -> None:
    """About z by a right angle, x and y moments change places; D_B = C D C^T leads back."""
    R = cd.rotations.about("z", math.pi / 2)
    D = R.tensor([[1, 0, 0], [0, 2, 0], [0, 0, 3]])
    assert_close(D, np.diag([2, 1, 3]), within=ROUNDING, because="rounding")
    C = np.array(R.direction_cosines)
    assert_close(C @ np.array(D) @ C.T, np.diag([1, 2, 3]), within=ROUNDING, because="rounding")


@pytest.mark.parametrize("orientation", ["quaternion", "euler", "space"])
def test_a_body_starts_as_a_rotation_says(orientation: str) -> None:
    s = cd.System("start")
    angles = s.coordinates("a b c")
    kinds = {
        "quaternion": cd.Quaternion("e"),
        "euler": cd.Euler("3-2-1", *angles),
        "space": cd.Euler("1-2-3", *angles, space=True),
    }
    s.body("top", mass=1, inertia=1, joint=cd.Ball(kinds[orientation]))
    s.kinetic_energy(sum(x.dot**2 for x in angles))
    for given in (cd.rotations.about(AXIS, 0.8), Independent.from_rotvec(np.array(AXIS) / 3 * 0.8).as_matrix()):
        run = s.simulate(0.01, q={"top": given})
        expected = Independent.from_rotvec(np.array(AXIS) / 3 * 0.8).as_matrix()
        assert_close(run.rotation("top")[0], expected, within=ROUNDING, because="rounding")


def test_a_start_by_rotation_needs_an_orientation() -> None:
    s = cd.System("hinge")
    s.body("door", mass=1, inertia=1, joint=cd.Revolute("z", s.coordinates("a")))
    with pytest.raises(ModelError, match="'door' cannot start with a rotation"):
        s.simulate(0.1, q={"door": cd.rotations.about("z", 0.3)})


FILE = """
cardan: 1
name: top
bodies:
  top: {mass: 1, inertia: [1, 2, 3], joint: {kind: ball, orientation: {kind: quaternion, name: e}}}
start: {q: {top: {axis: [1, -2, 2], angle: 0.8}}}
simulate: {duration: 0.01}
"""


def test_a_file_says_a_start_by_axis_and_angle(tmp_path) -> None:
    (tmp_path / "top.yaml").write_text(FILE, encoding="utf-8")
    s = cd.load(tmp_path / "top.yaml")
    expected = Independent.from_rotvec(np.array(AXIS) / 3 * 0.8).as_matrix()
    assert_close(s.simulate(**s.plan).rotation("top")[0], expected, within=ROUNDING, because="rounding")
