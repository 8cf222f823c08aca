"""Eigenvalues of a state matrix whose zeros are taken out first.

A coordinate that nothing depends on gives two zeros chained together, which rounding would spread to +-1e-8. So the
null space is split off, and again from what is left, until nothing of it remains (a staircase): zeros are exact and
their chains are counted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import matrix_balance

Vector = NDArray[np.float64]
Complex = NDArray[np.complex128]

ZERO = 1e-11  # of the largest singular value of the balanced matrix


@dataclass(frozen=True)
class Spectrum:
    """All eigenvalues (the least damped first), and the sizes of the steps in which zeros were taken out."""

    eigenvalues: Complex
    steps: tuple[int, ...]  # null space of A, then of what is left, ...

    @property
    def zeros(self) -> int:
        return sum(self.steps)

    @property
    def is_chained(self) -> bool:
        """Whether neighbours drift away in proportion to time, or faster."""
        return len(self.steps) > 1

    @property
    def others(self) -> Complex:
        """The eigenvalues that are not zero."""
        return np.asarray(self.eigenvalues[self.eigenvalues != 0])


def spectrum(A: Vector) -> Spectrum:
    """The eigenvalues of A."""
    if not len(A):
        return Spectrum(np.zeros(0, dtype=complex), ())
    with np.errstate(invalid="ignore"):  # SciPy reads very large scalings as places of a permutation, which is not used
        left, steps = matrix_balance(A)[0], []
    size = float(np.linalg.norm(left, 2))
    while len(left):
        _, s, Vt = np.linalg.svd(left)
        null = int(np.sum(s <= ZERO * size))
        if not null:
            break
        steps.append(null)
        Q = Vt[::-1].T  # the null space first
        left = (Q.T @ left @ Q)[null:, null:]
    found = np.concatenate([np.zeros(sum(steps), dtype=complex), np.linalg.eigvals(left).astype(complex)])
    order = np.lexsort((found.imag, np.abs(found.imag), -found.real.round(12)))
    return Spectrum(found[order], tuple(steps))
