"""Arm with a revolute and a prismatic joint: terms at the start, energy and motion, typed and from bodies."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import sin

import cardan as cd
from support.close import EPS, assert_close
from support.reference import STRICT, keyed_times, reference

FILE = reference("rp_manipulator")
EXPECTED, TOLERANCE = FILE["reference"], float(FILE["tolerance"])
VALUES = {name: value for name, value in FILE["parameters"].items() if name != "u"}
START = FILE["initial_conditions"]
Q0, V0 = [START["q1"], START["q2"]], [START["q1d"], START["q2d"]]
BECAUSE = "the tolerance of the reference"


def typed() -> cd.System:
    """Choset section 10.1.2, T and V typed by hand."""
    s = cd.System("RP arm")
    q1, q2 = s.coordinates("q1 q2")
    m1, m2, I1, I2, r1, g = s.parameters(**VALUES)
    s.kinetic_energy((I1 + I2 + m1 * r1**2 + m2 * q2**2) * q1.dot**2 / 2 + m2 * q2.dot**2 / 2)
    s.potential(g * sin(q1) * (m1 * r1 + m2 * q2))
    return s


def bodies() -> cd.System:
    """Two links in the vertical plane x-y; the second slides along the first."""
    s = cd.System("RP arm")
    q1, q2 = s.coordinates("q1 q2")
    m1, m2, I1, I2, r1, g = s.parameters(**VALUES)
    first = s.body("first", mass=m1, inertia=I1, com=(r1, 0, 0), joint=cd.Revolute("z", q1))
    s.body("second", mass=m2, inertia=I2, joint=cd.Prismatic("x", q2), parent=first)
    s.gravity(-g * s.world.y)
    return s


@pytest.mark.parametrize("build", [typed, bodies])
def test_terms_at_the_start(build):
    at = build().equations().at(Q0, V0)
    because = "a few operations on numbers up to 15"
    assert_close(at.M, np.diag(EXPECTED["M_t0"]), within=16 * 15 * EPS, because=because)
    assert_close(at.f, EXPECTED["coriolis_t0"], within=16 * 15 * EPS, because=because)
    assert_close(at.C @ V0, EXPECTED["coriolis_t0"], within=16 * 15 * EPS, because=because)
    assert_close(at.g, EXPECTED["gravity_t0"], within=16 * 15 * EPS, because=because)
    assert_close(at.Q, FILE["parameters"]["u"], within=0.0, because="no force is applied")
    assert_close(at.energy["T"] + at.energy["V"], EXPECTED["energy"], within=16 * 15 * EPS, because=because)


@pytest.mark.parametrize("build", [typed, bodies])
def test_motion_at_the_keyed_times(build):
    run = build().simulate(0.5, q=Q0, v=V0, **STRICT)
    for t, expected in keyed_times(EXPECTED).items():
        here = run.at(t)
        assert_close(here.q[0], expected["q"], within=TOLERANCE, because=BECAUSE)
        assert_close(here.v[0], expected["v"], within=TOLERANCE, because=BECAUSE)
    assert_close(run.energy, EXPECTED["energy"], within=TOLERANCE, because=BECAUSE)
