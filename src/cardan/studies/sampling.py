"""How the rows of a sweep are chosen: all combinations, lists side by side, or points drawn from ranges.

A range is a pair (low, high), or a frozen distribution of ``scipy.stats``. Points are drawn once, from ``rng``, and
kept with the study, so that a study means the same rows wherever it goes on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardan.errors import ModelError

Table = NDArray[np.float64]


class Sampling(ABC):
    """A rule that makes rows of values from what was given for each name."""

    @abstractmethod
    def rows(self, names: Sequence[str], given: Sequence[Any]) -> tuple[Table, tuple[int, ...]]:
        """(values with one row per run and one column per name, shape of the whole)."""


@dataclass(frozen=True)
class Grid(Sampling):
    """All combinations of the values, the last name fastest."""

    def rows(self, names: Sequence[str], given: Sequence[Any]) -> tuple[Table, tuple[int, ...]]:
        axes = [_list(name, values) for name, values in zip(names, given, strict=True)]
        shape = tuple(len(axis) for axis in axes)
        mesh = np.meshgrid(*axes, indexing="ij") if axes else []
        return np.stack([one.ravel() for one in mesh], axis=-1) if mesh else np.zeros((1, 0)), shape


@dataclass(frozen=True)
class Rows(Sampling):
    """Lists of equal length, side by side: the k-th run takes the k-th value of each."""

    def rows(self, names: Sequence[str], given: Sequence[Any]) -> tuple[Table, tuple[int, ...]]:
        lists = [_list(name, values) for name, values in zip(names, given, strict=True)]
        lengths = {name: len(one) for name, one in zip(names, lists, strict=True)}
        if len(set(lengths.values())) > 1:
            raise ModelError(f"Lists side by side need equal lengths, found {lengths}.", lengths=lengths)
        table = np.stack(lists, axis=-1) if lists else np.zeros((1, 0))
        return table, (len(table),)


@dataclass(frozen=True)
class Drawn(Sampling):
    """``count`` points of the unit cube, brought to the ranges."""

    count: int
    rng: int | None = 0

    @abstractmethod
    def points(self, dimensions: int) -> Table:
        """Points of the unit cube, one row each."""

    def rows(self, names: Sequence[str], given: Sequence[Any]) -> tuple[Table, tuple[int, ...]]:
        if self.count < 1:
            raise ModelError(f"{type(self).__name__} needs at least one point, found {self.count}.", count=self.count)
        unit = self.points(len(given)) if given else np.zeros((self.count, 0))
        columns = [_stretched(name, one, unit[:, k]) for k, (name, one) in enumerate(zip(names, given, strict=True))]
        return np.stack(columns, axis=-1) if columns else unit, (self.count,)


class MonteCarlo(Drawn):
    """Independent random points."""

    def points(self, dimensions: int) -> Table:
        return np.random.default_rng(self.rng).random((self.count, dimensions))


class LatinHypercube(Drawn):
    """One point in every slice of every range [McKay1979]."""

    def points(self, dimensions: int) -> Table:
        from scipy.stats import qmc

        drawn: Table = qmc.LatinHypercube(dimensions, rng=np.random.default_rng(self.rng)).random(self.count)
        return drawn


class Sobol(Drawn):
    """Scrambled points of Sobol's sequence; counts that are powers of two are balanced."""

    def points(self, dimensions: int) -> Table:
        import warnings

        from scipy.stats import qmc

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of counts that are no power of two, said above
            drawn: Table = qmc.Sobol(dimensions, rng=np.random.default_rng(self.rng)).random(self.count)
        return drawn


class Halton(Drawn):
    """Scrambled points of Halton's sequence."""

    def points(self, dimensions: int) -> Table:
        from scipy.stats import qmc

        drawn: Table = qmc.Halton(dimensions, rng=np.random.default_rng(self.rng)).random(self.count)
        return drawn


def _list(name: str, values: Any) -> NDArray[np.float64]:
    found = np.atleast_1d(np.asarray(values, dtype=float))
    if found.ndim != 1 or not len(found) or not np.isfinite(found).all():
        raise ModelError(f"{name}: expected a list of finite numbers, found {values!r}.", name=name)
    return found


def _stretched(name: str, given: Any, unit: NDArray[np.float64]) -> NDArray[np.float64]:
    if hasattr(given, "ppf"):
        return np.asarray(given.ppf(unit), dtype=float)
    ends = np.asarray(given, dtype=float)
    if ends.shape != (2,) or not np.isfinite(ends).all():
        raise ModelError(
            f"{name}: expected a range (low, high) or a distribution of scipy.stats, found {given!r}.", name=name
        )
    return np.asarray(ends[0] + (ends[1] - ends[0]) * unit)
