"""Every joint placed by hand: rotation and position of the body, against matrices multiplied here."""

from __future__ import annotations

from math import cos, sin

import numpy as np
import pytest

import cardan as cd
from support.close import EPS, assert_close

A, B, C = 0.3, -0.7, 1.1
WITHIN = {"within": 16 * EPS, "because": "a product of a few rotation matrices"}


def turn(axis: str, angle: float) -> np.ndarray:
    """Rotation about x, y or z: columns are the turned axes."""
    c, s = cos(angle), sin(angle)
    return {
        "x": np.array([[1, 0, 0], [0, c, -s], [0, s, c]]),
        "y": np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]),
        "z": np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]),
    }[axis]


def pose(make, numbers, **options) -> tuple[np.ndarray, np.ndarray]:
    """(R, p) of a body whose joint is made from as many coordinates as there are numbers."""
    s = cd.System("one joint")
    symbols = [s.coordinates(f"q{k}") for k in range(len(numbers))]
    s.body("B", mass=1.0, inertia=1.0, joint=make(*symbols), **options)
    return s.compile().poses(list(numbers))["B"]


CASES = {
    "Revolute": (lambda a: cd.Revolute("y", a), (A,), turn("y", A), (0, 0, 0)),
    "Revolute about -z": (lambda a: cd.Revolute("-z", a), (A,), turn("z", -A), (0, 0, 0)),
    "Prismatic": (lambda a: cd.Prismatic((0.6, 0.0, 0.8), a), (A,), np.eye(3), (0.6 * A, 0, 0.8 * A)),
    "Cylindrical": (lambda a, d: cd.Cylindrical("x", a, d), (A, B), turn("x", A), (B, 0, 0)),
    "Universal": (lambda a, b: cd.Universal("z", a, "x", b), (A, B), turn("z", A) @ turn("x", B), (0, 0, 0)),
    "Planar": (lambda x, y, a: cd.Planar(x, y, a), (A, B, C), turn("z", C), (A, B, 0)),
    "Planar about y": (lambda z, x, a: cd.Planar(z, x, a, normal="y"), (A, B, C), turn("y", C), (B, 0, A)),
    "Ball 3-1-3": (
        lambda a, b, c: cd.Ball(cd.Euler("3-1-3", a, b, c)),
        (A, B, C),
        turn("z", A) @ turn("x", B) @ turn("z", C),
        (0, 0, 0),
    ),
    "Ball 1-2-3 in space": (
        lambda a, b, c: cd.Ball(cd.Euler("1-2-3", a, b, c, space=True)),
        (A, B, C),
        turn("z", C) @ turn("y", B) @ turn("x", A),
        (0, 0, 0),
    ),
    "Free": (
        lambda x, y, z, a, b, c: cd.Free(x, y, z, cd.Euler("3-2-1", a, b, c)),
        (1, 2, 3, A, B, C),
        turn("z", A) @ turn("y", B) @ turn("x", C),
        (1, 2, 3),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_pose_of_every_joint(name):
    make, numbers, R, p = CASES[name]
    found_R, found_p = pose(make, numbers)
    assert_close(found_R, R, **WITHIN)
    assert_close(found_p, p, **WITHIN)


def test_a_quaternion_turns_from_body_to_world():
    s = cd.System("ball")
    s.body("B", inertia=1.0, joint=cd.Ball(cd.Quaternion("e")))
    R, _ = s.compile().poses([cos(A / 2), 0.0, sin(A / 2), 0.0])["B"]
    assert_close(R, turn("y", A), **WITHIN)


def test_a_placement_comes_before_the_joint():
    R0 = turn("x", B)
    R, p = pose(lambda a: cd.Revolute("y", a), (C,), at=((1.0, 2.0, 3.0), R0))
    assert_close(R, R0 @ turn("y", C), **WITHIN)
    assert_close(p, [1, 2, 3], **WITHIN)
    R, p = pose(lambda a, d: cd.Cylindrical("y", a, d), (C, A), at=((1.0, 2.0, 3.0), R0))
    assert_close(R, R0 @ turn("y", C), **WITHIN)
    assert_close(p, [1, 2, 3] + R0 @ [0, A, 0], **WITHIN)


def test_a_joint_takes_an_expression():
    R, _ = pose(lambda a, b: cd.Revolute("z", 2 * a - b), (A, B))
    assert_close(R, turn("z", 2 * A - B), **WITHIN)


def test_fixed_bodies_ride_on_their_parent():
    s = cd.System("welded")
    arm = s.body("arm", mass=1.0, inertia=1.0, joint=cd.Revolute("z", s.coordinates("a")))
    s.body("tip", mass=1.0, parent=arm, at=(2.0, 0.0, 0.0))
    R, p = s.compile().poses([A])["tip"]
    assert_close(R, turn("z", A), **WITHIN)
    assert_close(p, [2 * cos(A), 2 * sin(A), 0], **WITHIN)


@pytest.mark.parametrize(
    ("make", "numbers", "expected"),
    [
        (lambda r, th, z: cd.PolarCylindrical(r, th, z), (2.0, A, 0.5), (2 * cos(A), 2 * sin(A), 0.5)),
        (
            lambda R, ph, th: cd.PolarSpherical(R, ph, th),
            (2.0, A, B),
            (2 * sin(A) * cos(B), 2 * sin(A) * sin(B), 2 * cos(A)),
        ),
        (lambda u, w, h: cd.Curve((u, u**2, h + w), u, w, h), (0.5, 1.0, 2.0), (0.5, 0.25, 3.0)),
    ],
)
def test_curvilinear_coordinates_of_a_particle(make, numbers, expected):
    s = cd.System("particle")
    symbols = [s.coordinates(f"q{k}") for k in range(3)]
    s.particle("P", mass=1.0, coordinates=make(*symbols))
    _, p = s.compile().poses(list(numbers))["P"]
    assert_close(p, expected, **WITHIN)


def test_basis_vectors_of_spherical_coordinates_point_along_growing_coordinates():
    s = cd.System("particle")
    R, phi, theta = s.coordinates("R phi theta")
    P = s.particle("P", mass=1.0, coordinates=cd.PolarSpherical(R, phi, theta))
    values = {R: 2.0, phi: A, theta: B}
    for vector, expected in (
        (P.e_R, (sin(A) * cos(B), sin(A) * sin(B), cos(A))),
        (P.e_phi, (cos(A) * cos(B), cos(A) * sin(B), -sin(A))),
        (P.e_theta, (-sin(B), cos(B), 0.0)),
    ):
        found = [float(part.subs(values)) for part in vector.express(s.world)]
        assert_close(found, expected, **WITHIN)


def test_vectors_of_different_frames_add_dot_and_cross():
    s = cd.System("vectors")
    a = s.coordinates("a")
    arm = s.body("arm", mass=1.0, joint=cd.Revolute("z", a))
    assert arm.x.dot(s.world.y).subs(a, A) == pytest.approx(sin(A), abs=4 * EPS)
    assert (arm.x.cross(arm.y) - s.world.z).magnitude() == 0
    mixed = (arm.x + 2 * s.world.x - s.world.z / 4).express(s.world)
    assert_close([float(part.subs(a, A)) for part in mixed], [cos(A) + 2, sin(A), -0.25], **WITHIN)
