"""Starts on a singular configuration: all rows vanish there, or only rounding says that something pulls."""

from __future__ import annotations

import math
from math import pi

import pytest
from scipy.integrate import solve_ivp
from sympy import cos, sin

import cardan as cd
from cardan.errors import StartError
from support.close import assert_close

GRAVITY, CRANK, ROD = 9.81, 1.2, 0.8


def crank_and_rod() -> cd.System:
    """A slider-crank of links of length 1, the slider massless: its only row is cos(a) a' + cos(b) b'."""
    s = cd.System("slider-crank")
    a, b = s.coordinates("a b", on="S1")
    s.kinetic_energy(CRANK * a.dot**2 / 6 + ROD * (a.dot**2 + b.dot**2 / 3 + cos(a - b) * a.dot * b.dot) / 2)
    s.potential(GRAVITY * (CRANK * sin(a) / 2 + ROD * (sin(a) + sin(b) / 2)))
    s.constrain(sin(a) + sin(b), name="rail")
    return s


def turning_on_the_spot(a: float, rate: float) -> float:
    """Acceleration with the rod lying on the crank, b = a - pi."""
    return -GRAVITY * (CRANK + ROD) / 2 * math.cos(a) / ((CRANK + ROD) / 3)


def sliding(a: float, rate: float) -> float:
    """Acceleration with the rod mirroring the crank, b = -a: I = CRANK/3 + ROD (4/3 - cos 2a)."""
    pull = -GRAVITY * (CRANK + ROD) / 2 * math.cos(a) - ROD * math.sin(2 * a) * rate**2
    return pull / (CRANK / 3 + ROD * (4 / 3 - math.cos(2 * a)))


@pytest.mark.parametrize(("v", "acceleration"), [([2.0, 2.0], turning_on_the_spot), ([2.0, -2.0], sliding)])
def test_where_all_rows_vanish_any_velocity_along_a_branch_is_allowed(v, acceleration):
    """Upright, cos(pi/2) = 6e-17 is the only entry that is left; it forbids nothing."""
    run = crank_and_rod().simulate(1.0, q=[pi / 2, -pi / 2], v=v)
    reference = solve_ivp(
        lambda _, y: [y[1], acceleration(*y)], [0, 1], [pi / 2, 2.0], method="DOP853", rtol=1e-10, atol=1e-11
    )
    assert_close(run["a"][-1], reference.y[0, -1], within=1e-7, because="rtol 1e-9 over less than a turn")
    assert run.events[0].kind == "rank-change"
    assert run.events[0].facts["rank"] == 0


def hanging(angle: float) -> cd.System:
    """A folded parallelogram (ground 2, cranks 1, coupler 2) whose ground line, and gravity, point along an angle."""
    s = cd.System("hanging")
    a, b, c = s.coordinates("a b c", on="S1")
    s.kinetic_energy(1.3 * a.dot**2 / 6 + 2.4 * b.dot**2 / 6)
    s.kinetic_energy(0.3 * (a.dot**2 + 2 * cos(a - c) * a.dot * c.dot + 4 * c.dot**2 / 3))
    for mass, crank in ((1.3, a), (2.4, b), (1.2, a), (1.2, c)):
        s.potential(-GRAVITY * mass / 2 * cos(crank - angle))
    s.constrain(cos(a) + 2 * cos(c) - cos(b) - 2 * math.cos(angle), name="x")
    s.constrain(sin(a) + 2 * sin(c) - sin(b) - 2 * math.sin(angle), name="y")
    return s


@pytest.mark.parametrize("angle", [-pi / 2, 0.6435])
def test_a_linkage_that_hangs_folded_stays_at_rest_whatever_its_direction(angle: float):
    """Where the angles are not zero, forces that balance leave rounding."""
    run = hanging(angle).simulate(2.0, q=[angle] * 3)
    assert_close(run.q, angle, within=1e-11, because="rounding and atol = 1e-12, over two seconds")
    assert [(one.kind, one.name) for one in run.events] == [("rank-change", "resident")]


@pytest.mark.parametrize("speed", [1e-9, 1e-12, 1e-15])
def test_the_least_velocity_along_a_branch_decides(speed: float):
    """Gravity across the folded linkage, which moves so slowly that it is all but at rest."""
    s = hanging(0.0)
    a, b, c = s.model.q
    s.potential(GRAVITY * (1.3 / 2 * sin(a) + 2.4 / 2 * sin(b) + 0.6 * (sin(a) + sin(c))))
    run = s.simulate(0.5, q=[0, 0, 0], v=[speed, speed, 0])
    assert_close(run["a"], run["b"], within=1e-8, because="rtol 1e-9, on the parallelogram")
    assert run["a"][-1] < -0.1, "it has left the fold"


def test_from_rest_no_remedy_is_named_that_does_not_help():
    s = hanging(0.0)
    s.generalized_force(s.model.q[0], 1.0)
    with pytest.raises(StartError, match="it rests there, and forces pull it off") as caught:
        s.simulate(1.0, q=[0, 0, 0])
    assert "branch=index" in str(caught.value)
    assert "max_energy" not in str(caught.value)


@pytest.mark.parametrize("branch", [0, 1])
def test_the_event_tells_the_branch_that_was_chosen_from_rest(branch: int):
    s = hanging(0.0)
    s.generalized_force(s.model.q[0], 1.0)
    run = s.simulate(0.2, q=[0, 0, 0], branch=branch)
    assert next(one.facts["taken"] for one in run.events if one.kind == "branch") == branch


def test_a_driven_start_on_the_fold_follows_its_drive():
    s = hanging(0.0)
    s.prescribe(s.model.q[0], -2 * s.time)
    run = s.simulate(1.0, q=[0, 0], v=[-2, 0])
    assert_close(run["b"], -2 * run.t, within=1e-9, because="a parallelogram, at rtol 1e-9")
    with pytest.raises(StartError, match=r"driven by what they prescribe.*start a moment before"):
        s.simulate(1.0, q=[0, 0], v=[1, 1.5])
