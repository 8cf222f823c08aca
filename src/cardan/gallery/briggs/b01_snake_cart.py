"""B1: the snake cart, whose wheels say the same thing at 90 degrees, simulated through that angle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from sympy import cos, sin

import cardan as cd
from cardan.gallery.comparing import Pair, agreement, identity, near, same
from cardan.gallery.entry import Check, Entry, Start
from cardan.gallery.pictures import DARK, panels, smooth
from cardan.gallery.printed import rows
from cardan.gallery.sampling import Array, State, column, letters, numbers, rate

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MB, MW, JB, JW, LENGTH = 2.0, 0.3, 0.2, 0.01, 0.8
MASS, INERTIA = MB + 2 * MW, JB + 2 * JW + LENGTH**2 * MW / 2  # of the whole cart
PHI, RATE, THETA, SIZE = 0.9, 1.0, 0.3, 2.0  # start: wheel angle and rate, heading, s of (u, thetad)
CROSSING = float((np.pi / 2 - PHI) / RATE)
NAMES = ("lambda1", "lambda2")


def system() -> cd.System:
    """Body and two wheel assemblies that turn by +phi and -phi; neither wheel slips along its axle."""
    s = cd.System("snake cart")
    x, y = s.coordinates("x y")
    theta, phi = s.coordinates("theta phi", on="S1")
    mb, mw, Jb, Jw, length = s.parameters(mb=MB, mw=MW, Jb=JB, Jw=JW, l=LENGTH)
    cart = s.body("cart", mass=mb, inertia=Jb, joint=cd.Planar(x, y, theta))
    front = s.body("front", mass=mw, inertia=Jw, parent=cart, at=(length / 2, 0, 0), joint=cd.Revolute("z", phi))
    rear = s.body("rear", mass=mw, inertia=Jw, parent=cart, at=(-length / 2, 0, 0), joint=cd.Revolute("z", -phi))
    s.no_slip(on=front, along=front.y, name="lambda1")
    s.no_slip(on=rear, along=-rear.y, name="lambda2")  # (1.2.1) has the second row with this sign
    s.force("F", on=cart, along=cart.y)
    return s


def start(phi: float = PHI, size: float = SIZE) -> Start:
    """u = (l/2) cos(phi) s ahead, thetad = sin(phi) s, no lateral speed: what (1.2.1) leaves."""
    u = LENGTH / 2 * np.cos(phi) * size
    v = [float(u * np.cos(THETA)), float(u * np.sin(THETA)), float(np.sin(phi) * size), RATE]
    return {"q": [0, 0, THETA, phi], "v": v}


def reduced_mass(phi: float | Array) -> Array:
    """T = s^2 Mf(phi)/2 + ... is constant, so s goes as Mf^(-1/2)."""
    return MASS * LENGTH**2 / 4 * np.cos(phi) ** 2 + INERTIA * np.sin(phi) ** 2


def size_at(phi: float | Array) -> Array:
    return SIZE * np.sqrt(reduced_mass(PHI) / reduced_mass(phi))


def checks(s: cd.System) -> Iterator[Check]:
    yield from equations(s)
    yield from on_the_distribution(s)
    yield agreement("rank 1 at phi = +-pi/2 and 2 elsewhere", "after (1.2.4)", ranks(s))
    yield same("the set where it is lost", "after (1.2.4)", [one.text for one in s.singular_set()], ["cos(phi) = 0"])
    kinds = s.diagnose([0.2, 0.3, 0.5, np.pi / 2]).kinds
    yield same("and its name", "after (1.2.4)", kinds, {"constraint-degeneracy"})
    yield from through(s)
    yield from loaded(s)
    yield from at_ninety_degrees(s)


def equations(s: cd.System) -> Iterator[Check]:
    x, y, theta, phi, mb, mw, Jb, Jw, length, F = letters(s, "x y theta phi mb mw Jb Jw l F")
    eq = s.equations()
    T = Jw * phi.dot**2 + (Jb / 2 + Jw + length**2 * mw / 4) * theta.dot**2 + (mb / 2 + mw) * (x.dot**2 + y.dot**2)
    yield identity("Lagrangian", "before (1.2.1), corrected", eq.kinetic_energy, T)
    turn = length / 2 * cos(phi) * theta.dot
    printed = column(
        turn + cos(theta + phi) * y.dot - sin(theta + phi) * x.dot,
        turn - cos(theta - phi) * y.dot + sin(theta - phi) * x.dot,
    )
    A, v = eq.constraint_matrix, column(x.dot, y.dot, theta.dot, phi.dot)
    yield identity("constraints", "(1.2.1)", A * v, printed)
    lam = column(*(sp.Symbol(f"lam_{name}", real=True) for name in NAMES))
    matrix = sp.Matrix(
        [
            [-sin(theta + phi), sin(theta - phi)],
            [cos(theta + phi), -cos(theta - phi)],
            [length / 2 * cos(phi), length / 2 * cos(phi)],
            [0, 0],
        ]
    )
    inertia = Jb + 2 * Jw + length**2 * mw / 2
    left = column((mb + 2 * mw) * x.ddot, (mb + 2 * mw) * y.ddot, inertia * theta.ddot, 2 * Jw * phi.ddot)
    push = column(-F * sin(theta), F * cos(theta), 0, 0)  # the load, not in the text
    yield identity("equations of motion", "(1.2.3)", rows(eq), left - push - matrix * lam)
    for sign in (1, -1):
        column_1 = [-sign * cos(theta), -sign * sin(theta), 0, 0]
        corrected = sp.Matrix([[one, one] for one in column_1])
        yield identity(
            f"columns at phi = {'+' if sign > 0 else '-'}pi/2", "(1.2.4), row 1 corrected",
            A.T.subs(phi, sign * sp.pi / 2), corrected,
        )  # fmt: skip


def on_the_distribution(s: cd.System) -> Iterator[Check]:
    """(1.2.2): the Lagrangian's expressions, times any variation in D, vanish without a word about multipliers.

    D = ker A is spanned by a turn with its way ahead, (l/2 cos(phi) (cos, sin)(theta), sin(phi), 0), and by the wheels'
    turning, (0, 0, 0, 1); at phi = +-pi/2 by sliding along the axles, (-sin, cos)(theta), as well.
    """
    x, y, theta, phi, mb, mw, Jb, Jw, length, F = letters(s, "x y theta phi mb mw Jb Jw l F")
    turning = column(length / 2 * cos(phi) * cos(theta), length / 2 * cos(phi) * sin(theta), sin(phi), 0)
    D, eq = sp.Matrix.hstack(turning, column(0, 0, 0, 1)), s.equations()
    yield identity("D is the kernel of the constraints", "after (1.2.1)", eq.constraint_matrix * D, sp.zeros(2, 2))
    L = Jw * phi.dot**2 + (Jb / 2 + Jw + length**2 * mw / 4) * theta.dot**2 + (mb / 2 + mw) * (x.dot**2 + y.dot**2)
    q = (x, y, theta, phi)
    euler = column(*(rate(L.diff(one.dot), q) - L.diff(one) for one in q)) - F * column(-sin(theta), cos(theta), 0, 0)
    yield identity("the equations on D have no multipliers", "(1.2.2)", D.T * rows(eq), D.T * euler)
    slide = sp.Matrix.hstack(D, column(-sin(theta), cos(theta), 0, 0)).subs(phi, sp.pi / 2)
    at_right_angles = eq.constraint_matrix.subs(phi, sp.pi / 2) * slide
    yield identity("D at phi = pi/2 has one dimension more", "after (1.2.4)", at_right_angles, sp.zeros(2, 3))
    value, basis, powers = numbers(s, list(euler)), numbers(s, list(D)), []
    draw = np.random.default_rng(122)
    for angle, heading, ahead, wheels, push in draw.uniform(-1.2, 1.2, (8, 5)):
        q_here = np.array([0.2, 0.3, heading, angle])
        here = State(q_here, basis(State(q_here, np.zeros(4))).reshape(4, 2) @ [ahead, wheels], 0.0, {"F": push})
        vd = eq.at(here.q, here.v, loads={"F": push}).acceleration
        powers.append((value(here, vd) @ basis(here).reshape(4, 2), np.zeros(2)))
    yield agreement("the motion satisfies them", "(1.2.2)", powers)


def ranks(s: cd.System) -> Iterator[Pair]:
    """Velocity freedoms by Cardan on a grid of phi, and 4 - rank of the printed matrix."""
    for phi in np.linspace(-np.pi, np.pi, 9):
        rank = 1 if np.isclose(abs(phi), np.pi / 2) else 2
        found = s.diagnose([0.2, 0.3, 0.5, phi])
        yield np.array([found.constraint_rank, found.velocity_dof], float), [rank, 4 - rank]


def through(s: cd.System) -> Iterator[Check]:
    """Without a load: s(t) in closed form, and limits of the multipliers, m l s phid/2 and m l s^2/2."""
    run = s.simulate(1.4, **start())
    (event,) = run.events
    tolerance = "ten times rtol"
    yield same("the passage is an event", "section 1.2", (event.kind, event.facts["rank"]), ("rank-change", 1))
    yield near("when", "phid is constant", event.t, CROSSING, within=1e-9, because="crossings are located to 1e-11")
    phi = PHI + RATE * run.t
    turning = np.column_stack([run["phi"], run["theta_dot"]])
    expected = np.column_stack([phi, np.sin(phi) * size_at(phi)])
    yield near("the motion on both sides", "energy, (1.2.1)", turning, expected, within=1e-8, because=tolerance)
    lateral = -np.sin(run["theta"]) * run["x_dot"] + np.cos(run["theta"]) * run["y_dot"]
    yield near("no lateral speed, also at 90 degrees", "(1.2.1)", lateral, 0.0, within=1e-8, because=tolerance)
    one, two = (run.at([event.t]).multipliers[name][0] for name in NAMES)
    size = size_at(np.pi / 2)
    limits = [MASS * LENGTH * size * RATE / 2, MASS * LENGTH * size**2 / 2]
    yield near("limits of the multipliers", "(1.2.3), from both sides", [one + two, one - two], limits, within=1e-6,
               because="a limit taken from errors of rtol over distances of 0.05")  # fmt: skip


def loaded(s: cd.System) -> Iterator[Check]:
    """With a lateral force the motion is the same, the multipliers grow as 1/cos(phi), their force has a limit, -F."""
    run = s.simulate(1.4, **start(), loads={"F": 10.0})
    (event,) = run.events
    phi = PHI + RATE * run.t
    yield near("a lateral load changes no velocity", "it does no work", run["theta_dot"], np.sin(phi) * size_at(phi),
               within=1e-8, because="ten times rtol")  # fmt: skip
    yield same("but the multipliers diverge", "after (1.2.4)", bool(event.facts["divergent"]), True)
    at = run.at([event.t])
    force, theta = event.facts["limit_force"], at["theta"][0]
    across = -np.sin(theta) * force[0] + np.cos(theta) * force[1]
    yield near("their lateral force has the limit -F", "balance of the cart", across, -10.0, within=1e-7,
               because="a limit taken from errors of rtol")  # fmt: skip
    difference = at.multipliers["lambda1"][0] - at.multipliers["lambda2"][0]
    yield same("no value is made up at 90 degrees", "after (1.2.4)", bool(np.isnan(difference)), True)


def at_ninety_degrees(s: cd.System) -> Iterator[Check]:
    """Starts at phi = pi/2: wheels held slide sideways as one axle; sliding and turning at once needs an impulse."""
    held = s.simulate(1.0, q=[0, 0, 0, np.pi / 2], v=[0, 0, 0, 0], loads={"F": 10.0})
    yield near("wheels held at 90 degrees: the cart slides", "(1.2.4): rank 1", held["y_dot"][-1], 10.0 / MASS,
               within=1e-9, because="a constant force")  # fmt: skip
    jerked = s.simulate(0.5, q=[0, 0, 0, np.pi / 2], v=[0, 1.0, 2.0, 1.0])
    impulse = jerked.events[0]
    found = [impulse.facts["energy_change"], *impulse.facts["velocity_change"]]
    yield same("sliding and turning the wheels: an impulse", "rank 2 behind", impulse.kind, "impulse")
    yield near("which takes the slide and nothing else", "momentum", found, [-MASS / 2, 0, -1, 0, 0])


def picture(run: cd.Run) -> Figure:
    """The cart on its way, its two velocities, and the multipliers with and without a lateral load."""
    titles = ("path", "what the wheels allow", "multipliers")
    with panels(*titles, size=(11.8, 3.9)) as (figure, (path, speeds, forces)):
        at = smooth(run)
        path.plot(at["x"], at["y"], lw=1)
        for x, y, theta, phi in run.at(np.linspace(0, run.t[-1], 4)).q:
            e = np.array([np.cos(theta), np.sin(theta)])
            ends = np.array([x, y]) + np.outer([LENGTH / 2, -LENGTH / 2], e)
            path.plot(*ends.T, color="#9a9a9a", lw=1)
            for end, turn in zip(ends, (theta + phi, theta - phi), strict=True):
                wheel = 0.08 * np.array([np.cos(turn), np.sin(turn)])
                path.plot(*np.stack([end - wheel, end + wheel]).T, color=DARK, lw=2.5)
        path.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
        ahead = at["x_dot"] * np.cos(at["theta"]) + at["y_dot"] * np.sin(at["theta"])
        speeds.plot(at.t, at["theta_dot"], label=r"$\dot\theta$ [rad/s]")
        speeds.plot(at.t, ahead, label="u ahead [m/s]")
        speeds.set(xlabel="time [s]", ylabel="rad/s, m/s")
        loaded_run = run.system.simulate(run.t[-1], **start(), loads={"F": 10.0})
        times = np.sort(np.append(np.linspace(0.02, run.t[-1] - 0.02, 401), CROSSING))
        for label, one in (("free", run), ("10 N sideways", loaded_run)):
            there = one.at(times)
            forces.plot(times, there.multipliers["lambda1"] - there.multipliers["lambda2"], label=label)
        forces.set(xlabel="time [s]", ylabel=r"$\lambda_1 - \lambda_2$ [N]", ylim=(-150, 150))
        for axes in (speeds, forces):
            axes.axvline(CROSSING, color=DARK, lw=0.8, ls=":", label=r"$\phi = \pi/2$")
            axes.legend(fontsize=9)
    return figure


ENTRY = Entry(
    id="B1",
    where="section 1.2, equations (1.2.1) to (1.2.4)",
    lesson=(
        "Two wheels that steer in opposite senses leave a cart two freedoms, except at 90 degrees, where both forbid "
        "the same thing, going ahead, and nothing keeps the cart from sliding sideways along its axles. The "
        "multipliers can then not be solved for, and the report asks for a law that would say what happens. "
        "Mechanics has one: the motion arrives with a velocity in the closure of what the wheels allow, and leaves "
        "with it. The lateral force it needs has a limit even where each multiplier goes to infinity. Only a start "
        "that is put exactly there, already sliding, has to pay with an impulse when the wheels turn on."
    ),
    system=system,
    checks=checks,
    start={"duration": 1.4, **start()},
    picture=picture,
    caption="Through 90 degrees: the motion is smooth; under a lateral load the multipliers are not.",
    erratum=(
        "The coefficient of thetad^2 in L is J_b/2 + J_w + l^2 m_w/4; the first row of (1.2.4) is (-+cos, -+cos); "
        "the wheels turn in opposite senses, as (1.2.1) says."
    ),
)
