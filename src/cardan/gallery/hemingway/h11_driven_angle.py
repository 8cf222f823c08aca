"""H11: a body about a fixed point whose first Euler angle is driven."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from sympy import cos, cot, csc, pi, sin

import cardan as cd
from cardan.equations.equations import Equations
from cardan.gallery.comparing import Pair, agreement, identity, same
from cardan.gallery.entry import Check, Entry
from cardan.gallery.hemingway.columns import about_x, about_z, representative, skwt
from cardan.gallery.hemingway.h10_fixed_point import euler_basis
from cardan.gallery.motion import motion
from cardan.gallery.pictures import RED, panels, smooth
from cardan.gallery.sampling import ANGLE, AtState, body_of, column, dot, letter, letters, numbers, states
from cardan.geometry import euler

if TYPE_CHECKING:
    from matplotlib.figure import Figure

E_3 = column(0, 0, 1)


def system(stops: bool = False) -> cd.System:
    """3-1-3 Euler angles with nu1 = f(t); nu2 takes all values of a circle, unless stops keep it between 0 and pi."""
    s = cd.System("body with its first Euler angle driven")
    nu2, nu3, nu1 = s.coordinates("nu2 nu3 nu1", on="S1")
    lam, a, b = s.parameters(lam=0.9, a=0.8, b=0.3)
    body = s.body("body", mass=2.0, inertia=lam, joint=cd.Ball(cd.Euler("3-1-3", nu1, nu2, nu3)))
    ring = s.frame("ring", joint=cd.Revolute("z", nu1))
    fork = s.frame("fork", parent=ring, joint=cd.Revolute("x", nu2))
    s.moment("M_u", on=body, along=fork.y)  # fork.y is u of (90)
    s.prescribe(nu1, a * s.time + b * s.time**2)
    if stops:
        s.stop(nu2, restitution=1, name="low")
        s.stop(pi - nu2, restitution=1, name="high")
    return s


def dual_basis(nu1: sp.Expr, nu2: sp.Expr) -> list[sp.Matrix]:
    """g^1, g^2, g^3 of (81)."""
    return [
        column(-sin(nu1) * cot(nu2), cos(nu1) * cot(nu2), 1),
        column(cos(nu1), sin(nu1), 0),
        column(sin(nu1) * csc(nu2), -cos(nu1) * csc(nu2), 0),
    ]


def u_of(f: sp.Expr, nu2: sp.Expr) -> sp.Matrix:
    """(90)."""
    return cos(nu2) * column(-sin(f), cos(f), 0) + sin(nu2) * E_3


def checks(s: cd.System) -> Iterator[Check]:
    s.moment("M", on=body_of(s, "body"))
    nu2, nu3, lam, a, b = letters(s, "nu2 nu3 lam a b")
    t = s.time
    f = a * t + b * t**2
    fd, fdd = sp.diff(f, t), sp.diff(f, t, 2)
    g, u = euler_basis(f, nu2), u_of(f, nu2)
    M_a = column(*letters(s, "M_x M_y M_z")) + letter(s, "M_u") * u
    eq = s.equations()
    yield from bases()
    split = [lam * (nu2.dot**2 + nu3.dot**2) / 2, lam * fd * nu3.dot * cos(nu2), lam * fd**2 / 2]
    yield identity("T2, T1, T0", "(86)", eq.kinetic_energy_split, split)
    terms = [lam * sin(nu2) * fd * nu3.dot, -lam * sin(nu2) * fd * nu2.dot + lam * fdd * cos(nu2)]
    Q = [dot(M_a, g[1]), dot(M_a, g[2])]
    yield from motion(s, "(87) corrected", M=lam * sp.eye(2), f=terms, Q=Q, ranges=[ANGLE, ANGLE])
    mu = lam * fdd + lam * cos(nu2) * nu3.dot.dot - lam * sin(nu2) * nu2.dot * nu3.dot - dot(M_a, g[0])
    yield identity("multiplier of nu1 = f(t)", "(88) corrected", eq.multipliers["nu1"], mu)
    moment = lam * (nu2.dot * fd * cos(nu2) - nu2.dot * nu3.dot + fdd * sin(nu2)) * u - dot(M_a, u) * u
    yield from tangent_vectors(s, eq, g)
    yield from finite(s, eq, numbers(s, moment), numbers(s, mu * dual_basis(f, nu2)[0]))
    yield same("configuration manifold", "after (84)", str(s.manifold()), "T^2")
    yield same("with stops at nu2 = 0 and pi", "after (91)", str(system(stops=True).manifold()), "I x S^1")
    yield same("nothing is singular at nu2 = 0", "after (85)", s.diagnose([0.0, 0.4], loads={}).kinds, set())
    carried = [(one.kind, one.text) for one in s.singular_set(load="M_u")]
    yield same("a moment along u never acts", "(89)", carried, [("carried-by-constraints", "everywhere")])
    yield from impulse()


def tangent_vectors(s: cd.System, eq: Equations, g: Sequence[sp.Matrix]) -> Iterator[Check]:
    """(85): the rotation tensor moves by skwt(g_2) Q and skwt(g_3) Q."""
    nu2, nu3, a, b = letters(s, "nu2 nu3 a b")
    Q = about_z(a * s.time + b * s.time**2) * about_x(nu2) * about_z(nu3)
    printed = numbers(s, [[0, 0, 0, *representative(skwt(one) * Q)] for one in g[1:]])
    pairs = [
        (eq.at(at.q, at.v, at.t, loads=at.signals).basis, printed(at).reshape(2, 12).T)
        for at in states(s, [ANGLE, ANGLE], count=6)
    ]
    yield agreement("tangent vectors of the torus", "(85)", pairs)


def bases() -> Iterator[Check]:
    """(81) against the geometry room, and {u, g_2, g_3} as an orthonormal basis."""
    nu = nu1, nu2, _ = sp.symbols("nu1:4", real=True)
    yield identity("dual Euler basis", "(81)", sp.Matrix(euler.dual_basis("3-1-3", nu)), dual_rows(nu1, nu2))
    _, g2, g3 = (sp.Matrix(one) for one in euler.basis("3-1-3", nu))
    frame = sp.Matrix.hstack(u_of(nu1, nu2), g2, g3)
    yield identity("u, g_2, g_3 are orthonormal", "(90)", frame.T * frame, sp.eye(3))
    yield identity("g^1 is u divided by sin(nu2)", "(81), (90)", sin(nu2) * euler_dual(nu), u_of(nu1, nu2))


def dual_rows(nu1: sp.Expr, nu2: sp.Expr) -> sp.Matrix:
    return sp.Matrix([one.T for one in dual_basis(nu1, nu2)])


def euler_dual(nu: Sequence[sp.Expr]) -> sp.Matrix:
    return sp.Matrix(euler.dual_basis("3-1-3", nu)[0])


def finite(s: cd.System, eq: Equations, along_u: AtState, along_dual: AtState) -> Iterator[Check]:
    """The constraint moment: mu g^1 where g^1 exists, (89) everywhere."""

    def pairs(printed: AtState, where: Mapping[int, float] | None) -> Iterator[Pair]:
        for at in states(s, [(0.3, 2.8), ANGLE], held=where):
            here = eq.at(at.q, at.v, at.t, loads=at.signals)
            yield here.reactions["body"].moment, printed(at, here.acceleration)

    yield agreement("constraint moment along g^1", "(83), (88)", pairs(along_dual, None))
    yield agreement("constraint moment along u", "(89) corrected", pairs(along_u, None))
    yield agreement("finite at nu2 = 0, where g^1 is infinite", "(89) corrected", pairs(along_u, {0: 0.0}))
    yield agreement("finite at nu2 = pi", "(89) corrected", pairs(along_u, {0: np.pi}))


def impulse() -> Iterator[Check]:
    """The angular impulse of a stop is the jump of the angular momentum, (91): an elastic stop turns nu2d about."""
    run = system(stops=True).simulate(2.5, q={"nu2": 1.0}, v={"nu2": -4.0, "nu3": 0.7}, rtol=1e-11, atol=1e-13)
    hits = [event for event in run.events if event.kind == "impact"]
    yield same("both stops are reached", "(91)", {hit.name for hit in hits}, {"low", "high"})
    pairs, named = [], []
    for hit, found in zip(hits, run.impulses, strict=True):
        f = 0.8 * hit.t + 0.3 * hit.t**2
        g_2 = np.array([np.cos(f), np.sin(f), 0.0])  # the only direction along which the stop can act
        expected = 0.9 * (-2.0 * hit.v[0]) * g_2  # lambda (w+ - w-): nu2d is reversed, nu3d and fd stay
        pairs.append((found.bodies["body"].moment, expected))
        sign = 1.0 if hit.name == "low" else -1.0
        named.append((sign * hit.facts["impulse"][hit.name] * g_2, expected))
    yield agreement("angular impulse on the body", "(91)", pairs, within=1e-10, because="10 times the run's tolerance")
    yield agreement("impulse of the stops", "(91)", named, within=1e-10, because="10 times the run's tolerance")


def picture(run: cd.Run) -> Figure:
    """The multiplier, which is only a component, and the moment itself."""
    along = smooth(run)
    f, nu2 = 0.8 * along.t + 0.3 * along.t**2, along["nu2"]
    u = np.stack([-np.cos(nu2) * np.sin(f), np.cos(nu2) * np.cos(f), np.sin(nu2)], axis=1)
    moment = np.sum(along.reactions["body"].moment * u, axis=1)
    with panels("nutation", "what drives the angle") as (figure, (angle, size)):
        angle.plot(along.t, np.degrees(nu2))
        angle.axhline(0.0, color=RED, lw=0.9, ls=":")
        angle.set(xlabel="time [s]", ylabel=r"$\nu^2_e$ [degrees]")
        size.plot(along.t, moment, label="constraint moment along u [N m]")
        size.plot(along.t, np.minimum(1 / np.abs(np.sin(nu2)), 14.0), color=RED, lw=1.0, label="length of $g^1$ [-]")
        size.set(xlabel="time [s]", ylabel="values in the units of the legend", ylim=(-12, 24))
        size.legend(loc="upper left")
    return figure


ENTRY = Entry(
    id="H11",
    where="section 6.2, equations (80) to (91)",
    lesson=(
        "Drive the first Euler angle and the other two are regular coordinates for all values, on a torus: the "
        "singularity of H10 is gone because the direction that was doubtful is now given. The textbook prescription "
        "puts the driving moment along the dual vector g^1, which grows without bound as nu2 approaches 0 or pi. The "
        "moment itself does not: multiplier and vector compensate, and (89) writes the product along a unit vector u. "
        "A moment along u is carried by the drive in every configuration. Inherit the range of nu2 from the free body "
        "instead, and its two ends become stops with angular impulses."
    ),
    system=system,
    checks=checks,
    start={"duration": 4.0, "q": {"nu2": 1.0, "nu3": 0.0}, "v": {"nu2": -2.4, "nu3": 0.7}},
    picture=picture,
    caption="Whenever nu2 passes 0 (dotted) the vector g^1 becomes infinite; the moment that drives nu1 does not.",
    erratum="(87) to (89) have lost dots and a sign: lambda nu2dd + lambda sin(nu2) fd nu3d = M . g_2, "
    "lambda nu3dd - lambda sin(nu2) fd nu2d = M . g_3 - lambda fdd cos(nu2); (88) begins lambda fdd; the third term "
    "of (89) is fdd sin(nu2). The basis u, g_2, g_3 is left-handed.",
)
