"""H1: a free particle in cylindrical polar coordinates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from sympy import cos, sin

import cardan as cd
from cardan.codegen.compiled import Kernel
from cardan.errors import SingularMassMatrix
from cardan.gallery.comparing import Pair, agreement, identity, near, refused, same
from cardan.gallery.entry import Check, Entry
from cardan.gallery.motion import motion
from cardan.gallery.pictures import RED, circle, from_above, panels, smooth
from cardan.gallery.sampling import ANGLE, Array, State, column, letters

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RANGES = [(0.2, 3.0), ANGLE, (-2.0, 2.0)]


def system(loaded: bool = True) -> cd.System:
    """The particle with a force along each vector of its basis, or alone."""
    s = cd.System("free particle in cylindrical polar coordinates")
    r, theta, z = s.coordinates("r", on="R+"), s.coordinates("theta", on="S1"), s.coordinates("z")
    m = s.parameters(m=1.7)
    P = s.particle("P", mass=m, coordinates=cd.PolarCylindrical(r, theta, z))
    if loaded:
        s.force("F_r", on=P, along=P.e_r)
        s.force("F_theta", on=P, along=P.e_theta)
        s.force("F_z", on=P, along=P.e_z)
    return s


def checks(s: cd.System) -> Iterator[Check]:
    r, theta, z, m, F_r, F_theta, F_z = letters(s, "r theta z m F_r F_theta F_z")
    eq = s.equations()
    e_r, E_3 = column(cos(theta), sin(theta), 0), column(0, 0, 1)
    e_theta = E_3.cross(e_r)
    yield identity("covariant basis", "(20)", eq.covariant_basis, sp.Matrix.hstack(e_r, r * e_theta, E_3))
    T = m * (r.dot**2 + theta.dot**2 * r**2 + z.dot**2) / 2
    yield identity("kinetic energy", "(21)", eq.kinetic_energy, T)
    M = m * sp.diag(1, r**2, 1)
    f = m * column(theta.dot**2 * (-r), 2 * r.dot * theta.dot * r, 0)
    yield from motion(s, "(22)", M=M, f=f, Q=[F_r, r * F_theta, F_z], ranges=RANGES)
    axis, v = [0.0, 0.4, 1.0], [1.0, 2.0, 3.0]
    yield same("rank of the basis at r = 0", "(20)", int(np.linalg.matrix_rank(eq.at(axis, v).basis)), 2)
    yield same("rank of the basis at r = 1", "(20)", int(np.linalg.matrix_rank(eq.at([1.0, 0.4, 1.0], v).basis)), 3)
    push = {"F_theta": 1.0}
    yield refused(
        "no acceleration at r = 0", "(22)", lambda: eq.at(axis, v, loads=push).acceleration, SingularMassMatrix
    )
    yield same(
        "an e_theta force at r = 0 is no gimbal lock", "after (22)", s.diagnose(axis, loads=push).kinds,
        {"coordinate-singularity"},
    )  # fmt: skip
    yield same("configuration manifold", "section 4.1", str(s.manifold()), "E^3")
    yield from stiff(s)
    yield near(
        "straight motion past the axis", "(19)", *straight(s), within=1e-8, because="100 times the tolerance of the run"
    )


def stiff(s: cd.System) -> Iterator[Check]:
    """What stiff and ill-posed mean (section 3), measured on straight lines that miss the axis by d at the speed v.

    At r = d the equations (22), linearised in r, rd and thetad, have the eigenvalues +-i sqrt(3) v/d and 0. Along
    the line thetadd = -2 v^2 d x / (x^2 + d^2)^2 reaches (3 sqrt(3) / 8) v^2 / d^2 at x = d / sqrt(3). The particle
    itself has no acceleration at all: where no load needs the polar basis, Cardan integrates in Cartesian coordinates
    and takes the same steps however near the axis is, also through it.
    """
    k, v, alone = s.compile(), 1.3, system(loaded=False)
    rates, peaks, smallest, steps, ends = [], [], [], [], []
    for d in (1e-1, 1e-2, 1e-3):
        here = State(np.array([d, 0.0, 0.0]), np.array([0.0, v / d, 0.0]))
        rates.append((stiffness(k, here) * d / v, np.sqrt(3.0)))
        r, x = 2 * d / np.sqrt(3.0), -d / np.sqrt(3.0)
        inward = k.acceleration([r, 0.0, 0.0], [v * x / r, -v * d / r**2, 0.0])[1]
        peaks.append((abs(inward) * d**2 / v**2, 3 * np.sqrt(3.0) / 8))
        smallest.append(smallest_step(k, d, v) / d)
    yield agreement(
        "the time scale of (22) is d / (sqrt(3) v)", "section 3, (22)", rates, within=1e-7,
        because="central differences of relative step 1e-6",
    )  # fmt: skip
    yield agreement("coordinate accelerations grow as 1/d^2", "section 3, (22)", peaks)
    ratios = np.array(smallest) / smallest[0]
    yield near(
        "steps in polar coordinates shrink with d", "section 3", ratios, np.ones(3), within=0.25,
        because="similar triangles: steps in units of d are alike, but for where they happen to fall",
    )  # fmt: skip
    for d in (1e-1, 1e-3, 0.0):
        run = alone.simulate(2.0, q=[np.hypot(1, d), np.arctan2(d, -1), 0], v=toward(d, v), rtol=1e-10)
        steps.append(len(run))
        ends.append((run.position("P")[-1], [2 * v - 1, d, 0.0]))
    yield same("steps in Cartesian coordinates do not", "section 3", len(set(steps)), 1)
    yield agreement("which go straight, through the axis too", "(19)", ends, within=1e-9, because="10 times rtol")


def toward(d: float, v: float) -> list[float]:
    """Rates of r, theta, z at (-1, d, 0) of a motion along x."""
    return [-v / float(np.hypot(1, d)), -v * d / (1 + d**2), 0.0]


def stiffness(kernel: Kernel, here: State) -> float:
    """The largest eigenvalue of (22) in r, rd and thetad, by central differences."""

    def slope(y: Array) -> Array:
        rdd, thetadd, _ = kernel.acceleration([y[0], 0.0, 0.0], [y[1], y[2], 0.0])
        return np.array([y[1], rdd, thetadd])

    y = np.array([here.q[0], here.v[0], here.v[1]])
    sizes = 1e-6 * np.array([here.q[0], here.q[0] * here.v[1], here.v[1]])
    J = np.stack([(slope(y + h) - slope(y - h)) / (2 * h.sum()) for h in np.diag(sizes)], axis=1)
    return float(np.max(np.abs(np.linalg.eigvals(J))))


def smallest_step(kernel: Kernel, d: float, v: float) -> float:
    """The smallest step of SciPy's DOP853 on (22) past the axis."""
    from scipy.integrate import solve_ivp

    def slope(_: float, y: Array) -> Array:
        return np.concatenate([y[3:], kernel.acceleration(y[:3], y[3:])])

    start = [np.hypot(1, d), np.arctan2(d, -1), 0.0, *toward(d, v)]
    return float(np.min(np.diff(solve_ivp(slope, (0.0, 2 / v), start, "DOP853", rtol=1e-8, atol=1e-10).t)))


def straight(s: cd.System) -> Pair:
    """Positions from (1, 0, 0) with velocity (-1, 0.05, 0.2), and the straight line that Newton gives."""
    run = s.simulate(2.0, q=[1, 0, 0], v=[-1, 0.05, 0.2], rtol=1e-10)
    return run.position("P"), np.array([1.0, 0.0, 0.0]) + np.outer(run.t, [-1.0, 0.05, 0.2])


def picture(run: cd.Run) -> Figure:
    """The straight path seen from above, and the angle that turns by half a turn while it passes the axis."""
    along = smooth(run)
    with panels("path seen from above", "polar angle") as (figure, (path, angle)):
        for radius in (0.25, 0.5, 0.75, 1.0):
            circle(path, radius)
        from_above(path, along)
        path.plot([0], [0], "o", color=RED, label="axis: basis of rank 2")
        path.legend(loc="upper left")
        angle.plot(along.t, np.degrees(along["theta"]))
        angle.set(xlabel="time [s]", ylabel=r"$\theta$ [degrees]")
    return figure


ENTRY = Entry(
    id="H1",
    where="section 4.1, equations (19) to (22)",
    lesson=(
        "A free particle knows nothing of the axis that cylindrical polar coordinates are measured from, yet its "
        "equations in them break down there. At r = 0 the basis vector that belongs to theta has no length, the three "
        "vectors span only a plane, and the mass matrix has no inverse. A force along e_theta then enters no equation, "
        "which looks like gimbal lock and is not: the force still pushes the particle, only the coordinates cannot say "
        "so. The remedy is another description, never a change of the mechanism: Cardan takes Cartesian coordinates by "
        "itself where no load is given along the polar basis, and a run goes through the axis."
    ),
    system=system,
    checks=checks,
    start={"duration": 2.0, "q": {"r": 1.0, "theta": 0.0, "z": 0.0}, "v": {"r": -1.0, "theta": 0.05, "z": 0.2}},
    picture=picture,
    caption="A straight line that misses the axis by 5 cm: the particle does nothing special, the angle does.",
)
