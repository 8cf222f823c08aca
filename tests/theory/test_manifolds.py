"""Configuration manifolds: those that Hemingway & O'Reilly name, and the same rules on systems that are in no text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sympy import cos, pi, sin, sqrt

import cardan as cd
from support import singular_systems as systems

LIGHT = {"l1": 0.0, "l2": 0.0}
TEXT = [
    ("H1", systems.cylindrical, {}, "E^3"),
    ("H2", lambda: systems.plane(True), {}, "H^2"),
    ("H3", systems.plane, {}, "E^2"),
    ("H4", systems.plate, {}, "E^2 x S^1"),
    ("H4, massless plate", systems.plate, {"J": 0.0, "M": 0.0}, "E^3"),
    ("H5", lambda: systems.plate(True), {}, "H^2 x S^1"),
    ("H6", systems.spherical, {}, "E^3"),
    ("H7, half-line", lambda: systems.line(True), {}, "H^1"),
    ("H7, line", systems.line, {}, "E^1"),
    ("H8", systems.gimbal, {}, "T^2"),
    ("H8, massless gimbal", systems.gimbal, {"J": 0.0, "M": 0.0}, "S^2"),
    ("H9", lambda: systems.gimbal(True), {}, "I x S^1"),
    ("H10", systems.euler, {}, "RP^3"),
    ("H10, 3-2-1", lambda: systems.euler("3-2-1"), {}, "RP^3"),
    ("H11", systems.driven, {}, "T^2"),
    ("H11, as a row", lambda: systems.driven("row"), {}, "T^2"),
    ("H11, stops", lambda: systems.driven("stops"), {}, "I x S^1"),
    ("H12", systems.suspension, {}, "T^3"),
    ("H12, stops", lambda: systems.suspension(True), {}, "T^2 x I"),
    ("H12, both gimbals massless", systems.suspension, LIGHT, "RP^3"),
    ("H12, outer gimbal massless", systems.suspension, {"l1": 0.0}, "T^3"),
    ("H12, inner gimbal massless", systems.suspension, {"l2": 0.0}, "T^3"),
    ("H13, whirling pinned body", systems.pinned, {}, "T^2"),
    ("H13, sliding cylinder", systems.cylinder, {}, "E^2 x T^2"),
    ("H14, top", systems.top, {}, "RP^3"),
    ("H14, top by a quaternion", lambda: systems.top(True), {}, "RP^3"),
    ("B1", systems.snake_cart, {}, "E^2 x T^2"),
    ("B2, two bodies interconnected", systems.pendulums, {}, "T^2"),
]


@pytest.mark.parametrize(("row", "build", "values", "expected"), TEXT, ids=[one[0] for one in TEXT])
def test_manifolds_of_the_texts_in_all_units(row: str, build: Any, values: dict[str, float], expected: str) -> None:
    built = build()
    for length, mass in systems.UNITS.values():
        s = built.scaled(length, mass, np.ones(len(built.factors)), values)
        found = s.manifold()
        assert (str(found), found.undecided) == (expected, ()), found.why


def test_fixed_axis_of_appendix_a2() -> None:
    s = cd.System("fixed axis")
    s.body("body", mass=1.0, inertia=(1, 2, 2.5), joint=cd.Revolute((0.6, 0, 0.8), s.coordinates("theta")))
    assert str(s.manifold()) == "S^1"


@pytest.mark.parametrize("held", [0, 2])
def test_first_or_third_euler_angle_constrained_as_in_appendix_a1(held: int) -> None:
    s = cd.System("constrained Euler angle")
    angles = s.coordinates("nu1 nu2 nu3")
    s.body("body", mass=1.0, inertia=(1, 2, 2.5), joint=cd.Ball(cd.Euler("3-1-3", *angles)))
    s.constrain(angles[held] - 0.3)
    assert str(s.manifold()) == "T^2"


def test_boundaries_and_dimensions_are_told() -> None:
    found = systems.suspension(True).s.manifold()
    assert found.dimension == 3
    assert len(found.boundaries) == 2
    assert found.boundaries[0] == "beta >= 0"
    assert systems.suspension().s.manifold().boundaries == ()


def test_a_stop_where_the_chart_is_singular_is_no_boundary() -> None:
    """H1: r >= 0 ends the chart, not the motion: no impulse acts there, as it does in H2 (after (26))."""
    s = cd.System("free particle")
    r, theta, z = s.coordinates("r theta z")
    s.particle("P", mass=1.0, coordinates=cd.PolarCylindrical(r, theta, z))
    s.stop(r, restitution=1)
    found = s.manifold()
    assert (str(found), found.boundaries) == ("E^3", ())
    assert any("no boundary" in reason for reason in found.why)


def test_a_range_without_a_stop_is_no_boundary_and_that_is_said() -> None:
    s = cd.System("particle on a rotating plane")
    r, theta = s.coordinates("r", on="R+"), s.coordinates("theta")
    s.particle("P", mass=1.0, coordinates=cd.PolarCylindrical(r, theta))
    s.prescribe(theta, s.time)
    found = s.manifold()
    assert str(found) == "E^1"
    assert any("no stop" in reason for reason in found.why)


# --- systems that are in no text -----------------------------------------------------------------------

Builder = Callable[[], Any]
UNSEEN: dict[str, tuple[Builder, str]] = {}


def unseen(expected: str) -> Callable[[Builder], Builder]:
    def remember(build: Builder) -> Builder:
        UNSEEN[build.__name__.replace("_", " ").strip()] = (build, expected)
        return build

    return remember


@unseen("T^2")
def double_pendulum_of_point_masses() -> Any:
    s = cd.System("double pendulum")
    a, b = s.coordinates("a b", on="S1")
    one = s.body("one", mass=1.0, com=(1, 0, 0), joint=cd.Revolute("z", a))
    s.body("two", mass=1.0, com=(1, 0, 0), joint=cd.Revolute("z", b - a), parent=one, at=(1, 0, 0))
    return s


@unseen("T^2")
def double_pendulum_by_position_vectors() -> Any:
    s = cd.System("double pendulum")
    a, b = s.coordinates("a b")
    x, y = sin(a), -cos(a)
    s.particle("P", mass=1.0, position=s.world.vector(x, y, 0))
    s.particle("Q", mass=1.0, position=s.world.vector(x + sin(b), y - cos(b), 0))
    return s


@unseen("E^1 x S^1")
def pendulum_on_a_cart() -> Any:
    s = cd.System("cart")
    x, a = s.coordinates("x"), s.coordinates("a", on="S1")
    cart = s.body("cart", mass=1.0, joint=cd.Prismatic("x", x))
    s.body("bob", mass=1.0, com=(0, 0, -1), joint=cd.Revolute("y", a), parent=cart)
    return s


@unseen("E^3 x RP^3")
def free_body() -> Any:
    s = cd.System("free body")
    x, y, z = s.coordinates("x y z")
    s.body("body", mass=1.0, inertia=(1, 2, 2.5), joint=cd.Free(x, y, z, cd.Quaternion("e")))
    return s


@unseen("E^3 x S^2")
def free_rod_without_thickness() -> Any:
    """Nothing sees its turning about its own axis."""
    s = cd.System("rod")
    x, (a, b, c) = s.coordinates("x y z"), s.coordinates("a b c", on="S1")
    s.body("rod", mass=1.0, inertia=(0, 1, 1), joint=cd.Free(*x, cd.Euler("3-2-1", a, b, c)))
    return s


@unseen("S^2 x S^2")
def two_spherical_pendulums_in_a_row() -> Any:
    s = cd.System("double spherical pendulum")
    a, b, c, d = s.coordinates("a b c d", on="S1")
    one = s.body("one", mass=1.0, com=(0, 0, -1), joint=cd.Universal("x", a, "y", b))
    s.body("two", mass=1.0, com=(0, 0, -1), joint=cd.Universal("x", c, "y", d), parent=one, at=(0, 0, -1))
    return s


@unseen("T^2 x S^2")
def satellite_with_a_turning_panel_and_a_spherical_pendulum() -> Any:
    s = cd.System("panel")
    a, b, c, d = s.coordinates("a b c d", on="S1")
    body = s.body("body", mass=1.0, inertia=1.0, joint=cd.Revolute("z", a))
    s.body("panel", mass=0.1, inertia=0.1, joint=cd.Revolute("x", b), parent=body, at=(0, 1, 0))
    s.body("bob", mass=0.1, com=(0, 0, -1), joint=cd.Universal("x", c, "y", d), parent=body, at=(0, 0, -1))
    return s


@unseen("E^1")
def screw() -> Any:
    s = cd.System("screw")
    u = s.coordinates("u")
    s.body("nut", mass=1.0, inertia=1.0, joint=cd.Cylindrical("z", u, u / 10))
    return s


@unseen("S^1")
def bead_on_an_ellipse() -> Any:
    s = cd.System("bead")
    u = s.coordinates("u")
    s.particle("P", mass=1.0, coordinates=cd.Curve((2 * cos(u), sin(u), 0), u))
    return s


@unseen("E^1")
def bead_on_a_parabola() -> Any:
    s = cd.System("bead")
    u = s.coordinates("u")
    s.particle("P", mass=1.0, coordinates=cd.Curve((u, u**2, 0), u))
    return s


@unseen("T^2")
def particle_on_a_torus() -> Any:
    s = cd.System("torus")
    u, w = s.coordinates("u w")
    r = 2 + cos(u)
    s.particle("P", mass=1.0, coordinates=cd.Curve((r * cos(w), r * sin(w), sin(u)), u, w))
    return s


@unseen("S^2")
def particle_on_an_ellipsoid_of_revolution() -> Any:
    s = cd.System("ellipsoid")
    u, w = s.coordinates("u w")
    s.particle("P", mass=1.0, coordinates=cd.Curve((sin(u) * cos(w), sin(u) * sin(w), 2 * cos(u)), u, w))
    return s


@unseen("E^2")
def particle_on_a_paraboloid_in_polar_coordinates() -> Any:
    s = cd.System("paraboloid")
    r, theta = s.coordinates("r theta")
    s.particle("P", mass=1.0, coordinates=cd.Curve((r * cos(theta), r * sin(theta), r**2), r, theta))
    return s


@unseen("S^2")
def rod_pendulum_in_cartesian_coordinates() -> Any:
    s = cd.System("rod")
    x, y, z = s.coordinates("x y z")
    P = s.particle("P", mass=1.0, position=s.world.vector(x, y, z))
    s.distance(s.world.origin, P, 2.0)
    return s


@unseen("E^1")
def wheel_that_rolls_on_a_line() -> Any:
    """x = r theta unwinds the circle of theta."""
    s = cd.System("wheel")
    x, theta = s.coordinates("x theta")
    s.body("wheel", mass=1.0, inertia=1.0, joint=cd.Planar(x, 0, theta))
    s.constrain(x - theta / 2)
    return s


@unseen("S^1")
def four_bar_that_does_not_fold() -> Any:
    s = cd.System("four-bar")
    a, b, c = s.coordinates("a b c", on="S1")
    s.kinetic_energy((a.dot**2 + b.dot**2 + c.dot**2) / 2)
    s.constrain(cos(a) + 2 * cos(b) - cos(c) - 2.2)
    s.constrain(sin(a) + 2 * sin(b) - sin(c))
    return s


@unseen("E^2")
def typed_polar_coordinates() -> Any:
    s = cd.System("polar")
    r, theta = s.coordinates("r", on="R+"), s.coordinates("theta", on="S1")
    s.lagrangian((r.dot**2 + r**2 * theta.dot**2) / 2)
    return s


@unseen("RP^3")
def typed_symmetric_top() -> Any:
    """The curves that shrink at theta = 0 and pi are (1, -1) and (1, 1): their determinant is 2."""
    s = cd.System("typed top")
    psi, theta, phi = s.coordinates("psi theta phi", on="S1")
    A, C = s.parameters(A=1.0, C=0.6)
    T = A * (theta.dot**2 + sin(theta) ** 2 * psi.dot**2) / 2 + C * (phi.dot + psi.dot * cos(theta)) ** 2 / 2
    s.lagrangian(T)
    return s


@unseen("S^3")
def typed_hopf_coordinates() -> Any:
    """One angle shrinks at u = 0, the other at u = pi/2: determinant 1."""
    s = cd.System("three-sphere")
    u, a, b = s.coordinates("u", on=(0, np.pi / 2)), s.coordinates("a", on="S1"), s.coordinates("b", on="S1")
    s.lagrangian((u.dot**2 + sin(u) ** 2 * a.dot**2 + cos(u) ** 2 * b.dot**2) / 2)
    return s


@unseen("E^1 x I")
def particle_between_two_slanted_walls() -> Any:
    s = cd.System("walls")
    x, y = s.coordinates("x y")
    s.particle("P", mass=1.0, position=s.world.vector(x, y, 0))
    s.stop(x + y, restitution=1)
    s.stop(1 - x - y, restitution=1)
    return s


@unseen("H^3")
def ball_above_a_table() -> Any:
    s = cd.System("table")
    x, y, z = s.coordinates("x y z")
    P = s.particle("P", mass=1.0, position=s.world.vector(x, y, z))
    s.contact(P, on=s.world, restitution=0.5, shape=cd.Sphere(0.1))
    return s


@unseen("E^2 x RP^3")
def disc_on_a_table() -> Any:
    s = cd.System("disc")
    x, y, z = s.coordinates("x y z")
    joint = cd.Free(x, y, z, cd.Euler("3-1-3", *s.coordinates("psi theta phi", on="S1")))
    disc = s.body("disc", mass=1.0, inertia=(0.25, 0.25, 0.5), joint=joint)
    s.roll(disc, on=s.world, shape=cd.Disc(1.0))
    return s


@unseen("I x S^1")
def hinge_with_a_stop_that_is_a_sine() -> Any:
    s = cd.System("hinge")
    a, b = s.coordinates("a b", on="S1")
    one = s.body("one", mass=1.0, inertia=1.0, joint=cd.Revolute("z", a))
    s.body("two", mass=1.0, inertia=1.0, joint=cd.Revolute("z", b), parent=one, at=(1, 0, 0))
    s.stop(sin(b) - 0.1, restitution=0)
    return s


@unseen("E^1 x S^1")
def massless_arm_that_carries_a_weight_and_a_slider() -> Any:
    """The weight tells the angle, so the slider is a line on what is known."""
    s = cd.System("arm")
    a, r = s.coordinates("a", on="S1"), s.coordinates("r")
    arm = s.body("arm", joint=cd.Revolute("z", a))
    s.particle("slider", mass=1.0, frame=arm, position=arm.vector(0, r, 0))
    s.particle("weight", mass=1.0, frame=arm, position=arm.vector(1, 0, 0))
    return s


@unseen("RP^3")
def platform_on_four_massless_gimbals() -> Any:
    s = cd.System("four gimbals")
    q = s.coordinates("a b c d", on="S1")
    parent = None
    for k, axis in enumerate("zxzx"):
        parent = s.body(f"g{k}", inertia=1.0 if k == 3 else 0.0, joint=cd.Revolute(axis, q[k]), parent=parent)
    return s


@pytest.mark.parametrize("name", UNSEEN, ids=str)
def test_the_rules_hold_for_systems_that_are_in_no_text(name: str) -> None:
    build, expected = UNSEEN[name]
    found = build().manifold()
    assert (str(found), found.undecided) == (expected, ()), found.why
    assert found.why


# --- what is not decided is said -----------------------------------------------------------------------


def undecided(s: Any) -> tuple[str, str]:
    found = s.manifold()
    return str(found), " ".join(found.undecided)


def test_a_cone_is_no_manifold_at_its_apex() -> None:
    s = cd.System("cone")
    r, theta = s.coordinates("r theta")
    s.particle("P", mass=1.0, coordinates=cd.Curve((r * cos(theta), r * sin(theta), r), r, theta))
    text, reason = undecided(s)
    assert text == "?^2"
    assert f"{360 / sqrt(2).evalf():.6g} degrees" in reason  # the full angle of a cone of half-angle 45 degrees


def test_a_massless_planar_arm_sweeps_a_ring() -> None:
    s = cd.System("arm")
    a, b = s.coordinates("a b", on="S1")
    one = s.body("one", joint=cd.Revolute("z", a))
    s.body("two", mass=1.0, com=(0.5, 0, 0), joint=cd.Revolute("z", b), parent=one, at=(1, 0, 0))
    text, reason = undecided(s)
    assert text == "?^2"
    assert "ring" in reason


def test_two_sliders_on_a_massless_arm_are_entangled() -> None:
    s = cd.System("arm")
    a, r, w = s.coordinates("a", on="S1"), *s.coordinates("r w")
    arm = s.body("arm", joint=cd.Revolute("z", a))
    s.particle("P", mass=1.0, frame=arm, position=arm.vector(0, r, 0))
    s.particle("Q", mass=1.0, frame=arm, position=arm.vector(w, 0, 0))
    text, reason = undecided(s)
    assert text == "?^3"
    assert "shared" in reason


def test_a_folding_four_bar_is_no_manifold_where_it_folds() -> None:
    text, reason = undecided(systems.four_bar().s)
    assert text == "?^1"
    assert "depend on each other" in reason


def test_a_floor_under_a_pendulum_leaves_a_part() -> None:
    s = double_pendulum_by_position_vectors()
    a, b = s.model.q
    s.stop(1.5 - cos(a) - cos(b), restitution=0)
    found = s.manifold()
    assert str(found) == "part of T^2"
    assert len(found.boundaries) == len(found.undecided) == 1


def test_a_typed_angle_that_is_not_declared_is_asked_for() -> None:
    s = cd.System("polar")
    r, theta = s.coordinates("r theta")
    s.lagrangian((r.dot**2 + r**2 * theta.dot**2) / 2)
    text, reason = undecided(s)
    assert text == "?^2"
    assert 'on="S1"' in reason


def test_three_oblique_gimbals_do_not_reach_every_rotation() -> None:
    s = cd.System("oblique gimbals")
    q = s.coordinates("a b c", on="S1")
    outer = s.body("outer", joint=cd.Revolute("z", q[0]))
    inner = s.body("inner", joint=cd.Revolute((0, 0.6, 0.8), q[1]), parent=outer)
    s.body("platform", inertia=1.0, joint=cd.Revolute("z", q[2]), parent=inner)
    text, reason = undecided(s)
    assert text == "?^3"
    assert "every rotation" in reason


def test_coordinates_that_move_no_mass_are_no_part_of_the_manifold() -> None:
    s = cd.System("point mass on three Euler angles")
    angles = s.coordinates("a b c", on="S1")
    s.body("ball", mass=1.0, com=(0, 0, 1), joint=cd.Ball(cd.Euler("3-1-3", *angles)))
    found = s.manifold()
    assert (str(found), found.dimension) == ("S^2", 2)
    assert any("c moves no mass" in reason for reason in found.why)


def test_angles_beyond_a_full_turn_between_stops_are_an_interval() -> None:
    s = cd.System("two turns")
    a = s.coordinates("a", on="S1")
    s.body("wheel", mass=1.0, inertia=1.0, joint=cd.Revolute("z", a))
    s.stop(a, restitution=0)
    s.stop(4 * pi - a, restitution=0)
    assert str(s.manifold()) == "I"
