"""Choset et al., Principles of Robot Motion, section 10.4: the geometry of a rigid body (row C5).

I_s and w_s are the book's inertia and angular velocity in the inertial frame, I and w those in the body frame. Errata:
dI_s/dt = w^ I_s - I_s w^; in fig. 10.5 the third moment of ellipsoid and box is printed with a and c, which is I_yy;
(10.31) for uniform density is (m/V) int (x^2 + y^2) dV.
"""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from sympy import Rational, cos, sin

from cardan.geometry import euler, inertia, matrix, rotation
from cardan.geometry.inertia import MassProperties
from cardan.geometry.rigid import Placement
from support.close import assert_close

m, R, h, a, b, c = sp.symbols("m R h a b c", positive=True)
RELATIVE = 1e-12


def same(A, B) -> bool:
    A, B = sp.Matrix(A), sp.Matrix(B)
    return (A - B).applyfunc(sp.simplify) == sp.zeros(*A.shape)


def test_fig_10_5_sphere() -> None:
    assert same(inertia.sphere(m, R), (2 * m * R**2 / 5) * sp.eye(3))


def test_fig_10_5_ellipsoid_with_the_third_moment_corrected() -> None:
    printed_xx, printed_as_zz = m * (b**2 + c**2) / 5, m * (a**2 + c**2) / 5
    found = sp.Matrix(inertia.ellipsoid(m, a, b, c))
    assert same(found, sp.diag(printed_xx, printed_as_zz, m * (a**2 + b**2) / 5))


def test_fig_10_5_right_circular_cylinder() -> None:
    across = m * (3 * R**2 + h**2) / 12
    assert same(inertia.cylinder(m, R, h), sp.diag(across, across, m * R**2 / 2))


def test_fig_10_5_box_with_the_third_moment_corrected() -> None:
    printed_xx, printed_as_zz = m * (b**2 + c**2) / 12, m * (a**2 + c**2) / 12
    found = sp.Matrix(inertia.box(m, a, b, c))
    assert same(found, sp.diag(printed_xx, printed_as_zz, m * (a**2 + b**2) / 12))


def test_10_31_planar_inertia_of_a_uniform_box_by_integration() -> None:
    """I_zz = (m/V) int (x^2 + y^2) dV."""
    x, y, z = sp.symbols("x y z")
    box = ((x, -a / 2, a / 2), (y, -b / 2, b / 2), (z, -c / 2, c / 2))
    I_zz = m / (a * b * c) * sp.integrate(x**2 + y**2, *box)
    assert sp.simplify(I_zz - inertia.box(m, a, b, c)[2][2]) == 0


def test_10_33_planar_parallel_axis_theorem() -> None:
    """I_z'z' = I_zz + m d^2, whichever way the axis is moved and however far along itself."""
    angle, d, z = sp.symbols("angle d z", real=True)
    I_B = sp.Matrix(3, 3, lambda i, j: sp.Symbol(f"I{min(i, j)}{max(i, j)}"))
    moved = inertia.parallel_axis(I_B.tolist(), m, (d * cos(angle), d * sin(angle), z))
    assert sp.simplify(moved[2][2] - (I_B[2, 2] + m * d**2)) == 0


def test_10_46_spatial_parallel_axis_theorem() -> None:
    """I' = I + m (|r|^2 1 - r r^T)."""
    r = sp.Matrix(sp.symbols("r1:4", real=True))
    I_B = sp.Matrix(3, 3, lambda i, j: sp.Symbol(f"I{min(i, j)}{max(i, j)}"))
    printed = I_B + m * (r.dot(r) * sp.eye(3) - r * r.T)
    assert same(inertia.parallel_axis(I_B.tolist(), m, tuple(r)), printed)


def test_composite_inertia_is_the_sum_of_translated_then_rotated_parts() -> None:
    """I'' = R_i I' R_i^T with r_i from the part's centre to the common origin in the part's axes, summed."""
    rng = np.random.default_rng(10)
    parts, expected = [], np.zeros((3, 3))
    for _ in range(4):
        mass, edges = rng.uniform(0.5, 2), rng.uniform(0.1, 1, 3)
        I_i = np.array(inertia.box(mass, *edges), dtype=float)
        R_i = np.array(rotation.exp(rng.uniform(-1.5, 1.5, 3)))
        centre = rng.uniform(-1, 1, 3)
        r_i = -R_i.T @ centre
        translated = I_i + mass * (r_i @ r_i * np.eye(3) - np.outer(r_i, r_i))
        expected += R_i @ translated @ R_i.T
        body = MassProperties(mass, (0, 0, 0), I_i.tolist())
        parts.append(inertia.placed(body, Placement(R_i.tolist(), tuple(centre.tolist()))))
    found = inertia.inertia_about(inertia.combine(parts), (0, 0, 0))
    assert_close(found, expected, within=10 * RELATIVE, because="12 digits of moments about 10")


def test_problem_6_inertia_transfer_with_the_given_numbers() -> None:
    """I_1 = diag(1, 2, 3), r_1 = (3, 0, 2), R_1 a quarter turn about z; worked by hand with the mass left as m.

    In the local axes I' = diag(1, 2, 3) + m [[4, 0, -6], [0, 13, 0], [-6, 0, 9]]; turning x to y and y to -x gives the
    matrix below.
    """
    R_1 = ((0, -1, 0), (1, 0, 0), (0, 0, 1))
    translated = inertia.parallel_axis(((1, 0, 0), (0, 2, 0), (0, 0, 3)), m, (3, 0, 2))
    by_hand = [[2 + 13 * m, 0, 0], [0, 1 + 4 * m, -6 * m], [0, -6 * m, 3 + 9 * m]]
    assert same(inertia.rotated(translated, R_1), by_hand)
    assert same(R_1, rotation.about("z", sp.pi / 2))


def test_problem_7_steel_barbell() -> None:
    """Two spheres of radius 10 cm on the ends of a bar of length 20 cm and radius 2 cm, 7850 kg/m^3, by hand.

    The spheres' centres are 20 cm from the middle: half the bar and one radius ("approximate" is the book's word).
    A ball weighs 32.882 kg and the bar 1.9729 kg: 2 (0.131528 + 1.31528) + 0.006774 across, 0.263056 + 0.000395 along.
    """
    rho, radius, length, bar_radius = 7850.0, 0.10, 0.20, 0.02
    ball, bar = rho * 4 / 3 * np.pi * radius**3, rho * np.pi * bar_radius**2 * length
    offset = length / 2 + radius
    across = 2 * (0.4 * ball * radius**2 + ball * offset**2) + bar * (3 * bar_radius**2 + length**2) / 12
    along = 2 * 0.4 * ball * radius**2 + bar * bar_radius**2 / 2
    sphere = inertia.sphere(ball, radius)
    barbell = inertia.combine(
        [
            MassProperties(ball, (0, 0, offset), sphere),
            MassProperties(ball, (0, 0, -offset), sphere),
            MassProperties(bar, (0, 0, 0), inertia.cylinder(bar, bar_radius, length)),
        ]
    )
    assert_close(barbell.com, np.zeros(3), within=1e-15, because="symmetric: equal and opposite moments")
    expected = np.diag([across, across, along])
    assert_close(barbell.inertia, expected, within=RELATIVE * across, because="12 digits")
    by_hand = np.diag([2.90039, 2.90039, 0.26345])
    assert_close(barbell.inertia, by_hand, within=5e-6, because="a hand calculation to five decimals")


t = sp.Symbol("t")
ROTATION = rotation.compose(rotation.about("z", t**2), rotation.about("x", sp.sin(3 * t)), rotation.about("y", t))
BODY_INERTIA = ((2, Rational(1, 5), 0), (Rational(1, 5), 3, Rational(-1, 4)), (0, Rational(-1, 4), 4))


def motion() -> tuple[sp.Matrix, sp.Matrix, sp.Matrix, sp.Matrix]:
    """R(t), w_s(t), I_s(t) and w(t) of a prescribed tumbling."""
    Rd = sp.Matrix(ROTATION).diff(t).tolist()
    w_s = sp.Matrix(rotation.angular_velocity(ROTATION, Rd))
    w = sp.Matrix(rotation.body_angular_velocity(ROTATION, Rd))
    return sp.Matrix(ROTATION), w_s, sp.Matrix(inertia.rotated(BODY_INERTIA, ROTATION)), w


def assert_vanishes(expression: sp.Matrix) -> None:
    """At 20 random times; the terms are of size 100."""
    value = sp.lambdify(t, expression)
    for time in np.random.default_rng(44).uniform(-1, 1, 20):
        found = np.array(value(time), dtype=float)
        assert_close(found, np.zeros(found.shape), within=100 * RELATIVE, because="12 digits of terms of size 100")


def test_10_39_and_10_43_kinematics_in_both_frames() -> None:
    """Rd = w_s^ R = R w^, and w_s = R w."""
    Rm, w_s, _, w = motion()
    assert_vanishes(Rm.diff(t) - sp.Matrix(matrix.skew(tuple(w_s))) * Rm)
    assert_vanishes(Rm.diff(t) - Rm * sp.Matrix(matrix.skew(tuple(w))))
    assert_vanishes(w_s - Rm * w)


def test_10_36_10_40_and_10_41_kinetic_energy_in_both_frames() -> None:
    """K = w_s.I_s.w_s/2 = w.I.w/2 and I = R^T I_s R."""
    Rm, w_s, I_s, w = motion()
    I_B = sp.Matrix(BODY_INERTIA)
    assert_vanishes(w_s.T * I_s * w_s - w.T * I_B * w)
    assert_vanishes(Rm.T * I_s * Rm - I_B)


def test_the_rate_of_i_s_with_its_second_term_restored() -> None:
    """dI_s/dt = w_s^ I_s - I_s w_s^ (printed w_s x I_s); the missing term does nothing to w_s itself."""
    _, w_s, I_s, _ = motion()
    hat = sp.Matrix(matrix.skew(tuple(w_s)))
    assert_vanishes(I_s.diff(t) - (hat * I_s - I_s * hat))
    assert_vanishes(I_s.diff(t) * w_s - hat * I_s * w_s)


def test_10_37_and_10_44_euler_s_equation_in_both_frames() -> None:
    """tau_s = d/dt (I_s w_s) = w_s x I_s w_s + I_s w_sd, and tau = R^T tau_s = w^ I w + I wd."""
    Rm, w_s, I_s, w = motion()
    I_B = sp.Matrix(BODY_INERTIA)
    tau_s = (I_s * w_s).diff(t)
    assert_vanishes(tau_s - (w_s.cross(I_s * w_s) + I_s * w_s.diff(t)))
    assert_vanishes(Rm.T * tau_s - (sp.Matrix(matrix.skew(tuple(w))) * I_B * w + I_B * w.diff(t)))


def test_10_45_euler_s_equation_in_principal_axes() -> None:
    Ixx, Iyy, Izz, wx, wy, wz, wxd, wyd, wzd = sp.symbols("Ixx Iyy Izz wx wy wz wxd wyd wzd")
    w, wd, I_B = (wx, wy, wz), (wxd, wyd, wzd), matrix.diagonal((Ixx, Iyy, Izz))
    found = matrix.add(matrix.matvec(I_B, wd), matrix.cross(w, matrix.matvec(I_B, w)))
    printed = [
        Ixx * wxd + (Izz - Iyy) * wy * wz,
        Iyy * wyd + (Ixx - Izz) * wx * wz,
        Izz * wzd + (Iyy - Ixx) * wx * wy,
    ]
    assert (sp.Matrix(found) - sp.Matrix(printed)).expand() == sp.zeros(3, 1)


q1, q2, q3, q1d, q2d, q3d = sp.symbols("q1 q2 q3 q1d q2d q3d", real=True)


def test_10_47_to_10_49_euler_rates() -> None:
    """The book's order is line of nodes q1, spin q2, tilt q3: body 3-1-3 with (q1, q3, q2)."""
    printed = [
        q3d * cos(q2) + q1d * sin(q2) * sin(q3),
        -q3d * sin(q2) + q1d * cos(q2) * sin(q3),
        q2d + q1d * cos(q3),
    ]
    found = euler.angular_velocity("3-1-3", (q1, q3, q2), (q1d, q3d, q2d))
    assert (sp.Matrix(found) - sp.Matrix(printed)).expand() == sp.zeros(3, 1)


def test_the_angles_of_fig_10_7_are_where_the_book_says() -> None:
    """q1 from x_s to the line of nodes, q3 from z_s to z, q2 from the line of nodes to x."""
    Rm = sp.Matrix(euler.matrix("3-1-3", (q1, q3, q2)))
    nodes = sp.Matrix([cos(q1), sin(q1), 0])
    x, z = Rm[:, 0], Rm[:, 2]
    assert sp.simplify(z[2] - cos(q3)) == 0
    assert sp.simplify(z.dot(nodes)) == 0
    assert sp.simplify(x.dot(nodes) - cos(q2)) == 0
    assert sp.simplify(nodes.cross(x).dot(z) - sin(q2)) == 0


@pytest.mark.parametrize("tilt", [0.0, np.pi])
def test_the_coordinates_of_fig_10_7_go_bad_where_z_and_z_s_are_parallel(tilt: float) -> None:
    rates = np.array(euler.rate_matrix("3-1-3", (0.3, tilt, 0.8)), dtype=float)
    assert np.linalg.matrix_rank(rates, tol=1e-12) == 2
