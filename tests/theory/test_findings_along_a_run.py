"""Findings along a motion, at times known in closed form."""

from __future__ import annotations

import numpy as np

import cardan as cd
from support.close import EPS, assert_close


def sliding_on_a_plate(tilt: float = 0.0) -> tuple[cd.System, cd.Run]:
    """A particle that slides through the axis of a plate at rest: r_e = 1 - 0.8 t, nothing else moves (H4)."""
    s = cd.System("particle on a plate")
    nu = s.coordinates("nu", on="S1")
    r, z = s.coordinates("r_e z")
    plate = s.body("plate", inertia=(0.1, 0.1, 0.2), joint=cd.Revolute("z", nu))
    P = s.particle("P", mass=1.5, position=plate.vector(r, 0, z))
    s.force("F", on=P, along=plate.y + tilt * plate.z)
    return s, s.simulate(2.0, q={"nu": 0.4, "r_e": 1.0, "z": 0.1}, v={"r_e": -0.8})


def test_gimbal_lock_is_found_when_the_particle_passes_the_axis():
    """The force along e_theta is lost at r_e = 0, hence at t = 1 / 0.8 (Hemingway & O'Reilly, after (47))."""
    _, run = sliding_on_a_plate()
    (finding,) = run.findings
    assert finding.kind == "gimbal-lock"
    assert not finding.is_near
    assert_close(finding.t, 1.25, within=1e-12, because="|r_e| is sampled down to round-off; the motion is linear")


def test_indicators_are_time_series_with_the_known_shape():
    """eta = |r_e| / sqrt(r_e^2 + Mk^2 / m) for the unit force along e_theta: its cosine with the manifold."""
    _, run = sliding_on_a_plate()
    found = run.indicators()
    r = 1.0 - 0.8 * found.t
    assert_close(found["load F"], np.abs(r) / np.sqrt(r**2 + 0.2 / 1.5), within=1e-9, because="rtol of the run")


def test_a_near_miss_is_reported_as_near():
    """A force tilted by 1e-5 towards z always moves z a little: its cosine with the manifold never falls below that."""
    _, run = sliding_on_a_plate(tilt=1e-5)
    (finding,) = run.findings
    assert finding.kind == "gimbal-lock"
    assert finding.is_near
    assert_close(finding.indicator, 1e-5, within=1e-9, because="tan and sin of 1e-5 agree to 1e-15")


def test_a_regular_motion_has_no_findings():
    s = cd.System("pendulum")
    a = s.coordinates("a", on="S1")
    s.body("bob", mass=1.0, inertia=0.1, com=(0, -1, 0), joint=cd.Revolute("z", a))
    s.gravity(-9.81 * s.world.y)
    run = s.simulate(2.0, q=[1.0])
    assert run.findings == ()
    assert_close(run.indicators()["basis"], 1.0, within=8 * EPS, because="one freedom: smallest equals largest")
