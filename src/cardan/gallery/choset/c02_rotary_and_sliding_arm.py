"""C2: an arm with a rotary and a sliding joint, with motors at the joints or thrusters at its end, and friction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from sympy import cos, sin

import cardan as cd
from cardan.gallery.comparing import Pair, agreement, identity, near, same
from cardan.gallery.entry import Check, Entry, Ordered
from cardan.gallery.pictures import DARK
from cardan.gallery.printed import rows, solved
from cardan.gallery.sampling import ANGLE, Array, column, letters, states
from cardan.model.bodies import Body
from cardan.report.figures.style import figure_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RANGES = [ANGLE, (0.2, 2.0)]
START: Ordered = {"q": [-0.6, 0.3], "v": [3.0, 1.2]}


def arm() -> tuple[cd.System, Body, Body]:
    """The arm without actuators."""
    s = cd.System("RP manipulator")
    q1, q2 = s.coordinates("q1", on="S1"), s.coordinates("q2", on="R+")
    m1, m2, I1, I2, r1, a_g = s.parameters(m1=1.3, m2=0.8, I1=0.5, I2=0.2, r1=0.6, a_g=9.81)
    first = s.body("first", mass=m1, inertia=I1, com=(r1, 0, 0), joint=cd.Revolute("z", q1))
    second = s.body("second", mass=m2, inertia=I2, joint=cd.Prismatic("x", q2), parent=first)
    s.gravity(-a_g * s.world.y)
    return s, first, second


def system() -> cd.System:
    """The arm with a motor at each joint."""
    s, first, second = arm()
    s.moment("u1", on=first, along=s.world.z)
    s.force("u2", on=second, along=first.x)
    return s


def with_thrusters() -> cd.System:
    """The arm with two thrusters at the centre of mass of its second link, along the world's axes."""
    s, _, second = arm()
    s.force("f1", on=second, along=s.world.x)
    s.force("f2", on=second, along=s.world.y)
    return s


def checks(s: cd.System) -> Iterator[Check]:
    q1, q2, m1, m2, I1, I2, r1, a_g, u1, u2 = letters(s, "q1 q2 m1 m2 I1 I2 r1 a_g u1 u2")
    eq, J = s.equations(), I1 + I2 + m1 * r1**2 + m2 * q2**2
    L = (J * q1.dot**2 + m2 * q2.dot**2) / 2 - a_g * sin(q1) * (m1 * r1 + m2 * q2)
    yield identity("Lagrangian", "before (10.5)", eq.kinetic_energy - eq.potential_energy, L)
    printed = column(
        J * q1.ddot + 2 * m2 * q2 * q1.dot * q2.dot + a_g * (m1 * r1 + m2 * q2) * cos(q1) - u1,
        m2 * q2.ddot - m2 * q2 * q1.dot**2 + a_g * m2 * sin(q1) - u2,
    )
    yield identity("equations of motion", "(10.5), (10.6)", rows(eq), printed)
    yield agreement("accelerations in native code", "(10.5), (10.6)", solved(s, printed, RANGES))
    M, Cqd, g = standard_form(s)
    yield identity("inertia matrix", "after (10.7)", eq.mass_matrix, M)
    yield identity("velocity products", "after (10.7)", eq.velocity_terms, Cqd)
    yield identity("gravity", "after (10.7)", eq.potential_terms, g)
    gamma = {(0, 0, 1): m2 * q2, (0, 1, 0): m2 * q2, (1, 0, 0): -m2 * q2}
    symbols = [gamma.get(place, 0) for place in np.ndindex(2, 2, 2)]
    yield identity("eight Christoffel symbols", "example 10.2.1", list(eq.christoffel), symbols)
    C = sp.Matrix(2, 2, lambda i, j: sum(gamma.get((i, j, k), 0) * q.dot for k, q in enumerate((q1, q2))))
    yield identity("Coriolis matrix", "after (10.9), index corrected", eq.coriolis_matrix, C)
    yield identity("C qd are the velocity products", "(10.8)", C * column(q1.dot, q2.dot), Cqd)
    yield from thrusters(rest=printed + column(u1, u2))
    yield from friction(rest=printed)
    yield from feedback(s)
    yield from limits()
    yield from dissipating()
    yield near("computed torques keep both rates", "(10.5), (10.6)", *steady(s), within=1e-9, because="rtol of the run")


def standard_form(s: cd.System) -> tuple[sp.Matrix, sp.Matrix, sp.Matrix]:
    """M, C qd and g as printed after (10.7)."""
    q1, q2, m1, m2, I1, I2, r1, a_g = letters(s, "q1 q2 m1 m2 I1 I2 r1 a_g")
    return (
        sp.diag(I1 + I2 + m1 * r1**2 + m2 * q2**2, m2),
        column(2 * m2 * q2 * q1.dot * q2.dot, -m2 * q2 * q1.dot**2),
        column(a_g * (m1 * r1 + m2 * q2) * cos(q1), a_g * m2 * sin(q1)),
    )


def thrusters(rest: sp.Matrix) -> Iterator[Check]:
    """u = T f with T = J^T, which loses rank at q2 = 0; ``rest`` is the left side of the equations of motion."""
    s = with_thrusters()
    q1, q2, f1, f2 = letters(s, "q1 q2 f1 f2")
    T = sp.Matrix([[-q2 * sin(q1), q2 * cos(q1)], [cos(q1), sin(q1)]])
    eq = s.equations()
    yield identity("thrusters", "(10.11), (10.12)", rows(eq), rest - T * column(f1, f2))
    ranks = []
    for distance in (0.5, 0.0):
        pushes = [eq.at([0.7, distance], loads={name: 1.0}).Q for name in ("f1", "f2")]
        ranks.append(int(np.linalg.matrix_rank(np.stack(pushes, axis=1))))
    yield same("rank of T at q2 = 0.5 and at q2 = 0", "after (10.12)", ranks, [2, 1])


def friction(rest: sp.Matrix) -> Iterator[Check]:
    """u = M qdd + C qd + g + b(q, qd) with viscous and dry friction; ``rest`` is the row without b."""
    s = system()
    q1, q2 = letters(s, "q1 q2")
    d1, d2, c1, c2 = s.parameters(d1=0.3, d2=0.4, c1=0.1, c2=0.2)
    b = column(d1 * q1.dot + c1 * sp.sign(q1.dot), d2 * q2.dot + c2 * sp.sign(q2.dot))
    for one, part in zip((q1, q2), b, strict=True):
        s.generalized_force(one, -part)
    yield identity("Coulomb and viscous friction", "after (10.12)", rows(s.equations()), rest + b)


def by_hand(q: Array, v: Array, u: Array) -> Array:
    """Accelerations of (10.5) and (10.6) for generalized forces u, in numbers."""
    m1, m2, I1, I2, r1, a_g = 1.3, 0.8, 0.5, 0.2, 0.6, 9.81
    J = I1 + I2 + m1 * r1**2 + m2 * q[1] ** 2
    turn = u[0] - 2 * m2 * q[1] * v[0] * v[1] - a_g * (m1 * r1 + m2 * q[1]) * np.cos(q[0])
    slide = u[1] + m2 * q[1] * v[0] ** 2 - a_g * m2 * np.sin(q[0])
    return np.array([turn / J, slide / m2])


def integrated(u: Callable[[Array, Array], Array], times: Array) -> Array:
    """(10.5) and (10.6) from the start under the law u(q, qd), by SciPy: q and qd at these times."""
    from scipy.integrate import solve_ivp

    def slope(_: float, y: Array) -> Array:
        return np.concatenate([y[2:], by_hand(y[:2], y[2:], u(y[:2], y[2:]))])

    start = [*START["q"], *START["v"]]
    return np.asarray(solve_ivp(slope, (0.0, times[-1]), start, "DOP853", times, rtol=1e-11, atol=1e-13).y.T)


def of_thrusters(q: Array) -> Array:
    """T(q) of (10.12)."""
    c, n = np.cos(q[0]), np.sin(q[0])
    return np.array([[-q[1] * n, q[1] * c], [c, n]])


def feedback(s: cd.System) -> Iterator[Check]:
    """The feedback transformation: thrusts f = T^-1 u act as the motors u, and keep both rates as these do."""
    thrusters = with_thrusters()
    q1, q2 = letters(thrusters, "q1 q2")
    u = column(*torques(thrusters).values())
    T = sp.Matrix([[-q2 * sin(q1), q2 * cos(q1)], [cos(q1), sin(q1)]])
    f = sp.simplify(T.inv()) * u
    run = thrusters.simulate(1.0, **START, loads={"f1": f[0], "f2": f[1]}, rtol=1e-10, atol=1e-12)
    yield near("thrusts f = T^-1 u keep both rates as well", "(10.11), after (10.12)", run.v,
               np.broadcast_to(START["v"], run.v.shape), within=1e-8, because="100 times rtol")  # fmt: skip
    kernel, motors, pairs = thrusters.compile(), s.compile(), []
    for at in states(s, RANGES, 8):
        wanted = np.array([at.signals["u1"], at.signals["u2"]])
        thrust = np.linalg.solve(of_thrusters(at.q), wanted)
        loads = {"f1": float(thrust[0]), "f2": float(thrust[1])}
        found = kernel.acceleration(at.q, at.v, loads=loads)
        pairs += [
            (found, by_hand(at.q, at.v, wanted)),
            (motors.acceleration(at.q, at.v, loads=dict(at.signals)), found),
        ]
    yield agreement(
        "virtual actuators u = T f", "after (10.12)", pairs, within=1e-11, because="T has a condition of 10"
    )


def limits() -> Iterator[Check]:
    """|f_i| <= 1 limits u to a parallelogram with corners T (+-1, +-1); a law that asks for more is cut off there."""
    s = with_thrusters()
    eq, corners, largest = s.equations(), [], []
    for q in ([0.7, 0.5], [-1.1, 1.4], [2.0, 0.0]):
        found = np.array([eq.at(q, loads={"f1": a, "f2": b}).Q for a in (-1.0, 1.0) for b in (-1.0, 1.0)])
        corners.append((found, [of_thrusters(np.array(q)) @ [a, b] for a in (-1, 1) for b in (-1, 1)]))
        reach = abs(np.sin(q[0])) + abs(np.cos(q[0]))
        largest.append((found.max(axis=0), [q[1] * reach, reach]))
    yield agreement("limits of the thrusts as limits of u", "after (10.12)", corners)
    yield agreement("the largest u of each joint", "after (10.12)", largest)
    (q1,) = letters(s, "q1")
    most, asked = 12.0, {"f1": -4.0 * q1.dot * sp.sin(q1), "f2": 9.0 + 4.0 * sp.cos(q1) * (4.0 - q1.dot)}
    cut = {name: sp.Max(-most, sp.Min(most, one)) for name, one in asked.items()}
    times = np.linspace(0.0, 1.0, 11)
    run = s.simulate(1.0, **START, loads=cut, times=times, rtol=1e-10, atol=1e-12)

    def law(q: Array, v: Array) -> Array:
        f = [-4.0 * v[0] * np.sin(q[0]), 9.0 + 4.0 * np.cos(q[0]) * (4.0 - v[0])]
        return np.asarray(of_thrusters(q) @ np.clip(f, -most, most))

    reached = [bool(np.max(run.evaluate(one)) > most) for one in asked.values()]
    yield same("the law asks for more than there is", "after (10.12)", any(reached), True)
    found = np.hstack([run.q, run.v])
    yield near("the arm under limited thrusts", "(10.11), after (10.12)", found, integrated(law, times),
               within=1e-7, because="corners of the limits, which both methods step over at 1e-10")  # fmt: skip


def dissipating() -> Iterator[Check]:
    """The run with viscous and dry friction, b = d qd + c sign(qd), against the printed equations."""
    s = system()
    q1, q2 = letters(s, "q1 q2")
    d, c = np.array([0.3, 0.4]), np.array([0.1, 0.2])
    for k, one in enumerate((q1, q2)):
        s.generalized_force(one, -float(d[k]) * one.dot - float(c[k]) * sp.sign(one.dot))
    times = np.linspace(0.0, 0.15, 6)  # both rates keep their signs
    run = s.simulate(0.15, **START, times=times, rtol=1e-10, atol=1e-12)

    def friction(q: Array, v: Array) -> Array:
        return np.asarray(-d * v - c * np.sign(v))

    moved = integrated(friction, times)
    yield near("a motion with friction", "after (10.12), b(q, qd)", np.hstack([run.q, run.v]), moved, within=1e-8,
               because="100 times rtol")  # fmt: skip
    yield same("which slows neither joint to rest", "after (10.12)", bool(np.all(moved[:, 2:] > 0)), True)


def torques(s: cd.System) -> dict[str, sp.Expr]:
    """u of (10.5) and (10.6) with qdd = 0, as feedback on the state."""
    _, Cqd, g = standard_form(s)
    return dict(zip(("u1", "u2"), Cqd + g, strict=True))


def steady(s: cd.System) -> Pair:
    """Velocities along a run with those torques, and the ones it began with."""
    run = s.simulate(1.0, **START, loads=torques(s))
    return run.v, np.broadcast_to(START["v"], run.v.shape)


def picture(run: cd.Run) -> Figure:
    """The path of the second link and the parts of the two motor loads."""
    with figure_style() as easel:
        figure, axes = easel.subplots(1, 3, figsize=(10.5, 3.5), layout="constrained")
        at = run.at(np.linspace(0, run.t[-1], 300))
        x, y, _ = at.position("second").T
        axes[0].plot(x, y)
        for k in range(0, 300, 60):
            axes[0].plot([0, x[k]], [0, y[k]], color="#b0b0b0", lw=1)
        axes[0].plot([0], [0], "o", color=DARK)
        axes[0].set(xlabel="$x_1$ [m]", ylabel="$x_2$ [m]", aspect="equal", title="centre of mass of link 2")
        _, Cqd, g = standard_form(run.system)
        names = ("torque $u_1$ [N m]", "force $u_2$ [N]")
        for k, (axis, name) in enumerate(zip(axes[1:], names, strict=True)):
            axis.plot(at.t, at.evaluate(Cqd[k]), label="velocity products")
            axis.plot(at.t, at.evaluate(g[k]), label="gravity")
            axis.plot(at.t, at.evaluate(Cqd[k] + g[k]), "--", color=DARK, label="sum")
            axis.set(xlabel="time [s]", ylabel=name)
        axes[1].legend(fontsize=9)
    return figure


ENTRY = Entry(
    id="C2",
    where="examples 10.1.2 and 10.2.1, equations (10.5) to (10.12)",
    lesson=(
        "Two joints already show the whole structure of robot dynamics. Sliding out changes the moment of inertia "
        "that the rotary joint feels, and every other velocity term follows from that one derivative: the Coriolis "
        "torque 2 m2 q2 q1d q2d and the centrifugal force - m2 q2 q1d^2 are the three nonzero Christoffel symbols of "
        "the inertia matrix. Moving both joints at constant rates, with no acceleration anywhere in the coordinates, "
        "still needs torque. Thrusters act through the transposed Jacobian; at q2 = 0 it loses rank and they can "
        "push the second link but no longer turn the first one, which is why the text keeps q2 > 0."
    ),
    system=system,
    checks=checks,
    start={"duration": 1.0, **START, "loads": torques(system())},
    picture=picture,
    caption="Both joints at constant rates: what the motors must give, and which part of it is not gravity.",
    erratum="After (10.9): C_ij = sum over k of Gamma^i_jk qd_k; with the printed indices C qd differs from (10.8).",
)
