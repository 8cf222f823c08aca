"""A particle on a plate and on a gimbal with inertia: models, and what Hemingway & O'Reilly (2017) print about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy import cos, sin

import cardan as cd
from support.forces import column, dot

E_1, E_2, E_3 = column(1, 0, 0), column(0, 1, 0), column(0, 0, 1)
VALUES = {"m": 1.7, "M": 2.3, "J1": 0.3, "J2": 0.5, "J3": 0.4}


@dataclass(frozen=True)
class Carrier:
    """A plate or gimbal about E_3 with a particle on it; J3 is the text's M k^2 about O."""

    s: Any
    free: tuple[Any, ...]
    m: Any
    J3: Any
    F: Any  # on the particle, along E_1, E_2, E_3
    F_bar: Any  # on the body at its centre of mass
    M_a: Any  # on the body
    R0: Any = None


def with_loads(s: Any, body: Any, P: Any) -> tuple[Any, Any, Any]:
    F, F_bar, M_a = s.force("F", on=P), s.force("F_bar", on=body), s.moment("M_a", on=body)
    return column(*F), column(*F_bar), column(*M_a)


def free_body(s: Any, nu1: Any) -> tuple[Any, list[Any], Any]:
    """The body on six coordinates, (35) and (61); returns it, its five constrained coordinates, and J3."""
    x, (nu2, nu3) = s.coordinates("x1 x2 x3"), s.coordinates("nu2 nu3")
    M, J1, J2, J3 = (s.parameters(**{k: VALUES[k]}) for k in ("M", "J1", "J2", "J3"))
    body = s.body("body", mass=M, inertia=(J1, J2, J3), joint=cd.Free(*x, cd.Euler("3-2-1", nu1, nu2, nu3)))
    return body, [*x, nu2, nu3], J3


def plate_with(constraint: str) -> Carrier:
    s = cd.System(f"particle on a plate, {constraint}")
    free = r_e, nu1, z = s.coordinates("r_e nu1 z")
    m = s.parameters(m=VALUES["m"])
    body, held, J3 = free_body(s, nu1)
    theta = s.coordinates("theta")
    P = s.particle("P", mass=m, frame=body, coordinates=cd.PolarCylindrical(r_e, theta, z))
    loads = with_loads(s, body, P)
    if constraint == "prescribed":
        for one in (*held, theta):  # (38)
            s.prescribe(one, 0)
    else:
        for k, along in enumerate((s.world.x, s.world.y, s.world.z)):  # (39)
            s.no_slip(on=body, along=along, name=f"mu{k + 1}")
        s.no_spin(on=body, about=P.e_theta, name="mu4")
        s.no_spin(on=body, about=P.e_r, name="mu5")
        s.no_slip(on=P, along=P.e_theta, relative_to=body, name="mu6")
    return Carrier(s, free, m, J3, *loads)


def gimbal_with(constraint: str) -> Carrier:
    s = cd.System(f"particle on a gimbal, {constraint}")
    free = nu1, phi_e = s.coordinates("nu1 phi_e")
    m, R0 = s.parameters(m=VALUES["m"], R0=0.6)
    body, held, J3 = free_body(s, nu1)
    R, theta = s.coordinates("R theta")
    P = s.particle("P", mass=m, frame=body, coordinates=cd.PolarSpherical(R, phi_e, theta))
    loads = with_loads(s, body, P)
    if constraint == "prescribed":
        for one in (*held, theta):  # (65)
            s.prescribe(one, 0)
        s.prescribe(R, R0)
    else:
        for k, along in enumerate((s.world.x, s.world.y, s.world.z)):  # (66)
            s.no_slip(on=body, along=along, name=f"mu{k + 1}")
        s.no_spin(on=body, about=P.e_theta, name="mu4")
        s.no_spin(on=body, about=body.x, name="mu5")
        s.no_slip(on=P, along=P.e_R, relative_to=body, name="mu6")
        s.no_slip(on=P, along=P.e_theta, relative_to=body, name="mu7")
    return Carrier(s, free, m, J3, *loads, R0)


def jointed(kind: str, com: Any = (0, 0, 0)) -> Carrier:
    """The same on a revolute joint; with ``com`` beside the axis the half-plate, O being no longer its centre."""
    s = cd.System(f"{kind} on a revolute joint")
    names = "r_e nu1 z" if kind == "plate" else "nu1 phi_e"
    free = s.coordinates(names)
    M, J1, J2, J3, m = s.parameters(M=VALUES["M"], J1=VALUES["J1"], J2=VALUES["J2"], J3=VALUES["J3"], m=VALUES["m"])
    nu1 = free[1] if kind == "plate" else free[0]
    body = s.body("body", mass=M, inertia=(J1, J2, J3), com=com, joint=cd.Revolute("z", nu1))
    R0 = None
    if kind == "plate":
        place = body.vector(free[0], 0, free[2])
    else:
        R0 = s.parameters(R0=0.6)
        place = body.vector(R0 * sin(free[1]), 0, R0 * cos(free[1]))
    P = s.particle("P", mass=m, frame=body, position=place)
    return Carrier(s, free, m, J3 + M * sp.Integer(com[0]) ** 2, *with_loads(s, body, P), R0)


# --- the printed formulas ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Printed:
    """What the text prints about one system, in world components; ``acceleration`` is that of the particle."""

    dv: list[Any]  # dv/dqd^J, (42) and (64) with constraints imposed
    dv_bar: list[Any]
    dw: list[Any]
    acceleration: Any
    applied: list[Any]  # Q_J without mu_J, (45) and (68)
    mu: list[Any]  # text's multipliers, from the balances of particle and body
    F_c: Any  # (41), (67)
    F_bar_c: Any
    M_c: Any


def basis(nu1: Any) -> tuple[Any, Any]:
    return column(cos(nu1), sin(nu1), 0), column(-sin(nu1), cos(nu1), 0)


def printed_plate(c: Carrier) -> Printed:
    """(41), (42), (45); mu_6 = m (r_e nudd + 2 r_ed nud) - F . e_theta from the particle's own balance."""
    r, nu, z = c.free
    e_r, e_theta = basis(nu)
    zero = sp.zeros(3, 1)
    a_theta = r * nu.dot.dot + 2 * r.dot * nu.dot
    a = (r.dot.dot - r * nu.dot**2) * e_r + a_theta * e_theta + z.dot.dot * E_3
    mu6 = c.m * a_theta - dot(c.F, e_theta)
    support = mu6 * e_theta - c.F_bar  # the plate does not move: F_bar_c + F_bar = 0
    mu = [*support, -dot(c.M_a, e_theta), -dot(c.M_a, e_r) - mu6 * z, mu6]
    applied = [
        dot(c.F, e_r),
        dot(c.F, r * e_theta) + dot(c.M_a, E_3),
        c.F[2],
        *(c.F + c.F_bar),
        dot(c.F, -r * E_3 + z * e_r) + dot(c.M_a, e_theta),
        dot(c.F, -z * e_theta) + dot(c.M_a, e_r),
        dot(c.F, r * e_theta),
    ]
    return Printed(
        dv=[e_r, r * e_theta, E_3, E_1, E_2, E_3, -r * E_3 + z * e_r, -z * e_theta, r * e_theta],
        dv_bar=[zero, zero, zero, E_1, E_2, E_3, zero, zero, zero],
        dw=[zero, E_3, zero, zero, zero, zero, e_theta, e_r, zero],
        acceleration=a,
        applied=applied,
        mu=mu,
        F_c=mu6 * e_theta,
        F_bar_c=column(*mu[:3]) - mu6 * e_theta,
        M_c=mu[3] * e_theta + mu[4] * e_r + mu6 * (z * e_r - r * E_3),
    )


def printed_gimbal(c: Carrier) -> Printed:
    """(64), (67), (68) with the errata's Q_6; mu_7 = m R0 (nudd sin + 2 nud phid cos) - F . e_theta."""
    nu, phi = c.free
    R0 = c.R0
    e_r, e_theta = basis(nu)
    e_R, e_phi = cos(phi) * E_3 + sin(phi) * e_r, cos(phi) * e_r - sin(phi) * E_3
    zero = sp.zeros(3, 1)
    a_R = -R0 * (phi.dot**2 + nu.dot**2 * sin(phi) ** 2)
    a_theta = R0 * (nu.dot.dot * sin(phi) + 2 * nu.dot * phi.dot * cos(phi))
    a_phi = R0 * (phi.dot.dot - nu.dot**2 * sin(phi) * cos(phi))
    mu6, mu7 = c.m * a_R - dot(c.F, e_R), c.m * a_theta - dot(c.F, e_theta)
    push = mu6 * e_R + mu7 * e_theta
    mu = [*(push - c.F_bar), -dot(c.M_a, e_theta), -dot(c.M_a, e_r) - mu7 * R0 * cos(phi), mu6, mu7]
    applied = [
        dot(c.F, R0 * sin(phi) * e_theta) + dot(c.M_a, E_3),
        dot(c.F, R0 * e_phi),
        *(c.F + c.F_bar),
        dot(c.F, R0 * e_phi) + dot(c.M_a, e_theta),
        dot(c.F, -R0 * cos(phi) * e_theta) + dot(c.M_a, e_r),
        dot(c.F, e_R),
        dot(c.F, R0 * sin(phi) * e_theta),
    ]
    d, g_2, g_3 = R0 * e_R, e_theta, e_r
    return Printed(
        dv=[E_3.cross(d), R0 * e_phi, E_1, E_2, E_3, g_2.cross(d), g_3.cross(d), e_R, R0 * sin(phi) * e_theta],
        dv_bar=[zero, zero, E_1, E_2, E_3, zero, zero, zero, zero],
        dw=[E_3, zero, zero, zero, zero, g_2, g_3, zero, zero],
        acceleration=a_R * e_R + a_theta * e_theta + a_phi * e_phi,
        applied=applied,
        mu=mu,
        F_c=push,
        F_bar_c=column(*mu[:3]) - push,
        M_c=mu[3] * e_theta + mu[4] * e_r + mu7 * R0 * e_phi,
    )
