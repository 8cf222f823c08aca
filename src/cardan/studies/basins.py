"""Basins of attraction: which starts end together.

Rows of a sweep are put together by where they end: states that are near each other, or joined by a chain of others
that are, belong to one attractor. So a rest is one, and so are all rests of a rough floor on which things stick, or the
points of a cycle that is densely met; rests against stops differ from free ones by where they are. Angles are compared
on their circle, other numbers by how far they went along the runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardan.studies.outputs import Output, final, largest, least
from cardan.studies.picturing import plane
from cardan.studies.rows import GOOD
from cardan.studies.study import Study

if TYPE_CHECKING:
    import sympy as sp

Table = NDArray[np.float64]
NEAR = 0.05  # of what a number went through along the runs: nearer ends are alike


@dataclass(frozen=True)
class Attractor:
    """Where many rows end: the mean of their ends, how far they spread, and how many there are."""

    mean: dict[str, float]
    spread: dict[str, float]
    rows: int

    def __str__(self) -> str:
        places = ", ".join(
            f"{name} = {x:.4g}" + (f" +- {self.spread[name]:.2g}" if self.spread[name] > 1e-3 else "")
            for name, x in self.mean.items()
        )
        return f"{self.rows} starts end at {places}"


@dataclass(frozen=True)
class Basins:
    """``labels`` has the number of an attractor for each row (-1: it did not reach its end), in the sweep's shape."""

    study: Study
    labels: NDArray[np.int64]
    attractors: tuple[Attractor, ...]

    def __str__(self) -> str:
        return "\n".join(f"{k}: {one}" for k, one in enumerate(self.attractors)) or "no attractor"

    def plane(self, x: str | None = None, y: str | None = None) -> tuple[int, int, NDArray[np.int64]]:
        """(axis of x, axis of y, table of labels with y downwards)."""
        horizontal, vertical, _ = plane(self.study, self.study.names[0], x, y)
        others = [k for k in range(self.labels.ndim) if k not in (horizontal, vertical)]
        table = np.moveaxis(self.labels, (vertical, horizontal, *others), range(self.labels.ndim))
        shape = self.study.shape[vertical], self.study.shape[horizontal]
        return horizontal, vertical, np.asarray(table.reshape(shape), dtype=np.int64)


def outputs_for(names: Sequence[sp.Symbol]) -> list[Output]:
    """What a sweep has to keep: ends, and how far each number went."""
    ranges = [make(x, f"{word} {x}") for x in names for word, make in (("most", largest), ("least", least))]
    return [final(), *ranges]


def basins_of(study: Study, angles: frozenset[str], near: float = NEAR) -> Basins:
    """The basins of a study that kept its final states; ``angles`` are coordinates that come round."""
    names = [*study.facts["q"], *study.facts["v"]]
    ends = np.stack([study[f"final {name}"].ravel() for name in names], axis=-1)
    good = np.isin(study.status.ravel(), GOOD) & np.isfinite(ends).all(axis=1)
    labels = np.full(len(ends), -1, dtype=np.int64)
    if good.any():
        sizes = [_extent(study, name, good) for name in names]
        labels[good] = _groups(_compared(ends[good], names, angles, sizes), near)
    found = [_attractor(ends[labels == k], names, angles) for k in range(labels.max(initial=-1) + 1)]
    return Basins(study, labels.reshape(study.shape), tuple(found))


def _extent(study: Study, name: str, good: NDArray[np.bool_]) -> float:
    """How far a number went along the runs; the farthest fiftieth of them may have been thrown anywhere."""
    most, least_ = (study[f"{word} {name}"].ravel()[good] for word in ("most", "least"))
    return float(np.percentile(most, 98) - np.percentile(least_, 2))


def _compared(ends: Table, names: list[str], angles: frozenset[str], sizes: list[float]) -> Table:
    """Coordinates in which distances mean something: angles as points of a circle, the others by their sizes."""
    columns: list[Table] = []
    for name, one, size in zip(names, ends.T, sizes, strict=True):
        columns += [np.cos(one), np.sin(one)] if name in angles else [one / size if size > 0 else np.zeros_like(one)]
    return np.stack(columns, axis=-1)


def _groups(points: Table, near: float) -> NDArray[np.int64]:
    """Numbers of connected groups of points, the largest group first."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import cKDTree

    cells, where = np.unique(np.round(points / (near / 4)), axis=0, return_inverse=True)  # ends that are as good as one
    pairs = cKDTree(cells * (near / 4)).query_pairs(near, output_type="ndarray")
    graph = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(cells), len(cells)))
    own = connected_components(graph, directed=False)[1][where.ravel()]
    order = np.argsort(-np.bincount(own), kind="stable")
    return np.argsort(order)[own].astype(np.int64)


def _attractor(ends: Table, names: list[str], angles: frozenset[str]) -> Attractor:
    mean, spread = {}, {}
    for name, one in zip(names, ends.T, strict=True):
        if name in angles:
            middle = float(np.angle(np.mean(np.exp(1j * one))))
            around = np.angle(np.exp(1j * (one - middle)))
            mean[name], spread[name] = middle, float(np.std(around))
        else:
            mean[name], spread[name] = float(np.mean(one)), float(np.std(one))
    return Attractor(mean, spread, len(ends))
