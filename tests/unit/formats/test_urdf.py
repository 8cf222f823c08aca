"""Robot files: what they become, what is said about the rest, and how faults are named."""

from __future__ import annotations

from pathlib import Path

import pytest

import cardan as cd
from cardan.errors import FileError
from cardan.formats.urdf import read_urdf
from support.close import assert_close

BODY = '<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
ARM = f"""<robot name="arm">
<link name="base"/>
<link name="upper">{BODY}</link>
<link name="lower">{BODY}</link>
<joint name="shoulder" type="continuous">
<parent link="base"/><child link="upper"/><axis xyz="0 0 -1"/><dynamics damping="0.5" friction="0.1"/>
</joint>
<joint name="elbow" type="revolute">
<parent link="upper"/><child link="lower"/><origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/>
<axis xyz="3 0 4"/><mimic joint="shoulder" multiplier="-2" offset="0.25"/>
</joint>
</robot>"""


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    path = tmp_path / "arm.urdf"
    path.write_text(ARM, encoding="utf-8")
    return path


def refused(tmp_path: Path, text: str) -> FileError:
    path = tmp_path / "wrong.urdf"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileError) as caught:
        cd.load(path)
    return caught.value


def test_joints_axes_and_followers(arm: Path) -> None:
    data = read_urdf(arm).data
    assert data["coordinates"] == {"shoulder": "S1"}
    assert data["bodies"]["upper"]["joint"] == {"kind": "revolute", "axis": "-z", "angle": "shoulder"}
    assert data["bodies"]["lower"]["joint"]["axis"] == [0.6, 0.0, 0.8]
    assert data["bodies"]["lower"]["joint"]["angle"] == "-2.0*shoulder + (0.25)"
    assert data["bodies"]["lower"]["at"]["rotation"] == [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    assert data["generalized_forces"] == {"shoulder": "tau_shoulder"}
    assert data["dampers"] == [{"on": "shoulder", "coefficient": 0.5}]
    assert data["friction"] == [{"on": "shoulder.dot", "coefficient": 0.1, "normal": 1}]


def test_a_follower_turns_with_its_leader(arm: Path) -> None:
    run = cd.load(arm).simulate(0.5, v={"shoulder": 1.0})
    turning = run.omega("upper")[:, 2]  # about its own z, so -shoulder'
    about_the_elbow = run.omega("lower") @ [0.6, 0.0, 0.8]
    carried, own = 0.8 * turning, 2 * turning  # elbow' = -2 shoulder'
    assert_close(about_the_elbow, carried + own, within=1e-12, because="both are sums of a few products near 1")


def wheels(tmp_path: Path, *joints: str) -> Path:
    """Wheels on one axis, joint k with these elements; the first has a coordinate of its own."""
    links = "".join(f'<link name="w{k}">{BODY}</link>' for k in range(len(joints)))
    inner = "".join(
        f'<joint name="q{k}" type="revolute"><parent link="base"/><child link="w{k}"/><axis xyz="0 0 1"/>{one}</joint>'
        for k, one in enumerate(joints)
    )
    path = tmp_path / "wheels.urdf"
    path.write_text(f'<robot name="wheels"><link name="base"/>{links}{inner}</robot>', encoding="utf-8")
    return path


def test_who_follows_a_follower_follows_its_leader(tmp_path: Path) -> None:
    """q2 = 2 q1 + 0.5 = 2 (-3 q0 + 0.1) + 0.5: about one axis, 46 = 1 + 9 + 36 times the inertia."""
    far = '<limit lower="-9" upper="9"/>'
    first, second = (
        '<mimic joint="q0" multiplier="-3" offset="0.1"/>',
        '<mimic joint="q1" multiplier="2" offset="0.5"/>',
    )
    path = wheels(tmp_path, far, first, second)
    assert read_urdf(path).data["bodies"]["w2"]["joint"]["angle"] == "-6.0*q0 + (0.7)"
    assert_close(cd.load(path).compile().mass_matrix([0.0]), [[46.0]], within=1e-12, because="a sum of three")
    around = '<mimic joint="q1"/>'
    assert "in a circle: q0, q1" in str(refused(tmp_path, wheels(tmp_path, around, '<mimic joint="q0"/>').read_text()))


def test_limits_that_are_infinite_equal_or_the_wrong_way_round(tmp_path: Path) -> None:
    free = read_urdf(wheels(tmp_path, '<limit lower="-inf" upper="1.5"/>')).data
    assert [one["name"] for one in free["stops"]] == ["q0_upper"]
    held = cd.load(wheels(tmp_path, '<limit effort="1" velocity="1"/>', '<limit lower="-9" upper="9"/>'))
    run = held.simulate(1.0, v={"q1": 1.0}, inputs={"tau_q0": 1.0})
    assert_close(run["q0"], 0.0, within=1e-12, because="lower and upper are both 0 where they are not given")
    assert_close(run["q1"][-1], 1.0, within=1e-9, because="a wheel that turns on")
    for wrong in ('lower="1" upper="-1"', 'lower="inf" upper="inf"', 'lower="-inf" upper="-inf"', 'upper="nan"'):
        refused(tmp_path, wheels(tmp_path, f"<limit {wrong}/>").read_text())


def test_a_link_may_be_called_as_a_stop_would_be(tmp_path: Path) -> None:
    path = wheels(tmp_path, '<limit lower="-1" upper="1"/>')
    path.write_text(path.read_text().replace('"w0"', '"q0_lower"'))
    assert [one.name for one in cd.load(path).model.stops] == ["q0_lower_2", "q0_upper"]


def test_what_rubs_cannot_drive(tmp_path: Path) -> None:
    for wrong in ('damping="-1"', 'friction="-0.1"'):
        error = refused(tmp_path, wheels(tmp_path, f'<limit lower="-1" upper="1"/><dynamics {wrong}/>').read_text())
        assert "cannot drive" in str(error)


def test_names_that_expressions_cannot_hold_are_changed_and_said(tmp_path: Path) -> None:
    path = tmp_path / "odd.urdf"
    path.write_text(
        f'<robot name="odd"><link name="a b"/><link name="1__x">{BODY}</link>'
        '<joint name="sin" type="continuous"><parent link="a b"/><child link="1__x"/></joint></robot>',
        encoding="utf-8",
    )
    data = read_urdf(path).data
    assert list(data["bodies"]) == ["a_b", "link_1_x"]
    assert list(data["coordinates"]) == ["sin_joint"]
    assert "the link 'a b' is called a_b" in data["description"]


@pytest.mark.parametrize(
    ("change", "line", "words"),
    [
        (("<robot", "<model"), 12, "not XML"),
        (('<robot name="arm">', '<!DOCTYPE robot [<!ENTITY a "b">]><robot name="arm">'), 1, "document type"),
        (('mass value="2"', 'mass value="nan"'), 3, "finite"),
        (('mass value="2"', 'mass value="1e999"'), 3, "finite"),
        (('izz="1"', 'izz="9"'), 3, "inertia"),
        (('child link="upper"', 'child link="uper"'), 6, "no link 'uper'"),
        (('<axis xyz="3 0 4"/>', '<axis xyz="0 0 0"/>'), 10, "length zero"),
        (('mimic joint="shoulder"', 'mimic joint="wrist"'), 10, "wrist"),
        (('type="continuous"', 'type="screw"'), 5, "screw"),
        (('type="continuous"', 'type="revolute"'), 5, "<limit>"),
        (('<parent link="base"/>', '<parent link="lower"/>'), 3, "carried by itself"),
        (('<link name="base"/>', '<link name="base"/><link name="lost"/>'), 1, "'lost'"),
        (('name="lower"', 'name="upper"'), 4, "line 3"),
    ],
)  # fmt: skip
def test_a_fault_is_named_with_its_line(tmp_path: Path, change: tuple[str, str], line: int, words: str) -> None:
    error = refused(tmp_path, ARM.replace(*change, 1))
    assert words in str(error)
    assert error.line == line, str(error)


def test_too_much_is_refused(tmp_path: Path) -> None:
    assert "nested" in str(refused(tmp_path, "<robot>" + "<a>" * 100_000))
    assert "elements" in str(refused(tmp_path, "<robot>" + "<a/>" * 160_000 + "</robot>"))
    assert "MiB" in str(refused(tmp_path, "<robot>" + " " * 5_000_000 + "</robot>"))
    assert "not XML" in str(refused(tmp_path, ""))


def test_another_kind_of_file_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "robot.skp").write_text("<sdf/>", encoding="utf-8")
    with pytest.raises(FileError, match=r"\.urdf"):
        cd.load(tmp_path / "robot.skp")
