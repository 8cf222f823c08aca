"""Starts at a fold: followed where the velocity says how, refused with the list of branches where nothing does."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

import cardan as cd
from cardan.errors import StartError
from support.close import assert_close
from support.four_bars import chain


def parallelogram() -> cd.System:
    return chain(1, coupler=2.0)


@pytest.mark.parametrize(("v", "taken"), [([3, 3, 0], [1, 1, 0]), ([-1, 3, 2], [-1 / 3, 1, 2 / 3])])
def test_the_velocity_decides(v, taken):
    run = parallelogram().simulate(0.1, q=[0, 0, 0], v=v)
    assert_close(run.v[0], v, within=1e-12, because="a velocity on a branch is kept")
    branch = next(event for event in run.events if event.kind == "branch")
    tangents = branch.facts["branches"]
    assert_close(tangents[branch.facts["taken"]], taken, within=1e-9, because="closed form for two freedoms")
    assert run.audit().energy_drift < 1e-8


def test_a_start_at_rest_is_refused_with_the_list():
    with pytest.raises(StartError, match="2 branches of motion meet") as refused:
        parallelogram().simulate(1.0, q=[0, 0, 0], v=[0, 0, 0])
    listed = refused.value.evidence["branches"]
    assert_close(listed[0], [1, 1, 0], within=1e-9, because="closed form for two freedoms")
    assert_close(listed[1], [-1 / 3, 1, 2 / 3], within=1e-9, because="closed form for two freedoms")


def test_a_branch_can_be_chosen_by_index_or_tangent():
    for branch in (1, [-1 / 3, 1, 2 / 3]):
        run = parallelogram().simulate(0.3, q=[0, 0, 0], v=[0, 0, 0], branch=branch)
        assert abs(run["c0"][-1]) > 0.1, "the coupler turns"
        assert run.audit().energy_drift < 1e-7
    run = parallelogram().simulate(0.3, q=[0, 0, 0], v=[0, 0, 0], branch=0)
    assert_close(run["c0"], 0, within=1e-9, because="the parallelogram keeps its coupler parallel")


def test_what_is_no_branch_is_refused():
    with pytest.raises(StartError, match="not among the 2"):
        parallelogram().simulate(0.3, q=[0, 0, 0], v=[0, 0, 0], branch=7)
    with pytest.raises(StartError, match="belongs to none"):
        parallelogram().simulate(0.3, q=[0, 0, 0], v=[0, 0, 0], branch=[1, 0, 1])


def test_a_velocity_between_the_branches_is_refused_or_projected():
    """Uniform bars: of (1, 2) in the cranks, some 94 % of the energy fit the parallelogram, 54 % the other."""
    between = [1.0, 2.0, 0.5]  # satisfies the constraints to first order: 2 c0 = a1 - a0
    with pytest.raises(StartError, match="belongs to none") as refused:
        parallelogram().simulate(0.2, q=[0, 0, 0], v=between)
    M = parallelogram().compile().mass_matrix([0, 0, 0])
    energy = np.array(between) @ M @ between
    shares = [
        (np.array(T) @ M @ between) ** 2 / (np.array(T) @ M @ T) / energy for T in ([1, 1, 0], [-1 / 3, 1, 2 / 3])
    ]
    assert_close(refused.value.evidence["retained"], shares, within=1e-9, because="two projections")
    by_hand = [15 / 16, (7 / 6) ** 2 * 27 / 17 / 4]  # M = [[4/3, 0, 1], [0, 1/3, 0], [1, 0, 4/3]]
    assert_close(shares, by_hand, within=1e-12, because="rounding")
    run = parallelogram().simulate(0.2, q=[0, 0, 0], v=between, project="max_energy")
    impulse = run.events[0]
    assert impulse.kind == "impulse"
    assert_close(impulse.facts["energy_change"], -(1 - shares[0]) * energy / 2, within=1e-9, because="one projection")
    assert_close(run["c0"], 0, within=1e-9, because="the branch of the parallelogram")


def driven(rate: float) -> cd.System:
    """A parallelogram (ground 2, cranks 1) whose first crank is turned at a constant rate, folded at t = 0."""
    s = parallelogram()
    s.prescribe(s.model.q[0], rate * s.time)
    return s


@pytest.mark.parametrize(("ratio", "coupler"), [(1.0, 0.0), (-3.0, -2.0)])
def test_a_driven_linkage_starts_on_its_fold(ratio: float, coupler: float):
    """tan(b/2) = tan(a/2) for the parallelogram, and -3 tan(a/2) with crossed bars: 3 = (2 + 1)/(2 - 1)."""
    rate = 1.5
    run = driven(rate).simulate(1.0, q={"a1": 0, "c0": 0}, v={"a1": ratio * rate, "c0": coupler * rate})
    other = 2 * np.arctan(ratio * np.tan(rate * run.t / 2))
    assert_close(run["a1"], other, within=1e-7, because="rtol 1e-9, divided by the distance from the fold")
    assert run.events[0].kind == "rank-change"
    with pytest.raises(StartError, match="belongs to no motion through this place"):
        driven(rate).simulate(1.0, q={"a1": 0, "c0": 0}, v={"a1": 0.3, "c0": -0.6})


def test_a_folded_linkage_that_hangs_stays_at_rest():
    s = parallelogram()
    s.gravity(9.81 * s.world.x)
    run = s.simulate(1.0, q=[0, 0, 0], v=[0, 0, 0])
    assert_close(run.q, 0, within=0, because="it is in equilibrium")
    assert run.events[0].kind == "rank-change"


def test_user_events_are_found_inside_a_passage():
    s = parallelogram()
    a0 = s.model.q[0]
    run = s.simulate(
        2.0,
        q=[pi / 2, pi / 2, 0],
        v=[-1, -1, 0],
        events=[cd.Event(a0, name="fold"), cd.Event(a0 + pi + 0.02, terminal=True, name="end")],
    )
    found = {event.name: event for event in run.events if event.kind == "user"}
    assert_close(found["fold"].q[0], 0, within=1e-12, because="located by bisection")
    crossing = next(event for event in run.events if event.kind == "rank-change")
    assert_close(found["fold"].t, crossing.t, within=1e-9, because="rank is lost where the links are in line")
    assert run.status == "event"
    assert_close(run["a0"][-1], -pi - 0.02, within=1e-12, because="located by bisection")


def test_states_between_steps_are_on_the_constraints_across_the_fold():
    run = parallelogram().simulate(1.0, q=[pi / 2, pi / 2, 0], v=[-1, -1, 0])
    dense = run.at(np.linspace(0.6, 0.8, 101))
    assert_close(dense["a0"], dense["a1"], within=1e-9, because="the tolerance of the run")
    assert_close(dense.constraint_error, 0, within=1e-9, because="the tolerance of the run")


def test_backwards_in_time():
    run = parallelogram().simulate(-2.0, q=[pi / 2, pi / 2, 0], v=[-1, -1, 0])
    assert run.audit().energy_drift < 1e-8
    assert_close(run["c0"], 0, within=1e-9, because="the branch of the parallelogram")
    assert len(run.events) > 0
