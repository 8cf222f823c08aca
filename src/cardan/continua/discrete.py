"""A continuum with finitely many coordinates: M qdd + K q = 0, both as weighted sums of squares.

Twice the potential energy is sum d (B q)^2: each row of B is a strain at one point (a slope, a curvature, the stretch
of a spring) and d its stiffness. The kinetic energy has rows C and weights e. K = B' D B is assembled for the solver,
and frequencies are then taken as Rayleigh quotients of those sums: of a thousand elements K has lost most digits of its
lowest frequency, while strains have not, and the error of a shape enters squared.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse
from scipy.linalg import eigh
from scipy.sparse.linalg import eigsh

from cardan.continua.spans import Array
from cardan.errors import WrongShape

SMALL = 60  # coordinates up to which all modes are computed at once
BELOW = 0.1  # of a typical square of a frequency: where the spectrum is looked at from


@dataclass(frozen=True)
class Discrete:
    """Coordinates q, rows of strains and velocities; ``x`` says where the displacements ``places`` of q are."""

    strains: sparse.csr_array  # B
    stiffness: Array  # d
    velocities: sparse.csr_array  # C
    masses: Array  # e
    x: Array
    displacements: sparse.csr_array  # from q to the displacements at x
    scale: float

    @property
    def size(self) -> int:
        """How many coordinates there are."""
        return int(self.strains.shape[1])

    @cached_property
    def K(self) -> sparse.csc_array:
        return sparse.csc_array(self.strains.T @ sparse.diags_array(self.stiffness) @ self.strains)

    @cached_property
    def M(self) -> sparse.csc_array:
        return sparse.csc_array(self.velocities.T @ sparse.diags_array(self.masses) @ self.velocities)

    def frequencies(self, count: int) -> Array:
        """The lowest frequencies."""
        return self.modes(count)[0]

    def modes(self, count: int) -> tuple[Array, Array]:
        """The lowest frequencies, and their displacements at x as columns, of generalised mass one."""
        if not 1 <= count <= self.size:
            raise WrongShape(f"A model of {self.size} coordinates has 1 to {self.size} modes, found {count}.")
        if self.size <= max(SMALL, 2 * count + 1):
            vectors = eigh(self.K.toarray(), self.M.toarray())[1][:, :count]
        else:
            vectors = eigsh(self.K, count, self.M, sigma=-BELOW * self.scale, which="LM", v0=np.ones(self.size))[1]
        squares = self.rayleigh(vectors)
        order = np.argsort(squares)
        kept = vectors[:, order] / np.sqrt(self._mass(vectors[:, order]))
        return np.sqrt(np.maximum(squares[order], 0.0)), np.asarray(self.displacements @ kept)

    def rayleigh(self, vectors: Array) -> Array:
        """Rayleigh's quotient of every column."""
        return np.asarray(self.stiffness @ (self.strains @ vectors) ** 2 / self._mass(vectors))

    def _mass(self, vectors: Array) -> Array:
        return np.asarray(self.masses @ (self.velocities @ vectors) ** 2)
