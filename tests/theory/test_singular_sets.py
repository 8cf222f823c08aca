"""Singular sets of the systems of Hemingway & O'Reilly and of Briggs, and of systems that are in no text.

Conditions are typed from the texts. What is said of a set is checked on configurations by numbers that do not come
from the search for sets: ranks of ``eq.at(q)``.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
import sympy as sp
from sympy import cos, exp, sin

import cardan as cd
from support import singular_systems as systems
from support.close import assert_close

COORDINATE, LOCK, CONSTRAINT, TASK, CARRIED = (
    "coordinate-singularity",
    "gimbal-lock",
    "constraint-degeneracy",
    "kinematic-singularity",
    "carried-by-constraints",
)


def found(s: Any, **asked: Any) -> set[tuple[str, str]]:
    sets = s.singular_set(**asked)
    assert all(one.verified for one in sets)
    return {(one.kind, one.text) for one in sets}


# --- Hemingway & O'Reilly ------------------------------------------------------------------------------

TEXT = [
    ("H1", systems.cylindrical, "F", {}, {(COORDINATE, "r = 0")}),  # after (20); the e_theta force is not locked
    ("H2", lambda: systems.plane(True), "F", {}, {(CARRIED, "everywhere")}),  # after (32)
    ("H3", systems.plane, "F", {}, {(CARRIED, "everywhere")}),
    ("H4", systems.plate, "F", {}, {(LOCK, "r_e = 0")}),  # after (47)
    ("H4, Mk^2 = 1e-10", systems.plate, "F", {"J": 1e-10}, {(LOCK, "r_e = 0")}),
    ("H4, Mk^2 = 0", systems.plate, "F", {"J": 0.0}, {(COORDINATE, "r_e = 0")}),
    ("H5", lambda: systems.plate(True), "F", {}, {(LOCK, "r_e = 0")}),
    ("H6", systems.spherical, "F", {}, {(COORDINATE, "R = 0"), (COORDINATE, "sin(phi) = 0")}),  # after (49)
    ("H7", systems.line, "F", {}, {(CARRIED, "everywhere")}),
    ("H8", systems.gimbal, "F", {}, {(LOCK, "sin(phi) = 0")}),  # after (72)
    ("H8, Mk^2 = 1e-10", systems.gimbal, "F", {"J": 1e-10}, {(LOCK, "sin(phi) = 0")}),
    ("H8, Mk^2 = 0", systems.gimbal, "F", {"J": 0.0}, {(COORDINATE, "sin(phi) = 0")}),
    ("H10", systems.euler, "M", {}, {(COORDINATE, "sin(nu2) = 0")}),  # after (77)
    ("H10, 3-2-1", lambda: systems.euler("3-2-1"), "M", {}, {(COORDINATE, "cos(nu2) = 0")}),
    ("H11", systems.driven, "M", {}, {(CARRIED, "everywhere")}),  # the moment along u, (90)
    ("H11 as a row", lambda: systems.driven("row"), "M", {}, {(CARRIED, "everywhere")}),
    ("H12", systems.suspension, "M", {}, {(LOCK, "sin(beta) = 0")}),  # after (103)
    ("H12, 1e-10", systems.suspension, "M", {"l1": 1e-10, "l2": 1e-10}, {(LOCK, "sin(beta) = 0")}),
    ("H12, lambda1 = 0", systems.suspension, "M", {"l1": 0.0}, {(LOCK, "sin(beta) = 0")}),
    ("H12, lambda2 = 0", systems.suspension, "M", {"l2": 0.0}, {(LOCK, "sin(beta) = 0")}),
    ("H12, both 0", systems.suspension, "M", {"l1": 0.0, "l2": 0.0}, {(COORDINATE, "sin(beta) = 0")}),
    ("H12, bearing", systems.suspension, "bearing", {}, {(CARRIED, "everywhere")}),
    ("H13, pinned body", systems.pinned, None, {}, set()),
    ("H13, cylinder", systems.cylinder, None, {}, set()),
    ("H14, top", systems.top, None, {}, {(COORDINATE, "sin(theta) = 0")}),
    ("H14, top by a quaternion", lambda: systems.top(True), None, {}, set()),
]


@pytest.mark.parametrize(("row", "build", "load", "values", "expected"), TEXT, ids=[one[0] for one in TEXT])
def test_sets_of_hemingway_and_oreilly_in_all_units(
    row: str, build: Any, load: str | None, values: dict[str, float], expected: Any
) -> None:
    built = build()
    for length, mass in systems.UNITS.values():
        s = built.scaled(length, mass, np.ones(len(built.factors)), values)
        assert found(s, load=load) == expected


@pytest.mark.parametrize(("row", "build", "load", "values", "expected"), TEXT, ids=[one[0] for one in TEXT])
def test_ranks_at_points_of_a_coordinate_singularity_and_beside_it(
    row: str, build: Any, load: str | None, values: dict[str, float], expected: Any
) -> None:
    """numpy's rank of M drops at points of the set, and not at points 0.1 away from it in every coordinate."""
    built = build()
    s = built.scaled(1.0, 1.0, np.ones(len(built.factors)), values)
    eq = s.equations()
    for one in s.singular_set():
        assert one.kind == COORDINATE
        for q in one.points:
            assert np.linalg.matrix_rank(eq.at(q).M, tol=1e-12) < len(s.model.v)
            assert np.linalg.matrix_rank(eq.at(q + 0.1).M, tol=1e-12) == len(s.model.v)


def test_a_moment_that_is_lost_moves_nothing_at_the_set_and_something_beside_it() -> None:
    """H12: accelerations with and without the moment, at rest."""
    s = systems.suspension().s
    (lock,) = s.singular_set(load="M")
    eq = s.equations()
    for q in lock.points:
        pushed = eq.at(q, loads={"M": 1.0}).acceleration
        assert_close(pushed, np.zeros(3), within=1e-14, because="sin(pi) in floats, divided by inertias of order 1")
        assert np.max(np.abs(eq.at(q + 0.1, loads={"M": 1.0}).acceleration)) > 0.01


def test_conditions_are_sympy_relations_between_the_users_own_symbols() -> None:
    s = systems.suspension().s
    (lock,) = s.singular_set(load="M")
    beta = next(q for q in s.model.q if str(q) == "beta")
    assert lock.condition == sp.Eq(sin(beta), 0)
    assert (lock.how, lock.dimension, lock.load) == ("symbolic", 2, "M")


def test_a_load_may_be_named_by_its_magnitude_by_a_component_or_with_a_direction() -> None:
    """A force on a bar acts except along the bar, and never along its axis."""
    s = cd.System("hinge")
    a = s.coordinates("a", on="S1")
    bar = s.body("bar", mass=1.0, com=(1, 0, 0), joint=cd.Revolute("z", a))
    F = s.force("F", on=bar)
    assert found(s, load="F_x") == found(s, load=F[0]) == {(LOCK, "sin(a) = 0")}
    assert found(s, load="F_z") == {(CARRIED, "everywhere")}
    (slanted,) = s.singular_set(load={"F": (1, 1, 0)})
    assert_close(
        np.tan(slanted.points), 1.0, within=1e-9, because="Newton's method to 1e-11 of the size of the condition"
    )
    assert found(s, load="F") == {(LOCK, "sin(a) = 0"), (LOCK, "cos(a) = 0"), (CARRIED, "everywhere")}
    with pytest.raises(cd.CardanError, match="no load"):
        s.singular_set(load="G")
    with pytest.raises(cd.CardanError, match="3 components"):
        s.singular_set(load={"F": 1.0})


def test_each_system_of_the_text_takes_less_than_two_seconds() -> None:
    """Measured after the first call, which loads SymPy; the slowest took 0.8 s on one core of a shared machine."""
    systems.cylindrical().s.singular_set()
    for row, build, load, _, _ in TEXT:
        s = build().s
        begin = time.process_time()
        s.singular_set(load=load)
        s.manifold()
        assert time.process_time() - begin < 2.0, row


# --- Briggs, robots, loops -----------------------------------------------------------------------------


def test_snake_cart_degenerates_where_cos_phi_is_0_however_its_rows_are_scaled() -> None:
    """(1.2.4): rank 2 -> 1 at phi = +-pi/2, a set of dimension 3 of the four coordinates."""
    built = systems.snake_cart()
    rng = np.random.default_rng(3)
    for length, mass in systems.UNITS.values():
        s = built.scaled(length, mass, 10.0 ** rng.uniform(-3, 3, 2), {})
        (one,) = s.singular_set()
        assert (one.kind, one.text, one.dimension, one.verified) == (CONSTRAINT, "cos(phi) = 0", 3, True)


def test_parallelogram_folds_flat_in_two_configurations() -> None:
    """Ground 2, crank 1, coupler 2, rocker 1: all bars along the ground, crank at 0 or at pi."""
    (one,) = systems.four_bar().s.singular_set()
    assert (one.kind, one.text, one.dimension) == (CONSTRAINT, "sin(a - c) = 0 and sin(b) = 0", 0)
    folded = np.exp(1j * one.points)[np.argsort(-np.cos(one.points[:, 0]))]
    assert_close(
        np.abs(folded - np.array([[1, 1, 1], [-1, -1, -1]])),
        0.0,
        within=1e-7,
        because="double roots are found to half the digits",
    )


@pytest.mark.parametrize(("ground", "folds"), [(2.0, True), (2.2, False), (1.5, False)])
def test_four_bar_of_bodies_and_joints_folds_only_where_its_lengths_add_up(ground: float, folds: bool) -> None:
    s = cd.System("four-bar of 3-D revolute joints")
    a, b, c = s.coordinates("a b c", on="S1")
    crank = s.body("crank", mass=1.0, inertia=0.1, com=(0.5, 0, 0), joint=cd.Revolute("z", a))
    coupler = s.body(
        "coupler", mass=1.0, inertia=0.1, com=(1, 0, 0), joint=cd.Revolute("z", b), parent=crank, at=(1, 0, 0)
    )
    rocker = s.body("rocker", mass=1.0, inertia=0.1, com=(0.5, 0, 0), joint=cd.Revolute("z", c), at=(ground, 0, 0))
    s.connect(coupler.point(2, 0, 0), rocker.point(1, 0, 0), cd.Revolute("z"), name="loop")
    expected = {(CONSTRAINT, "sin(a - c) = 0 and sin(b) = 0")} if folds else set()
    assert found(s) == expected


PRIMARY = [  # Theorems 4.4 and 4.5; three lines are dependent where they are parallel and in one plane
    (systems.spinless, {"sin(b) = 0 and sin(c) = 0"}),
    (systems.skates, {"sin(a) = 0 and sin(b) = 0"}),
]


@pytest.mark.parametrize(("build", "expected"), PRIMARY, ids=["parallel axes", "collinear constraints"])
def test_primary_constraints_degenerate_where_briggs_says(build: Any, expected: set[str]) -> None:
    """The 3-2-1 angles of the body are singular at cos(b) = 0 too; no constraint degenerates for that reason."""
    sets = build().s.singular_set()
    assert {one.text for one in sets if one.kind == CONSTRAINT} == expected
    assert {one.text for one in sets if one.kind == COORDINATE} == {"cos(b) = 0"}


def test_the_tip_of_the_rp_arm_is_stuck_at_q2_0() -> None:
    """Choset 10.2.1: T(q) = J^T loses rank at q2 = 0; the mass matrix does not."""
    s = cd.System("RP arm")
    q1, q2 = s.coordinates("q1", on="S1"), s.coordinates("q2")
    link = s.body("link", mass=1.0, inertia=0.1, joint=cd.Revolute("z", q1))
    tip = s.body("tip", mass=1.0, inertia=0.1, parent=link, joint=cd.Prismatic("x", q2))
    assert found(s) == set()
    assert found(s, task=tip.origin) == {(TASK, "q2 = 0")}


# --- systems that are in no text -----------------------------------------------------------------------


def arm(*axes: str, offset: Any = (1, 0, 0)) -> tuple[Any, Any]:
    s = cd.System("arm")
    link = None
    for k, axis in enumerate(axes):
        q = s.coordinates(f"q{k + 1}", on="S1")
        link = s.body(
            f"link{k + 1}",
            mass=1.0,
            inertia=0.1,
            joint=cd.Revolute(axis, q),
            parent=link,
            at=None if link is None else offset,
        )
    return s, link


def test_planar_arms_are_stuck_where_their_links_are_in_line() -> None:
    s, last = arm("z", "z")
    assert found(s, task=last.point(1, 0, 0)) == {(TASK, "sin(q2) = 0")}
    s, last = arm("z", "z", "z")
    assert found(s, task=last.point(1, 0, 0)) == {(TASK, "sin(q2) = 0 and sin(q3) = 0")}


def test_elbow_arm_is_stuck_stretched_and_above_its_base() -> None:
    """Axes z, y, y with arms 0.7 and 0.4: sin(q3) = 0, and where the tip is on the first axis."""
    s = cd.System("elbow arm")
    q1, q2, q3 = s.coordinates("q1 q2 q3", on="S1")
    base = s.body("base", mass=1.0, inertia=0.1, joint=cd.Revolute("z", q1))
    upper = s.body("upper", mass=1.0, inertia=0.1, joint=cd.Revolute("y", q2), parent=base, at=(0, 0, 0.5))
    lower = s.body("lower", mass=1.0, inertia=0.1, joint=cd.Revolute("y", q3), parent=upper, at=(0.7, 0, 0))
    sets = s.singular_set(task=lower.point(0.4, 0, 0))
    assert [one.text for one in sets if one.text.startswith("sin")] == ["sin(q3) = 0"]
    (above,) = (one for one in sets if not one.text.startswith("sin"))
    for q in above.points:
        reach = 0.7 * np.cos(q[1]) + 0.4 * np.cos(q[1] + q[2])
        assert_close(reach, 0.0, within=1e-10, because="Newton's method to 1e-11 of the size of the condition")


def test_massless_arm_with_a_mass_at_its_tip_loses_rank_where_it_is_straight() -> None:
    s = cd.System("massless arm")
    a, b = s.coordinates("a b", on="S1")
    length = s.parameters(l=0.8)
    place = s.world.vector(length * (sin(a) + sin(b)), length * (cos(a) + cos(b)), 0)
    s.particle("P", mass=1.0, position=place)
    assert found(s) == {(COORDINATE, "sin(a - b) = 0")}


def test_gimbal_of_a_body_with_three_moments_and_an_offset() -> None:
    s = cd.System("body with an offset")
    yaw, pitch, roll = s.coordinates("yaw pitch roll", on="S1")
    joint = cd.Ball(cd.Euler("3-2-1", yaw, pitch, roll))
    s.body("body", mass=1.3, inertia=(1, 2, 2.5), com=(0.1, 0.2, 0.3), joint=joint)
    assert found(s) == {(COORDINATE, "cos(pitch) = 0")}


def test_sums_of_squares_are_split_into_what_vanishes_together() -> None:
    """x = (u^2 - v^2) / 2, y = u v: parabolic coordinates, det M = (u^2 + v^2)^2."""
    s = cd.System("parabolic coordinates")
    u, v = s.coordinates("u v")
    s.particle("P", mass=1.0, position=s.world.vector((u**2 - v**2) / 2, u * v, 0))
    assert found(s) == {(COORDINATE, "u = 0 and v = 0")}


def test_elliptic_coordinates_are_singular_at_the_foci() -> None:
    """x = cosh(a) cos(b), y = sinh(a) sin(b): sinh(a)^2 + sin(b)^2 = 0; written with exp, so no polynomial identity."""
    s = cd.System("elliptic coordinates")
    a, b = s.coordinates("a"), s.coordinates("b", on="S1")
    ch, sh = (exp(a) + exp(-a)) / 2, (exp(a) - exp(-a)) / 2
    s.particle("P", mass=1.0, position=s.world.vector(ch * cos(b), sh * sin(b), 0))
    points = np.vstack([one.points for one in s.singular_set()])
    assert len(points)
    size = np.sinh(points[:, 0]) ** 2 + np.sin(points[:, 1]) ** 2
    assert_close(size, 0.0, within=1e-6, because="a double root is found to half the digits, and then squared")


def test_a_carrier_on_an_ellipse_is_regular_everywhere() -> None:
    s = cd.System("bead on an ellipse")
    u = s.coordinates("u", on="S1")
    s.particle("P", mass=1.0, coordinates=cd.Curve((2 * cos(u), sin(u), 0), u))
    assert found(s) == set()


def test_a_curve_with_a_cusp_is_singular_there() -> None:
    s = cd.System("bead on a cusp")
    u = s.coordinates("u")
    s.particle("P", mass=1.0, coordinates=cd.Curve((u**2, u**3, 0), u))
    assert found(s) == {(COORDINATE, "u = 0")}


def test_a_typed_lagrangian_is_read_like_bodies() -> None:
    s = cd.System("spherical pendulum, typed")
    theta, phi = s.coordinates("theta phi", on="S1")
    m, length = s.parameters(m=1.0, l=2.0)
    s.lagrangian(m * length**2 * (theta.dot**2 + sin(theta) ** 2 * phi.dot**2) / 2)
    assert found(s) == {(COORDINATE, "sin(theta) = 0")}


def test_a_coordinate_that_moves_no_mass_is_singular_everywhere() -> None:
    s = cd.System("point mass on three Euler angles")
    angles = s.coordinates("a b c", on="S1")
    s.body("ball", mass=1.0, com=(0, 0, 1), joint=cd.Ball(cd.Euler("3-1-3", *angles)))
    assert found(s) == {(COORDINATE, "everywhere"), (COORDINATE, "sin(b) = 0")}


def test_crossing_lines_and_slider_cranks_degenerate_where_their_branches_meet() -> None:
    s = cd.System("two lines")
    x, y = s.coordinates("x y")
    s.kinetic_energy((x.dot**2 + y.dot**2) / 2)
    s.constrain(x * y)
    assert found(s) == {(CONSTRAINT, "x = 0 and y = 0")}
    s = cd.System("slider-crank with equal links")
    a, b, x = s.coordinates("a", on="S1"), s.coordinates("b", on="S1"), s.coordinates("x")
    s.kinetic_energy((a.dot**2 + b.dot**2 + x.dot**2) / 2)
    s.constrain(cos(a) + cos(b) - x)
    s.constrain(sin(a) + sin(b))
    assert found(s) == {(CONSTRAINT, "cos(a) = 0 and cos(b) = 0")}


def test_large_systems_are_traced_in_numbers() -> None:
    """A platform on seven massless turns: too many for symbols. Rank 3 everywhere it can be, so 'everywhere' is said,
    and singular configurations have all seven axes in one plane."""
    s = cd.System("seven massless gimbals")
    q = s.coordinates("q1 q2 q3 q4 q5 q6 q7", on="S1")
    parent = None
    for k, axis in enumerate("zxzxzxz"):
        inertia = 1.0 if k == 6 else 0.0
        parent = s.body(f"b{k}", inertia=inertia, joint=cd.Revolute(axis, q[k]), parent=parent)
    sets = s.singular_set(budget=120)  # traced in about 15 s
    assert sets[0].text == "everywhere"
    eq = s.equations()
    for one in sets[1:]:
        assert one.how == "numeric"
        for point in one.points:
            assert np.linalg.matrix_rank(eq.at(point).M, tol=1e-10) < 3


def test_a_skate_and_a_seven_joint_arm_are_regular() -> None:
    s = cd.System("sleigh")
    x, y, theta = s.coordinates("x y theta")
    body = s.body("sleigh", mass=1.0, inertia=1.0, joint=cd.Planar(x, y, theta))
    s.no_slip(on=body, along=body.y)
    assert found(s) == set()
    s, _ = arm(*"zyzyzyz")
    assert found(s) == set()
