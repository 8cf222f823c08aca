"""Solutions of y' = N y along a span, in plain floats that neither overflow nor cancel.

Waves are written as cos and sin; what decays is written from the end that it decays from, so that no factor exceeds
one. Where wave numbers are small or nearly equal, and such functions would be nearly dependent, the solutions are
columns of the power series of exp(N x) instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cardan.continua.spans import Array, Span

Complex = NDArray[np.complex128]

SHORT = 3.0  # wave numbers times length below which the power series has no cancellation to speak of
TERMS = 60  # of the power series
NEARLY = 1e-4  # of squares of wave numbers: closer than this they count as equal


class Basis(Protocol):
    """As many independent solutions as a state has components."""

    def at(self, x: Array) -> Array:
        """Their states, (points, components, solutions)."""


def basis(span: Span, lam: float) -> Basis:
    """Solutions on the span at frequency sqrt(lam)."""
    from mpmath import fp

    squares = [complex(a) for a in span.squares(lam, fp)]
    N, largest = span.generator(lam), max(abs(a) for a in squares)
    sizes = units(span, largest)
    is_single = len(squares) > 1 and abs(squares[0] - squares[1]) <= NEARLY * largest
    if sqrt(largest) * span.length < SHORT or is_single:
        return Series(N, sizes)
    parts: list[Basis] = []
    for a, other in zip(squares, reversed(squares), strict=True):
        even, odd = (chosen(N, other if len(squares) > 1 else None, sizes, kind) for kind in (0, 1))
        if a.imag == 0 and a.real * span.length**2 <= SHORT**2:
            parts.append(Pair(N, a.real, np.column_stack([even.real, odd.real])))
        elif a.imag >= 0:  # of two conjugate ones the first stands for both
            s = np.sqrt(a)
            exponents, vectors = np.array([s, -s]), np.column_stack([N @ even / s + even, even - N @ even / s])
            parts.append(Waves(exponents, vectors, span.length))
    return Sum(tuple(parts))


def units(span: Span, largest: float) -> Array:
    """Sizes of the components of a state, so that a start of any of them gives solutions of like size."""
    N = np.abs(span.generator(0.0))
    k = max(sqrt(largest), 1.0 / span.length)
    if span.freedoms == 1:
        return np.array([1.0, k / N[0, 1]])
    return np.array([1.0, k, k**3 / N[1, 3], k**2 / N[1, 3]])


def chosen(N: Array, other: complex | None, sizes: Array, kind: int) -> Complex:
    """A start whose N^2 is a multiple of it: N^2 minus the other multiple leaves nothing else.

    Even ones hold (w, M) or u, odd ones (phi, F) or F; of the two columns that do, the first unless it nearly vanishes,
    so that solutions change steadily with the frequency.
    """
    columns = ((0, 3), (1, 2))[kind] if other is not None else (kind,)
    left = N @ N - other * np.eye(len(N)) if other is not None else np.eye(len(N), dtype=complex)
    scaled = left[:, list(columns)] * sizes[list(columns)]
    norms = np.linalg.norm(scaled / sizes[:, None], axis=0)
    which = 0 if norms[0] > 0.01 * norms[-1] else -1
    return np.asarray(scaled[:, which] / norms[which])


@dataclass(frozen=True)
class Series:
    """Columns of exp(N x) U, with U the units of the components."""

    N: Array
    units: Array

    def at(self, x: Array) -> Array:
        term = np.diag(self.units)
        total = np.repeat(term[None], len(x), axis=0)
        for k in range(1, TERMS):
            term = self.N @ term / k
            total = total + term[None] * (x**k)[:, None, None]
        return total


@dataclass(frozen=True)
class Waves:
    """Eigenvectors of N times exponentials that are at most one on the span; complex ones by their two parts."""

    exponents: Complex
    vectors: Complex  # a column each
    length: float

    def at(self, x: Array) -> Array:
        start = np.where(self.exponents.real > 0, self.length, 0.0)
        states = self.vectors * np.exp(self.exponents * (x[:, None] - start))[:, None, :]
        if np.all(self.exponents.imag == 0):
            return np.asarray(states.real)
        return np.concatenate([states.real, states.imag], axis=-1)


@dataclass(frozen=True)
class Pair:
    """exp(N x) v = cosh(s x) v + sinh(s x) N v / s of starts with N^2 v = s^2 v; s^2 has any sign."""

    N: Array
    square: float
    starts: Array  # a column each

    def at(self, x: Array) -> Array:
        root = np.sqrt(complex(self.square))
        cosine = np.cosh(root * x).real
        sine = (np.sinh(root * x) / root).real if self.square else x
        return np.asarray(cosine[:, None, None] * self.starts + sine[:, None, None] * (self.N @ self.starts))


@dataclass(frozen=True)
class Sum:
    """The solutions of several bases side by side."""

    parts: tuple[Basis, ...]

    def at(self, x: Array) -> Array:
        return np.concatenate([part.at(x) for part in self.parts], axis=-1)
