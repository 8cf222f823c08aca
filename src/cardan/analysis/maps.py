"""Root loci and maps of stability: eigenvalues over one parameter, followed by shape, and growth over two."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from cardan.analysis.grid import Complex, Flags, Grid, Vector, state_matrices, zeros_everywhere
from cardan.errors import ModelError
from cardan.native.once import once
from cardan.native.showing import Shown

MARGIN = 1e-8  # of the largest eigenvalue: real parts below it are rounding
TOUCH = 1e-9  # of their largest gap: frequencies that near are the same
LOOK = 3.0  # times their least gap: how far apart two modes are before and behind a veering
EXCHANGED = 0.5  # how much of its shape one mode has taken from the other, at least


@dataclass(frozen=True)
class Meeting(Shown):
    """Two modes that come near each other: they cross and keep their shapes, or veer and exchange them."""

    kind: str
    value: float
    modes: tuple[int, int]
    gap: float


@dataclass(frozen=True, eq=False)
class RootLocus(Shown):
    """Eigenvalues along a parameter: row k belongs to values[k], and a column follows one of them by its shape.

    ``shapes[k, :, j]`` is the right eigenvector of eigenvalue j in the states ``names``. Where no rest was found, nan.
    """

    grid: Grid
    eigenvalues: Complex
    shapes: Complex

    @property
    def parameter(self) -> str:
        return self.grid.names[0]

    @property
    def values(self) -> Vector:
        return self.grid.values[0]

    @property
    def q(self) -> Vector:
        """The rest at each value."""
        return self.grid.states.y[:, : self.grid.place.kernel.nq]

    @property
    def growth(self) -> Vector:
        """The largest real part at each value."""
        return np.asarray(self.eigenvalues.real.max(axis=1))

    @property
    def is_stable(self) -> Flags:
        """Whether no eigenvalue grows."""
        return np.asarray(self.growth <= MARGIN * np.nanmax(np.abs(self.eigenvalues)))

    @once
    def frequencies(self) -> Vector:
        """Imaginary parts of the oscillating ones that are positive, a column for each mode that oscillates
        somewhere."""
        turning = [j for j in range(self.eigenvalues.shape[1]) if np.nanmax(self.eigenvalues[:, j].imag) > 0]
        kept = [j for j in turning if np.nanmedian(self.eigenvalues[:, j].imag) >= 0]
        found = self.eigenvalues[:, kept].imag
        return np.asarray(np.where(found > 0, found, np.nan)[:, np.argsort(found[0])])

    @once
    def meetings(self) -> tuple[Meeting, ...]:
        """Crossings and veerings of frequencies along the parameter."""
        return _meetings(self)


@dataclass(frozen=True, eq=False)
class StabilityMap(Shown):
    """Growth over two parameters: ``growth[i, j]`` belongs to x[i] and y[j]; nan where there is no rest.

    ``oscillates`` tells whether the eigenvalue that grows most oscillates: flutter where it grows, not divergence.
    """

    grid: Grid
    growth: Vector
    frequency: Vector
    scale: float

    @property
    def names(self) -> tuple[str, str]:
        return self.grid.names[0], self.grid.names[1]

    @property
    def x(self) -> Vector:
        return self.grid.values[0]

    @property
    def y(self) -> Vector:
        return self.grid.values[1]

    @property
    def is_stable(self) -> Flags:
        """Whether no eigenvalue grows; False where there is no rest."""
        return np.asarray(self.growth <= MARGIN * self.scale)

    @property
    def kinds(self) -> NDArray[np.str_]:
        """At each point: "damped", "neutral", "flutter", "divergence" or "none"."""
        margin = MARGIN * self.scale
        grows = np.where(self.frequency > margin, "flutter", "divergence")
        found = np.where(self.growth > margin, grows, np.where(self.growth < -margin, "damped", "neutral"))
        return np.asarray(np.where(np.isnan(self.growth), "none", found))


def root_locus(found: Grid) -> RootLocus:
    """Eigenvalues along one parameter."""
    if len(found.names) != 1:
        raise ModelError(f"A root locus has one parameter, found {len(found.names)}: {', '.join(found.names)}.")
    A = state_matrices(found)
    values, vectors = np.full(A.shape[:2], np.nan, dtype=complex), np.full(A.shape, np.nan, dtype=complex)
    rows = np.flatnonzero(found.found & np.isfinite(A).all(axis=(1, 2)))
    values[rows], vectors[rows] = np.linalg.eig(A[rows])
    for before, here in pairwise(rows):
        order = _matched(values[before], vectors[before], values[here], vectors[here])
        values[here], vectors[here] = values[here][order], vectors[here][:, order]
    return RootLocus(found, values, vectors)


def _matched(a: Complex, X: Complex, b: Complex, Y: Complex) -> NDArray[np.intp]:
    """Which of the eigenvalues b goes on with each of a: near it, and of the same shape."""
    scale = max(float(np.max(np.abs(a), initial=0.0)), 1e-300)
    apart = np.abs(a[:, None] - b[None, :]) / scale
    return np.asarray(linear_sum_assignment(apart + 0.2 * (1 - _alike(X, Y)))[1])


def _alike(X: Complex, Y: Complex) -> Vector:
    """Squares of the cosines between shapes, 1 for the same."""
    return np.asarray(np.abs(X.conj().T @ Y) ** 2)


def stability_map(found: Grid) -> StabilityMap:
    """Growth over two parameters."""
    if len(found.names) != 2:
        raise ModelError(f"A map of stability has two parameters, found {len(found.names)}: {', '.join(found.names)}.")
    A = state_matrices(found)
    right = found.found & np.isfinite(A).all(axis=(1, 2))
    zeros = zeros_everywhere(A, right)
    growth, frequency = np.full(len(A), np.nan), np.full(len(A), np.nan)
    values = np.linalg.eigvals(A[right]) if right.any() else np.zeros((0, A.shape[1]), dtype=complex)
    values = np.take_along_axis(values, np.argsort(np.abs(values), axis=1), axis=1)[:, zeros:]
    if values.shape[1]:
        first = np.argmax(values.real, axis=1)[:, None]
        growth[right] = np.take_along_axis(values.real, first, axis=1)[:, 0]
        frequency[right] = np.abs(np.take_along_axis(values.imag, first, axis=1)[:, 0])
    scale = float(np.median(np.max(np.abs(values), axis=1))) if values.size else 1.0
    return StabilityMap(found, growth.reshape(found.shape), frequency.reshape(found.shape), scale)


# --- crossings and veerings ----------------------------------------------------------------------------


def _meetings(locus: RootLocus) -> tuple[Meeting, ...]:
    chosen = [j for j in range(locus.eigenvalues.shape[1]) if np.nanmin(locus.eigenvalues[:, j].imag) > 0]
    found = []
    for place, one in enumerate(chosen):
        for other in chosen[place + 1 :]:
            gap = locus.eigenvalues[:, other].imag - locus.eigenvalues[:, one].imag
            found += _crossings(locus.values, gap, (one, other))
            found += _veerings(locus, gap, (one, other))
    return tuple(sorted(found, key=lambda meeting: meeting.value))


def _crossings(values: Vector, gap: Vector, pair: tuple[int, int]) -> list[Meeting]:
    clear = np.flatnonzero(np.abs(gap) > TOUCH * np.nanmax(np.abs(gap), initial=0.0))  # not where they coincide
    x, y = values[clear], gap[clear]
    at = np.flatnonzero(y[:-1] * y[1:] < 0)
    shares = y[at] / (y[at] - y[at + 1])
    return [Meeting("crossing", float(one), pair, 0.0) for one in x[at] + shares * np.diff(x)[at]]


def _veerings(locus: RootLocus, gap: Vector, pair: tuple[int, int]) -> list[Meeting]:
    """Least gaps across which two modes exchange their shapes."""
    wide, one, other = np.abs(gap), *pair
    found = []
    for k in np.flatnonzero((wide[1:-1] < wide[:-2]) & (wide[1:-1] <= wide[2:])) + 1:
        before = np.flatnonzero(wide[:k] > LOOK * wide[k])
        behind = np.flatnonzero(wide[k:] > LOOK * wide[k])
        first = int(before[-1]) if len(before) else 0
        last = int(k + behind[0]) if len(behind) else len(wide) - 1
        if _alike(locus.shapes[first], locus.shapes[last])[one, other] > EXCHANGED:
            x, y = locus.values[k - 1 : k + 2], wide[k - 1 : k + 2]
            a, b, c = np.polyfit(x - x[1], y, 2)
            found.append(Meeting("veering", float(x[1] - b / (2 * a)), pair, float(c - b**2 / (4 * a))))
    return found
