"""The coefficients of an explicit Runge-Kutta method, as native code reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class Tableau:
    """An explicit Runge-Kutta method that estimates its errors.

    Stage s, counted from 0, is at t + nodes[s] h, its state y + h sum of rows[s][j] k_j. Row ``stages`` gives the new
    state, whose derivative is k of that number; rows behind it are stages of the interpolant. ``weights`` are those of
    the error estimate, whose size falls like h^order. Steps change by factors between ``shrink`` and ``grow``.
    """

    stages: int
    nodes: tuple[float, ...]
    starts: tuple[int, ...]  # rows without zeros: entries starts[s] to starts[s + 1] belong to row s
    columns: tuple[int, ...]
    values: tuple[float, ...]
    order: float
    error_columns: tuple[int, ...] = (0,)
    error_values: tuple[float, ...] = (0.0,)
    estimates_with_end: bool = False  # whether the estimate uses the derivative at the new state
    terms: int = 3  # of the interpolant
    shrink: float = 0.2
    grow: float = 5.0
    stiff_limit: float = 0.0  # |h lambda| on the boundary of the stability region; 0: stiffness is not watched

    @property
    def rates(self) -> int:
        """How many derivatives are kept."""
        return max(len(self.starts) - 1, self.stages + 1)

    @property
    def error_count(self) -> int:
        """How many derivatives the error estimate uses."""
        return len(self.error_columns)


def tableau(
    nodes: Sequence[float], rows: Sequence[Mapping[int, float]], order: float, weights: Mapping[int, float],
    stages: int, *, terms: int = 3, shrink: float = 0.2, grow: float = 5.0, stiff_limit: float = 0.0,
) -> Tableau:  # fmt: skip
    """The tableau of rows and weights that name their columns; see ``Tableau``."""
    starts = tuple(sum(len(row) for row in rows[:s]) for s in range(len(rows) + 1))
    columns = tuple(column for row in rows for column in row)
    values = tuple(value for row in rows for value in row.values())
    return Tableau(
        stages, tuple(nodes), starts, columns, values, order, tuple(weights), tuple(weights.values()),
        stages in weights, terms, shrink, grow, stiff_limit,
    )  # fmt: skip
