"""Hemingway & O'Reilly (2017), sections 1, 7 and appendix A: Fig. 1, the Cardan joint, a craft's platform, tops.

Rows H13 and H14: what is singular in each, and what is not although its free counterpart is.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cardan as cd
from support.close import assert_close
from support.singular_systems import cylinder, euler, joint, pinned, top

PI = np.pi


# --- Fig. 1 and A.1: constraining one Euler angle removes the singularity ------------------------------


@pytest.mark.parametrize("nu2", [0.0, PI, 0.7])
def test_fig_1a_the_whirling_pinned_body_is_regular_where_its_euler_angles_are_not(nu2: float) -> None:
    """nu3 = 0: (nu1, nu2_e) cover T^2 once, so nothing is singular at nu2 = 0, pi (A.1)."""
    d = pinned().s.diagnose([0.4, nu2])
    assert d.kinds == set()
    assert (d.basis_rank, d.configuration_dof) == (2, 2)
    free = euler().s.diagnose([0.4, nu2, 0.0])
    assert free.kinds == (set() if nu2 == 0.7 else {"coordinate-singularity"})


@pytest.mark.parametrize("nu2", [0.0, PI])
def test_fig_1b_the_sliding_cylinder_has_four_freedoms_and_regular_coordinates(nu2: float) -> None:
    d = cylinder().s.diagnose([0.2, 0.3, 0.4, nu2])
    assert d.kinds == set()
    assert (d.basis_rank, d.configuration_dof) == (4, 4)


@pytest.mark.parametrize("held", [0, 2])
def test_a1_holding_the_first_or_third_euler_angle_leaves_a_regular_chart(held: int) -> None:
    """As a row: the null direction (1, 0, -1) at nu2 = 0 is restrained by the constraint."""
    s = cd.System("one Euler angle held")
    nu = s.coordinates("nu1 nu2 nu3", on="S1")
    s.body("body", mass=1.0, inertia=0.4, joint=cd.Ball(cd.Euler("3-1-3", *nu)))
    assert s.diagnose([0.4, 0.0, 0.3]).kinds == {"coordinate-singularity"}
    s.constrain(nu[held] - 0.3, name="held")
    at = [0.4, 0.0, 0.4]
    at[held] = 0.3
    assert s.diagnose(at).kinds == set()


def test_a1_holding_the_second_euler_angle_at_zero_does_not() -> None:
    """nu2 = 0 is the singular set itself: only nu1 + nu3 turns the body."""
    s = cd.System("second Euler angle held")
    nu = s.coordinates("nu1 nu2 nu3", on="S1")
    s.body("body", mass=1.0, inertia=0.4, joint=cd.Ball(cd.Euler("3-1-3", *nu)))
    s.prescribe(nu[1], 0)
    d = s.diagnose([0.4, 0.3])
    assert d.kinds == {"coordinate-singularity"}
    assert d.findings[0].evidence["is_everywhere"]


def test_a2_a_fixed_axis_leaves_one_regular_angle() -> None:
    s = cd.System("fixed axis")
    theta = s.coordinates("theta", on="S1")
    body = s.body("body", mass=1.0, inertia=(0.4, 0.5, 0.6), joint=cd.Revolute((1 / 3, 2 / 3, 2 / 3), theta))
    for angle in (0.0, 1.0, PI):
        d = s.diagnose([angle])
        assert (d.kinds, d.basis_rank) == (set(), 1)
    (turn,) = d.allowable_velocities(body).T
    assert_close(np.abs(turn[3:] / np.linalg.norm(turn[3:])), [1 / 3, 2 / 3, 2 / 3], within=1e-12, because="round-off")


# --- the Cardan joint ----------------------------------------------------------------------------------


def test_the_cardan_joint_turns_its_shafts_by_the_textbook_ratio() -> None:
    """The cross of the driving shaft is along x1 = (cos turn, sin turn, 0), that of the driven one along d x x1 with
    the shaft d = (sin delta, 0, cos delta): tan(out) = tan(turn) / cos(delta), so
    w2/w1 = cos(delta) / (1 - sin(delta)^2 cos(turn)^2).
    """
    s = joint().s
    turn, delta = 0.6, 0.5
    start = s.assemble(q={"turn": turn, "delta": delta})[0].q
    d = s.diagnose(start)
    assert d.velocity_dof == 2
    allowed = s.equations().at(start, np.zeros(4)).A[[3, 4]]
    # velocities with delta fixed: two rows and delta_dot = 0
    rows = np.vstack([allowed, [0, 0, 0, 1]])
    null = np.linalg.svd(rows)[2][-1]
    output = next(one for one in s.model.bodies if one.name == "output")
    run = s.simulate(1e-3, q=start, v=null / null[0])
    w = angular_velocity(run, output)
    axis = np.array([np.sin(delta), 0.0, np.cos(delta)])
    ratio = np.cos(delta) / (1 - np.sin(delta) ** 2 * np.cos(turn) ** 2)
    assert_close(w @ axis, ratio, within=1e-9, because="assembled to 1e-12")


def test_the_cardan_joint_locks_when_its_shafts_are_perpendicular() -> None:
    """The moment along the driven shaft is orthogonal to the configuration manifold: gimbal lock by definition."""
    s = joint().s
    d = s.diagnose([PI / 2, PI / 2, 0.0, PI / 2], loads={"M": 1.0})
    assert d.kinds == {"gimbal-lock"}
    assert s.diagnose([0.7, 0.0, 0.0, 0.0], loads={"M": 1.0}).kinds == set()
    carried = d.findings[0].evidence["carried_by"]
    for hinge in ("hinge of output on cross", "hinge of cross on drive", "hinge of drive on the ground"):
        assert_close(np.linalg.norm(carried[hinge].moment), 1.0, within=1e-12, because="the whole moment passes on")


def test_with_the_bend_fixed_at_90_degrees_no_moment_ever_passes() -> None:
    """Then the driven shaft stands still whatever the driving one does: carried permanently, so no gimbal lock."""
    s = cd.System("Cardan joint with perpendicular shafts")
    turn, arm, other = s.coordinates("turn arm other", on="S1")
    drive = s.body("drive", inertia=0.3, joint=cd.Revolute("z", turn))
    cross = s.body("cross", inertia=0.03, joint=cd.Revolute("x", arm), parent=drive)
    output = s.body("output", inertia=0.3, joint=cd.Revolute("y", other), parent=cross)
    bed = s.frame("bed", joint=cd.Revolute("y", PI / 2))
    s.connect(bed.point(0, 0, 0), output.point(0, 0, 0), cd.Revolute("z"), name="shaft")
    s.moment("M", on=output, along=bed.z)
    d = s.diagnose([PI / 2, PI / 2, 0.0], loads={"M": 1.0})
    assert d.kinds == set()
    assert [note.kind for note in d.notes if "M" in note.where] == ["carried-by-constraints"]


# --- the platform of a craft ---------------------------------------------------------------------------


def platform(gimbals: int) -> tuple[Any, Any]:
    """A platform in three or four gimbals on a craft that turns; motors act at the gimbals' bearings."""
    s = cd.System(f"inertial platform in {gimbals} gimbals")
    rate = s.parameters(rate=0.2)
    craft = s.frame("craft", joint=cd.Revolute("y", rate * s.time))
    carrier: Any = craft
    axes = ["x", "z", "x", "z"][4 - gimbals :]
    names = ["roll", "outer", "inner", "platform"][4 - gimbals :]
    q = s.coordinates(" ".join(f"q_{name}" for name in names), on="S1")
    for name, axis, angle in zip(names, axes, q, strict=True):
        body = s.body(name, inertia=0.2 if name == "platform" else 0.05, parent=carrier, joint=cd.Revolute(axis, angle))
        s.moment(f"motor_{name}", on=body, along=getattr(body, axis), against=None if carrier is craft else carrier)
        carrier = body
    return s, carrier


def test_three_gimbals_in_one_plane_cannot_hold_the_platform_in_one_direction() -> None:
    """Section 1: the control torques become ineffective about the normal of the gimbals' common plane."""
    s, body = platform(3)
    d = s.diagnose([0.0, 0.0, 0.3], task=body)
    assert (d.task.rank, d.task.generic_rank) == (2, 3)
    (lost,) = d.task.lost
    assert_close(np.abs(lost[3:] / np.linalg.norm(lost[3:])), [0, 1, 0], within=1e-9, because="round-off")
    assert s.diagnose([0.0, 1.0, 0.3], task=body).task.rank == 3


def angular_velocity(run: Any, body: Any) -> Any:
    """In world components at the start."""
    return run.rotation(body)[0] @ run.omega(body)[0]


def test_the_locked_platform_turns_with_the_craft() -> None:
    """If the craft then turns about that normal, the platform "engages in the same rotation as the spacecraft"."""
    s, body = platform(3)
    for rates in ([0.0, 0.0, 0.0], [0.7, -0.4, 0.9]):
        run = s.simulate(1e-3, q=[0.0, 0.0, 0.3], v=rates)
        assert_close(angular_velocity(run, body)[1], 0.2, within=1e-12, because="rates enter along x and z only")
    free = angular_velocity(s.simulate(1e-3, q=[0.0, 1.0, 0.3], v=[0.7, -0.4, 0.9]), body)
    assert abs(free[1] - 0.2) > 0.1


def test_a_fourth_gimbal_kept_across_the_others_is_the_remedy() -> None:
    """With the same two gimbals in line (q_inner = 0), the fourth one at 90 degrees gives the missing direction."""
    s, body = platform(4)
    crossed = s.diagnose([0.0, PI / 2, 0.0, 0.3], task=body)
    assert crossed.task.rank == 3
    assert crossed.kinds == set()
    in_plane = s.diagnose([0.0, 0.0, 0.0, 0.3], task=body)
    assert in_plane.task.rank == 2


def test_a_disturbance_along_the_missing_direction_is_in_gimbal_lock() -> None:
    s, body = platform(3)
    inner = next(one for one in s.model.bodies if one.name == "inner")
    s.moment("disturbance", on=body, along=inner.y)
    assert s.diagnose([0.2, 0.0, 0.3], loads={"disturbance": 1.0}).kinds == {"gimbal-lock"}
    assert s.diagnose([0.2, 0.5, 0.3], loads={"disturbance": 1.0}).kinds == set()


# --- the Lagrange top ----------------------------------------------------------------------------------


def test_the_upright_lagrange_top_is_singular_in_euler_angles_and_regular_as_a_quaternion() -> None:
    d = top().s.diagnose([0.4, 0.0, -0.7])
    assert d.kinds == {"coordinate-singularity"}
    assert set(d.findings[0].where) == {"psi", "phi"}
    assert top(True).s.diagnose([1.0, 0.0, 0.0, 0.0]).kinds == set()


def test_the_lagrange_top_keeps_its_three_integrals_through_the_vertical() -> None:
    """Energy, spin about its own axis, and the vertical angular momentum, while it passes near theta = 0."""
    built = top(True)
    s = built.s
    body = s.model.bodies[0]
    half = 0.15
    run = s.simulate(3.0, q=[np.cos(half), np.sin(half), 0, 0], v=[-1.0, 0.0, 12.0], rtol=1e-11, atol=1e-13)
    J, own = np.diag([0.1 + 0.16, 0.1 + 0.16, 0.06]), run.omega(body)  # about the pivot, along the body's axes
    vertical = np.einsum("kij,kj->ki", run.rotation(body), own @ J)[:, 2]
    for kept, size in ((own[:, 2], 12.0), (vertical, 1.0), (run.energy, 10.0)):
        assert_close(kept, np.full_like(kept, kept[0]), within=1e-8 * size, because="1000 times the tolerance")
