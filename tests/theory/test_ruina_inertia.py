"""Ruina's MAE 6700 notes, lectures of 2/13 and 2/25: inertia (row R2).

Errata of the notes: the polar moment of a disk is m r^2/2; a planar body may have I_xy != 0. The moments of the jack
are printed as 2 d^2 (m_3 + m_2, m_1 + m_2, m_1 + m_3), with m_2 on axis 3 and m_3 on axis 2; here m_i is on axis i.
"""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from cardan.errors import ImpossibleInertia
from cardan.geometry import inertia, rotation
from cardan.geometry.inertia import MassProperties
from cardan.geometry.matrix import ZERO, matvec
from cardan.geometry.scalar import half
from support.close import assert_close

m, r, d = sp.symbols("m r d", positive=True)
RELATIVE = 1e-12


def same(A, B) -> bool:
    return (sp.Matrix(A) - sp.Matrix(B)).applyfunc(sp.simplify) == sp.zeros(3)


def random_particles(seed: int, count: int = 6) -> list[tuple[float, np.ndarray]]:
    rng = np.random.default_rng(seed)
    return list(zip(rng.uniform(0.1, 1, count).tolist(), rng.uniform(-1, 1, (count, 3)), strict=True))


def test_2_13_angular_momentum_is_inertia_times_omega() -> None:
    """H = sum m r x (w x r) = [ sum m r.r 1 - sum m r r ] . w, about the centre of mass."""
    for seed in range(20):
        particles = random_particles(seed)
        omega = np.random.default_rng(100 + seed).uniform(-1, 1, 3)
        body = inertia.point_masses(particles)
        G = np.array(body.com)
        H = sum(mass * np.cross(p - G, np.cross(omega, p - G)) for mass, p in particles)
        assert_close(matvec(body.inertia, omega), H, within=RELATIVE, because="12 digits of momenta about 1")


def test_2_13_the_entries_of_the_inertia_matrix() -> None:
    """[ y^2 + z^2, -xy, -xz; -xy, x^2 + z^2, -yz; -xz, -yz, x^2 + y^2 ] for each unit of mass."""
    x, y, z = sp.symbols("x y z", real=True)
    printed = [[y**2 + z**2, -x * y, -x * z], [-x * y, x**2 + z**2, -y * z], [-x * z, -y * z, x**2 + y**2]]
    assert same(inertia.parallel_axis(ZERO, 1, (x, y, z)), printed)


def test_2_25_point_mass() -> None:
    assert inertia.point_masses([(m, (1, 2, 3))]).inertia == ZERO


def test_2_25_dumbbell() -> None:
    """Two masses m/2 on the y axis at +-r: diag(m r^2, 0, m r^2); ours lies along z."""
    along_y = inertia.point_masses([(half(m), (0, r, 0)), (half(m), (0, -r, 0))]).inertia
    assert same(along_y, sp.diag(m * r**2, 0, m * r**2))
    R = rotation.about("x", sp.pi / 2)  # takes z to -y
    assert same(inertia.rotated(inertia.dumbbell(m, r), R), sp.diag(m * r**2, 0, m * r**2))


def test_2_25_hoop() -> None:
    assert same(inertia.hoop(m, r), sp.diag(m * r**2 / 2, m * r**2 / 2, m * r**2))


def test_2_25_disk_with_its_polar_moment_corrected() -> None:
    """Printed m r^2/4 three times; the perpendicular-axis theorem two lines above gives m r^2/2 for the third."""
    assert same(inertia.disc(m, r), sp.diag(m * r**2 / 4, m * r**2 / 4, m * r**2 / 2))


def test_2_25_sphere() -> None:
    assert same(inertia.sphere(m, r), sp.Rational(2, 5) * m * r**2 * sp.eye(3))


def test_2_25_sphere_by_the_integral_of_the_notes() -> None:
    """I_xx = 2/3 int r'^2 dm with dm = rho 4 pi r'^2 dr'."""
    s = sp.Symbol("s", positive=True)
    rho = m / (sp.Rational(4, 3) * sp.pi * r**3)
    integral = sp.Rational(2, 3) * sp.integrate(s**2 * rho * 4 * sp.pi * s**2, (s, 0, r))
    assert sp.simplify(inertia.sphere(m, r)[0][0] - integral) == 0


def test_2_25_perpendicular_axis_theorem() -> None:
    """I_zz = I_xx + I_yy for every planar body, also where I_xy is not zero."""
    for seed in range(20):
        flat = [(mass, (p[0], p[1], 0.0)) for mass, p in random_particles(seed)]
        I_G = np.array(inertia.point_masses(flat).inertia, dtype=float)
        assert_close(I_G[2, 2], I_G[0, 0] + I_G[1, 1], within=RELATIVE, because="12 digits of moments about 1")
        assert abs(I_G[0, 1]) > 1e-3  # the notes' zero is not general
        assert_close(I_G[:2, 2], np.zeros(2), within=0, because="no particle leaves the plane")
        inertia.check_inertia(I_G.tolist(), "planar body")
    for solid in (inertia.hoop(m, r), inertia.disc(m, r)):
        assert sp.simplify(solid[2][2] - solid[0][0] - solid[1][1]) == 0


def test_2_25_jack() -> None:
    """Six points, m_i at +-d on axis i."""
    m1, m2, m3 = masses = sp.symbols("m1:4", positive=True)
    corrected = d**2 * sp.diag(2 * (m3 + m2), 2 * (m1 + m3), 2 * (m1 + m2))
    assert same(inertia.jack(masses, d), corrected)
    points = [
        (mass, tuple(sign * d * int(i == axis) for i in range(3)))
        for axis, mass in enumerate(masses)
        for sign in (1, -1)
    ]
    assert same(inertia.point_masses(points).inertia, corrected)


def test_2_25_masses_of_a_jack_can_be_picked_to_get_any_possible_moments() -> None:
    rng = np.random.default_rng(6)
    for _ in range(20):
        a, b = rng.uniform(0.5, 1.0, 2)
        moments = (a, b, rng.uniform(abs(a - b), a + b))
        masses = inertia.jack_masses(moments, 0.3)
        assert min(masses) >= 0
        found = np.diag(np.array(inertia.jack(masses, 0.3), dtype=float))
        assert_close(found, moments, within=RELATIVE, because="12 digits of moments about 1")
    assert min(inertia.jack_masses((1.0, 1.0, 2.5), 0.3)) < 0


def test_2_25_principal_axes_are_eigenvectors() -> None:
    """I = I_1 e_1 e_1 + I_2 e_2 e_2 + I_3 e_3 e_3."""
    for seed in range(20):
        I_G = inertia.point_masses(random_particles(seed)).inertia
        moments, axes = inertia.principal_axes(I_G)
        e = np.array(axes).T
        total = sum(moment * np.outer(axis, axis) for moment, axis in zip(moments, e, strict=True))
        assert_close(total, I_G, within=RELATIVE, because="12 digits of moments about 2")


def test_2_25_triangle_inequality_holds_for_every_body() -> None:
    """I_1 + I_2 = I_3 + 2 int z^2 dm >= I_3, and so round."""
    for seed in range(20):
        particles = random_particles(seed)
        body = inertia.point_masses(particles)
        z = np.array([p[2] - body.com[2] for _, p in particles])
        masses = np.array([mass for mass, _ in particles])
        excess = body.inertia[0][0] + body.inertia[1][1] - body.inertia[2][2]
        assert_close(excess, 2 * masses @ z**2, within=RELATIVE, because="12 digits of moments about 2")
        i1, i2, i3 = inertia.principal_axes(body.inertia)[0]
        assert i1 >= 0
        assert i1 + i2 >= i3
        inertia.check_inertia(body.inertia, "cloud")


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0), (2, 0, 1)])
def test_2_25_triangle_inequality_is_enforced_in_every_order(order: tuple[int, ...]) -> None:
    moments = [(1.0, 1.2, 2.3)[i] for i in order]
    with pytest.raises(ImpossibleInertia, match="triangle inequality"):
        inertia.check_inertia(np.diag(moments).tolist(), "plate")


def test_4_10_the_parallel_axis_theorem_agrees_with_the_sum_over_particles() -> None:
    for seed in range(20):
        particles = random_particles(seed)
        C = np.random.default_rng(200 + seed).uniform(-1, 1, 3)
        expected = sum(mass * ((p - C) @ (p - C) * np.eye(3) - np.outer(p - C, p - C)) for mass, p in particles)
        body: MassProperties = inertia.point_masses(particles)
        found = inertia.inertia_about(body, C)
        assert_close(found, expected, within=10 * RELATIVE, because="12 digits of moments about 10")
