"""What acts on a body acts on it wherever it is hooked: every kind of load on every kind of attachment.

A rod swings about z; each load pulls at the same place of it, named in five ways. The force and moment that the hinge
must supply are Newton's and Euler's laws about the centre of mass, written here with NumPy.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

import cardan as cd
from cardan.model.frames import Point
from support.close import assert_close

Array = NDArray[np.float64]

MASS, COM, HOOK = 1.7, np.array([0.5, 0.1, 0.0]), np.array([0.4, -0.3, 0.2])
INERTIA = np.diag([0.2, 0.3, 0.4])
POST = np.array([0.2, 1.1, -0.4])  # where the other ends of springs and dampers are, in the world
ANGLE, RATE, MU, G = 0.7, 1.3, 0.35, 9.81


@dataclass
class Rod:
    system: cd.System
    body: cd.Body

    @property
    def post(self) -> Point:
        return self.system.world.point(*POST)


def rod(joint: cd.Joint | None = None) -> Rod:
    s = cd.System("rod")
    th = s.coordinate("th")
    body = s.body("rod", mass=MASS, com=tuple(COM), inertia=(0.2, 0.3, 0.4), joint=joint or cd.Revolute("z", th))
    s.gravity(-G * s.world.y)
    return Rod(s, body)


ATTACHMENTS: dict[str, Callable[[Rod], Point]] = {
    "a point of the body": lambda one: one.body.point(*HOOK),
    "a frame": lambda one: one.system.frame("hook", parent=one.body, at=tuple(HOOK)).origin,
    "a point of a frame": lambda one: one.system.frame("hook", parent=one.body, at=(0.1, 0, 0)).point(0.3, -0.3, 0.2),
    "a frame on a frame": lambda one: (
        one.system.frame(
            "hook", parent=one.system.frame("arm", parent=one.body, at=(0.4, 0, 0)), at=(0, -0.3, 0.2)
        ).origin
    ),
    "a turned frame": lambda one: (
        one.system.frame("hook", parent=one.body, joint=cd.Revolute("x", 0.4), at=tuple(HOOK)).origin
    ),
}  # fmt: skip


def spring(one: Rod, at: Point) -> None:
    one.system.spring(at, one.post, stiffness=30.0, length=0.25)


def spring_without_length(one: Rod, at: Point) -> None:
    one.system.spring(one.post, at, stiffness=30.0)


def damper(one: Rod, at: Point) -> None:
    one.system.damper(at, one.post, coefficient=4.0)


def moment_against(one: Rod, at: Point) -> None:
    wheel = one.system.body("wheel", mass=0.0001, inertia=0.01, joint=cd.Revolute("z", one.system.coordinate("w")))
    one.system.moment("M", on=wheel, along=one.system.world.x, against=at.frame)


LOADS = {one.__name__: one for one in (spring, spring_without_length, damper, moment_against)}


def expected(kind: str) -> tuple[float, Array, Array]:
    """(angular acceleration, force, moment about the centre of mass) by Newton and Euler; world components."""
    c, s = math.cos(ANGLE), math.sin(ANGLE)
    R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    w = np.array([0, 0, RATE])
    place, centre = R @ HOOK, R @ COM
    span, speed = place - POST, np.cross(w, place)
    length = float(np.linalg.norm(span))
    force, couple = np.zeros(3), np.zeros(3)
    if kind == "spring":
        force = -30.0 * (length - 0.25) * span / length
    elif kind == "spring_without_length":
        force = -30.0 * span
    elif kind == "damper":
        force = -4.0 * float(span @ speed) / length * span / length
    else:
        couple = np.array([-2.5, 0, 0])
    weight = np.array([0, -MASS * G, 0])
    about_pivot = np.cross(place, force) + np.cross(centre, weight) + couple
    alpha = about_pivot[2] / (0.4 + MASS * (COM @ COM))
    wd = np.array([0, 0, alpha])
    acceleration = np.cross(wd, centre) + np.cross(w, np.cross(w, centre))
    J = R @ INERTIA @ R.T
    turning = J @ wd + np.cross(w, J @ w)
    return alpha, MASS * acceleration - weight - force, turning - np.cross(place - centre, force) - couple


@pytest.mark.parametrize("kind", LOADS)
@pytest.mark.parametrize("where", ATTACHMENTS)
def test_reactions_are_those_of_newton_and_euler(kind: str, where: str) -> None:
    one = rod()
    LOADS[kind](one, ATTACHMENTS[where](one))
    q = [ANGLE, *[0.0] * (len(one.system.model.q) - 1)]
    loads = {"M": 2.5} if kind == "moment_against" else {}
    numbers = one.system.equations().at(q, [RATE, *q[1:]], loads=loads)
    alpha, force, moment = expected(kind)
    found = numbers.reactions["rod"]
    because = "a dozen products of numbers of 10 to 30"
    assert_close(numbers.acceleration[0], alpha, within=1e-11, because=because)
    assert_close(found.force, force, within=1e-11, because=because)
    assert_close(found.moment, moment, within=1e-11, because=because)
    assert_close(numbers.multipliers["rod_force_z"], force[2], within=1e-11, because=because)


@pytest.mark.parametrize("kind", ["spring_without_length", "moment_against"])  # the others take SymPy long
def test_the_same_in_symbols(kind: str) -> None:
    one = rod()
    LOADS[kind](one, ATTACHMENTS["a frame"](one))
    s = one.system
    force = s.equations().reactions["rod"].force
    alpha, expect, _ = expected(kind)
    th = s.model.q[0]
    values = {th.ddot: alpha, th.dot: RATE, th: ANGLE} | {q.ddot: 0 for q in s.model.q[1:]}
    values |= {symbol: 2.5 for load in s.model.loads for symbol in load.symbols}
    c, sn = math.cos(ANGLE), math.sin(ANGLE)
    found = np.array(force.subs(values).evalf(), dtype=float).ravel()
    world = np.array([[c, -sn, 0], [sn, c, 0], [0, 0, 1]]) @ found
    assert_close(world, expect, within=1e-11, because="a dozen products of numbers of 10 to 30")


def test_what_pulls_at_a_welded_body_reaches_its_carrier_through_the_weld() -> None:
    one = rod()
    lid = one.system.body("lid", parent=one.body, mass=0.0, at=(0.1, 0, 0))
    hook = one.system.frame("hook", parent=lid, at=(0.3, -0.3, 0.2))
    spring(one, hook.origin)
    found = one.system.equations().at([ANGLE], [RATE]).reactions
    _, force, _ = expected("spring")
    assert_close(found["lid"].force + found["rod"].force, force, within=1e-11, because="numbers of 10 to 30")
    assert np.linalg.norm(found["lid"].force) > 5.0  # the lid has no mass: its weld alone stands against the spring


# --- friction of joints -------------------------------------------------------------------------------------------


def pressed(block: cd.Body, s: cd.System, where: str) -> tuple[Point, float]:
    """The hook of a spring on a block, and what is carried on top of it."""
    if where == "moving frame":  # a massless trolley with a particle on it, free to roll across, at rest
        trolley = s.frame("trolley", parent=block, joint=cd.Prismatic("y", s.coordinate("u")))
        s.body("rider", mass=0.5, parent=trolley)
        return trolley.origin, 0.5
    if where == "fixed frame":
        return s.frame("hook", parent=block).origin, 0.0
    return block.point(0, 0, 0), 0.0


@pytest.mark.parametrize("where", ["point", "fixed frame", "moving frame"])
@pytest.mark.parametrize("law", ["exact", "tanh"])
def test_a_spring_presses_a_block_on_its_guide(where: str, law: str) -> None:
    """A spring of no rest length, its foot h below the guide: N = m g + k h all along, and between start and rest

    m xdd = -k x - mu N   so that   x_max = sqrt(a^2 + (v0 / w)^2) - a,   a = mu N / k,   where it sticks.
    """
    m, k, h, v0 = 2.0, 40.0, 0.6, 1.5
    s = cd.System("block on a guide")
    x = s.coordinate("x")
    block = s.body("block", mass=m, joint=cd.Prismatic("x", x))
    hook, rider = pressed(block, s, where)
    s.spring(hook, s.world.point(0, 0, -h), stiffness=k)
    s.gravity(-G * s.world.z)
    width = {} if law == "exact" else {"width": 1e-5}
    s.friction(x, coefficient=MU, normal=block, law=law, name="guide", **width)
    start = [0.0] * len(s.model.q)
    run = s.simulate(1.0, q=start, v=[v0, *start[1:]], rtol=1e-9)
    m += rider
    a, w = MU * (m * G + k * h) / k, math.sqrt(k / m)
    top = math.sqrt(a**2 + (v0 / w) ** 2) - a
    within = 1e-8 if law == "exact" else 2e-5  # a smooth law creeps: width * k x / (mu N) * 1 s
    assert_close(np.max(run["x"]), top, within=within, because="rtol 1e-9 of a metre, or creep within the width")
    assert_close(run["x"][-1], top, within=within, because="it sticks where it stops: k x_max < mu N")
