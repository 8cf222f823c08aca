"""Robot files as their owners have them: inertias that no body has, limits, planes, and where a run starts."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import cardan as cd
from cardan.cli.main import app
from cardan.errors import FileError
from cardan.formats.robot_inertia import repaired
from support.close import assert_close

EPS = np.finfo(float).eps


def written(tmp_path: Path, links: str, joints: str = "") -> Path:
    path = tmp_path / "robot.urdf"
    path.write_text(f'<robot name="robot">{links}{joints}</robot>', encoding="utf-8")
    return path


def link(name: str, moments: tuple[float, float, float] = (1, 1, 1), mass: float = 2.0, xy: float = 0.0) -> str:
    xx, yy, zz = moments
    inertia = f'<inertia ixx="{xx}" iyy="{yy}" izz="{zz}" ixy="{xy}"/>'
    return f'<link name="{name}"><inertial><mass value="{mass}"/>{inertia}</inertial></link>'


def joint(name: str, kind: str, child: str, more: str = "", parent: str = "base") -> str:
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{more}</joint>'


# --- inertias --------------------------------------------------------------------------------------


def test_an_inertia_that_no_body_has_is_refused_with_the_way_out(tmp_path: Path) -> None:
    path = written(tmp_path, link("base", (1, 1, 3)))
    with pytest.raises(FileError, match=r"triangle inequality.*inertia=\"repair\".*--repair.*\"as-is\""):
        cd.load(path)
    with pytest.raises(FileError, match="'fix' is unknown; use one of 'refuse', 'repair', 'as-is'"):
        cd.load(path, inertia="fix")


def test_a_repaired_inertia_is_the_nearest_and_told(tmp_path: Path) -> None:
    """Second moments of (1, 1, 3): x and y 3/2, z -1/2, which becomes 0; hence 3/2, 3/2, 3."""
    s = cd.load(written(tmp_path, link("base", (1, 1, 3))), inertia="repair")
    assert_close(np.array(s.bodies["base"].inertia, float), np.diag([1.5, 1.5, 3]), within=8 * EPS, because="rounding")
    assert any("'base' is repaired: principal moments 1, 1, 3 became 1.5, 1.5, 3" in note for note in s.notes)


def test_repairing_is_a_projection_that_turns_with_the_axes() -> None:
    """Of a convex set: what is possible stays, twice is once, and turned axes give the turned result."""
    rng = np.random.default_rng(5)
    for _ in range(50):
        own = rng.normal(size=(3, 3))
        own = own + own.T
        turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        once = np.array(repaired(own))
        moments = np.linalg.eigvalsh(once)
        assert 2 * moments[2] - moments.sum() <= 50 * EPS
        assert moments[0] >= -50 * EPS
        assert_close(repaired(once), once, within=100 * EPS, because="a projection, in rounding of numbers near 3")
        turned = np.array(repaired(turn @ own @ turn.T))
        assert_close(turned, turn @ once @ turn.T, within=200 * EPS, because="two rotations of numbers near 3")


def test_an_inertia_as_it_stands_moves_as_it_says(tmp_path: Path) -> None:
    path = written(tmp_path, '<link name="base"/>' + link("arm", (1, 1, 3)), joint("q", "continuous", "arm"))
    s = cd.load(path, inertia="as-is")
    assert float(s.compile().mass_matrix([0.0])[0, 0]) == 1.0  # about x
    assert any("'arm' is kept although no body has it" in note for note in s.notes)


def test_rounding_of_zero_is_zero(tmp_path: Path) -> None:
    """1e-20 kg m^2 on 0.3 kg, on a robot of half a metre, is what was left of zero; 1e-12 is not."""
    arm = joint("q", "fixed", "tip", '<origin xyz="0.5 0 0"/>')
    small = link("base", (-1e-20, 0, 1e-20), 0.3)
    s = cd.load(written(tmp_path, small + link("tip"), arm))
    assert not np.any(np.array(s.bodies["base"].inertia, float))
    with pytest.raises(FileError, match="negative moment"):
        cd.load(written(tmp_path, link("base", (-1e-12, 0, 1e-12), 0.3) + link("tip"), arm))


# --- limits, start, duration -----------------------------------------------------------------------


def test_limits_are_kept_and_the_run_starts_inside_them(tmp_path: Path) -> None:
    """Zero where it is allowed, otherwise the middle: what joint_state_publisher of ROS does."""
    links = link("base") + link("a") + link("b") + link("c")
    joints = joint("qa", "revolute", "a", '<limit lower="-3" upper="-1" effort="87" velocity="2.5"/>')
    joints += joint("qb", "prismatic", "b", '<limit lower="-1" upper="2" effort="5"/>')
    joints += joint("qc", "continuous", "c", '<limit effort="7" velocity="1"/>')
    s = cd.load(written(tmp_path, links, joints))
    assert s.plan["q"] == {"qa": -2.0}
    assert vars(s.limits["qa"]) == {"lower": -3, "upper": -1, "effort": 87, "velocity": 2.5}
    assert (s.limits["qb"].upper, s.limits["qb"].velocity) == (2, math.inf)
    assert (s.limits["qc"].upper, s.limits["qc"].effort) == (math.inf, 7)
    run = s.simulate(**s.plan)
    assert run.t[-1] == 2.0
    assert np.all(run["qa"] <= -1 + 1e-9)


def test_a_follower_narrows_the_range_of_its_leader(tmp_path: Path) -> None:
    """b = -2 a + 1 in (0, 3) means a in (-1, 1/2)."""
    limits = '<limit lower="-5" upper="5"/>'
    follows = '<limit lower="0" upper="3"/><mimic joint="qa" multiplier="-2" offset="1"/>'
    joints = joint("qa", "revolute", "a", limits) + joint("qb", "revolute", "b", follows)
    s = cd.load(written(tmp_path, link("base") + link("a") + link("b"), joints))
    assert (s.limits["qa"].lower, s.limits["qa"].upper) == (-1, 0.5)


def test_a_missing_limit_is_told_with_the_way_out(tmp_path: Path) -> None:
    path = written(tmp_path, link("base") + link("a"), joint("qa", "revolute", "a"))
    with pytest.raises(FileError, match=r"needs a <limit>.*--no-limits"):
        cd.load(path)
    assert len(cd.load(path, restitution=None).model.q) == 1


# --- kinds of joints -------------------------------------------------------------------------------


@pytest.mark.parametrize("axis", [(0, 0, 1), (0, 1, 0), (0, 0, -1), (1, 2, 2)])
def test_a_planar_joint_stays_in_its_plane_and_turns_about_its_normal(tmp_path: Path, axis: tuple[int, ...]) -> None:
    """Kinetic energy of the body is m v^2 / 2 + I w^2 / 2, whatever the plane."""
    place = '<origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/>'
    more = f'{place}<axis xyz="{axis[0]} {axis[1]} {axis[2]}"/>'
    path = written(tmp_path, '<link name="base"/>' + link("a", (1, 1, 1), 2.0), joint("p", "planar", "a", more))
    s = cd.load(path)
    assert [str(q) for q in s.model.q] == ["p_x", "p_y", "p_angle"]
    k = s.compile()
    assert_close(k.mass_matrix([0.3, -0.2, 0.7]), np.diag([2, 2, 1]), within=50 * EPS, because="rotations cancel")
    (R, here), (_, home) = k.poses([0.3, -0.2, 0.7])["a"], k.poses([0, 0, 0])["a"]
    R0 = k.poses([0, 0, 0])["a"][0]
    n = R0 @ np.array(axis) / np.linalg.norm(axis)
    assert_close(n @ (here - home), 0, within=8 * EPS, because="in the plane")
    assert_close(R @ R0.T @ n, n, within=8 * EPS, because="the normal is kept")


def test_the_world_needs_no_link_of_its_own(tmp_path: Path) -> None:
    joints = joint("q", "prismatic", "a", '<axis xyz="0 0 1"/><limit lower="-9" upper="9"/>', parent="world")
    path = written(tmp_path, link("a"), joints)
    assert float(cd.load(path).compile().acceleration([0.0])[0]) == -9.81
    with pytest.raises(FileError, match="joins the robot to the world"):
        cd.load(path, floating=True)


def test_macros_and_parts_say_what_they_are(tmp_path: Path) -> None:
    path = tmp_path / "robot.urdf"
    path.write_text('<robot name="r" xmlns:xacro="x"><xacro:macro name="arm"/></robot>', encoding="utf-8")
    with pytest.raises(FileError, match=r"macro of xacro.*xacro robot.urdf.xacro > robot.urdf"):
        cd.load(path)
    part = tmp_path / "part.xml"
    part.write_text("<mujocoinclude/>", encoding="utf-8")
    with pytest.raises(FileError, match="for other MJCF files to include"):
        cd.load(part)


# --- the command line ------------------------------------------------------------------------------


def test_every_command_takes_the_options_of_robots(tmp_path: Path) -> None:
    limit = '<limit lower="1" upper="2"/>'
    path = written(tmp_path, link("base", (1, 1, 3)) + link("a"), joint("q", "revolute", "a", limit))
    runner = CliRunner()
    refused = runner.invoke(app, ["simulate", str(path)])
    assert refused.exit_code == 3
    assert "--repair" in refused.output
    assert runner.invoke(app, ["simulate", str(path), "--repair"]).exit_code == 0
    free = runner.invoke(app, ["check", str(path), "--repair", "--no-limits", "--floating", "--json"])
    assert free.exit_code == 0
    assert '"base_e"' in free.output
    wrong = tmp_path / "model.yaml"
    wrong.write_text("cardan: 1\n", encoding="utf-8")
    assert runner.invoke(app, ["check", str(wrong), "--floating"]).exit_code == 2


FAULTY = {
    "a second <inertial>": link("base").replace("</link>", "<inertial><mass value='9'/></inertial></link>"),
    "has no <mass>": '<link name="base"><inertial><inertia ixx="1" iyy="1" izz="1"/></inertial></link>',
    "mimics 'nobody'": link("base") + link("a") + joint("j", "continuous", "a", '<mimic joint="nobody"/>'),
    "are exchanged": link("base") + link("a") + joint("j", "revolute", "a", '<limit lower="1" upper="-1"/>'),
    "a second <axis>": link("base")
    + link("a")
    + joint("j", "continuous", "a", '<axis xyz="0 0 1"/><axis xyz="1 0 0"/>'),
}


@pytest.mark.parametrize("fault", FAULTY)
def test_faults_are_refused_or_mended_and_told(tmp_path: Path, fault: str) -> None:
    path = written(tmp_path, FAULTY[fault])
    with pytest.raises(FileError):
        cd.load(path)
    s = cd.load(path, repair=True)
    assert any(fault in note for note in s.notes), s.notes
    if fault == "a second <axis>":
        assert s.compile().jacobian("a", [0.0])[3:, 0].tolist() == [0, 0, 1]


def test_repair_mends_inertias_too(tmp_path: Path) -> None:
    s = cd.load(written(tmp_path, link("base", (1, 1, 3))), repair=True)
    assert any("is repaired" in note for note in s.notes)
