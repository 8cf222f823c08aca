"""Chains of four-bars through the position in which all their links lie in one line, where they gain N freedoms."""

from __future__ import annotations

from math import pi

import pytest

import cardan as cd
from close import assert_close
from four_bars import chain
from reference import keyed_times, reference

FILE = reference("A02_N_four_bar")
TOLERANCE = 1e-6
BECAUSE = "the tolerance of the reference"


@pytest.mark.parametrize(("N", "tolerance"), [(2, 1e-10), (40, 1e-9)])
def test_ten_seconds_of_the_benchmark(N: int, tolerance: float):
    s: cd.System = chain(N)
    expected = keyed_times(FILE["reference"][str(N)])
    run = s.simulate(
        10.0, q=[pi / 2] * (N + 1) + [0] * N, v=[-1] * (N + 1) + [0] * N, times=sorted(expected), rtol=tolerance
    )
    for k, t in enumerate(sorted(expected)):
        assert_close(pi / 2 - run["a0"][k], expected[t]["theta"], within=TOLERANCE, because=BECAUSE)
        assert_close(-run["a0_dot"][k], expected[t]["theta_dot"], within=TOLERANCE, because=BECAUSE)
        assert_close(run[f"a{N}"][k], run["a0"][k], within=TOLERANCE, because="the last crank goes with the first")
    first = run.events[0]
    assert (first.kind, first.facts["rank"], first.facts["freedoms"]) == ("rank-change", N, N + 1)
    expected_time = FILE["reference"][str(N)]["first_singular_time_theta_90deg"]
    assert_close(first.t, expected_time, within=1e-8, because="the error of the state there is below 1e-8")
    assert run.audit().energy_drift < 1e-8, "a hundred times the local error"
