"""H7: a particle on a half-line that is turned about the origin, and on a whole line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from sympy import cos, sin

import cardan as cd
from cardan.gallery.comparing import Pair, agreement, identity, near, same
from cardan.gallery.entry import Check, Entry, Start, Tolerances
from cardan.gallery.motion import motion
from cardan.gallery.pictures import BLUE, RED, panels, smooth
from cardan.gallery.sampling import column, letters, numbers, states

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STRICT: Tolerances = {"rtol": 1e-11, "atol": 1e-13}

RANGES = [(0.1, 2.0)]


def system(half: bool = True) -> cd.System:
    """theta = f1(t) and phi = f2(t) turn the line; on a half-line R >= 0 is a stop, on a line R has either sign."""
    s = cd.System("particle on a rotating half-line" if half else "particle on a rotating line")
    R, theta, phi = s.coordinates("R theta phi")
    m, a, b = s.parameters(m=0.7, a=2.0, b=0.5)
    P = s.particle("P", mass=m, coordinates=cd.PolarSpherical(R, phi, theta))
    s.force("F_R", on=P, along=P.e_R)
    s.force("F_theta", on=P, along=P.e_theta)
    s.force("F_phi", on=P, along=P.e_phi)
    s.prescribe(theta, sin(a * s.time))
    s.prescribe(phi, 1 + b * s.time**2)
    if half:
        s.stop(R, restitution=1, name="origin")
    return s


def checks(s: cd.System) -> Iterator[Check]:
    R, m, a, b, F_R, F_theta, F_phi = letters(s, "R m a b F_R F_theta F_phi")
    t = s.time
    f1, f2 = sin(a * t), 1 + b * t**2
    f1d, f1dd, f2d, f2dd = sp.diff(f1, t), sp.diff(f1, t, 2), sp.diff(f2, t), sp.diff(f2, t, 2)
    eq = s.equations()
    T0 = m * (f1d**2 * R**2 * sin(f2) ** 2 + f2d**2 * R**2) / 2
    yield identity("T2, T1, T0", "(58)", eq.kinetic_energy_split, [m * R.dot**2 / 2, 0, T0])
    f = [-m * R * (f2d**2 + f1d**2 * sin(f2) ** 2)]
    yield from motion(s, "(59)", M=[[m]], f=f, Q=[F_R], ranges=RANGES)
    along_theta = m * R * f1dd * sin(f2) + 2 * m * f1d * (R.dot * sin(f2) + R * f2d * cos(f2)) - F_theta
    along_phi = m * R * f2dd + 2 * m * R.dot * f2d - m * R * sin(f2) * cos(f2) * f1d**2 - F_phi
    mu = [eq.multipliers["theta"], eq.multipliers["phi"]]
    yield identity("multipliers", "(55), (60)", mu, [R * sin(f2) * along_theta, R * along_phi])
    e_r, e_theta = column(cos(f1), sin(f1), 0), column(-sin(f1), cos(f1), 0)
    force = numbers(s, along_theta * e_theta + along_phi * (cos(f2) * e_r - column(0, 0, sin(f2))))

    def pairs(where: Mapping[int, float] | None) -> Iterator[Pair]:
        for at in states(s, RANGES, held=where):
            yield eq.at(at.q, at.v, at.t, loads=at.signals).reactions["P"].force, force(at)

    yield agreement("constraint force", "(60) corrected", pairs(None))
    yield agreement("constraint force at R = 0, finite", "(60) corrected", pairs({0: 0.0}))
    yield same("manifold of the half-line", "after (54)", str(s.manifold()), "H^1")
    yield same("manifold of the line", "after (60)", str(system(half=False).manifold()), "E^1")
    yield from impact(s)


def impact(s: cd.System) -> Iterator[Check]:
    """An elastic end folds the motion of the line; the impulse is the jump of m v, along e_R."""
    start: Start = {"q": {"R": 0.5}, "v": {"R": -2.0}}
    times = np.linspace(0, 0.8, 17)
    folded, full = (one.simulate(0.8, **start, **STRICT, times=times) for one in (s, system(half=False)))
    yield near(
        "R is the modulus of the extended R_e", "(57), (59)", folded["R"], np.abs(full["R"]), within=1e-10,
        because="two runs at a relative tolerance of 1e-11",
    )  # fmt: skip
    yield same("impulses on the line", "after (60)", [event.kind for event in full.events], [])
    hits = [event for event in folded.events if event.kind == "impact"]
    yield same("impulses on the half-line", "(56)", len(hits), 1)
    impulse = hits[0].facts["impulse"]
    yield near("impulse along e_R", "(57)", impulse["origin"], -2 * 0.7 * hits[0].v[0])
    f1, f2 = np.sin(2.0 * hits[0].t), 1 + 0.5 * hits[0].t ** 2
    e_R = np.array([np.sin(f2) * np.cos(f1), np.sin(f2) * np.sin(f1), np.cos(f2)])
    push = -2 * 0.7 * hits[0].v[0] * e_R
    yield near("impulse as a vector", "(57)", folded.impulses[0].bodies["P"].force, push)
    yield near("the drives have no arm at R = 0", "(57)", [impulse["theta"], impulse["phi"]], [0.0, 0.0])


def picture(run: cd.Run) -> Figure:
    """The distance on the half-line over that on the line."""
    full = system(half=False).simulate(run.t[-1], q=run.q[0], v=run.v[0])
    along, beyond = smooth(run), smooth(full)
    with panels("path in space", "distance from the origin", spatial=(0,)) as (figure, (space, radius)):
        space.plot(*along.position("P").T, color=BLUE)
        space.plot([0], [0], [0], "o", color=RED)
        space.set(xlabel="x [m]", ylabel="y [m]", zlabel="z [m]")
        radius.plot(beyond.t, beyond["R"], ls="--", label="line: $R_e$")
        radius.plot(along.t, along["R"], label="half-line: $R$")
        radius.set(xlabel="time [s]", ylabel="distance [m]")
        radius.legend(loc="best")
    return figure


ENTRY = Entry(
    id="H7",
    where="section 5.2, equations (52) to (60)",
    lesson=(
        "Prescribing both angles of the spherical coordinates leaves one number, the distance R, and one basis vector, "
        "e_R, which is never anything but a unit vector. So the singularities of H6 are gone, on the axis as well as "
        "at the origin, and the force of the two drives is finite where its multipliers are divided by zero. On a "
        "half-line the origin is a boundary and costs an impulse; on a whole line R takes either sign and the particle "
        "slides through. With an elastic end the one motion is the other, folded at zero."
    ),
    system=system,
    checks=checks,
    start={"duration": 1.2, "q": {"R": 0.5}, "v": {"R": -2.0}},
    picture=picture,
    caption="Half-line against line: the elastic impulse at the origin folds the one motion into the other.",
    erratum="(58) to (60) have lost dots; (60) is checked as m R f1dd sin f2 + 2 m f1d (Rd sin f2 + R f2d cos f2) "
    "- F . e_theta and m R f2dd + 2 m Rd f2d - m R sin f2 cos f2 f1d^2 - F . e_phi.",
)
