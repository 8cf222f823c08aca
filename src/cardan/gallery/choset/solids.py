"""Inertia matrices (C5, C6): the solids of figure 10.5, parallel axes, composite bodies, problems 5 to 7."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

import cardan as cd
from cardan.gallery.comparing import Pair, agreement, identity, near
from cardan.gallery.entry import Check

if TYPE_CHECKING:
    pass

m, R, h, a, b, c = sp.symbols("m R h a b c", positive=True)


def solids() -> Iterator[Check]:
    """Figure 10.5 (third moments corrected), (10.46), and the rule for composite bodies after it."""
    inertia = cd.geometry.inertia
    sphere = 2 * m * R**2 / 5
    yield identity("sphere", "fig. 10.5", inertia.sphere(m, R), sphere * sp.eye(3))
    ellipsoid = sp.diag(m * (b**2 + c**2), m * (a**2 + c**2), m * (a**2 + b**2)) / 5
    yield identity("ellipsoid", "fig. 10.5, I_zz corrected", inertia.ellipsoid(m, a, b, c), ellipsoid)
    across = m * (3 * R**2 + h**2) / 12
    yield identity("cylinder", "fig. 10.5", inertia.cylinder(m, R, h), sp.diag(across, across, m * R**2 / 2))
    box = sp.diag(m * (b**2 + c**2), m * (a**2 + c**2), m * (a**2 + b**2)) / 12
    yield identity("box", "fig. 10.5, I_zz corrected", inertia.box(m, a, b, c), box)
    r = sp.Matrix(sp.symbols("r1:4", real=True))
    I_B = sp.Matrix(3, 3, lambda i, j: sp.Symbol(f"I{min(i, j)}{max(i, j)}"))
    moved = inertia.parallel_axis(I_B.tolist(), m, tuple(r))
    yield identity("parallel axis", "(10.46)", moved, I_B + m * (r.dot(r) * sp.eye(3) - r * r.T))
    yield agreement("composite inertia", "after (10.46)", [composite()])


def composite() -> Pair:
    """Four boxes anywhere, and the sum of R_i (I_i + m_i(|r_i|^2 1 - r_i r_i^T)) R_i^T, r_i from part to origin."""
    inertia, draw = cd.geometry.inertia, np.random.default_rng(10)
    parts, total = [], np.zeros((3, 3))
    for _ in range(4):
        mass, centre = draw.uniform(0.5, 2), draw.uniform(-1, 1, 3)
        I_i = np.asarray(inertia.box(mass, *draw.uniform(0.1, 1, 3)), dtype=np.float64)
        R_i = np.asarray(cd.geometry.rotation.exp(draw.uniform(-1.5, 1.5, 3).tolist()), dtype=np.float64)
        r_i = -R_i.T @ centre
        total += R_i @ (I_i + mass * (r_i @ r_i * np.eye(3) - np.outer(r_i, r_i))) @ R_i.T
        place = cd.geometry.rigid.Placement(R_i.tolist(), tuple(centre.tolist()))
        parts.append(inertia.placed(inertia.MassProperties(mass, (0, 0, 0), I_i.tolist()), place))
    return inertia.inertia_about(inertia.combine(parts), (0, 0, 0)), total


def problem_5() -> Iterator[Check]:
    """A tube: m (d1^2 + d2^2)/8 along its axis and m (d1^2 + d2^2)/16 + m L^2/12 across, by subtraction."""
    cylinder = cd.geometry.inertia.cylinder
    L, d1, d2, rho = sp.symbols("L d1 d2 rho", positive=True)
    masses = [rho * sp.pi * d**2 / 4 * L for d in (d1, d2)]
    core, solid = (sp.Matrix(cylinder(mass, d / 2, L)) for mass, d in zip(masses, (d1, d2), strict=True))
    tube = masses[1] - masses[0]
    across = tube * (d1**2 + d2**2) / 16 + tube * L**2 / 12
    yield identity("5: round tube", "problem 5", solid - core, sp.diag(across, across, tube * (d1**2 + d2**2) / 8))


def problem_6() -> Iterator[Check]:
    """By hand, mass m: diag(1, 2, 3) + m [[4, 0, -6], [0, 13, 0], [-6, 0, 9]], then x turned to y and y to -x."""
    inertia = cd.geometry.inertia
    moved = inertia.parallel_axis(((1, 0, 0), (0, 2, 0), (0, 0, 3)), m, (3, 0, 2))
    by_hand = sp.Matrix([[2 + 13 * m, 0, 0], [0, 1 + 4 * m, -6 * m], [0, -6 * m, 3 + 9 * m]])
    turned = inertia.rotated(moved, ((0, -1, 0), (1, 0, 0), (0, 0, 1)))
    yield identity("6: inertia moved and turned", "problem 6", turned, by_hand)


def problem_7() -> Iterator[Check]:
    """Balls of 32.882 kg, a bar of 1.9729 kg: 2 (0.131528 + 1.31528) + 0.006774 across, 0.263056 + 0.000395 along."""
    inertia, rho, radius, length, thin = cd.geometry.inertia, 7850.0, 0.10, 0.20, 0.02
    ball, bar = rho * 4 / 3 * np.pi * radius**3, rho * np.pi * thin**2 * length
    out = length / 2 + radius
    parts = [inertia.MassProperties(ball, (0, 0, k * out), inertia.sphere(ball, radius)) for k in (1, -1)]
    barbell = inertia.combine([*parts, inertia.MassProperties(bar, (0, 0, 0), inertia.cylinder(bar, thin, length))])
    yield near(
        "7: steel barbell [kg m^2]", "problem 7", np.diag(np.array(barbell.inertia, dtype=float)),
        [2.90039, 2.90039, 0.26345], within=5e-6, because="a hand calculation to five decimals",
    )  # fmt: skip
