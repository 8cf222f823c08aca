"""Frames of connections pulled together: for guesses that are far from closed, or would close the wrong way round.

The rows of a connection at right angles also vanish where its frames are half or a third of a turn apart, and lead
there from many guesses. Here the error of an orientation is its rotation vector, which vanishes nowhere else, and
Levenberg and Marquardt's method does not stop where the rows lose rank on the way. What is found is closed by the rows
themselves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.kinematics.rows import rows_of
from cardan.model.constraints import Connection
from cardan.singular.constrained import ConstrainedNumbers
from cardan.trajectory.reaching import rotation_vector

Vector = NDArray[np.float64]

STEPS = 200
CLOSE = 1e-9  # what is left is for the rows


@dataclass(frozen=True)
class Pull:
    """The connections of a model as errors of places and orientations; other rows stay what they are."""

    kernel: Kernel
    system: ConstrainedNumbers
    t: float
    sizes: Vector  # of the velocities' coordinates
    length: float  # by which places are divided
    free: NDArray[np.bool_]

    def error(self, y: Vector, others: list[int]) -> tuple[Vector, Vector]:
        """The error, and its derivative by the free velocities in units of their sizes."""
        e, J = [], []
        for one in self.kernel.model.constraints:
            if isinstance(one, Connection):
                parts = self._connection(one, y[: self.kernel.nq])
                e.append(parts[0])
                J.append(parts[1])
        if others:
            terms = self.system.terms(self.t, y)
            extent = self.system.row_sizes(terms.A, self.sizes)[others]
            weight = np.where(extent > 0, 1.0 / np.where(extent > 0, extent, 1.0), 0.0)
            e.append(weight * self.system.residual(self.t, y)[0][others])
            J.append(weight[:, None] * terms.A[others])
        return np.concatenate(e), (np.vstack(J) * self.sizes)[:, self.free]

    def _connection(self, c: Connection, q: Vector) -> tuple[Vector, Vector]:
        k, closure = self.kernel, c.closure()
        (R1, p1), (R2, p2) = (k.placement(one, q, self.t) for one in (c.first, c.second))
        J1, J2 = (np.asarray(k.jacobian(one, q, t=self.t)) for one in (c.first, c.second))
        turning = J2[3:] - J1[3:]
        across = np.array([np.cross(w, p2 - p1) for w in J1[3:].T]).T.reshape(3, -1)
        moving = J2[:3] - J1[:3] - across
        along = np.array(closure.along, dtype=float).reshape(-1, 3) @ R1.T
        e, J = [along @ (p2 - p1) / self.length], [along @ moving / self.length]
        if closure.orientation:
            e.append(rotation_vector(R2 @ R1.T))
            J.append(turning)
        elif closure.sense is not None:
            a, b = (R @ np.array(axis, dtype=float) for R, axis in
                    ((R1, closure.sense.first), (R2, closure.sense.second)))  # fmt: skip
            e.append(_between(a, b))
            J.append(turning - np.outer(a, a @ turning))
        return np.concatenate(e), np.vstack(J)


def _between(a: Vector, b: Vector) -> Vector:
    """The rotation vector that takes the unit vector a to b by the shortest way."""
    n = np.cross(a, b)
    sine, cosine = float(np.linalg.norm(n)), float(a @ b)
    if sine > 1e-9:
        turned: Vector = n * (np.arctan2(sine, cosine) / sine)
        return turned
    if cosine > 0:
        return n
    other = np.eye(3)[int(np.argmin(np.abs(a)))]
    aside: Vector = np.cross(a, other)
    return aside * (np.pi / float(np.linalg.norm(aside)))


def pulled(
    kernel: Kernel, system: ConstrainedNumbers, t: float, y: Vector, sizes: Vector, free: NDArray[np.bool_] | None
) -> Vector | None:
    """y with the frames of its connections pulled together; None where there are none, or where it does not succeed."""
    if not any(isinstance(one, Connection) for one in kernel.model.constraints):
        return None
    others, at = [], 0
    for one in kernel.model.constraints:
        count = len(list(rows_of(one, kernel.dynamics.full.motion)))
        if not isinstance(one, Connection):
            others += [k for k in range(at, at + count) if k in system.holonomic]
        at += count
    everything = np.ones(kernel.nv, dtype=bool)
    length = max((float(np.linalg.norm(p)) for _, p in kernel.poses(y[: kernel.nq], t).values()), default=0.0) or 1.0
    pull = Pull(kernel, system, t, sizes, length, everything if free is None else free)
    damping = 1e-3
    e, J = pull.error(y, others)
    for _ in range(STEPS):
        if np.linalg.norm(e) < CLOSE:
            return y
        H = J.T @ J
        step = np.zeros(kernel.nv)
        scale = damping * float(np.trace(H)) / max(len(H), 1) + 1e-300
        step[pull.free] = np.linalg.solve(H + scale * np.eye(len(H)), -J.T @ e)
        step *= min(1.0, 0.3 / max(float(np.max(np.abs(step), initial=0.0)), 1e-300))
        moved = system.moved(t, y, step * sizes)
        there, slope = pull.error(moved, others)
        if np.linalg.norm(there) < np.linalg.norm(e):
            y, e, J, damping = moved, there, slope, max(damping / 5, 1e-12)
        else:
            damping *= 5
            if damping > 1e8:
                return None
    return y if np.linalg.norm(e) < 1e-3 else None
