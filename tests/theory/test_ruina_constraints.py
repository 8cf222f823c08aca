"""Ruina, MAE 6700, 4/8 and 4/29: the Chaplygin sleigh, and the five reactions of a hinge (rows R8, R11)."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from sympy import cos, sin

import cardan as cd
from support.close import assert_close
from support.forces import Array, column, moving_numbers
from support.routes import assert_same, numbers, states, vanishes

# --- the Chaplygin sleigh ------------------------------------------------------------------------------

M, I_G, D = 2.0, 0.3, 0.25  # mass, moment of inertia about G, distance of the skate C behind G


def sleigh(how: str, slip: Any = 0) -> tuple[Any, ...]:
    """The skate as a body's point that does not slip along n, or as the printed sum a_i qd_i + a_t = 0."""
    s = cd.System(f"Chaplygin sleigh, {how}")
    q = x, y, theta = s.coordinates("x y theta")
    m, inertia, d = s.parameters(m=M, I=I_G, d=D)
    body = s.body("sleigh", mass=m, inertia=inertia, joint=cd.Planar(x, y, theta))
    if how == "skate":
        s.no_slip(on=body, point=body.point(-d, 0, 0), along=body.y, name="F")
    else:
        a_t = slip(s.time) if callable(slip) else slip
        s.constrain_velocity(-sin(theta) * x.dot + cos(theta) * y.dot - d * theta.dot + a_t, name="F")
    return s, q, (m, inertia, d)


def by_forces(q: Any, p: Any, a_t: Any = 0, t: Any = None) -> dict[Any, Any]:
    """Method 1: d/dt of (1) with (2), (3), (4) are four equations for xdd, ydd, thetadd and the skate's force F."""
    (x, y, theta), (m, inertia, d) = q, p
    F = sp.Symbol("F")
    xdd, ydd, thetadd = (one.dot.dot for one in q)
    kinematic = -sin(theta) * xdd + cos(theta) * ydd - d * thetadd
    kinematic -= theta.dot * (cos(theta) * x.dot + sin(theta) * y.dot)
    kinematic += sp.diff(a_t, t) if t is not None else 0
    balance = [m * xdd + F * sin(theta), m * ydd - F * cos(theta), inertia * thetadd + F * d]
    found: dict[Any, Any] = sp.solve([kinematic, *balance], [xdd, ydd, thetadd, F], dict=True)[0]
    return found


def test_both_derivations_agree_and_lambda_is_the_force_of_the_skate() -> None:
    for how in ("skate", "printed"):
        s, q, p = sleigh(how)
        eq = s.equations()
        (_, _, theta), (_, _, d) = q, p
        assert vanishes(eq.constraint_matrix - sp.Matrix([[-sin(theta), cos(theta), -d]]))
        found = by_forces(q, p)
        assert vanishes(eq.multipliers["F"] - found[sp.Symbol("F")])
        value = numbers(s, [*(found[one.dot.dot] for one in q), found[sp.Symbol("F")]])
        for state in states(s, [(-2, 2), (-2, 2), (-3, 3)]):
            at = eq.at(state.q, state.v)
            *vd, force = value(state).ravel()
            assert_same(at.acceleration, vd)
            assert_same(at.multipliers["F"], force)
            n = np.array([-np.sin(state.q[2]), np.cos(state.q[2]), 0])
            assert_same(at.reactions["sleigh"].force, force * n)
            assert_same(at.reactions["sleigh"].moment, [0, 0, -D * force])


def test_the_skate_s_force_on_the_constraint_is_m_u_w_i_over_i_plus_m_d2() -> None:
    """With G's forward speed u and lateral speed d w: F = m u w I / (I + m d^2), to the inside of the curve."""
    s, *_ = sleigh("skate")
    for theta, u, w in np.random.default_rng(0).uniform(-2, 2, (20, 3)):
        ahead, across = np.array([np.cos(theta), np.sin(theta)]), np.array([-np.sin(theta), np.cos(theta)])
        at = s.equations().at([0.3, -0.4, theta], [*(u * ahead + D * w * across), w])
        assert_same(at.multipliers["F"], M * u * w * I_G / (I_G + M * D**2))


def test_the_sleigh_turns_round_until_it_leads_with_its_mass() -> None:
    """u = U tanh(kt), w = W sech(kt), W^2 = m U^2 / (I + m d^2), k = m d U / (I + m d^2); theta = (W/k) gd(kt)."""
    s, *_ = sleigh("skate")
    J, W = I_G + M * D**2, 2.0
    U = W * np.sqrt(J / M)
    k = M * D * U / J
    run = s.simulate(4.0, q=[0, 0, 0], v=[0, D * W, W], rtol=1e-11, atol=1e-13)
    theta = W / k * 2 * np.arctan(np.tanh(k * run.t / 2))
    ahead = run["x_dot"] * np.cos(run["theta"]) + run["y_dot"] * np.sin(run["theta"])
    tolerance = "tolerance 1e-11 per step, a few hundred steps"
    assert_close(ahead, U * np.tanh(k * run.t), within=1e-8, because=tolerance)
    assert_close(run["theta"], theta, within=1e-8, because=tolerance)
    assert_close(run.energy, np.full(len(run), J * W**2 / 2), within=1e-9, because="workless, as above")
    assert_close(run.constraint_error[:, 1], 0.0, within=1e-13, because="projected after each step")
    force = M * I_G / J * U * W * np.tanh(k * run.t) / np.cosh(k * run.t)
    assert_close(run.multipliers["F"], force, within=1e-7, because="as the motion, times m")


def test_an_affine_constraint_works_at_the_rate_minus_lambda_a_t() -> None:
    """sum a_i qd_i + a_t = 0: a skate on a floor that moves sideways by a_t; dT/dt = sum lam a_i qd_i = -lam a_t."""
    s, q, p = sleigh("affine", lambda t: sin(2 * t) / 2)
    a_t = sin(2 * s.time) / 2
    found = by_forces(q, p, a_t, s.time)
    eq = s.equations()
    assert vanishes(eq.constraints.offsets - sp.Matrix([a_t]))
    assert vanishes(eq.multipliers["F"] - found[sp.Symbol("F")])
    T = column(p[0] * (q[0].dot * q[0].dot.dot + q[1].dot * q[1].dot.dot) + p[1] * q[2].dot * q[2].dot.dot)
    power = moving_numbers(s, T)
    slip = numbers(s, [a_t])
    for state in states(s, [(-2, 2), (-2, 2), (-3, 3)]):
        v = state.v.copy()  # made to satisfy the constraint
        row = np.array([-np.sin(state.q[2]), np.cos(state.q[2]), -D])
        v -= row * (row @ v + slip(state)[0, 0]) / (row @ row)
        at = eq.at(state.q, v, state.t)
        here = type(state)(state.q, v, state.t, state.signals)
        assert_same(power(here, at.acceleration)[0], -at.multipliers["F"] * slip(state)[0, 0])


# --- hinge reactions -----------------------------------------------------------------------------------


def pendulum(axis: Any) -> tuple[Any, Array, Array]:
    r_ref, I_ref = np.array([0.3, -0.2, 0.5]), np.array([[0.5, 0.04, -0.03], [0.04, 0.4, 0.05], [-0.03, 0.05, 0.3]])
    s = cd.System("pendulum on a hinge")
    theta = s.coordinates("theta", on="S1")
    s.body("body", mass=1.7, inertia=I_ref, com=tuple(r_ref), joint=cd.Revolute(axis, theta))
    s.gravity(-9.81 * s.world.z)
    return s, r_ref, I_ref


def about(n: Array, angle: float) -> Array:
    """Rodrigues' formula."""
    cross = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def six_balances(n: Array, r_ref: Array, I_ref: Array, q: float, v: float) -> tuple[float, Array, Array, Array]:
    """LMB and AMB about O: six scalar equations for thetadd, F (three) and M (two, since M . n = 0)."""
    m, k = 1.7, np.array([0.0, 0.0, 9.81])
    R = about(n, q)
    r, inertia, w = R @ r_ref, R @ I_ref @ R.T, v * n
    system, right = np.zeros((7, 7)), np.zeros(7)
    system[:3, 0], system[:3, 1:4] = m * np.cross(n, r), -np.eye(3)
    right[:3] = -m * k - m * np.cross(w, np.cross(w, r))
    system[3:6, 0], system[3:6, 4:] = m * np.cross(r, np.cross(n, r)) + inertia @ n, -np.eye(3)
    right[3:6] = -m * np.cross(r, k) - m * np.cross(r, np.cross(w, np.cross(w, r))) - np.cross(w, inertia @ w)
    system[6, 4:] = n
    found = np.linalg.solve(system, right)
    return float(found[0]), found[1:4], found[4:], r


def test_lmb_and_amb_give_the_five_reactions_of_any_hinge() -> None:
    """The reaction by balance is F at the centre of mass with the moment M - r x F about it; M . n = 0."""
    n = np.array([2.0, 3.0, 6.0]) / 7
    s, r_ref, I_ref = pendulum(tuple(n))
    eq = s.equations()
    for state in states(s, [(-3.0, 3.0)]):
        thetadd, F, moment, r = six_balances(n, r_ref, I_ref, state.q[0], state.v[0])
        at = eq.at(state.q, state.v)
        assert_same(at.acceleration, [thetadd])
        assert_same(at.reactions["body"].force, F)
        assert_same(at.reactions["body"].moment, moment - np.cross(r, F))
        assert_same(at.reactions["body"].point, r)


def test_a_hinge_along_x_answers_for_five_directions_by_name() -> None:
    """Forces along the body's x, y, z and moments about its y and z, at the hinge."""
    n = np.array([1.0, 0.0, 0.0])
    s, r_ref, I_ref = pendulum("x")
    eq = s.equations()
    names = ["body_force_x", "body_force_y", "body_force_z", "body_moment_y", "body_moment_z"]
    assert set(eq.multipliers) == set(names)
    value = moving_numbers(s, [eq.multipliers[name] for name in names])
    for state in states(s, [(-3.0, 3.0)]):
        thetadd, F, moment, _ = six_balances(n, r_ref, I_ref, state.q[0], state.v[0])
        back = about(n, state.q[0]).T
        assert_same(value(state, np.array([thetadd])), [*(back @ F), *(back @ moment)[1:]])


def test_a_hinge_closed_by_a_connection_carries_the_same() -> None:
    """A free body connected to the world by a hinge: five rows, three forces (the multipliers) and two moments."""
    n = np.array([1.0, 0.0, 0.0])
    reference, r_ref, I_ref = pendulum("x")
    s = cd.System("free body on a hinge")
    place, angles = s.coordinates("px py pz"), s.coordinates("a b c")
    joint = cd.Free(*place, cd.Euler("1-2-3", *angles))
    body = s.body("body", mass=1.7, inertia=I_ref, com=tuple(r_ref), joint=joint)
    s.gravity(-9.81 * s.world.z)
    s.connect(s.world.origin, body.point(0, 0, 0), cd.Revolute("x"), name="hinge")
    eq = s.equations()
    assert len(eq.constraints.names) == 5
    for state in states(reference, [(-3.0, 3.0)]):
        thetadd, F, moment, r = six_balances(n, r_ref, I_ref, state.q[0], state.v[0])
        at = eq.at([0, 0, 0, state.q[0], 0, 0], [0, 0, 0, state.v[0], 0, 0])
        assert_same(at.acceleration, [0, 0, 0, thetadd, 0, 0])
        assert_same([at.multipliers[f"hinge_{k}"] for k in "xyz"], F)
        assert_same(at.reactions["body"].force, F)
        assert_same(at.reactions["body"].moment, moment - np.cross(r, F))
