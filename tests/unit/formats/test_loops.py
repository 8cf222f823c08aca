"""Loops of URDF robots: elements of their own, joints of SDF inside <gazebo>, and a file of loops beside them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import cardan as cd
from cardan.cli.main import app
from cardan.errors import FileError
from support.close import assert_close


def rod(name: str, mass: float, length: float, along: str) -> str:
    centre = f"{length / 2} 0 0" if along == "x" else f"0 0 {length / 2}"
    moment = mass * length**2 / 12
    inertia = f'<inertia ixx="{moment}" iyy="{moment}" izz="{moment}"/>'
    return f'<link name="{name}"><inertial><origin xyz="{centre}"/><mass value="{mass}"/>{inertia}</inertial></link>'


def hinge(name: str, parent: str, child: str, at: str) -> str:
    ends = f'<parent link="{parent}"/><child link="{child}"/><origin xyz="{at}"/>'
    return f'<joint name="{name}" type="continuous">{ends}<axis xyz="0 1 0"/></joint>'


def four_bar(tmp_path: Path, more: str) -> Path:
    """Cranks of 1 m and a coupler of 2 m; its end and the end of the rocker are links, too."""
    links = rod("crank", 1, 1, "z") + rod("coupler", 2, 2, "x") + rod("rocker", 1, 1, "z")
    links += '<link name="base"/><link name="end_A"/><link name="end_B"/>'
    joints = hinge("a", "base", "crank", "0 0 0") + hinge("b", "crank", "coupler", "0 0 1")
    joints += hinge("c", "base", "rocker", "2 0 0")
    for name, parent, at in (("A", "coupler", "2 0 0"), ("B", "rocker", "0 0 1")):
        ends = f'<parent link="{parent}"/><child link="end_{name}"/><origin xyz="{at}"/>'
        joints += f'<joint name="weld_{name}" type="fixed">{ends}</joint>'
    path = tmp_path / "robot.urdf"
    path.write_text(f'<robot name="four_bar">{links}{joints}{more}</robot>', encoding="utf-8")
    return path


LOOP_JOINT = """<loop_joint name="d" type="continuous"><link1 link="coupler" xyz="2 0 0"/>
  <link2 link="rocker" xyz="0 0 1"/><axis xyz="0 1 0"/></loop_joint>"""
GAZEBO = """<gazebo><joint name="d" type="revolute"><parent>rocker</parent><child>coupler</child>
  <pose>2 0 0 0 0 0</pose><axis><xyz>0 1 0</xyz></axis></joint></gazebo>"""
LOOPS = "closed_loop: [[end_A, end_B]]\ntype: [3d]\nname_mot: [a]\n"


@pytest.mark.parametrize("how", ["loop_joint", "gazebo", "file"])
def test_a_four_bar_linkage_is_closed_in_each_way(tmp_path: Path, how: str) -> None:
    """A parallelogram, whose coupler translates: alpha = (m1/2 + m2 + m3/2) g l sin(theta) / M, M = 2/3 + 2."""
    said = tmp_path / "robot.yaml"
    said.write_text(LOOPS, encoding="utf-8")
    more = {"loop_joint": LOOP_JOINT, "gazebo": GAZEBO, "file": ""}[how]
    s = cd.load(four_bar(tmp_path, more), loops=said if how == "file" else None)
    alpha = 3 * 9.81 * np.sin(0.4) / (8 / 3)
    a = s.compile().acceleration([0.4, -0.4, 0.4], [0.0, 0.0, 0.0])
    assert_close(a, [alpha, -alpha, alpha], within=1e-12, because="rounding of a small linear solve")
    if how == "file":
        assert [one.name for one in s.model.inputs] == ["tau_a"]  # what has no motor is not driven


def test_a_file_of_loops_makes_joints_what_it_says(tmp_path: Path) -> None:
    path = four_bar(tmp_path, "")
    said = tmp_path / "robot.yaml"
    said.write_text("joint_name: [a, b, c]\njoint_type: [SPHERICAL, UJOINT_XY, FIXED]\n", encoding="utf-8")
    k = cd.load(path, loops=said).compile()
    assert (k.nq, k.nv) == (6, 5)  # a quaternion, and two hinges
    J = k.jacobian("coupler", [0.3, 0.0, 1, 0, 0, 0])
    assert_close(J[3:, 0], [1, 0, 0], within=1e-15, because="the first axis of the cross")
    assert_close(J[3:, 1], [0, np.cos(0.3), np.sin(0.3)], within=1e-15, because="the second, turned by the first")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("closed_loop: [[end_A]]", "a pair of names"),
        ("closed_loop: [[end_A, nowhere]]", "'nowhere', which is no link and no joint"),
        ("closed_loop: [[end_A, end_B]]\ntype: [5d]", "none of 3d and 6d"),
        ("joint_name: [a]\njoint_type: []", "1 names of joints and 0 kinds"),
        ("joint_name: [z]\njoint_type: [FIXED]", "no joint 'z'"),
        ("joint_name: [a]\njoint_type: [UJOINT_XQ]", "none of SPHERICAL"),
        ("closed_loop: &a [*a]", "alias|anchor"),
        ("closed_loop: 3", "expected a list"),
    ],
)
def test_what_is_wrong_in_a_file_of_loops_is_told(tmp_path: Path, text: str, why: str) -> None:
    said = tmp_path / "robot.yaml"
    said.write_text(text, encoding="utf-8")
    with pytest.raises(FileError, match=why):
        cd.load(four_bar(tmp_path, ""), loops=said)


def test_loops_on_the_command_line(tmp_path: Path) -> None:
    said = tmp_path / "robot.yaml"
    said.write_text(LOOPS, encoding="utf-8")
    result = CliRunner().invoke(app, ["check", str(four_bar(tmp_path, "")), "--loops", str(said)])
    assert result.exit_code == 0, result.output
    assert "loop_1" in result.output or "3 constraint" in result.output


def test_a_mesh_of_no_package_lies_beside_the_file(tmp_path: Path) -> None:
    corners = "vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0"
    mesh = f"solid a\nfacet normal 0 0 1\nouter loop\n{corners}\nendloop\nendfacet\nendsolid\n"
    (tmp_path / "rod.stl").write_text(mesh, encoding="utf-8")
    visual = '<visual><geometry><mesh filename="package:///rod.stl"/></geometry></visual></link>'
    path = tmp_path / "robot.urdf"
    path.write_text(f'<robot name="r">{rod("rod", 1, 1, "z").replace("</link>", visual)}</robot>', encoding="utf-8")
    assert not [note for note in cd.load(path).notes if "not drawn" in note]
