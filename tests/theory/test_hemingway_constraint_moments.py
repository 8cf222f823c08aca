"""Hemingway & O'Reilly (2017), 6.2 and 6.3: constraint moments on a body and in the Cardan suspension (H11, H12).

Applied moments are given by their components along E_1, E_2, E_3.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
import sympy as sp
from sympy import cos, cot, csc, sin

import cardan as cd
from support.close import assert_close
from support.forces import Array, column, dot, moving_numbers, rate
from support.routes import State, assert_printed, assert_same, numbers, states, vanishes

E_3 = column(0, 0, 1)
ANGLE = (-3.0, 3.0)


# --- a body with its first Euler angle prescribed (H11) ------------------------------------------------


def driven(how: str = "prescribed") -> tuple[Any, ...]:
    """nu1 = f(t), (80): prescribed, as the motion of a massless ring that carries the body, or as a row."""
    s = cd.System(f"body with a driven first angle, {how}")
    nu2, nu3 = s.coordinates("nu2 nu3")
    lam, a, b = s.parameters(lam=0.9, a=0.8, b=0.3)
    f = a * s.time + b * s.time**2
    if how == "ring":
        ring = s.frame("ring", joint=cd.Revolute("z", f))
        fork = s.frame("fork", parent=ring, joint=cd.Revolute("x", nu2))
        body = s.body("body", mass=2.0, inertia=lam, parent=fork, joint=cd.Revolute("z", nu3))
    else:
        nu1 = s.coordinates("nu1")
        body = s.body("body", mass=2.0, inertia=lam, joint=cd.Ball(cd.Euler("3-1-3", nu1, nu2, nu3)))
        if how == "prescribed":
            s.prescribe(nu1, f)
        else:
            s.constrain(nu1 - f, name="drive")
    return s, (nu2, nu3), lam, f, column(*s.moment("M", on=body))


def euler_basis(nu1: Any, nu2: Any) -> list[Any]:
    """(77)."""
    return [
        E_3,
        column(cos(nu1), sin(nu1), 0),
        column(sin(nu2) * sin(nu1), -sin(nu2) * cos(nu1), cos(nu2)),
    ]


def dual_basis(nu1: Any, nu2: Any) -> list[Any]:
    """(81)."""
    return [
        column(-sin(nu1) * cot(nu2), cos(nu1) * cot(nu2), 1),
        column(cos(nu1), sin(nu1), 0),
        column(sin(nu1) * csc(nu2), -cos(nu1) * csc(nu2), 0),
    ]


def u_of(f: Any, nu2: Any) -> Any:
    """(90)."""
    return cos(nu2) * column(-sin(f), cos(f), 0) + sin(nu2) * E_3


def test_81_is_dual_to_77_and_90_completes_an_orthonormal_basis() -> None:
    nu1, nu2 = sp.symbols("nu1 nu2", real=True)
    g, dual, u = euler_basis(nu1, nu2), dual_basis(nu1, nu2), u_of(nu1, nu2)
    assert vanishes(sp.Matrix(3, 3, lambda i, j: dot(g[i], dual[j])) - sp.eye(3))
    frame = sp.Matrix.hstack(u, g[1], g[2])
    assert vanishes(frame.T * frame - sp.eye(3))
    assert vanishes(frame.det() + 1)  # left-handed
    assert vanishes(sin(nu2) * dual[0] - u)  # g^1 is u / sin(nu2): infinite where u is not


def test_86_kinetic_energy_has_all_three_parts() -> None:
    s, (nu2, nu3), lam, f, _ = driven()
    fd = sp.diff(f, s.time)
    printed = column(lam * (nu2.dot**2 + nu3.dot**2) / 2, lam * fd * nu3.dot * cos(nu2), lam * fd**2 / 2)
    assert vanishes(sp.Matrix(s.equations().kinetic_energy_split) - printed)


@pytest.mark.parametrize("how", ["prescribed", "ring"])
def test_87_equations_of_motion(how: str) -> None:
    """(87) with signs and dots of the errata."""
    s, (nu2, nu3), lam, f, M_a = driven(how)
    fd, fdd = sp.diff(f, s.time), sp.diff(f, s.time, 2)
    _, g_2, g_3 = euler_basis(f, nu2)
    assert_printed(
        s,
        M=lam * sp.eye(2),
        f=[lam * sin(nu2) * fd * nu3.dot, -lam * sin(nu2) * fd * nu2.dot + lam * fdd * cos(nu2)],
        Q=[dot(M_a, g_2), dot(M_a, g_3)],
        ranges=[ANGLE, ANGLE],
    )


def printed_88(nu2: Any, nu3: Any, lam: Any, f: Any, t: Any, M_a: Any) -> Any:
    """mu of (88) with the dots of the errata."""
    inertia = sp.diff(f, t, 2) + cos(nu2) * nu3.dot.dot - sin(nu2) * nu2.dot * nu3.dot
    return lam * inertia - M_a[2]


def printed_89(nu2: Any, nu3: Any, lam: Any, f: Any, t: Any, M_a: Any) -> Any:
    """(89) with the third term of the errata, fdd sin(nu2)."""
    fd, fdd, u = sp.diff(f, t), sp.diff(f, t, 2), u_of(f, nu2)
    return (lam * (nu2.dot * fd * cos(nu2) - nu2.dot * nu3.dot + fdd * sin(nu2)) - dot(M_a, u)) * u


def test_88_the_multiplier_of_the_driven_angle() -> None:
    s, (nu2, nu3), lam, f, M_a = driven()
    eq = s.equations()
    assert vanishes(eq.multipliers["nu1"] - printed_88(nu2, nu3, lam, f, s.time, M_a))
    assert vanishes(eq.generalized_forces["nu1"] - M_a[2] - sp.Symbol("mu_nu1", real=True))


def test_88_is_the_multiplier_of_a_rheonomic_row() -> None:
    s, (nu2, nu3), lam, f, M_a = driven()
    value, motion = moving_numbers(s, [printed_88(nu2, nu3, lam, f, s.time, M_a)]), numbers(s, [f, sp.diff(f, s.time)])
    free, row = s.equations(), driven("row")[0].equations()
    for state in states(s, [(0.3, 2.8), ANGLE]):
        vd = free.at(state.q, state.v, state.t, loads=state.signals).acceleration
        f_0, fd = motion(state).ravel()
        at = row.at([*state.q, f_0], [*state.v, fd], state.t, loads=state.signals)
        assert_same(at.multipliers["drive"], value(state, vd)[0])
        assert_same(at.acceleration[:2], vd)
        assert_same([at.phi["drive"], *(at.A @ [*state.v, fd] + at.b0)], [0.0, 0.0])


@pytest.mark.parametrize("how", ["prescribed", "ring"])
def test_89_the_constraint_moment_is_finite_where_g_1_is_infinite(how: str) -> None:
    """M_c = mu g^1 of (83) where g^1 exists, (89) everywhere; (12): nothing along g_2 and g_3."""
    s, (nu2, nu3), lam, f, M_a = driven(how)
    eq = s.equations()
    along_u = numbers(s, printed_89(nu2, nu3, lam, f, s.time, M_a))
    dual = moving_numbers(s, printed_88(nu2, nu3, lam, f, s.time, M_a) * dual_basis(f, nu2)[0])
    for state in states(s, [(0.3, 2.8), ANGLE]):
        at = eq.at(state.q, state.v, state.t, loads=state.signals)
        assert_same(at.reactions["body"].moment, along_u(state).ravel())
        assert_same(at.reactions["body"].moment, dual(state, at.acceleration))
        for singular in (0.0, np.pi):
            here = State(np.array([singular, state.q[1]]), state.v, state.t, state.signals)
            at = eq.at(here.q, here.v, here.t, loads=here.signals)
            assert_same(at.reactions["body"].moment, along_u(here).ravel())


def test_a_moment_along_u_is_carried_by_the_constraint_everywhere() -> None:
    s, (nu2, _), _, f, _ = driven()
    _, g_2, g_3 = euler_basis(f, nu2)
    assert vanishes([dot(u_of(f, nu2), g_2), dot(u_of(f, nu2), g_3)])
    eq, u = s.equations(), numbers(s, u_of(f, nu2))
    for state in states(s, [ANGLE, ANGLE]):
        at = eq.at(state.q, state.v, state.t, loads={"M": 4.0 * u(state).ravel()})
        assert_close(at.Q, np.zeros(2), within=1e-14, because="products of sines times 4")


# --- the Cardan suspension (H12) -----------------------------------------------------------------------

CONSTRAINED = ("alpha2", "alpha3", "beta2", "beta3", "gamma2", "gamma3")


def suspension(how: str) -> tuple[Any, ...]:
    """(93): nine angles with six prescribed, three revolute joints, or three free balls with the rows (97)."""
    s = cd.System(f"Cardan suspension, {how}")
    q = ()
    lam = s.parameters(lam1=0.5, lam2=0.3, lam3=0.9)
    if how == "rows":
        outer, inner, platform = (
            s.body(name, inertia=one, joint=cd.Ball(cd.Quaternion(f"e_{name}")))
            for name, one in zip(("outer", "inner", "platform"), lam, strict=True)
        )
        s.no_spin(on=outer, about=outer.y, name="mu1")
        s.no_spin(on=outer, about=outer.x, name="mu2")
        s.no_spin(on=inner, about=inner.z, relative_to=outer, name="mu3")
        s.no_spin(on=inner, about=inner.y, relative_to=outer, name="mu4")
        s.no_spin(on=platform, about=platform.y, relative_to=inner, name="mu5")
        s.no_spin(on=platform, about=platform.x, relative_to=inner, name="mu6")
    else:
        q = a, b, c = s.coordinates("alpha beta gamma")
        if how == "angles":
            a2, a3, b2, b3, c2, c3 = held = s.coordinates(" ".join(CONSTRAINED))
            joints = [
                cd.Ball(cd.Euler("3-2-1", a, a2, a3)),
                cd.Ball(cd.Euler("1-3-2", b, b2, b3)),
                cd.Ball(cd.Euler("3-2-1", c, c2, c3)),
            ]
        else:
            held, joints = (), [cd.Revolute("z", a), cd.Revolute("x", b), cd.Revolute("z", c)]
        outer = s.body("outer", inertia=lam[0], joint=joints[0])
        inner = s.body("inner", inertia=lam[1], joint=joints[1], parent=outer)
        platform = s.body("platform", inertia=lam[2], joint=joints[2], parent=inner)
        for one in held:  # (94)
            s.prescribe(one, 0)
    M_a = [column(*s.moment(f"M{k}", on=body)) for k, body in enumerate((outer, inner, platform), 1)]
    return s, q, lam, M_a


def about_z(angle: Any) -> Any:
    return sp.Matrix([[cos(angle), -sin(angle), 0], [sin(angle), cos(angle), 0], [0, 0, 1]])


def about_x(angle: Any) -> Any:
    return sp.Matrix([[1, 0, 0], [0, cos(angle), -sin(angle)], [0, sin(angle), cos(angle)]])


def printed(q: Any, lam: Any, M_a: Any) -> tuple[list[Any], list[Any], list[Any]]:
    """Applied parts of Q_4 ... Q_9 (101), mu_1 ... mu_6 from the balances, and the moments (98) on the three bodies.

    d/dt (lam_I w_I) = M_a^I + M_c^I with w of (93); (98) from the platform inwards gives the multipliers.
    """
    alpha, beta, gamma = q
    Q1 = about_z(alpha)
    Q2 = Q1 * about_x(beta)
    Q3 = Q2 * about_z(gamma)
    e1, e2, e3 = ([Q[:, k] for k in range(3)] for Q in (Q1, Q2, Q3))
    w1 = alpha.dot * E_3
    w2 = w1 + beta.dot * e2[0]
    w3 = w2 + gamma.dot * e3[2]
    M_c = [one * rate(w, q) - moment for one, w, moment in zip(lam, (w1, w2, w3), M_a, strict=True)]
    all_c, two_c = M_c[0] + M_c[1] + M_c[2], M_c[1] + M_c[2]
    mu = [dot(all_c, e1[1]), dot(all_c, e1[0]), dot(two_c, e2[2]), dot(two_c, e2[1])]
    mu += [dot(M_c[2], e3[1]), dot(M_c[2], e3[0])]
    all_a, two_a = M_a[0] + M_a[1] + M_a[2], M_a[1] + M_a[2]
    applied = [dot(all_a, e1[1]), dot(all_a, e1[0]), dot(two_a, e2[2]), dot(two_a, e2[1])]
    applied += [dot(M_a[2], e3[1]), dot(M_a[2], e3[0])]
    outer = mu[0] * e1[1] + mu[1] * e1[0] - mu[2] * e2[2] - mu[3] * e2[1]
    inner = mu[2] * e2[2] + mu[3] * e2[1] - mu[4] * e3[1] - mu[5] * e3[0]
    platform = mu[4] * e3[1] + mu[5] * e3[0]
    return applied, mu, [outer, inner, platform]


HELD_BY_JOINTS = (
    "outer_moment_y",
    "outer_moment_x",
    "inner_moment_z",
    "inner_moment_y",
    "platform_moment_y",
    "platform_moment_x",
)


@cache
def solved(how: str) -> tuple[Any, ...]:
    s, q, lam, M_a = suspension(how)
    return s, q, lam, M_a, s.equations()


@pytest.mark.parametrize(("how", "names"), [("angles", CONSTRAINED), ("joints", HELD_BY_JOINTS)])
def test_101_all_nine_generalized_forces(how: str, names: tuple[str, ...]) -> None:
    _, q, lam, M_a, eq = solved(how)
    applied, _, _ = printed(q, lam, M_a)
    found = eq.generalized_forces
    free = euler_basis(q[0], q[1])  # E_3, e_1^2, e_3^3
    sums = (M_a[0] + M_a[1] + M_a[2], M_a[1] + M_a[2], M_a[2])
    for name, total, axis in zip(("alpha", "beta", "gamma"), sums, free, strict=True):
        assert vanishes(found[name] - dot(total, axis))
    for name, value in zip(names, applied, strict=True):
        assert vanishes(found[name] - value - sp.Symbol(f"mu_{name}", real=True)), name


@pytest.mark.parametrize(("how", "names"), [("angles", CONSTRAINED), ("joints", HELD_BY_JOINTS)])
def test_98_multipliers_and_constraint_moments(how: str, names: tuple[str, ...]) -> None:
    """With the accelerations of (103); also at beta = 0, where the platform's moment along e_2^2 moves nothing."""
    s, q, lam, M_a, eq = solved(how)
    _, mu, moments = printed(q, lam, M_a)
    text = moving_numbers(s, mu)
    vectors = moving_numbers(s, [x for moment in moments for x in moment])
    transmitted = moving_numbers(s, [eq.multipliers[name] for name in names]) if how == "joints" else None
    for state in states(s, [ANGLE] * 3):
        locked = np.array([state.q[0], 0.0, state.q[2]])
        for place in (state.q, locked):
            here = State(place, state.v, state.t, state.signals)
            at = eq.at(here.q, here.v, loads=here.signals)
            found = [at.multipliers[n] for n in names] if transmitted is None else transmitted(here, at.acceleration)
            assert_same(found, text(here, at.acceleration))
            reactions = [at.reactions[name].moment for name in ("outer", "inner", "platform")]
            assert_same(np.concatenate(reactions), vectors(here, at.acceleration))


def test_97_as_rows_has_the_text_s_multipliers() -> None:
    """Three balls held by six primary angular velocity constraints: lam_k = mu_k of (98)."""
    s, q, lam, M_a, eq = solved("joints")
    _, mu, moments = printed(q, lam, M_a)
    text, vectors = moving_numbers(s, mu), moving_numbers(s, [x for moment in moments for x in moment])
    rows = suspension("rows")[0].equations()
    for state in states(s, [ANGLE] * 3):
        (a, b, c), (ad, bd, cd_) = state.q, state.v
        places = [turn("z", a)]
        places.append(times(places[0], turn("x", b)))
        places.append(times(places[1], turn("z", c)))
        w1 = np.array([0.0, 0.0, ad])
        w2 = np.add(to_body("x", b, w1), [bd, 0, 0])
        w3 = np.add(to_body("z", c, w2), [0, 0, cd_])
        at = eq.at(state.q, state.v, loads=state.signals)
        row = rows.at(np.concatenate(places), np.concatenate([w1, w2, w3]), loads=state.signals)
        assert_same(row.A @ np.concatenate([w1, w2, w3]), np.zeros(6))
        assert_same([row.multipliers[f"mu{k}"] for k in range(1, 7)], text(state, at.acceleration))
        reactions = [row.reactions[name].moment for name in ("outer", "inner", "platform")]
        assert_same(np.concatenate(reactions), vectors(state, at.acceleration))


def turn(axis: str, angle: float) -> Array:
    """Unit quaternion (w, x, y, z)."""
    parts = np.zeros(4)
    parts[0], parts[1 + "xyz".index(axis)] = np.cos(angle / 2), np.sin(angle / 2)
    return parts


def times(p: Array, r: Array) -> Array:
    """Hamilton's product."""
    vector = p[0] * r[1:] + r[0] * p[1:] + np.cross(p[1:], r[1:])
    return np.concatenate([[p[0] * r[0] - p[1:] @ r[1:]], vector])


def to_body(axis: str, angle: float, w: Array) -> Array:
    """Components after a turn of the axes."""
    k = "xyz".index(axis)
    i, j = (k + 1) % 3, (k + 2) % 3
    found = w.copy()
    found[i] = np.cos(angle) * w[i] + np.sin(angle) * w[j]
    found[j] = -np.sin(angle) * w[i] + np.cos(angle) * w[j]
    return found


@pytest.mark.parametrize("beta", [0.0, np.pi])
def test_after_103_the_locked_moment_is_absorbed_by_the_bearings(beta: float) -> None:
    """A moment 1 on the platform along e_2^2 at lock: carried to the frame through all three bearings."""
    s, _, _, _, eq = solved("joints")
    alpha, gamma = 0.3, 0.8
    e_22 = np.array([-np.sin(alpha) * np.cos(beta), np.cos(alpha) * np.cos(beta), np.sin(beta)])
    at = eq.at([alpha, beta, gamma], loads={"M3": e_22})
    assert_close(at.Q, np.zeros(3), within=1e-15, because="sin(pi) is 1.2e-16 in floats")
    assert_close(at.acceleration, np.zeros(3), within=1e-15, because="no generalized force")
    state = State(np.array([alpha, beta, gamma]), np.zeros(3), 0.0, dict.fromkeys(map(str, s.model.signals), 0.0))
    state.signals.update(zip(("M3_x", "M3_y", "M3_z"), e_22.tolist(), strict=True))
    bearings = moving_numbers(s, [eq.multipliers[name] for name in HELD_BY_JOINTS])(state, at.acceleration)
    c = np.cos(beta)
    expected = [-c, 0.0, 0.0, -1.0, -np.cos(gamma), -np.sin(gamma)]
    assert_close(bearings, expected, within=1e-15 * 8, because="a dozen products of numbers up to one")
