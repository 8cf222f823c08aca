"""Actuators of MJCF as inputs, gravity compensation and equal tendons, against MuJoCo and closed forms; leaving out."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest
from typer.testing import CliRunner

import cardan as cd
from cardan.cli.main import app
from cardan.errors import FileError
from support.close import assert_close

ARM = """<mujoco><option><flag contact="disable"/></option>
<default><position kv="0.4"/><default class="strong"><general gear="3"/></default></default>
<worldbody>
<body name="upper" pos="0 0 1" gravcomp="0.7"><joint name="shoulder" axis="0 -1 0"/>
<geom type="capsule" fromto="0 0 0 0 0 -0.4" size="0.03" mass="2"/>
<body name="fore" pos="0 0 -0.4" gravcomp="1"><joint name="elbow" axis="0 1 0"/>
<geom type="box" size="0.03 0.02 0.2" pos="0.1 0 -0.2" mass="1"/>
<body name="hand" pos="0 0 -0.4"><joint name="reach" type="slide" axis="0 0 1"/><geom size="0.05" mass="0.5"/>
</body></body></body></worldbody>
<tendon><fixed name="sum"><joint joint="shoulder" coef="0.5"/><joint joint="elbow" coef="-2"/></fixed></tendon>
<actuator>
<motor name="lift" joint="shoulder" gear="5" ctrlrange="-2 2" ctrllimited="true"/>
<position name="bend" joint="elbow" kp="30" forcerange="-4 4" forcelimited="true"/>
<velocity name="slow" joint="reach" kv="6"/>
<muscle name="meat" joint="elbow"/>
<damper name="brake" joint="reach" kv="3" ctrlrange="0 1"/>
<general name="cable" tendon="sum" gainprm="2" biastype="affine" biasprm="0.3 -1 -0.2" class="strong"/>
</actuator>
<keyframe><key qpos="0.1 0.2 0.05" ctrl="1 0.3 0.1 0.5 0.2 -0.6" act="0.5"/></keyframe></mujoco>"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "robot.xml"
    path.write_text(text, encoding="utf-8")
    return path


def test_actuators_and_gravity_compensation_move_an_arm_as_mujoco_does(tmp_path: Path) -> None:
    """The muscle has a state of its own and is left out there, too."""
    s = cd.load(written(tmp_path, ARM))
    k = s.compile()
    names = ["lift", "bend", "slow", "brake", "cable"]
    assert [one.name for one in s.model.inputs] == [f"ctrl_{name}" for name in names]
    assert any("the actuator muscle 'meat'" in note for note in s.notes)
    m = mujoco.MjModel.from_xml_string(
        ARM.replace('<muscle name="meat" joint="elbow"/>', "")
        .replace("0.1 0.5 0.2", "0.1 0.2")
        .replace(' act="0.5"', "")
    )
    d, rng = mujoco.MjData(m), np.random.default_rng(3)
    for _ in range(20):
        d.qpos[:], d.qvel[:], d.ctrl[:] = rng.normal(size=3), rng.normal(size=3), rng.uniform(0, 1, 5)
        mujoco.mj_forward(m, d)
        a = k.acceleration(d.qpos, d.qvel, inputs={f"ctrl_{n}": u for n, u in zip(names, d.ctrl, strict=True)})
        assert_close(a, d.qacc, within=1e-11, because="double precision, accelerations up to a hundred")


def test_the_key_frame_holds_inputs_and_ranges_are_limits(tmp_path: Path) -> None:
    s = cd.load(written(tmp_path, ARM))
    held = {"lift": 1, "bend": 0.3, "slow": 0.1, "brake": 0.2, "cable": -0.6}
    assert {name: float(u) for name, u in s.plan["inputs"].items()} == {f"ctrl_{name}": u for name, u in held.items()}
    assert (s.limits["ctrl_lift"].lower, s.limits["ctrl_lift"].upper) == (-2, 2)
    assert s.limits["shoulder"].effort == 10  # gear 5, input 2
    assert s.limits["elbow"].effort == 4
    without = cd.load(written(tmp_path, ARM), actuators=False)
    assert [one.name for one in without.model.inputs] == ["tau_shoulder", "tau_elbow", "tau_reach"]
    again = s.write(tmp_path / "robot.yaml")
    assert again.is_file()
    found = cd.load(tmp_path / "robot.yaml").compile().acceleration([0.1, 0.2, 0.3], [1, 2, 3], inputs=s.plan["inputs"])
    expected = s.compile().acceleration([0.1, 0.2, 0.3], [1, 2, 3], inputs=s.plan["inputs"])
    assert_close(found, expected, within=1e-12, because="the same model through a file with all digits")


def test_equal_tendons_couple_joints(tmp_path: Path) -> None:
    """q1 - q2 = 0.5 q3 with moments I: from M = I 1 and a = M^-1 (tau + A^T lam), lam = -A tau / |A|^2."""
    bodies = "".join(
        f'<body><joint name="q{k}" axis="0 0 1"/><inertial pos="0 0 0" mass="1" diaginertia="2 2 2"/></body>'
        for k in (1, 2, 3)
    )
    tendons = '<fixed name="one"><joint joint="q1" coef="1"/><joint joint="q2" coef="-1"/></fixed>'
    tendons += '<fixed name="two"><joint joint="q3" coef="1"/></fixed>'
    equal = '<tendon tendon1="one" tendon2="two" polycoef="0 0.5 0 0 0"/>'
    text = f"<mujoco><worldbody>{bodies}</worldbody><tendon>{tendons}</tendon><equality>{equal}</equality></mujoco>"
    a = cd.load(written(tmp_path, text)).compile().acceleration([0, 0, 0], inputs={"tau_q1": 4.0})
    A, tau = np.array([1, -1, -0.5]), np.array([4.0, 0, 0])
    assert_close(a, (tau - A * (A @ tau) / (A @ A)) / 2, within=1e-14, because="rounding of a few operations")


FAULTS = {
    "medium": '<option density="1.2"/>',
    "plugin": '<extension><plugin plugin="mujoco.pid"/></extension>',
    "spring of a ball": '<worldbody><body><joint type="ball" stiffness="2"/><geom size="1"/></body></worldbody>',
    "tendon": '<worldbody><site name="s0"/><site name="s1" pos="1 0 0"/><site name="s2" pos="0 1 0"/></worldbody>'
    '<tendon><spatial stiffness="3"><site site="s0"/><site site="s1"/><site site="s2"/></spatial></tendon>',
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_has_no_counterpart_is_left_out_on_request(tmp_path: Path, fault: str) -> None:
    body = '<worldbody><body><joint/><geom size="1"/></body></worldbody>'
    path = written(tmp_path, f"<mujoco>{body}{FAULTS[fault]}</mujoco>")
    with pytest.raises(FileError):
        cd.load(path)
    s = cd.load(path, leave_out=True)
    assert any(note.startswith("left out") for note in s.notes)


def test_options_on_the_command_line(tmp_path: Path) -> None:
    path = str(written(tmp_path, ARM.replace("<worldbody>", '<option density="2"/><worldbody>')))
    run = CliRunner()
    refused = run.invoke(app, ["check", path])
    assert refused.exit_code != 0
    assert "--leave-out" in " ".join(refused.output.split())
    assert run.invoke(app, ["check", path, "--leave-out", "--no-actuators"]).exit_code == 0
