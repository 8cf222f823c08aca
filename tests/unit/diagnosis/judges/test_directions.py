"""Lost directions of loads, tasks of points and bodies, and actuation: what a robot cannot do here."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sympy import cos, sin

import cardan as cd
from support.close import assert_close
from support.singular_systems import pinned, suspension


def rp_arm() -> tuple[Any, Any]:
    """Choset, section 10.2: turn q1, slide q2, masses m1 at distance a and m2 at distance q2."""
    s = cd.System("RP manipulator")
    q1, q2 = s.coordinates("q1", on="S1"), s.coordinates("q2")
    m1, m2, a = s.parameters(m1=1.0, m2=2.0, a=0.5)
    s.particle("first", mass=m1, position=s.world.x * (a * cos(q1)) + s.world.y * (a * sin(q1)))
    tip = s.particle("tip", mass=m2, position=s.world.x * (q2 * cos(q1)) + s.world.y * (q2 * sin(q1)))
    return s, tip


def test_the_manipulability_of_the_rp_arm_is_q2() -> None:
    """J = [[-q2 sin, cos], [q2 cos, sin]]: |det J| = q2."""
    s, tip = rp_arm()
    for q2 in (0.7, 2.0):
        task = s.diagnose([0.4, q2], task=tip).task
        assert_close(task.manipulability, q2, within=1e-12, because="two singular values")
        assert (task.rank, task.generic_rank) == (2, 2)


def test_the_tip_of_the_rp_arm_loses_a_direction_at_q2_0() -> None:
    s, tip = rp_arm()
    d = s.diagnose([0.4, 0.0], task=tip)
    assert d.kinds == set()  # the mass m1 keeps the coordinates regular
    assert d.task.is_singular
    assert_close(d.task.manipulability, 0.0, within=1e-15, because="a zero column")
    (lost,) = d.task.lost
    across = np.array([-np.sin(0.4), np.cos(0.4), 0.0])
    assert_close(abs(lost @ across) / np.linalg.norm(lost), 1.0, within=1e-12, because="round-off")
    note = next(one for one in d.notes if one.kind == "task-singularity")
    assert "tip cannot move along" in note.what


def test_10_12_thrusters_at_the_tip_lose_rank_with_t_equal_j_transposed() -> None:
    """(10.12): T(q) = J^T, which is singular at q2 = 0."""
    s, tip = rp_arm()
    s.force("thrust", on=tip)
    d = s.diagnose([0.4, 0.0], loads={"thrust": [1.0, 2.0, 0.0]})
    assert (d.actuation.rank, d.actuation.generic_rank) == (1, 2)
    note = next(one for one in d.notes if one.kind == "actuation-singularity")
    assert "T(q) has rank 1, usually 2" in note.what
    away = s.diagnose([0.4, 0.8])
    J = np.array([[-0.8 * np.sin(0.4), np.cos(0.4)], [0.8 * np.cos(0.4), np.sin(0.4)]])
    assert_close(away.actuation.matrix[:, :2], J.T, within=1e-14, because="(10.12)")
    assert not away.actuation.is_singular


def test_inputs_count_as_actuators() -> None:
    """Two motors on two hinges, the second one through a lever that vanishes at b = 0."""
    s = cd.System("lever")
    a, b = s.coordinates("a b", on="S1")
    u, w = s.input("u"), s.input("w")
    first = s.body("first", inertia=1.0, joint=cd.Revolute("z", a))
    s.body("second", inertia=1.0, joint=cd.Revolute("x", b), parent=first)
    s.generalized_force(a, u)
    s.generalized_force(b, w * sin(b))
    d = s.diagnose([0.3, 0.0])
    assert (d.actuation.names, d.actuation.rank, d.actuation.generic_rank) == (("u", "w"), 1, 2)
    assert_close(np.abs(d.actuation.idle), [[0.0, 1.0]], within=1e-12, because="w alone is idle")


@pytest.mark.parametrize(("elbow", "rank"), [(0.0, 1), (1.0, 2)])
def test_the_stretched_2r_arm_is_singular_for_its_tip(elbow: float, rank: int) -> None:
    """Manipulability l1 l2 |sin(elbow)|."""
    s = cd.System("2R arm")
    a, b = s.coordinates("a b", on="S1")
    upper = s.body("upper", mass=1.0, inertia=0.1, com=(0.25, 0, 0), joint=cd.Revolute("z", a))
    lower = s.body("lower", mass=1.0, inertia=0.1, parent=upper, at=(0.5, 0, 0), joint=cd.Revolute("z", b))
    d = s.diagnose([0.3, elbow], task=lower.point(0.4, 0, 0))
    assert d.task.rank == rank
    assert_close(d.task.manipulability, 0.5 * 0.4 * np.sin(elbow), within=1e-15, because="two products")
    assert d.kinds == set()


def test_lost_load_directions_of_the_suspension_without_loads() -> None:
    s = cd.System("suspension without loads")
    alpha, beta, gamma = s.coordinates("alpha beta gamma", on="S1")
    outer = s.body("outer", inertia=0.5, joint=cd.Revolute("z", alpha))
    inner = s.body("inner", inertia=0.3, joint=cd.Revolute("x", beta), parent=outer)
    s.body("platform", inertia=0.9, joint=cd.Revolute("z", gamma), parent=inner)
    d = s.diagnose([0.3, 0.0, 0.8])
    assert d.kinds == set()  # nothing is loaded, so nothing is locked
    (note,) = [one for one in d.notes if one.kind == "lost-load-directions"]
    assert note.evidence == {"body": "platform", "load": "moment", "rank": 2, "generic_rank": 3}
    across = np.array([np.sin(0.8), np.cos(0.8), 0.0])  # inner.y along the platform's axes
    (lost,) = note.directions["lost"]
    assert_close(abs(lost @ across) / np.linalg.norm(lost), 1.0, within=1e-9, because="round-off")
    assert not s.diagnose([0.3, 1.0, 0.8]).notes


def test_a_singular_chart_loses_no_load_direction() -> None:
    """Loads act on the manifold, whatever the coordinates do."""
    s = cd.System("body about a fixed point")
    nu = s.coordinates("nu1 nu2 nu3", on="S1")
    s.body("body", mass=2.0, inertia=0.9, joint=cd.Ball(cd.Euler("3-1-3", *nu)))
    d = s.diagnose([0.4, 0.0, -0.7])
    assert d.kinds == {"coordinate-singularity"}
    assert not [one for one in d.notes if one.kind == "lost-load-directions"]


def test_forces_that_never_act_are_not_called_lost() -> None:
    assert [one.kind for one in pinned().s.diagnose([0.4, 0.7]).notes] == []
    assert suspension().s.diagnose([0.3, 0.0, 0.8]).notes  # with named loads these are judged instead


def test_a_wholly_prescribed_system_is_regular_and_has_no_freedom() -> None:
    s = cd.System("driven")
    a = s.coordinates("a")
    body = s.body("body", mass=1.0, inertia=1.0, joint=cd.Revolute("z", a))
    s.prescribe(a, 0.3 * s.time)
    d = s.diagnose()
    assert (d.kinds, d.velocity_dof, d.configuration_dof) == (set(), 0, 0)
    assert d.screws(body) == []
