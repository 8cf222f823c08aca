"""Stops against closed forms and quadratures: bouncing, coming to rest, leaving, colliding in a row, rods on floors."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import pi, sqrt

import cardan as cd
from cardan.simulation.contact.collision import collision
from cardan.trajectory.prepared import Prepared
from cardan.trajectory.stops import StopKernels
from support.close import EPS, assert_close
from support.reference import STRICT, reference

BALL = reference("bouncing_ball_zeno")
CHAIN = reference("collinear_elastic_chain")
GIMBAL = reference("half_gimbal_bead_bounce")
ROD = reference("rod_impact_and_painleve")
SPHERE = reference("particle_leaves_sphere")
BECAUSE = "the tolerance of the reference"


def impacts(run: cd.Run) -> list:
    return [event for event in run.events if event.kind == "impact"]


# --- half-gimbal -----------------------------------------------------------------------------------------


def half_gimbal() -> cd.System:
    s = cd.System("half-gimbal")
    phi, theta = s.coordinates("phi theta")
    m, g, R0, Omega = s.parameters(m=1.0, g=9.81, R0=0.5, Omega=3.0)
    s.particle("bead", mass=m, coordinates=cd.PolarSpherical(R0, phi, theta))
    s.gravity(-g * s.world.z)
    s.prescribe(theta, Omega * s.time)
    s.stop(phi, restitution=1, name="top")
    s.stop(pi - phi, restitution=1, name="bottom")
    return s


@pytest.mark.parametrize("case", ["both_ends", "bottom_only"])
def test_the_bead_bounces_as_often_and_as_fast_as_the_energy_integral_says(case):
    expected, tolerance = GIMBAL["reference"][case], float(GIMBAL["tolerance"])
    run = half_gimbal().simulate(10.0, q={"phi": np.pi / 3}, v={"phi": expected["phid0"]}, **STRICT)
    hits = impacts(run)
    assert len(hits) == expected["number_of_impacts_before_t10"]
    assert_close(hits[0].t, expected["first_impact_time_at_pi"], within=tolerance, because=BECAUSE)
    times = [hit.t for hit in hits]
    assert_close(np.diff(times), expected["time_between_impacts"], within=tolerance, because=BECAUSE)
    for hit in hits:
        speed = expected["impact_speed_at_pi" if hit.name == "bottom" else "impact_speed_at_0"]
        assert_close(-hit.facts["approach"][hit.name], speed, within=tolerance, because=BECAUSE)
    assert_close(run["phi"][-1], expected["phi_t10"], within=tolerance, because=BECAUSE)
    assert_close(run["phi_dot"][-1], expected["phid_t10"], within=tolerance, because=BECAUSE)


# --- a ball that comes to rest -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ball() -> cd.Run:
    s = cd.System("ball")
    z = s.coordinates("z")
    m, g, e = s.parameters(m=1.0, g=BALL["parameters"]["g"], e=BALL["parameters"]["e"])
    s.particle("ball", mass=m, position=z * s.world.z)
    s.gravity(-g * s.world.z)
    s.stop(z, restitution=e, name="floor")
    return s.simulate(5.0, q={"z": 1.0})


def test_the_first_bounces_and_the_time_at_which_they_end(ball):
    tolerance = float(BALL["tolerance"])
    times = [hit.t for hit in impacts(ball)]
    assert_close(times[:5], BALL["reference"]["impact_times"], within=tolerance, because=BECAUSE)
    (end,) = [event for event in ball.events if event.kind == "zeno"]
    assert_close(end.facts["t_end"], BALL["reference"]["zeno_time"], within=tolerance, because=BECAUSE)
    (contact,) = [event for event in ball.events if event.kind == "contact"]
    assert_close(contact.t, BALL["reference"]["zeno_time"], within=tolerance, because=BECAUSE)


def test_the_ball_lies_still_afterwards_and_the_floor_carries_its_weight(ball):
    late = ball.at(np.linspace(4.1, 5.0, 5))
    assert_close(late["z"], 0.0, within=1e-12, because="the state is put on the stop and held there")
    assert_close(late["z_dot"], 0.0, within=1e-12, because="the state is put on the stop and held there")
    force = BALL["reference"]["contact_force_after"]
    assert_close(late.multipliers["floor"], force, within=1e-12 * force, because="one linear solve")


def test_the_distance_travelled_is_the_sum_of_the_series(ball):
    tops = [hit.facts["approach"]["floor"] ** 2 * BALL["parameters"]["e"] ** 2 / (2 * 9.81) for hit in impacts(ball)]
    total = 1.0 + 2 * sum(tops)
    assert_close(total, BALL["reference"]["total_distance"], within=float(BALL["tolerance"]), because=BECAUSE)


# --- collisions in a row -----------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["A", "B", "C"])
@pytest.mark.parametrize("law", ["sequential", "simultaneous"])
def test_balls_in_a_row_collide_two_at_a_time(case, law):
    given, expected = CHAIN["initial_conditions"][case], CHAIN["reference"][case]
    s = cd.System("row")
    x = s.coordinates(" ".join(f"x{k}" for k in range(len(given["masses"]))))
    for k, mass in enumerate(given["masses"]):
        s.particle(f"ball{k}", mass=mass, position=x[k] * s.world.x)
    for k in range(len(x) - 1):
        s.stop(x[k + 1] - x[k], restitution=1, name=f"pair{k}")
    run = s.simulate(6.0, q=[float(k) for k in range(len(x))], v=given["v"], impact_law=law)
    assert_close(run.v[-1], expected["v"], within=float(CHAIN["tolerance"]), because=BECAUSE)
    log = [(hit.t, float(hit.name[4:])) for hit in impacts(run)]
    assert_close(log, expected["log"], within=float(CHAIN["tolerance"]), because=BECAUSE)


# --- rod and floor -----------------------------------------------------------------------------------------


def rod(friction: float = 0.0) -> cd.System:
    s = cd.System("rod")
    x, y, theta = s.coordinates("x y theta")
    L, m = s.parameters(L=float(ROD["parameters"]["L"]), m=float(ROD["parameters"]["m"]))
    body = s.body("rod", mass=m, inertia=(0, m * L**2 / 12, m * L**2 / 12), joint=cd.Planar(x, y, theta))
    floor = cd.Plane(s.world, "y")
    s.contact(body.point(-L / 2, 0, 0), on=floor, restitution=0.5, friction=friction, name="floor")
    return s


def test_the_end_of_a_rod_hits_a_smooth_floor():
    run = rod().simulate(0.1, q=[0.0, 0.5 * np.sin(np.pi / 4), np.pi / 4], v=[0.0, -2.0, 0.0])
    hit, expected = impacts(run)[0], ROD["reference"]
    tolerance = float(ROD["tolerance"])
    after = hit.v + hit.facts["velocity_jump"]
    assert_close(hit.facts["impulse"]["floor"], expected["impulse"], within=tolerance, because=BECAUSE)
    assert_close(after[1], expected["vy_after"], within=tolerance, because=BECAUSE)
    assert_close(abs(after[2]), expected["abs_omega_after"], within=tolerance, because=BECAUSE)
    energy = 2.0 + hit.facts["energy_change"]
    assert_close(energy, expected["ke_after"], within=tolerance, because=BECAUSE)


def normal_response(theta: float, mu: float) -> float:
    """Acceleration of the gap for a unit normal force with friction mu against a slip to the left."""
    kernel = rod(mu).compile()
    stops = StopKernels(Prepared(kernel))
    y = kernel.y([0.0, 0.5 * np.sin(theta), theta])
    D = collision(stops.numbers(0.0, y).terms(0.0, y), 0).D
    return float(D[0, 0] + mu * D[0, 1])  # the slip is along x, the friction against it


def test_painleve_threshold_of_a_sliding_rod():
    """p(theta) = 1 + 3 cos(theta) (cos(theta) - mu sin(theta)) first vanishes at mu = 4/3, tan(theta) = 2."""
    mu, theta = ROD["reference"]["mu_critical"], ROD["reference"]["theta_critical"]
    assert_close(normal_response(theta, mu), 0.0, within=64 * EPS, because="products of a few numbers of order one")
    for other in (0.8, 1.0, 1.2, 1.3):
        assert normal_response(other, mu) > 1e-4
    assert normal_response(theta, 1.01 * mu) < 0 < normal_response(theta, 0.99 * mu)


# --- leaving a sphere ----------------------------------------------------------------------------------------


def test_a_particle_slides_down_a_sphere_leaves_it_and_lands():
    given, expected = SPHERE["parameters"], SPHERE["reference"]
    tolerance = float(SPHERE["tolerance"])
    s = cd.System("sphere")
    x, y = s.coordinates("x y")
    m, g, R = s.parameters(m=given["m"], g=given["g"], R=given["R"])
    s.particle("P", mass=m, position=x * s.world.x + y * s.world.y)
    s.gravity(-g * s.world.y)
    s.stop(sqrt(x**2 + y**2) - R, restitution=0, name="sphere")
    s.stop(y + R, restitution=0, name="floor")
    run = s.simulate(1.2, q={"x": 0.0, "y": 1.0}, v={"x": SPHERE["initial_conditions"]["speed"]}, **STRICT)
    assert [(event.kind, event.name) for event in run.events] == [
        ("contact", "sphere"),
        ("release", "sphere"),
        ("impact", "floor"),
        ("contact", "floor"),
    ]
    _, leaving, landing, _ = run.events
    assert_close(leaving.t, expected["t_leave"], within=tolerance, because=BECAUSE)
    assert_close(np.arctan2(*leaving.q), expected["theta_leave"], within=tolerance, because=BECAUSE)
    assert_close(np.linalg.norm(leaving.v), expected["speed_leave"], within=tolerance, because=BECAUSE)
    assert_close(landing.t, expected["landing_time"], within=tolerance, because=BECAUSE)
    assert_close(landing.q[0], expected["landing_x"], within=tolerance, because=BECAUSE)
    assert_close(run.multipliers["sphere"][0], expected["normal_force_t0"], within=tolerance, because=BECAUSE)
    assert run.audit().energy_drift < 1e-11
