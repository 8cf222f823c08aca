"""Chains of four-bars through the position in which all their links lie in one line, where they gain N freedoms."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import cardan as cd
from support.close import assert_close
from support.four_bars import GRAVITY, chain
from support.reference import keyed_times, reference

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


@pytest.mark.parametrize("rtol", [1e-6, 1e-9, 1e-11, 1e-12])
def test_ten_four_bars_from_the_fold_follow_the_pendulum_at_every_tolerance(rtol: float):
    """Close to the fold rounding is divided by the third power of the distance from it; it must not reach the motion.

    Unequal masses, so that the loops carry forces across the folds; loops closed by joints far from the origin.
    """
    N, rate = 10, 2.0
    cranks, couplers = 1.0 + 0.37 * (7 * np.arange(N + 1) % 5), 0.5 + 0.29 * (3 * np.arange(N) % 4)
    s = cd.System("chain from the fold")
    s.gravity(-GRAVITY * s.world.y)
    q = s.coordinates(" ".join([f"a{i}" for i in range(N + 1)] + [f"c{i}" for i in range(N)]), on="S1")

    def bar(i: int, mass: float, at: tuple[float, float, float], parent: cd.Body | None = None) -> cd.Body:
        joint = cd.Revolute("z", q[i])
        return s.body(f"b{i}", mass=mass, inertia=mass / 12, com=(0.5, 0, 0), at=at, parent=parent, joint=joint)

    bars = [bar(i, float(m), (float(i), 0.0, 0.0)) for i, m in enumerate(cranks)]
    tips = [bar(N + 1 + i, float(m), (1.0, 0.0, 0.0), bars[i]) for i, m in enumerate(couplers)]
    for i in range(N):
        s.connect(tips[i].point(1, 0, 0), bars[i + 1].point(1, 0, 0), cd.Ball())
    times = np.linspace(0.0, 5.0, 51)
    run = s.simulate(
        5.0, q=[0.0] * (2 * N + 1), v=[rate] * (N + 1) + [-rate] * N, times=times, rtol=rtol, atol=1e-3 * rtol
    )
    inertia, pull = cranks.sum() / 3 + couplers.sum(), (cranks.sum() / 2 + couplers.sum()) * GRAVITY
    solved = solve_ivp(
        lambda t, y: (y[1], -pull / inertia * np.cos(y[0])), (0.0, 5.0), (0.0, rate), "DOP853", rtol=1e-13, atol=1e-14,
        dense_output=True,
    )  # fmt: skip
    within = max(300 * rtol, 1e-10)
    because = "local errors of a hundred steps and ten crossings; the other interpolant is of order 7"
    for i in range(N + 1):
        assert_close(run[f"a{i}"], solved.sol(times)[0], within=within, because=because)
    assert run.audit().energy_drift < max(30 * rtol, 1e-11)
    folds = np.floor(solved.sol(np.linspace(1e-3, 5.0, 5001))[0] / pi)
    passed = 1 + np.count_nonzero(np.diff(folds))  # the start and every multiple of pi
    assert sum(one.kind == "rank-change" for one in run.events) == passed
