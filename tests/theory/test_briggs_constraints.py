"""Briggs (2016), chapters 4 and 5: primary velocity constraints, their degeneracy, and the constraint distribution.

Allowable velocities of a point are compared with (4.2.3), written down here from the theorems' vectors (mu_j, 0) and
(u_j x Delta_j, u_j), Delta_j = x - x_j (the sign of (4.2.2) as in the errata).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cardan as cd
from support.close import assert_close
from support.singular_systems import skates, snake_cart, spinless, three_lines

Array = Any
PI = np.pi


def body_with(*constraints: tuple[str, Any, Any]) -> tuple[Any, Any]:
    """A free body, as a quaternion at the identity, with primaries ("turn", axis) or ("slide", direction, point)."""
    s = cd.System("body with primary constraints")
    x = s.coordinates("x y z")
    body = s.body("body", mass=1.3, inertia=(0.2, 0.3, 0.25), joint=cd.Free(*x, cd.Quaternion("e")))
    w = s.world
    for k, (kind, direction, point) in enumerate(constraints):
        along = direction[0] * w.x + direction[1] * w.y + direction[2] * w.z
        if kind == "turn":
            s.no_spin(on=body, about=along, name=f"c{k + 1}")
        else:
            s.no_slip(on=body, point=body.point(*point), along=along, name=f"c{k + 1}")
    return s, body


def start(s: Any) -> Any:
    return {"x": 0.0, "y": 0.0, "z": 0.0, "e": (1.0, 0.0, 0.0, 0.0)}


def printed(constraints: Any, x: Array) -> Array:
    """Rows (mu_j, 0) and (u_j x Delta_j, u_j) of Theorem 4.6, for the point x."""
    rows = []
    for kind, direction, point in constraints:
        u = np.array(direction, dtype=float)
        rows.append(
            np.concatenate([u, np.zeros(3)])
            if kind == "turn"
            else np.concatenate([np.cross(u, x - np.array(point, dtype=float)), u])
        )
    return np.array(rows)


SETS = [
    [("turn", (0, 0, 1), None)],
    [("slide", (1, 0, 0), (0.3, 0.1, 0))],
    [("turn", (0, 0, 1), None), ("turn", (0, 1, 0), None)],
    [("turn", (0, 0, 1), None), ("slide", (0.6, 0.8, 0), (0.3, 0.1, 0.2))],
    [("slide", (1, 0, 0), (0, 0.2, 0)), ("slide", (1, 0, 0), (0, -0.2, 0)), ("turn", (0, 0, 1), None)],
    [("slide", (0, 0, 1), p) for p in ((0.3, 0, 0), (-0.2, 0.3, 0), (0, -0.3, 0), (0.1, 0.1, 0))],
]


@pytest.mark.parametrize("constraints", SETS, ids=lambda one: f"{len(one)} constraints, first {one[0][0]}")
def test_4_2_3_the_allowable_velocities_of_a_point(constraints: Any) -> None:
    """(4.2.3), the intersection of the kernels of (4.2.1) and (4.2.2), at two points of the body."""
    s, body = body_with(*constraints)
    d = s.diagnose(start(s))
    for point in ((0.0, 0.0, 0.0), (0.2, -0.4, 0.3)):
        rows = printed(constraints, np.array(point))
        expected = 6 - np.linalg.matrix_rank(rows)
        found = d.allowable_velocities(body, point)  # v over w
        assert found.shape == (6, expected)
        swapped = np.vstack([found[3:], found[:3]])  # the text's order (w, v)
        assert_close(rows @ swapped, np.zeros((len(rows), expected)), within=1e-12, because="round-off of one SVD")
        assert np.linalg.matrix_rank(swapped) == expected


def test_a_hinge_is_two_angular_and_three_translational_primaries() -> None:
    """Section 4.1: rotation about one axis only is the intersection of two primary angular constraints."""
    pin = [("slide", axis, (0.1, 0.2, 0)) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    s, body = body_with(("turn", (1, 0, 0), None), ("turn", (0, 1, 0), None), *pin)
    d = s.diagnose(start(s))
    (motion,) = d.allowable_velocities(body, (0.1, 0.2, 0.0)).T
    assert_close(motion[:5] / motion[5], np.zeros(5), within=1e-12, because="round-off")
    assert d.velocity_dof == 1
    (screw,) = d.screws(body)
    assert_close(np.abs(screw.axis), [0, 0, 1], within=1e-12, because="round-off")
    assert_close(screw.point[:2], [0.1, 0.2], within=1e-12, because="the axis of the hinge")
    assert screw.pitch == 0.0


def test_a_screw_joint_is_a_motion_with_pitch() -> None:
    """w_z = 2 v_z / 0.6 as a row leaves, with the other four held, one screw of pitch 0.3 through the origin."""
    s = cd.System("nut")
    z, a = s.coordinates("z"), s.coordinates("a", on="S1")
    nut = s.body("nut", mass=1.0, inertia=0.2, joint=cd.Cylindrical("z", a, z))
    s.constrain_velocity(z.dot - 0.3 * a.dot, name="thread")
    (screw,) = s.diagnose([0.1, 0.2]).screws(nut)
    assert_close(abs(screw.pitch), 0.3, within=1e-12, because="round-off")
    assert_close(screw.point[:2], [0, 0], within=1e-12, because="the axis of the joint")


# --- Theorems 4.4 to 4.6 in words ----------------------------------------------------------------------


def test_theorem_4_4_two_angular_constraints_degenerate_where_their_axes_are_parallel() -> None:
    d = spinless().s.diagnose([0.1, 0.2, 0.3, 0.7, 0.0, 0.0])
    (finding,) = d.findings
    assert finding.kind == "constraint-degeneracy"
    assert "axes of 'world_z' and 'body_z' are parallel" in finding.why
    assert "body" in finding.why
    assert len(finding.evidence["screws"]["body"]) == 5  # 6 - 2 would be left otherwise


def test_theorem_4_5_two_translational_constraints_degenerate_where_they_are_collinear() -> None:
    """(i) u_1 parallel u_2, (ii) x_2 - x_1 parallel u_1."""
    d = skates().s.diagnose([0.1, 0.2, 0.3, 0.0, 0.0, 0.4])
    (finding,) = d.findings
    assert "same line" in finding.why
    assert "collinear" in finding.why
    beside = skates().s.with_values(beside=0.2).diagnose([0.1, 0.2, 0.3, 0.0, 0.0, 0.4])
    assert beside.kinds == set()  # (i) alone is not enough


def test_theorem_4_5_three_constraints_by_the_space_of_reciprocal_screws() -> None:
    """Three parallel lines in a plane: 4 reciprocal screws where 6 - 3 would be, among them all motions in the planes
    across and the rotations about axes that meet every line."""
    d = three_lines().s.diagnose([0.1, 0.2, 0.3, 0.0, 0.6, 0.0])
    (finding,) = d.findings
    screws = finding.evidence["screws"]["body"]
    assert len(screws) == 4
    assert "4 reciprocal screws" in finding.why
    s = np.sin(0.6)
    lines = [
        (np.array([0.0, 1.0, 0.0]), np.array([0.1, 0.2, 0.3]) + k * np.array([np.cos(0.6), 0, -s]))
        for k in (0.4, -0.4, 0)
    ]
    for screw in screws:
        for u, p in lines:
            if np.isinf(screw.pitch):
                assert_close(screw.axis @ u, 0.0, within=1e-9, because="a translation across the line")
            else:
                velocity = screw.pitch * screw.axis + np.cross(screw.axis, p - screw.point)
                assert_close(velocity @ u, 0.0, within=1e-9, because="no velocity along the line")


def test_theorem_4_6_angular_and_translational_constraints_together() -> None:
    """Two parallel forces make a moment: (u, x_1) and (u, x_2) with a spin constraint about (x_2 - x_1) x u."""
    constraints = SETS[4]
    s, _ = body_with(*constraints)
    d = s.diagnose(start(s))
    assert (d.kinds, d.constraint_rank, d.velocity_dof) == ({"constraint-degeneracy"}, 2, 4)
    assert "Theorem 4.6" in d.findings[0].why
    assert len(d.findings[0].evidence["screws"]["body"]) == 4
    generic, _ = body_with(constraints[0], constraints[1], ("turn", (0, 1, 0), None))
    assert generic.diagnose(start(generic)).constraint_rank == 3


def test_four_parallel_lines_span_three_dimensions() -> None:
    """n = 4 normals of a plane: rank 3, and the three planar motions remain (a planar joint)."""
    s, body = body_with(*SETS[5])
    d = s.diagnose(start(s))
    assert (d.kinds, d.constraint_rank, d.redundant.permanent_count) == (set(), 3, 1)
    assert "in every configuration" in d.notes[0].what
    found = d.allowable_velocities(body)
    assert_close(found[[2, 3, 4]], np.zeros((3, 3)), within=1e-12, because="only x, y and rotation about z remain")


# --- chapter 5 -----------------------------------------------------------------------------------------


def test_corollary_5_5_singularities_are_where_the_dimension_of_d_increases() -> None:
    """D = ker A of the snake cart: dim 2 almost everywhere, 3 on phi = +-pi/2 and nowhere else on a grid."""
    s = snake_cart().s
    for phi in np.linspace(-PI, PI, 25):
        d = s.diagnose([0.2, 0.3, 0.5, phi])
        singular = np.isclose(abs(phi), PI / 2)
        assert d.velocity_dof == (3 if singular else 2)
        assert d.kinds == ({"constraint-degeneracy"} if singular else set())


def test_corollary_5_5_as_a_set() -> None:
    """Found as a condition, not only at a point."""
    sets = [one for one in snake_cart().s.singular_set() if one.kind == "constraint-degeneracy"]
    assert [one.text for one in sets] == ["cos(phi) = 0"]


def test_the_snake_cart_degenerates_through_collinear_constraints_on_two_bodies() -> None:
    """At phi = pi/2 both wheels hold the same line, although they are different bodies."""
    (finding,) = snake_cart().s.diagnose([0.0, 0.3, 0.0, PI / 2]).findings
    assert "act along the same line" in finding.why
    assert "front and rear" in finding.why
    allowed = finding.directions["allowed"]
    names = list(finding.directions["names"])
    assert_close(allowed[names.index("x")], np.zeros(3), within=1e-12, because="(1.2.4) says only u = 0")
