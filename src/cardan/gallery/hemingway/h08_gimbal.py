"""H8: a particle on a gimbal with inertia."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from sympy import cos, sin

import cardan as cd
from cardan.equations.equations import Equations
from cardan.errors import SingularMassMatrix
from cardan.gallery.comparing import Pair, agreement, identity, near, refused, same
from cardan.gallery.entry import Check, Entry, Plate
from cardan.gallery.hemingway.columns import about_z, representative, skwt, velocities
from cardan.gallery.hemingway.h09_half_gimbal import free_half_gimbal
from cardan.gallery.motion import motion
from cardan.gallery.pictures import BLUE, RED, panels, smooth, torus, torus_point
from cardan.gallery.plates import text_figure
from cardan.gallery.sampling import ANGLE, body_of, column, dot, letter, letters, numbers, particle_of, states

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ORDER = ("nu1", "phi_e", "x1", "x2", "x3", "nu2", "nu3", "R", "theta")
E_3 = column(0, 0, 1)


def system() -> cd.System:
    """The gimbal on a hinge along E_3, the particle on its rim; `push` acts across the gimbal, along e_theta."""
    s = cd.System("particle on a gimbal")
    nu1, phi_e = s.coordinates("nu1 phi_e", on="S1")
    m, M, R0, J1, J2, J3 = s.parameters(m=1.7, M=2.3, R0=0.6, J1=0.3, J2=0.5, J3=0.4)  # J3 is M k^2
    shape = cd.Ring(R0, R0 / 40, axis="y")
    gimbal = s.body("gimbal", mass=M, inertia=(J1, J2, J3), joint=cd.Revolute("z", nu1), shape=shape)
    P = s.particle("P", mass=m, frame=gimbal, position=gimbal.vector(R0 * sin(phi_e), 0, R0 * cos(phi_e)))
    s.force("push", on=P, along=gimbal.y)
    return s


def load(s: cd.System) -> cd.System:
    """Put the applied forces F_a, F_bar_a and the moment M_a of the text on particle and gimbal."""
    s.force("F", on=particle_of(s, "P"))
    s.force("F_bar", on=body_of(s, "gimbal"))
    s.moment("M_a", on=body_of(s, "gimbal"))
    return s


def nine(constrained: bool = True) -> cd.System:
    """All nine coordinates of (61), with (65) prescribed."""
    s = cd.System("particle on a gimbal, nine coordinates")
    (nu1, phi_e), (x1, x2, x3) = s.coordinates("nu1 phi_e"), s.coordinates("x1 x2 x3")
    (nu2, nu3), (R, theta) = s.coordinates("nu2 nu3"), s.coordinates("R theta")
    m, M, R0, J1, J2, J3 = s.parameters(m=1.7, M=2.3, R0=0.6, J1=0.3, J2=0.5, J3=0.4)
    angles = cd.Euler("3-2-1", nu1, nu2, nu3)
    gimbal = s.body("gimbal", mass=M, inertia=(J1, J2, J3), joint=cd.Free(x1, x2, x3, angles))
    s.particle("P", mass=m, frame=gimbal, coordinates=cd.PolarSpherical(R, phi_e, theta))
    load(s)
    if constrained:
        for one in (x1, x2, x3, nu2, nu3, theta):
            s.prescribe(one, 0)
        s.prescribe(R, R0)
    return s


class Printed:
    """What the text says, in world components: (68) without multipliers, and (67)."""

    def __init__(self, s: cd.System) -> None:
        nu, phi, m, R0 = letters(s, "nu1 phi_e m R0")
        e_r, e_theta = column(cos(nu), sin(nu), 0), column(-sin(nu), cos(nu), 0)
        e_R, e_phi = cos(phi) * E_3 + sin(phi) * e_r, cos(phi) * e_r - sin(phi) * E_3
        F, F_bar, M_a = (column(*letters(s, f"{name}_x {name}_y {name}_z")) for name in ("F", "F_bar", "M_a"))
        if "push" in {str(one) for one in s.model.signals}:
            F += letter(s, "push") * e_theta
        self.applied = [
            dot(F, R0 * sin(phi) * e_theta) + dot(M_a, E_3),
            dot(F, R0 * e_phi),
            *(F + F_bar),
            dot(F, R0 * e_phi) + dot(M_a, e_theta),
            dot(F, -R0 * cos(phi) * e_theta) + dot(M_a, e_r),
            dot(F, e_R),
            dot(F, R0 * sin(phi) * e_theta),
        ]
        # multipliers from the balances of the particle and of the gimbal, which does not move off its axis
        mu6 = -m * R0 * (phi.dot**2 + nu.dot**2 * sin(phi) ** 2) - dot(F, e_R)
        mu7 = m * R0 * (nu.dot.dot * sin(phi) + 2 * nu.dot * phi.dot * cos(phi)) - dot(F, e_theta)
        push = mu6 * e_R + mu7 * e_theta
        mu = [*(push - F_bar), -dot(M_a, e_theta), -dot(M_a, e_r) - mu7 * R0 * cos(phi)]
        M_c = mu[3] * e_theta + mu[4] * e_r + mu7 * R0 * e_phi
        self.reactions = [*push, *(column(*mu[:3]) - push), *M_c]


def checks(s: cd.System) -> Iterator[Check]:
    nu, phi, m, R0, J3 = letters(s, "nu1 phi_e m R0 J3")
    load(s)
    eq, printed = s.equations(), Printed(s)
    T = m * (nu.dot**2 * R0**2 * sin(phi) ** 2 + phi.dot**2 * R0**2) / 2 + J3 * nu.dot**2 / 2
    yield identity("kinetic energy", "(71)", eq.kinetic_energy, T)
    M = sp.diag(m * R0**2 * sin(phi) ** 2 + J3, m * R0**2)
    sc = R0**2 * sin(phi) * cos(phi)
    f = m * column(2 * nu.dot * phi.dot * sc, -(nu.dot**2) * sc)
    yield from motion(s, "(72)", M=M, f=f, Q=printed.applied[:2], ranges=[ANGLE, ANGLE])
    yield from reactions(s, eq, printed)
    whole = nine()
    found, all_nine = whole.equations().generalized_forces, Printed(whole).applied
    held = [found[name] - sp.Symbol(f"mu_{name}", real=True) for name in ORDER[2:]]
    yield identity("Q_1 and Q_2", "(68)", [found[name] for name in ORDER[:2]], all_nine[:2])
    yield identity("Q_3 to Q_9 without their multipliers", "(68) corrected", held, all_nine[2:])
    yield from columns(eq)
    yield from lock(s, eq)


def columns(eq: Equations) -> Iterator[Check]:
    """All nine columns (64) of the unconstrained system where (65) holds, rows (66), and the tangent vectors (70)."""
    free = nine(constrained=False)
    nu, phi, R = letters(free, "nu1 phi_e R")
    e_r, e_theta, nil = column(cos(nu), sin(nu), 0), column(-sin(nu), cos(nu), 0), sp.zeros(3, 1)
    e_R, e_phi = cos(phi) * E_3 + sin(phi) * e_r, cos(phi) * e_r - sin(phi) * E_3
    E_1, E_2, d, g = column(1, 0, 0), column(0, 1, 0), R * e_R, (E_3, e_theta, e_r)
    of_particle = [g[0].cross(d), R * e_phi, E_1, E_2, E_3, g[1].cross(d), g[2].cross(d), e_R, R * sin(phi) * e_theta]
    of_centre, of_spin = [nil, nil, E_1, E_2, E_3, nil, nil, nil, nil], [g[0], nil, nil, nil, nil, g[1], g[2], nil, nil]
    printed = sp.Matrix.vstack(*(sp.Matrix.hstack(*one) for one in (of_particle, of_centre, of_spin)))
    Q = about_z(nu)
    tangent = [
        [*(R * sin(phi) * e_theta), *nil, *representative(skwt(E_3) * Q)],
        [*(R * e_phi), *nil, *representative(sp.zeros(3))],
    ]
    v, v_bar, w = (sp.Matrix(sp.symbols(f"{name}1:4")) for name in ("v", "u", "w"))
    motions = [*v, *v_bar, *w]
    relative = v - v_bar
    held = [*v_bar, dot(w, e_theta), dot(w, e_r), dot(relative, e_R), dot(relative, e_theta) + dot(w, R * e_phi)]
    rows = sp.Matrix([[sp.diff(sp.expand(one), x) for x in motions] for one in held])
    expected, turned, basis, forbidden = (numbers(free, one) for one in (printed, Q, tangent, rows))
    order = [[str(one) for one in free.model.q].index(name) for name in ORDER]
    fixed = dict.fromkeys(order[2:], 0.0) | {order[7]: 0.6}
    found, tangents, allowed = [], [], []
    for at in states(free, [(-3.0, 3.0)] * 9, count=6, held=fixed):
        columns_here = velocities(free.equations().at(at.q, at.v).basis[:, order], [turned(at).reshape(3, 3)], 1)
        found.append((columns_here, expected(at).reshape(9, 9)))
        tangents.append((eq.at(at.q[order[:2]]).basis, basis(at).reshape(2, 15).T))
        allowed.append((forbidden(at).reshape(7, 9) @ columns_here[:, :2], np.zeros((7, 2))))
    yield agreement("columns of all nine velocities", "(64)", found)
    yield agreement("the motions of the gimbal satisfy the constraints", "(66)", allowed)
    yield agreement("tangent vectors of the manifold", "(70)", tangents)


def reactions(s: cd.System, eq: Equations, printed: Printed) -> Iterator[Check]:
    """(67) along random motions, and on the gimbal-lock circle."""
    value = numbers(s, printed.reactions)

    def pairs(where: Mapping[int, float] | None) -> Iterator[Pair]:
        for at in states(s, [ANGLE, ANGLE], held=where):
            here = eq.at(at.q, at.v, loads=at.signals)
            body = here.reactions["gimbal"]
            found = np.concatenate([here.reactions["P"].force, body.force, body.moment])
            yield found, value(at, here.acceleration)

    yield agreement("constraint forces and moment", "(67)", pairs(None))
    yield agreement("the same at lock", "(67), phi_e = 0", pairs({1: 0.0}))


def lock(s: cd.System, eq: Equations) -> Iterator[Check]:
    found = [(one.kind, sp.simplify(one.condition)) for one in s.singular_set(load="push")]
    circles = [("gimbal-lock", sp.Eq(sin(letter(s, "phi_e")), 0))]
    yield same("where the push is lost", "after (72)", found, circles)
    for phi, name in ((0.0, "0"), (np.pi, "pi")):
        at = eq.at([0.4, phi], loads={"push": 5.0})
        yield near(f"the push moves nothing at phi_e = {name}", "after (72)", at.acceleration, np.zeros(2))
        held = -5.0 * np.array([-np.sin(0.4), np.cos(0.4), 0.0])
        yield near(f"the gimbal carries it at phi_e = {name}", "(67)", at.reactions["P"].force, held)
        kinds = s.diagnose([0.4, phi], loads={"push": 1.0}).kinds
        yield same(f"diagnosis at phi_e = {name}", "after (72)", kinds, {"gimbal-lock"})
    yield same("configuration manifold", "after (66)", str(s.manifold()), "T^2")
    light = s.with_values(M=0.0, J1=0.0, J2=0.0, J3=0.0)
    yield same("without inertia of the gimbal", "after (72)", str(light.manifold()), "S^2")
    yield refused(
        "without inertia the singularity returns", "after (72)",
        lambda: light.compile().acceleration([0.4, 0.0], [1.0, 1.0]), SingularMassMatrix,
    )  # fmt: skip


def picture(run: cd.Run) -> Figure:
    """The motion on the torus with its two gimbal-lock circles, and the angles."""
    along = smooth(run, 2000)
    with panels("motion on the torus", "angles", ratios=(1.15, 1), spatial=(0,)) as (figure, (space, angles)):
        torus(space)
        space.plot(*torus_point(along["nu1"], along["phi_e"]), color=BLUE, lw=1.4)
        turn = np.linspace(0, 2 * np.pi, 121)
        for phi, label in ((0.0, "gimbal lock"), (np.pi, None)):
            space.plot(*torus_point(turn, np.full_like(turn, phi)), color=RED, lw=1.8, label=label)
        space.legend(loc="lower left")
        angles.plot(along.t, along["nu1"], label=r"$\nu^1$")
        angles.plot(along.t, along["phi_e"], label=r"$\phi_e$")
        angles.set(xlabel="time [s]", ylabel="angle [rad]")
        angles.legend(loc="best")
    return figure


def plates() -> Iterator[Plate]:
    """Fig. 5: both gimbals, and both manifolds."""
    full, half = system(), free_half_gimbal()
    shown = {
        "(a) full gimbal": full.simulate(1e-3, q=[0.5, 0.9]),
        "(b) half-gimbal": half.simulate(1e-3, q=[0.5, 0.9]),
    }
    yield from text_figure(5, "a particle on a gimbal and on a half-gimbal.", shown, {"(c)": full, "(d)": half})


ENTRY = Entry(
    id="H8",
    where="section 5.3, equations (61) to (72)",
    lesson=(
        "A bead slides on a hoop that is free to turn about its diameter. Two angles tell where hoop and bead are, and "
        "since the hoop has an inertia, they do so everywhere: the configurations form a torus without any singular "
        "point. On two circles of this torus the bead is on the axis of the hoop. There a force on the bead across the "
        "hoop turns nothing and is carried by the hoop and its bearings: gimbal lock. If the hoop were without "
        "inertia, its angle would say nothing when the bead is on the axis, the two circles would shrink to the two "
        "poles, and the torus would become a sphere with the usual coordinate singularities."
    ),
    system=system,
    checks=checks,
    start={
        "duration": 6.0,
        "q": {"nu1": 0.1, "phi_e": 0.9},
        "v": {"nu1": 0.7, "phi_e": 2.3},
        "loads": {"push": 0.3},
    },
    picture=picture,
    plates=plates,
    sketched=True,
    caption="The pair (hoop angle, bead angle) winds round a torus; on the red circles the push is in gimbal lock.",
    erratum="In (68), Q_6 = F_a . R0 e_phi + M_a . e_theta + mu_4. After (72), the lost force enters Q_3, Q_4, Q_7.",
)
