"""H5: a particle on a half-plate with inertia."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from sympy import cos, sin

import cardan as cd
from cardan.gallery.comparing import identity, near, same
from cardan.gallery.entry import Check, Entry
from cardan.gallery.motion import motion
from cardan.gallery.pictures import RED, from_above, panels, smooth
from cardan.gallery.sampling import ANGLE, column, dot, letters, particle_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RANGES = [(0.1, 2.0), ANGLE, (-2.0, 2.0)]


def system() -> cd.System:
    """The plate has its centre of mass beside the hinge, and an edge at r = 0 that the particle cannot pass."""
    s = cd.System("particle on a half-plate")
    r, nu1, z = s.coordinates("r"), s.coordinates("nu1", on="S1"), s.coordinates("z")
    m, M, c, J3 = s.parameters(m=0.7, M=2.0, c=0.4, J3=0.2)
    shape = cd.Box(1.4, 0.02, 1.0, at=(0.7, 0, 0))
    plate = s.body("plate", mass=M, inertia=(J3, J3, J3), com=(c, 0, 0), joint=cd.Revolute("z", nu1), shape=shape)
    s.particle("P", mass=m, frame=plate, position=plate.vector(r, 0, z))
    s.stop(r, restitution=1, name="edge")
    return s


def checks(s: cd.System) -> Iterator[Check]:
    s.force("F", on=particle_of(s, "P"))
    r, nu, z, m, M, c, J3 = letters(s, "r nu1 z m M c J3")
    F = column(*letters(s, "F_x F_y F_z"))
    eq = s.equations()
    Mk2 = J3 + M * c**2  # about O, which is no longer the centre of mass
    T = m * (r.dot**2 + z.dot**2 + nu.dot**2 * r**2) / 2 + Mk2 * nu.dot**2 / 2
    yield identity("kinetic energy", "(46)", eq.kinetic_energy, T)
    f = m * column(nu.dot**2 * (-r), 2 * r.dot * nu.dot * r, 0)
    e_r, e_theta = column(cos(nu), sin(nu), 0), column(-sin(nu), cos(nu), 0)
    Q = [dot(F, e_r), dot(F, r * e_theta), F[2]]
    yield from motion(s, "(47)", M=sp.diag(m, m * r**2 + Mk2, m), f=f, Q=Q, ranges=RANGES)
    yield same("configuration manifold", "after (47)", str(s.manifold()), "H^2 x S^1")
    yield same("diagnosis at the edge", "after (47)", "boundary" in s.diagnose([0.0, 0.3, 0.1]).kinds, True)
    yield from impact(s)


def impact(s: cd.System) -> Iterator[Check]:
    """At r = 0 the impulse has no arm: only rd changes, and the angular momentum about the hinge is kept."""
    run = s.simulate(1.0, q={"r": 0.3, "z": 0.1}, v={"r": -1.0, "nu1": 0.8, "z": 0.2}, rtol=1e-11, atol=1e-13)
    hits = [event for event in run.events if event.kind == "impact"]
    yield same("impacts on the edge", "after (47)", len(hits), 1)
    hit = hits[0]
    jump = hit.facts["velocity_jump"]
    yield near("only r changes its rate", "(26)", jump, [-2 * hit.v[0], 0.0, 0.0])
    yield near("impulse", "(26)", hit.facts["impulse"]["edge"], -2 * 0.7 * hit.v[0])
    e_r = np.array([np.cos(hit.q[1]), np.sin(hit.q[1]), 0.0])
    found, push = run.impulses[0], -2 * 0.7 * hit.v[0] * e_r
    yield near("impulse on the particle", "(26)", found.bodies["P"].force, push)
    bearing = [*found.bearings["plate"].force, *found.bearings["plate"].moment]
    expected = [*push, *np.cross([0.0, 0.0, hit.q[2]], push)]
    yield near("impulse through the hinge, with its moment about O", "(26)", bearing, expected)
    H = (0.2 + 2.0 * 0.4**2 + 0.7 * run["r"] ** 2) * run["nu1_dot"]
    yield near(
        "angular momentum about the hinge", "(47)", H, np.full_like(H, H[0]), within=1e-9,
        because="100 times the tolerance of the run",
    )  # fmt: skip


def picture(run: cd.Run) -> Figure:
    """The path from above, and the rates of r and of the plate."""
    along = smooth(run, 3000)
    with panels("path seen from above", "rates") as (figure, (path, rates)):
        from_above(path, along)
        path.plot([0], [0], "o", color=RED, label="edge")
        path.set(xlim=(-0.5, 0.9), ylim=(-0.15, 1.25))
        path.legend(loc="upper left")
        rates.plot(along.t, along["r_dot"], label=r"$\dot r$ [m/s]")
        rates.plot(along.t, along["nu1_dot"], label=r"$\dot\nu^1$ [rad/s]")
        for event in run.events:
            rates.axvline(event.t, color=RED, lw=0.9, ls=":")
        rates.set(xlabel="time [s]", ylabel="rate (units in the legend)")
        rates.legend(loc="best")
    return figure


ENTRY = Entry(
    id="H5",
    where="section 4.3, after equation (47)",
    lesson=(
        "Cut the plate of H4 along its hinge and keep one half. The equations stay as they are, with the moment of "
        "inertia now taken about the hinge, because the centre of mass no longer lies on it. The distance r is back to "
        "positive numbers, and since the plate gives r = 0 a direction, that end is a true boundary: the particle "
        "strikes it and an impulse turns it back. The impulse has no arm about the hinge, so the plate goes on "
        "turning as if nothing had happened, and the manifold is a half-plane times a circle."
    ),
    system=system,
    checks=checks,
    start={"duration": 1.4, "q": {"r": 0.5, "nu1": 0.0, "z": 0.0}, "v": {"r": -1.2, "nu1": 0.9, "z": 0.2}},
    picture=picture,
    sketched=True,
    caption="At the dotted line the particle strikes the edge: its own rate jumps, that of the plate does not.",
    erratum="The coordinates of the half-plate are r, nu1, z.",
)
