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

from cardan.native.deadline import check

Vector = NDArray[np.float64]
Function = Callable[[Vector], Vector]

SEED = 20170130
STARTS = 40
STEPS = 40
ZERO = 1e-11  # of the typical size of a function over the box
SINGULAR = 1e-8  # smallest singular value that still counts, relative to the largest of the scaled matrix
APART = 1e-4  # of the box; double roots are found to half the digits
CLOSE = 1e-3  # of the box: how far around a point of a set its dimension is looked for
FILLED = 0.03  # of that: a direction that points of the set have gone; curvature bends them by CLOSE of it
DIFFERENCE = 1e-6  # of the box; central differences lose half the digits, enough for a direction


def cloud(box: Vector, count: int, seed: int = SEED) -> Vector:
    """Points of the box; the time (last) is not negative."""
    rng = np.random.default_rng(seed)
    points: Vector = rng.uniform(-1.0, 1.0, (count, len(box))) * box
    points[:, -1] = np.abs(points[:, -1])
    return points


def jacobian(f: Function, x: Vector, box: Vector) -> Vector:
    """df/dx by central differences, in units of the box; the time is held where its width is zero."""
    columns = []
    for k in range(_counted(box)):
        step = np.zeros_like(x)
        step[k] = DIFFERENCE * box[k]
        columns.append((f(x + step) - f(x - step)).ravel() / 2)
    return np.array(columns).T / DIFFERENCE


def _counted(box: Vector) -> int:
    """Entries of x that change: coordinates, and the time where it matters."""
    return len(box) if box[-1] > 0 else len(box) - 1


def moved_by(x: Vector, step: Vector, box: Vector) -> Vector:
    """x moved by a step in units of the box."""
    found = x.copy()
    found[: len(step)] += step * box[: len(step)]
    return found


def roots(f: Function, box: Vector, starts: int = STARTS, seed: int = SEED) -> list[Vector]:
    """Points of the box where f = 0; none where it does not vanish there."""
    sizes = typical_sizes(f, box)
    found = []
    for x in cloud(box, starts, seed):
        y = newton(f, x, box, sizes)
        if y is not None:
            found.append(y)
    return found


def typical_sizes(f: Function, box: Vector) -> Vector:
    """Typical size of each component of f over the box; 1 where it vanishes."""
    values = np.array([f(x) for x in cloud(box, 16, SEED + 1)])
    typical = np.sqrt(np.nanmedian(values**2, axis=0))
    return np.where(typical > 0, typical, 1.0)


def newton(f: Function, x: Vector, box: Vector, sizes: Vector) -> Vector | None:
    """The zero of f reached from x by damped Gauss-Newton steps, or None."""

    def g(y: Vector) -> Vector:
        return f(y) / sizes

    value = g(x)
    error = float(np.linalg.norm(value))
    for _ in range(STEPS):
        check()
        if error <= ZERO**2:
            break
        slopes = jacobian(g, x, box)
        if not (np.all(np.isfinite(slopes)) and np.isfinite(error)):
            return None
        step: Vector = np.linalg.lstsq(slopes, -value, rcond=1e-9)[0].astype(float)
        length = float(np.max(np.abs(step), initial=0.0))
        factor = min(1.0, 0.5 / length) if length > 0 else 1.0
        while factor > 1e-3:
            moved = moved_by(x, factor * step, box)
            new = g(moved)
            size = float(np.linalg.norm(new))
            if size < error:
                break
            factor /= 4
        else:
            break
        x, value, error = moved, new, size
    return x if error <= ZERO else None


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
    stack = np.array([one for one in (matrix(x) for x in points) if np.all(np.isfinite(one))])
    if not stack.size:
        return Ranked(matrix, np.ones(1), np.ones(1), 0, 1.0, tolerance)
    columns = np.sqrt(np.mean(np.sum(stack**2, axis=1), axis=0))
    columns = np.where(columns > 0, columns, 1.0)
    rows = np.sqrt(np.mean(np.sum((stack / columns) ** 2, axis=2), axis=0))
    rows = np.where(rows > 0, rows, 1.0)
    values = np.array([np.linalg.svd(one / columns / rows[:, None], compute_uv=False) for one in stack])
    size = float(np.median(values[:, 0])) or 1.0
    rank = int(np.max(np.sum(values > tolerance * size, axis=1)))
    return Ranked(matrix, columns, rows, rank, size, tolerance)


def traced(which: Ranked, also: Function | None, box: Vector, starts: int = STARTS) -> list[Vector]:
    """Points where the rank drops (and ``also`` vanishes)."""
    return list(one_by_one(which, also, box, starts))


def one_by_one(which: Ranked, also: Function | None, box: Vector, starts: int) -> Iterator[Vector]:
    """The same as they are found."""
    for start in cloud(box, starts):
        x = _to_singular(which, also, start, box)
        if x is not None:
            yield x


def _to_singular(which: Ranked, also: Function | None, x: Vector, box: Vector) -> Vector | None:
    """The point reached from x by Newton steps on s = |B v| = 0, v the direction of the deciding singular value s.

    |B v|^2 is smooth where s is not, and ds = d|B v|^2 / 2 s.
    """
    error, value, slopes = _deciding(which, also, x, box)
    for _ in range(STEPS):
        check()
        if error <= 1e-12 or not (np.isfinite(error) and np.all(np.isfinite(slopes))):
            break
        step: Vector = np.linalg.lstsq(slopes, -value, rcond=1e-9)[0].astype(float)
        length = float(np.max(np.abs(step), initial=0.0))
        factor = min(1.0, 0.5 / length) if length > 0 else 1.0
        while factor > 1e-3:
            moved = moved_by(x, factor * step, box)
            new = _deciding(which, also, moved, box)
            if new[0] < error:
                break
            factor /= 4
        else:
            break
        x, (error, value, slopes) = moved, new
    zero = also is None or bool(np.linalg.norm(also(x)) < 1e-9)
    return x if which.is_singular(x) and zero else None


def _deciding(which: Ranked, also: Function | None, x: Vector, box: Vector) -> tuple[float, Vector, Vector]:
    """Size and slopes of the deciding singular value, with ``also`` below it."""
    matrix = which.scaled(x)
    if not np.all(np.isfinite(matrix)):
        return np.inf, np.zeros(1), np.zeros((1, _counted(box)))
    _, s, vt = np.linalg.svd(matrix, full_matrices=True)
    v, size = vt[which.rank - 1], float(s[which.rank - 1]) / which.size
    squares = jacobian(lambda y: np.array([np.sum((which.scaled(y) @ v) ** 2)]) / which.size**2, x, box)
    value, slopes = np.array([size]), squares / (2 * max(size, 1e-300))
    if also is not None:
        rest = also(x)
        value, slopes = np.concatenate([value, rest]), np.vstack([slopes, jacobian(also, x, box)])
    return float(np.linalg.norm(value)), value, slopes


def dimension_along(back: Callable[[Vector], Vector | None], x: Vector, box: Vector) -> int | None:
    """Dimension of a set through x: how many directions its points around x fill; None where too few are found.

    ``back`` brings a point close by to the set. The slopes of its equations at x do not tell: where constraints lose
    rank, their slopes depend on each other on the very set that is asked for.
    """
    rng = np.random.default_rng(SEED)
    n = _counted(box)
    gone = []
    for step in CLOSE * rng.uniform(-1.0, 1.0, (2 * n + 4, n)):
        y = back(moved_by(x, step, box))
        if y is not None:
            change = (y - x)[:n] / box[:n]
            if np.max(np.abs(change)) < 10 * CLOSE:
                gone.append(change)
    if len(gone) < n:
        return None
    s = np.linalg.svd(np.array(gone), compute_uv=False)
    return int(np.sum(s > FILLED * CLOSE * np.sqrt(len(gone))))


def to_singular(which: Ranked, also: Function | None, box: Vector) -> Callable[[Vector], Vector | None]:
    """What brings a point to where the rank drops (and ``also`` vanishes)."""
    return lambda x: _to_singular(which, also, x, box)


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
    return _counted(box) - rank


def distinct(points: Sequence[Vector], box: Vector, angles: Sequence[int], most: int = 12) -> list[Vector]:
    """Points that differ by more than APART, angles brought to (-pi, pi]; the time counts where it matters."""
    kept: list[Vector] = []
    n = _counted(box)
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
