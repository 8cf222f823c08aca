"""The terms of the equations of a system, written out: energies, M, f, g, Q and the constraints."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from cardan.equations.equations import Equations
from cardan.equations.tidy import tidy


@dataclass(frozen=True)
class Terms:
    """M vd + f + g = Q + A^T lam in symbols, with the energies behind it."""

    kinetic_energy_split: tuple[sp.Expr, sp.Expr, sp.Expr]  # T2, T1, T0
    potential_energy: sp.Expr
    mass_matrix: sp.Matrix
    velocity_terms: sp.Matrix
    potential_terms: sp.Matrix
    forces: sp.Matrix  # Q of the free coordinates
    places: tuple[tuple[str, sp.Expr], ...]  # (name, phi) of each holonomic row
    names: tuple[str, ...]  # of the rows of A
    constraint_matrix: sp.Matrix | None  # A, where there are constraints
    offsets: sp.Matrix | None  # b0


def terms_of(eq: Equations) -> Terms:
    """The terms of equations; raises where energies are not quadratic, which have no M."""
    s = eq.symbolic
    rows = eq.constraints if eq.model.constraints else None
    return Terms(
        kinetic_energy_split=eq.kinetic_energy_split,
        potential_energy=eq.potential_energy,
        mass_matrix=eq.mass_matrix,
        velocity_terms=eq.velocity_terms,
        potential_terms=eq.potential_terms,
        forces=sp.Matrix([tidy(s.impose(s.forces[i])) for i in s.free]),
        places=tuple((row.name, s.impose(row.phi)) for row in s.rows if rows and row.phi is not None),
        names=() if rows is None else tuple(rows.names),
        constraint_matrix=None if rows is None else rows.matrix,
        offsets=None if rows is None else rows.offsets,
    )
