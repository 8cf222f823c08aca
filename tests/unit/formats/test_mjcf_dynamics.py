"""Robots in MJCF against MuJoCo itself: mass matrix and accelerations at random states, loops, and back from YAML."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from typer.testing import CliRunner

import cardan as cd
from cardan.cli.main import app
from support.close import assert_close

FREE, BALL = int(mujoco.mjtJoint.mjJNT_FREE), int(mujoco.mjtJoint.mjJNT_BALL)
BECAUSE = "double precision of some hundred operations, and M is inverted: condition numbers are below 1e4"
FULL = 'fullinertia="0.3 0.25 0.2 0.02 -0.03 0.01"'

MODELS = {
    "planar chain": """<mujoco><worldbody>
<body name="a" pos="0 0 2"><joint name="q1" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.03"/>
<body name="b" pos="0 0 -0.5"><joint name="q2" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -0.4" size="0.03"/>
<body name="c" pos="0 0 -0.4"><joint name="q3" axis="0 1 0"/><geom type="box" size="0.02 0.03 0.2" pos="0 0 -0.2"/>
</body></body></body></worldbody></mujoco>""",
    "arm with turned inertias": f"""<mujoco><option gravity="1 -2 -9"/><worldbody>
<body name="base" pos="0.1 0.2 0.3" euler="10 20 30"><geom size="0.1"/>
<body name="upper" pos="0 0.1 0.4" axisangle="1 2 3 40"><joint name="q1" axis="1 2 -2" pos="0.05 0 0.1"/>
<inertial pos="0.1 -0.05 0.2" euler="20 -35 50" mass="1.7" diaginertia="0.3 0.25 0.2"/>
<body name="lower" pos="0.5 0 0" xyaxes="0 1 0 -1 0 0.2"><joint name="q2" type="slide" axis="0 3 4"/>
<inertial pos="0 0.3 0" mass="0.9" {FULL}/>
<body name="hand" pos="0 0.6 0" zaxis="0 1 1"><joint name="q3" axis="0 0 1" ref="25"/>
<geom type="ellipsoid" size="0.1 0.05 0.2" pos="0.05 0 0.1"/></body></body></body></body></worldbody></mujoco>""",
    "free and ball": f"""<mujoco><worldbody>
<body name="ship" pos="1 2 3" quat="0.5 0.1 -0.7 0.3"><freejoint name="f"/>
<inertial pos="0.1 -0.05 0.2" mass="1.7" {FULL}/>
<body name="mast" pos="0.2 0 0.5" euler="0 40 0"><joint name="b" type="ball" pos="0 0 -0.1" damping="0.3"/>
<geom type="capsule" size="0.05 0.3" pos="0.1 0 0.3"/>
<body name="flag" pos="0 0 0.6"><joint name="h" axis="0 0 1"/><geom type="box" size="0.2 0.01 0.1" pos="0.2 0 0"/>
</body></body></body></worldbody></mujoco>""",
    "several joints on a body": """<mujoco><worldbody>
<body name="puck" pos="0.3 0 1" euler="0 0 30"><joint name="x" type="slide" axis="1 0 0" ref="0.2"/>
<joint name="y" type="slide" axis="0 1 0"/><joint name="turn" axis="0 0 1" pos="0.2 0.1 0"/>
<joint name="tilt" axis="0 1 0" pos="0 0.1 0.3"/><geom type="box" size="0.2 0.1 0.05" pos="0.1 0.2 0"/>
<body name="arm" pos="0.2 0 0"><joint name="u" axis="1 0 0" pos="0 0.3 -0.2" ref="-15"/><joint name="s" type="ball"/>
<geom type="cylinder" size="0.05 0.2" pos="0 0 0.3"/></body></body></worldbody></mujoco>""",
    "armature, dampers and springs": """<mujoco><default><joint damping="0.4"/></default><worldbody>
<body name="float"><joint name="f" type="free" armature="0.3" damping="0.2"/><geom size="0.2" pos="0.1 0 0"/></body>
<body name="a" pos="0 0 2"><joint name="q1" axis="0 1 0" armature="0.7" stiffness="3" springref="20"/>
<geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.03"/>
<body name="b" pos="0 0 -0.5"><joint name="q2" type="slide" axis="0 1 1" armature="0.2" stiffness="5" ref="0.1"/>
<geom type="capsule" fromto="0 0 0 0 0 -0.4" size="0.03"/></body></body>
<body name="globe" pos="2 0 0"><joint name="g" type="ball" armature="0.05"/><geom type="box" size="0.1 0.2 0.3"/></body>
</worldbody></mujoco>""",
    "free ends and a slide with a ball": """<mujoco><option><flag gravity="disable"/></option><worldbody>
<body name="cart"><joint name="x" type="slide" axis="1 0 0"/><joint name="o" type="ball" armature="0.1" pos="0 0 0.2"/>
<geom type="box" size="0.1 0.2 0.3" pos="0.1 0.1 0.1"/></body>
<body name="tool"><freejoint name="f"/><geom type="capsule" fromto="0 0 0 1 1 1" size="0.1"/></body>
</worldbody></mujoco>""",
}  # fmt: skip


class Pair:
    """One file in Cardan and in MuJoCo, and the places of MuJoCo's coordinates among Cardan's."""

    def __init__(self, path: Path) -> None:
        self.system = cd.load(path)
        self.kernel = self.system.compile()
        self.m = mujoco.MjModel.from_xml_path(str(path.with_suffix(".xml")))
        self.m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
        self.d = mujoco.MjData(self.m)
        q, v = self._names()
        self.q_places = [[str(one) for one in self.system.model.q].index(name) for name in q]
        self.v_places = [[str(one) for one in self.system.model.v].index(name) for name in v]

    def _names(self) -> tuple[list[str], list[str]]:
        q: list[str] = []
        v: list[str] = []
        for k in range(self.m.njnt):
            name, kind = self.m.joint(k).name, int(self.m.jnt_type[k])
            if kind == FREE:
                q += [f"{name}_{axis}" for axis in "xyz"]
                v += [f"{name}_{axis}_dot" for axis in "xyz"]
            if kind in (FREE, BALL):
                q += [f"{name}_e_{axis}" for axis in "wxyz"]
                v += [f"omega_{name}_e_{axis}" for axis in "xyz"]
            else:
                q.append(name)
                v.append(f"{name}_dot")
        return q, v

    def go_anywhere(self, rng: np.random.Generator) -> None:
        """Put MuJoCo into a random state."""
        self.d.qpos[:] = self.m.qpos0
        mujoco.mj_integratePos(self.m, self.d.qpos, rng.uniform(-1, 1, self.m.nv), 1.0)
        self.d.qvel[:] = rng.uniform(-1, 1, self.m.nv)

    def ours(self) -> tuple[np.ndarray, np.ndarray]:
        """The state of MuJoCo in the order of Cardan."""
        q, v = np.zeros(self.m.nq), np.zeros(self.m.nv)
        q[self.q_places], v[self.v_places] = self.d.qpos, self.d.qvel
        return q, v

    def mass_matrix(self) -> np.ndarray:
        M = np.zeros((self.m.nv, self.m.nv))
        for row, unit in zip(M, np.eye(self.m.nv), strict=True):
            mujoco.mj_mulM(self.m, self.d, row, unit)
        return M

    def compare(self) -> None:
        """Mass matrix and acceleration, where both are."""
        q, v = self.ours()
        mujoco.mj_forward(self.m, self.d)
        M, vd = self.kernel.mass_matrix(q), self.kernel.acceleration(q, v)
        size = np.max(np.abs(self.d.qacc))
        assert_close(M[np.ix_(self.v_places, self.v_places)], self.mass_matrix(), within=1e-12, because=BECAUSE)
        assert_close(vd[self.v_places], self.d.qacc, within=1e-11 * size, because=BECAUSE)


def text(numbers: np.ndarray) -> str:
    return " ".join(repr(float(x)) for x in numbers)


def written(tmp_path: Path, robot: str) -> Path:
    path = tmp_path / "robot.xml"
    path.write_text(robot, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", MODELS)
def test_mass_matrix_and_acceleration(name: str, tmp_path: Path) -> None:
    pair = Pair(written(tmp_path, MODELS[name]))
    rng = np.random.default_rng(7)
    for _ in range(5):
        pair.go_anywhere(rng)
        pair.compare()


LOOP = """<mujoco><worldbody>
<body name="crank"><joint name="a" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 0.3" size="0.02"/>
<body name="rod" pos="0 0 0.3"><joint name="b" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.8 0 0.2" size="0.02"/>
</body></body>
<body name="rocker" pos="0.7 0 0"><joint name="c" axis="0 1 0" damping="0.1"/>
<geom type="capsule" fromto="0 0 0 0.1 0 0.5" size="0.02"/></body>
</worldbody><equality>{}</equality></mujoco>"""
LOOPS = {
    "connect": '<connect body1="rod" body2="rocker" anchor="0.8 0 0.2"/>',
    "connect of sites": '<connect site1="tip" site2="top"/>',
}


def loop(name: str) -> str:
    robot = LOOP.format(LOOPS[name])
    if "site" in LOOPS[name]:
        robot = robot.replace('0.8 0 0.2" size="0.02"/>', '0.8 0 0.2" size="0.02"/><site name="tip" pos="0.8 0 0.2"/>')
        robot = robot.replace('0.1 0 0.5" size="0.02"/>', '0.1 0 0.5" size="0.02"/><site name="top" pos="0.1 0 0.5"/>')
    return robot


@pytest.mark.parametrize("name", LOOPS)
def test_a_closed_loop(name: str, tmp_path: Path) -> None:
    """M vd + bias = passive + J^T lam with J vd + Jd v = 0, of MuJoCo's own matrices: it makes constraints soft."""
    pair = Pair(written(tmp_path, loop(name)))
    m, d = pair.m, pair.d
    mujoco.mj_forward(m, d)
    J = ends(pair, mujoco.mj_jac)
    d.qvel[:] = np.linalg.svd(J)[2][-1] * 2.0  # planar: of three coordinates two are bound
    mujoco.mj_forward(m, d)
    Jd = ends(pair, mujoco.mj_jacDot)
    K = np.block([[pair.mass_matrix(), -J.T], [J, np.zeros((3, 3))]])
    expected = np.linalg.lstsq(K, np.r_[d.qfrc_passive - d.qfrc_bias, -Jd @ d.qvel], rcond=1e-12)[0][:3]
    q, v = pair.ours()
    assert_close(pair.kernel.acceleration(q, v)[pair.v_places], expected, within=1e-10, because=BECAUSE)


def ends(pair: Pair, jacobian: Any) -> np.ndarray:
    """The rate, by v, of the distance between the ends of the loop."""
    rows = []
    for body, place in (("rod", (0.8, 0, 0.2)), ("rocker", (0.1, 0, 0.5))):
        one = pair.d.body(body)
        row = np.zeros((3, pair.m.nv))
        jacobian(pair.m, pair.d, row, None, one.xpos + one.xmat.reshape(3, 3) @ place, pair.m.body(body).id)
        rows.append(row)
    return rows[0] - rows[1]


@pytest.mark.parametrize("of", ["bodies", "sites"])
def test_a_weld_makes_one_body_of_two(of: str, tmp_path: Path) -> None:
    """Two floating bodies, one turned, against MuJoCo's single body with both geoms; no gravity, both turning."""
    head = '<mujoco><option gravity="0 0 0"/><worldbody><body name="one" euler="10 20 30"><freejoint name="f"/>'
    first, second = '<geom type="box" size="0.1 0.2 0.3"/>', '<geom type="capsule" size="0.05 0.4" pos="0.1 0 0"/>'
    place, turn, anchor = np.array([0.3, 0.1, 0.2]), np.array([0.5, 0.1, 0.7, -0.5]), np.array([0.1, 0.2, 0.3])
    mujoco.mju_rotVecQuat(arm := np.zeros(3), anchor, turn)  # relpose is that of the anchor, seen from the first body
    whole = f'{head}{first}<body name="two" pos="{text(place)}" quat="{text(turn)}">{second}</body></body></worldbody>'
    weld = f'body1="one" body2="two" anchor="{text(anchor)}" relpose="{text(place + arm)} {text(turn)}"'
    if of == "sites":  # one frame seen from both bodies: turned by half a turn about x in the second
        weld = 'site1="s" site2="u"'
        mujoco.mju_mulQuat(both := np.zeros(4), turn, np.array([0.0, 1.0, 0.0, 0.0]))
        first += f'<site name="s" pos="{text(place + arm)}" quat="{text(both)}"/>'
        second += f'<site name="u" pos="{text(anchor)}" quat="0 1 0 0"/>'
    apart = f'{head}{first}</body><body name="two"><freejoint name="g"/>{second}</body></worldbody>'
    apart += f"<equality><weld {weld}/></equality>"
    single = Pair(written(tmp_path, whole + "</mujoco>"))
    single.go_anywhere(np.random.default_rng(3))
    mujoco.mj_forward(single.m, single.d)
    seen = single.d.body("two")
    velocity = np.zeros(6)
    mujoco.mj_objectVelocity(single.m, single.d, mujoco.mjtObj.mjOBJ_XBODY, single.m.body("two").id, velocity, 0)
    double = Pair(written(tmp_path, apart + "</mujoco>"))
    double.d.qpos[:] = [*single.d.qpos, *seen.xpos, *seen.xquat]
    double.d.qvel[:] = [*single.d.qvel, *velocity[3:], *(seen.xmat.reshape(3, 3).T @ velocity[:3])]
    found = double.kernel.acceleration(*double.ours())[double.v_places]
    assert_close(found[:6], single.d.qacc, within=1e-10, because=BECAUSE)


def test_a_joint_follows_another(tmp_path: Path) -> None:
    """q2 - r2 = p(q1 - r1), so J = (-p', 1) and J vd = p'' v1^2, with MuJoCo's mass matrix and forces."""
    arm = MODELS["planar chain"].replace('name="q2"', 'name="q2" ref="10"').replace('name="q1"', 'name="q1" ref="-5"')
    equality = '<equality><joint joint1="q2" joint2="q1" polycoef="0.2 -1.5 0.3 0.1 -0.2"/></equality></mujoco>'
    pair = Pair(written(tmp_path, arm.replace("</mujoco>", equality)))
    p = np.polynomial.Polynomial([0.2, -1.5, 0.3, 0.1, -0.2])
    x, rate = 0.4, 1.3
    pair.d.qpos[:] = [np.radians(-5) + x, np.radians(10) + p(x), 0.7]
    pair.d.qvel[:] = [rate, p.deriv()(x) * rate, -0.5]
    mujoco.mj_forward(pair.m, pair.d)
    J = np.array([[-p.deriv()(x), 1.0, 0.0]])
    K = np.block([[pair.mass_matrix(), -J.T], [J, np.zeros((1, 1))]])
    right = np.r_[pair.d.qfrc_passive - pair.d.qfrc_bias, p.deriv(2)(x) * rate**2]
    found = pair.kernel.acceleration(*pair.ours())[pair.v_places]
    assert_close(found, np.linalg.solve(K, right)[:3], within=1e-10, because=BECAUSE)
    fixed = '<equality><joint joint1="q2" polycoef="0.2 0 0 0 0"/></equality></mujoco>'
    stiff = cd.load(written(tmp_path, arm.replace("</mujoco>", fixed)))
    held = stiff.compile().acceleration([0.3, np.radians(10) + 0.2, 0.1], [1.0, 0.0, 0.5])
    assert_close(held[1], 0.0, within=1e-12, because="the joint is held")


@pytest.mark.parametrize("name", ["arm with turned inertias", "free and ball", "armature, dampers and springs"])
def test_an_imported_file_moves_alike(name: str, tmp_path: Path) -> None:
    source = written(tmp_path, MODELS[name])
    result = CliRunner().invoke(app, ["import", str(source), "--json"])
    assert result.exit_code == 0, result.output
    pair = Pair(source.with_suffix(".yaml"))
    pair.go_anywhere(np.random.default_rng(11))
    pair.compare()
