"""Permanent redundancy and local degeneracy, freedoms gained, and which reactions are determined.

A planar four-bar of hinges in space has three redundant constraints everywhere (one for each motion out of its plane);
folded flat it loses one more. Reaction i is determined exactly where row i of the left null space of A vanishes
(Wojtyra 2005).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cardan as cd
from support.close import assert_close
from support.singular_systems import snake_cart

UPRIGHT = [1.0, -1.0, 1.0]  # crank and rocker at 1 rad, coupler horizontal


def link(s: Any, name: str, length: float, q: Any, **place: Any) -> Any:
    inertia = (0.01, length**3 / 12, length**3 / 12)
    return s.body(name, mass=length, inertia=inertia, com=(length / 2, 0, 0), joint=cd.Revolute("z", q), **place)


def four_bar(tilt: float = 0.0) -> Any:
    """Ground 2, crank 1, coupler 2, rocker 1; the pin between coupler and rocker is tilted in the upright position."""
    s = cd.System("planar four-bar of hinges in space")
    a, b, c = s.coordinates("a b c", on="S1")
    crank = link(s, "crank", 1.0, a)
    coupler = link(s, "coupler", 2.0, b, parent=crank, at=(1, 0, 0))
    rocker = link(s, "rocker", 1.0, c, at=(2, 0, 0))
    s.gravity(-9.81 * s.world.y)
    axis = (0, np.sin(tilt), np.cos(tilt))
    in_rocker = (np.sin(1.0) * axis[1], np.cos(1.0) * axis[1], axis[2])  # the rocker is turned by 1 rad
    closing = cd.Revolute(axis if tilt else "z")
    s.connect(
        coupler.point(2, 0, 0), rocker.point(1, 0, 0), closing, second_axis=in_rocker if tilt else None, name="pin"
    )
    return s


def test_a_planar_four_bar_in_space_has_three_permanent_redundancies() -> None:
    d = four_bar().diagnose(UPRIGHT)
    assert d.kinds == set()
    assert (d.redundant.permanent_count, d.redundant.local_count) == (3, 0)
    assert set(d.redundant.permanent) == {"pin_z", "pin_r1", "pin_r2"}
    assert (d.constraint_rank, d.generic_rank, d.configuration_dof, d.velocity_dof) == (2, 2, 1, 1)
    note = next(one for one in d.notes if one.kind == "redundant-constraints")
    assert "in every configuration" in note.what
    assert "motion is unique" in note.why


def test_folded_flat_it_has_one_more_that_is_local() -> None:
    d = four_bar().diagnose([0.0, 0.0, 0.0])
    assert d.kinds == {"constraint-degeneracy"}
    assert (d.redundant.permanent_count, d.redundant.local_count) == (3, 1)
    assert set(d.redundant.permanent) == {"pin_z", "pin_r1", "pin_r2"}
    assert set(d.redundant.local) == {"pin_x"}
    assert (d.constraint_rank, d.velocity_dof) == (1, 2)
    assert "1 freedom is gained" in d.findings[0].why


@pytest.mark.parametrize("tilt", [0.3, 1e-2])
def test_one_skewed_axis_leaves_no_freedom_and_two_redundancies(tilt: float) -> None:
    d = four_bar(tilt).diagnose(UPRIGHT)
    assert (d.velocity_dof, d.configuration_dof) == (0, 0)
    assert (d.redundant.permanent_count, d.redundant.local_count) == (2, 0)
    said = next(one for one in d.notes if one.kind == "no-freedom")
    assert "no motion is possible" in said.what
    assert "0 degrees of freedom, 2 redundancies" in said.why


def test_the_four_bar_determines_reactions_in_its_plane_and_no_others() -> None:
    """Under gravity, from rest: the pin's force turns the rocker about its hinge, arm x force + weight = J c_dd."""
    s = four_bar()
    d = s.diagnose(UPRIGHT)
    unique = {name: one.unique for name, one in d.reactions.items()}
    assert unique == {"pin_x": True, "pin_y": True, "pin_z": False, "pin_r1": False, "pin_r2": False}
    vd = s.compile().acceleration(UPRIGHT)
    arm = np.array([np.cos(1.0), np.sin(1.0)])
    force = np.array([d.reactions["pin_x"].value, d.reactions["pin_y"].value])  # on the rocker (second body)
    turning = arm[0] * force[1] - arm[1] * force[0] - 0.5 * 9.81 * arm[0]
    inertia = 1.0 / 12 + 0.25
    assert_close(turning, inertia * vd[2], within=1e-10, because="one solve of five equations of size 10")


@pytest.mark.parametrize("count", [2, 3, 5])
def test_the_equal_link_n_four_bar_gains_n_freedoms_at_horizontal(count: int) -> None:
    """N + 1 cranks and N couplers of length 1 side by side: 1 freedom, N + 1 to first order when all lie flat."""
    s = cd.System(f"{count}-four-bar")
    q = s.coordinates(" ".join(f"a{k}" for k in range(count + 1)), on="S1")
    cranks = [link(s, f"crank{k}", 1.0, one, at=(k, 0, 0)) for k, one in enumerate(q)]
    for k in range(count):
        s.distance(cranks[k].point(1, 0, 0), cranks[k + 1].point(1, 0, 0), 1.0, name=f"coupler{k}")
    upright = s.diagnose([1.0] * (count + 1))
    assert (upright.kinds, upright.velocity_dof, upright.generic_rank) == (set(), 1, count)
    flat = s.diagnose([0.0] * (count + 1))
    assert flat.kinds == {"constraint-degeneracy"}
    assert (flat.velocity_dof, flat.configuration_dof, flat.constraint_rank) == (count + 1, 1, 0)
    assert flat.redundant.local == tuple(f"coupler{k}" for k in range(count))
    assert flat.findings[0].evidence["gained"] == count


def test_the_snake_cart_at_90_degrees_determines_the_sum_of_its_multipliers_only() -> None:
    """(1.2.4): both columns are equal there, so lam1 + lam2 acts along the cart and lam1 - lam2 nowhere."""
    s = snake_cart().s
    d = s.diagnose([0.2, 0.3, 0.5, np.pi / 2])
    assert not d.reactions["lam1"].unique
    assert not d.reactions["lam2"].unique
    assert d.determines({"lam1": 1, "lam2": 1})
    assert not d.determines({"lam1": 1, "lam2": -1})
    (combination,) = d.determined
    assert_close(combination.weights["lam1"] / combination.weights["lam2"], 1.0, within=1e-12, because="round-off")
    assert "lam1 + lam2" in d.findings[0].why
    away = s.diagnose([0.2, 0.3, 0.5, 0.3])
    assert away.reactions["lam1"].unique
    assert away.determines({"lam1": 1, "lam2": -1})


def test_the_sum_of_multipliers_has_the_value_of_the_balance_along_the_cart() -> None:
    """Two rows -x of a cart that is pushed by F along x: -(lam1 + lam2) + F = 0, as in the first row of (1.2.4)."""
    s = cd.System("pushed cart")
    x, y, theta = s.coordinates("x y theta")
    cart = s.body("cart", mass=3.0, inertia=0.5, joint=cd.Planar(x, y, theta))
    s.no_slip(on=cart, point=cart.point(0.5, 0, 0), along=-1 * cart.x, name="lam1")
    s.no_slip(on=cart, point=cart.point(-0.5, 0, 0), along=-1 * cart.x, name="lam2")
    s.gravity(2.0 * s.world.x)
    d = s.diagnose([0.0, 0.0, 0.0])
    (combination,) = d.determined
    total = combination.value / combination.weights["lam1"]
    assert_close(total, 3.0 * 2.0, within=1e-12, because="one solve")


@pytest.mark.parametrize(
    ("v", "state"),
    [
        ([0.0, 0.0, 0.0, 0.0], "at rest"),
        ([0.0, 1.0, 0.5, 0.0], "resident"),  # phi_dot = 0: sliding sideways with the wheels across
        ([0.0, 0.0, 0.5, 1.0], "crossing"),  # w = 0
        ([0.0, 1.0, 0.5, 1.0], "impulsive"),  # phi_dot w != 0
    ],
)
def test_the_state_of_motion_at_a_degenerate_configuration(v: list[float], state: str) -> None:
    """N^T Adot v = 0 reads phi_dot w = 0 for the snake cart, w its sideways velocity."""
    d = snake_cart().s.diagnose([0.0, 0.0, 0.0, np.pi / 2], v)
    assert d.findings[0].evidence["state"] == state
    words = {"at rest": "At rest", "resident": "stays", "crossing": "crosses", "impulsive": "impulse"}
    assert words[state] in d.findings[0].why


def bricard() -> Any:
    """Six hinges, links of length 1, neighbouring axes at +-90 degrees; the ground is the sixth link."""
    s = cd.System("Bricard's mechanism")
    frame: Any = None
    for k, q in enumerate(s.coordinates("q1 q2 q3 q4 q5", on="S1")):
        rod = s.body(
            f"rod{k + 1}",
            mass=1.0,
            inertia=(0.01, 1 / 12, 1 / 12),
            com=(0.5, 0, 0),
            parent=frame,
            joint=cd.Revolute("z", q),
        )
        frame = s.frame(f"twist{k + 1}", parent=rod, at=(1, 0, 0), joint=cd.Revolute("x", (-1) ** k * np.pi / 2))
    ground = s.frame("ground", joint=cd.Revolute("x", np.pi / 2))
    s.connect(frame.point(0, 0, 0), ground.point(-1, 0, 0), cd.Revolute("z"), name="last")
    return s


@pytest.mark.parametrize("angle", [0.4, 1.2, 1.9])
def test_bricard_s_mechanism_moves_although_counting_says_it_does_not(angle: float) -> None:
    """5 coordinates and 5 rows; of rank 4 on the closed curve cos a cos b + cos a + cos b = 0 of alternating angles."""
    other = np.arccos(-np.cos(angle) / (1 + np.cos(angle)))
    d = bricard().diagnose([angle, other, angle, other, angle])
    assert d.kinds == set()
    assert (d.constraint_rank, d.generic_rank, d.velocity_dof, d.configuration_dof) == (4, 4, 1, 1)
    assert (d.redundant.permanent_count, d.redundant.local_count) == (1, 0)
