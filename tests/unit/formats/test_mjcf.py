"""Robots in MJCF: what is read and under which names, limits as stops, what is refused or listed, faults."""

from __future__ import annotations

import math
import re
import sys
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

import cardan as cd
from cardan.errors import FileError, InstallationError
from cardan.formats.mjcf import read_mjcf
from cardan.formats.mjcf_source import read_source
from support.close import assert_close

ARM = """<mujoco model="arm">
<compiler angle="radian" autolimits="true"/>
<worldbody>
<geom name="floor" type="plane" size="1 1 1"/>
<body name="upper arm" pos="0 0 1">
<joint name="shoulder" axis="0 -1 0" range="-1.2 0.7"/>
<geom type="capsule" fromto="0 0 0 0 0 -0.4" size="0.03" mass="2"/>
<body name="fore" pos="0 0 -0.4">
<joint axis="0 1 0"/>
<geom type="box" size="0.03 0.02 0.2" pos="0 0 -0.2" mass="1"/>
</body>
</body>
</worldbody>
<actuator><motor name="m1" joint="shoulder"/></actuator>
<sensor><jointpos joint="shoulder"/></sensor>
</mujoco>"""
HEAVY = '<worldbody><body name="heavy"><joint/><geom type="mesh" mesh="m"/></body></worldbody>'
PENDULUM = """<mujoco><worldbody><body name="bob"><joint name="phi" axis="0 1 0" limited="true" range="-30 80"/>
<inertial pos="1 0 0" mass="1" diaginertia="0.01 0.01 0.01"/></body></worldbody></mujoco>"""


def written(tmp_path: Path, text: str, name: str = "robot.xml") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def data(tmp_path: Path, text: str, **options: Any) -> dict[str, Any]:
    found: dict[str, Any] = read_mjcf(written(tmp_path, text), **options).data
    return found


def refused(tmp_path: Path, text: str) -> FileError:
    with pytest.raises(FileError) as caught:
        cd.load(written(tmp_path, text))
    return caught.value


def with_part(part: str, text: str = PENDULUM) -> str:
    return text.replace("</mujoco>", f"{part}</mujoco>")


# --- what is read ------------------------------------------------------------------------------------


def test_names_joints_and_shapes(tmp_path: Path) -> None:
    found = data(tmp_path, ARM)
    assert found["name"] == "arm"
    assert found["coordinates"] == {"shoulder": "R", "fore_q": "S1"}
    assert found["inputs"] == ["tau_fore_q", "ctrl_m1"]
    assert data(tmp_path, ARM, actuators=False)["inputs"] == ["tau_shoulder", "tau_fore_q"]
    assert list(found["bodies"]) == ["upper_arm", "fore"]
    upper, fore = found["bodies"].values()
    assert upper["joint"] == {"kind": "revolute", "axis": "-y", "angle": "shoulder"}
    assert [one["shape"]["pieces"][0]["shape"]["kind"] for one in (upper, fore)] == ["bar", "box"]
    assert fore["shape"]["pieces"][0]["shape"]["z"] == 0.4
    assert fore["parent"] == "upper_arm"
    assert found["gravity"] == [0.0, 0.0, -9.81]


def test_what_is_left_out_is_said(tmp_path: Path) -> None:
    lines = data(tmp_path, ARM, actuators=False)["description"].splitlines()
    assert lines == [
        "left out: the actuator motor 'm1'; the input tau_shoulder drives its joint",
        "left out: contacts between geoms (2 pairs may touch); see stops",
        "the body 'upper arm' is called upper_arm",
    ]


def test_contacts_that_cannot_be_are_not_listed(tmp_path: Path) -> None:
    still = ARM.replace("<worldbody>", '<option><flag contact="disable"/></option><worldbody>')
    assert "contacts" not in data(tmp_path, still)["description"]
    apart = with_part('<contact><exclude body1="world" body2="fore"/></contact>', ARM)
    assert "(1 pair may touch)" in data(tmp_path, apart)["description"]


def test_the_start_is_the_first_key_frame(tmp_path: Path) -> None:
    key = '<keyframe><key name="home" qpos="0.3 1 2 3 2 0 0 0" qvel="1 2 3 4 5 6 7"/></keyframe>'
    ship = '<body name="ship"><freejoint/><geom size="1"/></body></worldbody>'
    system = cd.load(written(tmp_path, with_part(key, PENDULUM.replace("</worldbody>", ship))))
    assert system.plan["q"] == {"phi": 0.3, "ship_x": 1, "ship_y": 2, "ship_z": 3, "ship_e": [1, 0, 0, 0]}
    assert system.plan["v"] == {"phi": 1, "ship_x": 2, "ship_y": 3, "ship_z": 4, "ship_e": [5, 6, 7]}


def test_further_key_frames_cost_nothing(tmp_path: Path) -> None:
    keys = '<keyframe><key qpos="0.1"/></keyframe>' + '<keyframe><key qpos="0.2"/></keyframe>' * 3
    path = written(tmp_path, with_part(keys))
    assert read_mjcf(path).data["start"] == {"q": {"phi": 0.1}, "v": {"phi": 0.0}}
    assert read_source(path).text.count("<key ") == 1


def test_a_root_element_decides(tmp_path: Path) -> None:
    urdf = '<robot name="one"><link name="a"/></robot>'
    assert cd.load(written(tmp_path, urdf, "robot.xml")).model.name == "one"
    assert cd.load(written(tmp_path, PENDULUM, "robot.mjcf")).model.name == "robot"
    with pytest.raises(FileError, match="<sdx>"):
        cd.load(written(tmp_path, "<sdx/>", "robot.xml"))
    with pytest.raises(FileError, match="freejoint"):
        cd.load(written(tmp_path, PENDULUM), floating=True)


def test_without_the_package_the_remedy_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(InstallationError, match=r"pip install 'cardan\[robots\]'"):
        cd.load(written(tmp_path, PENDULUM))


# --- limits ------------------------------------------------------------------------------------------


def test_a_pendulum_falls_on_its_limit_and_rests(tmp_path: Path) -> None:
    """From the horizontal onto 80 degrees: w^2 = 2 m g l sin(80 deg) / (m l^2 + I) there; then it stays."""
    run = cd.load(written(tmp_path, PENDULUM)).simulate(3.0, rtol=1e-10)
    assert [(event.kind, event.name) for event in run.events] == [("impact", "phi_upper"), ("contact", "phi_upper")]
    impact = run.events[0]
    speed = math.sqrt(2 * 9.81 * math.sin(math.radians(80)) / 1.01)
    before = run.at(impact.t - 1e-9).v[0]
    assert_close(before, speed, within=1e-7, because="a nanosecond before, at rtol 1e-10")
    assert_close(run["phi"][-1], math.radians(80), within=1e-9, because="it rests on the stop")
    assert run["phi"].max() < math.radians(80) + 1e-9


def test_limits_bounce_or_are_left_out_as_asked(tmp_path: Path) -> None:
    path = written(tmp_path, PENDULUM)
    bouncing = cd.load(path, restitution=1.0).simulate(2.0)
    impacts = [event for event in bouncing.events if event.kind == "impact"]
    assert len(impacts) >= 2
    assert bouncing["phi"][-1] < math.radians(80)
    assert not cd.load(path, restitution=None).model.stops
    off = PENDULUM.replace("<worldbody>", '<option><flag limit="disable"/></option><worldbody>')
    assert not cd.load(written(tmp_path, off)).model.stops


def test_a_ball_joint_stops_at_its_cone(tmp_path: Path) -> None:
    """A rod on a ball joint with limit 50 degrees falls from upright, pushed: its tilt meets 50 degrees."""
    rod = """<mujoco><worldbody><body name="rod"><joint name="b" type="ball" limited="true" range="0 50"/>
    <geom type="capsule" fromto="0 0 0 0 0 1" size="0.05"/></body></worldbody></mujoco>"""
    run = cd.load(written(tmp_path, rod)).simulate(3.0, v={"b_e": [0.3, 0.2, 0.0]})
    assert ("impact", "b_limit") in {(event.kind, event.name) for event in run.events}
    tilt = np.arccos(run.rotation("rod")[-1][2, 2])
    assert_close(tilt, math.radians(50), within=1e-6, because="arccos of an entry that the run keeps to 1e-9")


def test_dry_friction_of_a_fixed_tendon_acts_on_what_it_couples(tmp_path: Path) -> None:
    """Length a - 2 b: two wheels of inertia I lose F and 2 F, so that a' = v - F t / I and b' = -v + 2 F t / I."""
    wheel = (
        '<body name="{0}"><joint name="{0}q" axis="0 0 1"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>'
    )
    coupled = '<fixed name="t" frictionloss="0.3"><joint joint="aq" coef="1"/><joint joint="bq" coef="-2"/></fixed>'
    text = f"<mujoco><worldbody>{wheel.format('a')}{wheel.format('b')}</worldbody><tendon>{coupled}</tendon></mujoco>"
    run = cd.load(written(tmp_path, text)).simulate(1.0, v={"aq": 1.0, "bq": -1.0})
    assert_close(run.v[-1], [1 - 0.3, -1 + 0.6], within=1e-9, because="constant accelerations at rtol 1e-9")


def test_dry_friction_sticks_and_slips(tmp_path: Path) -> None:
    """I vd = -f while it slides, without gravity; where there are stops the law is smooth, and that is said."""
    text = """<mujoco><option gravity="0 0 0"/><worldbody><body name="b"><joint name="q" frictionloss="0.3"/>
    <inertial pos="1 0 0" mass="2" diaginertia="0.1 0.1 0.1"/></body></worldbody></mujoco>"""
    run = cd.load(written(tmp_path, text)).simulate(20.0, v=[1.0])
    inertia = 2.1
    assert_close(run["q"][-1], inertia / (2 * 0.3), within=1e-6, because="I w^2 / 2 is spent by f at rtol 1e-9")
    assert run.v[-1][0] == 0
    limited = data(tmp_path, text.replace("frictionloss", 'limited="true" range="-90 90" frictionloss'))
    assert limited["friction"][0]["law"] == "tanh"
    assert "dry friction on q.dot is smooth" in limited["description"]


# --- tendons -----------------------------------------------------------------------------------------

TWO = """<mujoco><option gravity="0 0 0"/><worldbody>
<body name="a"><joint name="p" type="slide" axis="1 0 0"/><geom size="1" mass="1"/><site name="s" pos="0 1 0"/></body>
<body name="b"><joint name="r" type="slide" axis="1 0 0"/><geom size="1" mass="1"/><site name="u" pos="0 -1 0"/></body>
</worldbody><tendon>{}</tendon></mujoco>"""
FIXED = '<fixed name="t" {}><joint joint="p" coef="2"/><joint joint="r" coef="-1"/></fixed>'
SPATIAL = '<spatial name="t" {}><site site="s"/><site site="u"/></spatial>'


def test_a_fixed_tendon_acts_along_its_length(tmp_path: Path) -> None:
    """L = 2 p - r, so the forces are -(k (L - 0.5) + c Ld) (2, -1), and the armature adds j (2, -1)(2, -1)^T."""
    tendon = FIXED.format('stiffness="3" springlength="0.5" damping="0.4" armature="0.25" limited="true" range="-1 4"')
    system = cd.load(written(tmp_path, TWO.format(tendon)))
    along = np.array([2.0, -1.0])
    q, v = np.array([0.3, -0.2]), np.array([0.5, 0.1])
    M = np.eye(2) + 0.25 * np.outer(along, along)
    expected = np.linalg.solve(M, -(3 * (along @ q - 0.5) + 0.4 * along @ v) * along)
    assert_close(system.compile().acceleration(q, v), expected, within=1e-12, because="round-off of a dozen operations")
    assert [stop.name for stop in system.model.stops] == ["t_lower", "t_upper"]


def test_a_straight_tendon_is_a_spring_between_points(tmp_path: Path) -> None:
    """Sites at (p, 1) and (r, -1): L = sqrt((p - r)^2 + 4)."""
    system = cd.load(written(tmp_path, TWO.format(SPATIAL.format('stiffness="3" springlength="0.5" damping="0.4"'))))
    x, rate = 0.7, 0.3
    length = math.hypot(x, 2)
    force = -(3 * (length - 0.5) + 0.4 * x * rate / length) * x / length
    found = system.compile().acceleration([0.7, 0.0], [0.3, 0.0])
    assert_close(found, [force, -force], within=1e-12, because="round-off of a dozen operations")


def test_a_tendon_that_does_nothing_is_harmless(tmp_path: Path) -> None:
    assert "springs" not in data(tmp_path, TWO.format(SPATIAL.format("")))


# --- what is refused ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ('<option density="1.2"/>', "density 1.2"),
        ('<option viscosity="0.1"/>', "viscosity 0.1"),
        ('<extension><plugin plugin="mujoco.pid"/></extension>', "plugins"),
        ('<deformable><flex name="f" dim="1" body="bob bob"/></deformable>', "deformable"),
        ('<worldbody><composite type="cable" prefix="c" count="9 1 1"/></worldbody>', "composite"),
        ('<worldbody><body><joint type="ball" stiffness="2"/><geom size="1"/></body></worldbody>', "spring"),
        ('<asset><model name="m" file="other.xml"/></asset>', "<include>"),
        (f'<asset><mesh name="m" builtin="sphere" params="1"/></asset>{HEAVY}', "builtin"),
        ("<nonsense/>", "<nonsense>"),
        ('<equality><joint joint1="nobody"/></equality>', "nobody"),
        ("<option gravity='nan 0 0'/>", "finite"),
        ('<worldbody><body><joint range="nan 1"/></body></worldbody>', "finite"),
    ],
)  # fmt: skip
def test_what_cannot_be_said_is_refused_on_its_line(tmp_path: Path, part: str, words: str) -> None:
    error = refused(tmp_path, PENDULUM.replace("</mujoco>", f"\n{part}</mujoco>"))
    assert words in str(error)
    if "option" not in part or "nan" in part:
        assert error.line == 3, str(error)


@pytest.mark.parametrize(
    ("tendon", "words"),
    [
        (SPATIAL.format('stiffness="1" springlength="0.1 0.5"'), "slack"),
        (SPATIAL.format('limited="true" range="0 1"'), "fixed tendons only"),
        (SPATIAL.format('stiffness="1"').replace("</spatial>", '<site site="s"/></spatial>'), "two sites"),
    ],
)
def test_tendons_without_a_counterpart_are_refused(tmp_path: Path, tendon: str, words: str) -> None:
    error = refused(tmp_path, TWO.format(tendon))
    assert words in str(error)
    assert error.line == 4


def test_a_fault_that_mujoco_finds_has_its_line(tmp_path: Path) -> None:
    error = refused(tmp_path, ARM.replace('range="-1.2 0.7"', 'limited="true" range="0.7 -1.2"'))
    assert "range" in str(error)
    assert error.line == 6
    assert refused(tmp_path, ARM.replace("capsule", "sausage")).line == 7
    massless = refused(tmp_path, ARM.replace('mass="1"', 'mass="0"'))
    assert "mass" in str(massless)
    assert massless.line == 8


# --- other files -------------------------------------------------------------------------------------


def test_included_files_are_put_in_place(tmp_path: Path) -> None:
    inner = '<mujocoinclude>\n<body name="in"><joint name="j"/>\n<geom type="cone" size="1"/></body></mujocoinclude>'
    (tmp_path / "parts").mkdir()
    written(tmp_path, inner.replace("cone", "sphere"), "parts/inner.xml")
    outer = PENDULUM.replace("</worldbody>", '<include file="parts/inner.xml"/></worldbody>')
    assert list(data(tmp_path, outer)["bodies"]) == ["bob", "in_body"]
    written(tmp_path, inner, "parts/inner.xml")
    error = refused(tmp_path, outer)
    assert (Path(error.file).name, error.line) == ("inner.xml", 3)


def test_masses_of_meshes(tmp_path: Path) -> None:
    """A box of 1 x 2 x 3 about (5, 0, 0), water: 6000 kg, with the inertia of a box."""
    x = np.array([[5 + a, 2 * b, 3 * c] for a in (-0.5, 0.5) for b in (-0.5, 0.5) for c in (-0.5, 0.5)])
    faces = "1 3 4 1 4 2 5 6 8 5 8 7 1 2 6 1 6 5 3 7 8 3 8 4 1 5 7 1 7 3 2 4 8 2 8 6".split()
    lines = [f"v {a} {b} {c}" for a, b, c in x] + [f"f {' '.join(faces[k : k + 3])}" for k in range(0, 36, 3)]
    (tmp_path / "assets").mkdir()
    written(tmp_path, "\n".join(lines), "assets/box.obj")
    text = """<mujoco><compiler meshdir="assets"/><asset><mesh file="box.obj"/></asset><worldbody>
    <body name="b"><joint/><geom type="mesh" mesh="box"/></body></worldbody></mujoco>"""
    body = data(tmp_path, text)["bodies"]["b"]
    single = "meshes are in single precision"
    assert_close(body["mass"], 6000, within=1e-2, because=single)
    assert_close(body["com"], [5, 0, 0], within=1e-5, because=single)
    assert_close(sorted(body["inertia"]), [2500, 5000, 6500], within=1e-2, because=single)


@pytest.mark.parametrize("name", ["../x.stl", "/etc/passwd", "C:/x.stl", "http://x/y.stl", "a/../../x.stl", "x.msh"])
def test_meshes_elsewhere_are_refused(tmp_path: Path, name: str) -> None:
    error = refused(tmp_path, with_part(f'<asset><mesh name="m" file="{name}"/></asset>{HEAVY}'))
    assert "mesh" in str(error)
    assert error.line == 2
    folder = f'<compiler meshdir="{name}"/><asset><mesh name="m" file="a.stl"/></asset>{HEAVY}'
    assert refused(tmp_path, with_part(folder)).line == 2


def test_a_mesh_that_gives_no_inertia_is_not_opened(tmp_path: Path) -> None:
    """Nor textures, height fields and skins: the compiler gets no name of a file."""
    assets = """<asset><mesh name="m" file="/etc/passwd"/><texture name="t" type="2d" file="/etc/passwd"/>
    <material name="c" texture="t"/><hfield name="h" file="/etc/passwd" size="1 1 1 1"/></asset>
    <size memory="900G" nuserdata="2000000000"/>"""
    weightless = '<geom type="mesh" mesh="m" material="c"/><geom type="hfield" hfield="h"/></worldbody>'
    text = with_part(assets, PENDULUM.replace("</body>", '<geom type="mesh" mesh="m"/></body>'))
    path = written(tmp_path, text.replace("</worldbody>", weightless))
    assert cd.load(path).compile().mass_matrix([0.0]) == pytest.approx(1.01)
    assert not re.search("file|memory|userdata", read_source(path).text)


@pytest.mark.parametrize("name", ["../robot.xml", "/etc/passwd", "robot.xml", "none.xml", "robot.txt"])
def test_included_files_elsewhere_are_refused(tmp_path: Path, name: str) -> None:
    assert refused(tmp_path, with_part(f'<include file="{name}"/>')).line in (0, 2)


def test_included_files_count_too(tmp_path: Path) -> None:
    """Each file is within its limits, but not what they make together."""
    for number in range(9):
        deeper = f'<include file="deep{number + 1}.xml"/>'
        written(
            tmp_path, f"<mujocoinclude>{'<body>' * 150}{deeper}{'</body>' * 150}</mujocoinclude>", f"deep{number}.xml"
        )
    error = refused(tmp_path, '<mujoco><worldbody><include file="deep0.xml"/></worldbody></mujoco>')
    assert "nested" in str(error)
    assert Path(error.file).name == "deep1.xml"
    for number in range(4):
        written(tmp_path, f"<mujocoinclude>{'<light/>' * 20_000}</mujocoinclude>", f"many{number}.xml")
    many = "".join(f'<include file="many{number}.xml"/>' for number in range(4))
    assert "elements" in str(refused(tmp_path, f"<mujoco><worldbody>{many}</worldbody></mujoco>"))


def test_what_the_file_switches_off_is_off(tmp_path: Path) -> None:
    text = PENDULUM.replace('name="phi"', 'name="phi" stiffness="1" damping="1" frictionloss="1"')
    loop = '<equality><joint name="hold" joint1="phi" active="false"/></equality>'
    found = data(tmp_path, with_part(loop, text))
    assert {"springs", "dampers", "friction", "stops", "gravity"} <= set(found)
    assert "left out: the equality hold, which is not active" in found["description"]
    off = '<option><flag gravity="disable" constraint="disable" {}/></option>'
    new = "spring" in {bit.removeprefix("mjDSBL_").lower() for bit in mujoco.mjtDisableBit.__members__}
    silent = off.format('spring="disable" damper="disable"' if new else 'passive="disable"')
    assert not {"springs", "dampers", "friction", "stops", "gravity"} & set(data(tmp_path, with_part(silent, text)))


def test_a_weld_of_what_cannot_move_is_left_out(tmp_path: Path) -> None:
    tip = PENDULUM.replace("</body>", '<body name="tip" pos="1 0 0"><geom size="0.1"/></body></body>')
    found = data(tmp_path, with_part('<equality><weld name="w" body1="bob" body2="tip"/></equality>', tip))
    assert "constraints" not in found
    assert "left out: the equality w" in found["description"]


def test_copies_are_counted_before_they_are_made(tmp_path: Path) -> None:
    many = '<replicate count="900" offset="1 0 0">' * 3 + '<geom size="1"/>' + "</replicate>" * 3
    assert "elements" in str(refused(tmp_path, with_part(f"<worldbody>{many}</worldbody>")))
    few = '<replicate count="3" offset="0 1 0"><body><joint/><geom size="0.1"/></body></replicate></worldbody>'
    assert len(data(tmp_path, PENDULUM.replace("</worldbody>", few))["bodies"]) == 4
