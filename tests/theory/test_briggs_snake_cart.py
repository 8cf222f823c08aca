"""Briggs, section 1.2: the snake cart at 90 degrees, where its constraint distribution loses rank.

Body velocities u (forward), w (lateral) and thetadot; sum and difference of (1.2.1):
l cos(phi) thetadot = 2 u sin(phi) and w cos(phi) = 0.
"""

from __future__ import annotations

from math import cos, pi, sin, sqrt

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from cardan.errors import SimulationError, StartError
from support.close import assert_close

LENGTH, MASS, INERTIA, WHEELS = 0.8, 2.6, 0.316, 0.01  # l, m_b + 2 m_w, J_b + 2 J_w + l^2 m_w / 2, J_w
ROUNDING = 1e-12
RTOL = "the tolerance of the run"


def cart(lateral: float = 0.0, torque=None) -> cd.System:
    """With a force of that size along the cart's lateral axis, and a torque that turns the wheels."""
    s = cd.System("snake cart")
    x, y = s.coordinates("x y")
    theta, phi = s.coordinates("theta phi", on="S1")
    s.kinetic_energy(
        MASS * (x.dot**2 + y.dot**2) / 2 + INERTIA * theta.dot**2 / 2 + WHEELS * phi.dot**2
    )  # fmt: skip
    turn = LENGTH / 2 * sp.cos(phi) * theta.dot
    s.constrain_velocity(turn + sp.cos(theta + phi) * y.dot - sp.sin(theta + phi) * x.dot, name="front")
    s.constrain_velocity(turn - sp.cos(theta - phi) * y.dot + sp.sin(theta - phi) * x.dot, name="rear")
    s.generalized_force(x, -lateral * sp.sin(theta))
    s.generalized_force(y, lateral * sp.cos(theta))
    if torque is not None:
        s.generalized_force(phi, torque(s.time))
    return s


def reduced_mass(phi: float) -> float:
    """Mf with s(t) = s0 sqrt(Mf(phi0) / Mf(phi)), (u, thetadot) = s (l/2 cos phi, sin phi)."""
    return MASS * LENGTH**2 / 4 * cos(phi) ** 2 + INERTIA * sin(phi) ** 2


def crossing(lateral: float):
    phi, s, theta = 0.9, 2.0, 0.3
    u = LENGTH / 2 * cos(phi) * s
    start = [u * cos(theta), u * sin(theta), sin(phi) * s, 1.0]
    return cart(lateral).simulate(1.4, q=[0, 0, theta, phi], v=start)


def test_crossing_under_a_lateral_load_is_as_without_it():
    """w = 0 on both sides, so the load does no work: energy and s(t) are those of the free cart."""
    run = crossing(10.0)
    phi = 0.9 + 1.4
    s = 2.0 * sqrt(reduced_mass(0.9) / reduced_mass(phi))
    assert_close(run["theta_dot"][-1], sin(phi) * s, within=1e-8, because=RTOL)
    lateral = -np.sin(run["theta"]) * run["x_dot"] + np.cos(run["theta"]) * run["y_dot"]
    assert_close(lateral, 0, within=1e-8, because="the constraint, and " + RTOL)
    assert run.audit().energy_drift < 1e-8
    (event,) = run.events
    assert event.kind == "rank-change"
    assert_close(event.t, pi / 2 - 0.9, within=1e-9, because="phi turns uniformly; crossings are located to 1e-11")


def test_the_lateral_force_has_a_limit_while_multipliers_diverge():
    """lam1 - lam2 = (m omega u - F) / cos(phi), and its force is -F whatever phi."""
    run = crossing(10.0)
    (event,) = run.events
    force, theta = event.facts["limit_force"], event.q[2]
    assert_close(-sin(theta) * force[0] + cos(theta) * force[1], -10.0, within=1e-8, because=RTOL)
    assert event.facts["divergent"]
    near = run.at([event.t - 1e-3, event.t, event.t + 1e-3])
    difference = near.multipliers["front"] - near.multipliers["rear"]
    assert np.isnan(difference[1]), "no value is made up where there is none"
    assert_close(
        difference[[0, 2]] * np.cos(near["phi"][[0, 2]]), -10.0, within=1e-2, because="m omega u is of size 1e-3"
    )


def test_without_a_load_the_multipliers_have_limits():
    """lam1 - lam2 -> m l s^2 / 2 and lam1 + lam2 -> m l s phidot / 2."""
    run = crossing(0.0)
    (event,) = run.events
    s = 2.0 * sqrt(reduced_mass(0.9) / reduced_mass(pi / 2))
    at = run.at([event.t])
    one, two = at.multipliers["front"][0], at.multipliers["rear"][0]
    assert_close(one - two, MASS * LENGTH * s**2 / 2, within=1e-6, because="a limit of errors over 0.05")
    assert_close(one + two, MASS * LENGTH * s * 1.0 / 2, within=1e-6, because="a limit of errors over 0.05")
    assert not event.facts["divergent"]


def test_a_start_exactly_at_90_degrees_crosses():
    run = cart(10.0).simulate(1.0, q=[0, 0, 0.3, pi / 2], v=[0, 0, 2.0, 1.0])
    phi = pi / 2 + 1.0
    expected = sin(phi) * 2.0 * sqrt(reduced_mass(pi / 2) / reduced_mass(phi))
    assert_close(run["theta_dot"][-1], expected, within=1e-8, because=RTOL)
    assert run.solution.statistics.accepted < 40


def test_wheels_held_at_90_degrees_leave_the_cart_free_sideways():
    """Resident: w grows as F t / m, as for a pair of wheels on one axle."""
    run = cart(10.0).simulate(1.0, q=[0, 0, 0, pi / 2], v=[0, 0, 0, 0])
    assert_close(run["y_dot"][-1], 10.0 / MASS, within=1e-9, because=RTOL)
    (event,) = run.events
    assert (event.kind, event.name, event.facts["rank"], event.facts["freedoms"]) == ("rank-change", "resident", 1, 3)


def test_a_cart_at_rest_there_stays_at_rest():
    run = cart().simulate(1.0, q=[0, 0, 0, pi / 2], v=[0, 0, 0, 0])
    assert_close(run.v, 0, within=0, because="nothing moves it")


def test_sliding_and_turning_at_once_is_stopped_by_an_impulse():
    """w -> 0, thetadot and phidot kept, and the energy m w^2 / 2 lost."""
    run = cart().simulate(1.0, q=[0, 0, 0, pi / 2], v=[0, 1.0, 2.0, 1.0])
    impulse = run.events[0]
    assert impulse.kind == "impulse"
    assert_close(impulse.facts["energy_change"], -MASS / 2, within=ROUNDING, because="one projection")
    assert_close(impulse.facts["velocity_change"], [0, -1, 0, 0], within=ROUNDING, because="one projection")
    assert_close(impulse.facts["impulse"], [0, -MASS, 0, 0], within=ROUNDING, because="one projection")
    assert run.events[1].kind == "rank-change"
    phi = pi / 2 + 1.0
    expected = sin(phi) * 2.0 * sqrt(reduced_mass(pi / 2) / reduced_mass(phi))
    assert_close(run["theta_dot"][-1], expected, within=1e-8, because=RTOL)


def test_impulses_can_be_forbidden():
    """At the start, and where the wheels of a sliding cart begin to turn."""
    with pytest.raises(StartError, match=r"energy by -1\.3; project='never'"):
        cart().simulate(1.0, q=[0, 0, 0, pi / 2], v=[0, 1.0, 2.0, 1.0], project="never")
    with pytest.raises(SimulationError, match="project='never' forbids it") as stopped:
        turned_later().simulate(1.0, q=[0, 0, 0, pi / 2], v=[0, 0, 0, 0], project="never")
    assert_close(stopped.value.t, 0.5, within=1e-4, because="a slide is left when the wheels turn by 1e-7 of its rate")
    with pytest.raises(StartError, match="'max_energy'"):
        cart().simulate(1.0, q=[0, 0, 0, 1.0], v=[0, 0, 0, 0], project="least_energy")


def turned_later() -> cd.System:
    """Wheels that are turned from t = 0.5 on, under a lateral load of 10 N."""
    return cart(10.0, lambda t: sp.Piecewise((0, t < 0.5), (0.02, True)))


def test_leaving_where_rank_is_lost_stops_the_slide():
    """The cart has slid for 0.5 s when its wheels begin to turn."""
    run = turned_later().simulate(1.0, q=[0, 0, 0, pi / 2], v=[0, 0, 0, 0])
    kinds = [event.kind for event in run.events]
    assert kinds == ["rank-change", "impulse", "rank-change"]
    impulse = run.events[1]
    assert_close(
        impulse.t, 0.5, within=1e-4, because="a slide is left when the wheels turn by 1e-7 of the motion's rate"
    )
    slide = 10.0 * 0.5 / MASS
    assert_close(impulse.facts["energy_change"], -MASS * slide**2 / 2, within=1e-3, because="the time above")
    assert_close(run["phi_dot"][-1], 0.02 / (2 * WHEELS) * 0.5, within=1e-4, because="the wheels turn freely")
    assert_close(run["y_dot"][-1], 0, within=1e-8, because="theta is zero, and no wheel slips")


def test_wheels_turned_from_rest_begin_at_once():
    run = cart(0.0, lambda t: 0.02).simulate(1.0, q=[0, 0, 0, pi / 2], v=[0, 0, 0, 0])
    assert_close(run["phi_dot"][-1], 1.0, within=1e-8, because="a torque of 0.02 on 2 J_w = 0.02 for 1 s")
    assert [event.kind for event in run.events] == ["rank-change"]
