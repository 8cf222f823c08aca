"""H6: a free particle in spherical polar coordinates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from sympy import cos, sin

import cardan as cd
from cardan.errors import SingularMassMatrix
from cardan.gallery.comparing import identity, near, refused, same
from cardan.gallery.entry import Check, Entry
from cardan.gallery.motion import motion
from cardan.gallery.pictures import BLUE, RED, panels, smooth
from cardan.gallery.sampling import ANGLE, column, letters

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RANGES = [(0.5, 3.0), ANGLE, (0.3, 2.8)]


def system() -> cd.System:
    """The particle with a force along each vector of its basis; the order R, theta, phi is that of (49)."""
    s = cd.System("free particle in spherical polar coordinates")
    R, theta, phi = s.coordinates("R", on="R+"), s.coordinates("theta", on="S1"), s.coordinates("phi", on=(0, sp.pi))
    m = s.parameters(m=1.7)
    P = s.particle("P", mass=m, coordinates=cd.PolarSpherical(R, phi, theta))
    s.force("F_R", on=P, along=P.e_R)
    s.force("F_theta", on=P, along=P.e_theta)
    s.force("F_phi", on=P, along=P.e_phi)
    return s


def checks(s: cd.System) -> Iterator[Check]:
    R, theta, phi, m, F_R, F_theta, F_phi = letters(s, "R theta phi m F_R F_theta F_phi")
    e_r, E_3 = column(cos(theta), sin(theta), 0), column(0, 0, 1)
    e_R, e_theta = cos(phi) * E_3 + sin(phi) * e_r, E_3.cross(e_r)
    basis = sp.Matrix.hstack(e_R, R * sin(phi) * e_theta, R * e_theta.cross(e_R))
    eq = s.equations()
    yield identity("covariant basis", "(49)", eq.covariant_basis, basis)
    T = m * (R.dot**2 + theta.dot**2 * R**2 * sin(phi) ** 2 + phi.dot**2 * R**2) / 2
    yield identity("kinetic energy", "(50)", eq.kinetic_energy, T)
    sc = sin(phi) * cos(phi)
    f = m * column(
        theta.dot**2 * (-R * sin(phi) ** 2) + phi.dot**2 * (-R),
        2 * R.dot * theta.dot * (R * sin(phi) ** 2) + 2 * theta.dot * phi.dot * (R**2 * sc),
        theta.dot**2 * (-(R**2) * sc) + 2 * R.dot * phi.dot * R,
    )
    M = m * sp.diag(1, R**2 * sin(phi) ** 2, R**2)
    yield from motion(s, "(51)", M=M, f=f, Q=[F_R, R * sin(phi) * F_theta, R * F_phi], ranges=RANGES)
    places = {"R = 0": ([0.0, 0.4, 1.0], 1), "phi = 0": ([1.0, 0.4, 0.0], 2), "phi = pi": ([1.0, 0.4, np.pi], 2)}
    for name, (q, rank) in places.items():
        yield same(f"rank of the basis at {name}", "(49)", int(np.linalg.matrix_rank(eq.at(q).basis)), rank)
        push = {"F_theta": 1.0}
        kinds = s.diagnose(q, loads=push).kinds
        yield same(f"diagnosis at {name}", "after (51)", kinds, {"coordinate-singularity"})
    yield refused(
        "no acceleration at phi = 0", "(51)",
        lambda: eq.at([1.0, 0.4, 0.0], [1.0, 2.0, 3.0], loads={"F_theta": 1.0}).acceleration, SingularMassMatrix,
    )  # fmt: skip
    yield same("configuration manifold", "section 5.1", str(s.manifold()), "E^3")
    run = s.simulate(2.0, q=[1.0, 0.0, 0.8], v=[0.0, 0.05, -1.2], rtol=1e-10)
    start = np.array([np.sin(0.8), 0.0, np.cos(0.8)])
    velocity = 0.05 * np.sin(0.8) * np.array([0, 1, 0]) - 1.2 * np.array([np.cos(0.8), 0, -np.sin(0.8)])
    yield near(
        "straight motion past the polar axis", "(48)", run.position("P"), start + np.outer(run.t, velocity),
        within=1e-8, because="100 times the tolerance of the run",
    )  # fmt: skip


def picture(run: cd.Run) -> Figure:
    """The straight path in space, and the two angles along it."""
    along = smooth(run)
    with panels("path and polar axis", "angles", spatial=(0,)) as (figure, (space, angles)):
        x, y, z = along.position("P").T
        space.plot(x, y, z, color=BLUE)
        space.plot([0, 0], [0, 0], [0, 1.9], color=RED, lw=1.2)
        space.set(xlabel="x [m]", ylabel="y [m]", zlabel="z [m]", ylim=(-1, 1))
        angles.plot(along.t, np.degrees(along["theta"]), label=r"$\theta$")
        angles.plot(along.t, np.degrees(along["phi"]), label=r"$\phi$")
        angles.set(xlabel="time [s]", ylabel="angle [degrees]")
        angles.legend(loc="best")
    return figure


ENTRY = Entry(
    id="H6",
    where="section 5.1, equations (48) to (51)",
    lesson=(
        "Spherical polar coordinates are singular on the whole polar axis, where theta has no meaning, and doubly so "
        "at the origin, where phi has none either: the basis has rank two on the axis and rank one at the origin. As "
        "in cylindrical coordinates this concerns the description and not the particle, which flies past the axis on a "
        "straight line while its angle theta sweeps half a turn in an instant. That components of a force along "
        "e_theta and e_phi disappear from the equations there is therefore no gimbal lock."
    ),
    system=system,
    checks=checks,
    start={"duration": 2.0, "q": {"R": 1.0, "phi": 0.8}, "v": {"theta": 0.05, "phi": -1.2}},
    picture=picture,
    caption="A straight line that passes close to the polar axis (red): phi has a kink and theta a jump, almost.",
    erratum="The basis (49) and the equations (51) are ordered R, theta, phi.",
)
