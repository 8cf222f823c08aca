"""Bodies in a plane (C5, C6): rotation about an axle, the parallel axis, and an arm on a cart."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import sympy as sp
from sympy import cos, sin

import cardan as cd
from cardan.gallery.comparing import Pair, agreement, identity, same
from cardan.gallery.entry import Check
from cardan.gallery.printed import rows
from cardan.gallery.sampling import ANGLE, column, dot, letters, numbers, rate, states

PLACE = (-2.0, 2.0)


def box_on_an_axle() -> cd.System:
    """A uniform box whose centre is at a distance d from the axle, turned by a torque."""
    s = cd.System("box on an axle")
    q = s.coordinates("q", on="S1")
    m, a, b, c, d = s.parameters(m=1.7, a=0.5, b=0.3, c=0.2, d=0.4)
    moments = cd.geometry.inertia.box(m, a, b, c)
    box = s.body("box", mass=m, inertia=moments, com=(d, 0, 0), joint=cd.Revolute("z", q))
    s.moment("tau", on=box, along=s.world.z)
    return s


def planar_rotation() -> Iterator[Check]:
    """K = qd^2 I/2 and tau = I qdd, with I = I_zz + m d^2 and I_zz = (m/V) times an integral."""
    s = box_on_an_axle()
    q, m, a, b, c, d, tau = letters(s, "q m a b c d tau")
    x, y, z = sp.symbols("x y z")
    volume = ((x, -a / 2, a / 2), (y, -b / 2, b / 2), (z, -c / 2, c / 2))
    I_zz = m / (a * b * c) * sp.integrate(x**2 + y**2, *volume)
    turned = I_zz + m * d**2
    yield identity("planar kinetic energy", "(10.30), (10.31)", s.equations().kinetic_energy, turned * q.dot**2 / 2)
    yield identity("planar rotation, parallel axis", "(10.32), (10.33)", rows(s.equations()), [turned * q.ddot - tau])


def cart_with_arm() -> cd.System:
    """An arm on a cart that slides and turns on the floor; both have their mass off their axes."""
    s = cd.System("cart with arm")
    x, y, psi, a = s.coordinates("x y psi a")
    m, d, inertia = s.parameters(m=1.2, d=0.3, I=0.1)
    cart = s.body("cart", mass=5 * m, inertia=4 * inertia, com=(d / 3, 0, 0), joint=cd.Planar(x, y, psi))
    s.body("arm", mass=m, inertia=inertia, com=(2 * d, 0, 0), at=(d, d, 0), joint=cd.Revolute("z", a), parent=cart)
    return s


def invariance() -> Iterator[Check]:
    """Neither M nor f contain the cart's place, and a turned cart has turned accelerations."""
    s = cart_with_arm()
    eq = s.equations()
    place = set(letters(s, "x y"))
    found = (eq.mass_matrix.free_symbols | eq.velocity_terms.free_symbols) & place
    yield same("a cart-mounted arm does not feel where the cart is", "after (10.14)", found, set())
    yield agreement("nor which way it faces", "after (10.14)", turned_accelerations(s))
    yield agreement("its M by hand: K = qd^T M qd / 2, second derivatives of K", "(10.13), (10.14)", energies(s))


def energies(s: cd.System) -> Iterator[Pair]:
    """Half of qd^T M qd and M of native code; K of both bodies by hand, and its second derivatives."""
    x, y, psi, a, m, d, inertia = letters(s, "x y psi a m d I")
    q, K = (x, y, psi, a), sp.Integer(0)
    hinge = column(x + d * (cos(psi) - sin(psi)), y + d * (sin(psi) + cos(psi)))
    cart = column(x + d / 3 * cos(psi), y + d / 3 * sin(psi))
    arm = hinge + 2 * d * column(cos(psi + a), sin(psi + a))
    for mass, centre, moment, spin in ((5 * m, cart, 4 * inertia, psi.dot), (m, arm, inertia, psi.dot + a.dot)):
        v = rate(centre, q)
        K += mass * dot(v, v) / 2 + moment * spin**2 / 2
    energy, hessian = numbers(s, K), numbers(s, sp.hessian(K, [one.dot for one in q]))
    kernel = s.compile()
    for at in states(s, [PLACE, PLACE, ANGLE, ANGLE]):
        M = kernel.mass_matrix(at.q)
        yield at.v @ M @ at.v / 2, energy(at)[0]
        yield M, hessian(at).reshape(4, 4)


def turned_accelerations(s: cd.System, angle: float = 0.9) -> Iterator[Pair]:
    """Accelerations after turning the whole scene, and the turned accelerations."""
    kernel = s.compile()
    turn = np.eye(4)
    turn[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    for at in states(s, [PLACE, PLACE, ANGLE, ANGLE]):
        q = turn @ at.q + np.array([0, 0, angle, 0])
        yield kernel.acceleration(q, turn @ at.v), turn @ kernel.acceleration(at.q, at.v)


def polar_mass() -> cd.System:
    """Problem 1: a mass in polar coordinates with generalized forces."""
    s = cd.System("polar mass")
    r, theta = s.coordinates("r theta")
    m = s.parameters(m=1.7)
    s.lagrangian(m * (r.dot**2 + r**2 * theta.dot**2) / 2)
    for one, name in ((r, "u1"), (theta, "u2")):
        s.generalized_force(one, s.input(name))
    return s


def problem_1() -> Iterator[Check]:
    """Gamma^1_22 = -m q1 and Gamma^2_12 = Gamma^2_21 = m q1, printed after (10.9)."""
    s = polar_mass()
    r, theta, m, u1, u2 = letters(s, "r theta m u1 u2")
    eq = s.equations()
    symbols = [0, 0, 0, -m * r, 0, m * r, m * r, 0]  # Gamma^i_jk in the order of i, j, k
    yield identity("1: Christoffel symbols of a polar mass", "after (10.9)", list(eq.christoffel), symbols)
    by_hand = column(m * r.ddot - m * r * theta.dot**2 - u1, m * r**2 * theta.ddot + 2 * m * r * r.dot * theta.dot - u2)
    yield identity("1: its equations of motion", "problem 1", rows(eq), by_hand)
