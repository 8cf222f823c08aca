"""R11: a pendulum on a hinge, in the plane and in space, its period, and the five reactions of the hinge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from sympy import cos, sin

import cardan as cd
from cardan.gallery.comparing import Pair, agreement, identity, near
from cardan.gallery.entry import Check, Entry
from cardan.gallery.pictures import DARK, panels, smooth
from cardan.gallery.printed import rows
from cardan.gallery.ruina.vectors import Array, about
from cardan.gallery.sampling import ANGLE, letter, letters, states

if TYPE_CHECKING:
    from matplotlib.figure import Figure

M, IXX, D, G, ALPHA = 1.7, 0.5, 0.4, 9.81, 0.7
HINGE = np.array([2.0, 3.0, 6.0]) / 7
R_REF = np.array([0.3, -0.2, 0.5])
I_REF = np.array([[0.5, 0.04, -0.03], [0.04, 0.4, 0.05], [-0.03, 0.05, 0.3]])


def system() -> cd.System:
    """Hinge along x' = (cos alpha, 0, sin alpha), z up; centre of mass at (c, 0, -d), any inertia about it."""
    s = cd.System("pendulum on a tilted hinge")
    theta = s.coordinates("theta", on="S1")
    m, Ixx, Ixy, Ixz, d, c, g, alpha = s.parameters(m=M, Ixx=IXX, Ixy=0.04, Ixz=-0.03, d=D, c=0.2, g=G, alpha=ALPHA)
    inertia = [[Ixx, Ixy, Ixz], [Ixy, sp.Rational(2, 5), sp.Rational(1, 20)], [Ixz, sp.Rational(1, 20), 0.3]]
    tilt = [[cos(alpha), 0, -sin(alpha)], [0, 1, 0], [sin(alpha), 0, cos(alpha)]]
    s.body("body", mass=m, inertia=inertia, com=(c, 0, -d), at=((0, 0, 0), tilt), joint=cd.Revolute("x", theta))
    s.gravity(-g * s.world.z)
    return s


def planar() -> cd.System:
    s = cd.System("physical pendulum")
    theta = s.coordinates("theta", on="S1")
    m, I_G, d, g = s.parameters(m=M, I_G=0.3, d=D, g=G)
    s.body("body", mass=m, inertia=I_G, com=(0, -d, 0), joint=cd.Revolute("z", theta))
    s.gravity(-g * s.world.y)
    return s


def any_hinge() -> cd.System:
    s = cd.System("pendulum on any hinge")
    theta = s.coordinates("theta", on="S1")
    s.body("body", mass=M, inertia=I_REF, com=tuple(R_REF), joint=cd.Revolute(tuple(HINGE), theta))
    s.gravity(-G * s.world.z)
    return s


def checks(s: cd.System) -> Iterator[Check]:
    flat = planar()
    theta, m, I_G, d, g = letters(flat, "theta m I_G d g")
    row = (I_G + m * d**2) * (theta.ddot + m * g * d / (I_G + m * d**2) * sin(theta))
    yield identity("planar physical pendulum", "4/29", rows(flat.equations()), [row])
    theta, m, Ixx, d, g, alpha = letters(s, "theta m Ixx d g alpha")
    row = (Ixx + m * d**2) * (theta.ddot + m * g * d * cos(alpha) / (Ixx + m * d**2) * sin(theta))
    yield identity("tilted hinge", "4/29, boxed", rows(s.equations()), [row])
    for tilt in (0.0, 0.7, 1.4):
        for swing in (1e-3, 2.5):
            yield near(
                f"period, tilt {tilt}, amplitude {swing}", "4/29, boxed", *period(s, tilt, swing), within=1e-8,
                because="1000 times rtol; 1e-3 has the period 2 pi / rate to seven digits",
            )  # fmt: skip
    yield agreement("any hinge: thetadd and the five reactions", "4/29, AMB and LMB", reactions())


def rate(alpha: float) -> float:
    """sqrt(m g d cos(alpha) / (I_xx + m d^2))."""
    return float(np.sqrt(M * G * D * np.cos(alpha) / (IXX + M * D**2)))


def exact_period(alpha: float, amplitude: float) -> float:
    """2 pi / (rate agm(1, cos(amplitude / 2))) of thetadd + rate^2 sin(theta) = 0 (Gauss)."""
    a, b = 1.0, float(np.cos(amplitude / 2))
    while abs(a - b) > 1e-15 * a:
        a, b = (a + b) / 2, float(np.sqrt(a * b))
    return 2 * float(np.pi) / (rate(alpha) * a)


def period(s: cd.System, alpha: float, amplitude: float) -> tuple[float, float]:
    """Time between passages of the lowest point in one sense, relative to the exact period."""
    expected = exact_period(alpha, amplitude)
    down = cd.Event(letter(s, "theta"), direction=-1)
    run = s.with_values(alpha=alpha).simulate(
        1.5 * expected, q=[amplitude], v=[0.0], rtol=1e-11, atol=1e-14, events=[down]
    )
    first, second = (event.t for event in run.events)
    return (second - first) / expected, 1.0


def six_balances(q: float, v: float) -> tuple[float, Array, Array, Array]:
    """thetadd, F (three) and M (two, since M . n = 0) from LMB and AMB about O, and r from O to G."""
    n, k, R = HINGE, np.array([0.0, 0.0, G]), about(HINGE, q)
    r, inertia, w = R @ R_REF, R @ I_REF @ R.T, v * HINGE
    left, right = np.zeros((7, 7)), np.zeros(7)
    left[:3, 0], left[:3, 1:4] = M * np.cross(n, r), -np.eye(3)
    right[:3] = -M * k - M * np.cross(w, np.cross(w, r))
    left[3:6, 0], left[3:6, 4:] = M * np.cross(r, np.cross(n, r)) + inertia @ n, -np.eye(3)
    right[3:6] = -M * np.cross(r, k) - M * np.cross(r, np.cross(w, np.cross(w, r))) - np.cross(w, inertia @ w)
    left[6, 4:] = n
    found = np.linalg.solve(left, right)
    return float(found[0]), np.asarray(found[1:4]), np.asarray(found[4:]), np.asarray(r)


def reactions() -> Iterator[Pair]:
    """Cardan's reaction is a force at G with a moment about G: F, and M - r x F."""
    s = any_hinge()
    eq = s.equations()
    for at in states(s, [ANGLE]):
        thetadd, F, moment, r = six_balances(at.q[0], at.v[0])
        here = eq.at(at.q, at.v)
        one = here.reactions["body"]
        yield [*here.acceleration, *one.force, *one.moment], [thetadd, *F, *(moment - np.cross(r, F))]


def picture(run: cd.Run) -> Figure:
    """Swings for three tilts, periods over the tilt, and the force of the hinge."""
    s = system()
    with panels("swings from 1 rad", "period of small swings", "force of the hinge", size=(11.5, 3.6)) as (
        figure,
        axes,
    ):
        for alpha in (0.0, 0.7, 1.4):
            at = smooth(s.with_values(alpha=alpha).simulate(6.0, q=[1.0], v=[0.0]))
            axes[0].plot(at.t, at["theta"], label=rf"$\alpha = {alpha}$")
        axes[0].set(xlabel="time [s]", ylabel=r"$\theta$ [rad]", ylim=(-1.1, 1.6))
        axes[0].legend(fontsize=9, loc="upper center", ncols=3)
        tilts = np.linspace(0, 1.5, 200)
        axes[1].plot(tilts, [2 * np.pi / rate(a) for a in tilts], color=DARK, label=r"$\propto 1/\sqrt{\cos\alpha}$")
        found = [period(s, a, 1e-3)[0] * exact_period(a, 1e-3) for a in (0.0, 0.7, 1.4)]
        axes[1].plot([0, 0.7, 1.4], found, "o", label="simulated")
        axes[1].set(xlabel=r"tilt of the hinge $\alpha$ [rad]", ylabel="period [s]")
        axes[1].legend(fontsize=9)
        at = smooth(run)
        for k, name in enumerate("xyz"):
            axes[2].plot(at.t, at.reactions["body"].force[:, k], label=f"$F_{name}$")
        axes[2].set(xlabel="time [s]", ylabel="force on the body [N]")
        axes[2].legend(fontsize=9)
    return figure


ENTRY = Entry(
    id="R11",
    where="lecture 4/29, single pendulum in two and three dimensions",
    lesson=(
        "A hinge in space leaves one freedom, and its equation is one component of the balance of angular momentum: "
        "the one along the hinge, where the hinge has no moment. Tilting the hinge by alpha weakens gravity to its "
        "component across the hinge, so that the period grows as 1/sqrt(cos(alpha)), and a hinge that stands upright "
        "has no equilibrium to return to: a door. Neither the place of the centre of mass along the hinge nor the "
        "products of inertia change the motion; they appear in the other five balances, as the forces and moments "
        "that the hinge must carry."
    ),
    system=system,
    checks=checks,
    start={"duration": 4.0, "q": [2.5], "v": [0.0]},
    picture=picture,
    caption="Tilting the hinge slows the swing; the hinge carries forces in all directions meanwhile.",
)
