"""Constraints that repeat each other, holonomic ones and ones on velocities, in every order: the motion is the same,
and the configuration does not drift from the constraints.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from sympy import cos, sin

import cardan as cd
from support.close import EPS, assert_close

KEPT = "steps end on the constraints; residuals are differences of numbers of order one"


def pendulum(order: str, factor: float = 1.0) -> cd.System:
    """A particle on a circle; ``order`` names its constraints: h the circle, v its rate, i another parabola of it."""
    s = cd.System("pendulum")
    x, y = s.coordinates("x y")
    s.particle("P", mass=1.0, position=(x, y, 0))
    s.gravity(-9.81 * s.world.y)
    for k, kind in enumerate(order):
        if kind == "v":
            s.constrain_velocity(factor * (x * x.dot + y * y.dot), name=f"c{k}")
        else:
            s.constrain((x**2 + y**2 - 1) if kind == "h" else factor * (x**2 + y**2 - 1) * (2 + x), name=f"c{k}")
    return s


def swinging() -> cd.Run:
    """The same pendulum in its angle from the x axis, at a tolerance that makes its errors negligible."""
    s = cd.System("angle")
    a = s.coordinate("a", on="S1")
    s.body("P", mass=1.0, inertia=0.0, com=(1, 0, 0), joint=cd.Revolute("z", a))
    s.gravity(-9.81 * s.world.y)
    return s.simulate(4.0, q=[0.0], rtol=1e-12)


@pytest.mark.parametrize("factor", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("order", ["hv", "vh", "vhv", "hiv", "vih", "ivvh"])
def test_a_rate_stated_beside_its_constraint_lets_nothing_drift(order, factor):
    run = pendulum(order, factor).simulate(20.0, q=[1.0, 0.0], rtol=1e-6)
    assert run.status == "finished"
    radius = np.hypot(run.q[:, 0], run.q[:, 1])
    assert_close(radius, 1.0, within=4 * EPS, because=KEPT)
    assert_close(np.sum(run.q * run.v, axis=1), 0.0, within=20 * EPS * 4.5, because="speeds up to 4.5")


@pytest.mark.parametrize("order", ["hv", "vh", "viv"])
def test_redundant_constraints_give_the_motion_of_the_angle(order):
    run = pendulum(order).simulate(4.0, q=[1.0, 0.0], rtol=1e-10)
    a = float(swinging().q[-1, 0])
    assert_close(run.q[-1], [np.cos(a), np.sin(a)], within=1e-8, because="two periods at rtol 1e-10")


@pytest.mark.parametrize("method", ["RATTLE", "energy-momentum"])
@pytest.mark.parametrize("order", ["hv", "vh"])
def test_methods_on_the_manifold_keep_the_configuration_too(order, method):
    run = pendulum(order, 1e3).simulate(10.0, q=[1.0, 0.0], method=method, step=0.01)
    assert_close(np.hypot(run.q[:, 0], run.q[:, 1]), 1.0, within=1e-12, because="Newton's iterations to round-off")


@pytest.mark.parametrize("order", list(permutations(range(5)))[::8])
def test_many_dependent_rows_in_any_order(order):
    """A double pendulum whose rods, their sum and both rates are all stated: rank 2 of 5, 2 of 3 with a phi."""
    s = cd.System("double pendulum")
    x1, y1, x2, y2 = s.coordinates("x1 y1 x2 y2")
    s.particle("a", mass=1.0, position=(x1, y1, 0))
    s.particle("b", mass=2.0, position=(x2, y2, 0))
    s.gravity(-9.81 * s.world.y)
    first, second = x1**2 + y1**2 - 1, (x2 - x1) ** 2 + (y2 - y1) ** 2 - 1
    statements = [
        lambda: s.constrain(first, name="first"),
        lambda: s.constrain(second, name="second"),
        lambda: s.constrain(first - 3 * second, name="sum"),
        lambda: s.constrain_velocity(50 * (x1 * x1.dot + y1 * y1.dot), name="first rate"),
        lambda: s.constrain_velocity((x2 - x1) * (x2.dot - x1.dot) + (y2 - y1) * (y2.dot - y1.dot), name="second rate"),
    ]
    for k in order:
        statements[k]()
    run = s.simulate(5.0, q=[1.0, 0.0, 1.0, 1.0], rtol=1e-6)
    assert run.status == "finished"
    rods = np.hypot(run.q[:, 0], run.q[:, 1]), np.hypot(run.q[:, 2] - run.q[:, 0], run.q[:, 3] - run.q[:, 1])
    assert_close(np.array(rods), 1.0, within=8 * EPS, because=KEPT)


def parallelogram(*, repeated: bool) -> cd.System:
    """Unequal masses: constraint forces grow without bound towards the flat position, where rank is lost."""
    s = cd.System("parallelogram")
    a, b, c = s.coordinates("a b c", on="S1")
    crank = s.body("crank", mass=1, inertia=0.1, com=(0.5, 0, 0), joint=cd.Revolute("z", a))
    coupler = s.body(
        "coupler", mass=2, inertia=0.3, com=(1, 0, 0), parent=crank, at=(1, 0, 0), joint=cd.Revolute("z", b)
    )
    rocker = s.body("rocker", mass=3, inertia=0.2, com=(0.5, 0, 0), at=(2, 0, 0), joint=cd.Revolute("z", c))
    s.gravity(-9.81 * s.world.y)
    if repeated:
        gaps = (cos(a) + 2 * cos(a + b) - cos(c), sin(a) + 2 * sin(a + b) - sin(c))
        for k, gap in enumerate(gaps):
            s.constrain_velocity(100 * sum(gap.diff(q) * q.dot for q in (a, b, c)), name=f"rate {k}")
    s.connect(coupler.point(2, 0, 0), rocker.point(1, 0, 0), cd.Ball(), name="pin")
    return s


def test_a_loss_of_rank_is_crossed_with_repeated_rows_as_without():
    start = {"q": [1.0, -1.0, 1.0], "v": [6.0, -6.0, 6.0]}
    once, twice = (parallelogram(repeated=one).simulate(2.0, **start) for one in (False, True))
    assert [one.kind for one in twice.events] == [one.kind for one in once.events]
    assert len(twice.events) > 2
    assert_close(twice.q[-1], once.q[-1], within=1e-6, because="two runs at rtol 1e-9 over several crossings")
    assert_close(twice.q[:, 0] - twice.q[:, 2], 0.0, within=1e-11, because="it stays a parallelogram")


def hanging_body(*, repeated: bool) -> cd.System:
    """A body turning about a fixed point of it, in six coordinates; its velocity there is zero, said twice."""
    s = cd.System("hanging body")
    x, y, z = s.coordinates("x y z")
    body = s.body(
        "top", mass=2.0, inertia=(0.1, 0.2, 0.25), joint=cd.Free(x, y, z, cd.Quaternion("e"))
    )  # fmt: skip
    s.gravity(-9.81 * s.world.z)
    if repeated:
        for axis in ("x", "z"):
            s.no_slip(on=body, point=body.point(0, 0, 0.5), along=getattr(s.world, axis), name=f"still {axis}")
    s.connect(s.world.point(0, 0, 0), body.point(0, 0, 0.5), cd.Ball(), name="pivot")
    return s


SPINNING = {"q": {"x": 0.0, "y": 0.0, "z": -0.5, "e": (1, 0, 0, 0)}, "v": {"e": (1.0, 0.3, 5.0)}}


@pytest.mark.parametrize("rtol", [1e-3, 1e-6, 1e-9])
def test_a_body_with_a_quaternion_stays_on_its_pivot_and_its_quaternion_a_unit(rtol):
    """Over a hundred turns; steps back to the pivot are as long as the local errors, which rtol = 1e-3 makes large."""
    run = hanging_body(repeated=True).simulate(100.0, **SPINNING, rtol=rtol)
    assert run.status == "finished"
    tip = run.q[:, :3] + run.rotation("top") @ np.array([0, 0, 0.5])
    assert_close(tip, 0.0, within=4 * EPS, because="sums of three products below one")
    assert_close(np.linalg.norm(run.q[:, 3:], axis=1), 1.0, within=4 * EPS, because="normalised, rounded")


def test_statements_that_repeat_each_other_change_nothing():
    once = hanging_body(repeated=False).simulate(2.0, **SPINNING, rtol=1e-10)
    twice = hanging_body(repeated=True).simulate(2.0, **SPINNING, rtol=1e-10)
    assert_close(twice.q[-1], once.q[-1], within=1e-7, because="two runs at rtol 1e-10; errors grow for ten turns")
