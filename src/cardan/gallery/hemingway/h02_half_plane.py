"""H2: a particle on a half-plane that is turned about its edge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from sympy import Rational, cos, sin

import cardan as cd
from cardan.gallery.comparing import Pair, agreement, identity, near, same
from cardan.gallery.entry import Check, Entry
from cardan.gallery.motion import motion
from cardan.gallery.pictures import BLUE, PALE, RED, from_above, panels, smooth
from cardan.gallery.sampling import column, dot, letters, numbers, particle_of, states

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RANGES = [(0.2, 3.0), (-2.0, 2.0)]


def system() -> cd.System:
    """Cylindrical polar coordinates with theta = f(t), and an edge at r = 0 that the particle cannot pass."""
    s = cd.System("particle on a rotating half-plane")
    r, z, theta = s.coordinates("r z theta")
    m, a, b = s.parameters(m=1.7, a=1.0, b=0.3)
    s.particle("P", mass=m, coordinates=cd.PolarCylindrical(r, theta, z))
    s.prescribe(theta, a * s.time + b * s.time**2)
    s.stop(r, restitution=Rational(3, 5), name="edge")
    return s


def checks(s: cd.System) -> Iterator[Check]:
    s.force("F", on=particle_of(s, "P"))  # Phi_a of the text
    r, z, m, a, b = letters(s, "r z m a b")
    F, t = column(*letters(s, "F_x F_y F_z")), s.time
    f = a * t + b * t**2
    fd, fdd = sp.diff(f, t), sp.diff(f, t, 2)
    e_r, e_theta = column(cos(f), sin(f), 0), column(-sin(f), cos(f), 0)
    eq = s.equations()
    T2, T0 = m * (r.dot**2 + z.dot**2) / 2, m * fd**2 * r**2 / 2
    yield identity("T2, T1, T0", "(29)", eq.kinetic_energy_split, [T2, 0, T0])
    yield identity("covariant basis", "(28)", eq.covariant_basis, sp.Matrix.hstack(e_r, column(0, 0, 1)))
    M, Q = m * sp.eye(2), [dot(F, e_r), F[2]]
    yield from motion(s, "(31) corrected", M=M, f=[-m * r * fd**2, 0], Q=Q, ranges=RANGES)

    force = m * r * fdd + 2 * m * r.dot * fd - dot(F, e_theta)
    yield identity("multiplier of theta = f(t)", "(24), (32)", eq.multipliers["theta"], r * force)
    printed = numbers(s, force * e_theta)

    def pairs(where: Mapping[int, float] | None) -> Iterator[Pair]:
        for at in states(s, RANGES, held=where):
            yield eq.at(at.q, at.v, at.t, loads=at.signals).reactions["P"].force, printed(at)

    yield agreement("constraint force", "(32)", pairs(None))
    yield agreement("constraint force at r = 0, finite", "(32)", pairs({0: 0.0}))
    yield same("rank of the basis at r = 0", "(28)", int(np.linalg.matrix_rank(eq.at([0.0, 1.0]).basis)), 2)
    yield same("configuration manifold", "after (26)", str(s.manifold()), "H^2")
    yield from impact(s)


def impact(s: cd.System) -> Iterator[Check]:
    """The impulse at the edge is the jump of m v, (26), with v of (27)."""
    run = s.simulate(0.6, q={"r": 0.2}, v={"r": -1.5, "z": 0.3}, rtol=1e-11, atol=1e-13)
    hits = [event for event in run.events if event.kind == "impact"]
    yield same("impacts on the edge", "(25)", len(hits), 1)
    hit = hits[0]
    f, fd = hit.t + 0.3 * hit.t**2, 1 + 0.6 * hit.t
    e_r, e_theta = np.array([np.cos(f), np.sin(f), 0]), np.array([-np.sin(f), np.cos(f), 0])
    before, after = (
        v[0] * e_r + hit.q[0] * fd * e_theta + np.array([0, 0, v[1]])
        for v in (hit.v, hit.v + hit.facts["velocity_jump"])
    )
    yield near("impulse at the edge", "(26)", hit.facts["impulse"]["edge"] * e_r, 1.7 * (after - before))
    push = 1.7 * (1 + 0.6) * -hit.v[0] * e_r  # m (v+ - v-) where v+ . e_r = -e v- . e_r and r = 0
    yield near("the same as a vector", "(26)", run.impulses[0].bodies["P"].force, push)
    yield near("speed after the impact", "(25)", hit.v[0] + hit.facts["velocity_jump"][0], -0.6 * hit.v[0])


def picture(run: cd.Run) -> Figure:
    """The path from above with the half-plane at a few times, and r with its impacts."""
    along = smooth(run)
    with panels("path seen from above", "distance from the edge") as (figure, (path, radius)):
        size = float(np.max(along["r"])) * 1.1
        for angle in np.linspace(0.0, float(along["theta"][-1]), 9):
            path.plot([0, size * np.cos(angle)], [0, size * np.sin(angle)], color=PALE, lw=0.9)
        from_above(path, along, color=BLUE)
        path.plot([0], [0], "o", color=RED, label="edge")
        path.legend(loc="best")
        radius.plot(along.t, along["r"])
        hits = [event.t for event in run.events if event.kind == "impact"]
        radius.plot(hits, np.zeros(len(hits)), "o", color=RED, label="impulse")
        radius.set(xlabel="time [s]", ylabel="r [m]")
        radius.legend()
    return figure


ENTRY = Entry(
    id="H2",
    where="section 4.2, equations (23) to (32)",
    lesson=(
        "Prescribe the angle of the polar coordinates and their singularity is gone: the two directions that are left, "
        "e_r and E_3, are independent everywhere, the mass matrix is that of a plane, and the force that turns the "
        "half-plane stays finite at its edge although its multiplier is divided by r there. What is new is the edge "
        "itself. On a half-plane the distance r cannot become negative, so a particle that arrives at r = 0 is struck "
        "by an impulse, the jump of its momentum. The same inequality cost nothing in H1, where the angle was free to "
        "jump by half a turn: an inequality is a boundary only where the constraint leaves nowhere else to go."
    ),
    system=system,
    checks=checks,
    start={"duration": 1.5, "q": {"r": 0.5, "z": 0.0}, "v": {"r": -2.0, "z": 0.3}},
    picture=picture,
    caption="The particle slides to the edge of the turning half-plane, is thrown back, and is carried outwards.",
    erratum="(31) has lost a factor: m rdd - m r fd^2 = Phi_a . e_r. After (26), v+ is the velocity after the impact.",
)
