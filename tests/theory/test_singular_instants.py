"""Singularities of systems with explicit time live in (q, t): rank lost at an instant is no permanent redundancy.

Expected ranks are those of constraint matrices written by hand. The snake cart (Briggs) has, in (u, w, thetad) with u
along and w across the cart, rows (-sin p, cos p, l/2 cos p) and (sin p, cos p, -l/2 cos p): rank 2, and 1 where
cos p = 0. The suspension of Hemingway & O'Reilly has Q_alpha = M sin(beta) for a moment about the inner ring's y axis.
The three-link snake has rank 3 in (u, w, thetad) but where the axles of its wheels meet in a point or are parallel.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
import sympy as sp
from sympy import cos, sin

import cardan as cd
from support.close import assert_close

Motion = Callable[[Any], Any]


def steadily(t: Any) -> Any:
    return t


def snake_cart() -> cd.System:
    s = cd.System("snake cart")
    (x, y), (theta, phi) = s.coordinates("x y"), s.coordinates("theta phi", on="S1")
    cart = s.body("cart", mass=2.0, inertia=0.3, joint=cd.Planar(x, y, theta))
    front = s.body("front", mass=0.5, inertia=0.02, parent=cart, at=(0.5, 0, 0), joint=cd.Revolute("z", phi))
    rear = s.body("rear", mass=0.5, inertia=0.02, parent=cart, at=(-0.5, 0, 0), joint=cd.Revolute("z", -phi))
    s.no_slip(on=front, along=front.y, name="first")
    s.no_slip(on=rear, along=-rear.y, name="second")
    s.force("F", on=cart, along=cart.y)
    return s


@cache
def driven_cart(how: str = "prescribed") -> cd.System:
    """Its wheels turned by phi = rate t, prescribed or by a row."""
    s = snake_cart()
    phi, rate = s.model.q[3], s.parameters(rate=1.0)
    if how == "prescribed":
        s.prescribe(phi, rate * s.time)
    else:
        s.constrain(phi - rate * s.time, name="drive")
    return s


@cache
def suspension(motion: Motion) -> cd.System:
    s = cd.System("suspension")
    alpha, beta, gamma = s.coordinates("alpha beta gamma", on="S1")
    outer = s.body("outer", inertia=0.5, joint=cd.Revolute("z", alpha))
    inner = s.body("inner", inertia=0.3, joint=cd.Revolute("x", beta), parent=outer)
    platform = s.body("platform", inertia=0.9, joint=cd.Revolute("z", gamma), parent=inner)
    s.moment("M", on=platform, along=inner.y)
    s.prescribe(beta, motion(s.time))
    return s


@cache
def three_links() -> cd.System:
    """With joints at a0 + sin t and b0 + 0.7 sin t."""
    s = cd.System("three-link snake")
    a0, b0 = s.parameters(a0=0.0, b0=0.0)
    (x, y), (theta, a, b) = s.coordinates("x y"), s.coordinates("theta a b", on="S1")
    middle = s.body("middle", mass=1.0, inertia=0.1, joint=cd.Planar(x, y, theta))
    ahead, behind = (
        s.body(name, mass=1.0, inertia=0.1, com=(sign / 2, 0, 0), parent=middle, at=(sign / 2, 0, 0), joint=joint)
        for name, sign, joint in (("ahead", 1, cd.Revolute("z", a)), ("behind", -1, cd.Revolute("z", b)))
    )
    for body in (middle, ahead, behind):
        s.no_slip(on=body, along=body.y, name=f"wheel of {body.name}")
    s.prescribe(a, a0 + sin(s.time))
    s.prescribe(b, b0 + 0.7 * sin(s.time))
    return s


def rank_of_three_links(a: float, b: float) -> int:
    """Rows e_y . (velocity of the wheel) by hand, in (u, w, thetad) of the middle link."""
    rows = [[0.0, 1.0, 0.0]]
    for sign, angle in ((1, a), (-1, b)):
        wheel = sign * 0.5 * np.array([1 + np.cos(angle), np.sin(angle)])
        across = np.array([-np.sin(angle), np.cos(angle)])
        rows.append([*across, float(across @ [-wheel[1], wheel[0]])])
    return int(np.linalg.matrix_rank(rows, tol=1e-9))


@pytest.mark.parametrize("how", ["prescribed", "row"])
@pytest.mark.parametrize("rate", [1.0, 40.0, 1e-3])
def test_a_driven_snake_cart_is_degenerate_at_an_instant(rate: float, how: str):
    s = driven_cart(how).with_values(rate=rate)
    rows = 0 if how == "prescribed" else 1
    there = [0.2, 0.3, 0.5] + [np.pi / 2] * rows
    d = s.diagnose(there, t=np.pi / 2 / rate)
    assert d.kinds == {"constraint-degeneracy"}
    assert (d.constraint_rank, d.generic_rank) == (1 + rows, 2 + rows)
    assert d.redundant.permanent_count == 0
    assert s.diagnose([0.2, 0.3, 0.5] + [0.3] * rows, t=0.3 / rate).is_regular


def test_its_singular_set_is_one_of_configurations_and_time():
    (one,) = driven_cart().singular_set()
    assert one.text == "cos(rate*t) = 0"
    assert one.dimension == 3  # of (x, y, theta, t)
    assert one.times is not None
    assert_close(np.cos(one.times), 0.0, within=1e-7, because="simple zeros found by Newton steps to 1e-11")


@pytest.mark.parametrize("instant", [0.0, np.pi, -2 * np.pi])
def test_a_driven_suspension_is_in_gimbal_lock_at_an_instant(instant: float):
    s = suspension(steadily)
    assert s.diagnose([0.2, 0.3], t=instant).kinds == {"gimbal-lock"}
    found = s.diagnose([0.2, 0.3], t=instant + 0.4)
    assert found.is_regular
    assert not any(one.kind == "carried-by-constraints" for one in found.notes)
    assert [(one.kind, one.text) for one in s.singular_set("M")] == [("gimbal-lock", "sin(t) = 0")]


def test_a_motion_that_stands_still_at_the_instant_is_varied_all_the_same():
    """beta = 1 - cos t has no rate at t = 0, and its moment is lost there."""
    assert suspension(lambda t: 1 - cos(t)).diagnose([0.2, 0.3], t=0.0).kinds == {"gimbal-lock"}
    assert suspension(lambda t: 1 - cos(3000 * t)).diagnose([0.2, 0.3], t=0.0).kinds == {"gimbal-lock"}


@pytest.mark.parametrize("angles", [(0.0, 0.0), (0.3, -0.3), (0.7, -0.7), (0.3, 0.2), (0.0, 0.4), (-0.5, -0.5)])
def test_a_driven_three_link_snake_has_the_rank_of_its_rows(angles: tuple[float, float]):
    a, b = angles
    d = three_links().with_values(a0=a, b0=b).diagnose([0.1, 0.2, 0.3], t=0.0)
    assert (d.constraint_rank, d.generic_rank) == (rank_of_three_links(a, b), 3)
    assert ("constraint-degeneracy" in d.kinds) == (rank_of_three_links(a, b) < 3)


def test_indicators_along_a_run_know_the_time():
    """The suspension turned by beta = t: the indicator of M is least at t = pi, where Q_alpha = M sin t vanishes."""
    s = suspension(steadily)
    run = s.simulate(4.0, q={"alpha": 0.2, "gamma": 0.3}, t0=1.0)
    (found,) = [one for one in run.findings if one.kind == "gimbal-lock"]
    assert_close(found.t, np.pi, within=1e-6, because="a minimum |sin t| narrowed to round-off")


# --- loads that constraints carry, but not where they lose rank --------------------------------------


def test_a_force_across_the_snake_cart_is_carried_everywhere_but_at_ninety_degrees():
    s = snake_cart()
    sets = {one.kind: one for one in s.singular_set("F")}
    carried = sets["carried-by-constraints"]
    assert carried.text == "everywhere but where cos(phi) = 0"
    phi = next(q for q in s.model.q if str(q) == "phi")
    assert not carried.condition.subs(phi, sp.pi / 2)
    assert carried.condition.subs(phi, 0.7)
    (note,) = [one for one in s.diagnose([0.2, 0.3, 0.5, 0.7]).notes if one.kind == "carried-by-constraints"]
    assert "but those where they lose rank" in note.what
    assert_close(np.cos(note.evidence["acts_at"][3]), 0.0, within=1e-5, because="Newton on a singular value")


def test_there_it_accelerates_the_cart_by_force_over_mass():
    d = snake_cart().diagnose([0.2, 0.3, 0.5, np.pi / 2])
    (note,) = [one for one in d.notes if one.kind == "freed-load"]
    a = note.evidence["accelerations"]
    across = -np.sin(0.5) * a["x"] + np.cos(0.5) * a["y"]
    assert_close(across, 1.0 / 3.0, within=1e-12, because="F / m with m = 2 + 2 * 0.5, solved in doubles")
    assert_close(np.cos(0.5) * a["x"] + np.sin(0.5) * a["y"], 0.0, within=1e-12, because="F is across")


def test_a_load_that_constraints_carry_in_all_configurations_is_said_to_be():
    """A bead held at z = 0 by a row of rank 1 everywhere: a force along z never acts."""
    s = cd.System("bead")
    x, y, z = s.coordinates("x y z")
    bead = s.particle("bead", mass=1.0, position=s.world.vector(x, y, z))
    s.constrain(z, name="floor")
    s.force("F", on=bead, along=s.world.z)
    assert [(one.kind, one.text) for one in s.singular_set("F")] == [("carried-by-constraints", "everywhere")]
    (note,) = s.diagnose([0.1, 0.2, 0.0]).notes
    assert "in every configuration:" in note.what


# --- velocities that constraints allow ---------------------------------------------------------------


@pytest.mark.parametrize("scale", [1.0, 1e-9, 1e9])
@pytest.mark.parametrize("e", [(1.0, 0.0, 0.0, 0.0), (0.3, 0.4, 0.5, 0.6)])
def test_what_constraints_take_wholly_is_no_velocity(scale: float, e: tuple[float, ...]):
    """A body that may not turn and may slide along x only; the other hangs on it by a ball joint: 1 and 1 + 3."""
    s = cd.System("pair")
    a, b = (
        s.body(
            name,
            mass=1.0,
            inertia=tuple(scale**2 * x for x in (0.1, 0.2, 0.3)),
            joint=cd.Free(*s.coordinates(f"x{name} y{name} z{name}"), cd.Quaternion(f"e{name}")),
        )
        for name in "ab"
    )
    s.connect(a.point(0.5 * scale, 0, 0), b.point(-0.5 * scale, 0, 0), cd.Ball())
    w = s.world
    for name, axis in (("x", w.x), ("y", w.y), ("z", w.z)):
        s.no_spin(on=a, about=axis, name=f"spin {name}")
    for name, axis in (("y", w.y), ("z", w.z)):
        s.no_slip(on=a, along=axis, name=f"slip {name}")
    d = s.diagnose({"ea": (1, 0, 0, 0), "eb": np.array(e) / np.linalg.norm(e), "xa": 0.1 * scale})
    assert d.allowable_velocities(a).shape == (6, 1)
    assert d.allowable_velocities(b).shape == (6, 4)
    (slide,) = d.screws(a)
    assert slide.pitch == np.inf
    assert_close(np.abs(slide.axis), [1, 0, 0], within=1e-12, because="a unit vector in doubles")
    assert all(np.isfinite(one.axis).all() and np.isfinite(one.point).all() for one in d.screws(b))
    assert not [one for one in d.notes if one.kind == "lost-load-directions" and "a" in one.where]


def test_a_body_held_in_all_six_directions_has_no_velocity():
    s = cd.System("held")
    body = s.body("body", mass=1.0, inertia=0.1, joint=cd.Free(*s.coordinates("x y z"), cd.Quaternion("e")))
    other = s.body("other", mass=1.0, inertia=0.1, joint=cd.Revolute("z", s.coordinates("a", on="S1")))
    s.connect(body, s.world.origin, cd.Fixed())
    d = s.diagnose()
    assert d.allowable_velocities(body).shape == (6, 0)
    assert d.screws(body) == []
    assert d.allowable_velocities(other).shape == (6, 1)
