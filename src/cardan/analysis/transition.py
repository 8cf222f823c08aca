"""How neighbours of a motion move along with it: Phi' = J(t) Phi, solved in machine-made stacks.

J is exact; along each accepted step of the run the linear equation is solved by collocation at Gauss points (order 10
with five of them, [HairerWanner1996, IV.5]), so that the derivative is as good as the run it belongs to.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from cardan.analysis.stacked import States, stacked
from cardan.codegen.compiled import Kernel
from cardan.simulation.solution import Segment

Vector = NDArray[np.float64]

POINTS = 5  # of collocation in each step


@cache
def gauss(points: int) -> tuple[Vector, Vector, Vector]:
    """(c, A, b) of collocation at Gauss points: A_ij is the integral of the j-th Lagrange polynomial up to c_i."""
    x, w = np.polynomial.legendre.leggauss(points)
    c = 0.5 * (x + 1)
    powers = np.arange(points)
    lagrange = np.linalg.inv(np.vander(c, points, increasing=True))  # column j: coefficients of the j-th polynomial
    A = (c[:, None] ** (powers + 1) / (powers + 1)) @ lagrange
    return c, A, 0.5 * w


def transition(kernel: Kernel, p: Vector, segment: Segment, points: int = POINTS) -> Vector:
    """Phi over one uninterrupted piece of a motion: (dpi, dv) at its end by those at its beginning."""
    t = segment.rows[:, 0]
    h = np.diff(t)
    keep = np.flatnonzero(h != 0)
    h, n = h[keep], 2 * kernel.nv
    if not len(keep):
        return np.eye(n)
    c, A, b = gauss(points)
    times = t[keep][:, None] + h[:, None] * c
    states = segment.at(segment.rows, times.ravel())[:, : kernel.nq + kernel.nv]
    J = stacked(States(kernel, times.ravel(), states, np.tile(p, (times.size, 1)))).jacobian
    found = np.eye(n)
    for one in _steps(J.reshape(len(h), points, n, n), h, A, b):
        found = one @ found
    return found


def _steps(J: Vector, h: Vector, A: Vector, b: Vector) -> Vector:
    """The transition of each step: K_i = J_i (1 + h sum a_ij K_j),  R = 1 + h sum b_i K_i."""
    steps, s, n = J.shape[:3]
    K = -np.einsum("k,ij,kiab->kiajb", h, A, J).reshape(steps, s * n, s * n)
    K += np.eye(s * n)
    stages = np.linalg.solve(K, J.reshape(steps, s * n, n)).reshape(steps, s, n, n)
    return np.asarray(np.eye(n) + np.einsum("k,i,kiab->kab", h, b, stages))
