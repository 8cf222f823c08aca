"""Beads on a rotating line and on a rotating hoop: prescribed rotation, its moment, and what is conserved."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import Rational, cos, sin

import cardan as cd
from support.close import assert_close
from support.reference import STRICT, keyed_times, reference

LINE = reference("bead_on_rotating_line")
HOOP = reference("bead_on_rotating_hoop")
BECAUSE = "the tolerance of the reference"


def rotating_line() -> cd.System:
    """Polar coordinates with theta = Omega t prescribed; r may be negative."""
    s = cd.System("bead on a rotating line")
    r, theta = s.coordinates("r theta")
    m, Omega = s.parameters(m=LINE["parameters"]["m"], Omega=LINE["parameters"]["Omega"])
    s.particle("bead", mass=m, coordinates=cd.PolarCylindrical(r, theta))
    s.prescribe(theta, Omega * s.time)
    return s


def turning_direction(t: np.ndarray) -> np.ndarray:
    """e_theta at theta = Omega t."""
    angle = LINE["parameters"]["Omega"] * np.asarray(t)
    return np.stack([-np.sin(angle), np.cos(angle), 0 * angle], axis=-1)


def move_on_line(**options) -> cd.Run:
    return rotating_line().simulate(1.0, q={"r": 1.0}, v={"r": -3.0}, **STRICT, **options)


def test_radius_position_and_force_at_the_keyed_times():
    moments = keyed_times(LINE["reference"])
    run = move_on_line(times=sorted(moments))
    tolerance = float(LINE["tolerance"])
    place = run.position("bead")
    force = np.einsum("ti,ti->t", run.reactions["bead"].force, turning_direction(run.t))
    for k, t in enumerate(run.t):
        expected = moments[float(t)]
        found = [run["r"][k], run["r_dot"][k], place[k, 0], place[k, 1], force[k]]
        wanted = [expected[name] for name in ("r_e", "r_e_dot", "x", "y", "normal_force")]
        assert_close(found, wanted, within=tolerance, because=BECAUSE)


def test_the_bead_crosses_the_axis_where_its_moment_vanishes_and_its_force_does_not():
    s = rotating_line()
    r = s.model.q[0]
    run = s.simulate(1.0, q={"r": 1.0}, v={"r": -3.0}, events=[cd.Event(r, name="axis")], **STRICT)
    tolerance = float(LINE["tolerance"])
    (event,) = run.events
    assert_close(event.t, LINE["reference"]["crossing_time_r0"], within=tolerance, because=BECAUSE)
    speed = LINE["reference"]["unilateral_r_ge_0_elastic"]["speed_before"]
    assert_close(event.v[0], speed, within=tolerance, because=BECAUSE)
    here = s.equations().at(event.q, event.v, event.t)
    force = here.reactions["bead"].force @ turning_direction(event.t)
    assert_close(force, LINE["reference"]["normal_force_at_crossing"], within=tolerance, because=BECAUSE)
    because = "moment = r times a force of nine, at an r found to 1e-10"
    assert_close(here.multipliers["theta"], 0.0, within=1e-9, because=because)


def test_the_jacobi_integral_is_kept_and_the_energy_is_not():
    run = move_on_line()
    assert_close(2 * run.jacobi, 5.0, within=float(LINE["tolerance"]), because="rd^2 - Omega^2 r^2 = 5, m = 1")
    assert np.ptp(run.energy) > 1, "the motor does work"


def test_the_same_bead_in_cartesian_coordinates_on_a_rheonomic_constraint():
    """sin(Omega t) x - cos(Omega t) y = 0; its multiplier is minus the normal force."""
    s = cd.System("bead on a rotating line")
    x, y = s.coordinates("x y")
    m, Omega = s.parameters(m=1.0, Omega=2.0)
    s.particle("bead", mass=m, position=s.world.vector(x, y, 0))
    s.constrain(sin(Omega * s.time) * x - cos(Omega * s.time) * y, name="line")
    moments = keyed_times(LINE["reference"])
    run = s.simulate(1.0, q=[1.0, 0.0], v=[-3.0, 2.0], times=sorted(moments), **STRICT)
    for k, t in enumerate(run.t):
        expected = moments[float(t)]
        found = [run["x"][k], run["y"][k], -run.multipliers["line"][k]]
        wanted = [expected[name] for name in ("x", "y", "normal_force")]
        assert_close(found, wanted, within=float(LINE["tolerance"]), because=BECAUSE)


# --- the hoop ------------------------------------------------------------------------------------------


def hoop(rate: float) -> cd.System:
    """theta from the bottom of a hoop that turns about its vertical diameter at the prescribed rate."""
    s = cd.System("bead on a rotating hoop")
    theta, azimuth = s.coordinates("theta azimuth", on="S1")
    R, g, Omega = s.parameters(R=HOOP["parameters"]["R"], g=HOOP["parameters"]["g"], Omega=rate)
    ring = s.body("ring", joint=cd.Revolute("z", azimuth))
    s.particle("bead", mass=1, position=ring.vector(R * sin(theta), 0, -R * cos(theta)))
    s.gravity(-g * s.world.z)
    s.prescribe(azimuth, Omega * s.time)
    return s


def stiffness(s: cd.System, theta: float) -> float:
    """-d(acceleration)/d(theta), from the derivative of the native equations."""
    kernel = s.compile()
    return -float(kernel.function("jacobian")(0.0, kernel.y([theta], [0.0]), kernel.p()).reshape(2, 2)[1, 0])


def test_the_critical_rate_is_where_the_bottom_loses_its_stiffness():
    """The stiffness is g/R - Omega^2: two rates give the line, its root is the critical one."""
    at_rest, at_one = stiffness(hoop(0.0), 0.0), stiffness(hoop(1.0), 0.0)
    found = np.sqrt(at_rest / (at_rest - at_one))
    assert_close(found, HOOP["reference"]["critical_Omega"], within=float(HOOP["tolerance"]), because=BECAUSE)


@pytest.mark.parametrize("ratio", [Rational(8, 10), Rational(15, 10)])
def test_equilibrium_and_small_oscillations(ratio):
    expected = HOOP["reference"][f"Omega={float(ratio):g}*crit"]
    s = hoop(float(ratio) * HOOP["reference"]["critical_Omega"])
    kernel = s.compile()
    theta = expected["equilibrium_theta"] + (0.0 if ratio < 1 else 0.1)
    for _ in range(20):  # Newton's method on the acceleration
        theta += kernel.acceleration([theta])[0] / stiffness(s, theta)
    tolerance = float(HOOP["tolerance"])
    assert_close(theta, expected["equilibrium_theta"], within=tolerance, because=BECAUSE)
    assert_close(np.sqrt(stiffness(s, theta)), expected["small_osc_frequency"], within=tolerance, because=BECAUSE)
