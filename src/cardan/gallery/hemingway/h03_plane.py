"""H3: a particle on a plane that is turned about a line in it."""

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
from cardan.gallery.sampling import Array, column, letters

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RANGES = [(-2.0, 2.0), (-2.0, 2.0)]


def system() -> cd.System:
    """r_e takes either sign: one number for the whole line."""
    s = cd.System("particle on a rotating plane")
    r_e, theta, z = s.coordinates("r_e theta z")
    m, W, b = s.parameters(m=1.7, W=0.9, b=0.0)
    P = s.particle("P", mass=m, coordinates=cd.PolarCylindrical(r_e, theta, z))
    s.force("F_r", on=P, along=P.e_r)
    s.force("F_theta", on=P, along=P.e_theta)
    s.force("F_z", on=P, along=P.e_z)
    s.prescribe(theta, W * s.time + b * s.time**2)
    return s


def checks(s: cd.System) -> Iterator[Check]:
    r_e, z, m, W, b, F_r, F_theta, F_z = letters(s, "r_e z m W b F_r F_theta F_z")
    f = W * s.time + b * s.time**2
    fd, fdd = sp.diff(f, s.time), sp.diff(f, s.time, 2)
    eq = s.equations()
    split = [m * (r_e.dot**2 + z.dot**2) / 2, 0, m * fd**2 * r_e**2 / 2]
    yield identity("T2, T1, T0", "(29)", eq.kinetic_energy_split, split)
    basis = sp.Matrix.hstack(column(cos(f), sin(f), 0), column(0, 0, 1))
    yield identity("covariant basis", "(28)", eq.covariant_basis, basis)
    f_terms = m * column(fd**2 * (-r_e), 0)
    yield from motion(s, "(33) corrected", M=m * sp.eye(2), f=f_terms, Q=[F_r, F_z], ranges=RANGES)
    mu = m * r_e**2 * fdd + 2 * m * r_e * r_e.dot * fd - F_theta * r_e
    yield identity("multiplier of theta = f(t)", "(34)", eq.multipliers["theta"], mu)
    yield same("nothing is singular at r_e = 0", "after (34)", s.diagnose([0.0, 0.3]).kinds, set())
    never = [(one.kind, one.text) for one in s.singular_set(load="F_theta")]
    yield same("a force along e_theta never acts", "(30)", never, [("carried-by-constraints", "everywhere")])
    yield same("configuration manifold", "after (32)", str(s.manifold()), "E^2")
    run = s.simulate(3.0, q=[-1.0, 0.0], v=[1.2, 0.1], rtol=1e-11, atol=1e-13)
    closed = -np.cosh(0.9 * run.t) + 1.2 / 0.9 * np.sinh(0.9 * run.t)
    yield near(
        "motion from r_e = -1 to beyond the axis", "(33)", run["r_e"], closed, within=1e-9,
        because="with f = W t (33) has cosh and sinh as solutions; 100 times the tolerance of the run",
    )  # fmt: skip
    yield from half_plane(s)
    yield same("no impulse at r_e = 0", "after (34)", [event.kind for event in run.events], [])


def half_plane(s: cd.System) -> Iterator[Check]:
    """(31) of the half-plane, integrated by SciPy without its impulse from r = 0.8 inwards: r becomes r_e of (33)."""
    from scipy.integrate import solve_ivp

    def printed(t: float, y: Array) -> list[float]:
        r, _, rd, zd = y
        return [rd, zd, (0.9 + 2 * 0.2 * t) ** 2 * r, 0.0]  # m rdd - m r fd^2 = 0, f = W t + b t^2

    times = np.linspace(0.0, 2.0, 21)
    without = solve_ivp(printed, (0.0, 2.0), [0.8, 0.1, -1.6, 0.3], "DOP853", times, rtol=1e-11, atol=1e-13).y
    run = s.with_values(b=0.2).simulate(2.0, q=[0.8, 0.1], v=[-1.6, 0.3], times=times, rtol=1e-11, atol=1e-13)
    yield near(
        "(31) without its impulse is (33)", "after (34)", run.q.T, without[:2], within=1e-9,
        because="two runs at a relative tolerance of 1e-11 that grow by a factor of 10",
    )  # fmt: skip
    yield same("and passes the axis", "after (34)", bool(np.min(without[0]) < 0 < np.max(without[0])), True)


def picture(run: cd.Run) -> Figure:
    """The path through the axis, and r_e through zero."""
    along = smooth(run)
    with panels("path seen from above", "extended distance") as (figure, (path, radius)):
        from_above(path, along)
        path.plot([0], [0], "o", color=RED, label="axis, passed without impulse")
        path.set_ylim(-0.65, 1.3)
        path.legend(loc="lower left")
        radius.axhline(0, color=RED, lw=0.9)
        radius.plot(along.t, along["r_e"])
        radius.set(xlabel="time [s]", ylabel="$r_e$ [m]")
    return figure


ENTRY = Entry(
    id="H3",
    where="section 4.2, equations (33) and (34)",
    lesson=(
        "Let the half-plane of H2 be a whole plane and its edge is an ordinary line in it. The distance from that line "
        "then needs a sign, so r is extended to r_e, which may be negative. Equations and constraint force are those "
        "of the half-plane, letter by letter; only the manifold has changed, from a half-plane with a boundary to a "
        "plane without one, and with it the impulse has gone. Whoever integrates the equations of the half-plane and "
        "forgets the impulse has solved this problem instead. A force across the plane is carried by its drive at "
        "every place, which is no lock: lock is a loss at special places of a load that works elsewhere."
    ),
    system=system,
    checks=checks,
    start={"duration": 2.6, "q": {"r_e": -1.0, "z": 0.0}, "v": {"r_e": 1.2, "z": 0.1}},
    picture=picture,
    caption="Through the axis and out on the other side: r_e changes sign, the particle notices nothing.",
    erratum="(33) has lost a dot: the acceleration of r_e, times m, minus m r_e fd^2 is Phi_a . e_r.",
)
