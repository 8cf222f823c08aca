"""H9: a particle on a half-gimbal, between two stops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from sympy import cos, pi, sin

import cardan as cd
from cardan.gallery.comparing import agreement, near, same
from cardan.gallery.entry import Check, Entry, Start, Tolerances
from cardan.gallery.motion import motion
from cardan.gallery.pictures import BLUE, RED, angle_ticks, broken, panels
from cardan.gallery.sampling import ANGLE, letters

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STRICT: Tolerances = {"rtol": 1e-11, "atol": 1e-13}


def system(stops: bool = True) -> cd.System:
    """The gimbal turns at the rate Omega; gravity acts along -E_3; a half-gimbal ends at phi = 0 and phi = pi."""
    s = cd.System("particle on a half-gimbal" if stops else "particle on a driven gimbal")
    phi, theta = s.coordinates("phi theta", on="S1")
    m, R0, g, Omega = s.parameters(m=1.0, R0=1.0, g=9.81, Omega=5.0)
    s.particle("P", mass=m, coordinates=cd.PolarSpherical(R0, phi, theta))
    s.gravity(-g * s.world.z)
    s.prescribe(theta, Omega * s.time)
    if stops:
        s.stop(phi, restitution=1, name="top")
        s.stop(pi - phi, restitution=1, name="bottom")
    return s


def free_half_gimbal(stops: bool = True) -> cd.System:
    """The same gimbal with inertia, free to turn; without stops it is a full one."""
    s = cd.System("half-gimbal with inertia" if stops else "gimbal with inertia")
    nu1, phi = s.coordinates("nu1 phi", on="S1")
    m, M, R0, J3 = s.parameters(m=1.7, M=2.3, R0=0.6, J3=0.4)
    axle = cd.Bar((0, 0, -R0), (0, 0, R0), R0 / 60)
    gimbal = s.body("gimbal", mass=M, inertia=(J3, J3, J3), joint=cd.Revolute("z", nu1), shape=axle)
    along = [k * pi / 24 for k in range(25)]
    rim = [(R0 * sin(one) * cos(nu1), R0 * sin(one) * sin(nu1), R0 * cos(one)) for one in along]
    s.draw("wire", *rim, name="half-gimbal", radius=R0 / 90)
    s.draw("point", (R0 * sin(phi) * cos(nu1), R0 * sin(phi) * sin(nu1), R0 * cos(phi)), name="bead", radius=R0 / 16)
    s.particle("P", mass=m, frame=gimbal, position=gimbal.vector(R0 * sin(phi), 0, R0 * cos(phi)))
    if stops:
        s.stop(phi, restitution=1, name="top")
        s.stop(pi - phi, restitution=1, name="bottom")
    return s


def checks(s: cd.System) -> Iterator[Check]:
    phi, m, R0, g, Omega = letters(s, "phi m R0 g Omega")
    acceleration = (Omega**2 * cos(phi) + g / R0) * sin(phi)  # (73)
    mass = m * R0**2
    driven = -mass * Omega**2 * cos(phi) * sin(phi)
    yield from motion(
        s, "(73)", M=[[mass]], f=[driven], g=[-mass * acceleration - driven], ranges=[(0.1, 3.0)]
    )  # fmt: skip
    yield from stopped(s)
    free = free_half_gimbal()
    nu, angle, m, R0, J3 = letters(free, "nu1 phi m R0 J3")
    sc = R0**2 * sin(angle) * cos(angle)
    f = [2 * m * nu.dot * angle.dot * sc, -m * nu.dot**2 * sc]
    M = sp.diag(m * R0**2 * sin(angle) ** 2 + J3, m * R0**2)
    yield from motion(free, "(72) with phi", M=M, f=f, ranges=[ANGLE, (0.1, 3.0)])
    yield from struck(free)
    yield from glued(free)
    yield same("manifold of the free half-gimbal", "after (72)", str(free.manifold()), "I x S^1")
    yield same("manifold at a given rate", "Fig. 6(b)", str(s.manifold()), "I")
    yield same("manifold without stops", "Fig. 6(a)", str(system(stops=False).manifold()), "S^1")


def stopped(s: cd.System) -> Iterator[Check]:
    """(74), the integral of (73), and the folding of the full gimbal's motion."""
    times = np.linspace(0.0, 3.0, 61)
    start: Start = {"q": {"phi": 1.0}, "v": {"phi": 9.0}}
    half, full = (one.simulate(3.0, **start, **STRICT, times=times) for one in (s, system(stops=False)))
    hits = [event for event in half.events if event.kind == "impact"]
    yield same("both stops are reached", "(74)", {hit.name for hit in hits}, {"top", "bottom"})
    jumps = [(hit.v + hit.facts["velocity_jump"], -hit.v) for hit in hits]
    yield agreement("rate after an impact", "(74)", jumps)
    phi, rate = half["phi"], half["phi_dot"]
    integral = rate**2 / 2 - 5.0**2 * np.sin(phi) ** 2 / 2 + 9.81 * np.cos(phi)
    yield near(
        "first integral of the motion, impacts included", "(73), (74)", integral, np.full_like(integral, integral[0]),
        within=1e-9, because="100 times the tolerance of the run",
    )  # fmt: skip
    yield near(
        "the portrait is that of the full gimbal, folded", "Fig. 6", phi, np.arccos(np.cos(full["phi"])), within=1e-7,
        because="the arc cosine near its ends: the square root of 1e-14",
    )  # fmt: skip


def struck(free: cd.System) -> Iterator[Check]:
    """The impulses at the ends of a half-gimbal that turns freely: along e_phi, m R0 (phid+ - phid-) = -2 m R0 phid-.

    Nothing else can push the bead there, and the bearing of the gimbal passes it on, with its moment about O.
    """
    run = free.simulate(4.0, q=[0.3, 1.0], v=[1.1, 2.3], rtol=1e-11, atol=1e-13)
    hits = [event for event in run.events if event.kind == "impact"]
    yield same("both ends are reached", "after (72)", {hit.name for hit in hits}, {"top", "bottom"})
    rates, on_bead, on_gimbal = [], [], []
    for hit, found in zip(hits, run.impulses, strict=True):
        nu, phi = hit.q
        e_r, E_3 = np.array([np.cos(nu), np.sin(nu), 0.0]), np.array([0.0, 0.0, 1.0])
        e_phi, e_R = np.cos(phi) * e_r - np.sin(phi) * E_3, np.cos(phi) * E_3 + np.sin(phi) * e_r
        push = 1.7 * 0.6 * (-2.0 * hit.v[1]) * e_phi
        rates.append((hit.v + hit.facts["velocity_jump"], [hit.v[0], -hit.v[1]]))
        on_bead.append((found.bodies["P"].force, push))
        bearing = found.bearings["gimbal"]
        on_gimbal.append((np.concatenate([bearing.force, bearing.moment]), [*push, *np.cross(0.6 * e_R, push)]))
    why = "10 times the tolerance of the run"
    yield agreement("rates after an impact", "(74)", rates, within=1e-10, because=why)
    yield agreement("impulse on the bead", "(57) for the rim", on_bead, within=1e-10, because=why)
    yield agreement("impulse through the bearing of the gimbal", "(57), (91)", on_gimbal, within=1e-10, because=why)


def glued(free: cd.System) -> Iterator[Check]:
    """With its two rims glued, I x S^1 is T^2: extend phi to phi_e, and the impulses of the stops are gone.

    Where sin(phi_e) < 0 the bead of the full gimbal is on its other half; folded there, the motion of the angle is
    arccos(cos(phi_e)), and that of the gimbal is nu1 as it is.
    """
    full, times = free_half_gimbal(stops=False), np.linspace(0.0, 4.0, 41)
    start: Start = {"q": [0.3, 1.0], "v": [1.1, 2.3]}
    half, whole = (one.simulate(4.0, **start, **STRICT, times=times) for one in (free, full))
    yield same("manifold of the gimbal", "after (72)", str(full.manifold()), "T^2")
    yield same("impulses without stops", "after (72)", [event.kind for event in whole.events], [])
    folded = np.column_stack([whole["nu1"], np.arccos(np.cos(whole["phi"]))])
    yield near(
        "the half-gimbal moves as the full one, folded at its rims", "after (72)", half.q, folded, within=1e-7,
        because="the arc cosine near its ends: the square root of 1e-14",
    )  # fmt: skip


def picture(run: cd.Run) -> Figure:
    """Both panels of Fig. 6: motions of the full gimbal round the circle, and of the half-gimbal between its stops."""
    middle = float(np.arccos(-9.81 / 5.0**2))  # where (73) has a centre
    titles = ("full gimbal, on a cylinder", "half-gimbal, on a strip")
    with panels(*titles, ratios=(1.9, 1), size=(8.6, 3.9)) as (figure, (cylinder, strip)):
        for axes, s in ((cylinder, system(stops=False)), (strip, run.system)):
            for level in (-13.8, -12.3, -10.6, -6.0, 0.0, 6.0, 14.0, 22.0):
                draw(axes, s, middle, level, color=BLUE, lw=1.0)
            for level in (-9.81, 9.81):  # through the equilibria at pi and at 0
                draw(axes, s, middle, level, color=RED, lw=1.0)
        for axes, rests in ((cylinder, (0, np.pi, middle, 2 * np.pi - middle, 2 * np.pi)), (strip, (0, np.pi, middle))):
            axes.plot(rests, np.zeros(len(rests)), "o", color=RED, ms=4, clip_on=False)
            axes.set_ylim(-10, 10)
        angle_ticks(cylinder, 2, r"$\phi_e$ [rad]", r"$\dot\phi_e$ [rad/s]")
        angle_ticks(strip, 1, r"$\phi$ [rad]", r"$\dot\phi$ [rad/s]")
    return figure


def draw(axes: Axes, s: cd.System, middle: float, level: float, **style: object) -> None:
    """Motions with one value of the first integral, from both centres and in both directions."""
    lowest = -(5.0**2) * np.sin(middle) ** 2 / 2 + 9.81 * np.cos(middle)
    rate, times = float(np.sqrt(2 * (level - lowest))), np.linspace(0, 3.0, 1500)
    for angle in (middle, 2 * np.pi - middle)[: 1 if s.model.stops else 2]:
        for sign in (1, -1):
            one = s.simulate(3.0, q=[angle], v=[sign * rate], times=times)
            phi, rates = broken(np.mod(one["phi"], 2 * np.pi), one["phi_dot"], 1.0)
            axes.plot(phi, rates, **style)
            axes.plot(phi, -rates, **style)  # the same motion backwards in time solves (73) too


ENTRY = Entry(
    id="H9",
    where="section 5.3, equations (72) to (74) and Fig. 6",
    lesson=(
        "Half of a hoop has two ends, and the bead strikes them. The equations are those of the full hoop; what "
        "changes is the manifold, now a circle times an interval, a cylinder with two rims. For a hoop that turns at "
        "a given rate the phase portrait shows it at a glance: on the full hoop the fast motions run round and round, "
        "on the half-hoop the same curves are reflected at the two stops, up and down exchanged by each impact. Glue "
        "the two rims together and the impulses disappear with them."
    ),
    system=system,
    checks=checks,
    start={"duration": 2.6, "q": {"phi": 1.0}, "v": {"phi": 9.0}},
    picture=picture,
    sketched=True,
    caption="Fig. 6 of the text, for 5 rad/s and g/R0 = 9.81 /s^2. Red: equilibria, and motions that tend to them.",
)
