"""Functions of x = (q, t) at many places at once, their slopes, and the zeros that Gauss-Newton steps reach from there.

A search starts from many places. Going from all of them together costs about as much as going from one: each
evaluation is one call for all starts and all differences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.native.deadline import check

Vector = NDArray[np.float64]
Function = Callable[[Vector], Vector]

STEPS = 40
ZERO = 1e-11  # of the typical size of a function over the box
DIFFERENCE = 1e-6  # of the box; central differences lose half the digits, enough for a direction
ROWS = 1e-9  # slopes smaller than this part of the largest are none
SHORTEST = 1e-3  # of a step that is tried


@dataclass(frozen=True)
class Field:
    """A function of one x, shape (nx,), and of many, (N, nx) -> (N, ...)."""

    many: Function

    def __call__(self, x: Vector) -> Vector:
        found: Vector = self.many(np.asarray(x, dtype=float)[None])[0]
        return found


def field(f: Function) -> Field:
    """f for many places; one by one where it knows one only."""
    return f if isinstance(f, Field) else Field(lambda xs: np.array([f(x) for x in xs], dtype=float))


def counted(box: Vector) -> int:
    """Entries of x that change: coordinates, and the time where it matters."""
    return len(box) if box[-1] > 0 else len(box) - 1


def moved_by(x: Vector, step: Vector, box: Vector) -> Vector:
    """x moved by a step in units of the box; one or many."""
    found: Vector = x.copy()
    n = step.shape[-1]
    found[..., :n] += step * box[:n]
    return found


def differences(xs: Vector, box: Vector) -> Vector:
    """x + d and x - d for every x and every entry that changes, shape (N, 2, n, nx)."""
    n, size = counted(box), xs.shape[1]
    step = np.zeros((n, size))
    step[np.arange(n), np.arange(n)] = DIFFERENCE * box[:n]
    return np.asarray(xs[:, None, None, :] + np.stack([step, -step])[None], dtype=float)


def jacobians(f: Function, xs: Vector, box: Vector) -> Vector:
    """df/dx at many places by central differences, in units of the box, shape (N, m, n)."""
    places = differences(xs, box)
    count, _, n, size = places.shape
    values = field(f).many(places.reshape(-1, size)).reshape(count, 2, n, -1)
    slopes = (values[:, 0] - values[:, 1]) / (2 * DIFFERENCE)
    return np.asarray(np.swapaxes(slopes, 1, 2), dtype=float)


def jacobian(f: Function, x: Vector, box: Vector) -> Vector:
    """df/dx at one place."""
    found: Vector = jacobians(f, x[None], box)[0]
    return found


def descend(values: Function, slopes: Function, xs: Vector, box: Vector, goal: float) -> tuple[Vector, Vector]:
    """Places that damped Gauss-Newton steps reach from xs, all together, and the sizes of the values left there."""
    xs = xs.copy()
    value = values(xs)
    error = np.linalg.norm(value, axis=1)
    alive = np.arange(len(xs))
    for _ in range(STEPS):
        check()
        alive = alive[(error[alive] > goal) & np.isfinite(error[alive])]
        J = slopes(xs[alive]) if len(alive) else np.zeros((0, 1, 1))
        usable = np.all(np.isfinite(J), axis=(1, 2))
        alive, J = alive[usable], J[usable]
        if not len(alive):
            break
        step = -np.einsum("knm,km->kn", np.linalg.pinv(J, rcond=ROWS), value[alive])
        length = np.max(np.abs(step), axis=1, initial=0.0)
        factor = np.where(length > 0.5, 0.5 / np.maximum(length, 0.5), 1.0)
        while len(waiting := np.flatnonzero(factor > SHORTEST)):
            moved = moved_by(xs[alive[waiting]], factor[waiting, None] * step[waiting], box)
            new = values(moved)
            size = np.linalg.norm(new, axis=1)
            better = size < error[alive[waiting]]
            taken = alive[waiting[better]]
            xs[taken], value[taken], error[taken] = moved[better], new[better], size[better]
            factor[waiting] /= 4
            factor[waiting[better]] = 0.0  # arrived
        alive = alive[factor == 0.0]
    return xs, error


def newton(f: Function, xs: Sequence[Vector] | Vector, box: Vector, sizes: Vector) -> list[Vector | None]:
    """The zeros of f reached from many places, or None."""
    if not len(xs):
        return []
    g = Field(lambda ys: field(f).many(ys).reshape(len(ys), -1) / sizes)
    found, error = descend(g.many, lambda ys: jacobians(g, ys, box), np.array(xs, dtype=float), box, ZERO**2)
    return [x if e <= ZERO else None for x, e in zip(found, error, strict=True)]


def in_parts(xs: Vector, most: int) -> Iterator[Vector]:
    """Places, a few at a time, so that what was found is told where the time is up."""
    for k in range(0, len(xs), most):
        yield xs[k : k + most]
