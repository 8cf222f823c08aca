"""C1: a planar body under gravity, a force through its centre of mass and a torque."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

import cardan as cd
from cardan.gallery.comparing import Pair, agreement, identity, near
from cardan.gallery.entry import Check, Entry
from cardan.gallery.pictures import DARK, RED
from cardan.gallery.printed import rows, solved
from cardan.gallery.sampling import ANGLE, column, letters, rate
from cardan.report.figures.style import figure_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PLACE = (-2.0, 2.0)
THROW = np.array([2.0, 6.0, 7.0])  # velocities at the start


def system() -> cd.System:
    """The body with the three generalized forces of the text as loads."""
    s = cd.System("planar body")
    q1, q2 = s.coordinates("q1 q2")
    q3 = s.coordinates("q3", on="S1")
    m, inertia, a_g = s.parameters(m=1.7, I=0.4, a_g=9.81)
    body = s.body("body", mass=m, inertia=inertia, joint=cd.Planar(q1, q2, q3))
    s.gravity(-a_g * s.world.y)
    s.force("u1", on=body, along=s.world.x)
    s.force("u2", on=body, along=s.world.y)
    s.moment("u3", on=body, along=s.world.z)
    return s


def checks(s: cd.System) -> Iterator[Check]:
    q1, q2, q3, m, inertia, a_g, u1, u2, u3 = letters(s, "q1 q2 q3 m I a_g u1 u2 u3")
    eq = s.equations()
    L = m * (q1.dot**2 + q2.dot**2) / 2 + inertia * q3.dot**2 / 2 - m * a_g * q2
    yield identity("Lagrangian", "example 10.1.1", eq.kinetic_energy - eq.potential_energy, L)
    printed = column(m * q1.ddot - u1, m * q2.ddot + m * a_g - u2, inertia * q3.ddot - u3)
    by_hand = column(*(rate(L.diff(q.dot), (q1, q2, q3)) - L.diff(q) for q in (q1, q2, q3))) - column(u1, u2, u3)
    yield identity("(10.1) of the printed L gives + m a_g", "(10.3), sign corrected", by_hand, printed)
    yield identity("equations of motion", "(10.2) to (10.4)", rows(eq), printed)
    yield agreement("accelerations in native code", "(10.2) to (10.4)", solved(s, printed, [PLACE, PLACE, ANGLE]))
    yield identity("no Christoffel symbols", "after (10.14)", list(eq.christoffel), [0] * 27)
    yield near(
        "a body let go falls", "(10.3)", *thrown(s), within=1e-12,
        because="a motion of degree two in time is integrated exactly, up to rounding",
    )  # fmt: skip


def thrown(s: cd.System) -> Pair:
    """The computed motion with no forces, and the parabola."""
    run = s.simulate(1.2, q=[0, 0, 0], v=THROW)
    return run.q, np.outer(run.t, THROW) - 9.81 / 2 * np.outer(run.t**2, [0, 1, 0])


def picture(run: cd.Run) -> Figure:
    """The path of the centre of mass with the body drawn on it, and its angle."""
    with figure_style() as easel:
        figure, (path, angle) = easel.subplots(1, 2, figsize=(8.5, 3.6), layout="constrained", width_ratios=(1.5, 1))
        at = run.at(np.linspace(0, run.t[-1], 400))
        path.plot(at["q1"], at["q2"], label="centre of mass")
        some = run.at(np.linspace(0, run.t[-1], 9))
        for x, y, turn in some.q:
            arm = 0.25 * np.array([np.cos(turn), np.sin(turn)])
            path.plot([x - arm[0], x + arm[0]], [y - arm[1], y + arm[1]], color=DARK, lw=4, solid_capstyle="round")
        path.set(xlabel="$q_1$ [m]", ylabel="$q_2$ [m]", aspect="equal")
        path.legend(loc="lower center")
        angle.plot(at.t, at["q3"], color=RED)
        angle.set(xlabel="time [s]", ylabel="$q_3$ [rad]")
    return figure


ENTRY = Entry(
    id="C1",
    where="example 10.1.1, equations (10.2) to (10.4)",
    lesson=(
        "The smallest complete use of Lagrange's equations. Coordinates of the centre of mass and the angle about it "
        "make the kinetic energy a sum of squares with constant coefficients, so that the inertia matrix is "
        "diagonal, no velocity products appear, and each force moves its own coordinate only. Any other choice of "
        "point would couple the three equations without changing the motion. Watch the one sign: the potential "
        "enters L with a minus and is differentiated with another, so that gravity stands with a plus beside the "
        "acceleration, and a body without forces falls."
    ),
    system=system,
    checks=checks,
    start={"duration": 1.2, "q": [0, 0, 0], "v": THROW.tolist()},
    picture=picture,
    caption="Thrown and spinning: the centre of mass keeps to its parabola whatever the angle does.",
    erratum="(10.3) prints u2 = m qdd2 - m a_g; the printed Lagrangian gives u2 = m qdd2 + m a_g.",
)
