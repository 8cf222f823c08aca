"""H12: a platform in a Cardan suspension of three gimbals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from sympy import cos, pi, sin

import cardan as cd
from cardan.equations.equations import Equations
from cardan.errors import SingularMassMatrix
from cardan.gallery.comparing import Pair, agreement, identity, near, refused, same
from cardan.gallery.entry import Check, Entry, Plate
from cardan.gallery.hemingway.columns import about_x, about_z, angular, representative
from cardan.gallery.pictures import RED, panels, smooth
from cardan.gallery.plates import text_figure
from cardan.gallery.sampling import ANGLE, body_of, column, dot, letter, letters, numbers, rate, states

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAMES = ("outer", "inner", "platform")
HELD = (
    "outer_moment_y",
    "outer_moment_x",
    "inner_moment_z",
    "inner_moment_y",
    "platform_moment_y",
    "platform_moment_x",
)
E_3 = column(0, 0, 1)


def system(stops: bool = False) -> cd.System:
    """Three spherical bodies, one in the other; the moment M acts on the platform along e_2^2."""
    s = cd.System("Cardan suspension")
    alpha, beta, gamma = s.coordinates("alpha beta gamma", on="S1")
    lam1, lam2, lam3 = s.parameters(lam1=0.5, lam2=0.3, lam3=0.9)
    outer = s.body("outer", inertia=lam1, joint=cd.Revolute("z", alpha))
    inner = s.body("inner", inertia=lam2, joint=cd.Revolute("x", beta), parent=outer)
    platform = s.body("platform", inertia=lam3, joint=cd.Revolute("z", gamma), parent=inner)
    s.moment("M", on=platform, along=inner.y)
    if stops:
        s.stop(beta, restitution=1, name="low")
        s.stop(pi - beta, restitution=1, name="high")
    return s


def checks(s: cd.System) -> Iterator[Check]:
    for name, body in zip(("M1", "M2", "M3"), NAMES, strict=True):
        s.moment(name, on=body_of(s, body))
    q = alpha, beta, gamma = letters(s, "alpha beta gamma")
    lam1, lam2, lam3, M = letters(s, "lam1 lam2 lam3 M")
    eq = s.equations()
    a, b, c = alpha.dot, beta.dot, gamma.dot
    T = lam1 * a**2 / 2 + lam2 * (a**2 + b**2) / 2 + lam3 * (a**2 + b**2 + c**2 + 2 * a * c * cos(beta)) / 2
    yield identity("kinetic energy", "(102)", eq.kinetic_energy, T)
    mass = sp.Matrix([
        [lam1 + lam2 + lam3, 0, lam3 * cos(beta)],
        [0, lam2 + lam3, 0],
        [lam3 * cos(beta), 0, lam3],
    ])  # fmt: skip
    yield identity("mass matrix", "(103)", eq.mass_matrix, mass)
    yield identity("velocity terms", "(103)", eq.velocity_terms, lam3 * sin(beta) * column(-b * c, a * c, -a * b))
    determinant = lam3 * (lam2 + lam3) * (lam1 + lam2 + lam3 * sin(beta) ** 2)
    yield identity("determinant of M", "of (103)", eq.mass_matrix.det(), determinant)
    yield from forces(s, eq, q, (lam1, lam2, lam3), M)
    yield from columns(s, eq)
    yield from lock(s, eq)
    yield from manifolds(s)
    yield from impulses()


def axes_of(q: Sequence[sp.Expr]) -> tuple[list[sp.Matrix], list[sp.Matrix], list[sp.Matrix]]:
    """The corotational bases e_k^1, e_k^2, e_k^3 of the three bodies, in world components."""

    Q1 = about_z(q[0])
    Q2 = Q1 * about_x(q[1])
    Q3 = Q2 * about_z(q[2])
    e1, e2, e3 = ([Q[:, k] for k in range(3)] for Q in (Q1, Q2, Q3))
    return e1, e2, e3


def forces(
    s: cd.System, eq: Equations, q: Sequence[sp.Symbol], lam: Sequence[sp.Symbol], M: sp.Symbol
) -> Iterator[Check]:
    """All nine Q_J of (101), and the constraint moments (98) with multipliers from the balances of the bodies."""
    e1, e2, e3 = axes_of(q)
    M1, M2, M3 = (column(*letters(s, f"M{k}_x M{k}_y M{k}_z")) for k in (1, 2, 3))
    M3 += M * e2[1]
    free = [dot(M1 + M2 + M3, E_3), dot(M2 + M3, e2[0]), dot(M3, e3[2])]
    found = eq.generalized_forces
    yield identity("Q_1, Q_2, Q_3", "(101)", [found[name] for name in ("alpha", "beta", "gamma")], free)
    applied = [dot(M1 + M2 + M3, e1[1]), dot(M1 + M2 + M3, e1[0]), dot(M2 + M3, e2[2]), dot(M2 + M3, e2[1])]
    applied += [dot(M3, e3[1]), dot(M3, e3[0])]
    held = [found[name] - sp.Symbol(f"mu_{name}", real=True) for name in HELD]
    yield identity("Q_4 to Q_9 without their multipliers", "(101)", held, applied)

    w1 = q[0].dot * E_3
    w2 = w1 + q[1].dot * e2[0]
    w3 = w2 + q[2].dot * e3[2]
    c1, c2, c3 = (
        one * rate(w, q) - moment for one, w, moment in zip(lam, (w1, w2, w3), (M1, M2, M3), strict=True)
    )  # fmt: skip
    mu = [dot(c1 + c2 + c3, e1[1]), dot(c1 + c2 + c3, e1[0]), dot(c2 + c3, e2[2]), dot(c2 + c3, e2[1])]
    mu += [dot(c3, e3[1]), dot(c3, e3[0])]
    on_outer = mu[0] * e1[1] + mu[1] * e1[0] - mu[2] * e2[2] - mu[3] * e2[1]
    on_inner = mu[2] * e2[2] + mu[3] * e2[1] - mu[4] * e3[1] - mu[5] * e3[0]
    moments = numbers(s, [*on_outer, *on_inner, *(mu[4] * e3[1] + mu[5] * e3[0])])

    def pairs(where: Mapping[int, float] | None) -> Iterator[Pair]:
        for at in states(s, [ANGLE] * 3, held=where):
            here = eq.at(at.q, at.v, loads=at.signals)
            yield np.concatenate([here.reactions[name].moment for name in NAMES]), moments(at, here.acceleration)

    yield agreement("constraint moments on the three bodies", "(98)", pairs(None))
    yield agreement("constraint moments at lock", "(98), beta = 0", pairs({1: 0.0}))


def nine() -> cd.System:
    """All nine Euler angles of the three bodies: 3-2-1, then 1-3-2 and 3-2-1 of one body against the other."""
    s = cd.System("three bodies, nine angles")
    q = s.coordinates("a1 a2 a3 b1 b2 b3 c1 c2 c3")
    outer = s.body("outer", inertia=1, joint=cd.Ball(cd.Euler("3-2-1", *q[:3])))
    inner = s.body("inner", inertia=1, joint=cd.Ball(cd.Euler("1-3-2", *q[3:6])), parent=outer)
    s.body("platform", inertia=1, joint=cd.Ball(cd.Euler("3-2-1", *q[6:])), parent=inner)
    return s


def columns(s: cd.System, eq: Equations) -> Iterator[Check]:
    """All nine columns (99) of the angular velocities where (94) holds, rows (97), and the tangent vectors (100)."""
    free = nine()
    order = [0, 3, 6, 1, 2, 4, 5, 7, 8]  # free coordinates, then the constrained ones
    a1, b1, c1 = (free.model.q[k] for k in order[:3])
    e1, e2, e3 = axes_of((a1, b1, c1))
    nil = sp.zeros(3, 1)
    sets = [
        [E_3, nil, nil, e1[1], e1[0], nil, nil, nil, nil],
        [E_3, e2[0], nil, e1[1], e1[0], e2[2], e2[1], nil, nil],
        [E_3, e2[0], e3[2], e1[1], e1[0], e2[2], e2[1], e3[1], e3[0]],
    ]
    rotations = [sp.Matrix.hstack(*one) for one in (e1, e2, e3)]
    printed = numbers(free, sp.Matrix.vstack(*(sp.Matrix.hstack(*one) for one in sets)))
    turned = [numbers(free, one) for one in rotations]
    w1, w2, w3 = (sp.Matrix(sp.symbols(f"{name}1:4")) for name in "uvw")
    held = [dot(w1, e1[1]), dot(w1, e1[0]), dot(w2 - w1, e2[2]), dot(w2 - w1, e2[1])]
    held += [dot(w3 - w2, e3[1]), dot(w3 - w2, e3[0])]
    rows = numbers(free, [[sp.diff(sp.expand(one), x) for x in (*w1, *w2, *w3)] for one in held])
    tangent = [[x for Q in rotations for x in representative(sp.diff(Q, q))] for q in (a1, b1, c1)]
    basis, whole = numbers(free, tangent), free.equations()
    found, constrained, tangents = [], [], []
    for at in states(free, [ANGLE] * 9, count=6, held=dict.fromkeys(order[3:], 0.0)):
        here = whole.at(at.q, at.v).basis[:, order]
        spins = [angular(here[12 * k + 3 : 12 * k + 12], turned[k](at).reshape(3, 3)) for k in range(3)]
        found.append((np.concatenate(spins), printed(at).reshape(9, 9)))
        constrained.append((rows(at).reshape(6, 9) @ np.concatenate(spins), np.eye(9)[3:]))
        own = eq.at(at.q[order[:3]]).basis
        tangents.append((np.concatenate([own[12 * k + 3 : 12 * k + 12] for k in range(3)]), basis(at).reshape(3, 27).T))
    yield agreement("columns of all nine angular velocities", "(99) corrected", found)
    yield agreement("constraints are the rates of the constrained angles", "(97) corrected", constrained)
    yield agreement("tangent vectors of the torus", "(100)", tangents)


def impulses() -> Iterator[Check]:
    """Stops at beta = 0 and pi: elastic, they turn betad about, with moments along e_1^2 through every bearing."""
    run = system(stops=True).simulate(
        2.0, q={"beta": 0.8}, v={"alpha": 0.6, "beta": -4.5, "gamma": 0.9}, rtol=1e-11, atol=1e-13
    )
    hits = [event for event in run.events if event.kind == "impact"]
    yield same("both stops are reached", "after (103)", {hit.name for hit in hits}, {"low", "high"})
    on_bodies, through = [], []
    for hit, found in zip(hits, run.impulses, strict=True):
        e = np.array([np.cos(hit.q[0]), np.sin(hit.q[0]), 0.0])  # e_1^2
        turned = -2.0 * hit.v[1] * e
        on_bodies.append(([found.bodies[name].moment for name in NAMES], np.outer([0.0, 0.3, 0.9], turned)))
        through.append(([found.bearings[name].moment for name in NAMES], np.outer([1.2, 1.2, 0.9], turned)))
    why = "10 times the tolerance of the run"
    yield agreement("impulse moments on the bodies", "after (103)", on_bodies, within=1e-10, because=why)
    yield agreement("impulse moments through the bearings", "after (103)", through, within=1e-10, because=why)


def lock(s: cd.System, eq: Equations) -> Iterator[Check]:
    """A moment on the platform along e_2^2: lost at beta = 0 and pi, and only there."""
    found = [(one.kind, sp.simplify(one.condition)) for one in s.singular_set(load="M")]
    yield same("where the moment is lost", "after (103)", found, [("gimbal-lock", sp.Eq(sin(letter(s, "beta")), 0))])
    for beta, name in ((0.0, "0"), (np.pi, "pi")):
        at = eq.at([0.3, beta, 0.8], loads={"M": 1.0})
        yield same(f"rank of M at beta = {name}", "after (103)", int(np.linalg.matrix_rank(at.M)), 3)
        yield near(f"nothing moves at beta = {name}", "after (103)", at.acceleration, np.zeros(3))
        kinds = s.diagnose([0.3, beta, 0.8], loads={"M": 1.0}).kinds
        yield same(f"diagnosis at beta = {name}", "after (103)", kinds, {"gimbal-lock"})
    yield same("diagnosis elsewhere", "after (103)", s.diagnose([0.3, 1.0, 0.8], loads={"M": 1.0}).kinds, set())


def manifolds(s: cd.System) -> Iterator[Check]:
    yield same("configuration manifold", "after (99)", str(s.manifold()), "T^3")
    light = s.with_values(lam1=0.0, lam2=0.0)
    yield same("without gimbal inertia", "after (103)", str(light.manifold()), "RP^3")
    yield refused(
        "without gimbal inertia the singularity returns", "after (103)",
        lambda: light.compile().acceleration([0.3, 0.0, 0.8], [1.0, 2.0, 3.0]), SingularMassMatrix,
    )  # fmt: skip
    yield same("one gimbal with inertia is enough", "of (103)", str(s.with_values(lam1=0.0).manifold()), "T^3")
    yield same("with stops at beta = 0 and pi", "after (103)", str(system(stops=True).manifold()), "T^2 x I")


def picture(run: cd.Run) -> Figure:
    """The angle of the inner gimbal, and how much of the moment reaches the motion."""
    along = smooth(run)
    with panels("angles", "share of M that moves anything") as (figure, (angles, share)):
        for name in ("alpha", "beta", "gamma"):
            angles.plot(along.t, along[name], label=rf"$\{name}$")
        angles.set(xlabel="time [s]", ylabel="angle [rad]")
        angles.legend()
        share.plot(along.t, np.abs(np.sin(along["beta"])))
        crossings = along.t[1:][np.diff(np.sign(np.sin(along["beta"]))) != 0]
        share.plot(crossings, np.zeros_like(crossings), "o", color=RED, label="gimbal lock")
        share.set(xlabel="time [s]", ylabel=r"$|\sin\beta|$ [-]", ylim=(-0.05, 1.05))
        share.legend()
    return figure


def plates() -> Iterator[Plate]:
    """Fig. 7: the gimbals without and with stops on the middle angle, and both manifolds."""
    free, stopped = system(), system(stops=True)
    shown = {
        "(a) three nested gimbals": free.simulate(1e-3, q=[0.4, 1.1, 0.3]),
        "(b) at the stop, beta = 0": stopped.simulate(1e-3, q=[0.4, 0.0, 0.3]),
    }
    yield from text_figure(7, "the Cardan suspension, without and with stops.", shown, {"(c)": free, "(d)": stopped})


ENTRY = Entry(
    id="H12",
    where="section 6.3, equations (92) to (103)",
    lesson=(
        "Three nested gimbals carry a platform. Because the gimbals have inertia of their own, their three angles are "
        "good coordinates of the whole mechanism everywhere: the configurations form a three-torus and the mass matrix "
        "always has an inverse. Gimbal lock is something else. When the axes of the outer gimbal and of the platform "
        "line up, a moment on the platform along the third direction e_2^2 is carried whole by the bearings, through "
        "all three gimbals into the ground, and moves nothing. Take the inertia of the gimbals away and the same "
        "angles become Euler angles of the platform alone, with the coordinate singularity that those have."
    ),
    system=system,
    checks=checks,
    start={
        "duration": 6.0,
        "q": {"alpha": 0.1, "beta": 0.8, "gamma": -0.2},
        "v": {"alpha": 0.6, "beta": -1.2, "gamma": 0.9},
        "loads": {"M": 0.4},
    },
    picture=picture,
    plates=plates,
    sketched=True,
    caption="Driven through gimbal lock: where the curve on the right touches zero the moment M acts on nothing.",
    erratum="In (95) g_2^3 is e_2^3, and so are the fifth constraint of (97) and the eighth entry of (99).",
)
