"""Every loss of rank on the way is told, however soon one follows another."""

from __future__ import annotations

from math import sin

import numpy as np
import pytest

import cardan as cd
from support.close import assert_close
from support.four_bars import GRAVITY, chain

CRANKS, COUPLERS = [1.3, 2.4], [0.6]
PULL = GRAVITY * (sum(CRANKS) / 2 + sum(COUPLERS)) / (sum(CRANKS) / 3 + sum(COUPLERS))  # of the parallelogram: add


def crossings(run: cd.Run) -> list[float]:
    return [one.t for one in run.events if one.kind == "rank-change"]


@pytest.mark.parametrize("highest", [1e-2, 1e-4, 1e-6])
def test_a_motion_that_turns_back_just_behind_the_fold_crosses_it_twice(highest: float):
    """Thrown up from a = -0.5: by the constant deceleration near the fold, behind it for 2 sqrt(2 highest / pull)."""
    rate = float(np.sqrt(2 * PULL * (sin(highest) + sin(0.5))))
    run = chain(1, CRANKS, COUPLERS, coupler=2.0).simulate(0.6, q=[-0.5, -0.5, 0], v=[rate, rate, 0])
    first, second = crossings(run)
    behind = 2 * np.sqrt(2 * highest / PULL)
    assert_close(second - first, behind, within=1e-4 * behind, because="gravity's arm changes by highest^2; rtol 1e-9")


def test_a_motion_that_turns_back_before_the_fold_does_not_cross_it():
    rate = float(np.sqrt(2 * PULL * (sin(-1e-4) + sin(0.5))))
    run = chain(1, CRANKS, COUPLERS, coupler=2.0).simulate(0.6, q=[-0.5, -0.5, 0], v=[rate, rate, 0])
    assert not run.events
    assert not run.audit().complaints, run.audit()


@pytest.mark.parametrize(("angle", "crossed"), [(0.05, 0), (-0.05, 1)])
def test_what_lies_behind_the_end_of_a_run_is_not_told(angle: float, crossed: int):
    """An event of the user ends the run inside the passage across the fold, before or behind it."""
    s = chain(1, CRANKS, COUPLERS, coupler=2.0)
    here = cd.Event(s.model.q[0] - angle, terminal=True, name="here")
    run = s.simulate(1.0, q=[0.5, 0.5, 0], v=[-1, -1, 0], events=here)
    assert_close(run["a0"][-1], angle, within=1e-9, because="the event is located on the polynomial of the passage")
    assert len(crossings(run)) == crossed
    assert all(one.t <= run.t[-1] for one in run.events)


def test_a_stop_before_the_fold_keeps_it_from_being_crossed():
    s = chain(1, CRANKS, COUPLERS, coupler=2.0)
    s.stop(s.model.q[0] - 0.05, restitution=0.5, name="bump")
    run = s.simulate(0.4, q=[0.5, 0.5, 0], v=[-1, -1, 0])
    assert run.events[0].kind == "impact"
    assert not crossings(run)


@pytest.mark.parametrize("beside", [-1e-7, -1e-12, 1e-12])
def test_a_run_that_ends_beside_the_fold_is_not_said_to_be_off_its_constraints(beside: float):
    """A row that is all but zero there would turn rounding into a large displacement."""
    s, start = chain(1, CRANKS, COUPLERS, coupler=2.0), {"q": [0.5, 0.5, 0], "v": [-1, -1, 0]}
    (fold,) = crossings(s.simulate(0.5, **start))
    assert s.simulate(fold + beside, **start).audit()["constraints"].verdict == "ok"
