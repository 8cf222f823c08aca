"""The doctor of a hand, on an arm with the published dimensions of a UR5, whose singularities are known in closed form.

det J is proportional to sin(q3) sin(q5) (a2 cos(q2) + a3 cos(q2 + q3) + d5 sin(q2 + q3 + q4)): elbow, wrist, shoulder.
"""

from __future__ import annotations

from math import acos, asin, cos, pi, sin
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import cardan as cd
from cardan.cli.main import app
from cardan.diagnosis.hand.report import HandDiagnosis
from cardan.errors import ModelError
from support.close import assert_close

D = (0.089159, 0.0, 0.0, 0.10915, 0.09465, 0.0823)  # Universal Robots: DH parameters of the UR5
A = (0.0, -0.425, -0.39225, 0.0, 0.0, 0.0)
ALPHA = (pi / 2, 0.0, 0.0, pi / 2, -pi / 2, 0.0)
REGULAR = np.array([0.3, -1.0, 1.2, -0.9, 0.8, 0.2])


def ur5() -> cd.System:
    """Joint k turns about z; then come d along z, a along x and alpha about x."""
    s = cd.System("ur5")
    s.gravity(-9.81 * s.world.z)
    parent, at = s.world, None
    for k in range(6):
        q = s.coordinates(f"q{k + 1}", on="S1")
        parent = s.body(
            f"link{k + 1}", mass=2.0, inertia=(0.02, 0.02, 0.01), com=(A[k] / 2, 0, D[k] / 2),
            joint=cd.Revolute("z", q), parent=parent, at=at,
        )  # fmt: skip
        c, sn = cos(ALPHA[k]), sin(ALPHA[k])
        at = ((A[k], 0, D[k]), ((1, 0, 0), (0, c, -sn), (0, sn, c)))
    s.body("tool", joint=cd.Fixed(), parent=parent, at=at)
    return s


@pytest.fixture(scope="module")
def arm() -> cd.System:
    return ur5()


def hand(arm: cd.System, q: np.ndarray) -> HandDiagnosis:
    found = arm.diagnose(q, task="tool").hand
    assert found is not None
    return found


def shoulder() -> np.ndarray:
    """q4 from a2 c2 + a3 c23 + d5 s234 = 0."""
    q2, q3 = -1.9, 0.8
    q234 = asin(-(A[1] * cos(q2) + A[2] * cos(q2 + q3)) / D[4])
    return np.array([0.3, q2, q3, q234 - q2 - q3, 0.8, 0.2])


CASES = {
    "wrist": (np.array([0.3, -1.0, 1.2, -0.9, 0.0, 0.2]), {"q2", "q3", "q4", "q6"}),
    "elbow": (np.array([0.3, -1.0, 0.0, -0.9, 0.8, 0.2]), {"q2", "q3", "q4"}),
    "shoulder": (shoulder(), None),
}


@pytest.mark.parametrize("name", CASES)
def test_the_three_singularities_are_named_by_their_geometry(arm: cd.System, name: str) -> None:
    q, joints = CASES[name]
    found = hand(arm, q)
    assert found.is_singular
    assert found.cause is not None
    assert found.cause.name == name
    assert joints is None or set(found.cause.joints) == joints
    assert found.singular_values[-1] < 1e-10 * found.singular_values[0]
    assert name in found.headline
    assert "q1" in found.cause.joints or name != "shoulder"


@pytest.mark.parametrize("name", CASES)
def test_no_joint_feels_the_wrench_of_a_lost_direction(arm: cd.System, name: str) -> None:
    """It is a left null vector of J, checked with J from differences of the placement, not from the doctor's."""
    q, _ = CASES[name]
    (lost,) = hand(arm, q).lost
    k, h = arm.compile(), 1e-6
    wrench = np.concatenate([lost.force, lost.moment])
    for j in range(6):
        step = h * np.eye(6)[j]
        (R1, p1), (R0, p0) = k.placement("tool", q + step), k.placement("tool", q - step)
        turn = R1 @ R0.T
        w = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) / (4 * h)
        power = wrench @ np.concatenate([(p1 - p0) / (2 * h), w])
        assert_close(power, 0.0, within=1e-8, because="differences with a step of 1e-6 of numbers near 1")


@pytest.mark.parametrize("name", CASES)
def test_the_way_out_was_simulated_and_leads_out(arm: cd.System, name: str) -> None:
    q, _ = CASES[name]
    escape = hand(arm, q).escape
    assert escape is not None
    assert escape.missed < 1e-3
    J = arm.compile().jacobian("tool", escape.q)
    assert abs(np.linalg.det(J)) > 1e-4  # sin(q3) sin(q5) (...) times lengths of 0.4 m: regular
    assert np.max(np.abs(escape.q - q)) <= 0.25 + 1e-12


def test_the_nearest_singularity_is_the_nearest_zero_of_the_determinant(arm: cd.System) -> None:
    """Near the wrist: |q5| itself. Near the elbow: |q3|."""
    for q, distance in ((REGULAR, 0.8), (np.array([0.3, -1.0, 0.15, -0.9, 0.8, 0.2]), 0.15)):
        found = hand(arm, q)
        assert not found.is_singular
        assert found.nearest is not None
        assert_close(found.nearest.distance, distance, within=1e-9, because="Newton's method to the end")
        assert found.nearest.ratio < 1e-10


def test_regular_is_not_said_above_a_lost_direction(arm: cd.System) -> None:
    told = str(arm.diagnose(CASES["wrist"][0], task="tool"))
    assert told.startswith("tool has lost 1 of its 6 directions here")
    assert "regular here" not in told.splitlines()
    assert str(hand(arm, REGULAR)).startswith("tool moves in all 6 directions")


def test_a_planar_arm_has_two_directions_and_loses_one_when_stretched() -> None:
    """Two links in a plane, lengths 1 and 0.7: the point loses the direction along the arm at q2 = 0."""
    s = cd.System("planar arm")
    a, b = s.coordinates("a b")
    upper = s.body("upper", mass=1.0, inertia=0.1, joint=cd.Revolute("z", a))
    lower = s.body("lower", mass=1.0, inertia=0.1, joint=cd.Revolute("z", b), parent=upper, at=(1, 0, 0))
    tip = lower.point(0.7, 0, 0)
    found = s.diagnose([0.4, 0.0], task=tip).hand
    assert found is not None
    (lost,) = found.lost
    along = np.array([cos(0.4), sin(0.4), 0.0])
    assert_close(abs(lost.force @ along) / np.linalg.norm(lost.force), 1.0, within=1e-12, because="along the arm")
    near = s.diagnose([0.4, 0.3], task=tip).hand
    assert near is not None
    assert near.nearest is not None
    assert_close(near.nearest.distance, 0.3, within=1e-9, because="sin(b) = 0 is nearest at b = 0")


def test_loops_are_sent_elsewhere() -> None:
    s = cd.System("rod")
    x, y = s.coordinates("x y")
    mass = s.particle("mass", mass=1.0, position=(x, y, 0))
    s.distance(mass, s.world.origin, 1.0)
    with pytest.raises(ModelError, match="judges arms without loops"):
        _ = s.diagnose([0.6, 0.8], task=mass).hand


def test_the_command_prints_the_headline_first(tmp_path: Path) -> None:
    joint = '<joint name="{0}" type="continuous"><parent link="{1}"/><child link="{2}"/><axis xyz="0 0 1"/>'
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
    text = '<robot name="arm"><link name="base"/>'
    text += "".join(f'<link name="{name}">{inertial}</link>' for name in ("upper", "lower", "tool"))
    text += joint.format("a", "base", "upper") + "</joint>"
    text += joint.format("b", "upper", "lower") + '<origin xyz="1 0 0"/></joint>'
    text += joint.format("c", "lower", "tool") + '<origin xyz="1 0 0"/></joint></robot>'
    path = tmp_path / "arm.urdf"
    path.write_text(text, encoding="utf-8")
    stretched = CliRunner().invoke(app, ["diagnose", str(path), "--frame", "tool"])
    assert stretched.exit_code == 1
    assert "tool has lost 1 of its 3 directions" in stretched.output.splitlines()[0]
    bent = CliRunner().invoke(app, ["diagnose", str(path), "--frame", "tool", "--q", f"b={acos(0.0)}", "--json"])
    assert bent.exit_code == 0
    assert '"headline": "tool moves in all 3 directions that it has"' in bent.output
