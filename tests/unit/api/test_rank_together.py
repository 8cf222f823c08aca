"""Losses of rank together with stops and with friction: what works, and what is refused by name."""

from __future__ import annotations

from math import pi, sin

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from cardan.errors import SimulationError
from close import assert_close
from four_bars import GRAVITY, chain

CRANKS, COUPLERS = [1.3, 2.4], [0.6]
START = {"q": [pi / 2, pi / 2, 0], "v": [-1, -1, 0]}
INERTIA = sum(CRANKS) / 3 + sum(COUPLERS)  # of the parallelogram as a pendulum, about the crank's pin
PULL = (sum(CRANKS) / 2 + sum(COUPLERS)) * GRAVITY


def speed(angle: float) -> float:
    """|da/dt| of the parallelogram, from its energy."""
    return float(np.sqrt(1 + 2 * PULL * (1 - sin(angle)) / INERTIA))


def test_a_stop_behind_the_fold_is_hit_on_the_right_branch():
    """Through the fold at a = 0, a bounce at a = -1, and through the fold again; only the impact takes energy."""
    s = chain(1, CRANKS, COUPLERS)
    a = s.model.q[0]
    s.stop(a + 1.0, restitution=0.5, name="bump")
    run = s.simulate(1.2, **START)
    kinds = [one.kind for one in run.events]
    assert kinds[:3] == ["rank-change", "branch", "impact"]
    hit = run.events[2]
    assert_close(hit.facts["approach"]["bump"], -speed(-1.0), within=1e-7, because="rtol 1e-9 and one crossing")
    assert_close(run.q[:, 0], run.q[:, 1], within=1e-7, because="it stays a parallelogram")
    rebound = 0.5 * speed(-1.0)
    highest = float(np.arcsin(-sin(1.0) + INERTIA * rebound**2 / (2 * PULL)))
    top = run.q[:, 0][run.t > hit.t]
    assert_close(float(np.max(top)), highest, within=1e-2, because="read at the steps of the run")
    assert not run.audit().complaints, run.audit()


def test_a_stop_at_the_fold_itself():
    """The stop throws back one crank where two motions meet: which of them goes on is open, and said to be."""
    s = chain(1, CRANKS, COUPLERS)
    s.stop(s.model.q[0], restitution=1.0, name="flat")
    with pytest.raises(SimulationError, match=r"2 branches of motion meet at t = 0\.686.*flat.*max_energy") as caught:
        s.simulate(1.0, **START)
    run = caught.value.trajectory
    assert run.events[-1].name == "flat"
    assert_close(run.q[-1], 0.0, within=1e-7, because="rtol 1e-9 up to the fold")


def test_a_stop_at_the_fold_itself_with_a_rule():
    """The velocity after the bounce is projected to the nearest branch; its cost is recorded, nothing else is lost."""
    s = chain(1, CRANKS, COUPLERS, coupler=2.0)
    s.stop(s.model.q[0], restitution=1.0, name="flat")
    run = s.simulate(0.9, **START, project="max_energy")
    kinds = [one.kind for one in run.events]
    jump = run.events[kinds.index("impulse")]
    assert kinds.index("impact") < kinds.index("impulse")
    M, before = s.compile().mass_matrix([0, 0, 0]), jump.v
    energy = before @ M @ before
    kept = max((T @ M @ before) ** 2 / (T @ M @ T) for T in np.array([[1, 1, 0], [-1 / 3, 1, 2 / 3]]))
    assert_close(jump.facts["energy_change"], (kept - energy) / 2, within=1e-6, because="rtol 1e-9 up to the fold")
    assert run.audit().energy_drift < 1e-7


def test_friction_with_a_known_load_is_carried_across():
    """A smooth law at the pin of the first crank: the parallelogram is a pendulum with that friction."""
    s = chain(1, CRANKS, COUPLERS)
    s.friction(s.model.q[0], coefficient=0.2, normal=5.0, law="tanh", width=0.01, name="pin")
    run = s.simulate(2.0, **START)
    one = cd.System("pendulum")
    a = one.coordinates("a", on="S1")
    one.kinetic_energy(INERTIA * a.dot**2 / 2)
    one.potential(PULL * sp.sin(a))
    one.friction(a, coefficient=0.2, normal=5.0, law="tanh", width=0.01, name="pin")
    expected = one.simulate(2.0, q=[pi / 2], v=[-1.0], rtol=1e-11)
    assert_close(run.q[-1, 0], expected.q[-1, 0], within=1e-6, because="rtol 1e-9, crossings, angles of size 10")
    assert {one.kind for one in run.events} >= {"rank-change"}
    assert run.audit().is_branch_certain


@pytest.mark.parametrize("method", ["auto", "Radau"])
def test_friction_that_depends_on_the_constraints_is_refused_at_the_fold(method: str):
    s = chain(1, CRANKS, COUPLERS)
    s.friction(s.model.q[0], coefficient=0.05, normal="loop0_y", name="pin")
    with pytest.raises(SimulationError, match=r"pin.*loop0_.*lose rank.*law='tanh'") as caught:
        s.simulate(2.0, **START, method=method)
    run = caught.value.trajectory
    assert 0 < run.q[-1, 0] < 0.1, "just before the fold"
    assert run.audit()["status"].verdict == "wrong"


def test_friction_of_a_joint_away_from_the_fold_is_not_disturbed():
    s = chain(1, CRANKS, COUPLERS)
    s.friction(s.model.q[0], coefficient=0.05, normal="loop0_y", name="pin")
    run = s.simulate(0.4, **START)
    assert run.status == "finished"
    assert run.audit()["power balance"].verdict == "ok"


def test_angles_of_a_declared_chart_are_flagged_where_they_have_no_meaning():
    s = cd.System("polar")
    r, th = s.coordinates("r theta")
    s.lagrangian((r.dot**2 + r**2 * th.dot**2 - r**2) / 2)
    x, y = s.chart_coordinates("x y")
    back = {x: r * sp.cos(th), y: r * sp.sin(th)}
    s.chart("cartesian", [x, y], {r: sp.sqrt(x**2 + y**2), th: sp.atan2(y, x)}, inverse=back)
    pole = pi / 2  # of cos(t), the distance along a line through it
    run = s.simulate(2.0, q=[1.0, 0.3], rtol=1e-12, times=[0.0, 1.0, pole, 2.0])
    assert [one.kind for one in run.events] == ["chart-switch"]
    assert run.is_defined.tolist() == [True, True, False, True]
    assert [one.name for one in run.audit().complaints] == ["angles"]
    assert run.at([pole, 1.6]).is_defined.tolist() == [False, True]


def test_a_long_chain_that_starts_on_its_fold():
    """Eleven motions begin there, most of them inside configurations of lower rank; it keeps to its own."""
    N = 10
    cranks, couplers = 1.0 + 0.37 * (7 * np.arange(N + 1) % 5), 0.5 + 0.29 * (3 * np.arange(N) % 4)
    s = chain(N, list(cranks), list(couplers))
    run = s.simulate(3.0, q=[0.0] * (2 * N + 1), v=[2.0] * (N + 1) + [0.0] * N)
    pull = GRAVITY * (cranks.sum() / 2 + couplers.sum()) / (cranks.sum() / 3 + couplers.sum())
    assert_close(run.v[:, 0] ** 2, 4 - 2 * pull * np.sin(run.q[:, 0]), within=1e-6, because="energy of a pendulum")
    assert_close(np.ptp(run.q[:, : N + 1], axis=1), 0.0, within=1e-6, because="cranks stay parallel")
    assert [one.name for one in run.audit().complaints] == ["reactions"], "its multipliers are infinite at the start"


def test_requested_times_just_before_a_passage_are_those_of_the_shortened_step():
    """The step that meets the window is made again, shorter; the longer one reaches into places without meaning."""
    s, times = chain(1, CRANKS, COUPLERS), np.linspace(0.0, 5.0, 2001)
    asked, steps = s.simulate(5.0, **START, times=times), s.simulate(5.0, **START)
    assert_close(asked.q, steps.at(times).q, within=1e-12, because="the same polynomials, read at the same times")
    assert_close(asked.v, steps.at(times).v, within=1e-11, because="the same, at speeds of 6")
