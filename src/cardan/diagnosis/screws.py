"""Primary velocity constraints as wrenches: why they depend on each other, in words (Briggs, Theorems 4.4 to 4.6).

Each row of a constraint acts on a body by a force at a place or by a moment: a wrench (f, m about the origin). Rows on
one body are dependent exactly when their wrenches are, and the motions they leave free are the screws reciprocal to
all of them: v . f + w . m = 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.cloud import Cloud
from cardan.graph import evaluate

Vector = NDArray[np.float64]

SAME = 1e-8


@dataclass(frozen=True)
class Screw:
    """A line in space with a pitch: translation per radian along it (infinite for a pure translation)."""

    axis: Vector
    point: Vector
    pitch: float

    def __str__(self) -> str:
        a = "(" + ", ".join(f"{x:.3g}" for x in self.axis) + ")"
        if not np.isfinite(self.pitch):
            return f"translation along {a}"
        p = "(" + ", ".join(f"{x:.3g}" for x in self.point) + ")"
        return f"rotation about {a} through {p}" + (f" with pitch {self.pitch:.3g}" if abs(self.pitch) > SAME else "")


def wrenches(cloud: Cloud, rows: tuple[str, ...], body: str | None = None) -> dict[str, Vector]:
    """(force, moment about the world's origin) of each named row on its first body (or on ``body``)."""
    d = cloud.kernel.dynamics
    known = dict(zip(d.q, cloud.y[: cloud.kernel.nq], strict=True))
    known |= dict(zip(d.v, np.zeros(cloud.n), strict=True))
    known |= dict(zip(d.p, cloud.p, strict=False))
    known |= {d.t: cloud.t}
    found: dict[str, Vector] = {}
    for row in d.full.rows:
        actions = [one for one in row.actions if body is None or one.frame.name == body]
        if row.name not in rows or not actions:
            continue
        action = actions[0]
        parts = d.impose([*action.direction, *(action.place or (0, 0, 0))])
        numbers = np.array([float(x) for x in evaluate(parts, known)])
        direction, place = numbers[:3], numbers[3:]
        if action.kind == "force":
            found[row.name] = np.concatenate([direction, np.cross(place, direction)])
        else:
            found[row.name] = np.concatenate([np.zeros(3), direction])
    return found


def reciprocal_screws(matrix: Vector) -> list[Screw]:
    """A basis of the motions that all wrenches (rows f, m) leave free: 6 - rank of them, each as a screw."""
    scaled = matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-300)
    _, s, vt = np.linalg.svd(scaled)
    rank = int(np.sum(s > SAME * s[0])) if len(s) and s[0] > 0 else 0
    return [screw(twist[3:], twist[:3]) for twist in vt[rank:]]


def screw(w: Vector, v: Vector) -> Screw:
    """The screw of a motion: angular velocity w, velocity v of the point at the origin."""
    size = float(np.linalg.norm(w))
    if size <= SAME * float(np.linalg.norm(v)):
        return Screw(v / np.linalg.norm(v), np.zeros(3), np.inf)
    return Screw(w / size, np.cross(w, v) / size**2, float(w @ v) / size**2)


def geometric_reason(cloud: Cloud, rows: tuple[str, ...]) -> str:
    """Why these rows depend on each other, in words."""
    found = wrenches(cloud, rows)
    if len(found) < 2:
        return "their gradients are linearly dependent here"
    names = list(found)
    matrix = np.array([found[name] for name in names])
    if len(found) == 2:
        return _pair(names, matrix)
    free = reciprocal_screws(matrix)
    excess = len(free) - max(6 - len(found), 0)
    if excess > 0:
        listed = "; ".join(str(one) for one in free[:4])
        return (
            f"the {len(found)} constraint wrenches span only {6 - len(free)} dimensions, so {len(free)} reciprocal "
            f"screws remain instead of {max(6 - len(found), 0)}: {listed}"
        )
    return "their gradients are linearly dependent here"


def _pair(names: list[str], matrix: Vector) -> str:
    """Two rows: parallel moments (Theorem 4.4), or forces along one line (Theorem 4.5)."""
    (f1, m1), (f2, m2) = ((row[:3], row[3:]) for row in matrix)
    if not (np.any(f1) or np.any(f2)):
        return f"the axes of {names[0]!r} and {names[1]!r} are parallel"
    if np.linalg.norm(np.cross(f1, f2)) <= SAME * np.linalg.norm(f1) * np.linalg.norm(f2):
        gap = m1 * np.linalg.norm(f2) - m2 * np.linalg.norm(f1) * np.sign(f1 @ f2)
        if np.linalg.norm(gap) <= SAME * max(float(np.linalg.norm(m1)), float(np.linalg.norm(m2)), 1.0):
            return f"{names[0]!r} and {names[1]!r} act along the same line"
        return f"the directions of {names[0]!r} and {names[1]!r} are parallel"
    return "their gradients are linearly dependent here"
