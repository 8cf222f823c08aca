"""Hemingway & O'Reilly (2017), 4.2 and 5.2: a particle held by rotating half-planes and lines (rows H2, H7).

The constraint force is held three ways: as the multiplier of a prescribed coordinate, as the reaction of the particle
by balance (finite at r = 0 and R = 0), and as the multiplier of a row whose gradient is a unit vector.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from sympy import cos, sin

import cardan as cd
from support.forces import column, dot, moving_numbers, rate
from support.routes import State, assert_printed, assert_same, numbers, states, vanishes

PLANE = [(0.2, 3.0), (-2.0, 2.0)]


def law(s: Any) -> Any:
    """theta = f(t) of (23)."""
    a, b = s.parameters(a=0.8, b=0.3)
    return sin(a * s.time) + b * s.time**2


def half_plane() -> tuple[Any, ...]:
    """H2: cylindrical polar coordinates with theta = f(t)."""
    s = cd.System("particle on a rotating half-plane")
    r, z, theta = s.coordinates("r", on="R+"), s.coordinates("z"), s.coordinates("theta")
    m = s.parameters(m=1.7)
    P = s.particle("P", mass=m, coordinates=cd.PolarCylindrical(r, theta, z))
    F = column(*s.force("F", on=P))
    f = law(s)
    s.prescribe(theta, f)
    e_r, e_theta = column(cos(f), sin(f), 0), column(-sin(f), cos(f), 0)
    return s, (r, z), m, f, F, e_r, e_theta


def printed_32(r: Any, m: Any, f: Any, t: Any, F: Any, e_theta: Any) -> Any:
    """(32): m r fdd + 2 m rd fd - F . e_theta, the component of the constraint force along e_theta."""
    return m * r * sp.diff(f, t, 2) + 2 * m * r.dot * sp.diff(f, t) - dot(F, e_theta)


def test_29_kinetic_energy_on_the_half_plane() -> None:
    s, (r, z), m, f, *_ = half_plane()
    printed = column(m * (r.dot**2 + z.dot**2) / 2, 0, m * sp.diff(f, s.time) ** 2 * r**2 / 2)
    assert vanishes(sp.Matrix(s.equations().kinetic_energy_split) - printed)


def test_31_equations_of_motion_on_the_half_plane() -> None:
    """(31) with its lost factor restored: m rdd - m r fd^2 = F . e_r."""
    s, (r, _), m, f, F, e_r, _ = half_plane()
    assert_printed(s, M=m * sp.eye(2), f=[-m * r * sp.diff(f, s.time) ** 2, 0], Q=[dot(F, e_r), F[2]], ranges=PLANE)


def test_32_the_constraint_force_by_balance_stays_finite_at_r_0() -> None:
    """(24) and (32): F_c = (mu / r) e_theta has no r in a denominator; (30): nothing along e_r and E_3."""
    s, (r, _), m, f, F, _, e_theta = half_plane()
    eq, mu = s.equations(), printed_32(r, m, f, s.time, F, e_theta)
    own = eq.reactions["P"].force  # along e_r, e_theta, E_3
    assert vanishes(own[1] - mu)
    assert vanishes(eq.multipliers["theta"] - r * mu)
    value = numbers(s, mu * e_theta)
    for state in states(s, [(0.0, 3.0), (-2.0, 2.0)]):
        at = eq.at(state.q, state.v, state.t, loads=state.signals)
        assert_same(at.reactions["P"].force, value(state).ravel())
        at_axis = State(np.array([0.0, state.q[1]]), state.v, state.t, state.signals)
        at = eq.at(at_axis.q, at_axis.v, at_axis.t, loads=at_axis.signals)
        assert_same(at.reactions["P"].force, value(at_axis).ravel())
        assert at.multipliers["theta"] == 0


def test_30_the_constraint_force_is_orthogonal_but_not_powerless() -> None:
    """dT/dt = F . v + mu fd with T of (29) and v of (27)."""
    s, (r, z), m, f, F, e_r, e_theta = half_plane()
    eq, fd = s.equations(), sp.diff(f, s.time)
    T = m * (r.dot**2 + z.dot**2) / 2 + m * fd**2 * r**2 / 2
    power = dot(F, r.dot * e_r + fd * r * e_theta + column(0, 0, z.dot))
    value = moving_numbers(s, [rate(T, (r, z)) + sp.diff(T, s.model.time) - power, fd])
    for state in states(s, PLANE):
        at = eq.at(state.q, state.v, state.t, loads=state.signals)
        driven, speed = value(state, at.acceleration)
        assert_same(at.multipliers["theta"] * speed, driven)


def test_32_is_the_multiplier_of_a_row_with_a_unit_gradient() -> None:
    """In Cartesian coordinates e_theta . x = 0, and as v . e_theta = 0 relative to the turning plane: lam is (32)."""
    reference, (r, _), m, f, F, _, e_theta = half_plane()
    value = numbers(reference, [printed_32(r, m, f, reference.time, F, e_theta)])

    def cartesian() -> tuple[Any, ...]:
        s = cd.System("particle in Cartesian coordinates")
        x, y, z = s.coordinates("x y z")
        P = s.particle("P", mass=s.parameters(m=1.7), position=s.world.vector(x, y, z))
        s.force("F", on=P)
        return s, (x, y), P, law(s)

    s, (x, y), P, f_1 = cartesian()
    s.constrain(y * cos(f_1) - x * sin(f_1), name="row")
    row = s.equations()
    s, _, P, f_2 = cartesian()
    plane = s.frame("plane", joint=cd.Revolute("z", f_2))
    s.no_slip(on=P, along=plane.y, relative_to=plane, name="row")
    slip = s.equations()
    for state in states(reference, [(0.0, 3.0), (-2.0, 2.0)]):
        angle = float(f.subs(reference.model.values).subs(reference.time, state.t))
        fd = float(sp.diff(f, reference.time).subs(reference.model.values).subs(reference.time, state.t))
        (r_0, z_0), (rd, zd) = state.q, state.v
        e = np.array([np.cos(angle), np.sin(angle), 0])
        q = r_0 * e + [0, 0, z_0]
        v = rd * e + r_0 * fd * np.array([-e[1], e[0], 0]) + [0, 0, zd]
        for eq in (row, slip):
            at = eq.at(q, v, state.t, loads=state.signals)
            assert_same(at.b0 + at.A @ v, [0.0])
            assert_same(at.multipliers["row"], value(state)[0, 0])


# --- the rotating half-line and line (H7) --------------------------------------------------------------


def line() -> tuple[Any, ...]:
    """H7: spherical polar coordinates with theta = f1(t), phi = f2(t); R of either sign is the full line."""
    s = cd.System("particle on a rotating line")
    R, theta, phi = s.coordinates("R theta phi")
    m, a, b = s.parameters(m=1.7, a=0.8, b=0.3)
    P = s.particle("P", mass=m, coordinates=cd.PolarSpherical(R, phi, theta))
    F = column(*(s.force(f"F_{k}", on=P, along=e) for k, e in (("R", P.e_R), ("theta", P.e_theta), ("phi", P.e_phi))))
    f1, f2 = sin(a * s.time), 1 + b * s.time**2
    s.prescribe(theta, f1)
    s.prescribe(phi, f2)
    return s, R, m, (f1, f2), F


def printed_60(R: Any, m: Any, f1: Any, f2: Any, t: Any, F: Any) -> tuple[Any, Any]:
    """(60) with its lost dots: the constraint force along e_theta and along e_phi."""
    f1d, f1dd, f2d, f2dd = sp.diff(f1, t), sp.diff(f1, t, 2), sp.diff(f2, t), sp.diff(f2, t, 2)
    along_theta = m * R * f1dd * sin(f2) + 2 * m * f1d * (R.dot * sin(f2) + R * f2d * cos(f2)) - F[1]
    along_phi = m * R * f2dd + 2 * m * R.dot * f2d - m * R * sin(f2) * cos(f2) * f1d**2 - F[2]
    return along_theta, along_phi


def test_58_kinetic_energy_on_the_line() -> None:
    s, R, m, (f1, f2), _ = line()
    f1d, f2d = sp.diff(f1, s.time), sp.diff(f2, s.time)
    printed = column(m * R.dot**2 / 2, 0, m * (f1d**2 * R**2 * sin(f2) ** 2 + f2d**2 * R**2) / 2)
    assert vanishes(sp.Matrix(s.equations().kinetic_energy_split) - printed)


def test_59_equation_of_motion_on_the_line() -> None:
    """(59) with its lost dots: m Rdd - m R (f2d^2 + f1d^2 sin^2 f2) = F . e_R."""
    s, R, m, (f1, f2), F = line()
    f1d, f2d = sp.diff(f1, s.time), sp.diff(f2, s.time)
    assert_printed(s, M=[[m]], f=[-m * R * (f2d**2 + f1d**2 * sin(f2) ** 2)], Q=[F[0]], ranges=[(-2.0, 2.0)])


def test_60_the_constraint_force_on_the_line_and_at_its_origin() -> None:
    """(55): F_c = mu1 / (R sin f2) e_theta + mu2 / R e_phi, so mu1 = R sin(f2) F_c.e_theta and mu2 = R F_c.e_phi."""
    s, R, m, (f1, f2), F = line()
    eq = s.equations()
    along_theta, along_phi = printed_60(R, m, f1, f2, s.time, F)
    assert vanishes(eq.multipliers["theta"] - R * sin(f2) * along_theta)
    assert vanishes(eq.multipliers["phi"] - R * along_phi)
    e_r, e_theta = column(cos(f1), sin(f1), 0), column(-sin(f1), cos(f1), 0)
    e_phi = cos(f2) * e_r - column(0, 0, sin(f2))
    value = numbers(s, along_theta * e_theta + along_phi * e_phi)
    for state in states(s, [(-2.0, 2.0)]):
        for place in (state.q, np.zeros(1)):
            here = State(place, state.v, state.t, state.signals)
            at = eq.at(place, state.v, state.t, loads=state.signals)
            assert_same(at.reactions["P"].force, value(here).ravel())


def test_60_on_a_line_that_two_driven_hinges_carry() -> None:
    """The same force where the line is a frame on two revolute joints with given motions and R slides along it."""
    reference, R, m, (f1, f2), F = line()
    along_theta, along_phi = printed_60(R, m, f1, f2, reference.time, F)
    s = cd.System("particle on a line carried by hinges")
    R_e = s.coordinates("R")
    m_1, a, b = s.parameters(m=1.7, a=0.8, b=0.3)
    post = s.frame("post", joint=cd.Revolute("z", sin(a * s.time)))
    rail = s.frame("rail", parent=post, joint=cd.Revolute("y", 1 + b * s.time**2))
    P = s.particle("P", mass=m_1, position=rail.vector(0, 0, R_e), frame=rail)
    for name, along in (("F_R", rail.z), ("F_theta", rail.y), ("F_phi", rail.x)):
        s.force(name, on=P, along=along)
    own = s.equations().reactions["P"].force  # along rail.x = e_phi, rail.y = e_theta, rail.z = e_R
    assert vanishes(own[0] - along_phi)
    assert vanishes(own[1] - along_theta)
    eq, first = s.equations(), reference.equations()
    for state in states(reference, [(-2.0, 2.0)]):
        at = eq.at(state.q, state.v, state.t, loads=state.signals)
        expected = first.at(state.q, state.v, state.t, loads=state.signals)
        assert_same(at.acceleration, expected.acceleration)
        assert_same(at.reactions["P"].force, expected.reactions["P"].force)
