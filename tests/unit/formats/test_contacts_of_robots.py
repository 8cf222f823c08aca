"""Simple collision shapes as contacts on request, and the order of bodies whose joints lie off their origins."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

import cardan as cd
from support.close import assert_close

BALL = """<robot name="ball"><link name="base">
<inertial><mass value="1"/><inertia ixx=".1" iyy=".1" izz=".1"/></inertial>
<collision><origin xyz="0 0 -0.1"/><geometry>{}</geometry></collision></link></robot>"""


def written(tmp_path: Path, text: str, name: str) -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("solid", "count", "rests"),
    [
        ('<sphere radius="0.2"/>', 1, 0.3),
        ('<box size="0.2 0.2 0.6"/>', 8, None),
        ('<capsule radius="0.1" length="0.4"/>', 2, 0.4),
        ('<mesh filename="none.stl"/>', 0, None),
    ],
)
def test_shapes_of_urdf_fall_on_the_ground_and_rest(
    tmp_path: Path, solid: str, count: int, rests: float | None
) -> None:
    """Upright, its centre 0.1 below that of the body."""
    path = written(tmp_path, BALL.format(solid), "robot.urdf")
    s = cd.load(path, floating=True, contacts=0.0)
    assert not cd.load(path, floating=True).model.stops
    assert len(s.model.stops) == count
    if rests is not None:
        run = s.simulate(0.5, q={"base_z": rests + 0.1})
        assert_close(run["base_z"][-1], rests, within=1e-8, because="the tolerance of projection on the stop")


def test_geoms_touch_planes_that_they_may_touch(tmp_path: Path) -> None:
    """Hung at height 2 over a plane at -1: a sphere, the ends of a capsule, and a box whose masks forbid it."""
    text = """<mujoco><worldbody><geom type="plane" size="5 5 .1" pos="0 0 -1"/><body name="b" pos="0 0 2"><freejoint/>
    <geom size="0.1"/><geom type="capsule" size="0.1 0.3"/>
    <geom type="box" size=".1 .1 .1" contype="0" conaffinity="0"/>
    </body></worldbody></mujoco>"""
    s = cd.load(written(tmp_path, text, "robot.xml"), contacts=0.7)
    assert len(s.model.stops) == 3
    run = s.simulate(1.2, **{key: value for key, value in s.plan.items() if key != "duration"})
    assert_close(
        run["b_z"][-1], -0.6, within=1e-8, because="the capsule stands on its lower end; projection on the stop"
    )


def test_bodies_keep_their_order_where_joints_lie_off_their_origins(tmp_path: Path) -> None:
    """MuJoCo's order and mass matrix, with a frame between some bodies only."""
    leg = '<body name="{0}" pos="0 {1} 0"><joint name="{0}" axis="0 1 0"/><geom size=".1" pos=".2 0 .1"/>{2}</body>'
    foot = '<body name="{0}" pos=".5 0 0"><joint name="{0}" axis="0 1 0" pos=".1 0 0"/>'
    foot += '<geom size=".1" pos="0 .1 0"/></body>'
    legs = leg.format("l", 1, foot.format("lf")) + leg.format("r", -1, foot.format("rf"))
    trunk = f'<body name="trunk"><joint name="t" axis="0 0 1" ref="20"/><geom size=".1"/>{legs}</body>'
    text = f"<mujoco><worldbody>{trunk}</worldbody></mujoco>"
    k = cd.load(written(tmp_path, text, "robot.xml")).compile()
    m = mujoco.MjModel.from_xml_string(text)
    d, order, M = mujoco.MjData(m), k.order("mujoco"), np.zeros((m.nv, m.nv))
    d.qpos[:] = [0.1, 0.2, 0.3, 0.4, 0.5]
    mujoco.mj_forward(m, d)
    mujoco.mj_fullM(m, d, M)
    q = order.from_q(d.qpos)
    T = order.matrix(q)
    assert_close(k.mass_matrix(q), T.T @ M @ T, within=1e-13, because="rounding of moments of some units")
