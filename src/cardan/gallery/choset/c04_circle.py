"""C4: a point on a circle by a velocity constraint that is holonomic in disguise; the knife edge is not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from sympy import cos, sin

import cardan as cd
from cardan.gallery.comparing import Pair, agreement, identity, near, same
from cardan.gallery.entry import Check, Entry, Start, Tolerances
from cardan.gallery.pictures import RED, VIOLET
from cardan.gallery.printed import rows
from cardan.gallery.sampling import ANGLE, column, letters, states
from cardan.report.figures.style import figure_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RADIUS = 2.0
START: Start = {"q": [RADIUS, 0.0], "v": [0.0, 1.0]}
TIGHT: Tolerances = {"rtol": 1e-11, "atol": 1e-13}


def system() -> cd.System:
    """The point with x xd + y yd = 0, under its weight along -y."""
    s = cd.System("point on a circle")
    x, y = s.coordinates("x y")
    m, g = s.parameters(m=1.7, g=9.81)
    P = s.particle("P", mass=m, position=s.world.vector(x, y, 0))
    s.force("F", on=P)
    s.gravity(-g * s.world.y)
    s.constrain_velocity(x * x.dot + y * y.dot, name="circle")
    return s


def by_angle() -> cd.System:
    """The same point by one coordinate."""
    s = cd.System("point on a circle by its angle")
    theta = s.coordinates("theta", on="S1")
    m, g = s.parameters(m=1.7, g=9.81)
    P = s.particle("P", mass=m, position=s.world.vector(RADIUS * cos(theta), RADIUS * sin(theta), 0))
    s.force("F", on=P)
    s.gravity(-g * s.world.y)
    return s


def knife_edge() -> cd.System:
    s = cd.System("knife edge")
    q1, q2, q3 = s.coordinates("q1 q2 q3")
    s.kinetic_energy((q1.dot**2 + q2.dot**2 + q3.dot**2) / 2)
    s.constrain_velocity(q1.dot * sin(q3) - q2.dot * cos(q3), name="knife")
    return s


def checks(s: cd.System) -> Iterator[Check]:
    x, y, m, g = letters(s, "x y m g")
    report, eq = s.constraints, s.equations()
    yield same("x xd + y yd = 0 is holonomic", "section 10.3, last paragraph", report["circle"].is_integrable, True)
    freedoms = (report.freedoms, report.velocity_freedoms)
    yield same("freedoms of configuration and velocity", "section 10.3", freedoms, (1, 1))
    phi = report["circle"].holonomic
    assert phi is not None
    yield identity("its integral depends on x^2 + y^2 only", "section 10.3", phi.diff(x) * y - phi.diff(y) * x, 0)
    yield near(
        "along the motion x^2 + y^2 stays R^2",
        "section 10.3, corrected",
        *kept(s),
        within=1e-8,
        because="10 times rtol",
    )
    F = column(*(letters(s, f"F_{k}") for k in "xyz"))
    lam = -(m * (x.dot**2 + y.dot**2) + F[0] * x + (F[1] - m * g) * y) / (x**2 + y**2)
    yield identity("multiplier, by differentiating twice", "(10.16), (10.17)", eq.multipliers["circle"], lam)
    yield agreement("one angle suffices: accelerations and forces", "section 10.3", at_random(s))
    yield near(
        "one angle suffices: the motion", "section 10.3", *alike(s), within=1e-8, because="1000 times rtol, two runs"
    )
    yield from put_in_place()
    yield from reduced()
    knife = knife_edge().constraints
    yield same("the knife edge is not holonomic", "example 10.3.1", knife["knife"].is_integrable, False)
    freedoms = (knife.freedoms, knife.velocity_freedoms)
    yield same("its freedoms of configuration and velocity", "example 10.3.1", freedoms, (3, 2))
    yield near(
        "a loop of steering that is not a loop",
        "example 10.3.1",
        *parking(),
        within=1e-12,
        because="one sum of numbers",
    )


def put_in_place() -> Iterator[Check]:
    """The velocity constraint replaced by its integral (x^2 + y^2)/2 = R^2/2: the same motion, positions now held."""
    s = system()
    s.make_holonomic("circle", RADIUS**2 / 2)
    row = s.constraints["circle"]
    yield same("the integral stands for the constraint", "section 10.3, last paragraph", row.kind, "holonomic")
    m, g = (s.model.values[one] for one in letters(s, "m g"))
    eq, pairs = s.equations(), []
    for angle, rate in ((0.3, 1.1), (2.0, -0.7), (4.4, 2.3)):
        q = RADIUS * np.array([np.cos(angle), np.sin(angle)])
        v = rate * np.array([-q[1], q[0]])
        lam = -(m * v @ v - m * g * q[1]) / RADIUS**2  # (10.16), (10.17) with x^2 + y^2 = R^2 and no applied force
        pairs.append((eq.at(q, v).acceleration, lam * q / m - np.array([0.0, g])))
    yield agreement("its accelerations are the same", "(10.16), (10.17)", pairs)
    run = s.simulate(4.0, q=[RADIUS, 0.0], v=[0.0, 1.0])
    yield near("x^2 + y^2 = R^2 is kept as such", "section 10.3", np.hypot(*run.q.T), np.full(len(run), RADIUS),
               within=1e-12, because="positions are projected after each step")  # fmt: skip


def reduced() -> Iterator[Check]:
    """In polar coordinates rd = 0 is put in place as r = R, r is solved for and eliminated: one angle is left."""
    s = cd.System("point on a circle, reduced")
    r, theta = s.coordinates("r", on="R+"), s.coordinates("theta", on="S1")
    m, g = s.parameters(m=1.7, g=9.81)
    s.particle("P", mass=m, coordinates=cd.PolarCylindrical(r, theta, 0))
    s.gravity(-g * s.world.y)
    s.constrain_velocity(r.dot, name="circle")
    s.make_holonomic("circle", RADIUS)
    s.eliminate("circle")
    yield same("one angle is left", "section 10.3, last paragraph", [str(one) for one in s.model.q], ["theta"])
    row = m * RADIUS * (RADIUS * theta.ddot + g * cos(theta))
    yield identity("with the equation of a pendulum", "section 10.3, by hand", rows(s.equations()), [row])


def at_random(s: cd.System) -> Iterator[Pair]:
    """Accelerations and the force of the circle, from (x, y) with the multiplier and from the angle."""
    eq, angle = s.equations(), by_angle()
    one = angle.equations()
    for at in states(angle, [ANGLE]):
        a, w = at.q[0], at.v[0]
        q, t = RADIUS * np.array([np.cos(a), np.sin(a)]), RADIUS * np.array([-np.sin(a), np.cos(a)])
        here, there = eq.at(q, w * t, loads=dict(at.signals)), one.at(at.q, at.v, loads=dict(at.signals))
        yield here.acceleration, there.acceleration[0] * t - w**2 * q
        yield here.reactions["P"].force, there.reactions["P"].force
        yield here.reactions["P"].force[:2], here.multipliers["circle"] * q


def kept(s: cd.System) -> Pair:
    """x^2 + y^2 along a run that is held to velocities only, and R^2."""
    run = s.simulate(4.0, **START)
    return run["x"] ** 2 + run["y"] ** 2, np.full(len(run), RADIUS**2)


def alike(s: cd.System) -> Pair:
    """Places of the constrained point and of the one by its angle."""
    times = np.linspace(0, 4, 81)
    run = s.simulate(4.0, **START, times=times, **TIGHT)
    angle = by_angle().simulate(4.0, q=[0.0], v=[1.0 / RADIUS], times=times, **TIGHT)
    return run.position("P"), angle.position("P")


def parking() -> Pair:
    """Ahead a, turn by w, back a, turn back: the knife edge ends beside its start by (a - a cos w, -a sin w).

    Every leg keeps the constraint, so no function of the configuration can be constant along them.
    """
    knife, a, w = knife_edge().equations(), 0.5, 0.8
    legs = [([1, 0, 0], a, 0.0), ([0, 0, 1], w, 0.0), ([-np.cos(w), -np.sin(w), 0], a, w), ([0, 0, -1], w, w)]
    place, slip = np.zeros(3), []
    for v, duration, heading in legs:
        slip.append(float(knife.at([0, 0, heading]).A[0] @ v))
        place += duration * np.array(v, dtype=float)
    return [*place, *slip], [a - a * np.cos(w), -a * np.sin(w), 0, 0, 0, 0, 0]


def picture(run: cd.Run) -> Figure:
    """The path on the circle, the force that keeps it there, and the knife edge parked beside its start."""
    with figure_style() as easel:
        figure, (path, force, park) = easel.subplots(1, 3, figsize=(11, 3.5), layout="constrained")
        at = run.at(np.linspace(0, run.t[-1], 600))
        path.plot(at["x"], at["y"])
        path.plot(at["x"][:1], at["y"][:1], "o", color=RED, label="start")
        path.set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title="integrable: stays on its circle")
        path.legend(loc="upper left", fontsize=9)
        force.plot(at.t, at.multipliers["circle"] * RADIUS, color=VIOLET)
        force.set(xlabel="time [s]", ylabel="force, outwards [N]", title="force of the circle")
        a, w = 0.5, 0.8
        park.plot([0, a], [0, 0], "-o", label="ahead")
        park.plot([a, a - a * np.cos(w)], [0, -a * np.sin(w)], "-o", label="back, after a turn")
        park.annotate("end", (a - a * np.cos(w), -a * np.sin(w)), (0.25, -0.36), arrowprops={"arrowstyle": "->"})
        park.set(xlabel="$q_1$ [m]", ylabel="$q_2$ [m]", aspect="equal", title="not integrable: parks sideways")
        park.legend(fontsize=9)
    return figure


ENTRY = Entry(
    id="C4",
    where="section 10.3, last paragraph, and example 10.3.1",
    lesson=(
        "A constraint on velocities may only pretend to be one. x xd + y yd = 0 is the rate of (x^2 + y^2)/2, so the "
        "point can never leave the circle it starts on: a freedom of configuration is lost, one angle is enough, and "
        "the multiplier is needed only by someone who asks for the force. The knife edge looks alike on paper and is "
        "another thing altogether. It loses a freedom of velocity and none of configuration, because going ahead, "
        "turning, going back and turning back ends beside the start. Whether a row can be integrated is decided by "
        "Frobenius' condition, and Cardan says for each constraint which of the two it is."
    ),
    system=system,
    checks=checks,
    start={"duration": 4.0, **START},
    picture=picture,
    caption="A holonomic constraint confines the configuration; a nonholonomic one only the way through it.",
    erratum="The circle is printed as x^2 + y^2 = R; with R its radius it is x^2 + y^2 = R^2.",
)
