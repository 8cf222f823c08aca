"""Modes with damping that is not proportional, and with gyroscopic terms: by matrices typed by hand, and by runs."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.support.close import assert_close

import cardan as cd

Array = NDArray[np.float64]
M, K = np.diag([1.0, 2.0]), np.array([[7.0, -3.0], [-3.0, 3.0]])
D, G = np.array([[0.0, 0.0], [0.0, 0.5]]), np.array([[0.0, 0.8], [-0.8, 0.0]])


def two_masses(turn: float = 0.0, brake: float = 0.5) -> cd.System:
    """k1 = 4 to the wall, k2 = 3 between them, a brake on the second alone; ``turn``: of a turntable."""
    s = cd.System("two masses")
    x, y = s.coordinates("x y")
    s.lagrangian((x.dot**2 + 2 * y.dot**2) / 2 - 2 * x**2 - 1.5 * (y - x) ** 2 + turn * (y * x.dot - x * y.dot) / 2)
    s.generalized_force(y, -brake * y.dot)
    return s


@pytest.mark.parametrize("turn", [0.0, 0.8])
def test_complex_shapes_satisfy_the_quadratic_eigenvalue_problem(turn: float) -> None:
    found = two_masses(turn).modes([0, 0]).damped
    terms = D + G * turn / 0.8
    for s, phi in zip(found.values, found.shapes.T, strict=True):
        left = (s**2 * M + s * terms + K) @ phi
        assert_close(np.abs(left), 0.0, within=1e-12, because="numbers of order ten, from one eigenvalue problem")
    assert len(found) == 2
    assert (found.ratios > 0).all()
    assert np.max(np.abs(np.sin(found.phases))) > 0.01  # places do not pass through rest together


def test_a_run_that_starts_in_one_mode_stays_in_it() -> None:
    s = two_masses()
    found, times = s.modes([0, 0]).damped, np.linspace(0, 10, 41)
    for value, phi in zip(found.values, found.shapes.T, strict=True):
        run = s.simulate(10.0, q=phi.real, v=(value * phi).real, times=times)
        expected = (phi[None, :] * np.exp(value * times)[:, None]).real
        assert_close(run.q, expected, within=1e-7, because="the equations are linear; rtol 1e-9 over 3 swings")


def test_a_brake_that_is_strong_makes_a_motion_creep() -> None:
    """s^2 + 2 d s + 1 = 0 with d = 2: s = -2 +- sqrt(3), both real."""
    s = cd.System("door closer")
    x = s.coordinates("x")
    s.lagrangian(x.dot**2 / 2 - x**2 / 2)
    s.generalized_force(x, -4 * x.dot)
    found = s.modes([0]).damped
    assert_close(found.values.real, [-2 + np.sqrt(3), -2 - np.sqrt(3)], within=1e-13, because="a matrix of two rows")
    assert_close(found.frequencies, 0.0, within=0.0, because="it does not ring")
    assert "2 damped modes" in found._repr_html_()
