"""How many modes a continuum has below a frequency, counted without finding them [Wittrick1971].

The dynamic stiffness K(lam) of all free displacements of the places is assembled from those of the spans. Below
sqrt(lam) there are as many modes as the spans have with their ends held, plus the negative pivots of K. So a list of
frequencies is complete where the count says so: no root of the characteristic equation is missed, none is taken twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10
from typing import Any

import numpy as np

from cardan.continua.ends import Place
from cardan.continua.spans import Matrix, Number, Span, decay
from cardan.errors import ModelError

STEEPEST = 4000.0  # exponents over a span; as many digits as half of it are worked with
DIGITS = 40  # that are worked with, besides those that cancel


@dataclass(frozen=True)
class Count:
    """Modes below a frequency, and the characteristic function there: it changes sign at every simple root."""

    below: int
    characteristic: Number


@dataclass(frozen=True)
class Line:
    """Spans in a row and the places at their ends, one more than spans."""

    spans: tuple[Span, ...]
    places: tuple[Place, ...]

    @property
    def freedoms(self) -> int:
        return self.spans[0].freedoms

    @property
    def positions(self) -> tuple[float, ...]:
        """Where the places are, from the left end."""
        return tuple(float(x) for x in np.concatenate([[0.0], np.cumsum([one.length for one in self.spans])]))

    @property
    def scale(self) -> float:
        """A typical square of a frequency."""
        return max(one.scale for one in self.spans)

    @property
    def rigid(self) -> int:
        """How many displacements u = a, or w = a + b x, cost no energy: modes of frequency zero."""
        rows = [row for span in self.spans for row in span.static_rows]
        for x, place in zip(self.positions, self.places, strict=True):
            for row, freedom in zip(((1.0, x), (0.0, 1.0)), place, strict=False):
                if freedom.held or freedom.spring:
                    rows.append(row)
        known = np.array(rows)[:, : self.freedoms] if rows else np.zeros((1, self.freedoms))
        return self.freedoms - int(np.linalg.matrix_rank(known))

    def digits(self, lam: float) -> int:
        """In how many digits to work at lam: those that cancel, and DIGITS besides."""
        growth = max(decay(lam, span) for span in self.spans)
        if growth > STEEPEST:
            raise ModelError(
                f"Solutions grow by exp({growth:.0f}) over a span: bending or shear is confined to layers of "
                f"1/{growth:.0f} of its length. Leave that stiffness out (a cd.String for a beam of hardly any EI), "
                "or divide the question: such layers are beyond an exact model here.",
                growth=growth,
            )
        smallness = max(0.0, -log10(abs(lam) / self.scale)) if lam else 0.0
        return DIGITS + int(0.5 * growth + 3 * smallness)

    def count(self, lam: Number, ctx: Any) -> Count:
        """The count at lam = omega^2."""
        with ctx.workdps(self.digits(float(lam))):
            lam = ctx.mpf(lam)
            pieces = [span.stiffness(lam, ctx) for span in self.spans]
            pivots = eliminate(self._assembled(lam, [one.matrix for one in pieces], ctx))
            characteristic = ctx.mpf(1)
            for one in [*pivots, *(piece.pole for piece in pieces)]:
                characteristic *= one
            below = sum(one.held_below for one in pieces) + sum(1 for one in pivots if one < 0)
            return Count(below, abs(characteristic) * (-1) ** below)

    def stiffness(self, lam: Number, ctx: Any) -> Matrix:
        """K of the free displacements: forces on the places as a matrix times their displacements."""
        return self._assembled(lam, [span.stiffness(lam, ctx).matrix for span in self.spans], ctx)

    def _assembled(self, lam: Number, pieces: Sequence[Matrix], ctx: Any) -> Matrix:
        """K of the free displacements."""
        d = self.freedoms
        size = d * len(self.places)
        K = [[ctx.mpf(0)] * size for _ in range(size)]
        for k, piece in enumerate(pieces):
            for i, row in enumerate(piece):
                for j, value in enumerate(row):
                    K[d * k + i][d * k + j] += value
        freedoms = [freedom for place in self.places for freedom in place]
        for i, freedom in enumerate(freedoms):
            K[i][i] += ctx.mpf(freedom.spring) - lam * ctx.mpf(freedom.mass)
        free = [i for i, freedom in enumerate(freedoms) if not freedom.held]
        return [[K[i][j] for j in free] for i in free]


def eliminate(K: Matrix) -> list[Number]:
    """Pivots of a symmetric matrix, by Gauss; as many are negative as the matrix has negative directions."""
    pivots = []
    for k, row in enumerate(K):
        pivots.append(row[k])
        for i in range(k + 1, len(K)):
            if K[i][k] != 0:
                share = K[i][k] / row[k]
                K[i] = [a - share * b if b != 0 else a for a, b in zip(K[i], row, strict=True)]
    return pivots
