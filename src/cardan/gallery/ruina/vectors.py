"""Rotations as the notes write them, in numbers: typed in here so that checks do not lean on Cardan's own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def skew(a: Sequence[float] | Array) -> Array:
    """S(a) of 1/30: S(a) v = a x v."""
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]], dtype=np.float64)


def about(n: Sequence[float] | Array, angle: float) -> Array:
    """R = n n + cos(angle) (1 - n n) + sin(angle) S(n), 1/28 and 1/30."""
    dyad = np.outer(n, n)
    return np.asarray(dyad + np.cos(angle) * (np.eye(3) - dyad) + np.sin(angle) * skew(n))


def random_axes(count: int, seed: int = 28) -> list[tuple[Array, float, Array]]:
    """(unit axis, angle below pi, vector)."""
    draw = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        axis = draw.normal(size=3)
        found.append((axis / np.linalg.norm(axis), float(draw.uniform(0.1, 3.0)), draw.uniform(-1, 1, 3)))
    return found
