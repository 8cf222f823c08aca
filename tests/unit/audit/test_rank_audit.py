"""The audit complains about runs that met a loss of rank without watching it."""

from __future__ import annotations

from math import pi

import pytest

from support.close import assert_close
from support.four_bars import chain

START = {"q": [pi / 2, pi / 2, 0], "v": [-1, -1, 0]}


def test_a_watched_run_is_certain_of_its_branch():
    audit = chain(1, [1.3, 2.4], [0.6]).simulate(2.0, **START).audit()
    assert audit.is_branch_certain
    assert audit.rank_changes == 2
    assert audit.nearest_rank_loss > 0.05, "ordinary steps are held back from the fold"
    assert "NOT CERTAIN" not in str(audit)


@pytest.mark.parametrize(("method", "error"), [("RK4", 1e-8), ("RATTLE", 1e-3), ("energy-momentum", 1e-3)])
@pytest.mark.parametrize("start", [START, {"q": [0, 0, 0], "v": [3, 3, 0]}], ids=["top", "fold"])
def test_fixed_steps_are_carried_across_too(start: dict, method: str, error: float):
    s = chain(1, [1.3, 2.4], [0.6])
    run, other = s.simulate(2.0, **start, method=method, step=5e-3), s.simulate(2.0, **start)
    assert run.audit().is_branch_certain
    assert [one.kind for one in run.events] == [one.kind for one in other.events]
    assert_close(run.q[-1], other.q[-1], within=error, because="of order 4, or 2, with steps of 0.02 rad")


def test_fixed_steps_up_to_where_passages_begin_are_no_complaint():
    """In a long chain passages begin nearer to the fold, compared with the rest of the run."""
    run = chain(8, coupler=1.7).simulate(1.0, q=[1.2] * 9 + [0] * 8, v=[-1] * 9 + [0] * 8, method="RK4", step=2e-3)
    assert run.audit().rank_changes == 1
    assert run.audit()["branch"].verdict == "ok"


@pytest.mark.parametrize("method", ["scipy-DOP853"])
def test_other_integrators_across_the_fold_are_not(method: str):
    audit = chain(1, [1.3, 2.4], [0.6]).simulate(1.0, **START, method=method, throw=False).audit()
    assert not audit.is_branch_certain
    assert "NOT CERTAIN" in str(audit)


def test_the_energy_lost_by_an_impulse_is_no_drift():
    between = [1.0, 2.0, 0.5]
    run = chain(1, coupler=2.0).simulate(0.2, q=[0, 0, 0], v=between, project="max_energy")
    assert_close(run.audit().energy_drift, 0, within=1e-8, because="the impulse is accounted for")


@pytest.mark.parametrize("rtol", [1e-6, 1e-9])
@pytest.mark.parametrize("start", [START, {"q": [0, 0, 0], "v": [3, 3, 0]}], ids=["top", "fold"])
def test_radau_is_held_back_and_passes_under_watch(start: dict, rtol: float):
    s = chain(1, [1.3, 2.4], [0.6])
    run, other = s.simulate(3.0, **start, method="Radau", rtol=rtol), s.simulate(3.0, **start)
    assert run.audit().is_branch_certain
    assert [one.kind for one in run.events] == [one.kind for one in other.events]
    assert_close(run.q[-1], other.q[-1], within=100 * rtol, because="a hundred steps of error rtol, angles of size 1")
