"""C6: problems 1 to 13 of the chapter; shown is the mass on a sphere of problems 11 to 13."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from sympy import cos, sin

import cardan as cd
from cardan.gallery.choset.arms import problem_4, problems_2_and_3
from cardan.gallery.choset.densities import problem_8
from cardan.gallery.choset.planar_bodies import problem_1
from cardan.gallery.choset.solids import problem_5, problem_6, problem_7
from cardan.gallery.choset.turning_frames import problem_9
from cardan.gallery.comparing import Pair, agreement, identity, near, same
from cardan.gallery.entry import Check, Entry, Start, Tolerances
from cardan.gallery.pictures import RED
from cardan.gallery.printed import rows
from cardan.gallery.sampling import column, dot, letters, numbers, states
from cardan.report.figures.style import figure_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORCE = [0.3, -0.5, 0.8]
BEGIN = np.array([np.cos(0.3), 0.0, np.sin(0.3)])  # latitude 0.3, longitude 0
SPEED = 0.4 * np.array([-np.sin(0.3), 0.0, np.cos(0.3)]) + 1.5 * np.array([0.0, np.cos(0.3), 0.0])
START: Start = {"q": BEGIN.tolist(), "v": SPEED.tolist()}
PUSH = {"u": FORCE}
TIGHT: Tolerances = {"rtol": 1e-11, "atol": 1e-13}


def system() -> cd.System:
    """Problem 11: a mass with three thrusters that stays on the unit sphere by x xd + y yd + z zd = 0."""
    s = cd.System("mass on a sphere")
    x, y, z = s.coordinates("x y z")
    m = s.parameters(m=1.7)
    P = s.particle("P", mass=m, position=s.world.vector(x, y, z))
    s.force("u", on=P)
    s.constrain_velocity(x * x.dot + y * y.dot + z * z.dot, name="sphere")
    return s


def by_latitude() -> cd.System:
    """Problem 13: the same by latitude q1 and longitude q2."""
    s = cd.System("mass on a sphere by latitude and longitude")
    q1, q2 = s.coordinates("q1 q2", on="S1")
    m = s.parameters(m=1.7)
    place = s.world.vector(cos(q1) * cos(q2), cos(q1) * sin(q2), sin(q1))
    s.force("u", on=s.particle("P", mass=m, position=place))
    return s


def checks(s: cd.System) -> Iterator[Check]:
    yield from problem_1()
    yield from problems_2_and_3()
    yield from problem_4()
    yield from problem_5()
    yield from problem_6()
    yield from problem_7()
    yield near(
        "10: tumbling body", "problem 10", *tumbling(), within=1e-8, because="1000 times the tolerance of the run"
    )
    yield from problem_8()
    yield from problem_9()
    yield from problem_10()
    yield from problems_11_and_12(s)
    yield from problem_13()
    yield near(
        "11 and 13 move alike, with one force", "problems 11, 13", *alike(s), within=1e-7,
        because="1e-11 in the motion; the force has its second rates",
    )  # fmt: skip


def tumbling() -> Pair:
    """I = diag(I1, I1, I3), no torque: (w1, w2) turns in the body at the rate (I1 - I3) w3 / I1, w3 stays."""
    I1, I3, w = 0.8, 0.3, np.array([0.7, 0.0, 2.0])
    body = cd.System("tumbling body")
    body.body("body", mass=1.0, inertia=(I1, I1, I3), joint=cd.Ball(cd.Quaternion("e")))
    run = body.simulate(10.0, q=[1, 0, 0, 0], v=w, **TIGHT)
    angle = (I1 - I3) / I1 * w[2] * run.t
    return run.omega("body"), np.stack([w[0] * np.cos(angle), -w[0] * np.sin(angle), np.full(len(run), w[2])], axis=1)


def problem_10() -> Iterator[Check]:
    """An asymmetric body without torque, by Jacobi's elliptic functions: w = (a cn, b sn, c dn)(p t), I1 < I2 < I3.

    With k^2 = I1 (I2 - I1) a^2 / (I3 (I3 - I2) c^2) below one, p^2 = c^2 (I3 - I2) (I3 - I1) / (I1 I2) and
    b^2 = a^2 I1 (I3 - I1) / (I2 (I3 - I2)).
    """
    from scipy.special import ellipj

    I1, I2, I3, a, c = 0.5, 0.8, 1.1, 0.9, 1.3
    b = a * np.sqrt(I1 * (I3 - I1) / (I2 * (I3 - I2)))
    p = c * np.sqrt((I3 - I2) * (I3 - I1) / (I1 * I2))
    modulus = I1 * (I2 - I1) * a**2 / (I3 * (I3 - I2) * c**2)
    body = cd.System("tumbling body without symmetry")
    body.body("body", mass=1.0, inertia=(I1, I2, I3), joint=cd.Ball(cd.Quaternion("e")))
    run = body.simulate(10.0, q=[1, 0, 0, 0], v=[a, 0.0, c], **TIGHT)
    sn, cn, dn, _ = ellipj(p * run.t, modulus)
    yield near("10: without symmetry, by elliptic functions", "problem 10", run.omega("body"),
               np.stack([a * cn, b * sn, c * dn], axis=1), within=1e-8, because="1000 times rtol")  # fmt: skip
    R, w = run.rotation("body"), run.omega("body")
    H = np.einsum("tij,tj->ti", R, w * [I1, I2, I3])
    yield near("10: its momentum stays in space", "problem 10", H, np.broadcast_to([I1 * a, 0.0, I3 * c], H.shape),
               within=1e-8, because="1000 times rtol")  # fmt: skip


def problems_11_and_12(s: cd.System) -> Iterator[Check]:
    """By hand: A = q^T, lam = -(m |qd|^2 + q.u)/|q|^2, m qdd = u + lam q, P = 1 - q q^T/|q|^2, P qdd = P u/m."""
    x, y, z, m = letters(s, "x y z m")
    q, qd, u = column(x, y, z), column(x.dot, y.dot, z.dot), column(*letters(s, "u_x u_y u_z"))
    eq = s.equations()
    lam = -(m * dot(qd, qd) + dot(q, u)) / dot(q, q)
    yield identity("11: Pfaffian constraint", "problem 11", eq.constraint_matrix, q.T)
    yield identity("11: multiplier", "problem 11", eq.multipliers["sphere"], lam)
    yield same("11: it is holonomic", "problem 11", s.constraints["sphere"].is_integrable, True)
    P = sp.eye(3) - q * q.T / dot(q, q)
    yield identity("12: projection", "problem 12, (10.19)", eq.projection, P)
    yield agreement("11, 12: accelerations", "(10.20)", accelerations(s, [*((u + lam * q) / m), *(P * u / m)]))


def accelerations(s: cd.System, by_hand: Sequence[sp.Expr]) -> Iterator[Pair]:
    """qdd and P qdd at random points of the sphere, and by hand."""
    eq, value = s.equations(), numbers(s, by_hand)
    for at in states(s, [(0.2, 2.0)] * 3):
        q = at.q / np.linalg.norm(at.q)
        here = eq.at(q, at.v, loads=dict(at.signals))
        yield [*here.acceleration, *(here.P @ here.acceleration)], value(type(at)(q, at.v, at.t, at.signals))


def problem_13() -> Iterator[Check]:
    """By hand: the generalized forces are the push to the north, and cos q1 times the push to the east."""
    s = by_latitude()
    q1, q2, m = letters(s, "q1 q2 m")
    u, n = column(*letters(s, "u_x u_y u_z")), sin(q1) * cos(q1)
    north, east = column(-sin(q1) * cos(q2), -sin(q1) * sin(q2), cos(q1)), column(-sin(q2), cos(q2), 0)
    by_hand = column(
        m * q1.ddot + m * n * q2.dot**2 - dot(u, north),
        m * cos(q1) ** 2 * q2.ddot - 2 * m * n * q1.dot * q2.dot - cos(q1) * dot(u, east),
    )
    yield identity("13: latitude and longitude", "problem 13", rows(s.equations()), by_hand)
    symbols = [0, 0, 0, m * n, 0, -m * n, -m * n, 0]  # Gamma^i_jk in the order of i, j, k
    yield identity("13: Christoffel symbols", "problem 13", list(s.equations().christoffel), symbols)


def alike(s: cd.System) -> Pair:
    """Places and forces of the sphere, by the multiplier in (x, y, z) and by balance in latitude and longitude."""
    times = np.linspace(0, 2, 41)
    run = s.simulate(2.0, **START, loads=PUSH, times=times, **TIGHT)
    two = by_latitude().simulate(2.0, q=[0.3, 0.0], v=[0.4, 1.5], loads=PUSH, times=times, **TIGHT)
    push = run.multipliers["sphere"][:, None] * run.q
    return np.hstack([run.q, push]), np.hstack([two.position("P"), two.reactions["P"].force])


def picture(run: cd.Run) -> Figure:
    """The path on the sphere, and the push of the sphere."""
    with figure_style() as easel:
        figure = easel.figure(figsize=(9, 4.0), layout="constrained")
        globe = figure.add_subplot(1, 2, 1, projection="3d")
        a, b = np.meshgrid(np.linspace(-np.pi / 2, np.pi / 2, 13), np.linspace(0, 2 * np.pi, 25))
        globe.plot_wireframe(np.cos(a) * np.cos(b), np.cos(a) * np.sin(b), np.sin(a), color="#d8d8d8", lw=0.6)
        at = run.at(np.linspace(0, run.t[-1], 800))
        globe.plot(*at.q.T)
        globe.quiver(0, 0, 0, *(1.3 * np.array(FORCE)), color=RED)
        globe.text(*(1.45 * np.array(FORCE)), "u", color=RED)
        globe.set(xlabel="x [m]", ylabel="y [m]", zlabel="z [m]", box_aspect=(1, 1, 1))
        force = figure.add_subplot(1, 2, 2)
        force.plot(at.t, at.multipliers["sphere"], label=r"$\lambda$: the sphere, outwards")
        force.plot(at.t, at.kinetic_energy, "--", label="kinetic energy [J]")
        force.set(xlabel="time [s]", ylabel="force [N], energy [J]")
        force.legend(fontsize=9)
    return figure


ENTRY = Entry(
    id="C6",
    where="problems 1 to 13",
    lesson=(
        "The problems of the chapter, solved by hand and then by Cardan. The last three are one system seen three "
        "ways: a mass on a sphere with a multiplier, with a projection, and in latitude and longitude. The "
        "multiplier is the push of the sphere; the projection removes it and leaves two independent equations among "
        "three; the two angles never mention it, but pay with velocity products, with a force that is multiplied by "
        "the cosine of the latitude, and with poles where their inertia matrix has no inverse. All three move the "
        "mass alike."
    ),
    system=system,
    checks=checks,
    start={"duration": 8.0, **START, "loads": PUSH},
    picture=picture,
    caption="Problem 11: a mass under a constant force on a sphere, and the multiplier that keeps it there.",
)
