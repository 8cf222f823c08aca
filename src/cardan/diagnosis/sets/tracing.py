"""Singular sets by numbers: points where functions vanish or a matrix loses rank, found from many starts and verified.

Everything is a function of x = (q, t). Starts are drawn from a box with a fixed seed, moved to the set by Gauss-Newton
steps, and kept where the singular values say so. Where nothing depends on time its width in the box is zero; else the
sets are sets of (q, t), and steps change the time as they change coordinates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.sets.fields import (
    DIFFERENCE,
    Field,
    Function,
    counted,
    descend,
    differences,
    field,
    in_parts,
    jacobian,
    jacobians,
    moved_by,
    newton,
)

Vector = NDArray[np.float64]
Back = Callable[[Vector], Sequence[Vector | None]]  # brings many places to a set

SEED = 20170130
STARTS = 40
TOGETHER = 12  # starts that go together
SINGULAR = 1e-8  # smallest singular value that still counts, relative to the largest of the scaled matrix
APART = 1e-4  # of the box; double roots are found to half the digits
CLOSE = 1e-3  # of the box: how far around a point of a set its dimension is looked for
FILLED = 0.03  # of that: a direction that points of the set have gone; curvature bends them by CLOSE of it
HELD = 1e-9  # of its typical size: what ``also`` may be at a point of a set


def cloud(box: Vector, count: int, seed: int = SEED) -> Vector:
    """Points of the box; the time (last) is not negative."""
    rng = np.random.default_rng(seed)
    points: Vector = rng.uniform(-1.0, 1.0, (count, len(box))) * box
    points[:, -1] = np.abs(points[:, -1])
    return points


def roots(f: Function, box: Vector, starts: int = STARTS, seed: int = SEED) -> list[Vector]:
    """Points of the box where f = 0; none where it does not vanish there."""
    found = newton(f, cloud(box, starts, seed), box, typical_sizes(f, box))
    return [x for x in found if x is not None]


def typical_sizes(f: Function, box: Vector) -> Vector:
    """Typical size of each component of f over the box; 1 where it vanishes."""
    values = field(f).many(cloud(box, 16, SEED + 1))
    typical = np.sqrt(np.nanmedian(values**2, axis=0))
    return np.where(typical > 0, typical, 1.0)


@dataclass(frozen=True)
class Ranked:
    """A matrix function with columns scaled by their typical size, and its generic rank over the box."""

    matrix: Function
    columns: Vector
    rows: Vector
    rank: int
    size: float  # of its largest singular value
    tolerance: float = SINGULAR

    def scaled(self, x: Vector) -> Vector:
        return self.matrix(x) / self.columns / self.rows[:, None]

    def scaled_at(self, xs: Vector) -> Vector:
        """The same at many places, (N, rows, columns)."""
        return field(self.matrix).many(xs) / self.columns / self.rows[:, None]

    def smallest(self, x: Vector) -> float:
        """The singular value that the generic rank needs, relative to the largest; infinite where there is none."""
        matrix = self.scaled(x)
        if not np.all(np.isfinite(matrix)):
            return np.inf
        return float(np.linalg.svd(matrix, compute_uv=False)[self.rank - 1] / self.size)

    def is_singular(self, x: Vector) -> bool:
        return self.smallest(x) < self.tolerance


def ranked(matrix: Function, points: Sequence[Vector], tolerance: float = SINGULAR) -> Ranked:
    """Column scales and generic rank from a cloud of points (feasible ones where there are constraints)."""
    stack = field(matrix).many(np.array(points, dtype=float)) if len(points) else np.zeros((0, 1, 1))
    stack = stack[np.all(np.isfinite(stack), axis=(1, 2))]
    if not stack.size:
        return Ranked(matrix, np.ones(1), np.ones(1), 0, 1.0, tolerance)
    columns = np.sqrt(np.mean(np.sum(stack**2, axis=1), axis=0))
    columns = np.where(columns > 0, columns, 1.0)
    rows = np.sqrt(np.mean(np.sum((stack / columns) ** 2, axis=2), axis=0))
    rows = np.where(rows > 0, rows, 1.0)
    values = np.linalg.svd(stack / columns / rows[:, None], compute_uv=False)
    size = float(np.median(values[:, 0])) or 1.0
    rank = int(np.max(np.sum(values > tolerance * size, axis=1)))
    return Ranked(matrix, columns, rows, rank, size, tolerance)


def traced(which: Ranked, also: Function | None, box: Vector, starts: int = STARTS) -> list[Vector]:
    """Points where the rank drops (and ``also`` vanishes)."""
    return list(one_by_one(which, also, box, starts))


def one_by_one(which: Ranked, also: Function | None, box: Vector, starts: int) -> Iterator[Vector]:
    """The same as they are found."""
    back = to_singular(which, also, box)
    for part in in_parts(cloud(box, starts), TOGETHER):
        yield from (x for x in back(part) if x is not None)


def to_singular(which: Ranked, also: Function | None, box: Vector) -> Back:
    """What brings places to where the rank drops (and ``also`` vanishes).

    By Newton steps on s = |B v| = 0, v the direction of the deciding singular value s. |B v|^2 is smooth where s is
    not, and ds = d|B v|^2 / 2 s. ``also`` is divided by its typical size.
    """
    rest = None if also is None else _sized(also, typical_sizes(also, box))

    def values(xs: Vector) -> Vector:
        size, _ = _deciding(which, xs)
        return size[:, None] if rest is None else np.hstack([size[:, None], rest.many(xs)])

    def slopes(xs: Vector) -> Vector:
        size, v = _deciding(which, xs)
        places = differences(xs, box)
        count, _, n, nx = places.shape
        moved = which.scaled_at(places.reshape(-1, nx)).reshape(count, 2, n, len(which.rows), -1)
        squares = np.sum(np.einsum("kdnij,kj->kdni", moved, v) ** 2, axis=-1) / which.size**2
        found = (squares[:, 0] - squares[:, 1])[:, None, :] / (4 * DIFFERENCE * np.maximum(size, 1e-300)[:, None, None])
        return found if rest is None else np.concatenate([found, jacobians(rest, xs, box)], axis=1)

    def back(xs: Vector) -> list[Vector | None]:
        if not len(xs):
            return []
        found, _ = descend(values, slopes, np.asarray(xs, dtype=float), box, 1e-12)
        zero = np.ones(len(found)) if rest is None else np.linalg.norm(rest.many(found), axis=1) < HELD
        return [x if good and which.is_singular(x) else None for x, good in zip(found, zero, strict=True)]

    return back


def _sized(f: Function, sizes: Vector) -> Field:
    """f divided by its typical sizes."""
    return Field(lambda xs: field(f).many(xs).reshape(len(xs), -1) / sizes)


def _deciding(which: Ranked, xs: Vector) -> tuple[Vector, Vector]:
    """The deciding singular value, relative to the largest, and its direction v; infinite where there is none."""
    matrices = which.scaled_at(xs)
    finite = np.all(np.isfinite(matrices), axis=(1, 2))
    _, s, vt = np.linalg.svd(np.where(finite[:, None, None], matrices, 0.0), full_matrices=True)
    return np.where(finite, s[:, which.rank - 1] / which.size, np.inf), vt[:, which.rank - 1]


def dimension_along(back: Back, x: Vector, box: Vector) -> int | None:
    """Dimension of a set through x: how many directions its points around x fill; None where too few are found.

    ``back`` brings points close by to the set. The slopes of its equations at x do not tell: where constraints lose
    rank, their slopes depend on each other on the very set that is asked for.
    """
    rng = np.random.default_rng(SEED)
    n = counted(box)
    gone = []
    steps = CLOSE * rng.uniform(-1.0, 1.0, (2 * n + 4, n))
    for y in back(moved_by(np.tile(x, (len(steps), 1)), steps, box)):
        if y is not None:
            change = (y - x)[:n] / box[:n]
            if np.max(np.abs(change)) < 10 * CLOSE:
                gone.append(change)
    if len(gone) < n:
        return None
    s = np.linalg.svd(np.array(gone), compute_uv=False)
    return int(np.sum(s > FILLED * CLOSE * np.sqrt(len(gone))))


def dimension_at(which: Ranked, also: Function | None, x: Vector, box: Vector) -> int:
    """Dimension of the singular set through x: freedoms left by U0^T B V0 = 0 (and ``also``) to first order."""
    u, _, vt = np.linalg.svd(which.scaled(x), full_matrices=True)
    k = which.rank - 1
    left, right = u[:, k:], vt[k:].T

    def block(y: Vector) -> Vector:
        inner = (left.T @ which.scaled(y) @ right).ravel()
        return inner if also is None else np.concatenate([inner, also(y)])

    slopes = np.nan_to_num(jacobian(block, x, box))
    singular = np.linalg.svd(slopes, compute_uv=False)
    rank = int(np.sum(singular > 1e-5 * max(1e-300, float(singular[0])))) if len(singular) else 0
    return counted(box) - rank


def distinct(points: Sequence[Vector], box: Vector, angles: Sequence[int], most: int = 12) -> list[Vector]:
    """Points that differ by more than APART, angles brought to (-pi, pi]; the time counts where it matters."""
    kept: list[Vector] = []
    n = counted(box)
    for point in points:
        x = point.copy()
        for k in angles:
            x[k] = np.pi - (np.pi - x[k]) % (2 * np.pi)
        if all(np.max(np.abs(_apart(x - y, angles))[:n] / box[:n], initial=0.0) > APART for y in kept):
            kept.append(x)
    return kept[:most]


def _apart(step: Vector, angles: Sequence[int]) -> Vector:
    step = step.copy()
    for k in angles:
        step[k] = (step[k] + np.pi) % (2 * np.pi) - np.pi
    return step
