"""R8: Chaplygin's sleigh, derived with the force of its skate and with a multiplier."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from sympy import cos, sin

import cardan as cd
from cardan.gallery.comparing import Pair, agreement, identity, near
from cardan.gallery.entry import Check, Entry, Start
from cardan.gallery.pictures import DARK, panels, smooth
from cardan.gallery.sampling import ANGLE, Array, letters, numbers, states

if TYPE_CHECKING:
    from matplotlib.figure import Figure

M, I_G, D = 2.0, 0.3, 0.25  # mass, moment of inertia about G, distance of the skate behind G
BACK, TURN = -1.0, 0.3  # speed along the body, rate of turning
START: Start = {"q": [0, 0, 0], "v": [BACK, D * TURN, TURN]}
RANGES = [(-2.0, 2.0), (-2.0, 2.0), ANGLE]


def system() -> cd.System:
    """The skate as a point of the body that does not slip along n, the body's y."""
    s = cd.System("Chaplygin sleigh")
    x, y = s.coordinates("x y")
    theta = s.coordinates("theta", on="S1")
    m, inertia, d = s.parameters(m=M, I=I_G, d=D)
    body = s.body("sleigh", mass=m, inertia=inertia, joint=cd.Planar(x, y, theta))
    s.no_slip(on=body, point=body.point(-d, 0, 0), along=body.y, name="F")
    return s


def on_a_moving_floor() -> cd.System:
    """Typed as the printed sum a_i qd_i + a_t = 0, the floor moving sideways by a_t(t)."""
    s = cd.System("sleigh on a moving floor")
    x, y, theta = s.coordinates("x y theta")
    m, inertia, d = s.parameters(m=M, I=I_G, d=D)
    s.kinetic_energy(m * (x.dot**2 + y.dot**2) / 2 + inertia * theta.dot**2 / 2)
    s.constrain_velocity(-sin(theta) * x.dot + cos(theta) * y.dot - d * theta.dot + sin(2 * s.time) / 2, name="F")
    return s


def by_forces(s: cd.System, a_t: sp.Expr = sp.S.Zero) -> dict[sp.Symbol, sp.Expr]:
    """Method 1: d/dt of (1) with (2), (3), (4) are four equations for xdd, ydd, thetadd and the skate's force F."""
    x, y, theta, m, inertia, d = letters(s, "x y theta m I d")
    F = sp.Symbol("F")
    kinematic = -sin(theta) * x.ddot + cos(theta) * y.ddot - d * theta.ddot
    kinematic += -theta.dot * (cos(theta) * x.dot + sin(theta) * y.dot) + sp.diff(a_t, s.time)
    balance = [m * x.ddot + F * sin(theta), m * y.ddot - F * cos(theta), inertia * theta.ddot + F * d]
    found: dict[sp.Symbol, sp.Expr] = sp.solve([kinematic, *balance], [x.ddot, y.ddot, theta.ddot, F], dict=True)[0]
    return found


def checks(s: cd.System) -> Iterator[Check]:
    theta, d = letters(s, "theta d")
    eq, F = s.equations(), sp.Symbol("F")
    row = sp.Matrix([[-sin(theta), cos(theta), -d]])
    yield identity("constraint v_C . n = 0", "4/8, (1)", eq.constraint_matrix, row)
    yield identity("lambda is the force of the skate", "4/8, methods 1 and 2", eq.multipliers["F"], by_forces(s)[F])
    yield agreement("accelerations and force by both derivations", "4/8, (1) to (4)", both(s))
    yield agreement("F = m u w I / (I + m d^2)", "4/8, from (1) to (4)", inward(s))
    moving = on_a_moving_floor()
    a_t = sin(2 * moving.time) / 2
    yield identity("affine constraint", "4/8, sum a_i qd_i + a_t = 0", moving.equations().constraints.offsets, [a_t])
    yield identity(
        "its multiplier", "4/8, method 2", moving.equations().multipliers["F"], by_forces(moving, a_t)[F]
    )  # fmt: skip
    yield agreement("the moving floor does work - lambda a_t", "4/8", worked(moving))
    for name, computed, expected in turning_round(s):
        yield near(name, "4/8, solved", computed, expected, within=1e-8, because="1000 times rtol")


def both(s: cd.System) -> Iterator[Pair]:
    """Accelerations, multiplier and the reaction on the body, against the four equations solved by hand."""
    found = by_forces(s)
    x, y, theta = letters(s, "x y theta")
    value = numbers(s, [found[x.ddot], found[y.ddot], found[theta.ddot], found[sp.Symbol("F")]])
    eq = s.equations()
    for at in states(s, RANGES):
        here = eq.at(at.q, at.v)
        *vd, F = value(at)
        n = np.array([-np.sin(at.q[2]), np.cos(at.q[2]), 0])
        yield [*here.acceleration, here.multipliers["F"]], [*vd, F]
        yield [*here.reactions["sleigh"].force, *here.reactions["sleigh"].moment], [*(F * n), 0, 0, -D * F]


def inward(s: cd.System) -> Iterator[Pair]:
    """The force at states that keep the constraint: G has the speeds u ahead and d w across."""
    eq = s.equations()
    for theta, u, w in np.random.default_rng(8).uniform(-2, 2, (12, 3)):
        ahead, across = np.array([np.cos(theta), np.sin(theta)]), np.array([-np.sin(theta), np.cos(theta)])
        at = eq.at([0.3, -0.4, theta], [*(u * ahead + D * w * across), w])
        yield at.multipliers["F"], M * u * w * I_G / (I_G + M * D**2)


def worked(s: cd.System) -> Iterator[Pair]:
    """Rate of kinetic energy by Cardan's accelerations, and - lambda a_t."""
    eq = s.equations()
    for at in states(s, RANGES):
        slip = np.sin(2 * at.t) / 2
        row = np.array([-np.sin(at.q[2]), np.cos(at.q[2]), -D])
        v = at.v - row * (row @ at.v + slip) / (row @ row)
        here = eq.at(at.q, v, at.t)
        yield float(v @ here.M @ here.acceleration), -here.multipliers["F"] * slip


def turning_round(s: cd.System) -> Iterator[tuple[str, Array, Array]]:
    """From u = 0 with w = W: u = U tanh(kt), theta = (W/k) gd(kt), J = I + m d^2, U = W sqrt(J/m), k = m d U / J."""
    J, W = I_G + M * D**2, 2.0
    U = W * np.sqrt(J / M)
    k = M * D * U / J
    run = s.simulate(4.0, q=[0, 0, 0], v=[0, D * W, W], rtol=1e-11, atol=1e-13)
    ahead = run["x_dot"] * np.cos(run["theta"]) + run["y_dot"] * np.sin(run["theta"])
    yield "speed along the skate", ahead, U * np.tanh(k * run.t)
    yield "heading", run["theta"], W / k * 2 * np.arctan(np.tanh(k * run.t / 2))
    yield "force of the skate", run.multipliers["F"], M * I_G / J * U * W * np.tanh(k * run.t) / np.cosh(k * run.t)
    yield "energy, which the skate leaves alone", run.energy, np.full(len(run), J * W**2 / 2)


def picture(run: cd.Run) -> Figure:
    """The path with the sleigh drawn on it, and speed and force in time."""
    with panels("path of the skate", "speed and force", size=(9.2, 3.9)) as (figure, (path, graph)):
        at = smooth(run)
        skate = at.q[:, :2] - D * np.stack([np.cos(at["theta"]), np.sin(at["theta"])], axis=1)
        path.plot(*skate.T)
        for x, y, theta in run.at(np.linspace(0, run.t[-1], 14)).q:
            tail = [x - D * np.cos(theta), y - D * np.sin(theta)]
            path.plot([x, tail[0]], [y, tail[1]], color=DARK, lw=2)
            path.plot([x], [y], "o", color=DARK, ms=5)
        path.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
        graph.plot(at.t, at.evaluate(ahead_of(run.system)), label="speed towards its mass [m/s]")
        graph.plot(at.t, at["theta_dot"], label="rate of turning [rad/s]")
        graph.plot(at.t, at.multipliers["F"], "--", label="force of the skate [N]")
        graph.set(xlabel="time [s]", ylabel="m/s, rad/s, N")
        graph.legend(fontsize=9)
    return figure


def ahead_of(s: cd.System) -> sp.Expr:
    x, y, theta = letters(s, "x y theta")
    return x.dot * cos(theta) + y.dot * sin(theta)


ENTRY = Entry(
    id="R8",
    where="lecture 4/8",
    lesson=(
        "A skate behind the centre of mass: one velocity that must vanish, no energy lost, and yet the motion has a "
        "direction in time. Draw the force of the skate and write three balances, or add a multiplier times the "
        "coefficients of the constraint: the equations are the same, and the multiplier is the force. Pushed "
        "backwards, the sleigh is unstable. It turns round and ends sliding straight with its mass in front, all "
        "rotation gone, although nothing dissipates: a nonholonomic constraint keeps energy but not volume. With a "
        "floor that moves the constraint is affine, and then it does do work."
    ),
    system=system,
    checks=checks,
    start={"duration": 9.0, **START},
    picture=picture,
    caption="Pushed backwards with a slight turn, the sleigh comes round and leads with its mass (the dot).",
)
