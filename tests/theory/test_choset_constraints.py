"""Choset et al. (2005), section 10.3: the knife edge and the point on a circle (rows C3, C4).

P_u = 1 - A^T (A M^-1 A^T)^-1 A M^-1 projects forces, P = M^-1 P_u M of (10.19) motions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from sympy import cos, sin

import cardan as cd
from support.close import assert_close
from support.forces import column
from support.routes import assert_same, numbers, states, vanishes

PLACE = [(-2.0, 2.0), (-2.0, 2.0), (-3.0, 3.0)]


def knife(how: str = "typed") -> tuple[Any, ...]:
    """Example 10.3.1: by its Lagrangian and the constraint as printed, or as a body that does not slip along its y."""
    s = cd.System(f"knife edge, {how}")
    q = q1, q2, q3 = s.coordinates("q1 q2 q3")
    m, inertia = s.parameters(m=1.7, I=0.4)
    if how == "typed":
        s.lagrangian(m * (q1.dot**2 + q2.dot**2) / 2 + inertia * q3.dot**2 / 2)
        s.constrain_velocity(q1.dot * sin(q3) - q2.dot * cos(q3), name="lam1")
        u = column(*(s.input(f"u{k}") for k in (1, 2, 3)))
        for one, force in zip(q, u, strict=True):
            s.generalized_force(one, force)
    else:
        body = s.body("knife", mass=m, inertia=inertia, joint=cd.Planar(q1, q2, q3))
        s.no_slip(on=body, along=-body.y, name="lam1")
        u = column(*(s.force(f"u{k}", on=body, along=e) for k, e in ((1, s.world.x), (2, s.world.y))))
        u = column(*u, s.moment("u3", on=body, along=s.world.z))
    return s, q, m, inertia, u


def printed_accelerations(q: Any, m: Any, inertia: Any, u: Any) -> Any:
    """(10.25)-(10.27)."""
    q1, q2, q3 = q
    c, s = cos(q3), sin(q3)
    return column(
        (u[0] * c**2 + (u[1] - m * q1.dot * q3.dot) * c * s - m * q2.dot * q3.dot * s**2) / m,
        (u[1] * s**2 + (u[0] + m * q2.dot * q3.dot) * c * s + m * q1.dot * q3.dot * c**2) / m,
        u[2] / inertia,
    )


def printed_multiplier(q: Any, m: Any, u: Any) -> Any:
    """(10.28)."""
    q1, q2, q3 = q
    return (u[1] - m * q1.dot * q3.dot) * cos(q3) - (u[0] + m * q2.dot * q3.dot) * sin(q3)


def printed_projection(q3: Any) -> Any:
    c, s = cos(q3), sin(q3)
    return sp.Matrix([[c**2, s * c, 0], [s * c, s**2, 0], [0, 0, 1]])


def test_10_15_and_10_21_the_constraint_and_its_derivative() -> None:
    s, (q1, q2, q3), *_ = knife()
    rows = s.equations().constraints
    assert vanishes(rows.matrix - sp.Matrix([[sin(q3), -cos(q3), 0]]))
    assert vanishes(rows.matrix_rate - sp.Matrix([[q3.dot * cos(q3), q3.dot * sin(q3), 0]]))
    assert vanishes(rows.offsets)
    derivative = q1.dot * q3.dot * cos(q3) + q2.dot * q3.dot * sin(q3)  # (10.21) without accelerations
    assert vanishes(rows.targets + sp.Matrix([derivative]))


def test_10_22_to_10_24_lagrange_s_equations_with_the_multiplier() -> None:
    s, (_, _, q3), m, inertia, u = knife()
    eq, lam = s.equations(), sp.Symbol("lam_lam1", real=True)
    assert vanishes(eq.mass_matrix - sp.diag(m, m, inertia))
    assert vanishes(eq.velocity_terms)
    expected = [u[0] + lam * sin(q3), u[1] - lam * cos(q3), u[2]]
    assert vanishes(sp.Matrix(list(eq.generalized_forces.values())) - sp.Matrix(expected))


def test_10_25_to_10_28_accelerations_and_multiplier() -> None:
    s, q, m, inertia, u = knife()
    eq, typed, body = s.equations(), s.compile(), knife("body")[0].equations()
    lam = printed_multiplier(q, m, u)
    assert vanishes(eq.multipliers["lam1"] - lam)
    value = numbers(s, [*printed_accelerations(q, m, inertia, u), lam])
    for state in states(s, PLACE):
        # (10.25)-(10.28) hold as printed for any velocity, since (10.21) is used and (10.15) is not
        *vd, force = value(state).ravel()
        for at in (eq.at(state.q, state.v, inputs=state.signals), body.at(state.q, state.v, loads=state.signals)):
            assert_same(at.acceleration, vd)
            assert_same(at.multipliers["lam1"], force)
        assert_same(typed.acceleration(state.q, state.v, inputs=state.signals), vd)


def test_10_19_the_projection_and_its_transpose() -> None:
    s, (_, _, q3), m, inertia, _ = knife()
    eq, M = s.equations(), sp.diag(m, m, inertia)
    P, A = printed_projection(q3), sp.Matrix([[sin(q3), -cos(q3), 0]])
    assert vanishes(eq.projection - P)
    P_u = sp.eye(3) - A.T * (A * M.inv() * A.T).inv() * A * M.inv()
    assert vanishes(P - P_u.T)
    assert vanishes(M * P - P_u * M)
    assert vanishes(P * P - P)
    for state in states(s, PLACE):
        at = eq.at(state.q, state.v)
        assert_same(at.P, numbers(s, P)(state))
        assert np.linalg.matrix_rank(at.P) == 2


def test_both_orthogonality_identities() -> None:
    """(P_u u)^T M^-1 (1 - P_u) u = 0 for any u, and (P qd)^T M (1 - P) qd = 0 for any qd."""
    s, q, m, inertia, u = knife()
    M, P = sp.diag(m, m, inertia), s.equations().projection
    qd = column(*(one.dot for one in q))
    assert vanishes((P.T * u).T * M.inv() * (sp.eye(3) - P.T) * u)
    assert vanishes((P * qd).T * M * (sp.eye(3) - P) * qd)
    at = s.equations().at([0.3, 0.4, 0.7])
    draw = np.random.default_rng(0)
    for force, motion in draw.uniform(-2, 2, (20, 2, 3)):
        assert_same((at.P.T @ force) @ np.linalg.solve(at.M, force - at.P.T @ force), 0.0)
        assert_same((at.P @ motion) @ at.M @ (motion - at.P @ motion), 0.0)


def test_10_20_projected_equations() -> None:
    """P qdd = P M^-1 u, of which two are independent; with (10.21) they give (10.25)-(10.27)."""
    s, q, m, inertia, u = knife()
    q1, q2, q3 = q
    P, M = s.equations().projection, sp.diag(m, m, inertia)
    qdd = column(*(one.dot.dot for one in q))
    projected = P * qdd - P * M.inv() * u
    along = (qdd[0] * cos(q3) + qdd[1] * sin(q3)) - (u[0] * cos(q3) + u[1] * sin(q3)) / m
    assert vanishes(projected - column(cos(q3) * along, sin(q3) * along, qdd[2] - u[2] / inertia))
    across = qdd[0] * sin(q3) + q1.dot * q3.dot * cos(q3) - qdd[1] * cos(q3) + q2.dot * q3.dot * sin(q3)
    solved = sp.solve([along, across, qdd[2] - u[2] / inertia], list(qdd), dict=True)[0]
    assert vanishes(column(*(solved[one] for one in qdd)) - printed_accelerations(q, m, inertia, u))


def test_a_knife_edge_let_go_draws_a_circle() -> None:
    """With no force, speed v and rate w stay constant: a circle of radius v / w."""
    s, *_ = knife()
    run = s.simulate(4.0, q=[0, 0, 0], v=[2, 0, 1.5], rtol=1e-11, atol=1e-13)
    radius = 2 / 1.5
    circle = radius * np.stack([np.sin(1.5 * run.t), 1 - np.cos(1.5 * run.t)], axis=1)
    assert_close(run.q[:, :2], circle, within=1e-9, because="100 times the relative tolerance of the integrator")
    assert_close(run.constraint_error[:, 1], np.zeros(len(run)), within=1e-13, because="projected after each step")
    assert_close(run.multipliers["lam1"], np.full(len(run), -1.7 * 3.0), within=1e-8, because="as the motion, times m")


# --- integrable or not (C4) ----------------------------------------------------------------------------


def circle() -> tuple[Any, ...]:
    """A point with x xd + y yd = 0."""
    s = cd.System("point on a circle")
    x, y = s.coordinates("x y")
    m = s.parameters(m=1.7)
    P = s.particle("P", mass=m, position=s.world.vector(x, y, 0))
    F = column(*s.force("F", on=P)[:2])
    s.constrain_velocity(x * x.dot + y * y.dot, name="circle")
    return s, (x, y), m, F


def test_the_circle_is_holonomic_in_disguise_and_the_knife_edge_is_not() -> None:
    report = circle()[0].constraints
    assert report["circle"].is_integrable
    assert report.is_integrable
    assert (report.freedoms, report.velocity_freedoms) == (1, 1)
    report = knife()[0].constraints
    assert not report["lam1"].is_integrable
    assert not report.is_integrable
    assert (report.freedoms, report.velocity_freedoms) == (3, 2)


def test_the_circle_integrates_to_x2_plus_y2() -> None:
    """phi is a function of x^2 + y^2 only: its gradient is along (x, y), and constant on the circle."""
    s, (x, y), *_ = circle()
    phi = s.constraints["circle"].holonomic
    assert phi is not None
    assert vanishes(sp.diff(phi, x) * y - sp.diff(phi, y) * x)
    assert sp.diff(phi, x) != 0


def test_one_angle_suffices_on_the_circle() -> None:
    """Velocity row, position row and the angle give one motion; lam of x xd + y yd = 0 times (x, y) is the force."""
    s, (x, y), m, F = circle()
    eq = s.equations()
    lam = -(m * (x.dot**2 + y.dot**2) + F[0] * x + F[1] * y) / (x**2 + y**2)
    assert vanishes(eq.multipliers["circle"] - lam)
    angle = cd.System("point on a circle by its angle")
    theta = angle.coordinates("theta", on="S1")
    P = angle.particle("P", mass=1.7, position=angle.world.vector(2 * cos(theta), 2 * sin(theta), 0))
    angle.force("F", on=P)
    one = angle.equations()
    assert vanishes(one.mass_matrix - sp.Matrix([[1.7 * 4]]))
    for state in states(angle, [(-3.0, 3.0)]):
        a, w = state.q[0], state.v[0]
        q, t = 2 * np.array([np.cos(a), np.sin(a)]), 2 * np.array([-np.sin(a), np.cos(a)])
        at = eq.at(q, w * t, loads=state.signals)
        expected = one.at(state.q, state.v, loads=state.signals)
        assert_same(at.acceleration, expected.acceleration[0] * t - w**2 * q)
        assert_same(at.reactions["P"].force[:2], at.multipliers["circle"] * q)
        assert_same(at.reactions["P"].force, expected.reactions["P"].force)


def test_an_integrable_row_can_be_replaced_by_its_holonomic_form() -> None:
    s, (x, y), *_ = circle()
    phi = s.constraints["circle"].holonomic
    s.make_holonomic("circle", phi.subs({x: 2, y: 0}))
    assert s.constraints["circle"].kind == "holonomic"
    run = s.simulate(3.0, q=[2, 0], v=[0, 1], rtol=1e-10, atol=1e-12)
    assert_close(run.q[:, 0] ** 2 + run.q[:, 1] ** 2, np.full(len(run), 4.0), within=1e-12, because="projected: 1e-13")
    assert_close(np.arctan2(run["y"], run["x"]), run.t / 2, within=1e-8, because="100 times the relative tolerance")
