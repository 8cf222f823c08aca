"""The snake cart through the angle at which its two wheels say the same: rank 2, 1, 2."""

from __future__ import annotations

from math import tan

import numpy as np
from sympy import cos, sin

import cardan as cd
from support.close import assert_close
from support.reference import STRICT, keyed_times, reference

FILE = reference("snake_cart_through_degeneracy")
TOLERANCE = 1e-8
BECAUSE = "the tolerance of the reference"
CROSSING = 1.411995918660996243590357  # (pi/2 - 0.3) / 0.9


def snake_cart() -> cd.System:
    """Briggs (1.2.1), with the kinetic energy that is consistent with his (1.2.3)."""
    s = cd.System("snake cart")
    x, y = s.coordinates("x y")
    theta, phi = s.coordinates("theta phi", on="S1")
    m_b, m_w, J_b, J_w, length = s.parameters(**{k: FILE["parameters"][k] for k in ("m_b", "m_w", "J_b", "J_w", "l")})
    M, J = m_b + 2 * m_w, J_b + 2 * J_w + length**2 * m_w / 2
    s.kinetic_energy(M * (x.dot**2 + y.dot**2) / 2 + J * theta.dot**2 / 2 + J_w * phi.dot**2)
    turn = length / 2 * cos(phi) * theta.dot
    s.constrain_velocity(turn + cos(theta + phi) * y.dot - sin(theta + phi) * x.dot, name="front")
    s.constrain_velocity(turn - cos(theta - phi) * y.dot + sin(theta - phi) * x.dot, name="rear")
    return s


def test_state_and_multipliers_before_at_and_behind_the_crossing():
    """One of the times is the crossing itself, where the multipliers are limits along the motion."""
    expected = keyed_times(FILE["reference"])
    start = FILE["initial_conditions"]
    rate = 2 * tan(start["phi"]) * start["u_forward"] / FILE["parameters"]["l"]
    run = snake_cart().simulate(
        3.0,
        q={"x": 0, "y": 0, "theta": 0, "phi": start["phi"]},
        v={"x": start["u_forward"], "y": 0, "theta": rate, "phi": start["phi_dot"]},
        times=sorted(expected),
        **STRICT,
    )
    for k, t in enumerate(sorted(expected)):
        for name in ("x", "y", "theta", "phi", "theta_dot"):
            assert_close(run[name][k], expected[t][name], within=TOLERANCE, because=BECAUSE)
        forward = np.cos(run["theta"][k]) * run["x_dot"][k] + np.sin(run["theta"][k]) * run["y_dot"][k]
        assert_close(forward, expected[t]["u_forward"], within=TOLERANCE, because=BECAUSE)
        assert_close(run.multipliers["front"][k], expected[t]["lambda1"], within=TOLERANCE, because=BECAUSE)
        assert_close(run.multipliers["rear"][k], expected[t]["lambda2"], within=TOLERANCE, because=BECAUSE)
    (event,) = run.events
    assert event.kind == "rank-change"
    assert (event.facts["rank"], event.facts["generic_rank"]) == (1, 2)
    assert not event.facts["divergent"], "without a lateral load the multipliers have limits"
    assert_close(event.t, CROSSING, within=1e-9, because="the time of a located crossing, a hundred times this")
