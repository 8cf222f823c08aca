"""What is typed without a place is said to be in a reaction, and refused where friction of a joint needs to know."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from sympy import cos, sin

import cardan as cd
from cardan.errors import ModelError
from support.close import assert_close

G, M, L = 9.81, 2.0, 0.8


def rod(weight: str) -> tuple[cd.System, cd.Body]:
    """A rod of mass M hanging from a pin, its centre L below; the weight said in one of four ways."""
    s = cd.System("rod")
    th = s.coordinate("th")
    body = s.body("rod", mass=M, com=(0, -L, 0), inertia=0.1, joint=cd.Revolute("z", th))
    V = -M * G * L * cos(th)
    if weight == "gravity":
        s.gravity(-G * s.world.y)
    elif weight == "potential":
        s.potential(V)
    elif weight == "lagrangian":
        s.lagrangian(-V)
    else:
        s.generalized_force(th, -V.diff(th))
    return s, body


TYPED = ["potential", "lagrangian", "generalized force"]


def test_gravity_is_no_reaction_and_the_pin_carries_the_rod() -> None:
    s, _ = rod("gravity")
    found = s.equations().at([0.0]).reactions["rod"]
    assert_close(found.force, [0, M * G, 0], within=1e-13, because="one product of 20 N")
    assert found.includes == ()


@pytest.mark.parametrize("weight", TYPED)
def test_a_weight_without_a_place_is_named_in_the_reaction(weight: str) -> None:
    s, _ = rod(weight)
    found = s.equations().at([0.0]).reactions["rod"]
    assert any(weight in words.lower() for words in found.includes)
    run = s.simulate(0.1, q=[0.3])
    assert run.reactions["rod"].includes == found.includes
    line = run.audit()["typed forces"]
    assert line.verdict == "ok", "the motion is the same"
    assert "s.gravity" in line.words


def test_in_symbols_too() -> None:
    s, _ = rod("potential")
    assert "potential" in s.equations().reactions["rod"].includes[0]


@pytest.mark.parametrize("weight", TYPED)
def test_friction_pressed_by_a_joint_refuses_it(weight: str) -> None:
    s, body = rod(weight)
    s.friction(s.model.q[0], coefficient=0.3, normal=body, radius=0.05, name="pin")
    with pytest.raises(ModelError, match=r"pin.*rod.*" + weight.split()[0][1:] + r".*s\.gravity"):
        s.simulate(0.1, q=[0.3])


# --- neighbours: what may and what may not be there -----------------------------------------------------------------


def double() -> tuple[cd.System, cd.Body]:
    """Two rods, the pin of the first rubs."""
    s, first = rod("gravity")
    phi = s.coordinate("phi")
    s.body("second", mass=1.0, com=(0, -0.3, 0), parent=first, at=(0, -1.0, 0), joint=cd.Revolute("z", phi))
    x = s.coordinate("x")
    s.body("apart", mass=1.0, joint=cd.Prismatic("x", x))
    return s, first


UNKNOWN: dict[str, Callable[[cd.System], None]] = {
    "a potential that grows in proportion": lambda s: s.potential(3.0 * s.model.q[0] + s.model.q[0] ** 2),
    "drag typed as a generalized force": lambda s: s.generalized_force("phi", -0.2 * s.model.v[1]),
    "a constant generalized force": lambda s: s.generalized_force("th", 1.0),
    "a spring on a height": lambda s: s.spring(sin(s.model.q[0]) + sin(s.model.q[0] + s.model.q[1]), stiffness=3.0),
    "a damper on a height": lambda s: s.damper(cos(s.model.q[0]), coefficient=3.0),
    "a loop typed by hand": lambda s: s.constrain(cos(s.model.q[0]) - cos(s.model.q[1]) - 0.1, name="loop"),
    "a rate typed by hand": lambda s: s.constrain_velocity(s.model.v[0] * cos(s.model.q[0]) - s.model.v[1]),
    "a mass typed as kinetic energy": lambda s: s.kinetic_energy(0.1 * (s.model.v[0] * cos(s.model.q[0])) ** 2),
    "a friction on the speed of a point": lambda s: s.friction(
        s.model.v[0] * cos(s.model.q[0]), coefficient=0.1, normal=1.0, law="tanh", width=0.01
    ),
}
WITHIN: dict[str, Callable[[cd.System], None]] = {
    "a spring on the joint": lambda s: s.spring(s.model.q[0], stiffness=3.0, length=0.2),
    "a damper on the next joint": lambda s: s.damper(s.model.q[1], coefficient=0.3),
    "a tendon over both": lambda s: s.spring(s.model.q[0] - 0.5 * s.model.q[1], stiffness=3.0),
    "a spring typed as a potential": lambda s: s.potential(0.7 * (s.model.q[0] - 0.1) ** 2),
    "a rotor": lambda s: s.kinetic_energy(0.5 * 0.02 * s.model.v[0] ** 2),
    "a motor as a moment": lambda s: _motor(s),
    "friction of the next joint": lambda s: s.friction(
        s.model.q[1], coefficient=0.1, normal=1.0, law="tanh", width=0.01
    ),
    "a potential elsewhere": lambda s: s.potential(2.0 * s.model.q[2] ** 4),
}  # fmt: skip


def _motor(s: cd.System) -> None:
    s.moment("motor", on=s.model.bodies[1], along=s.world.z, against=s.model.bodies[0])


def pressing(s: cd.System, body: cd.Body) -> cd.System:
    s.friction(s.model.q[0], coefficient=0.3, normal=body, radius=0.05, law="tanh", width=0.1, name="pin")
    return s


@pytest.mark.parametrize("what", UNKNOWN)
def test_nobody_can_say_whether_the_joint_carries(what: str) -> None:
    s, body = double()
    UNKNOWN[what](s)
    with pytest.raises(ModelError, match="typed without a place"):
        pressing(s, body).simulate(0.01)


def test_what_acts_within_joints_presses_as_newton_says() -> None:
    """All of them at once: the pin carries the weight and the accelerated masses, whatever acts within the joints."""
    s, body = double()
    for say in WITHIN.values():
        say(s)
    pressing(s, body)
    q = np.array([0.4, -0.7, 0.2])
    run = s.simulate(0.02, q=q, v=[0.0, 0.0, 0.0], loads={"motor": 0.6}, rtol=1e-9)
    vd = run.acceleration[0]
    th, both = q[0], q[0] + q[1]
    first = L * vd[0] * np.array([math.cos(th), math.sin(th)])
    hinge = 1.0 * vd[0] * np.array([math.cos(th), math.sin(th)])
    second = hinge + 0.3 * (vd[0] + vd[1]) * np.array([math.cos(both), math.sin(both)])
    expected = M * first + 1.0 * second + np.array([0, (M + 1.0) * G])
    found = sum(run.reactions[name].force[0, :2] for name in ("rod", "second"))
    assert_close(found, expected, within=1e-11, because="sums of forces of 30 N")
