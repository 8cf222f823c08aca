"""Whether a map reaches a place twice: coordinates are then no factors, even where the metric is regular everywhere.

A metric tells how a set is swept near each value of the coordinates, not whether sheets that are far apart in the
coordinates meet. So pairs of values with the same image are sought, by Gauss-Newton steps from many pairs at random.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.native.deadline import check

Vector = NDArray[np.float64]

PAIRS = 60
STEPS = 25
APART = 0.2  # radians, or of the range searched: closer values are one
RANGE = 3.0  # of coordinates that do not turn
MET = 1e-9  # of the size of the image: a distance that counts as none
FLAT = 1e-3  # of the largest: where the metric is as small as this the map shrinks, which is another matter


def reached_twice(
    image: sp.Matrix, slopes: sp.Matrix, coordinates: Sequence[sp.Symbol], kinds: Mapping[sp.Symbol, str]
) -> str | None:
    """A sentence about two values of the coordinates that give one place; None where none were found."""
    f, J = (sp.lambdify(list(coordinates), one, modules="numpy", dummify=True) for one in (image, slopes))
    turning = np.array([kinds[q] == "S1" for q in coordinates])
    rng = np.random.default_rng(8)
    n = len(coordinates)
    wide = np.where(turning, np.pi, RANGE)
    for start in rng.uniform(-1.0, 1.0, (PAIRS, 2 * n)) * np.tile(wide, 2):
        check()
        met = _meeting(f, J, start, n)
        if met is None:
            continue
        x, y = met
        apart = np.where(turning, (x - y + np.pi) % (2 * np.pi) - np.pi, x - y)
        if np.max(np.abs(apart)) > APART and _is_regular(J(*x)) and _is_regular(J(*y)):
            names = ", ".join(map(str, coordinates))
            return f"({names}) = {_text(x)} and {_text(y)} give the same place"
    return None


def _meeting(f: Callable[..., Vector], J: Callable[..., Vector], start: Vector, n: int) -> tuple[Vector, Vector] | None:
    """Values x and y with f(x) = f(y), reached from a pair; None where the steps lead nowhere."""
    z = start.copy()
    for _ in range(STEPS):
        a, b = (np.asarray(f(*part), dtype=float).ravel() for part in (z[:n], z[n:]))
        size = max(float(np.max(np.abs(a))), 1e-300)
        if np.max(np.abs(a - b)) <= MET * size:
            return z[:n], z[n:]
        slopes = np.hstack([np.asarray(J(*z[:n]), dtype=float), -np.asarray(J(*z[n:]), dtype=float)])
        step = np.linalg.lstsq(slopes, b - a, rcond=1e-9)[0]
        z = z + step * min(1.0, 0.5 / max(float(np.max(np.abs(step))), 1e-300))
    return None


def _is_regular(slopes: object) -> bool:
    s = np.linalg.svd(np.asarray(slopes, dtype=float), compute_uv=False)
    return bool(s[-1] > FLAT * s[0])


def _text(x: Vector) -> str:
    return "(" + ", ".join(f"{value:.3g}" for value in x) + ")"
