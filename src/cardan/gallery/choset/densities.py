"""Inertia as integrals over a density, and principal axes (C5, C6): (10.35), (10.42), the parallel-axis theorem."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import sympy as sp

import cardan as cd
from cardan.gallery.comparing import Pair, agreement, identity
from cardan.gallery.entry import Check
from cardan.gallery.sampling import Array

SIZES = (0.6, 0.4, 0.2)  # of a box
x, y, z = sp.symbols("x y z", real=True)
DENSITY = 3 + 2 * x + x * y - 4 * z**2 + y  # of no symmetry


def over_the_box(integrand: sp.Expr) -> sp.Expr:
    """An integral over the box, in symbols."""
    a, b, c = (sp.nsimplify(one, rational=True) for one in SIZES)
    return sp.integrate(sp.expand(integrand), (x, -a / 2, a / 2), (y, -b / 2, b / 2), (z, -c / 2, c / 2))


def by_integrals() -> tuple[float, Array, Array]:
    """Mass, centre, and (10.42) about the middle of the box."""
    r = sp.Matrix([x, y, z])
    mass = over_the_box(DENSITY)
    centre = [over_the_box(DENSITY * one) / mass for one in r]
    inertia = (r.dot(r) * sp.eye(3) - r * r.T).applyfunc(lambda one: over_the_box(DENSITY * one))
    return float(mass), np.array(centre, dtype=float), np.array(inertia, dtype=float)


def weighted_box() -> cd.Solid:
    """The box of this density by Cardan."""
    return cd.solid("box", x=SIZES[0], y=SIZES[1], z=SIZES[2], density=sp.lambdify([x, y, z], DENSITY, "numpy"))


def densities() -> Iterator[Check]:
    """m, r_cm and (10.42) of a box whose density changes from place to place; (10.35) as the energy of its points."""
    mass, centre, inertia = by_integrals()
    solid = weighted_box()
    yield agreement(
        "mass and centre of mass from a density",
        "before (10.29), centre of mass",
        [(solid.mass, mass), (solid.com, centre)],
    )
    about = np.array(solid.inertia_about((0, 0, 0)), dtype=float)
    yield agreement("inertia from a density", "(10.42)", [(about, inertia)])
    yield agreement("energy of a turning body as an integral in space", "(10.35)", spatial_energies(solid))


def spatial_energies(solid: cd.Solid) -> Iterator[Pair]:
    """Cardan's energy of the box on a ball joint, and half of the sum of rho |w_s x r_s|^2 over turned points.

    Gauss points in each direction make the sum exact: the integrand is a polynomial of degree four at most in each.
    """
    s = cd.System("box of changing density")
    s.body("box", **solid, joint=cd.Ball(cd.Quaternion("e")))
    eq, draw = s.equations(), np.random.default_rng(35)
    nodes, weights = np.polynomial.legendre.leggauss(4)
    points = np.stack(np.meshgrid(*(nodes * one / 2 for one in SIZES), indexing="ij"), axis=-1).reshape(-1, 3)
    share = np.einsum("i,j,k->ijk", *(weights * one / 2 for one in SIZES)).ravel()
    share = share * sp.lambdify([x, y, z], DENSITY, "numpy")(*points.T)
    for _ in range(4):
        e = draw.normal(size=4)
        e /= np.linalg.norm(e)
        w, v = draw.normal(size=3), e[1:]
        r_s = points + 2 * np.cross(v, e[0] * points + np.cross(v, points))  # turned by the quaternion
        w_s = w + 2 * np.cross(v, e[0] * w + np.cross(v, w))
        yield eq.at(e, w).energy["T"], share @ np.sum(np.cross(w_s, r_s) ** 2, axis=1) / 2


def principal() -> Iterator[Check]:
    """Principal axes are eigenvectors of I: along them no off-diagonal term is left, and I v = moment v."""
    solid = weighted_box()
    inertia = np.array(solid.inertia, dtype=float)
    moments, R = np.array(solid.principal.moments), np.array(solid.principal.axes)
    polynomial = [1.0, -np.trace(inertia), (np.trace(inertia) ** 2 - np.trace(inertia @ inertia)) / 2]
    roots = np.sort(np.roots([*polynomial, -np.linalg.det(inertia)]).real)
    yield agreement(
        "principal moments are the roots of det(I - k 1)", "after (10.42)", [(moments, roots)], within=1e-10,
        because="roots of a cubic with two roots near each other",
    )  # fmt: skip
    yield agreement("principal axes are eigenvectors of I", "after (10.42)", [(inertia @ R, R * moments)])
    yield agreement("and orthogonal, right-handed", "after (10.42)", [(R.T @ R, np.eye(3)), (np.linalg.det(R), 1.0)])


def problem_8() -> Iterator[Check]:
    """(10.46) from (10.42): of a density whose first moments vanish, integrals about a point shifted by r."""
    r = sp.Matrix(sp.symbols("r1:4", real=True))
    density = 2 + x**2 + 3 * y**2 * z**2 + x * y  # even, or of two letters: no first moments
    moved = sp.Matrix([x, y, z]) + r
    about = (moved.dot(moved) * sp.eye(3) - moved * moved.T).applyfunc(lambda one: over_the_box(density * one))
    own = about.subs(dict.fromkeys(r, 0))
    found = cd.geometry.inertia.parallel_axis(own.tolist(), over_the_box(density), tuple(r))
    yield identity("8: parallel-axis theorem, by integrals", "problem 8, (10.46)", found, about)
