"""C3: a knife edge on a plane: a velocity constraint, its multiplier and its projections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from sympy import cos, sin

import cardan as cd
from cardan.gallery.comparing import Pair, agreement, identity, near, same
from cardan.gallery.entry import Check, Entry, Start
from cardan.gallery.pictures import DARK, RED
from cardan.gallery.printed import rows
from cardan.gallery.sampling import ANGLE, column, letters, numbers, states
from cardan.report.figures.style import figure_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PLACE = (-2.0, 2.0)
MASS, SPIN = 1.7, 2.0
DOWNHILL = MASS * 9.81 * float(np.sin(0.3))  # the pull of a plane inclined by 0.3 rad, along q1
START: Start = {"q": [0, 0, 0], "v": [0, 0, SPIN]}
PULL = {"u1": DOWNHILL}


def system() -> cd.System:
    """The knife as a body that does not slip across its edge, with the generalized forces of the text."""
    s = cd.System("knife edge")
    q1, q2 = s.coordinates("q1 q2")
    q3 = s.coordinates("q3", on="S1")
    m, inertia = s.parameters(m=MASS, I=0.4)
    knife = s.body("knife", mass=m, inertia=inertia, joint=cd.Planar(q1, q2, q3))
    s.no_slip(on=knife, along=-knife.y, name="lambda1")
    s.force("u1", on=knife, along=s.world.x)
    s.force("u2", on=knife, along=s.world.y)
    s.moment("u3", on=knife, along=s.world.z)
    return s


def checks(s: cd.System) -> Iterator[Check]:
    q1, q2, q3, m, inertia, u1, u2, u3 = letters(s, "q1 q2 q3 m I u1 u2 u3")
    q, u, eq = (q1, q2, q3), column(u1, u2, u3), s.equations()
    A, M = sp.Matrix([[sin(q3), -cos(q3), 0]]), sp.diag(m, m, inertia)
    yield identity("constraint", "(10.15), A after it", eq.constraint_matrix, A)
    derivative = q1.dot * q3.dot * cos(q3) + q2.dot * q3.dot * sin(q3)  # without the accelerations
    yield identity("its derivative", "(10.21)", eq.constraints.targets, [-derivative])
    lam = sp.Symbol("lam_lambda1", real=True)
    with_lam = column(m * q1.ddot - u1 - lam * sin(q3), m * q2.ddot - u2 + lam * cos(q3), inertia * q3.ddot - u3)
    yield identity("equations with the multiplier", "(10.22) to (10.24)", rows(eq), with_lam)
    vd, force = printed_solution(q, m, inertia, u)
    yield identity("multiplier", "(10.28)", eq.multipliers["lambda1"], force)
    yield agreement("accelerations and multiplier", "(10.25) to (10.28)", solutions(s, [*vd, force]))
    c, n = cos(q3), sin(q3)
    P = sp.Matrix([[c**2, n * c, 0], [n * c, n**2, 0], [0, 0, 1]])
    yield identity("projection", "after (10.28)", eq.projection, P)
    yield same("rank of P", "after (10.28)", int(np.linalg.matrix_rank(eq.at([0.3, 0.4, 0.7]).P)), 2)
    P_u = sp.eye(3) - A.T * (A * M.inv() * A.T).inv() * A * M.inv()
    yield identity("P is the transpose of P_u", "after (10.20)", eq.projection, P_u.T)
    qd = column(*(one.dot for one in q))
    yield identity("forces orthogonal by the inverse of M", "before (10.19)", *orthogonal(eq.projection.T, M.inv(), u))
    yield identity("motions orthogonal by M", "after (10.20)", *orthogonal(eq.projection, M, qd))
    yield agreement("projected equations", "(10.20), after it", projected(s))
    yield from weighted()
    yield near("slide on an inclined plane", "(10.25) to (10.27)", *inclined(s), within=1e-7, because="100 times rtol")


def printed_solution(
    q: Sequence[sp.Symbol], m: sp.Symbol, inertia: sp.Symbol, u: Sequence[sp.Symbol]
) -> tuple[sp.Matrix, sp.Expr]:
    """Accelerations (10.25)-(10.27) and the multiplier (10.28)."""
    (q1, q2, q3), (u1, u2, u3) = q, u
    c, n = cos(q3), sin(q3)
    vd = column(
        (u1 * c**2 + (u2 - m * q1.dot * q3.dot) * c * n - m * q2.dot * q3.dot * n**2) / m,
        (u2 * n**2 + (u1 + m * q2.dot * q3.dot) * c * n + m * q1.dot * q3.dot * c**2) / m,
        u3 / inertia,
    )
    return vd, (u2 - m * q1.dot * q3.dot) * c - (u1 + m * q2.dot * q3.dot) * n


def solutions(s: cd.System, printed: Sequence[sp.Expr]) -> Iterator[Pair]:
    """Accelerations and the multiplier at random states, Cardan's and the printed ones."""
    eq, value = s.equations(), numbers(s, printed)
    for at in states(s, [PLACE, PLACE, ANGLE]):
        here = eq.at(at.q, at.v, loads=dict(at.signals))
        yield [*here.acceleration, here.multipliers["lambda1"]], value(at)


def projected(s: cd.System) -> Iterator[Pair]:
    """P qdd and P M^-1 u; and qdd1 cos q3 + qdd2 sin q3 with (u1 cos q3 + u2 sin q3) / m."""
    eq = s.equations()
    for at in states(s, [PLACE, PLACE, ANGLE]):
        here = eq.at(at.q, at.v, loads=dict(at.signals))
        u = np.array([at.signals[f"u{k}"] for k in (1, 2, 3)])
        yield here.P @ here.acceleration, here.P @ np.linalg.solve(here.M, u)
        c, n = np.cos(at.q[2]), np.sin(at.q[2])
        yield here.acceleration[0] * c + here.acceleration[1] * n, (u[0] * c + u[1] * n) / MASS


def orthogonal(P: sp.Matrix, metric: sp.Matrix, x: sp.Matrix) -> tuple[list[sp.Expr], list[int]]:
    """(P x)^T metric (1 - P) x, and zero."""
    return [((P * x).T * metric * (sp.eye(3) - P) * x)[0, 0]], [0]


AHEAD, WEIGHT, SLOPE = 0.35, 9.81, 0.3


def weighted_knife() -> cd.System:
    """The knife with its centre of mass ahead of its edge, on a slope: neither C nor g vanishes."""
    s = cd.System("knife edge, weighted")
    q1, q2 = s.coordinates("q1 q2")
    q3 = s.coordinates("q3", on="S1")
    m, inertia, d, g = s.parameters(m=MASS, I=0.4, d=AHEAD, g=WEIGHT)
    knife = s.body("knife", mass=m, inertia=inertia, com=(d, 0, 0), joint=cd.Planar(q1, q2, q3))
    s.no_slip(on=knife, point=knife.point(0, 0, 0), along=-knife.y, name="lambda1")
    s.gravity(g * sin(sp.Float(SLOPE)) * s.world.x)
    for k, one in enumerate((q1, q2, q3), start=1):
        s.generalized_force(one, s.input(f"u{k}"))
    return s


def weighted() -> Iterator[Check]:
    """(10.16) to (10.20) as they stand, M, C, g and A of the weighted knife typed by hand."""
    s = weighted_knife()
    eq, draw = s.equations(), np.random.default_rng(16)
    multipliers, motions, projections, parts = [], [], [], []
    for _ in range(10):
        q, u, rates = draw.uniform(-2, 2, 3), draw.uniform(-2, 2, 3), draw.uniform(-2, 2, 2)
        c, n = np.cos(q[2]), np.sin(q[2])
        v = np.array([c * rates[0], n * rates[0], rates[1]])
        M = np.array([
            [MASS, 0.0, -MASS * AHEAD * n],
            [0.0, MASS, MASS * AHEAD * c],
            [-MASS * AHEAD * n, MASS * AHEAD * c, 0.4 + MASS * AHEAD**2],
        ])  # fmt: skip
        Cqd = -MASS * AHEAD * v[2] ** 2 * np.array([c, n, 0.0])
        pull = MASS * WEIGHT * np.sin(SLOPE)  # of L = K - V, V = - pull (q1 + d cos q3)
        g = np.array([-pull, 0.0, pull * AHEAD * n])
        A, Adqd = np.array([[n, -c, 0.0]]), np.array([v[0] * v[2] * c + v[1] * v[2] * n])
        inverse = np.linalg.inv(M)
        W = np.linalg.inv(A @ inverse @ A.T)
        lam = W @ (A @ inverse @ (Cqd + g - u) - Adqd)
        P = np.eye(3) - inverse @ A.T @ W @ A
        at = eq.at(q, v, inputs={"u1": u[0], "u2": u[1], "u3": u[2]})
        multipliers.append((at.multipliers["lambda1"], lam[0]))
        motions.append((at.acceleration, inverse @ (u + A.T @ lam - Cqd - g)))
        projections += [(at.P, P), (at.P.T, np.eye(3) - A.T @ W @ A @ inverse)]
        parts.append((at.P @ at.acceleration, P @ inverse @ (u - Cqd - g)))
    yield agreement("multiplier with C and g", "after (10.17)", multipliers)
    yield agreement("accelerations with C and g", "(10.16)", motions)
    yield agreement("projections with a mass matrix that varies", "(10.19), P = P_u^T", projections)
    yield agreement("projected equations with C and g", "(10.20)", parts)


def inclined(s: cd.System) -> Pair:
    """Two turns on the inclined plane. The speed along the edge obeys m sd = F cos(w t), so that
    q1 = F sin^2(w t) / (2 m w^2) and q2 = F (w t - sin(w t) cos(w t)) / (2 m w^2)."""
    run = s.simulate(4 * np.pi / SPIN, **START, loads=PULL)
    turn, size = SPIN * run.t, DOWNHILL / (2 * MASS * SPIN**2)
    return run.q[:, :2], size * np.stack([np.sin(turn) ** 2, turn - np.sin(turn) * np.cos(turn)], axis=1)


def picture(run: cd.Run) -> Figure:
    """The cycloid on the inclined plane, and the multiplier."""
    with figure_style() as easel:
        figure, (path, force) = easel.subplots(2, 1, figsize=(8.0, 5.0), layout="constrained", height_ratios=(1.2, 1))
        at = run.at(np.linspace(0, run.t[-1], 500))
        path.plot(at["q2"], at["q1"])
        for x, y, turn in run.at(np.linspace(0, run.t[-1], 19)).q:
            arm = 0.08 * np.array([np.cos(turn), np.sin(turn)])
            path.plot([y - arm[1], y + arm[1]], [x - arm[0], x + arm[0]], color=DARK, lw=2.5)
        path.invert_yaxis()
        path.set(xlabel="$q_2$, across the slope [m]", ylabel="$q_1$, downhill [m]", aspect="equal")
        force.plot(at.t, at.multipliers["lambda1"], color=RED)
        force.set(xlabel="time [s]", ylabel=r"multiplier $\lambda_1$ [N]")
    return figure


ENTRY = Entry(
    id="C3",
    where="section 10.3 and example 10.3.1, equations (10.15) to (10.28)",
    lesson=(
        "A knife edge may go along itself and turn, never sideways. The price of that one forbidden direction is one "
        "multiplier, the force of the plane across the edge, and it can be had in two ways: solved for together with "
        "the accelerations, or removed by a projection that keeps the forces able to do work. The two projections, "
        "of motions and of forces, are transposes of each other, and what they separate is orthogonal in the metric "
        "of the inertia matrix, not in the naive one. The motion is worth seeing: let go on a slope while spinning, "
        "a knife edge does not go downhill at all on average, it wanders across the slope on a cycloid."
    ),
    system=system,
    checks=checks,
    start={"duration": 2 * float(np.pi) / SPIN, **START, "loads": PULL},
    picture=picture,
    caption="A spinning knife edge on a slope of 0.3 rad: it never leaves a strip, and drifts across the slope.",
    erratum="(10.17) prints A qd = ...; its first member is d/dt (A qd).",
)
