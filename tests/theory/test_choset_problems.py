"""Choset et al. (2005), problems of chapter 10 with dynamics: 1 to 5 and 10 to 13 (row C6). Solved here by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from sympy import cos, sin

import cardan as cd
from cardan.geometry import inertia
from support.close import assert_close
from support.forces import column, dot
from support.routes import assert_printed, assert_same, numbers, states, vanishes


def assert_symbols(found: Any, expected: dict[tuple[int, int, int], Any]) -> None:
    """All Christoffel symbols Gamma^i_jk, numbered from 1; those not given vanish."""
    n = found.shape[0]
    for i, j, k in np.ndindex(n, n, n):
        assert vanishes(found[i, j, k] - expected.get((i + 1, j + 1, k + 1), 0)), (i + 1, j + 1, k + 1)


def test_problem_1_a_mass_in_polar_coordinates() -> None:
    """Gamma^1_22 = -m q1 and Gamma^2_12 = Gamma^2_21 = m q1 are printed after (10.10)."""
    s = cd.System("polar mass")
    r, theta = s.coordinates("r theta")
    m = s.parameters(m=1.7)
    u = [s.input(f"u{k}") for k in (1, 2)]
    s.lagrangian(m * (r.dot**2 + r**2 * theta.dot**2) / 2)
    for one, force in zip((r, theta), u, strict=True):
        s.generalized_force(one, force)
    eq = s.equations()
    assert_symbols(eq.christoffel, {(1, 2, 2): -m * r, (2, 1, 2): m * r, (2, 2, 1): m * r})
    assert vanishes(eq.mass_matrix - sp.diag(m, m * r**2))
    f = column(-m * r * theta.dot**2, 2 * m * r * r.dot * theta.dot)  # Lagrange's equations by hand
    assert vanishes(eq.velocity_terms - f)
    assert vanishes(eq.coriolis_matrix * column(r.dot, theta.dot) - f)


def arm_2r() -> tuple[Any, ...]:
    """Figure 10.8 in the vertical plane (x, y), q2 measured from the first link."""
    s = cd.System("2R arm")
    q = q1, q2 = s.coordinates("q1 q2", on="S1")
    p = m1, m2, I1, I2, L1, r1, r2, a_g = s.parameters(m1=1.7, m2=1.1, I1=0.2, I2=0.1, L1=0.9, r1=0.4, r2=0.3, a_g=9.8)
    first = s.body("first", mass=m1, inertia=I1, com=(r1, 0, 0), joint=cd.Revolute("z", q1))
    s.body("second", mass=m2, inertia=I2, com=(r2, 0, 0), parent=first, at=(L1, 0, 0), joint=cd.Revolute("z", q2))
    s.gravity(-a_g * s.world.y)
    u = [s.input(f"u{k}") for k in (1, 2)]
    for one, force in zip(q, u, strict=True):
        s.generalized_force(one, force)
    return s, q, p, u


def test_problem_2_the_2r_arm() -> None:
    s, (q1, q2), (m1, m2, I1, I2, L1, r1, r2, a_g), u = arm_2r()
    M12 = I2 + m2 * (r2**2 + L1 * r2 * cos(q2))
    M11 = I1 + I2 + m1 * r1**2 + m2 * (L1**2 + r2**2 + 2 * L1 * r2 * cos(q2))
    h = m2 * L1 * r2 * sin(q2)
    g2 = m2 * a_g * r2 * cos(q1 + q2)
    assert_printed(
        s,
        M=[[M11, M12], [M12, I2 + m2 * r2**2]],
        f=[-h * (2 * q1.dot * q2.dot + q2.dot**2), h * q1.dot**2],
        g=[(m1 * r1 + m2 * L1) * a_g * cos(q1) + g2, g2],
        Q=u,
        ranges=[(-3.0, 3.0)] * 2,
    )


def test_problem_3_the_eight_christoffel_symbols_of_the_2r_arm() -> None:
    s, (_, q2), (_, m2, _, _, L1, _, r2, _), _ = arm_2r()
    h = m2 * L1 * r2 * sin(q2)
    assert_symbols(s.equations().christoffel, {(1, 1, 2): -h, (1, 2, 1): -h, (1, 2, 2): -h, (2, 1, 1): h})


def test_problem_4_a_pr_arm() -> None:
    """A carriage m1 along x carries a link (m2, I2, centre at r2) in the vertical plane."""
    s = cd.System("PR arm")
    q1, q2 = s.coordinates("q1 q2")
    m1, m2, I2, r2, a_g = s.parameters(m1=1.7, m2=1.1, I2=0.1, r2=0.3, a_g=9.8)
    carriage = s.body("carriage", mass=m1, joint=cd.Prismatic("x", q1))
    s.body("link", mass=m2, inertia=I2, com=(r2, 0, 0), parent=carriage, joint=cd.Revolute("z", q2))
    s.gravity(-a_g * s.world.y)
    k = m2 * r2
    assert_printed(
        s,
        M=[[m1 + m2, -k * sin(q2)], [-k * sin(q2), I2 + m2 * r2**2]],
        f=[-k * cos(q2) * q2.dot**2, 0],
        g=[0, k * a_g * cos(q2)],
        ranges=[(-3.0, 3.0)] * 2,
    )
    assert_symbols(s.equations().christoffel, {(1, 2, 2): -k * cos(q2)})


def test_problem_5_a_tube_is_a_cylinder_without_its_core() -> None:
    """m = rho pi (d2^2 - d1^2) L / 4; m (d1^2 + d2^2) / 8 along, m (d1^2 + d2^2) / 16 + m L^2 / 12 across."""
    L, d1, d2, rho = sp.symbols("L d1 d2 rho", positive=True)
    masses = [rho * sp.pi * d**2 / 4 * L for d in (d1, d2)]
    core, solid = (sp.Matrix(inertia.cylinder(mass, d / 2, L)) for mass, d in zip(masses, (d1, d2), strict=True))
    m = masses[1] - masses[0]
    across = m * (d1**2 + d2**2) / 16 + m * L**2 / 12
    assert vanishes(solid - core - sp.diag(across, across, m * (d1**2 + d2**2) / 8))


def test_problem_10_a_tumbling_body() -> None:
    """Symmetric, no moment: (w1, w2) turns in the body at the rate (I1 - I3) w3 / I1; w3, and H in space, stay."""
    I1, I3, w = 0.8, 0.3, np.array([0.7, 0.0, 2.0])
    s = cd.System("tumbling body")
    s.body("body", mass=1.0, inertia=(I1, I1, I3), joint=cd.Ball(cd.Quaternion("e")))
    run = s.simulate(20.0, q=[1, 0, 0, 0], v=w, rtol=1e-11, atol=1e-13)
    angle = (I1 - I3) / I1 * w[2] * run.t
    expected = np.stack([w[0] * np.cos(angle), -w[0] * np.sin(angle), np.full(len(run), w[2])], axis=1)
    assert_close(run.omega("body"), expected, within=1e-8, because="tolerance 1e-11 over some thousand steps")
    H = np.einsum("tij,tj->ti", run.rotation("body"), run.omega("body") * [I1, I1, I3])
    assert_close(H, np.broadcast_to(w * [I1, I1, I3], H.shape), within=1e-8, because="as above")


# --- a mass on the unit sphere (problems 11 to 13) -----------------------------------------------------


def sphere(how: str) -> tuple[Any, ...]:
    s = cd.System(f"mass on a sphere, {how}")
    q = x, y, z = s.coordinates("x y z")
    m = s.parameters(m=1.7)
    P = s.particle("P", mass=m, position=s.world.vector(x, y, z))
    u = column(*s.force("u", on=P))
    if how == "velocity":
        s.constrain_velocity(x * x.dot + y * y.dot + z * z.dot, name="sphere")
    else:
        s.constrain((x**2 + y**2 + z**2 - 1) / 2, name="sphere")
    return s, q, m, u


def latitude() -> tuple[Any, ...]:
    s = cd.System("mass on a sphere by latitude and longitude")
    q1, q2 = s.coordinates("q1 q2", on="S1")
    m = s.parameters(m=1.7)
    place = s.world.vector(cos(q1) * cos(q2), cos(q1) * sin(q2), sin(q1))
    P = s.particle("P", mass=m, position=place)
    return s, (q1, q2), m, column(*s.force("u", on=P))


def test_problem_11_pfaffian_constraint_accelerations_and_multiplier() -> None:
    """A = q^T; lam = -(m |qd|^2 + q.u) / |q|^2 and qdd = (u + lam q) / m."""
    s, q, m, u = sphere("velocity")
    eq = s.equations()
    place, qd = column(*q), column(*(one.dot for one in q))
    lam = -(m * dot(qd, qd) + dot(place, u)) / dot(place, place)
    assert vanishes(eq.constraint_matrix - place.T)
    assert vanishes(eq.multipliers["sphere"] - lam)
    assert s.constraints["sphere"].is_integrable
    value, other = numbers(s, [*((u + lam * place) / m), lam]), sphere("position")[0].equations()
    for state in states(s, [(0.2, 2.0)] * 3):
        on_sphere = type(state)(state.q / np.linalg.norm(state.q), state.v, state.t, state.signals)
        *vd, force = value(on_sphere).ravel()
        for one in (eq, other):
            at = one.at(on_sphere.q, on_sphere.v, loads=on_sphere.signals)
            assert_same(at.acceleration, vd)
            assert_same(at.multipliers["sphere"], force)


def test_problem_12_the_projection() -> None:
    """P = 1 - q q^T / |q|^2, and P qdd = P u / m."""
    s, q, m, u = sphere("velocity")
    eq, place = s.equations(), column(*q)
    P = sp.eye(3) - place * place.T / dot(place, place)
    assert vanishes(eq.projection - P)
    value, push = numbers(s, P), numbers(s, P * u / m)
    for state in states(s, [(0.2, 2.0)] * 3):
        at = eq.at(state.q, state.v, loads=state.signals)
        assert_same(at.P, value(state))
        assert_same(at.P @ at.acceleration, push(state).ravel())


def test_problem_13_latitude_and_longitude() -> None:
    """M = m diag(1, cos^2 q1); forces: u along north, and cos(q1) times u along east."""
    s, (q1, q2), m, u = latitude()
    sc = sin(q1) * cos(q1)
    north = column(-sin(q1) * cos(q2), -sin(q1) * sin(q2), cos(q1))
    east = column(-sin(q2), cos(q2), 0)
    assert_printed(
        s,
        M=m * sp.diag(1, cos(q1) ** 2),
        f=[m * sc * q2.dot**2, -2 * m * sc * q1.dot * q2.dot],
        Q=[dot(u, north), cos(q1) * dot(u, east)],
        ranges=[(-1.3, 1.3), (-3.0, 3.0)],
    )
    assert_symbols(s.equations().christoffel, {(1, 2, 2): m * sc, (2, 1, 2): -m * sc, (2, 2, 1): -m * sc})


def test_problems_11_and_13_move_alike() -> None:
    """From q1 = 0.3, q2 = 0 with a constant force; the multiplier is the push of the sphere, found by balance."""
    force, v = [0.3, -0.5, 0.2], np.array([0.4, 0.9])
    two, *_ = latitude()
    start = np.array([np.cos(0.3), 0.0, np.sin(0.3)])
    speed = v[0] * np.array([-np.sin(0.3), 0.0, np.cos(0.3)]) + v[1] * np.array([0.0, np.cos(0.3), 0.0])
    times = np.linspace(0, 3, 31)
    reduced = two.simulate(3.0, q=[0.3, 0.0], v=v, loads={"u": force}, rtol=1e-11, atol=1e-13, times=times)
    for how in ("velocity", "position"):
        three, *_ = sphere(how)
        run = three.simulate(3.0, q=start, v=speed, loads={"u": force}, rtol=1e-11, atol=1e-13, times=times)
        assert_close(run.q, reduced.position("P"), within=1e-8, because="1000 times the relative tolerance")
        push = run.multipliers["sphere"][:, None] * run.q
        assert_close(push, reduced.reactions["P"].force, within=1e-7, because="as the motion, with its second rates")
