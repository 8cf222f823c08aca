"""Inertia of solids by integration, transfer and composition, and the refusal of impossible ones."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from cardan.errors import ImpossibleInertia, WrongShape
from cardan.geometry import inertia, rotation
from cardan.geometry.inertia import MassProperties
from cardan.geometry.matrix import IDENTITY, ZERO, determinant, matvec
from cardan.geometry.rigid import Placement
from support.close import EPS, assert_close

ROUND_OFF = 64 * EPS
m, r, a, b, c, h, r1, r2 = sp.symbols("m r a b c h r1 r2", positive=True)

u, theta, phi = sp.symbols("u theta phi", positive=True)
x, y, z = sp.symbols("x y z", real=True)
TURN = (phi, 0, 2 * sp.pi)

BY_INTEGRATION = {
    "box": (
        inertia.box(m, a, b, c),
        (x, y, z),
        [(x, -a / 2, a / 2), (y, -b / 2, b / 2), (z, -c / 2, c / 2)],
        a * b * c,
        1,
    ),
    "cylinder": (
        inertia.cylinder(m, r, h),
        (u * sp.cos(phi), u * sp.sin(phi), z),
        [(u, 0, r), TURN, (z, -h / 2, h / 2)],
        sp.pi * r**2 * h,
        u,
    ),
    "disc": (inertia.disc(m, r), (u * sp.cos(phi), u * sp.sin(phi), 0), [(u, 0, r), TURN], sp.pi * r**2, u),
    "hoop": (inertia.hoop(m, r), (r * sp.cos(phi), r * sp.sin(phi), 0), [TURN], 2 * sp.pi * r, r),
    "rod": (inertia.rod(m, h), (0, 0, z), [(z, -h / 2, h / 2)], h, 1),
    "ellipsoid": (
        inertia.ellipsoid(m, a, b, c),
        (a * u * sp.sin(theta) * sp.cos(phi), b * u * sp.sin(theta) * sp.sin(phi), c * u * sp.cos(theta)),
        [(u, 0, 1), (theta, 0, sp.pi), TURN],
        4 * sp.pi * a * b * c / 3,
        a * b * c * u**2 * sp.sin(theta),
    ),
    "sphere": (
        inertia.sphere(m, r),
        (u * sp.sin(theta) * sp.cos(phi), u * sp.sin(theta) * sp.sin(phi), u * sp.cos(theta)),
        [(u, 0, r), (theta, 0, sp.pi), TURN],
        4 * sp.pi * r**3 / 3,
        u**2 * sp.sin(theta),
    ),
    "shell": (
        inertia.spherical_shell(m, r),
        (r * sp.sin(theta) * sp.cos(phi), r * sp.sin(theta) * sp.sin(phi), r * sp.cos(theta)),
        [(theta, 0, sp.pi), TURN],
        4 * sp.pi * r**2,
        r**2 * sp.sin(theta),
    ),
    "tube": (
        inertia.tube(m, r1, r2, h),
        (u * sp.cos(phi), u * sp.sin(phi), z),
        [(u, r1, r2), TURN, (z, -h / 2, h / 2)],
        sp.pi * (r2**2 - r1**2) * h,
        u,
    ),
}


@pytest.mark.parametrize("name", BY_INTEGRATION)
def test_the_inertia_of_a_solid_is_the_integral_of_choset_10_42(name: str) -> None:
    found, point, ranges, volume, element = BY_INTEGRATION[name]
    p = sp.Matrix(point)
    integrand = (p.dot(p) * sp.eye(3) - p * p.T) * element
    measure = sp.integrate(sp.sympify(element), *ranges)
    assert sp.simplify(measure - volume) == 0
    expected = (integrand.applyfunc(lambda f: sp.integrate(sp.expand(f), *ranges)) * m / volume).applyfunc(sp.simplify)
    assert (sp.Matrix(found) - expected).applyfunc(sp.simplify) == sp.zeros(3)


def test_solids_of_numbers_agree_with_solids_of_symbols() -> None:
    values = {m: 2.3, r: 0.7, a: 0.4, b: 0.9, c: 1.3, h: 1.1, r1: 0.2, r2: 0.5}
    pairs = [
        (inertia.sphere, (m, r)),
        (inertia.spherical_shell, (m, r)),
        (inertia.ellipsoid, (m, a, b, c)),
        (inertia.box, (m, a, b, c)),
        (inertia.cylinder, (m, r, h)),
        (inertia.tube, (m, r1, r2, h)),
        (inertia.disc, (m, r)),
        (inertia.hoop, (m, r)),
        (inertia.rod, (m, h)),
        (inertia.dumbbell, (m, r)),
    ]
    for solid, symbols in pairs:
        numbers = solid(*(values[s] for s in symbols))
        expected = np.array(sp.Matrix(solid(*symbols)).subs(values), dtype=float)
        assert_close(numbers, expected, within=ROUND_OFF, because="the same formula in doubles")
        inertia.check_inertia(numbers, solid.__name__)


def particles(seed: int, count: int = 5) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.uniform(0.2, 1.5, count), rng.uniform(-1, 1, (count, 3))


def inertia_by_sum(masses: np.ndarray, positions: np.ndarray, about: np.ndarray) -> np.ndarray:
    d = positions - about
    return sum(mass * (p @ p * np.eye(3) - np.outer(p, p)) for mass, p in zip(masses, d, strict=True))


def test_point_masses_have_the_inertia_of_the_sum() -> None:
    masses, positions = particles(0)
    body = inertia.point_masses(zip(masses, positions, strict=True))
    com = masses @ positions / masses.sum()
    assert_close(body.mass, masses.sum(), within=ROUND_OFF, because="five numbers near 1")
    assert_close(body.com, com, within=ROUND_OFF, because="five numbers near 1")
    assert_close(body.inertia, inertia_by_sum(masses, positions, com), within=ROUND_OFF, because="sums near 5")
    point = np.array([0.3, -0.8, 0.5])
    about = inertia.inertia_about(body, point)
    assert_close(about, inertia_by_sum(masses, positions, point), within=ROUND_OFF, because="sums near 10")


def test_bodies_placed_and_welded_have_the_inertia_of_all_their_particles() -> None:
    (m1, p1), (m2, p2) = particles(1), particles(2)
    bodies = [inertia.point_masses(zip(mm, pp, strict=True)) for mm, pp in ((m1, p1), (m2, p2))]
    X = Placement(rotation.exp((0.3, -1.0, 0.8)), (0.5, 2.0, -1.0))
    welded = inertia.combine([bodies[0], inertia.placed(bodies[1], X)])
    moved = p2 @ np.array(X.R).T + np.array(X.p)
    masses, positions = np.concatenate([m1, m2]), np.concatenate([p1, moved])
    com = masses @ positions / masses.sum()
    assert_close(welded.com, com, within=ROUND_OFF, because="ten numbers near 1")
    assert_close(welded.inertia, inertia_by_sum(masses, positions, com), within=4 * ROUND_OFF, because="sums near 30")


def test_a_rotated_inertia_is_symmetric_to_the_last_bit() -> None:
    R = rotation.exp((0.3, -1.0, 0.8))
    turned = np.array(inertia.rotated(inertia.box(1.3, 0.2, 0.5, 0.9), R))
    assert (turned == turned.T).all()


def test_a_hole_is_a_part_of_negative_mass() -> None:
    """A tube is a cylinder less a thinner one of the same density (Choset problem 5)."""
    rho = sp.Symbol("rho", positive=True)
    m_out, m_in = rho * sp.pi * r2**2 * h, rho * sp.pi * r1**2 * h
    hole = inertia.cylinder(-m_in, r1, h)
    tube = inertia.combine(
        [MassProperties(m_out, (0, 0, 0), inertia.cylinder(m_out, r2, h)), MassProperties(-m_in, (0, 0, 0), hole)]
    )
    expected = inertia.tube(m_out - m_in, r1, r2, h)
    assert (sp.Matrix(tube.inertia) - sp.Matrix(expected)).applyfunc(sp.simplify) == sp.zeros(3)


def test_nothing_combined_is_nothing_and_massless_bodies_are_legal() -> None:
    assert inertia.combine([]) == MassProperties(0, (0, 0, 0), ZERO)
    massless = inertia.combine([MassProperties(0.0, (1.0, 2.0, 3.0), ZERO)])
    assert massless.com == (0, 0, 0)


@pytest.mark.parametrize("turn", [(0.9, -0.4, 1.2), (0.0, 0.0, 0.0), (-1.0, 0.3, 0.5), (2.0, 1.0, -0.7), (0.2, -2, 1)])
def test_principal_axes_turn_the_inertia_diagonal(turn: tuple[float, float, float]) -> None:
    turned = inertia.rotated(inertia.box(2.0, 3.0, 2.0, 1.0), rotation.exp(turn))
    moments, axes = inertia.principal_axes(turned)
    expected = (2.0 * (1 + 4) / 12, 2.0 * (1 + 9) / 12, 2.0 * (4 + 9) / 12)
    assert_close(moments, expected, within=ROUND_OFF, because="moments near 2")
    assert_close(determinant(axes), 1.0, within=ROUND_OFF, because="a rotation")
    for j, moment in enumerate(moments):
        axis = [row[j] for row in axes]
        because = "an eigenvector of a matrix of size 2"
        assert_close(matvec(turned, axis), np.multiply(moment, axis), within=ROUND_OFF, because=because)


@given(st.tuples(*[st.floats(0, 10)] * 3), st.tuples(*[st.floats(-2, 2)] * 3))
def test_every_real_body_passes_the_check(masses: tuple[float, ...], turn: tuple[float, ...]) -> None:
    """A jack of three pairs of points, turned anyhow: flat, thin and massless ones included."""
    inertia.check_inertia(inertia.rotated(inertia.jack(masses, 0.7), rotation.exp(turn)), "jack")


@given(st.tuples(*[st.floats(0.1, 10)] * 3))
def test_a_jack_can_have_any_possible_moments(masses: tuple[float, ...]) -> None:
    found = inertia.jack_masses([inertia.jack(masses, 0.7)[i][i] for i in range(3)], 0.7)
    assert_close(found, masses, within=400 * EPS, because="differences of moments up to 20, divided by 2")


def test_a_broken_triangle_inequality_is_refused_with_its_numbers() -> None:
    with pytest.raises(ImpossibleInertia, match=r"'rotor' breaks the triangle inequality: .* 1, 1, 3 .* by 1\b") as e:
        inertia.check_inertia(((1.0, 0, 0), (0, 1.0, 0), (0, 0, 3.0)), "rotor")
    assert e.value.name == "rotor"
    assert_close(e.value.moments, (1.0, 1.0, 3.0), within=ROUND_OFF, because="eigenvalues of a diagonal matrix")
    R = rotation.exp((0.5, 0.4, -0.9))
    with pytest.raises(ImpossibleInertia, match="triangle"):
        inertia.check_inertia(inertia.rotated(((1.0, 0, 0), (0, 1.0, 0), (0, 0, 2.1)), R), "tilted")


def test_the_triangle_inequality_has_room_for_typed_digits_only() -> None:
    inertia.check_inertia(((1.0, 0, 0), (0, 1.0, 0), (0, 0, 2.0 + 1e-9)), "disc")
    with pytest.raises(ImpossibleInertia):
        inertia.check_inertia(((1.0, 0, 0), (0, 1.0, 0), (0, 0, 2.0 + 3e-9)), "disc")


@pytest.mark.parametrize(
    ("matrix", "complaint"),
    [
        (((1.0, 0.1, 0), (0.2, 1.0, 0), (0, 0, 1.0)), r"not symmetric: entry \(1,2\) is 0.1 and \(2,1\) is 0.2"),
        (((-1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0)), "negative moment"),
        (((1.0, 1.5, 0), (1.5, 1.0, 0), (0, 0, 1.0)), "negative moment: its principal moments are -0.5"),
        (((1.0, 0, 0), (0, float("nan"), 0), (0, 0, 1.0)), "not finite"),
        (((1.0, 0, 0), (0, float("inf"), 0), (0, 0, 1.0)), "not finite"),
    ],
)
def test_what_no_body_can_have_is_refused(matrix, complaint: str) -> None:
    with pytest.raises(ImpossibleInertia, match=complaint):
        inertia.check_inertia(matrix, "body")


def test_zero_is_legal_and_symbols_are_not_looked_at_but_numbers_beside_them_are() -> None:
    inertia.check_inertia(ZERO, "massless")
    inertia.check_inertia(inertia.rod(1.0, 2.0), "rod")
    s = sp.Symbol("s")
    inertia.check_inertia(((s, 0, 0), (0, 1.0, 0), (0, 0, 30.0)), "unknown")
    with pytest.raises(ImpossibleInertia, match="negative moment"):
        inertia.check_inertia(((s, 0, 0), (0, -1.0, 0), (0, 0, 3.0)), "half known")
    with pytest.raises(ImpossibleInertia, match="triangle inequality: of its diagonal"):
        inertia.check_inertia(((1, s, 0), (s, 1, 0), (0, 0, sp.Integer(3))), "products unknown")
    with pytest.raises(ImpossibleInertia, match="not symmetric"):
        inertia.check_inertia(((s, 1.0, 0), (2.0, s, 0), (0, 0, s)), "skewed")


@pytest.mark.parametrize("mass", [-1.0, float("nan"), float("inf"), sp.Integer(-2)])
def test_impossible_masses_are_refused(mass) -> None:
    with pytest.raises(ImpossibleInertia, match="mass of 'ball' must be a finite number of at least 0"):
        inertia.check_mass(mass, "ball")


@pytest.mark.parametrize("mass", [0, 0.0, 2.5, sp.Symbol("m")])
def test_possible_masses_pass(mass) -> None:
    inertia.check_mass(mass, "ball")


def test_an_inertia_may_be_given_as_one_number_three_or_nine() -> None:
    s = sp.Symbol("s")
    assert inertia.as_inertia(2.0) == ((2.0, 0, 0), (0, 2.0, 0), (0, 0, 2.0))
    assert inertia.as_inertia(s) == ((s, 0, 0), (0, s, 0), (0, 0, s))
    assert inertia.as_inertia((1.0, 2.0, s)) == ((1.0, 0, 0), (0, 2.0, 0), (0, 0, s))
    assert inertia.as_inertia(np.array([1.0, 2.0, 2.5])) == ((1.0, 0, 0), (0, 2.0, 0), (0, 0, 2.5))
    assert inertia.as_inertia(np.eye(3)) == IDENTITY
    assert inertia.as_inertia(sp.eye(3)) == IDENTITY
    assert inertia.as_inertia(np.float64(2.0))[1] == (0, 2.0, 0)
    with pytest.raises(WrongShape, match="inertia of 'link'"):
        inertia.as_inertia((1.0, 2.0), "link")
    with pytest.raises(ImpossibleInertia, match="'link'"):
        inertia.as_inertia((1.0, 2.0, 4.0), "link")


def test_math_of_the_check_is_scale_free() -> None:
    """A microgram and a planet are judged alike."""
    for size in (1e-12, 1.0, 1e40):
        inertia.check_inertia(inertia.disc(size, 1.0), "disc")
        with pytest.raises(ImpossibleInertia):
            inertia.check_inertia(((size, 0, 0), (0, size, 0), (0, 0, 2.001 * size)), "wrong")
