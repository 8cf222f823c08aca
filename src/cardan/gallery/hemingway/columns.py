"""Columns of the covariant basis as velocities: what a unit rate of each coordinate does to particles and bodies.

The basis a_J = dr/dq^J of the representative particle has three rows for each particle, then twelve for each body: its
centre, and the three columns of its rotation tensor Q. From these the angular velocity is the axial vector of
(dQ/dq^J) Q^T; Q itself is typed here as the text has it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy as sp
from sympy import cos, sin

from cardan.gallery.sampling import Array

E_3 = sp.Matrix([0, 0, 1])


def about_z(x: sp.Expr) -> sp.Matrix:
    """The rotation by x about E_3."""
    return sp.Matrix([[cos(x), -sin(x), 0], [sin(x), cos(x), 0], [0, 0, 1]])


def about_x(x: sp.Expr) -> sp.Matrix:
    """The rotation by x about E_1."""
    return sp.Matrix([[1, 0, 0], [0, cos(x), -sin(x)], [0, sin(x), cos(x)]])


def skwt(a: sp.Matrix) -> sp.Matrix:
    """The skew tensor of an axial vector: skwt(a) b = a x b."""
    return sp.Matrix([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def angular(rows: Array, Q: Array) -> Array:
    """dw/dqd^J as columns, from the nine rows of a body's rotation tensor in the basis: (3, coordinates)."""
    found = []
    for column in rows.T:
        W = column.reshape(3, 3).T @ Q.T  # rows are columns of Q, one after the other
        found.append([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]])
    return np.array(found).T / 2


def velocities(basis: Array, rotations: Sequence[Array], particles: int) -> Array:
    """dv/dqd^J of each particle, then dv/dqd^J of the centre and dw/dqd^J of each body, stacked."""
    parts = [basis[: 3 * particles]]
    for k, Q in enumerate(rotations):
        own = basis[3 * particles + 12 * k : 3 * particles + 12 * (k + 1)]
        parts += [own[:3], angular(own[3:], Q)]
    return np.concatenate(parts)


def representative(Q: sp.Matrix) -> list[sp.Expr]:
    """The nine components of a tensor in the order of the basis: column after column."""
    return [Q[i, j] for j in range(3) for i in range(3)]
