"""Energies that are not quadratic in the velocities: no mass matrix, and yet a motion."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from cardan.errors import DerivationError, NotQuadratic
from support.close import assert_close

C = 2.0  # speed of light of the relativistic particle below


def relativistic() -> cd.System:
    """L = -m c^2 sqrt(1 - v^2/c^2) + F x: a particle pushed by a constant force F = m = 1."""
    s = cd.System("relativistic particle")
    x = s.coordinates("x")
    c = s.parameters(c=C)
    s.lagrangian(-(c**2) * sp.sqrt(1 - x.dot**2 / c**2) + x)
    return s


def test_a_mass_matrix_is_refused_by_name():
    s = relativistic()
    with pytest.raises(
        NotQuadratic, match=r"'relativistic particle'.*not quadratic.*x_dot.*can still be simulated"
    ) as caught:
        _ = s.equations().mass_matrix
    assert "x_dot" in caught.value.names
    with pytest.raises(NotQuadratic, match=r"not quadratic in the velocities"):
        _ = s.equations().at([0.0]).M
    with pytest.raises(NotQuadratic, match=r"can still be simulated"):
        s.compile().mass_matrix([0.0])
    assert issubclass(NotQuadratic, DerivationError)


def test_its_motion_is_simulated():
    """The momentum grows as t, so v = t / sqrt(1 + t^2/c^2) and x = c^2 (sqrt(1 + t^2/c^2) - 1)."""
    run = relativistic().simulate(5.0, q=[0.0])
    gamma = np.sqrt(1 + run.t**2 / C**2)
    because = "default rtol 1e-9 over a motion of size ten"
    assert_close(run["x_dot"], run.t / gamma, within=1e-7, because=because)
    assert_close(run["x"], C**2 * (gamma - 1), within=1e-7, because=because)
    assert_close(run.jacobi - run.jacobi[0], 0.0, within=1e-7, because="v dL/dv - L is conserved")


def test_a_quadratic_energy_written_in_an_unusual_way_has_a_mass_matrix():
    s = cd.System("disguise")
    x = s.coordinates("x")
    s.kinetic_energy(((x.dot + 1) ** 3 - (x.dot - 1) ** 3) / 12)  # = x_dot^2 / 2 + 1/6
    assert s.equations().mass_matrix == sp.Matrix([[1]])


def test_typed_energies_may_not_use_the_angular_velocity_of_a_quaternion():
    s = cd.System("mixed")
    s.body("B", inertia=1.0, joint=cd.Ball(cd.Quaternion("e")))
    s.kinetic_energy(s.model.v[0] ** 2)
    with pytest.raises(DerivationError, match=r"quaternion 'e'.*s.body.*Euler angles") as caught:
        s.compile().acceleration([1, 0, 0, 0])
    assert caught.value.quaternion == "e"


def test_christoffel_symbols_and_the_coriolis_matrix_need_coordinates():
    s = cd.System("ball")
    s.body("B", inertia=1.0, joint=cd.Ball(cd.Quaternion("e")))
    with pytest.raises(DerivationError, match=r"quaternion. Use Euler angles"):
        _ = s.equations().christoffel
    with pytest.raises(DerivationError, match=r"quaternion. Use Euler angles"):
        _ = s.equations().at([1, 0, 0, 0]).C
