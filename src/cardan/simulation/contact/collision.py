"""What happens to velocities in an instant: impulses at contacts, with constraints in force.

In the coordinates z = W^-1 v, with W W^T = M^-1, kinetic energy is |z|^2 / 2 and an impulse Lam moves z by
(G W)^T Lam, less what the constraints A take of it. With P the projection to the motions that A allows,

    D = G W P W^T G^T,       u+ = u- + D Lam,       v+ = v- + W P W^T G^T Lam

where u = G v + g0 are the rates of the gaps and the velocities of slip. Two contacts i, j are kinetically orthogonal
where D_ij = 0; cos of the kinetic angle between them is D_ij / sqrt(D_ii D_jj).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.singular.constrained import Terms

Vector = NDArray[np.float64]

RANK_CUT = 1e-10  # singular values of the constraints below this times the largest count as zero


@dataclass(frozen=True)
class Collision:
    """A configuration in which rows ``G`` may carry impulses: D and how velocities answer."""

    W: Vector  # M^-1 = W W^T
    B: Vector  # A W: the constraints
    R: Vector  # G W: all rows of the stops
    S: Vector  # G W P
    D: Vector

    def jump(self, impulses: Vector) -> Vector:
        """v+ - v- under the impulses of all rows of the stops."""
        found: Vector = self.W @ (self.S.T @ impulses)
        return found

    def constraint_impulses(self, impulses: Vector) -> Vector:
        """What the constraints answer with: M (v+ - v-) = G^T Lam + A^T lam; the shortest where not unique."""
        if not len(self.B):
            return np.zeros(0)
        return shortest(self.B.T, (self.S - self.R).T @ impulses, RANK_CUT)


def shortest(matrix: Vector, right: Vector, cut: float = 1e-12) -> Vector:
    """The shortest solution in the sense of least squares; singular values below ``cut`` of the largest are zero."""
    return np.asarray(np.linalg.lstsq(matrix, right, rcond=cut)[0], dtype=np.float64)


def collision(terms: Terms, m: int) -> Collision:
    """The collision problem at a state; the first m rows of ``terms.A`` are constraints, the others stops."""
    A, G = terms.A[:m], terms.A[m:]
    W = Terms(terms.qd, terms.M, terms.h, A, terms.b[:m]).half
    B, R = A @ W, G @ W
    S = R
    if m:
        _, s, Vt = np.linalg.svd(B, full_matrices=False)
        basis = Vt[s > RANK_CUT * max(float(s[0]), 1e-300)]
        S = R - (R @ basis.T) @ basis
    return Collision(W, B, R, S, S @ S.T)
