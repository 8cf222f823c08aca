"""Components of different dimension, and the dimension of singular sets.

x z = 0 and y z = 0 hold on the plane z = 0 (rank 1) and on the line x = y = 0 (rank 2). A Sarrus linkage whose platform
lies on its base, links folded, can turn each pair of links about its hinge on the base: a surface of two angles, beside
the curve on which the platform rises.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import cardan as cd
from support.close import assert_close

PI = np.pi


@cache
def plane_and_line() -> cd.System:
    s = cd.System("plane and line")
    x, y, z = s.coordinates("x y z")
    s.particle("P", mass=1.0, position=s.world.vector(x, y, z))
    s.constrain(x * z, name="first")
    s.constrain(y * z, name="second")
    return s


@cache
def sarrus() -> cd.System:
    """Two chains of three parallel hinges from the base to the platform, links of length 1."""
    s = cd.System("Sarrus")
    a1, a2, a3, b1, b2 = s.coordinates("a1 a2 a3 b1 b2", on="S1")
    J = (0.05, 0.06, 0.07)
    first = s.body("A1", mass=1.0, inertia=J, com=(0.5, 0, 0), at=(1, 0, 0), joint=cd.Revolute("y", a1))
    second = s.body("A2", mass=1.0, inertia=J, com=(0.5, 0, 0), parent=first, at=(1, 0, 0), joint=cd.Revolute("y", a2))
    platform = s.body("P", mass=1.0, inertia=J, com=(-1, 0, 0), parent=second, at=(1, 0, 0), joint=cd.Revolute("y", a3))
    third = s.body("B1", mass=1.0, inertia=J, com=(0, 0.5, 0), at=(0, 1, 0), joint=cd.Revolute("x", b1))
    fourth = s.body("B2", mass=1.0, inertia=J, com=(0, 0.5, 0), parent=third, at=(0, 1, 0), joint=cd.Revolute("x", b2))
    s.connect(fourth.point(0, 1, 0), platform.point(-1, 1, 0), cd.Revolute("x"), name="last")
    return s


@pytest.mark.parametrize(
    ("q", "rank", "freedoms"), [([1.0, 1.0, 0.0], 1, 2), ([0.0, 0.0, 1.0], 2, 1), ([-0.2, 3.0, 0.0], 1, 2)]
)
def test_each_component_is_regular_with_its_own_rank(q: list[float], rank: int, freedoms: int):
    d = plane_and_line().diagnose(q)
    assert d.is_regular
    assert (d.constraint_rank, d.generic_rank, d.configuration_dof, d.velocity_dof) == (rank, rank, freedoms, freedoms)
    found = plane_and_line().branches(q)
    assert found.decided
    assert [(one.rank, one.verified) for one in found] == [(rank, True)]


def test_where_they_meet_both_are_branches():
    found = plane_and_line().branches([0.0, 0.0, 0.0])
    assert found.decided
    assert sorted((one.tangents.shape[1], one.rank) for one in found) == [(1, 2), (2, 1)]
    assert plane_and_line().diagnose([0.0, 0.0, 0.0]).kinds == {"constraint-degeneracy"}


@pytest.mark.parametrize("branch", [None, 0])
def test_a_free_motion_on_the_plane_is_straight(branch: int | None):
    run = plane_and_line().simulate(1.0, q=[1.0, 1.0, 0.0], v=[1.0, 0.5, 0.0], branch=branch, max_steps=2000)
    assert run.status == "finished"
    assert_close(run.q[-1], [2.0, 1.5, 0.0], within=1e-9, because="rtol")


def test_the_links_of_a_collapsed_sarrus_linkage_turn_together():
    """Folded links of each side turn as one body about a fixed hinge, without forces: at constant rates."""
    s, q, v = sarrus(), np.array([0.4, PI, -0.4 - PI, 0.7, PI]), np.array([1.0, 0.0, -1.0, 0.5, 0.0])
    d = s.diagnose(q)
    assert d.is_regular
    assert (d.constraint_rank, d.configuration_dof, d.velocity_dof) == (3, 2, 2)
    (only,) = s.branches(q)
    assert (only.tangents.shape[1], only.rank, only.verified) == (2, 3, True)
    run = s.simulate(1.0, q=q, v=v, max_steps=2000)
    assert run.status == "finished"
    assert_close(run.q[-1], q + v, within=1e-8, because="rtol")


def test_sets_have_the_dimension_that_their_points_fill():
    """Folded on both sides: two angles free. With one link in the plane besides: one."""
    found = {one.text: one.dimension for one in sarrus().singular_set(budget=60.0)}
    assert found == {
        "sin(a2) = 0 and sin(b2) = 0": 2,
        "sin(a1) = 0 and sin(a2) = 0": 1,
        "sin(b1) = 0 and sin(b2) = 0": 1,
    }


@pytest.mark.parametrize("axes", ["zxzx", "zxyz"])
def test_four_gimbals_lose_a_direction_on_surfaces(axes: str):
    """Four axes lie in one plane on sets of codimension 2 in four angles: sin b = sin c = 0, or cos b = cos c = 0."""
    s = cd.System("four gimbals")
    q = s.coordinates("a b c d", on="S1")
    frame = None
    for k in range(3):
        frame = s.frame(f"ring {k}", parent=frame, joint=cd.Revolute(axes[k], q[k]))
    s.body("body", inertia=(0.1, 0.2, 0.25), parent=frame, joint=cd.Revolute(axes[3], q[3]))
    (one,) = [one for one in s.singular_set(budget=60.0) if one.text != "everywhere"]
    assert one.dimension == 2
