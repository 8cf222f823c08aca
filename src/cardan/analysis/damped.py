"""Modes of damped and gyroscopic systems: x = Re(phi exp(s t)), a complex shape for each pair of eigenvalues.

Where damping is not proportional, or something turns, places no longer pass through rest together: the phases of a
shape say how much earlier or later each does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eig

from cardan.analysis.linear import Linearization
from cardan.native.showing import Shown, heading, table

Vector = NDArray[np.float64]
Complex = NDArray[np.complex128]

REAL = 1e-9  # of the largest eigenvalue: an imaginary part below it is rounding


@dataclass(frozen=True, eq=False, repr=False)
class DampedModes(Shown):
    """Motions x = Re(phi exp(s t)) next to a rest, the slowest first; what creeps (s real) comes before what rings.

    The largest number of each shape is 1, so that phases are told from what moves most. From ``q0 + Re(phi)`` with the
    rates ``Re(s phi)`` small motions go on in one mode alone.
    """

    names: list[str]
    values: Complex  # s, with Im(s) >= 0
    shapes: Complex  # displacements of all coordinates, one column each

    @property
    def frequencies(self) -> Vector:
        """Im(s), in radians per unit of time; zero for what creeps."""
        return np.asarray(self.values.imag)

    @property
    def ratios(self) -> Vector:
        """Damping ratios -Re(s) / |s|; nan for rigid motions."""
        size = np.abs(self.values)
        return np.asarray(np.divide(-self.values.real, size, out=np.full(len(size), np.nan), where=size > 0))

    @property
    def phases(self) -> Vector:
        """How far each place is ahead of what moves most, in radians, one column for each mode."""
        return np.angle(self.shapes)

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        said = ", ".join(f"{s.real:.4g}{s.imag:+.4g}i" for s in self.values[:6])
        return f"DampedModes({said}{', ...' if len(self) > 6 else ''})"

    def _pieces(self) -> Iterator[str]:
        yield heading(f"{len(self)} damped mode{'s' * (len(self) != 1)}")
        rows = [
            (k, f"{s.real:.6g}{s.imag:+.6g}i", *(f"{abs(x):.4g} at {np.degrees(np.angle(x)):.4g} deg" for x in shape))
            for k, (s, shape) in enumerate(zip(self.values.tolist(), self.shapes.T.tolist(), strict=True))
        ]
        yield table(rows, ("mode", "s [1/s]", *self.names))


def damped_modes(lin: Linearization) -> DampedModes:
    """Eigenvectors of the state matrix, as displacements of every coordinate; one of each conjugate pair."""
    names = lin.place.names
    if not len(lin.A):
        return DampedModes(names, np.zeros(0, complex), np.zeros((len(names), 0), complex))
    values, X = eig(lin.A)
    values = np.where(np.abs(values.imag) <= REAL * np.max(np.abs(values)), values.real, values)
    kept = np.flatnonzero(values.imag >= 0)
    kept = kept[np.lexsort((-values[kept].real, values[kept].imag))]
    shapes = lin.T[: len(names)] @ X[:, kept]
    largest = shapes[np.argmax(np.abs(shapes), axis=0), np.arange(len(kept))]
    return DampedModes(names, values[kept], shapes / np.where(largest == 0, 1.0, largest))
