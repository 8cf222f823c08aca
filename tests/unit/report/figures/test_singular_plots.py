"""Singular sets over two coordinates, and pictures of configuration manifolds."""

from __future__ import annotations

import numpy as np
import pytest

import cardan as cd
from cardan.errors import ModelError, UnknownName
from support.close import assert_close
from support.pictured import gimbal, legend_texts, lines_labelled, suspension


def heights(axes: object, word: str) -> list[float]:
    return sorted(float(np.nanmean(line.get_ydata())) for line in lines_labelled(axes, word))


def test_gimbal_lock_of_h12_is_at_beta_zero_and_pi() -> None:
    """Hemingway & O'Reilly, section 7: a moment along e_2 of the inner gimbal is lost where sin(beta) = 0."""
    (axes,) = suspension().plot_singular_set("alpha", "beta", load="M").axes
    assert_close(heights(axes, "gimbal lock of M"), [0.0, np.pi], within=1e-9, because="roots of a sine")
    assert axes.get_xlabel() == r"$\alpha$ [rad]"
    assert axes.get_ylabel() == r"$\beta$ [rad]"
    assert r"$\gamma$ = 0" in axes.get_title()


def test_gimbal_lock_of_h8_is_at_phi_zero_and_pi() -> None:
    (axes,) = gimbal().plot_singular_set("nu", "phi_e").axes
    assert_close(heights(axes, "gimbal lock of F"), [0.0, np.pi], within=1e-9, because="roots of a sine")


def test_kinds_differ_in_colour_and_in_dashes() -> None:
    from cardan.report.figures.style import KINDS

    assert len({look.colour for look in KINDS.values()}) == len(KINDS)
    assert len({str(look.dashes) for look in KINDS.values()}) == len(KINDS)
    assert len({look.hatch for look in KINDS.values()}) == len(KINDS)


def test_what_holds_everywhere_is_hatched() -> None:
    """A force along the axis of a bead on a turning rod is carried by the rod in every configuration."""
    s = cd.System("pushed on its bearing")
    nu, x = s.coordinates("nu", on="S1"), s.coordinates("x")
    rod = s.body("rod", inertia=1.0, joint=cd.Revolute("z", nu))
    bead = s.particle("bead", mass=1.0, frame=rod, position=rod.vector(x, 0, 0))
    s.force("F", on=bead, along=s.world.z)
    (axes,) = s.plot_singular_set("nu", "x", ranges={"x": (0.0, 3.0)}).axes
    assert any(one.get_hatch() for one in axes.collections)
    assert any("everywhere" in text for text in legend_texts(axes))
    assert axes.get_ylim() == (0.0, 3.0)


def test_a_section_inside_a_set_is_hatched_as_a_whole() -> None:
    """q3 = 0 is singular; the plane of (q1, q2) at q3 = 0 lies in it, at q3 = 1 it does not meet it."""
    s = cd.System("section in a set")
    q1, q2, q3 = s.coordinates("q1 q2 q3")
    s.kinetic_energy((q1.dot**2 + q2.dot**2 + q3.dot**2 * q3**2) / 2)
    (axes,) = s.plot_singular_set("q1", "q2").axes
    assert any(one.get_hatch() for one in axes.collections)
    assert not any(one.get_hatch() for one in s.plot_singular_set("q1", "q2", at={"q3": 1.0}).axes[0].collections)
    (axes,) = s.plot_singular_set("q1", "q2", at={"q3": 1.0}).axes
    assert [text.get_text() for text in axes.texts] == ["nothing singular at these values of the others"]


def test_sets_of_one_kind_differ_too() -> None:
    """Two loads on a point in polar coordinates are lost at different places."""
    from cardan.report.figures.style import KINDS

    looks = [KINDS["gimbal-lock"].variant(k) for k in range(3)]
    assert len({look.colour for look in looks}) == 3
    assert len({str(look.dashes) for look in looks}) == 3


def test_other_coordinates_are_held_where_one_says() -> None:
    """x cos(c) = 1 is a line in the plane (x, y) that moves with c."""
    s = cd.System("section")
    x, y, c = s.coordinates("x y c")
    s.kinetic_energy((x.dot**2 + (x - c) ** 2 * y.dot**2 + c.dot**2) / 2)
    (axes,) = s.plot_singular_set("x", "y", at={"c": 0.5}).axes
    places = [float(np.mean(line.get_xdata())) for line in lines_labelled(axes, "coordinate singularity")]
    assert_close(places, [0.5], within=1e-9, because="the root of a straight line")
    assert "$c$ = 0.5" in axes.get_title()


def test_where_nothing_is_singular_the_picture_says_so() -> None:
    s = cd.System("free point")
    x, y = s.coordinates("x y")
    s.particle("P", mass=1.0, position=s.world.vector(x, y, 0))
    (axes,) = s.plot_singular_set("x", "y").axes
    assert [text.get_text() for text in axes.texts] == ["nothing singular here"]


def test_sets_are_drawn_over_two_different_coordinates() -> None:
    with pytest.raises(ModelError, match="two coordinates"):
        gimbal().plot_singular_set("nu", "nu")
    with pytest.raises(ModelError, match="two coordinates"):
        gimbal().plot_singular_set("nu", "phi_e_dot")
    with pytest.raises(UnknownName, match="Known: nu, phi_e"):
        gimbal().plot_singular_set("nu", "psi")


# --- manifolds -----------------------------------------------------------------------------------------


def circles(axes: object, word: str) -> list[tuple[float, float]]:
    """(radius about the axis, height) of the circles that the lines with this label lie on."""
    found = []
    for line in lines_labelled(axes, word):
        x, y, z = (np.asarray(one, dtype=float) for one in line.get_data_3d())
        ok = np.isfinite(x)
        found.append((float(np.mean(np.hypot(x, y)[ok])), float(np.mean(z[ok]))))
    return found


def test_the_torus_of_h8_has_its_circles_outside_and_inside() -> None:
    """phi_e = 0 is the outer equator and phi_e = pi the inner one, as phi_e goes round the tube."""
    figure = gimbal().plot_manifold()
    (axes,) = figure.axes
    assert "T^2" in axes.get_title()
    radii = sorted(radius for radius, _ in circles(axes, "gimbal lock of F"))
    assert_close(radii, [1 - 0.44 - 0.012, 1 + 0.44 + 0.012], within=1e-9, because="ring, tube and lift")
    assert_close([z for _, z in circles(axes, "gimbal lock of F")], [0, 0], within=1e-9, because="equators")


def test_without_inertia_of_the_gimbal_the_torus_is_a_sphere_with_singular_poles() -> None:
    """H8 with M k^2 -> 0: S^2, singular where sin(phi) = 0, which are two points."""
    s = cd.System("light gimbal")
    nu, phi = s.coordinates("nu phi", on="S1")
    s.particle("bead", mass=1.0, coordinates=cd.PolarSpherical(0.6, phi, nu))
    (axes,) = s.plot_manifold().axes
    assert "S^2" in axes.get_title()
    poles = sorted(float(line.get_data_3d()[2][0]) for line in axes.lines if line.get_marker() == "o")
    assert_close(poles, [-1.024, 1.024], within=1e-9, because="unit sphere and twice the lift")
    assert any("the poles" in text for text in legend_texts(axes))


def test_stops_make_the_torus_a_cylinder_with_two_rims() -> None:
    """H9: I x S^1."""
    (axes,) = gimbal(is_half=True).plot_manifold().axes
    assert r"I \times S^1" in axes.get_title()
    rims = sorted(z for _, z in circles(axes, "stop top"))
    assert_close([rims[0], rims[-1]], [-1.05, 1.05], within=1e-9, because="the ends of the cylinder")


def test_a_large_manifold_is_shown_by_the_coordinates_its_singular_sets_speak_of() -> None:
    (axes,) = suspension().plot_manifold().axes
    assert "T^3" in axes.get_title()
    assert r"$\alpha$ and $\beta$" in axes.get_title()
    (axes,) = suspension().plot_manifold("beta", "gamma").axes
    assert r"$\beta$ and $\gamma$" in axes.get_title()


def test_a_manifold_of_one_dimension_is_a_circle_or_a_line() -> None:
    s = cd.System("pendulum")
    theta = s.coordinates("theta", on="S1")
    s.lagrangian(theta.dot**2 / 2)
    (axes,) = s.plot_manifold().axes
    x, y = axes.lines[0].get_data()
    assert_close(np.hypot(x, y), 1.0, within=1e-12, because="a unit circle")
    assert "S^1" in axes.get_title()
    s = cd.System("bead on a half-line")
    r = s.coordinates("r")
    s.particle("bead", mass=1.0, position=s.world.vector(r, 0, 0))
    s.stop(r, restitution=0.5, name="wall")
    (axes,) = s.plot_manifold().axes
    assert "H^1" in axes.get_title()
    (wall,) = [line for line in axes.lines if line.get_label() == "stop wall: boundary"]
    assert_close(wall.get_data(), [[0.0], [0.0]], within=1e-12, because="the stop is at r = 0")


def test_an_orientation_by_a_quaternion_has_no_two_coordinates() -> None:
    s = cd.System("top")
    s.body("top", mass=1.0, inertia=(1.0, 1.0, 2.0), joint=cd.Ball(cd.Quaternion("e")))
    with pytest.raises(ModelError, match=r"RP\^3 .* two of its coordinates \(known: none"):
        s.plot_manifold()
