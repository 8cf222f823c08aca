"""Choset et al. (2005), sections 10.1, 10.2 and 10.4.1: planar body, RP arm, planar rotation (rows C1, C2, C5)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp
from sympy import cos, sin

import cardan as cd
from support.close import assert_close
from support.routes import assert_printed, assert_same, numbers, states, vanishes

ANGLE, PLACE = (-3.0, 3.0), (-2.0, 2.0)


def planar_body() -> tuple[Any, ...]:
    """Example 10.1.1: forces through the centre of mass, torque about it, gravity along -q2."""
    s = cd.System("planar body")
    q = s.coordinates("q1 q2 q3")
    m, inertia, a_g = s.parameters(m=1.7, I=0.4, a_g=9.81)
    body = s.body("body", mass=m, inertia=(inertia, inertia, inertia), joint=cd.Planar(*q))
    s.gravity(-a_g * s.world.y)
    u = [s.force("u1", on=body, along=s.world.x), s.force("u2", on=body, along=s.world.y)]
    return s, q, (m, inertia, a_g), [*u, s.moment("u3", on=body, along=s.world.z)]


def test_10_2_to_10_4_the_planar_body() -> None:
    """u1 = m qdd1, u2 = m qdd2 + m a_g (the printed sign of m a_g in (10.3) is a slip), u3 = I qdd3."""
    s, _, (m, inertia, a_g), u = planar_body()
    assert_printed(s, M=sp.diag(m, m, inertia), f=[0, 0, 0], g=[0, m * a_g, 0], Q=u, ranges=[PLACE, PLACE, ANGLE])


def test_10_3_a_body_let_go_falls() -> None:
    s, *_ = planar_body()
    run = s.simulate(2.0, q=[0, 5, 0], v=[1, 0, 0.5])
    fallen = np.stack([run.t, 5 - 9.81 / 2 * run.t**2, 0.5 * run.t], axis=1)
    assert_close(
        run.q, fallen, within=1e-12, because="a polynomial of degree two is integrated exactly; sizes up to 20"
    )


def test_10_1_the_typed_lagrangian_gives_the_same() -> None:
    s = cd.System("planar body, typed")
    q1, q2, q3 = s.coordinates("q1 q2 q3")
    m, inertia, a_g = s.parameters(m=1.7, I=0.4, a_g=9.81)
    s.lagrangian(m * (q1.dot**2 + q2.dot**2) / 2 + inertia * q3.dot**2 / 2 - m * a_g * q2)
    u = [s.input(f"u{k}") for k in (1, 2, 3)]
    for q, force in zip((q1, q2, q3), u, strict=True):
        s.generalized_force(q, force)
    assert_printed(s, M=sp.diag(m, m, inertia), f=[0, 0, 0], g=[0, m * a_g, 0], Q=u, ranges=[PLACE, PLACE, ANGLE])


def rp_arm() -> tuple[Any, ...]:
    """Example 10.1.2: link 1 turns by q1, link 2 slides out by q2 along it; gravity along -x2 of the world."""
    s = cd.System("RP manipulator")
    q1, q2 = s.coordinates("q1", on="S1"), s.coordinates("q2", on="R+")
    p = m1, m2, I1, I2, r1, a_g = s.parameters(m1=1.3, m2=0.8, I1=0.5, I2=0.2, r1=0.6, a_g=9.81)
    first = s.body("first", mass=m1, inertia=(0, I1, I1), com=(r1, 0, 0), joint=cd.Revolute("z", q1))
    second = s.body("second", mass=m2, inertia=(0, I2, I2), joint=cd.Prismatic("x", q2), parent=first)
    s.gravity(-a_g * s.world.y)
    return s, (q1, q2), p, (first, second)


def printed_rp(q: Any, p: Any) -> dict[str, Any]:
    """M, C qd and g as printed after (10.7)."""
    (q1, q2), (m1, m2, I1, I2, r1, a_g) = q, p
    return {
        "M": sp.diag(I1 + I2 + m1 * r1**2 + m2 * q2**2, m2),
        "f": sp.Matrix([2 * m2 * q2 * q1.dot * q2.dot, -m2 * q2 * q1.dot**2]),
        "g": sp.Matrix([a_g * (m1 * r1 + m2 * q2) * cos(q1), a_g * m2 * sin(q1)]),
    }


RP_RANGES = [ANGLE, (0.2, 2.0)]


def test_10_5_and_10_6_the_rp_arm() -> None:
    s, q, p, (first, second) = rp_arm()
    u = [s.moment("u1", on=first, along=s.world.z), s.force("u2", on=second, along=first.x)]
    assert_printed(s, **printed_rp(q, p), Q=u, ranges=RP_RANGES)


def test_the_printed_lagrangian_of_the_rp_arm() -> None:
    s, (q1, q2), (m1, m2, I1, I2, r1, a_g), _ = rp_arm()
    K = ((I1 + I2 + m1 * r1**2 + m2 * q2**2) * q1.dot**2 + m2 * q2.dot**2) / 2
    V = a_g * sin(q1) * (m1 * r1 + m2 * q2)
    eq = s.equations()
    assert vanishes(eq.kinetic_energy - K)
    assert vanishes(eq.potential_energy - V)


def test_example_10_2_1_all_eight_christoffel_symbols() -> None:
    """Gamma^1_12 = Gamma^1_21 = m2 q2, Gamma^2_11 = -m2 q2, the rest zero."""
    s, (_, q2), (_, m2, *_), _ = rp_arm()
    printed = {(0, 0, 1): m2 * q2, (0, 1, 0): m2 * q2, (1, 0, 0): -m2 * q2}
    gamma = s.equations().christoffel
    for i, j, k in np.ndindex(2, 2, 2):
        assert vanishes(gamma[i, j, k] - printed.get((i, j, k), 0))


def test_10_8_the_coriolis_matrix_of_christoffel_symbols() -> None:
    """C_ij = sum_k Gamma^i_jk qd_k (index corrected): C qd is the printed vector, and Md - 2 C is skew."""
    s, (q1, q2), p, _ = rp_arm()
    m2, printed = p[1], printed_rp((q1, q2), p)
    C = sp.Matrix([[m2 * q2 * q2.dot, m2 * q2 * q1.dot], [-m2 * q2 * q1.dot, 0]])
    eq = s.equations()
    assert vanishes(eq.coriolis_matrix - C)
    assert vanishes(C * sp.Matrix([q1.dot, q2.dot]) - printed["f"])
    skew = sp.diff(printed["M"], q2) * q2.dot - 2 * C
    assert vanishes(skew + skew.T)
    value = numbers(s, C)
    for state in states(s, RP_RANGES):
        assert_same(eq.at(state.q, state.v).C, value(state))


def test_10_12_thrusters_act_through_the_transposed_jacobian() -> None:
    """u = T(q) f = J^T f; T loses rank at q2 = 0, which the text excludes by q2 > 0."""
    s, (q1, q2), p, (_, second) = rp_arm()
    f = [s.force("f1", on=second, along=s.world.x), s.force("f2", on=second, along=s.world.y)]
    T = sp.Matrix([[-q2 * sin(q1), q2 * cos(q1)], [cos(q1), sin(q1)]])
    assert_printed(s, **printed_rp((q1, q2), p), Q=T * sp.Matrix(f), ranges=RP_RANGES)
    eq = s.equations()
    for distance, rank in ((0.5, 2), (0.0, 1)):
        columns = [eq.at([0.7, distance], loads={name: 1.0}).Q for name in ("f1", "f2")]
        assert np.linalg.matrix_rank(np.stack(columns, axis=1)) == rank


def test_viscous_and_coulomb_friction_are_added() -> None:
    """u = M qdd + C qd + g + b(q, qd), b = d qd + c sign(qd)."""
    s, (q1, q2), p, (first, second) = rp_arm()
    d1, d2, c1, c2 = s.parameters(d1=0.3, d2=0.4, c1=0.1, c2=0.2)
    u = [s.moment("u1", on=first, along=s.world.z), s.force("u2", on=second, along=first.x)]
    b = [d1 * q1.dot + c1 * sp.sign(q1.dot), d2 * q2.dot + c2 * sp.sign(q2.dot)]
    for q, friction in zip((q1, q2), b, strict=True):
        s.generalized_force(q, -friction)
    assert_printed(s, **printed_rp((q1, q2), p), Q=[u[0] - b[0], u[1] - b[1]], ranges=RP_RANGES)


def test_the_work_of_friction_is_what_the_rp_arm_loses() -> None:
    s, (q1, q2), _, _ = rp_arm()
    lost = s.coordinates("lost")  # its rate is the power of friction: Q_lost makes lost_dot follow it, unit inertia
    s.kinetic_energy(lost.dot**2 / 2)
    d = s.parameters(d=0.7)
    s.generalized_force(q1, -d * q1.dot)
    s.generalized_force(q2, -d * q2.dot)
    s.generalized_force(lost, d * (q1.dot**2 + q2.dot**2))
    run = s.simulate(2.0, q=[0.5, 1.0, 0.0], v=[1.0, 0.2, 0.0], rtol=1e-11, atol=1e-13)
    arm = run.energy - run["lost_dot"] ** 2 / 2  # without the meter's own kinetic energy
    assert_close(
        arm + run["lost_dot"], np.full_like(arm, arm[0]), within=1e-8, because="a thousand tolerances; energies near 30"
    )


# --- the inertia matrix ------------------------------------------------------------------------------


def cart_with_arm() -> tuple[Any, ...]:
    """An arm that turns on a cart that slides and turns on the floor; both have their mass off their axes."""
    s = cd.System("cart with arm")
    x, y, psi, a = s.coordinates("x y psi a")
    m, d, inertia = s.parameters(m=1.2, d=0.3, I=0.1)
    cart = s.body("cart", mass=5 * m, inertia=4 * inertia, com=(d / 3, 0, 0), joint=cd.Planar(x, y, psi))
    s.body("arm", mass=m, inertia=inertia, com=(2 * d, 0, 0), at=(d, d, 0), joint=cd.Revolute("z", a), parent=cart)
    return s, (x, y, psi, a)


@pytest.mark.parametrize("build", [planar_body, rp_arm, cart_with_arm])
def test_10_13_and_10_14_the_inertia_matrix_is_the_hessian_of_k(build: Any) -> None:
    s = build()[0]
    eq, v = s.equations(), sp.Matrix(s.model.v)
    assert vanishes(sp.hessian(eq.kinetic_energy, list(v)) - eq.mass_matrix)
    assert vanishes((v.T * eq.mass_matrix * v)[0, 0] / 2 - eq.kinetic_energy)
    kernel, ranges = s.compile(), [(0.2, 2.0)] * len(v)
    for state in states(s, ranges):
        at = eq.at(state.q, state.v)
        assert_same(at.energy["T"], state.v @ at.M @ state.v / 2)
        assert_same(kernel.energy(state.q, state.v)[0], state.v @ kernel.mass_matrix(state.q) @ state.v / 2)
        assert np.all(np.linalg.eigvalsh(at.M) > 0)


def test_the_planar_body_has_a_constant_inertia_matrix_and_no_christoffel_symbols() -> None:
    s, *_ = planar_body()
    eq = s.equations()
    assert not eq.mass_matrix.free_symbols & set(s.model.q)
    assert all(symbol == 0 for symbol in sp.flatten(eq.christoffel))


def test_a_cart_mounted_arm_does_not_feel_where_the_cart_is() -> None:
    """Moved by (dx, dy) nothing changes; turned by an angle, accelerations of the cart turn and the arm's stay."""
    s, (x, y, *_) = cart_with_arm()
    eq, kernel = s.equations(), s.compile()
    assert not eq.mass_matrix.free_symbols & {x, y}
    assert not eq.velocity_terms.free_symbols & {x, y}
    turn = np.eye(4)
    turn[:2, :2] = [[np.cos(0.9), -np.sin(0.9)], [np.sin(0.9), np.cos(0.9)]]
    for state in states(s, [PLACE, PLACE, ANGLE, ANGLE]):
        before = kernel.acceleration(state.q, state.v)
        moved = np.add(state.q, [3.0, -2.0, 0.0, 0.0])
        assert_same(kernel.acceleration(moved, state.v), before)
        turned = np.add(turn @ state.q, [0.0, 0.0, 0.9, 0.0])
        assert_same(kernel.acceleration(turned, turn @ state.v), turn @ before)
        assert_same(kernel.mass_matrix(turned), turn @ eq.at(state.q).M @ turn.T)


# --- translation and planar rotation ------------------------------------------------------------------


def test_10_29_translation() -> None:
    """f = m qdd, whatever the body does about its centre of mass."""
    s = cd.System("free body")
    place = s.coordinates("x y z")
    m = s.parameters(m=1.7)
    body = s.body("body", mass=m, inertia=(1, 2, sp.Rational(5, 2)), joint=cd.Free(*place, cd.Quaternion("e")))
    f = s.force("f", on=body)
    eq, kernel = s.equations(), s.compile()
    assert vanishes(eq.mass_matrix[:3, :3] - m * sp.eye(3))
    assert vanishes(eq.mass_matrix[:3, 3:])
    assert vanishes(eq.velocity_terms[:3, :])
    assert vanishes([eq.generalized_forces[str(q)] - part for q, part in zip(place, f, strict=True)])
    draw = np.random.default_rng(0)
    for _ in range(20):
        e, v, force = draw.normal(size=4), draw.normal(size=6), draw.normal(size=3)
        q = [*draw.normal(size=3), *(e / np.linalg.norm(e))]
        assert_same(eq.at(q, v, loads={"f": force}).acceleration[:3], force / 1.7)
        assert_same(kernel.acceleration(q, v, loads={"f": force})[:3], force / 1.7)


def test_10_30_to_10_33_planar_rotation_and_the_parallel_axis() -> None:
    """K = 1/2 qd^2 I_zz and tau = I_z'z' qdd with I_z'z' = I_zz + m d^2, for a uniform box.

    I_zz = (m/V) int (x^2 + y^2) dV: the printed formula after (10.31) lacks 1/V.
    """
    s = cd.System("box on an axle")
    q = s.coordinates("q", on="S1")
    m, a, b, c, d = s.parameters(m=1.7, a=0.5, b=0.3, c=0.2, d=0.4)
    x, y, z = sp.symbols("x y z")
    box = ((x, -a / 2, a / 2), (y, -b / 2, b / 2), (z, -c / 2, c / 2))
    I_xx, I_yy, I_zz = (
        sp.simplify(m / (a * b * c) * sp.integrate(square, *box)) for square in (y**2 + z**2, x**2 + z**2, x**2 + y**2)
    )
    body = s.body("box", mass=m, inertia=(I_xx, I_yy, I_zz), com=(d, 0, 0), joint=cd.Revolute("z", q))
    tau = s.moment("tau", on=body, along=s.world.z)
    turned = I_zz + m * d**2
    assert vanishes(s.equations().kinetic_energy - turned * q.dot**2 / 2)
    assert_printed(s, M=[[turned]], f=[0], Q=[tau], ranges=[ANGLE])
