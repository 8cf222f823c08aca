"""Four-bars of random masses through their fold and from it, against the pendulum that they are."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import cardan as cd
from support.close import assert_close
from support.four_bars import GRAVITY, chain


def pendulum(cranks, couplers, angle: float, rate: float, duration: float) -> np.ndarray:
    """Crank angle and rate on the parallelogram branch: I add = -m g cos(a), cranks turning, couplers translating."""
    inertia = sum(cranks) / 3 + sum(couplers)
    weight = GRAVITY * (sum(cranks) / 2 + sum(couplers))
    found = solve_ivp(
        lambda _, y: [y[1], -weight / inertia * np.cos(y[0])], [0, duration], [angle, rate], method="DOP853",
        rtol=1e-13, atol=1e-13,
    )  # fmt: skip
    return found.y[:, -1]


@pytest.mark.parametrize("seed", range(30))
def test_the_parallelogram_branch_is_kept(seed: int):
    """Half of the starts lie exactly on the fold, where the other branches are just as possible."""
    rng = np.random.default_rng(seed)
    N = int(rng.integers(1, 4))
    cranks, couplers = rng.uniform(0.3, 3.0, N + 1), rng.uniform(0.3, 3.0, N)
    angle = 0.0 if seed % 2 else float(rng.uniform(0.3, 2.8))
    rate = float(rng.uniform(0.5, 4.0) * rng.choice([-1, 1]))
    s = chain(N, cranks.tolist(), couplers.tolist(), coupler=float(rng.choice([0.7, 1.0, 2.0])))
    run = s.simulate(2.0, q=[angle] * (N + 1) + [0.0] * N, v=[rate] * (N + 1) + [0.0] * N)
    assert_close(run.q[:, N + 1 :], 0, within=1e-7, because="couplers stay parallel to the ground")
    expected, _ = pendulum(cranks, couplers, angle, rate, 2.0)
    assert_close(run.q[-1, : N + 1], expected, within=1e-6, because="rtol 1e-9 over a few turns")
    assert run.audit().energy_drift <= 1e-8, "ten times the local error"
    crossings = [event for event in run.events if event.kind == "rank-change"]
    assert len(crossings) == len([event for event in run.events if event.kind == "branch"]) > 0
    assert {event.facts["energy_change"] for event in crossings} == {0.0}


@pytest.mark.parametrize("rtol", [1e-6, 1e-11])
def test_accuracy_follows_the_tolerance(rtol: float):
    run = chain(2, [1.3, 2.4, 0.7], [0.6, 1.1]).simulate(
        5.0, q=[np.pi / 2] * 3 + [0] * 2, v=[-1] * 3 + [0] * 2, rtol=rtol, atol=1e-3 * rtol
    )
    assert run.audit().energy_drift < 20 * rtol
    assert run.solution.statistics.evaluations < 4000, "no steps are lost at the fold"
    assert run.solution.statistics.smallest_step > 1e-6


@pytest.mark.parametrize("amplitude", [0.1, 0.01])
def test_a_motion_that_stays_near_the_fold(amplitude: float):
    """Gravity along the ground: the folded linkage hangs, and swings through its fold without ever leaving it far."""
    s = chain(1, [1.3, 2.4], [0.6], coupler=2.0)
    s.gravity(GRAVITY * s.world.x)
    run = s.simulate(4.0, q=[0, 0, 0], v=[3 * amplitude, 3 * amplitude, 0])
    inertia, weight = 3.7 / 3 + 0.6, GRAVITY * (3.7 / 2 + 0.6)
    expected = solve_ivp(
        lambda _, y: [y[1], -weight / inertia * np.sin(y[0])], [0, 4], [0, 3 * amplitude], method="DOP853", rtol=1e-13,
        atol=1e-14,
    ).y[0, -1]  # fmt: skip
    assert_close(run["a0"][-1], expected, within=1e-9, because="the local error asked for")
    assert_close(run["c0"], 0, within=1e-9, because="the coupler stays parallel")
    assert run.audit().energy_drift < 1e-8


@pytest.mark.parametrize(("angle", "rate"), [(np.pi / 2, -1.0), (0.0, -3.0)])
def test_permanent_redundancy_does_not_hide_the_fold(angle: float, rate: float):
    """The same linkage closed by a revolute joint in space: five rows, of which three never say anything new."""
    s = cd.System("four-bar in space")
    a0, a1, c0 = s.coordinates("a0 a1 c0", on="S1")
    s.gravity(-GRAVITY * s.world.y)
    first = s.body("first", mass=1.3, inertia=(0, 1.3 / 12, 1.3 / 12), com=(0.5, 0, 0), joint=cd.Revolute("z", a0))
    second = s.body(
        "second", mass=2.4, inertia=(0, 0.2, 0.2), com=(0.5, 0, 0), at=(2, 0, 0), joint=cd.Revolute("z", a1)
    )
    coupler = s.body(
        "coupler", mass=0.6, inertia=(0, 0.2, 0.2), com=(1, 0, 0), at=(1, 0, 0), parent=first,
        joint=cd.Revolute("z", c0 - a0),
    )  # fmt: skip
    s.connect(coupler.point(2, 0, 0), second.point(1, 0, 0), cd.Revolute("z"), name="pin")
    run = s.simulate(3.0, q=[angle, angle, 0], v=[rate, rate, 0])
    expected, _ = pendulum([1.3, 2.4], [0.6], angle, rate, 3.0)
    assert_close(run["a0"][-1], expected, within=1e-6, because="rtol 1e-9 over a few turns")
    assert run.audit().energy_drift <= 1e-8
    assert {(event.facts["rank"], event.facts["generic_rank"]) for event in run.events} == {(1, 2)}
