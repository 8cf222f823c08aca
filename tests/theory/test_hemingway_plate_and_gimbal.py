"""Hemingway & O'Reilly (2017), 4.3 and 5.3: a particle on a plate and on a gimbal with inertia (rows H4, H5, H8).

Each system three ways: (i) all nine coordinates with the constrained ones prescribed, (ii) a revolute joint, (iii) all
nine coordinates free and the printed constraints on velocity vectors, (39) and (66), as rows. The text's multiplier of
the last constraint multiplies e_theta; that of the prescribed theta is the same times the arm, r_e or R0 sin(phi).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
import sympy as sp
from sympy import cos, sin

from cardan.errors import SingularMassMatrix
from support.carriers import (
    E_3,
    Carrier,
    Printed,
    basis,
    gimbal_with,
    jointed,
    plate_with,
    printed_gimbal,
    printed_plate,
)
from support.close import assert_close
from support.forces import Array, column, dot, moving_numbers
from support.routes import State, assert_printed, assert_same, states, vanishes


@cache
def plate() -> Carrier:
    return plate_with("prescribed")


@cache
def gimbal() -> Carrier:
    return gimbal_with("prescribed")


@cache
def equations(build: Callable[[], Carrier]) -> Any:
    return build().s.equations()


def full(kind: str) -> tuple[Carrier, Any, Printed]:
    if kind == "plate":
        c = plate()
        return c, equations(plate), printed_plate(c)
    c = gimbal()
    return c, equations(gimbal), printed_gimbal(c)


def ranges(kind: str) -> list[tuple[float, float]]:
    return [(-2.0, 2.0), (-3.0, 3.0), (-2.0, 2.0)] if kind == "plate" else [(-3.0, 3.0), (-3.0, 3.0)]


KINDS = pytest.mark.parametrize("kind", ["plate", "gimbal"])


# --- equations of motion -------------------------------------------------------------------------------


def test_46_and_71_kinetic_energy() -> None:
    c, eq, _ = full("plate")
    r, nu, z = c.free
    T = c.m * (r.dot**2 + z.dot**2 + nu.dot**2 * r**2) / 2 + c.J3 * nu.dot**2 / 2
    assert vanishes(sp.Matrix(eq.kinetic_energy_split) - column(T, 0, 0))
    c, eq, _ = full("gimbal")
    nu, phi = c.free
    T = c.m * (nu.dot**2 * c.R0**2 * sin(phi) ** 2 + phi.dot**2 * c.R0**2) / 2 + c.J3 * nu.dot**2 / 2
    assert vanishes(sp.Matrix(eq.kinetic_energy_split) - column(T, 0, 0))


def printed_motion(kind: str, c: Carrier) -> tuple[Any, Any]:
    """M and f of (47) and (72)."""
    if kind == "plate":
        r, nu, _ = c.free
        return sp.diag(c.m, c.m * r**2 + c.J3, c.m), [-c.m * nu.dot**2 * r, 2 * c.m * r.dot * nu.dot * r, 0]
    nu, phi = c.free
    sc = c.R0**2 * sin(phi) * cos(phi)
    return (
        sp.diag(c.m * c.R0**2 * sin(phi) ** 2 + c.J3, c.m * c.R0**2),
        [2 * c.m * nu.dot * phi.dot * sc, -c.m * nu.dot**2 * sc],
    )


@KINDS
def test_47_and_72_equations_of_motion_in_all_nine_coordinates(kind: str) -> None:
    c, eq, printed = full(kind)
    M, f = printed_motion(kind, c)
    n = len(c.free)
    assert vanishes(eq.mass_matrix - M)
    assert vanishes(eq.velocity_terms - sp.Matrix(f))
    assert vanishes(sp.Matrix(list(eq.generalized_forces.values())[:n]) - sp.Matrix(printed.applied[:n]))


@pytest.mark.parametrize(("kind", "com"), [("plate", (0, 0, 0)), ("plate", (1, 0, 0)), ("gimbal", (0, 0, 0))])
def test_47_and_72_equations_of_motion_on_a_revolute_joint(kind: str, com: Any) -> None:
    """With the centre of mass beside the axis it is the half-plate (H5): the same with M k^2 about O, and F_bar at
    distance 1 from the axis adds F_bar . e_theta."""
    c = jointed(kind, com)
    M, f = printed_motion(kind, c)
    Q = (printed_plate(c) if kind == "plate" else printed_gimbal(c)).applied[: len(c.free)]
    if com[0]:
        Q[1] += dot(c.F_bar, basis(c.free[1])[1])
    assert_printed(c.s, M=M, f=f, Q=Q, ranges=ranges(kind))


# --- all nine Q_J, multipliers, reactions --------------------------------------------------------------

ORDER = {
    "plate": ("r_e", "nu1", "z", "x1", "x2", "x3", "nu2", "nu3", "theta"),
    "gimbal": ("nu1", "phi_e", "x1", "x2", "x3", "nu2", "nu3", "R", "theta"),
}


@KINDS
def test_45_and_68_all_nine_generalized_forces(kind: str) -> None:
    c, eq, printed = full(kind)
    found = eq.generalized_forces
    assert set(found) == set(ORDER[kind])
    n = len(c.free)
    for J, name in enumerate(ORDER[kind]):
        mu = sp.Symbol(f"mu_{name}", real=True) if n <= J else 0
        assert vanishes(found[name] - printed.applied[J] - mu), name


@KINDS
def test_10_with_42_and_64_gives_every_multiplier(kind: str) -> None:
    """(10) by (17): m a . dv/dqd^J + d/dt(J w) . dw/dqd^J = Q_J for all nine J, as identities in the accelerations."""
    c, eq, printed = full(kind)
    nu = c.free[1] if kind == "plate" else c.free[0]
    spin = c.J3 * nu.dot.dot * E_3
    for J, name in enumerate(ORDER[kind]):
        if J >= len(c.free):
            left = dot(c.m * printed.acceleration, printed.dv[J]) + dot(spin, printed.dw[J])
            assert vanishes(eq.multipliers[name] - (left - printed.applied[J])), name


def text_multipliers(kind: str, c: Carrier, printed: Printed) -> list[Any]:
    """What the text's mu are for prescribed coordinates: the last one times its arm."""
    arm = c.free[0] if kind == "plate" else c.R0 * sin(c.free[1])
    return [*printed.mu[:-1], printed.mu[-1] * arm]


@KINDS
def test_41_and_67_multipliers_and_reactions_along_the_motion(kind: str) -> None:
    """The printed mu hold with the accelerations of (47) and (72); so do the forces and moments, also at lock."""
    c, eq, printed = full(kind)
    n = len(c.free)
    mu = moving_numbers(c.s, text_multipliers(kind, c, printed))
    vectors = moving_numbers(c.s, [*printed.F_c, *printed.F_bar_c, *printed.M_c])
    for state in states(c.s, ranges(kind)):
        locked = state.q.copy()
        locked[0 if kind == "plate" else 1] = 0.0
        for q in (state.q, locked):
            here = State(q, state.v, state.t, state.signals)
            at = eq.at(q, state.v, loads=state.signals)
            assert_same([at.multipliers[name] for name in ORDER[kind][n:]], mu(here, at.acceleration))
            body = at.reactions["body"]
            found = np.concatenate([at.reactions["P"].force, body.force, body.moment])
            assert_same(found, vectors(here, at.acceleration))


@KINDS
def test_39_and_66_as_rows_have_the_text_s_multipliers(kind: str) -> None:
    """Nine coordinates, the constraints as printed on velocity vectors: lam_k is mu_k, and A v vanishes."""
    c, eq, printed = full(kind)
    rows = (plate_with if kind == "plate" else gimbal_with)("rows").s
    mu = moving_numbers(c.s, printed.mu)
    order = [str(one) for one in rows.model.q]
    every = rows.equations()
    regular = [(0.3, 2.0), *ranges(kind)[1:]] if kind == "plate" else [(-3.0, 3.0), (0.3, 2.8)]
    for state in states(c.s, regular):
        at = eq.at(state.q, state.v, loads=state.signals)
        q, v = {"R": 0.6}, {}
        q |= dict(zip(ORDER[kind], state.q, strict=False))
        v |= dict(zip(ORDER[kind], state.v, strict=False))
        q_all, v_all = [q.get(name, 0.0) for name in order], [v.get(name, 0.0) for name in order]
        row = every.at(q_all, v_all, loads=state.signals)
        assert_same(row.A @ v_all, np.zeros(len(printed.mu)))
        assert_same([row.multipliers[f"mu{k + 1}"] for k in range(len(printed.mu))], mu(state, at.acceleration))
        free = [order.index(name) for name in ORDER[kind][: len(c.free)]]
        assert_same(row.acceleration[free], at.acceleration)
        for name in ("P", "body"):
            assert_same(row.reactions[name].force, at.reactions[name].force)
            assert_same(row.reactions[name].moment, at.reactions[name].moment)


JOINT_NAMES = {"nu2": "body_moment_y", "nu3": "body_moment_x", "x3": "body_force_z"}


@KINDS
def test_45_and_68_of_the_revolute_joint(kind: str) -> None:
    """A joint answers for the directions it forbids: e_theta, e_r (moments) and e_r, e_theta, E_3 (forces)."""
    c = jointed(kind)
    eq = c.s.equations()
    printed = printed_plate(c) if kind == "plate" else printed_gimbal(c)
    applied = dict(zip(ORDER[kind], printed.applied, strict=True))
    along = basis(c.free[1] if kind == "plate" else c.free[0])
    expected = {name: applied[own] for own, name in JOINT_NAMES.items()}
    expected |= {f"body_force_{k}": dot(c.F + c.F_bar, e) for k, e in zip("xy", along, strict=True)}
    for name, value in expected.items():
        assert vanishes(eq.generalized_forces[name] - value - sp.Symbol(f"mu_{name}", real=True)), name
    index = {own: printed.mu[3 + k] for k, own in enumerate(("nu2", "nu3"))} | {"x3": printed.mu[2]}
    values = [index[own] for own in JOINT_NAMES] + [dot(printed.mu[:3], e) for e in along]
    names = [*JOINT_NAMES.values(), "body_force_x", "body_force_y"]
    text, found = (moving_numbers(c.s, part) for part in (values, [eq.multipliers[name] for name in names]))
    for state in states(c.s, ranges(kind)):
        vd = eq.at(state.q, state.v, loads=state.signals).acceleration
        assert_same(found(state, vd), text(state, vd))


# --- gimbal lock and the return of the singularity -----------------------------------------------------


@pytest.mark.parametrize(("kind", "lock"), [("plate", 0.0), ("gimbal", 0.0), ("gimbal", np.pi)])
def test_after_47_and_72_an_e_theta_force_at_lock_enters_only_constrained_rows(kind: str, lock: float) -> None:
    """Errata: Q_4, Q_5 and Q_8 of the plate (with z = 0 only Q_4 and Q_5); Q_3, Q_4 and Q_7 of the gimbal."""
    _, eq, _ = full(kind)
    nu, z = 0.4, 0.7
    q = [lock, nu, z] if kind == "plate" else [nu, lock]
    force = 5.0 * np.array([-np.sin(nu), np.cos(nu), 0.0])
    at = eq.at(q, [0.0] * len(q), loads={"F": force})
    assert_close(at.Q, np.zeros(len(q)), within=1e-15, because="sin(pi) and the sine of an angle in floats")
    names = ("x1", "x2", "nu3")
    arm = -z if kind == "plate" else -0.6 * np.cos(lock)
    expected = dict(zip(names, (force[0], force[1], arm * 5.0), strict=True))
    for name in ORDER[kind][len(q) :]:
        assert_close(at.multipliers[name], -expected.get(name, 0.0), within=1e-14, because="a handful of products")
    assert_close(at.acceleration, np.zeros(len(q)), within=1e-14, because="Q is zero up to round-off")
    assert_close(at.reactions["P"].force, -force, within=1e-14, because="the particle is held against the force")


@pytest.mark.parametrize(("kind", "place"), [("plate", [0.0, 0.4, 0.7]), ("gimbal", [0.4, 0.0])])
def test_without_the_body_s_inertia_the_coordinate_singularity_returns(kind: str, place: list[float]) -> None:
    c = jointed(kind)
    light: Array = np.array(place)
    eq = c.s.with_values(J1=0.3, J2=0.3, J3=0.0).equations()
    with pytest.raises(SingularMassMatrix, match="nu1_dot"):
        _ = eq.at(light, np.ones(len(light))).acceleration
    assert np.all(np.isfinite(c.s.equations().at(light, np.ones(len(light))).acceleration))
