"""What a ``KanesMethod`` of SymPy says, over rates of coordinates instead of its generalized speeds.

Kane's equations are m a . dv/d(qd_j) + (dH/dt) . dw/d(qd_j) = Q_j, body by body. Where every velocity is the rate of a
place they are Lagrange's. Where constraints were worked into the velocities beforehand (a disc whose centre moves as
rolling without slip makes it move) they are not, and the difference acts as forces of constraint do that are no longer
seen: it is added to Q.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import sympy as sp
from sympy.physics.mechanics import KanesMethod, Particle, ReferenceFrame, RigidBody, dynamicsymbols

from cardan.errors import DerivationError
from cardan.formats.sympy_mechanics.chance import independent_rows, numbers_at_chance, vanishes
from cardan.formats.sympy_mechanics.said import Letters, Said, forces_of, motion_of

t = dynamicsymbols._t


@dataclass(frozen=True)
class Mass:
    """A body in the inertial frame: mass, inertia about its centre, velocity of the centre, angular velocity."""

    m: sp.Expr
    I_G: sp.Matrix
    v: sp.Matrix
    w: sp.Matrix

    @property
    def kinetic_energy(self) -> sp.Expr:
        return (self.m * self.v.dot(self.v) + self.w.dot(self.I_G * self.w)) / 2


def read_kane(method: KanesMethod) -> Said:
    """Kinetic energy and forces of its bodies and loads, and its constraints."""
    if not method.bodies:
        raise DerivationError("The KanesMethod holds no bodies: give them, KanesMethod(..., bodies=[...]).")
    letters, tied = _letters(method)
    N = method._inertial
    masses = [_mass(body, N, letters) for body in method.bodies]
    T = sum((mass.kinetic_energy for mass in masses), sp.S.Zero)
    forces = forces_of(list(method.forcelist or ()), N, letters)
    if not all(_are_rates_of_places(mass, letters) for mass in masses):
        forces = tuple(a + b for a, b in zip(forces, _hidden_forces(T, masses, letters), strict=True))
    holonomic = tuple(letters.plain(one) for one in method._f_h)
    rows = method._k_nh * method.u + method._f_nh if method._k_nh else ()
    velocity = _new_rows([letters.plain(one) for one in rows], holonomic, letters)
    return Said(letters, kinetic_energy=T, forces=forces, holonomic=holonomic, velocity=(*tied, *velocity))


def _letters(method: KanesMethod) -> tuple[Letters, list[sp.Expr]]:
    """Letters in which the speeds u are written over the rates, and rates that are tied to the others.

    qd = Y(q) u + y0: as many rows as there are speeds are solved for u, the others are constraints on velocities.
    """
    plain = Letters.of(list(method.q))
    u = [sp.Dummy(str(one.func), real=True) for one in method.u]
    named = dict(zip(method.u, u, strict=True)) | dict.fromkeys(method._uaux, sp.S.Zero)
    told = method.kindiffdict()
    with_u = replace(plain, speeds=named)
    rates = sp.Matrix([with_u.plain(told[sp.Derivative(f, t)]) for f in plain.functions])
    Y = rates.jacobian(u)
    y0 = rates.xreplace(dict.fromkeys(u, sp.S.Zero))
    chosen = independent_rows(Y)
    if len(chosen) < len(u):
        raise DerivationError(
            f"The {len(u)} speeds of the KanesMethod cannot be told from the rates of its {len(plain.q)} coordinates: "
            "name coordinates for all of them.",
            speeds=[str(one) for one in method.u],
        )
    solved = Y.extract(chosen, range(len(u))).LUsolve(sp.Matrix([plain.qd[k] - y0[k] for k in chosen]))
    over_rates = dict(zip(method.u, solved, strict=True)) | dict.fromkeys(method._uaux, sp.S.Zero)
    by_rates = dict(zip(u, solved, strict=True))
    tied = [plain.qd[k] - rates[k].xreplace(by_rates) for k in range(len(plain.q)) if k not in chosen]
    return replace(plain, speeds=over_rates), tied


def _mass(body: RigidBody | Particle, N: ReferenceFrame, letters: Letters) -> Mass:
    if isinstance(body, Particle):
        v = motion_of(body.point, N, letters)
        return Mass(letters.plain(body.mass), sp.zeros(3), v, sp.zeros(3, 1))
    v, w = motion_of(body.masscenter, N, letters), motion_of(body.frame, N, letters)
    inertia = body.central_inertia.to_matrix(N).applyfunc(letters.plain)
    return Mass(letters.plain(body.mass), inertia, v, w)


def _are_rates_of_places(mass: Mass, letters: Letters) -> bool:
    """True where v_j = dv/d(qd_j) are gradients, and w_j = dw/d(qd_j) belong to one rotation.

    That is d_k v_j = d_j v_k and d_k w_j - d_j w_k = w_k x w_j, with time as a further coordinate of rate one.
    """
    q, at_rest = (*letters.q, t), dict.fromkeys(letters.qd, sp.S.Zero)
    v = [*(mass.v.diff(rate) for rate in letters.qd), mass.v.xreplace(at_rest)]
    w = [*(mass.w.diff(rate) for rate in letters.qd), mass.w.xreplace(at_rest)]
    for j, k in combinations(range(len(q)), 2):
        turning = w[j].diff(q[k]) - w[k].diff(q[j]) - w[k].cross(w[j])
        if not vanishes([*(v[j].diff(q[k]) - v[k].diff(q[j])), *turning]):
            return False
    return True


def _hidden_forces(T: sp.Expr, masses: list[Mass], letters: Letters) -> list[sp.Expr]:
    """Lagrange's left side less Kane's: accelerations cancel, so they are left out of both."""
    q, qd = sp.Matrix(letters.q), sp.Matrix(letters.qd)

    def rate(column: sp.Matrix) -> sp.Matrix:
        return column.jacobian(q) * qd + column.diff(t)

    momenta = sp.Matrix([T.diff(one) for one in qd])
    total = rate(momenta) - sp.Matrix([T.diff(one) for one in q])
    for mass in masses:
        total -= mass.v.jacobian(qd).T * mass.m * rate(mass.v) + mass.w.jacobian(qd).T * rate(mass.I_G * mass.w)
    return list(total)


def _new_rows(rows: list[sp.Expr], holonomic: tuple[sp.Expr, ...], letters: Letters) -> list[sp.Expr]:
    """The velocity constraints that do not follow from the holonomic ones, whose rates SymPy wants among them."""
    known = sp.Matrix(holonomic).jacobian(letters.q) if holonomic else sp.zeros(0, len(letters.q))
    kept = list[sp.Expr]()
    for row in rows:
        with_it = known.col_join(sp.Matrix([row]).jacobian(letters.qd))
        numbers = numbers_at_chance(with_it)
        if np.linalg.matrix_rank(numbers) == with_it.rows:
            kept, known = [*kept, row], with_it
    return kept
