"""Extended coordinates of Hemingway & O'Reilly: r_e on the line and phi_e on the circle pass zero as regular numbers.

A particle on a plate (H4), in a full gimbal (H8) and on a driven plane (H3), a sphere in Cardan's suspension (H12).
What carries the particle has inertia, so the coordinates are those of the mechanism and nothing is to be switched.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from sympy import cos, sin

import cardan as cd
from support.close import assert_close

M_P, RADIUS, WEIGHT = 1.5, 0.8, 9.81
LIMIT = "rtol 1e-11; the reference is one equation of second order, integrated by SciPy at 1e-13"


def reduced(force, start, times):
    """(q, qd) of one equation qdd = force(q)."""
    found = solve_ivp(
        lambda _t, y: [y[1], force(y[0])],
        (0.0, times[-1]),
        start,
        method="DOP853",
        rtol=1e-13,
        atol=1e-14,
        t_eval=times,
    )
    return found.y


def plate(inertia: float) -> cd.System:
    s = cd.System("particle on a plate")
    r, th = s.coordinates("r_e"), s.coordinates("theta", on="S1")
    body = s.body("plate", inertia=inertia, joint=cd.Revolute("z", th))
    s.particle("P", mass=M_P, position=body.vector(r, 0, 0))
    return s


@pytest.mark.parametrize("inertia", [1.0, 1e-2, 1e-4, 1e-6])
def test_h4_the_particle_passes_the_axis_of_its_plate(inertia):
    """(47) keeps h = (m r^2 + I) theta_dot, so r_dd = r h^2 / (m r^2 + I)^2; it is passed if h^2 / I < 2 E."""
    h = 0.3 * np.sqrt(inertia)
    q, speed = [-1.0, 0.2], 1.0
    rate = h / (M_P + inertia)
    times = np.linspace(0.0, 3.0, 61)
    run = plate(inertia).simulate(3.0, q=q, v=[speed, rate], rtol=1e-11, times=times)
    r, r_dot = reduced(lambda r: r * h**2 / (M_P * r**2 + inertia) ** 2, [q[0], speed], times)
    assert r[0] < 0 < r[-1]
    assert_close(run["r_e"], r, within=1e-8, because=LIMIT)
    assert_close(run["r_e_dot"], r_dot, within=1e-8, because=LIMIT)
    assert_close((M_P * run["r_e"] ** 2 + inertia) * run["theta_dot"], h, within=1e-9, because="(47), second row")
    assert not run.events
    assert run.status == "finished"


def test_h4_a_particle_with_too_much_momentum_for_a_light_plate_turns_back():
    """h^2 / I is the energy that the plate would need at the axis."""
    inertia, h = 1e-6, 0.3 * np.sqrt(1e-6) * 10
    run = plate(inertia).simulate(3.0, q=[-1.0, 0.2], v=[1.0, h / (M_P + inertia)], rtol=1e-11)
    assert (run["r_e"] < 0).all()
    assert run["r_e_dot"][-1] < 0
    assert run.audit().energy_drift < 1e-8


def gimbal(inertia: float) -> cd.System:
    s = cd.System("bead in a gimbal")
    nu, phi = s.coordinates("nu phi_e", on="S1")
    body = s.body("gimbal", inertia=(0.5 * inertia, 0.5 * inertia, inertia), joint=cd.Revolute("z", nu))
    s.particle("P", mass=M_P, position=body.vector(RADIUS * sin(phi), 0, RADIUS * cos(phi)))
    s.gravity(-WEIGHT * s.world.z)
    return s


@pytest.mark.parametrize("inertia", [1.0, 1e-2, 1e-4])
def test_h8_the_bead_passes_both_poles_of_its_gimbal(inertia):
    """(72) keeps h = (m R^2 sin^2 phi + I) nu_dot; the bead goes round and round through phi_e = 0 and pi."""
    a = M_P * RADIUS**2
    h = np.sqrt(inertia)
    q, speed = [0.1, 1.0], 9.0
    times = np.linspace(0.0, 3.0, 61)
    run = gimbal(inertia).simulate(3.0, q=q, v=[h / (a * np.sin(q[1]) ** 2 + inertia), speed], rtol=1e-11, times=times)

    def force(phi):
        return np.sin(phi) * np.cos(phi) * h**2 / (a * np.sin(phi) ** 2 + inertia) ** 2 + WEIGHT / RADIUS * np.sin(phi)

    phi, _ = reduced(force, [q[1], speed], times)
    assert phi[-1] > 6 * np.pi
    assert_close(run["phi_e"], phi, within=1e-7, because=LIMIT + ", over six passes")
    momentum = (a * np.sin(run["phi_e"]) ** 2 + inertia) * run["nu_dot"]
    assert_close(momentum, h, within=1e-8 * h + 1e-9, because="(72), first row")
    assert not run.events


def test_h3_the_driven_plane_is_regular_at_the_axis_and_diagnosed_so():
    s = cd.System("plane")
    r, th, z = s.coordinates("r_e theta z")
    s.particle("P", mass=M_P, coordinates=cd.PolarCylindrical(r, th, z))
    s.prescribe(th, 0.9 * s.time)
    assert s.diagnose(q=[0.0, 0.1]).is_regular
    run = s.simulate(2.0, q=[0.0, 0.1], v=[0.5, 0.0], rtol=1e-11)
    assert_close(run["r_e"], 0.5 / 0.9 * np.sinh(0.9 * run.t), within=1e-9, because="(33) in closed form")
    assert not run.events


def test_h4_is_diagnosed_regular_at_the_axis_with_inertia_and_singular_without():
    assert "coordinate-singularity" not in plate(1.0).diagnose(q=[0.0, 0.3]).kinds
    assert "coordinate-singularity" in plate(0.0).diagnose(q=[0.0, 0.3]).kinds


# --- Cardan's suspension ---------------------------------------------------------------------------------


def suspension() -> cd.System:
    s = cd.System("suspension")
    al, be, ga = s.coordinates("alpha beta gamma", on="S1")
    l1, l2, l3 = s.parameters(l1=0.5, l2=0.5, l3=1.0)
    outer = s.body("outer", inertia=l1, joint=cd.Revolute("z", al))
    inner = s.body("inner", inertia=l2, joint=cd.Revolute("x", be), parent=outer)
    s.body("platform", inertia=l3, joint=cd.Revolute("z", ga), parent=inner)
    return s


RATIOS = (1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-8)  # (l1 + l2) / l3
MISMATCHES = (0.0, 1e-3, 0.5)  # p_alpha - p_gamma


def test_h12_the_suspension_goes_through_or_turns_back_as_its_energy_says():
    """2 E = (l2 + l3) beta_d^2 + (p_alpha - p_gamma cos beta)^2 / (l1 + l2 + l3 sin^2 beta) + p_gamma^2 / l3.

    At beta = 0 the middle term is d^2 / (l1 + l2): beta passes if that is below 2 E - p_gamma^2 / l3.
    """
    system = suspension()
    beta, beta_dot, p_gamma = 1.0, -1.0, 1.0
    verdicts = []
    for ratio in RATIOS:
        light = ratio / 2
        s = system.with_values(l1=light, l2=light)
        for d in MISMATCHES:
            p_alpha = p_gamma + d
            rate = (p_alpha - p_gamma * np.cos(beta)) / (ratio + np.sin(beta) ** 2)
            available = (light + 1) * beta_dot**2 + (p_alpha - p_gamma * np.cos(beta)) ** 2 / (
                ratio + np.sin(beta) ** 2
            )
            v = [rate, beta_dot, p_gamma - rate * np.cos(beta)]
            run = s.simulate(1.6, q=[0.0, beta, 0.0], v=v, rtol=1e-10)
            assert run.status == "finished"
            assert run.audit().energy_drift < 1e-8, (ratio, d)
            assert run.audit().evaluations < 5000
            passes = d**2 / ratio < available
            assert (np.min(run["beta"]) < 0) == passes, (ratio, d)
            verdicts.append(passes)
            if not passes:
                assert run["beta_dot"][-1] > 0, "it has turned back"
    assert len(verdicts) == 21
    assert 5 < sum(verdicts) < 21, "both kinds occur"


def test_h12_peak_rate_at_coplanar_gimbals():
    """At beta = 0 the outer gimbal turns at d / (l1 + l2)."""
    ratio, d, beta, p_gamma = 1e-4, 1e-3, 0.3, 1.0
    s = suspension().with_values(l1=ratio / 2, l2=ratio / 2)
    rate = (p_gamma + d - p_gamma * np.cos(beta)) / (ratio + np.sin(beta) ** 2)
    be = s.model.q[1]
    v = [rate, -1.0, p_gamma - rate * np.cos(beta)]
    run = s.simulate(1.0, q=[0.0, beta, 0.0], v=v, rtol=1e-11, events=[cd.Event(be, name="coplanar")])
    assert_close(run.events[0].v[0], d / ratio, within=1e-5 * d / ratio, because="rtol 1e-11 over a peak 1e-2 wide")
