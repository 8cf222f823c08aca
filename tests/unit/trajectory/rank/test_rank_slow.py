"""Folded linkages that move slowly, or hardly at all: rounding, over a small distance, limits what can be known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import cardan as cd
from support.close import assert_close
from support.four_bars import GRAVITY, chain

CRANKS, COUPLERS = [1.3, 2.4], [0.6]
INERTIA = sum(CRANKS) / 3 + sum(COUPLERS)  # of the parallelogram as a pendulum
WEIGHT = GRAVITY * (sum(CRANKS) / 2 + sum(COUPLERS))


def hanging(damping: float = 0.0) -> cd.System:
    """Gravity along the ground line: the folded parallelogram hangs."""
    s = chain(1, CRANKS, COUPLERS, coupler=2.0)
    s.gravity(GRAVITY * s.world.x)
    if damping:
        s.generalized_force(s.model.q[0], -damping * s.model.q[0].dot)
    return s


def swinging(rate: float, duration: float, damping: float = 0.0) -> np.ndarray:
    """Angle of the pendulum that the parallelogram is, started where it hangs."""
    return solve_ivp(
        lambda _, y: [y[1], -(WEIGHT * np.sin(y[0]) + damping * y[1]) / INERTIA], [0, duration], [0, rate],
        method="DOP853", rtol=1e-12, atol=1e-15,
    ).y[0, -1]  # fmt: skip


@pytest.mark.parametrize("rate", [2e-2, 1e-2, 1e-3, 1e-4])
def test_small_swings_about_the_fold(rate: float):
    run = hanging().simulate(2.0, q=[0, 0, 0], v=[rate, rate, 0])
    distance = rate / np.sqrt(WEIGHT / INERTIA)
    assert_close(run["a0"][-1], swinging(rate, 2.0), within=1e-13 / distance + 1e-9 * distance, because="rounding / x")
    assert [one.t for one in run.events if one.name == "unwatched"] == []
    assert not run.audit().complaints, run.audit()


def test_a_swing_that_dies_out_on_the_fold():
    run = hanging(damping=8.0).simulate(8.0, q=[0, 0, 0], v=[0.3, 0.3, 0])
    floor = 3 * np.sqrt(1e-13)  # as near to the fold as this, x and what rounding makes of it, 1e-13 / x, are alike
    assert_close(run["a0"][-1], swinging(0.3, 8.0, 8.0), within=floor, because="rounding / x")
    assert_close(run["c0"], 0, within=floor, because="rounding / x")


def test_multipliers_that_have_a_limit_are_not_said_to_diverge():
    """A hanging linkage needs no force across itself where it is straight, in whatever way rounding adds up."""
    run = hanging().simulate(1.0, q=[0.1, 0.1, 0], v=[0, 0, 0])
    crossings = [one for one in run.events if one.kind == "rank-change"]
    assert len(crossings) == 1
    assert not crossings[0].facts["divergent"]
    assert np.isfinite(list(run.multipliers.values())).all()
