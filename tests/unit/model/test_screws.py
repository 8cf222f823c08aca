"""Screws: a turn that advances, as a joint of a body and where it closes a loop, against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from cardan.errors import ModelError
from support.close import assert_close

PITCH, MASS, J, G = 0.4, 3.0, 0.02, 9.81
H = PITCH / (2 * math.pi)  # advance per radian
BACKWARDS = "the default tolerances of a run, rtol 1e-9 and atol 1e-12 over a second"


def nut(slope: float = math.pi / 2) -> cd.System:
    """A nut on a spindle that rises at an angle; turning by a moves it up the spindle by pitch a / (2 pi)."""
    s = cd.System("nut")
    a = s.coordinates("a")
    p, m, inertia = s.parameters(p=PITCH, m=MASS, J=J)
    along = (math.cos(slope), 0.0, math.sin(slope)) if slope != math.pi / 2 else "z"
    s.body("nut", mass=m, inertia=inertia, joint=cd.Screw(along, a, pitch=p))
    s.gravity(-G * s.world.z)
    return s


def test_a_turn_advances_by_the_pitch():
    _, p = nut().compile().poses([2 * math.pi])["nut"]
    assert_close(p, [0, 0, PITCH], within=1e-15, because="one product")


def test_the_inertia_of_a_screw_is_that_of_turning_and_of_advancing():
    """J + m (p / 2 pi)^2."""
    p, m, inertia = (s := nut()).model.parameters
    assert sp.simplify(s.equations().mass_matrix[0] - (inertia + m * (p / (2 * sp.pi)) ** 2)) == 0


@pytest.mark.parametrize("slope", [math.pi / 2, math.pi / 6])
def test_a_nut_runs_down_its_spindle(slope):
    """a = a0 - h m g sin(slope) t^2 / (2 (J + m h^2))."""
    run = nut(slope).simulate(1.0, q=[0.0], v=[0.0])
    fall = H * MASS * G * math.sin(slope) / (J + MASS * H**2)
    assert_close(run.q[-1, 0], -fall / 2, within=1e-8, because=BACKWARDS)


def test_the_thread_carries_what_does_not_turn_it():
    """Free: F = m (g + h a''). The moment about the axis is the share of the thread, -h F, and is not free."""
    here = nut().equations().at([0.3], [2.0])
    bend = -H * MASS * G / (J + MASS * H**2)
    assert_close(here.acceleration, [bend], within=1e-12, because="one division")
    assert_close(here.multipliers["nut_force_z"], MASS * (G + H * bend), within=1e-12, because="a few products")
    assert_close(J * bend, -H * here.multipliers["nut_force_z"], within=1e-12, because="Euler's equation of the nut")
    held = [name for name in here.multipliers if name.startswith("nut_")]
    assert held == ["nut_moment_y", "nut_moment_x", "nut_force_x", "nut_force_y", "nut_force_z"]


# --- closing a loop ----------------------------------------------------------------------------------


def loop() -> cd.System:
    """The same nut, free to turn and to slide, connected to the world by a screw."""
    s = cd.System("loop")
    a, z = s.coordinates("a z")
    body = s.body("nut", mass=MASS, inertia=J, joint=cd.Cylindrical("z", a, z))
    s.connect(s.world.origin, body.origin, cd.Screw("z", pitch=PITCH), name="thread")
    s.gravity(-G * s.world.z)
    return s


def test_a_closed_thread_moves_as_the_joint_does_for_many_turns():
    """2.4 s at 58 rad/s^2: 26 turns, past every half turn, without losing the thread."""
    run = loop().simulate(2.4, q=[0.0, 0.0], v=[0.0, 0.0])
    fall = H * MASS * G / (J + MASS * H**2)
    assert abs(run.q[-1, 0]) > 25 * 2 * math.pi
    assert_close(run.q[-1, 0] / (fall * 2.4**2 / 2), -1, within=1e-7, because="26 turns at rtol 1e-9")
    assert_close(run.q[:, 1], H * run.q[:, 0], within=1e-8, because="constraints are kept to the tolerance of the run")


def test_the_multiplier_of_a_thread_is_the_force_along_it():
    here = loop().equations().at([0.0, 0.0], [0.0, 0.0])
    bend = -H * MASS * G / (J + MASS * H**2)
    assert_close(here.multipliers["thread_thread"], MASS * (G + H * bend), within=1e-12, because="a few products")


def test_the_rate_of_a_thread_is_the_derivative_of_its_gap_off_the_thread_too():
    """A tilted, displaced and half-turned nut: A v against central differences of phi."""
    s = cd.System("tilted")
    names = s.coordinates("x y z a b c")
    body = s.body("nut", mass=1, inertia=1, joint=cd.Free(*names[:3], cd.Euler("3-2-1", *names[3:])))
    turntable = s.body("table", inertia=1, joint=cd.Revolute("x", s.coordinates("w")))
    s.connect(turntable.point(0.1, 0.2, 0.3), body.point(0, 0.1, 0), cd.Screw("z", pitch=PITCH), name="thread")
    eq = s.equations()
    q = np.array([0.3, -0.2, 0.5, 0.7, 0.4, -0.3, 0.2])
    v = np.array([1.0, 0.5, -0.7, 0.3, -0.4, 0.8, 0.6])
    step = 1e-6
    phi = [eq.at(q + sign * step * v, v).phi["thread_thread"] for sign in (1, -1)]
    here = eq.at(q, v)
    rate = (here.A @ v + here.b0)[list(here.phi).index("thread_thread")]
    assert_close(rate, (phi[0] - phi[1]) / (2 * step), within=1e-9, because="central differences of step 1e-6")


def test_a_start_half_a_turn_off_the_thread_is_refused():
    with pytest.raises(cd.CardanError, match="thread"):
        loop().simulate(0.1, q=[math.pi, 0.0], v=[0.0, 0.0])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda s, a: cd.Screw("z", a, pitch=0), "the pitch is 0.*Revolute"),
        (lambda s, a: cd.Screw("z", a, pitch=a), "a unknown here"),
        (lambda s, a: cd.Screw("z", pitch=1), "Screw needs an angle"),
    ],
)
def test_a_screw_that_cannot_be_is_refused(make, message):
    s = cd.System("refused")
    a = s.coordinates("a")
    with pytest.raises(ModelError, match=message):
        s.body("nut", mass=1, inertia=1, joint=make(s, a))
