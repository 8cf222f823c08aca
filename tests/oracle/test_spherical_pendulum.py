"""Spherical pendulum: elliptic periods, extremes, a Cartesian state, and the tension of the rod."""

from __future__ import annotations

from math import pi, sin

import numpy as np
import pytest
from sympy import cos
from sympy import sin as sine

import cardan as cd
from support.close import assert_close
from support.reference import STRICT, reference

FILE = reference("spherical_pendulum")
EXPECTED = FILE["reference"]
TOLERANCE = float(FILE["tolerance"])
BECAUSE = "the tolerance of the reference; states have sizes of a few units"
DURATION = 10.0


def by_particle() -> tuple[cd.System, object]:
    """A particle in spherical coordinates, the colatitude measured from the upward vertical."""
    s = cd.System("spherical pendulum")
    colatitude, azimuth = s.coordinates("colatitude azimuth", on="S1")
    m, length, g = s.parameters(**FILE["parameters"])
    s.particle("P", mass=m, coordinates=cd.PolarSpherical(length, colatitude, azimuth))
    s.gravity(-g * s.world.z)
    return s, colatitude


def by_lagrangian() -> tuple[cd.System, object]:
    """The same, the Lagrangian typed by hand."""
    s = cd.System("spherical pendulum")
    c, azimuth = s.coordinates("colatitude azimuth", on="S1")
    m, length, g = s.parameters(**FILE["parameters"])
    s.lagrangian(m * length**2 * (c.dot**2 + sine(c) ** 2 * azimuth.dot**2) / 2 - m * g * length * cos(c))
    return s, c


@pytest.mark.parametrize("build", [by_particle, by_lagrangian])
def test_nutation_and_azimuth_have_their_elliptic_periods(build):
    s, colatitude = build()
    turning = cd.Event(colatitude.dot, direction=-1, name="lowest")
    run = s.simulate(DURATION, q=[2 * pi / 3, 0.0], v=[0.0, 2.0], events=[turning], **STRICT)
    lowest = [event for event in run.events if event.t > 1e-3]  # the start itself is a turning point: the highest one
    times = np.array([event.t for event in lowest])
    assert len(times) >= 8, "ten seconds hold nine nutations"
    assert_close(np.diff(times), EXPECTED["nutation_period"], within=TOLERANCE, because=BECAUSE)
    advance = np.diff([event.q[1] for event in lowest])
    assert_close(advance, EXPECTED["azimuth_advance"], within=TOLERANCE, because=BECAUSE)
    low = -np.cos([event.q[0] for event in lowest])
    assert_close(low, max(EXPECTED["cos_theta_extremes"]), within=TOLERANCE, because=BECAUSE)
    after_one = run.at(EXPECTED["nutation_period"])
    assert_close(
        -np.cos(after_one["colatitude"]), min(EXPECTED["cos_theta_extremes"]), within=TOLERANCE, because=BECAUSE
    )
    assert_close(after_one["azimuth"], EXPECTED["azimuth_advance"], within=TOLERANCE, because=BECAUSE)


def test_cartesian_state_after_ten_seconds():
    s, _ = by_particle()
    run = s.simulate(DURATION, q=[2 * pi / 3, 0.0], v=[0.0, 2.0], **STRICT)
    assert_end(run.position("P")[-1], velocity(run))


def test_bodies_on_a_universal_joint_reach_the_same_state():
    """Two crossed angles have their singularity elsewhere, so this is another chart of the same motion."""
    s = cd.System("spherical pendulum")
    a, b = s.coordinates("a b", on="S1")
    m, length, g = s.parameters(**FILE["parameters"])
    bob = s.body("bob", mass=m, com=(0, 0, -length), joint=cd.Universal("y", a, "x", b))
    s.gravity(-g * s.world.z)
    # com = Ry(a) Rx(b) (0, 0, -l) = l (-sin a cos b, sin b, -cos a cos b); at the start x = sin(pi/3), vy = 2 x
    run = s.simulate(DURATION, q=[-pi / 3, 0.0], v=[0.0, 2 * sin(pi / 3)], **STRICT)
    at = run.position(bob.centre)[-1]
    w = run.omega(bob, expressed_in="world")[-1]
    assert_end(at, np.cross(w, at))


def velocity(run: cd.Run) -> np.ndarray:
    """Velocity of the particle at the end, from its spherical coordinates."""
    c, azimuth = run["colatitude"][-1], run["azimuth"][-1]
    e_c = np.array([np.cos(c) * np.cos(azimuth), np.cos(c) * np.sin(azimuth), -np.sin(c)])
    e_azimuth = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
    return run["colatitude_dot"][-1] * e_c + np.sin(c) * run["azimuth_dot"][-1] * e_azimuth


def assert_end(position: np.ndarray, v: np.ndarray) -> None:
    end = EXPECTED["state_t10"]
    assert_close(position, [end["x"], end["y"], end["z"]], within=TOLERANCE, because=BECAUSE)
    assert_close(v, [end["vx"], end["vy"], end["vz"]], within=TOLERANCE, because=BECAUSE)


def test_the_rod_pulls_with_the_tension_of_the_reference():
    """The radius is prescribed, so its multiplier is the radial force on the particle: minus the tension."""
    s = cd.System("spherical pendulum with a rod")
    radius, colatitude, azimuth = s.coordinates("radius colatitude azimuth")
    m, length, g = s.parameters(**FILE["parameters"])
    s.particle("P", mass=m, coordinates=cd.PolarSpherical(radius, colatitude, azimuth))
    s.gravity(-g * s.world.z)
    s.prescribe(radius, length)
    found = s.equations().at([2 * pi / 3, 0.0], [0.0, 2.0]).multipliers
    tension = -found["radius"] / FILE["parameters"]["m"]
    assert_close(tension, EXPECTED["tension_over_m_t0"], within=TOLERANCE, because=BECAUSE)
