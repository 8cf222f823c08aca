"""Hemingway & O'Reilly (2017), sections 4.1, 4.2 and 5.1: a particle in polar coordinates (rows H1, H3, H6).

The paper's Phi_a is the applied force F; its components along e_r, e_theta, ... are loads of the model.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp
from sympy import cos, sin

import cardan as cd
from cardan.errors import SingularMassMatrix
from support.close import assert_close
from support.routes import assert_printed, assert_same, numbers, states, vanishes

ANGLE = (-3.0, 3.0)


def cylindrical() -> tuple[Any, ...]:
    """H1: a free particle in cylindrical polar coordinates, with a force along each basis vector."""
    s = cd.System("free particle, cylindrical polar")
    r, theta, z = s.coordinates("r", on="R+"), s.coordinates("theta", on="S1"), s.coordinates("z")
    m = s.parameters(m=1.7)
    P = s.particle("P", mass=m, coordinates=cd.PolarCylindrical(r, theta, z))
    F = [s.force(f"F_{k}", on=P, along=e) for k, e in (("r", P.e_r), ("theta", P.e_theta), ("z", P.e_z))]
    return s, (r, theta, z), m, F


def test_20_the_covariant_basis_of_cylindrical_polar_coordinates() -> None:
    """(20): a_1 = e_r, a_2 = r e_theta, a_3 = E_3."""
    s, (r, theta, _), _, _ = cylindrical()
    e_r = sp.Matrix([cos(theta), sin(theta), 0])
    e_theta = sp.Matrix([0, 0, 1]).cross(e_r)
    printed = sp.Matrix.hstack(e_r, r * e_theta, sp.Matrix([0, 0, 1]))
    eq = s.equations()
    assert vanishes(eq.covariant_basis - printed)
    value = numbers(s, printed)
    for state in states(s, [(0.2, 3), ANGLE, (-2, 2)]):
        assert_same(eq.at(state.q, state.v).basis, value(state))


def test_21_kinetic_energy() -> None:
    s, (r, theta, z), m, _ = cylindrical()
    printed = m * (r.dot**2 + theta.dot**2 * r**2 + z.dot**2) / 2
    assert vanishes(s.equations().kinetic_energy - printed)
    assert vanishes(sp.Matrix(s.equations().kinetic_energy_split) - sp.Matrix([printed, 0, 0]))


def test_22_equations_of_motion() -> None:
    s, (r, theta, _), m, (F_r, F_theta, F_z) = cylindrical()
    assert_printed(
        s,
        M=m * sp.diag(1, r**2, 1),
        f=m * sp.Matrix([theta.dot**2 * (-r), 2 * r.dot * theta.dot * r, 0]),
        Q=[F_r, r * F_theta, F_z],
        ranges=[(0.2, 3), ANGLE, (-2, 2)],
    )


def test_22_has_no_acceleration_at_r_0_where_the_basis_has_rank_two() -> None:
    s, *_ = cylindrical()
    eq, q, v = s.equations(), [0.0, 0.4, 1.0], [1.0, 2.0, 3.0]
    assert np.linalg.matrix_rank(eq.at(q, v).basis) == 2
    assert np.linalg.matrix_rank(eq.at([0.5, 0.4, 1.0], v).basis) == 3
    assert np.linalg.matrix_rank(eq.at(q, v).M) == 2
    with pytest.raises(SingularMassMatrix, match="theta_dot"):
        _ = eq.at(q, v, loads={"F_theta": 1.0}).acceleration
    with pytest.raises(SingularMassMatrix):
        s.compile().acceleration(q, v, loads={"F_theta": 1.0})


def test_22_moves_a_free_particle_along_a_straight_line() -> None:
    """Start at (1, 0, 0) with velocity (-1, 1/2, 1/5): x = 1 - t, y = t/2, z = t/5."""
    s, *_ = cylindrical()
    run = s.simulate(3.0, q=[1, 0, 0], v=[-1, 0.5, 0.2], rtol=1e-11, atol=1e-13)
    line = np.array([1.0, 0.0, 0.0]) + np.outer(run.t, [-1.0, 0.5, 0.2])
    assert_close(run.position("P"), line, within=1e-9, because="100 times the relative tolerance of the integrator")


def rotating_plane() -> tuple[Any, ...]:
    """H3: theta = f(t) with r_e of either sign."""
    s = cd.System("particle on a rotating plane")
    r_e, theta, z = s.coordinates("r_e theta z")
    m, a, b = s.parameters(m=1.7, a=0.8, b=0.3)
    P = s.particle("P", mass=m, coordinates=cd.PolarCylindrical(r_e, theta, z))
    F = [s.force(f"F_{k}", on=P, along=e) for k, e in (("r", P.e_r), ("theta", P.e_theta), ("z", P.e_z))]
    f = sin(a * s.time) + b * s.time**2
    s.prescribe(theta, f)
    return s, (r_e, z), m, f, F


def test_29_kinetic_energy_splits_into_t2_and_t0() -> None:
    s, (r_e, z), m, f, _ = rotating_plane()
    fd = sp.diff(f, s.time)
    printed = sp.Matrix([m * (r_e.dot**2 + z.dot**2) / 2, 0, m * fd**2 * r_e**2 / 2])
    assert vanishes(sp.Matrix(s.equations().kinetic_energy_split) - printed)


def test_28_the_basis_stays_regular_at_r_e_0() -> None:
    """(28): a_1 = e_r, a_2 = E_3."""
    s, *_, f, _ = rotating_plane()
    printed = sp.Matrix([[cos(f), 0], [sin(f), 0], [0, 1]])
    eq = s.equations()
    assert vanishes(eq.covariant_basis - printed)
    assert np.linalg.matrix_rank(eq.at([0.0, 1.0], [1.0, 1.0], t=0.7).basis) == 2


def test_33_equations_of_motion() -> None:
    """(33) with its lost dot: m rdd - m r fd^2 = F . e_r."""
    s, (r_e, _), m, f, (F_r, _, F_z) = rotating_plane()
    fd = sp.diff(f, s.time)
    assert_printed(s, M=m * sp.eye(2), f=m * sp.Matrix([fd**2 * (-r_e), 0]), Q=[F_r, F_z], ranges=[(-2, 2), (-2, 2)])


def test_34_the_multiplier_that_drives_the_plane() -> None:
    """(34): m r_e^2 fdd + 2 m r_e r_ed fd - F . r_e e_theta = mu, zero at r_e = 0."""
    s, (r_e, _), m, f, (_, F_theta, _) = rotating_plane()
    fd, fdd = sp.diff(f, s.time), sp.diff(f, s.time, 2)
    mu = m * r_e**2 * fdd + 2 * m * r_e * r_e.dot * fd - F_theta * r_e
    eq = s.equations()
    assert set(eq.multipliers) == {"theta"}
    assert vanishes(eq.multipliers["theta"] - mu)
    assert vanishes(eq.generalized_forces["theta"] - r_e * F_theta - sp.Symbol("mu_theta", real=True))
    value = numbers(s, [mu])
    for state in states(s, [(-2, 2), (-2, 2)]):
        at = eq.at(state.q, state.v, state.t, loads=state.signals)
        assert_same(at.multipliers["theta"], value(state)[0, 0])
    assert eq.at([0.0, 1.0], [1.0, 1.0], t=0.7, loads={"F_theta": 5.0}).multipliers["theta"] == 0


def test_33_passes_through_r_e_0_without_impulse() -> None:
    """With f = W t, (33) is rdd = W^2 r: r = r0 cosh(W t) + (rd0 / W) sinh(W t), here from -1 to beyond zero."""
    s = cd.System("particle on a plane at constant rate")
    r_e, theta, z = s.coordinates("r_e theta z")
    W = s.parameters(W=0.9)
    s.particle("P", mass=1.3, coordinates=cd.PolarCylindrical(r_e, theta, z))
    s.prescribe(theta, W * s.time)
    run = s.simulate(3.0, q=[-1, 0], v=[1.2, 0.1], rtol=1e-11, atol=1e-13)
    expected = -np.cosh(0.9 * run.t) + 1.2 / 0.9 * np.sinh(0.9 * run.t)
    assert expected[-1] > 1 > 0 > expected[0]
    assert_close(run["r_e"], expected, within=1e-9, because="100 times the relative tolerance; r_e stays below 10")
    assert_close(run["theta"], 0.9 * run.t, within=1e-15, because="prescribed: one multiplication")


def spherical() -> tuple[Any, ...]:
    """H6: a free particle in spherical polar coordinates, ordered R, theta, phi as in (49)."""
    s = cd.System("free particle, spherical polar")
    R, theta, phi = s.coordinates("R", on="R+"), s.coordinates("theta", on="S1"), s.coordinates("phi", on=(0, np.pi))
    m = s.parameters(m=1.7)
    P = s.particle("P", mass=m, coordinates=cd.PolarSpherical(R, phi, theta))
    F = [s.force(f"F_{k}", on=P, along=e) for k, e in (("R", P.e_R), ("theta", P.e_theta), ("phi", P.e_phi))]
    return s, (R, theta, phi), m, F


SPHERE = [(0.5, 3.0), ANGLE, (0.3, 2.8)]


def test_49_the_covariant_basis_of_spherical_polar_coordinates() -> None:
    """(49): a_1 = e_R, a_2 = R sin(phi) e_theta, a_3 = R e_phi, with e_phi = e_theta x e_R."""
    s, (R, theta, phi), *_ = spherical()
    e_r, E_3 = sp.Matrix([cos(theta), sin(theta), 0]), sp.Matrix([0, 0, 1])
    e_R, e_theta = cos(phi) * E_3 + sin(phi) * e_r, E_3.cross(e_r)
    printed = sp.Matrix.hstack(e_R, R * sin(phi) * e_theta, R * e_theta.cross(e_R))
    eq = s.equations()
    assert vanishes(eq.covariant_basis - printed)
    value = numbers(s, printed)
    for state in states(s, SPHERE):
        assert_same(eq.at(state.q, state.v).basis, value(state))


def test_50_kinetic_energy() -> None:
    s, (R, theta, phi), m, _ = spherical()
    printed = m * (R.dot**2 + theta.dot**2 * R**2 * sin(phi) ** 2 + phi.dot**2 * R**2) / 2
    assert vanishes(s.equations().kinetic_energy - printed)


def test_51_equations_of_motion() -> None:
    s, (R, theta, phi), m, (F_R, F_theta, F_phi) = spherical()
    sc = sin(phi) * cos(phi)
    f = [
        theta.dot**2 * (-R * sin(phi) ** 2) + phi.dot**2 * (-R),
        2 * R.dot * theta.dot * (R * sin(phi) ** 2) + 2 * theta.dot * phi.dot * (R**2 * sc),
        theta.dot**2 * (-(R**2) * sc) + 2 * R.dot * phi.dot * R,
    ]
    assert_printed(
        s,
        M=m * sp.diag(1, R**2 * sin(phi) ** 2, R**2),
        f=m * sp.Matrix(f),
        Q=[F_R, R * sin(phi) * F_theta, R * F_phi],
        ranges=SPHERE,
    )


SINGULAR = [([0.0, 0.4, 1.0], 1), ([1.0, 0.4, 0.0], 2), ([0.0, 0.4, 0.0], 1)]


@pytest.mark.parametrize(("q", "rank"), [*SINGULAR, ([1.0, 0.4, np.pi], 2)])
def test_49_loses_rank_at_the_origin_and_on_the_polar_axis(q: list[float], rank: int) -> None:
    s, *_ = spherical()
    at = s.equations().at(q)
    assert np.linalg.matrix_rank(at.basis) == rank
    assert np.linalg.matrix_rank(at.M) == rank


@pytest.mark.parametrize("q", [q for q, _ in SINGULAR])
def test_51_has_no_acceleration_where_the_basis_loses_rank(q: list[float]) -> None:
    """Only where a float can be exactly singular: sin(pi) is 1e-16 in floats, which is a finite inertia."""
    s, *_ = spherical()
    with pytest.raises(SingularMassMatrix):
        _ = s.equations().at(q, [1.0, 2.0, 3.0], loads={"F_theta": 1.0, "F_phi": 1.0}).acceleration
    with pytest.raises(SingularMassMatrix):
        s.compile().acceleration(q, [1.0, 2.0, 3.0])
