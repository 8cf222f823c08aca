"""Nearly bifurcating four-bars: the unfolding parameter, snapping, and what the rigid linkage really does."""

from __future__ import annotations

from math import pi, sqrt

import numpy as np
import pytest

from cardan.api.assembly import consistent_start
from cardan.api.start import given_start
from cardan.codegen.rank import RankNumbers
from close import assert_close
from four_bars import chain

START = {"q": [pi / 2, pi / 2, 0], "v": [-1, -1, 0]}


def unfolding_of(error: float):
    kernel = chain(1, coupler=2.0, ground=2.0 + error).compile()
    start = consistent_start(kernel, given_start(kernel, [0.05, 0.05, 0.0], None), kernel.p(), 0.0, 1.0)
    return RankNumbers(kernel, kernel.p(), start.reference).unfolding(0.0, start.y)


@pytest.mark.parametrize("error", [1e-3, 1e-6, 1e-9])
def test_the_shift_is_the_error_of_the_ground(error: float):
    """All links in one line: the loop is open by exactly the error, along the line."""
    found = unfolding_of(error)
    assert_close(found.y[:3], 0, within=1e-10, because="the singular configuration is folded")
    assert_close(found.shift, [-error, 0], within=1e-6 * error + 1e-16, because="rounding of cosines against 2")


def test_the_parameter_is_proportional_to_the_error():
    assert_close(unfolding_of(1e-5).e / unfolding_of(1e-7).e, 100, within=3, because="the cloud of typical rows")


@pytest.mark.parametrize("error", [0.0, 1e-10])
def test_small_errors_are_snapped(error: float):
    """The motion goes straight through, as without the error: coupler parallel to the ground."""
    run = chain(1, coupler=2.0, ground=2.0 + error).simulate(1.2, **START)
    assert ("snap" in [event.kind for event in run.events]) == (error > 0)
    assert_close(run["c0"], 0, within=1e-6, because="an error of the ground over the distance from the fold")
    assert run.audit().energy_drift < 1e-8


@pytest.mark.parametrize("error", [1e-7, 1e-5, 1e-3])
def test_larger_errors_are_resolved(error: float):
    """The branches avoid each other, and the linkage changes to the other mode with its energy kept."""
    run = chain(1, coupler=2.0, ground=2.0 + error).simulate(1.2, **START)
    assert [event.name for event in run.events] == ["near"]
    assert run.events[0].facts["e"] > 1e-9
    assert abs(run["c0"][-1]) > 0.5
    assert run.audit().energy_drift < 1e-8
    assert run.audit().constraint_error < 1e-12


def test_the_tolerance_decides():
    """With a wider tolerance the same linkage goes straight through, and says that it was snapped."""
    run = chain(1, coupler=2.0, ground=2.0 + 1e-7).simulate(1.2, **START, geometry_tol=1e-6)
    assert run.events[0].kind == "snap"
    assert_close(run["c0"], 0, within=1e-4, because="an error of the ground over the distance from the fold")


def test_branches_avoid_each_other_by_the_root_of_the_error():
    """Halfway between the branches cos(a) a' etc. vanish together: the smallest singular value goes as sqrt(error)."""
    smallest = []
    for error in (1e-4, 1e-6):
        run = chain(1, coupler=2.0, ground=2.0 + error).simulate(1.0, **START)
        a, c = run.at(np.linspace(0.6, 0.75, 30001)).q[:, [0, 2]].T
        smallest.append(np.min(np.hypot(np.sin(a), np.sin(c))))
    assert_close(
        smallest[0] / smallest[1], sqrt(100), within=0.3, because="the leading term of an expansion in sqrt(e)"
    )
