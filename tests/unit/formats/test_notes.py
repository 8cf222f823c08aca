"""What a robot file says is carried over, through the ratio of a mimic joint too, or noted, told and printed."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from tests.support.close import assert_close
from typer.testing import CliRunner

import cardan as cd
from cardan.cli.main import app
from cardan.formats.document import LeftOut

INERTIAL = '<inertial><mass value="2"/><inertia ixx="0.2" iyy="0.2" izz="0.3"/></inertial>'
ROBOT = f"""<robot name="gears">
<link name="base"/>
<link name="one">{INERTIAL}</link>
<link name="two">{INERTIAL}<visual/><collision/></link>
<joint name="lead" type="continuous"><parent link="base"/><child link="one"/><axis xyz="0 0 1"/>
  <dynamics damping="0.2"/></joint>
<joint name="follow" type="revolute"><parent link="base"/><child link="two"/><axis xyz="0 0 1"/>
  <mimic joint="lead" multiplier="-3" offset="0.1"/><limit lower="-0.5" upper="0.4" effort="7" velocity="2"/>
  <dynamics damping="0.5" friction="0.05"/><safety_controller k_velocity="1"/></joint>
<gazebo/>
</robot>
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "gears.urdf"
    path.write_text(ROBOT)
    return path


def test_damping_and_friction_of_a_mimic_joint_act_through_its_ratio(file: Path) -> None:
    """(I + 9 I) qdd = -(c1 + 9 c2) qd - 3 F with ratio -3: both wheels turn about their centres, and stop."""
    s = cd.load(file, restitution=None)
    inertia, c, F, v = 10 * 0.3, 0.2 + 9 * 0.5, 3 * 0.05, 1.0
    found = s.compile().acceleration([0.01], [v])
    assert_close(found, [-(c * v + F) / inertia], within=1e-14, because="one division")
    run = s.simulate(3.0, v={"lead": v})
    stops = inertia / c * np.log(1 + c * v / F)
    (event,) = run.events
    assert event.kind == "stick"
    assert_close(event.t, stops, within=1e-9, because="a located event of a run with rtol 1e-9")
    assert_close(run["lead"][-1], (inertia * v - F * stops) / c, within=1e-9, because="the same run")


def test_limits_of_a_mimic_joint_stop_the_joint_that_it_follows(file: Path) -> None:
    """-3 q + 0.1 in [-0.5, 0.4]: q in [-0.1, 0.2]."""
    s = cd.load(file, restitution=0.0)
    run = s.simulate(3.0, v={"lead": 5.0})
    assert_close(np.max(run["lead"]), 0.2, within=1e-9, because="the stop is found to rounding of its gap")
    back = s.simulate(3.0, v={"lead": -5.0})
    assert_close(np.min(back["lead"]), -0.1, within=1e-9, because="as above")


def test_everything_left_out_is_noted_warned_about_once_and_printed(file: Path) -> None:
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        s = cd.load(file)
    assert [one.category for one in heard] == [LeftOut]
    assert "system.notes" in str(heard[0].message)
    for words in ("dry friction on -3.0*lead.dot is smooth", "<gazebo>", "<collision> of links",
                  "<safety_controller> of joints", "effort of 1 joints", "velocity of 1 joints"):  # fmt: skip
        assert any(words in note for note in s.notes), (words, s.notes)
    said = CliRunner().invoke(app, ["check", str(file)])
    assert all(note in said.stdout for note in s.notes)
    told = CliRunner().invoke(app, ["check", str(file), "--json"])
    assert json.loads(told.stdout)["notes"] == s.notes


def test_a_file_that_says_nothing_more_has_no_notes(tmp_path: Path) -> None:
    path = tmp_path / "plain.urdf"
    path.write_text(f'<robot name="r"><link name="l">{INERTIAL}</link></robot>')
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cd.load(path).notes == []
    assert cd.System("own").notes == []
