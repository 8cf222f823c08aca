"""H4: a particle on a plate with inertia that turns about a line in it."""

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
from cardan.gallery.hemingway.h05_half_plate import system as half_plate
from cardan.gallery.motion import motion
from cardan.gallery.pictures import RED, from_above, panels, smooth
from cardan.gallery.plates import text_figure
from cardan.gallery.sampling import ANGLE, State, body_of, column, dot, letter, letters, numbers, particle_of, states

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RANGES = [(-2.0, 2.0), ANGLE, (-2.0, 2.0)]
ORDER = ("r_e", "nu1", "z", "x1", "x2", "x3", "nu2", "nu3", "theta")
E_3 = column(0, 0, 1)


def system() -> cd.System:
    """The plate on a hinge along E_3; the force `push` acts on the particle across the plate, along e_theta."""
    s = cd.System("particle on a plate")
    r_e, nu1, z = s.coordinates("r_e"), s.coordinates("nu1", on="S1"), s.coordinates("z")
    m, M, J1, J2, J3 = s.parameters(m=1.7, M=2.3, J1=0.3, J2=0.5, J3=0.4)  # J3 is M k^2
    shape = cd.Box(2.6, 0.02, 1.2)
    plate = s.body("plate", mass=M, inertia=(J1, J2, J3), joint=cd.Revolute("z", nu1), shape=shape)
    P = s.particle("P", mass=m, frame=plate, position=plate.vector(r_e, 0, z))
    s.force("push", on=P, along=plate.y)
    return s


def load(s: cd.System) -> cd.System:
    """Put the applied forces F_a, F_bar_a and the moment M_a of the text on particle and plate."""
    s.force("F", on=particle_of(s, "P"))
    s.force("F_bar", on=body_of(s, "plate"))
    s.moment("M_a", on=body_of(s, "plate"))
    return s


def nine(as_rows: bool, constrained: bool = True) -> cd.System:
    """All nine coordinates of (35), with (38) prescribed, or with the rows (39) on velocities, or with neither."""
    s = cd.System("particle on a plate, nine coordinates")
    (r_e, nu1, z), (x1, x2, x3) = s.coordinates("r_e nu1 z"), s.coordinates("x1 x2 x3")
    (nu2, nu3), theta = s.coordinates("nu2 nu3"), s.coordinates("theta")
    m, M, J1, J2, J3 = s.parameters(m=1.7, M=2.3, J1=0.3, J2=0.5, J3=0.4)
    angles = cd.Euler("3-2-1", nu1, nu2, nu3)
    plate = s.body("plate", mass=M, inertia=(J1, J2, J3), joint=cd.Free(x1, x2, x3, angles))
    P = s.particle("P", mass=m, frame=plate, coordinates=cd.PolarCylindrical(r_e, theta, z))
    load(s)
    if not constrained:
        return s
    if not as_rows:
        for one in (x1, x2, x3, nu2, nu3, theta):
            s.prescribe(one, 0)
        return s
    for k, along in enumerate((s.world.x, s.world.y, s.world.z), 1):
        s.no_slip(on=plate, along=along, name=f"mu{k}")
    s.no_spin(on=plate, about=P.e_theta, name="mu4")
    s.no_spin(on=plate, about=P.e_r, name="mu5")
    s.no_slip(on=P, along=P.e_theta, relative_to=plate, name="mu6")
    return s


class Printed:
    """What the text says, in world components: (45) without multipliers, and (41)."""

    def __init__(self, s: cd.System) -> None:
        r, nu, z, m = letters(s, "r_e nu1 z m")
        self.e_r, self.e_theta = column(cos(nu), sin(nu), 0), column(-sin(nu), cos(nu), 0)
        e_r, e_theta = self.e_r, self.e_theta
        F, F_bar, M_a = (column(*letters(s, f"{name}_x {name}_y {name}_z")) for name in ("F", "F_bar", "M_a"))
        if "push" in {str(one) for one in s.model.signals}:
            F += letter(s, "push") * e_theta
        self.applied = [
            dot(F, e_r),
            dot(F, r * e_theta) + dot(M_a, E_3),
            dot(F, E_3),
            *(F + F_bar),
            dot(F, -r * E_3 + z * e_r) + dot(M_a, e_theta),
            dot(F, -z * e_theta) + dot(M_a, e_r),
            dot(F, r * e_theta),
        ]
        mu6 = m * (r * nu.dot.dot + 2 * r.dot * nu.dot) - dot(F, e_theta)  # the balance of the particle itself
        support = mu6 * e_theta - F_bar  # the plate's centre stays: F_bar_c + F_bar = 0
        self.mu = [*support, -dot(M_a, e_theta), -dot(M_a, e_r) - mu6 * z, mu6]
        mu = self.mu
        F_c, F_bar_c = mu6 * e_theta, column(*mu[:3]) - mu6 * e_theta
        M_c = mu[3] * e_theta + mu[4] * e_r + mu6 * (z * e_r - r * E_3)
        self.reactions = [*F_c, *F_bar_c, *M_c]


def checks(s: cd.System) -> Iterator[Check]:
    r, nu, z, m, J3 = letters(s, "r_e nu1 z m J3")
    load(s)
    eq, printed = s.equations(), Printed(s)
    T = m * (r.dot**2 + z.dot**2 + nu.dot**2 * r**2) / 2 + J3 * nu.dot**2 / 2
    yield identity("kinetic energy", "(46)", eq.kinetic_energy, T)
    M = sp.diag(m, m * r**2 + J3, m)
    f = m * column(nu.dot**2 * (-r), 2 * r.dot * nu.dot * r, 0)
    yield from motion(s, "(47)", M=M, f=f, Q=printed.applied[:3], ranges=RANGES)
    yield from reactions(s, eq, printed)
    yield from generalized_forces()
    yield from rows()
    yield from columns(eq, s)
    yield from lock(s, eq)


def columns(eq: Equations, s: cd.System) -> Iterator[Check]:
    """All nine columns (42) of the unconstrained system, the tangent vectors (43), and (44)."""
    free = nine(as_rows=False, constrained=False)
    r, nu, z = letters(free, "r_e nu1 z")
    e_r, e_theta, nil = column(cos(nu), sin(nu), 0), column(-sin(nu), cos(nu), 0), sp.zeros(3, 1)
    E_1, E_2 = column(1, 0, 0), column(0, 1, 0)
    of_particle = [e_r, r * e_theta, E_3, E_1, E_2, E_3, -r * E_3 + z * e_r, -z * e_theta, r * e_theta]
    of_centre = [nil, nil, nil, E_1, E_2, E_3, nil, nil, nil]
    of_spin = [nil, E_3, nil, nil, nil, nil, e_theta, e_r, nil]
    printed = sp.Matrix.vstack(*(sp.Matrix.hstack(*one) for one in (of_particle, of_centre, of_spin)))
    Q, whole = about_z(nu), free.equations()
    tangent = [
        [*e_r, *nil, *representative(sp.zeros(3))],
        [*(r * e_theta), *nil, *representative(skwt(E_3) * Q)],
        [*E_3, *nil, *representative(sp.zeros(3))],
    ]
    expected, turned, basis = numbers(free, printed), numbers(free, Q), numbers(free, tangent)
    order = [[str(one) for one in free.model.q].index(name) for name in ORDER]
    found, tangents, powers = [], [], []
    for at in states(free, [(-2.0, 2.0)] * 9, count=6, held=dict.fromkeys(order[3:], 0.0)):
        here = whole.at(at.q, at.v).basis[:, order]
        rows = expected(at).reshape(9, 9)
        found.append((velocities(here, [turned(at).reshape(3, 3)], 1), rows))
        three = at.q[order[:3]]
        tangents.append((eq.at(three, loads=at.signals).basis, basis(at).reshape(3, 15).T))
        plate = eq.at(three, at.v[order[:3]], loads=at.signals).reactions
        forces = np.concatenate([plate["P"].force, plate["plate"].force, plate["plate"].moment])
        powers.append((forces @ rows[:, :3], np.zeros(3)))
    yield agreement("columns of all nine velocities", "(42)", found)
    yield agreement("tangent vectors of the manifold", "(43)", tangents)
    yield agreement("constraint forces are normal to the manifold", "(44)", powers)


def reactions(s: cd.System, eq: Equations, printed: Printed) -> Iterator[Check]:
    """(41) along random motions, and where the particle is on the axis."""
    value = numbers(s, printed.reactions)

    def pairs(where: Mapping[int, float] | None) -> Iterator[Pair]:
        for at in states(s, RANGES, held=where):
            here = eq.at(at.q, at.v, loads=at.signals)
            plate = here.reactions["plate"]
            found = np.concatenate([here.reactions["P"].force, plate.force, plate.moment])
            yield found, value(at, here.acceleration)

    yield agreement("constraint forces and moment", "(41)", pairs(None))
    yield agreement("the same at lock", "(41), r_e = 0", pairs({0: 0.0}))


def generalized_forces() -> Iterator[Check]:
    """(45), in all nine coordinates."""
    s = nine(as_rows=False)
    found, printed = s.equations().generalized_forces, Printed(s)
    held = [found[name] - sp.Symbol(f"mu_{name}", real=True) for name in ORDER[3:]]
    yield identity("Q_1 to Q_3", "(45)", [found[name] for name in ORDER[:3]], printed.applied[:3])
    yield identity("Q_4 to Q_9 without their multipliers", "(45)", held, printed.applied[3:])


def rows() -> Iterator[Check]:
    """(39) as rows on velocity vectors: allowed velocities satisfy them, and their multipliers are those of (41)."""
    s, reduced = nine(as_rows=True), nine(as_rows=False)
    eq, order = s.equations(), [str(one) for one in s.model.q]
    mu, free = numbers(reduced, Printed(reduced).mu), [order.index(name) for name in ORDER[:3]]
    residuals, multipliers = [], []
    for at in states(reduced, [(0.3, 2.0), ANGLE, (-2.0, 2.0)], count=6):
        q, v = np.zeros(9), np.zeros(9)
        q[free], v[free] = at.q, at.v
        here = eq.at(q.tolist(), v.tolist(), loads=at.signals)
        residuals.append((here.A @ v, np.zeros(6)))
        expected = mu(State(at.q, at.v, at.t, at.signals), here.acceleration[free])
        multipliers.append(([here.multipliers[f"mu{k}"] for k in range(1, 7)], expected))
    yield agreement("the motions of the plate satisfy the constraints", "(39)", residuals)
    yield agreement("multipliers of the rows", "(41)", multipliers)


def lock(s: cd.System, eq: Equations) -> Iterator[Check]:
    found = [(one.kind, sp.simplify(one.condition)) for one in s.singular_set(load="push")]
    yield same("where the push is lost", "after (47)", found, [("gimbal-lock", sp.Eq(letter(s, "r_e"), 0))])
    axis = [0.0, 0.4, 0.7]
    at = eq.at(axis, loads={"push": 5.0})
    yield near("the push moves nothing at r_e = 0", "after (47)", at.acceleration, np.zeros(3))
    held = -5.0 * np.array([-np.sin(0.4), np.cos(0.4), 0.0])
    yield near("the plate holds the particle against it", "(41)", at.reactions["P"].force, held)
    yield same("diagnosis at r_e = 0", "after (47)", s.diagnose(axis, loads={"push": 1.0}).kinds, {"gimbal-lock"})
    yield same("configuration manifold", "after (39)", str(s.manifold()), "E^2 x S^1")
    light = s.with_values(M=0.0, J1=0.0, J2=0.0, J3=0.0)
    yield same("without inertia of the plate", "after (47)", str(light.manifold()), "E^3")
    yield refused(
        "without inertia the singularity returns", "after (47)",
        lambda: light.compile().acceleration(axis, [1.0, 1.0, 1.0]), SingularMassMatrix,
    )  # fmt: skip


def picture(run: cd.Run) -> Figure:
    """The path through the axis, and the torque that the constant push makes about it."""
    along = smooth(run)
    with panels("path seen from above", "what the push of 2 N does") as (figure, (path, torque)):
        from_above(path, along)
        path.plot([0], [0], "o", color=RED, label="axis: gimbal lock")
        path.legend(loc="best")
        torque.plot(along.t, 2.0 * along["r_e"])
        torque.axhline(0, color=RED, lw=0.9)
        torque.set(xlabel="time [s]", ylabel="$Q_2$ about the hinge [N m]")
    return figure


def plates() -> Iterator[Plate]:
    """Fig. 4: both plates, and both manifolds."""
    full, half = system(), half_plate()
    shown = {
        "(a) full plate": full.simulate(1e-3, q={"r_e": -0.8, "nu1": 0.5, "z": 0.2}),
        "(b) half-plate": half.simulate(1e-3, q={"r": 0.8, "nu1": 0.5, "z": 0.2}),
    }
    yield from text_figure(4, "a particle on a plate and on a half-plate.", shown, {"(c)": full, "(d)": half})


ENTRY = Entry(
    id="H4",
    where="section 4.3, equations (35) to (47)",
    lesson=(
        "Give the plate that carries the particle an inertia of its own, and let it turn freely. The angle of the "
        "plate is then a coordinate of the plate and stays meaningful when the particle crosses the hinge line: the "
        "mass matrix keeps the term M k^2 and never loses rank. Yet a force across the plate, which turns plate and "
        "particle together when it has an arm, turns nothing when the particle is on the hinge; bearings and plate "
        "carry all of it. This is gimbal lock in its plainest form, a load that is orthogonal to the configuration "
        "manifold at special places, and it is a property of the mechanism. Let the plate's inertia vanish and the "
        "same place becomes a coordinate singularity instead."
    ),
    system=system,
    checks=checks,
    start={
        "duration": 2.5,
        "q": {"r_e": -1.0, "nu1": 0.2, "z": 0.0},
        "v": {"r_e": 1.0, "nu1": 0.15, "z": 0.1},
        "loads": {"push": 2.0},
    },
    picture=picture,
    plates=plates,
    sketched=True,
    caption="A steady push across the plate: its torque vanishes, and changes sign, where the path meets the hinge.",
    erratum="After (47), a force along e_theta at r_e = 0 enters Q_4, Q_5 and Q_8; Q_9 is zero.",
)
