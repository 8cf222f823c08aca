"""Robots in SDF: trees, frames that are not those of joints, loops, gears, and what floats."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cardan as cd
from cardan.errors import FileError
from support.close import assert_close

EPS = np.finfo(float).eps


def written(tmp_path: Path, inside: str, version: str = "1.7", name: str = "robot.sdf") -> Path:
    path = tmp_path / name
    path.write_text(f'<sdf version="{version}">{inside}</sdf>', encoding="utf-8")
    return path


def link(name: str, pose: str = "", mass: float = 2.0, centre: str = "0 0 0 0 0 0", moment: float = 0.1) -> str:
    own = f"<pose>{pose}</pose>" if pose else ""
    inertia = "".join(f"<{key}>{moment}</{key}>" for key in ("ixx", "iyy", "izz"))
    inertial = f"<inertial><mass>{mass}</mass><pose>{centre}</pose><inertia>{inertia}</inertia></inertial>"
    return f"<link name='{name}'>{own}{inertial}</link>"


def joint(name: str, kind: str, parent: str, child: str, more: str = "", axis: str = "0 1 0") -> str:
    ends = f"<parent>{parent}</parent><child>{child}</child>"
    return f"<joint name='{name}' type='{kind}'>{ends}<axis><xyz>{axis}</xyz>{more}</axis></joint>"


def test_a_pendulum_swings_about_its_joint_and_keeps_the_frame_of_its_link(tmp_path: Path) -> None:
    """A link whose frame is at its centre, hung 0.5 m above: theta'' = -m g l sin(theta) / (I + m l^2)."""
    hinge = "<joint name='hinge' type='revolute'><parent>world</parent><child>bob</child>"
    hinge += "<pose>0 0 0.5 0 0 0</pose><axis><xyz>0 1 0</xyz></axis></joint>"
    s = cd.load(written(tmp_path, f"<model name='pendulum'>{link('bob', '0 0 1 0 0 0')}{hinge}</model>"))
    k = s.compile()
    theta = 0.3
    expected = -2 * 9.81 * 0.5 * np.sin(theta) / (0.1 + 2 * 0.25)
    assert_close(k.acceleration([theta], [0.0]), [expected], within=20 * EPS, because="rounding of a few operations")
    p = k.placement("bob", [theta])[1]
    assert_close(p, [-0.5 * np.sin(theta), 0, 1.5 - 0.5 * np.cos(theta)], within=4 * EPS, because="rounding")


def test_what_nothing_joins_to_the_world_floats_unless_it_is_static(tmp_path: Path) -> None:
    free = cd.load(written(tmp_path, f"<model name='m'>{link('box', '0 0 3 0 0 0')}</model>"))
    assert free.compile().nv == 6
    assert_close(
        free.compile().placement("box", [0, 0, 0, 1, 0, 0, 0])[1], [0, 0, 3], within=0, because="no arithmetic"
    )
    static = cd.load(written(tmp_path, f"<model name='m'><static>true</static>{link('box')}</model>", name="s.sdf"))
    assert static.compile().nv == 0
    with pytest.raises(FileError, match="says itself what floats"):
        cd.load(written(tmp_path, f"<model name='m'>{link('box')}</model>"), floating=True)


def test_axes_are_along_joint_model_or_a_frame_as_the_version_says(tmp_path: Path) -> None:
    """A link turned by a quarter about x: its own y is the model's z."""
    turned = link("arm", "0 0 0 1.5707963267948966 0 0")
    base = "<parent>world</parent><child>arm</child>"

    def axis(inside: str, version: str) -> np.ndarray:
        said = f"<model name='m'>{turned}<joint name='j' type='revolute'>{base}<axis>{inside}</axis></joint></model>"
        return cd.load(written(tmp_path, said, version)).compile().jacobian("arm", [0.0])[3:, 0]

    cases = [
        ("<xyz>0 1 0</xyz>", "1.7", [0, 0, 1]),
        ("<xyz>0 1 0</xyz>", "1.4", [0, 1, 0]),
        ("<xyz>0 1 0</xyz><use_parent_model_frame>1</use_parent_model_frame>", "1.6", [0, 1, 0]),
        ("<xyz expressed_in='__model__'>0 1 0</xyz>", "1.7", [0, 1, 0]),
    ]
    for inside, version, expected in cases:
        assert_close(axis(inside, version), expected, within=4 * EPS, because="a quarter turn in doubles")


def four_bar(last: str) -> str:
    """Cranks of 1 m, a coupler of 2 m, upright: x-z plane, hinges about y."""
    links = link("crank", "0 0 0 0 0 0", 1, "0 0 0.5 0 0 0", 1 / 12) + link(
        "coupler", "0 0 1 0 0 0", 2, "1 0 0 0 0 0", 2 / 3
    )
    links += link("rocker", "2 0 0 0 0 0", 1, "0 0 0.5 0 0 0", 1 / 12)
    joints = joint("a", "revolute", "world", "crank") + joint("b", "revolute", "crank", "coupler")
    joints += joint("c", "revolute", "world", "rocker")
    return f"<model name='four-bar'>{links}{joints}{last}</model>"


def test_a_joint_whose_child_is_carried_already_closes_a_loop(tmp_path: Path) -> None:
    """A parallelogram, whose coupler translates: alpha = (m1/2 + m2 + m3/2) g l sin(theta) / M, M = 2/3 + 2."""
    last = "<joint name='d' type='revolute'><parent>rocker</parent><child>coupler</child>"
    last += "<pose>2 0 0 0 0 0</pose><axis><xyz>0 1 0</xyz></axis></joint>"
    s = cd.load(written(tmp_path, four_bar(last)))
    assert [one.name for one in s.model.constraints] == ["d"]
    q, alpha = 0.4, 3 * 9.81 * np.sin(0.4) / (8 / 3)
    a = s.compile().acceleration([q, -q, q], [0.0, 0.0, 0.0])
    assert_close(a, [alpha, -alpha, alpha], within=1e-12, because="rounding of a small linear solve")
    run = s.simulate(1.0, q=[q, -q, q])
    assert run.status == "finished"
    assert np.max(run.constraint_error) < 1e-8  # the tolerance of projection


def test_a_gearbox_holds_two_angles_in_a_ratio(tmp_path: Path) -> None:
    """A rotor geared 10:1 to an arm: I = I_arm + 100 I_rotor; theta_2 = -ratio theta_1."""
    links = link("arm", moment=1.0) + link("rotor", moment=0.02) + link("base")
    joints = joint("hold", "fixed", "world", "base") + joint("arm_hinge", "revolute", "base", "arm")
    joints += joint("rotor_hinge", "revolute", "base", "rotor")
    gear = "<joint name='gear' type='gearbox'><parent>rotor</parent><child>arm</child>"
    gear += "<gearbox_reference_body>base</gearbox_reference_body><gearbox_ratio>0.1</gearbox_ratio>"
    gear += "<axis><xyz>0 1 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint>"
    s = cd.load(written(tmp_path, f"<model name='m'>{links}{joints}{gear}</model>"))
    names = [symbol.name for symbol in s.model.q]
    a = s.compile().acceleration([0.0, 0.0], [0.0, 0.0], inputs={"tau_arm_hinge": 3.0})
    found = dict(zip(names, a, strict=True))
    assert_close(found["arm_hinge"], 3 / (1 + 100 * 0.02), within=1e-13, because="rounding of a small linear solve")
    assert_close(found["rotor_hinge"], -10 * found["arm_hinge"], within=1e-12, because="the same, times ten")


def test_screws_universal_joints_and_springs(tmp_path: Path) -> None:
    """A nut of 2 kg on a thread of 0.1 m a turn: (I + m (lead/2pi)^2) theta'' = -m g lead/2pi."""
    nut = "<joint name='thread' type='screw'><parent>world</parent><child>nut</child>"
    nut += "<screw_thread_pitch>0.1</screw_thread_pitch><axis><xyz>0 0 1</xyz></axis></joint>"
    s = cd.load(written(tmp_path, f"<model name='m'>{link('nut')}{nut}</model>"))
    lead = 0.1 / (2 * np.pi)
    expected = -2 * 9.81 * lead / (0.1 + 2 * lead**2)
    assert_close(s.compile().acceleration([0.2], [0.0]), [expected], within=1e-14, because="rounding")
    cross = joint("u", "universal", "world", "bob", axis="1 0 0").replace(
        "</joint>", "<axis2><xyz>0 1 0</xyz></axis2></joint>"
    )
    assert cd.load(written(tmp_path, f"<model name='m'>{link('bob')}{cross}</model>")).compile().nv == 2
    spring = "<dynamics><spring_stiffness>8</spring_stiffness><spring_reference>0.5</spring_reference></dynamics>"
    held = cd.load(
        written(tmp_path, f"<model name='m'>{link('bob')}{joint('j', 'revolute', 'world', 'bob', spring)}</model>")
    )
    assert_close(held.compile().acceleration([0.0], [0.0]), [8 * 0.5 / 0.1], within=1e-13, because="rounding")


def test_limits_frames_nested_models_and_includes(tmp_path: Path) -> None:
    inner = f"<model name='tool'><pose>0 0 1 0 0 0</pose>{link('tip')}</model>"
    (tmp_path / "tool").mkdir()
    (tmp_path / "tool" / "model.sdf").write_text(f"<sdf version='1.7'>{inner}</sdf>", encoding="utf-8")
    limit = "<limit><lower>-1</lower><upper>2</upper><effort>30</effort></limit>"
    arm = link("arm") + joint("j", "revolute", "world", "arm", limit)
    arm += "<frame name='mount' attached_to='arm'><pose>0 0 1 0 0 0</pose></frame>"
    for tool in (inner, "<include><uri>model://tool</uri></include>"):
        weld = "<joint name='w' type='fixed'><parent>mount</parent><child>tool::tip</child></joint>"
        s = cd.load(written(tmp_path, f"<model name='m'>{arm}{tool}{weld}</model>", "1.8"))
        assert s.compile().nv == 1
        assert len(s.model.stops) == 2
        assert s.limits["j"].effort == 30
        assert_close(s.compile().placement(s["tool::tip"], [0.0])[1], [0, 0, 1], within=0, because="no arithmetic")


@pytest.mark.parametrize(
    ("inside", "why"),
    [
        ("<model name='m'/>", "no links"),
        (f"<model name='m'>{link('a')}{joint('j', 'hinge', 'world', 'a')}</model>", "none of revolute"),
        (f"<model name='m'>{link('a')}{joint('j', 'revolute', 'world', 'b')}</model>", "'b', which is no link"),
        (f"<model name='m'>{link('a', '1 2 three 0 0 0')}</model>", "finite number"),
        (f"<model name='m'>{link('a', '1 2 3')}</model>", "six numbers"),
        (f"<model name='m'>{link('a')}{link('a')}</model>", "stands in the file already"),
        ("<include><uri>model://../../etc</uri></include>", "lies outside"),
        ("<include><uri>/etc/passwd.sdf</uri></include>", "no path below"),
        ("<model name='m'><link name='a'><pose relative_to='f'/></link><frame name='f' attached_to='a'/></model>",
         "circle"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused_with_its_place(tmp_path: Path, inside: str, why: str) -> None:
    with pytest.raises(FileError, match=why):
        cd.load(written(tmp_path, inside))
