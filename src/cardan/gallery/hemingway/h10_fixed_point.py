"""H10: a body about a fixed point in 3-1-3 Euler angles."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from sympy import cos, sin

import cardan as cd
from cardan.equations.equations import Equations
from cardan.errors import SingularMassMatrix
from cardan.gallery.comparing import identity, near, refused, same
from cardan.gallery.entry import Check, Entry
from cardan.gallery.motion import motion
from cardan.gallery.pictures import BLUE, RED, panels, smooth
from cardan.gallery.sampling import ANGLE, body_of, column, dot, letters

if TYPE_CHECKING:
    from matplotlib.figure import Figure

REGULAR = [ANGLE, (0.3, 2.8), ANGLE]


def system() -> cd.System:
    """A spherically symmetric body about its centre of mass."""
    s = cd.System("body about a fixed point")
    nu1, nu2, nu3 = s.coordinates("nu1 nu2 nu3", on="S1")
    lam = s.parameters(lam=0.9)
    s.body("body", mass=2.0, inertia=lam, joint=cd.Ball(cd.Euler("3-1-3", nu1, nu2, nu3)))
    return s


def euler_basis(nu1: sp.Expr, nu2: sp.Expr) -> list[sp.Matrix]:
    """g_1, g_2, g_3 of (77)."""
    return [
        column(0, 0, 1),
        column(cos(nu1), sin(nu1), 0),
        column(sin(nu2) * sin(nu1), -sin(nu2) * cos(nu1), cos(nu2)),
    ]


def skwt(u: sp.Matrix) -> sp.Matrix:
    return sp.Matrix([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])


def rotation(nu1: sp.Expr, nu2: sp.Expr, nu3: sp.Expr) -> sp.Matrix:
    """(111), letter by letter."""
    c1, s1, c2, s2, c3, s3 = cos(nu1), sin(nu1), cos(nu2), sin(nu2), cos(nu3), sin(nu3)
    return sp.Matrix([
        [c1 * c3 - s1 * c2 * s3, -c1 * s3 - s1 * c2 * c3, s1 * s2],
        [s1 * c3 + c1 * c2 * s3, -s1 * s3 + c1 * c2 * c3, -c1 * s2],
        [s2 * s3, s2 * c3, c2],
    ])  # fmt: skip


def checks(s: cd.System) -> Iterator[Check]:
    s.moment("M", on=body_of(s, "body"))
    nu1, nu2, nu3, lam = letters(s, "nu1 nu2 nu3 lam")
    M_a = column(*letters(s, "M_x M_y M_z"))
    g, Q = euler_basis(nu1, nu2), rotation(nu1, nu2, nu3)
    eq = s.equations()
    basis = sp.Matrix.hstack(*(sp.Matrix([0, 0, 0, *(skwt(one) * Q).T]) for one in g))
    yield identity("covariant basis", "(76), (77)", eq.covariant_basis, basis)
    T = lam / 2 * (nu1.dot**2 + nu2.dot**2 + nu3.dot**2 + 2 * nu1.dot * nu3.dot * cos(nu2))
    yield identity("kinetic energy", "(78)", eq.kinetic_energy, T)
    M = lam * sp.Matrix([[1, 0, cos(nu2)], [0, 1, 0], [cos(nu2), 0, 1]])
    f = lam * sin(nu2) * column(-nu2.dot * nu3.dot, nu1.dot * nu3.dot, -nu1.dot * nu2.dot)
    yield from motion(s, "(79) corrected", M=M, f=f, Q=[dot(M_a, one) for one in g], ranges=REGULAR)
    yield from singular(s, eq)
    yield same("configuration manifold", "after (75)", str(s.manifold()), "RP^3")
    run = s.simulate(4.0, q=[0.2, 0.4, -0.3], v=[0.0, -1.0, 0.3], rtol=1e-10)
    w = run.omega("body", expressed_in="world")
    yield near(
        "a sphere without moment keeps its angular velocity", "(78)", w, np.broadcast_to(w[0], w.shape), within=1e-8,
        because="100 times the tolerance of the run, which passes nu2 = 0",
    )  # fmt: skip


def singular(s: cd.System, eq: Equations) -> Iterator[Check]:
    """At nu2 = 0 and pi: rank 2, no acceleration, and a moment along g_1 x g_2 that enters no equation."""
    missed = np.cross([0, 0, 1], [np.cos(0.4), np.sin(0.4), 0])
    for nu2, name in ((0.0, "0"), (np.pi, "pi")):
        q = [0.4, nu2, -0.7]
        at = eq.at(q, [1.0, 2.0, 3.0], loads={"M": missed})
        yield same(f"rank of the basis at nu2 = {name}", "after (77)", int(np.linalg.matrix_rank(at.basis)), 2)
        yield near(f"a moment along g_1 x g_2 at nu2 = {name}", "after (79)", at.Q, np.zeros(3))
        kinds = s.diagnose(q, loads={"M": missed}).kinds
        yield same(f"diagnosis at nu2 = {name}", "after (79)", kinds, {"coordinate-singularity"})
        stuck = partial(s.compile().acceleration, q)
        yield refused(f"no acceleration at nu2 = {name}", "(79)", stuck, SingularMassMatrix)


def picture(run: cd.Run) -> Figure:
    """The axis of the body on the sphere, and its Euler angles."""
    along = smooth(run)
    tip = along.rotation("body")[:, :, 2]
    with panels("path of the body's axis $e_3$", "Euler angles", spatial=(0,)) as (figure, (space, angles)):
        u, v = np.meshgrid(np.linspace(0, 2 * np.pi, 37), np.linspace(0, np.pi, 19))
        ball = np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v)
        space.plot_wireframe(*ball, color="#dfe5e9", lw=0.5)
        space.plot(*tip.T, color=BLUE)
        space.plot([0], [0], [1], "o", color=RED)
        space.set(xlabel="x", ylabel="y", zlabel="z", box_aspect=(1, 1, 1))
        space.view_init(38, -60)
        for k in (1, 2, 3):
            angles.plot(along.t, np.degrees(along[f"nu{k}"]), label=rf"$\nu^{k}$")
        angles.set(xlabel="time [s]", ylabel="angle [degrees]")
        angles.legend(loc="best")
    return figure


ENTRY = Entry(
    id="H10",
    where="section 6.1, equations (75) to (79)",
    lesson=(
        "The orientations of a body form the projective space RP^3, and no three angles can describe it without "
        "singular places. For the 3-1-3 Euler angles these are nu2 = 0 and pi, where the first and the third axis of "
        "rotation coincide, only their sum or difference means anything, and the basis has rank two. A moment about "
        "the missing direction enters none of the three equations there; but it does turn the body, so this is a "
        "coordinate singularity and not gimbal lock. The run of the picture goes through the place: a sphere that "
        "turns steadily, whose angles do not."
    ),
    system=system,
    checks=checks,
    start={"duration": 4.0, "q": {"nu1": 0.2, "nu2": 0.4, "nu3": -0.3}, "v": {"nu1": 0.0, "nu2": -1.0, "nu3": 0.12}},
    picture=picture,
    caption="The body turns at a constant rate about a fixed axis; near the pole (red) two of its angles swing.",
    erratum="(79): f = lambda sin(nu2) (-nu2d nu3d, nu1d nu3d, -nu1d nu2d). After (77): at nu2 = 0 the sum nu1 + nu3 "
    "is determined and the difference ambiguous; at pi it is the other way round.",
)
