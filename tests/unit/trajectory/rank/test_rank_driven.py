"""A parallelogram whose crank is driven through its folds: it bifurcates at one instant only."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from cardan.errors import SimulationError
from support.close import assert_close
from support.four_bars import chain

MOTIONS = [
    (lambda t, lib: pi / 2 - 2 * t, [pi / 4]),
    (lambda t, lib: 0.3 - lib.sin(2 * t), [np.arcsin(0.3) / 2, (pi - np.arcsin(0.3)) / 2]),
]


def driven(motion, longer: float = 0.0) -> cd.System:
    s = chain(1, [1.3, 2.4], [0.6], coupler=2.0, ground=2.0 + longer)
    s.prescribe(s.model.q[0], motion(s.time, sp))
    return s


@pytest.mark.parametrize(("motion", "folds"), MOTIONS)
@pytest.mark.parametrize("longer", [0.0, 1e-10, -1e-10])
def test_it_stays_a_parallelogram(motion, folds, longer: float):
    run = driven(motion, longer).simulate(2.0, q=[float(motion(0.0, np)), 0.0], v=[-2, 0])
    assert_close(run["a1"], motion(run.t, np), within=1e-8, because="rtol 1e-9, and 1e-10 of the ground over 1e-1 rad")
    told = [one.t for one in run.events if one.kind == "rank-change"]
    assert_close(told, folds, within=1e-8, because="the same")
    snaps = [one.facts["e"] for one in run.events if one.kind == "snap"]
    assert len(snaps) == (longer != 0)
    assert run.audit().is_branch_certain


def test_the_unfolding_parameter_is_that_of_the_geometry():
    """e = N^T phi over the size of the system: proportional to the error of the ground, however it is driven."""
    for motion, _ in MOTIONS:
        e = []
        for longer in (1e-6, 2e-6):
            run = driven(motion, longer).simulate(0.9, q=[float(motion(0.0, np)), 0.0], v=[-2, 0])
            e += [one.facts["e"] for one in run.events if one.kind == "branch"][:1]
        assert_close(e[1] / e[0], 2.0, within=0.2, because="rows are measured over a cloud of configurations")


def test_a_ground_that_is_too_short_ends_the_motion():
    """The crank cannot pass: for 1 ms about the fold there is no configuration."""
    with pytest.raises(SimulationError, match="end of its reach"):
        driven(MOTIONS[0][0], -1e-6).simulate(2.0, q=[pi / 2, 0], v=[-2, 0])
