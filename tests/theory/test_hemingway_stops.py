"""Hemingway & O'Reilly (2017): boundaries of configuration manifolds and the impulses that keep them (rows H2, H5, H7,
H9, H11, H12). Where a half (plane, plate, line, gimbal) has elastic stops, its motion is the full one's, folded."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import Rational, cos, pi, sin

import cardan as cd
from support.close import EPS, assert_close

ROUND = "round-off of a few products"
FOLDED = "both runs at rtol 1e-11; an impact amplifies the local error of about 1e-11 by at most ten"
STRICT = {"rtol": 1e-11, "atol": 1e-13}


def impacts(run: cd.Run) -> list:
    return [event for event in run.events if event.kind == "impact"]


# --- H2: particle on a half-plane that rotates, theta = f(t) -------------------------------------------------


def half_plane(restitution: float | None) -> cd.System:
    s = cd.System("half-plane")
    r, theta, z = s.coordinates("r theta z")
    m, g = s.parameters(m=0.7, g=9.81)
    s.particle("P", mass=m, coordinates=cd.PolarCylindrical(r, theta, z))
    s.gravity(-g * s.world.z)
    s.prescribe(theta, s.time + s.time**2 * Rational(3, 10))
    if restitution is not None:
        s.stop(r, restitution=restitution, name="edge")
    return s


def test_26_the_impulse_at_the_edge_of_a_half_plane_is_the_jump_of_momentum():
    run = half_plane(0.6).simulate(0.6, q={"r": 0.2}, v={"r": -1.5, "z": 0.3}, **STRICT)
    (hit,) = impacts(run)
    f = hit.t + 0.3 * hit.t**2
    fd = 1 + 0.6 * hit.t
    e_r, e_theta = np.array([np.cos(f), np.sin(f), 0]), np.array([-np.sin(f), np.cos(f), 0])

    def velocity(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return v[0] * e_r + q[0] * fd * e_theta + np.array([0, 0, v[1]])

    impulse = 0.7 * (velocity(hit.q, hit.v + hit.facts["velocity_jump"]) - velocity(hit.q, hit.v))
    assert_close(impulse, hit.facts["impulse"]["edge"] * e_r, within=64 * EPS * 3, because=ROUND)
    assert_close(hit.facts["impulse"]["theta"], 0.0, within=64 * EPS, because="at r = 0 the drive has no arm")
    assert_close(hit.facts["velocity_jump"][0], -1.6 * hit.v[0], within=64 * EPS * 3, because="r+ = -e r-")


def test_with_an_elastic_edge_r_is_the_modulus_of_the_extended_coordinate():
    """H^2 with impulse against E^2 without: r = |r_e|."""
    start = {"q": {"r": 0.4}, "v": {"r": -1.8}}
    times = np.linspace(0, 1.0, 21)
    folded = half_plane(1.0).simulate(1.0, **start, times=times, **STRICT)
    full = half_plane(None).simulate(1.0, **start, times=times, **STRICT)
    assert len(impacts(folded)) == 1
    assert_close(folded["r"], np.abs(full["r"]), within=1e-10, because=FOLDED)
    assert_close(folded["z"], full["z"], within=1e-10, because=FOLDED)


# --- H5: particle on a half-plate with inertia ------------------------------------------------------------------


def test_an_impact_at_the_hinge_of_a_half_plate_leaves_its_rotation_alone():
    """H^2 x S^1: at r = 0 the impulse has no moment about the hinge, so theta keeps its rate and r changes sign."""
    s = cd.System("half-plate")
    r, theta, z = s.coordinates("r theta z")
    plate = s.body("plate", mass=2, inertia=(0.3, 0.3, 0.5), joint=cd.Revolute("z", theta))
    s.particle("P", mass=0.7, position=r * plate.x + z * plate.z)
    s.stop(r, restitution=1, name="hinge")
    run = s.simulate(1.0, q={"r": 0.3, "z": 0.1}, v={"r": -1.0, "theta": 0.8, "z": 0.2}, **STRICT)
    (hit,) = impacts(run)
    jump = dict(zip(("r", "theta", "z"), hit.facts["velocity_jump"], strict=True))
    assert_close(jump["theta"], 0.0, within=64 * EPS, because=ROUND)
    assert_close(jump["z"], 0.0, within=64 * EPS, because=ROUND)
    assert_close(hit.facts["impulse"]["hinge"], -2 * 0.7 * hit.v[0], within=64 * EPS * 3, because=ROUND)
    H = (0.5 + 0.7 * run["r"] ** 2) * run["theta_dot"]
    assert_close(H, H[0], within=1e-9, because="angular momentum about the hinge is kept, at rtol 1e-11")


# --- H7: particle on a half-line -------------------------------------------------------------------------------


def half_line(restitution: float | None) -> cd.System:
    s = cd.System("half-line")
    R, phi, theta = s.coordinates("R phi theta")
    s.particle("P", mass=0.7, coordinates=cd.PolarSpherical(R, phi, theta))
    s.prescribe(theta, 2 * s.time)
    s.prescribe(phi, 1 + sin(s.time) / 2)
    if restitution is not None:
        s.stop(R, restitution=restitution, name="origin")
    return s


def test_a_half_line_needs_an_impulse_where_the_line_needs_none():
    """(58)-(60): H^1 with the impulse m [[v]] along e_R, E^1 without."""
    start = {"q": {"R": 0.5}, "v": {"R": -2.0}}
    times = np.linspace(0, 0.8, 17)
    folded = half_line(1.0).simulate(0.8, **start, times=times, **STRICT)
    full = half_line(None).simulate(0.8, **start, times=times, **STRICT)
    assert_close(folded["R"], np.abs(full["R"]), within=1e-10, because=FOLDED)
    (hit,) = impacts(folded)
    assert_close(hit.facts["impulse"]["origin"], -2 * 0.7 * hit.v[0], within=64 * EPS * 3, because=ROUND)
    drives = [hit.facts["impulse"][name] for name in ("phi", "theta")]
    assert_close(drives, 0.0, within=64 * EPS, because="the drives have no arm at R = 0")


# --- H9: half-gimbal --------------------------------------------------------------------------------------------


def gimbal(stops: bool) -> cd.System:
    s = cd.System("half-gimbal" if stops else "gimbal")
    phi, theta = s.coordinates("phi theta")
    m, g, R0, Omega = s.parameters(m=1.0, g=9.81, R0=1.0, Omega=2.0)
    s.particle("bead", mass=m, coordinates=cd.PolarSpherical(R0, phi, theta))
    s.gravity(-g * s.world.z)
    s.prescribe(theta, Omega * s.time)
    if stops:
        s.stop(phi, restitution=1, name="top")
        s.stop(pi - phi, restitution=1, name="bottom")
    return s


@pytest.mark.parametrize("rate", [8.0, 3.0, -5.0, 0.5])
def test_the_phase_portrait_of_73_with_stops_is_the_full_gimbals_folded(rate):
    """phi = arccos(cos phi_e) and |phi_dot| = |phi_e_dot|, the sign turned in every other half-turn."""
    times = np.linspace(0, 3, 61)
    start = {"q": {"phi": 1.0}, "v": {"phi": rate}}
    half = gimbal(True).simulate(3.0, **start, times=times, **STRICT)
    full = gimbal(False).simulate(3.0, **start, times=times, **STRICT)
    turns = np.floor(full["phi"] / np.pi)
    away = np.abs(np.sin(full["phi"])) > 1e-6  # at an impact itself the rate has two values
    assert_close(half["phi"], np.arccos(np.cos(full["phi"])), within=1e-7, because="arccos near its ends: sqrt(1e-14)")
    sign = np.where(turns % 2 == 0, 1.0, -1.0)
    assert_close(half["phi_dot"][away], (sign * full["phi_dot"])[away], within=1e-8, because=FOLDED)


@pytest.mark.parametrize(("method", "options", "allowed"), [
    ("auto", {"rtol": 1e-9}, 1e-6),
    ("symplectic-6", {"step": 0.01}, 1e-10),
])  # fmt: skip
def test_a_thousand_elastic_impacts_keep_the_jacobi_integral(method, options, allowed):
    run = gimbal(True).simulate(380.0, q={"phi": 1.0}, v={"phi": 8.0}, method=method, **options)
    assert len(impacts(run)) > 1000
    drift = np.max(np.abs(run.jacobi - run.jacobi[0])) / np.max(run.kinetic_energy)
    assert drift <= allowed, f"{drift:.1e}: 1e-9 per impact of the adaptive method, nothing that grows of the other"
    for hit in impacts(run)[:50]:
        assert_close(hit.v + hit.facts["velocity_jump"], -hit.v, within=64 * EPS * 12, because="(74)")


# --- H11: a body with nu^1 = f(t) and stops at nu^2 = 0, pi ----------------------------------------------------


def test_91_the_angular_impulse_on_a_driven_body_is_the_jump_of_its_angular_momentum():
    s = cd.System("driven body")
    nu1, nu2, nu3 = s.coordinates("nu1 nu2 nu3")
    lam = 0.4
    outer = s.frame("outer", joint=cd.Revolute("z", nu1))
    inner = s.frame("inner", parent=outer, joint=cd.Revolute("x", nu2))
    s.body("B", mass=1, inertia=lam, joint=cd.Revolute("z", nu3), parent=inner)
    s.prescribe(nu1, 2 * s.time)
    s.stop(nu2, restitution=1, name="low")
    s.stop(pi - nu2, restitution=1, name="high")
    run = s.simulate(4.0, q={"nu2": 1.0}, v={"nu2": -4.0, "nu3": 0.7}, **STRICT)
    hits = impacts(run)
    assert {hit.name for hit in hits} == {"low", "high"}
    for hit in hits:
        a, (b, _) = 2 * hit.t, hit.q
        node = np.array([np.cos(a), np.sin(a), 0])
        axis = np.array([np.sin(a) * np.sin(b), -np.cos(a) * np.sin(b), np.cos(b)])

        def omega(v: np.ndarray, node: np.ndarray = node, axis: np.ndarray = axis) -> np.ndarray:
            return np.array([0, 0, 2.0]) + v[0] * node + v[1] * axis

        jump = lam * (omega(hit.v + hit.facts["velocity_jump"]) - omega(hit.v))
        sign = 1.0 if hit.name == "low" else -1.0
        assert_close(jump, sign * hit.facts["impulse"][hit.name] * node, within=1e-13, because=ROUND)
        assert_close(hit.facts["impulse"]["nu1"], jump[2], within=1e-13, because="the drive acts about E_3")


# --- H12: Cardan suspension with stops ---------------------------------------------------------------------------


def test_stops_of_a_cardan_suspension_reverse_beta_and_keep_both_integrals():
    """T^2 x I: impulse moments at beta = 0, pi; energy and the angular momenta of alpha and gamma are kept."""
    s = cd.System("Cardan suspension with stops")
    al, be, ga = s.coordinates("al be ga")
    l1, l2, l3 = 0.3, 0.2, 0.5
    outer = s.body("outer", mass=1, inertia=l1, joint=cd.Revolute("z", al))
    inner = s.body("inner", mass=1, inertia=l2, joint=cd.Revolute("x", be), parent=outer)
    s.body("platform", mass=1, inertia=l3, joint=cd.Revolute("z", ga), parent=inner)
    s.stop(be, restitution=1, name="low")
    s.stop(pi - be, restitution=1, name="high")
    run = s.simulate(10.0, q={"be": 1.0}, v={"al": 0.9, "be": 1.7, "ga": -0.4}, **STRICT)
    hits = impacts(run)
    assert len(hits) >= 3
    assert_close(np.minimum(run["be"], np.pi - run["be"]).min(), 0.0, within=1e-13, because="the stops are reached")
    for hit in hits:
        sign = 1.0 if hit.name == "low" else -1.0
        expected = -2 * (l2 + l3) * hit.v[1]
        assert_close(sign * hit.facts["impulse"][hit.name], expected, within=1e-13, because="M_22 = lambda2 + lambda3")
        assert_close(hit.facts["velocity_jump"][[0, 2]], 0.0, within=1e-13, because="beta is orthogonal to both")
    audit = run.audit()
    assert audit.energy_drift < 1e-9
    q = run["be"]
    p_ga = l3 * (run["ga_dot"] + run["al_dot"] * np.cos(q))
    p_al = (l1 + l2 + l3 * np.sin(q) ** 2) * run["al_dot"] + p_ga * np.cos(q)
    assert_close(p_ga, p_ga[0], within=1e-9, because="a cyclic coordinate, rtol 1e-11 over 10 s")
    assert_close(p_al, p_al[0], within=1e-9, because="a cyclic coordinate, rtol 1e-11 over 10 s")


def test_a_moving_stop_does_work():
    """A bead on a line against a wall that moves with speed w: elastic, v+ = 2 w - v-."""
    s = cd.System("piston")
    x = s.coordinates("x")
    s.particle("P", mass=0.5, position=x * s.world.x)
    s.stop(2 + cos(0) * s.time * Rational(3, 10) - x, restitution=1, name="piston")
    run = s.simulate(2.0, q=[0.0], v=[2.0])
    (hit,) = impacts(run)
    assert_close(hit.t, 2 / 1.7, within=1e-12, because="2 t = 2 + 0.3 t")
    assert_close(hit.v + hit.facts["velocity_jump"], 2 * 0.3 - 2.0, within=1e-12, because="elastic in the wall's frame")
    assert_close(hit.facts["energy_change"], 0.25 * (1.4**2 - 4.0), within=1e-12, because="T+ - T-")


@pytest.mark.long
@pytest.mark.parametrize(("method", "options", "allowed"), [
    ("auto", {"rtol": 1e-9}, 1e-5),
    ("symplectic-6", {"step": 0.01}, 1e-9),
])  # fmt: skip
def test_ten_thousand_elastic_impacts_keep_the_jacobi_integral(method, options, allowed):
    run = gimbal(True).simulate(3730.0, q={"phi": 1.0}, v={"phi": 8.0}, method=method, **options)
    assert len(impacts(run)) > 10_000
    drift = np.max(np.abs(run.jacobi - run.jacobi[0])) / np.max(run.kinetic_energy)
    assert drift <= allowed, f"{drift:.1e}: 1e-9 per impact of the adaptive method, nothing that grows of the other"
