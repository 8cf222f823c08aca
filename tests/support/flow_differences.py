"""Linear equations from runs alone: differences of the flow about a fixed point of it, on the constraints.

States next to the fixed point are moved in every direction of the ambient space and brought back to the constraints,
which leaves as many independent directions as there are freedoms: their number is measured, not taken from a count.
Run for a while T, they give the derivative of the flow, whose eigenvalues are exp(lambda T) in whatever chart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from cardan.singular.projection import project_position, project_velocity

Vector = NDArray[np.float64]

# Central differences of order eight, and of order six from the same runs: weights of x(k h) - x(-k h), k = 1..4. How
# much they differ tells, without knowing the answer, how far the steps may be trusted.
WEIGHTS = np.array([[4 / 5, -1 / 5, 4 / 105, -1 / 280], [3 / 4, -3 / 20, 1 / 60, 0.0]])
STEPS = (4e-3, 1e-3, 2.5e-4)  # from coarse to fine, until both orders agree
AGREED = 2e-9  # of both orders, as rates; the finer one is better still
FREE = 1e-6  # of the largest singular value of the starts: less is a direction that constraints forbid


@dataclass(frozen=True)
class Flow:
    """The derivative of the flow over ``span``, reduced to the directions that constraints allow."""

    matrix: Vector
    span: float
    singular_values: Vector  # of the starts: those of freedoms, then a gap, then those of what is forbidden
    uncertainty: float  # of eigenvalues, as rates: by how much two orders of differences disagree
    drift: float  # how far the state itself has gone after the span: nothing, where it is a fixed point

    @property
    def freedoms(self) -> int:
        return len(self.matrix)

    @property
    def multipliers(self) -> NDArray[np.complex128]:
        """exp(lambda span) of each eigenvalue lambda."""
        return np.linalg.eigvals(self.matrix)


def flow(system: Any, place: Any, span: float, signals: dict[str, Any]) -> Flow:
    """Differences of the motion over a span, from the states next to a rest (or relative rest)."""
    best: Flow | None = None
    for h in STEPS:
        found = _differences(system, place, span, signals, h)
        best = found if best is None or found.uncertainty < best.uncertainty else best
        if best.uncertainty < AGREED:
            break
    assert best is not None
    return best


def _differences(system: Any, place: Any, span: float, signals: dict[str, Any], h: float) -> Flow:
    numbers, n = place.kernel.numbers(place.p), place.kernel.nv
    table = np.zeros((2, 2, 2 * n, 2 * n))  # order of the difference; begin or end; component; direction
    for j in range(2 * n):
        for k in range(4):
            for sign in (1, -1):
                y = _moved(numbers, place, j, sign * (k + 1) * h)
                states = _after(system, y, place, span, signals)
                for which, elapsed in enumerate((0.0, span)):
                    x = _chart(place, states[which], elapsed)
                    table[:, which, :, j] += np.outer(sign * WEIGHTS[:, k] / h, x)
    drift = float(np.max(np.abs(_chart(place, _after(system, place.y, place, span, signals)[-1], span))))
    (begin, end), (rough_begin, rough_end) = table
    U, s, Vt = np.linalg.svd(begin)
    free = int(np.sum(s > FREE * s[0]))
    U, Vt = U[:, :free], Vt[:free]
    matrix = U.T @ end @ Vt.T / s[:free]
    rough = U.T @ rough_end @ Vt.T @ np.linalg.inv(U.T @ rough_begin @ Vt.T)
    off = apart(np.linalg.eigvals(rough), np.linalg.eigvals(matrix))
    return Flow(matrix, span, s, float(np.max(off, initial=0.0)) / span, drift)


def _after(system: Any, y: Vector, place: Any, span: float, signals: dict[str, Any]) -> Vector:
    """The state at the begin and the end of a run."""
    nq, times = place.kernel.nq, [place.t, place.t + span]
    run = system.simulate(
        span, q=y[:nq], v=y[nq:], t0=place.t, times=times, rtol=1e-13, atol=1e-15, chart="typed", **signals
    )
    return np.hstack([run.q, run.v])


def _moved(numbers: Any, place: Any, j: int, step: float) -> Vector:
    """The state moved along one displacement or velocity, and brought back to the constraints."""
    n, nq = place.kernel.nv, place.kernel.nq
    direction = np.zeros(2 * n)
    direction[j] = step
    y = numbers.moved(place.t, place.y, direction[:n])
    y[nq:] += direction[n:]
    if not place.kernel.m:
        return np.asarray(y)
    closed = project_position(numbers, place.t, y, place.sizes)
    assert closed is not None
    return np.asarray(project_velocity(numbers, place.t, closed, place.sizes))


def _chart(place: Any, y: Vector, elapsed: float) -> Vector:
    """Displacements from the fixed point, where coordinates go on at its rates; a quaternion's are its logarithm."""
    kernel, q0 = place.kernel, place.q
    moved = place.v * elapsed if kernel.nq == kernel.nv else np.zeros(kernel.nq)
    out, at = [], 0
    while at < kernel.nq:
        if at in kernel.quaternions:
            out += list(_turn(q0[at : at + 4], y[at : at + 4]))
            at += 4
        else:
            out.append(y[at] - q0[at] - moved[at])
            at += 1
    return np.concatenate([out, y[kernel.nq :] - place.v])


def _turn(a: Vector, b: Vector) -> Vector:
    """The rotation vector from one unit quaternion to another."""
    w = a @ b
    vector = a[0] * b[1:] - b[0] * a[1:] - np.cross(a[1:], b[1:])
    if w < 0:
        w, vector = -w, -vector
    length = float(np.linalg.norm(vector))
    return 2 * vector if length == 0 else 2 * np.arctan2(length, w) * vector / length


def apart(found: NDArray[np.complex128], expected: NDArray[np.complex128]) -> Vector:
    """Differences of two sets of eigenvalues, each paired with its nearest so that the sum is least."""
    distance = np.abs(np.subtract.outer(expected, found))
    return np.asarray(distance[linear_sum_assignment(distance)])
