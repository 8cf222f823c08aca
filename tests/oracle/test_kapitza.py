"""Kapitza's pendulum: between which amplitudes of its support it stands upside down."""

from __future__ import annotations

import pytest
from sympy import cos, sin

import cardan as cd
from support.close import assert_close
from support.reference import reference

CASE = reference("kapitza_pendulum")
L, G, OMEGA = (float(CASE["parameters"][name]) for name in ("L", "g", "omega"))
PERIOD = 6.283185307179586 / OMEGA


def upside_down(amplitude: float) -> cd.System:
    """Its support is a prescribed coordinate; theta is measured from the upward vertical."""
    s = cd.System("Kapitza's pendulum")
    theta, height = s.coordinates("theta height")
    a = s.parameters(a=amplitude)
    s.particle("bob", mass=1, position=L * sin(theta) * s.world.x + (height + L * cos(theta)) * s.world.z)
    s.prescribe(height, a * cos(OMEGA * s.time))
    s.gravity(-G * s.world.z)
    return s


@pytest.mark.parametrize(("key", "low", "high"), [("a_lower", 0.03, 0.06), ("a_upper", 0.44, 0.47)])
def test_it_stands_between_two_amplitudes(key: str, low: float, high: float):
    s = upside_down(low)
    found = cd.critical_value(lambda a: s.with_values(a=a).periodic_motion([0.0], [0.0], period=PERIOD), low, high)
    assert_close(found, float(CASE["reference"][key]), within=float(CASE["tolerance"]), because="of the reference")
