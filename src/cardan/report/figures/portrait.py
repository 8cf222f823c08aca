"""Motions over two of (q, v), on the plane, cylinder or torus where they live, with what is marked beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.diagnosis.facts import equations_of, known_sets, size_of
from cardan.equations.equations import Equations
from cardan.native.once import once
from cardan.report.figures.curves import Pair, Periods
from cardan.report.figures.lettering import period_of, symbol_named
from cardan.report.figures.marks import Boundary, Mark, Plane, between_stops, boundaries_of, marks_of
from cardan.report.figures.unrolling import Strip
from cardan.trajectory.settings import Name
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

JUMPS = ("impact", "impulse", "snap")
FEWEST, MOST = 600, 4000  # samples of a curve
BESIDE = 1e-9  # of the duration: samples on both sides of a jump


@dataclass(frozen=True)
class Curve:
    """One motion in the portrait; samples k and k + 1 are not joined for k in ``cuts``, where it jumped."""

    x: Vector
    y: Vector
    cuts: tuple[int, ...]


@dataclass(frozen=True)
class Portrait:
    """Motions over two of (q, v) with everything that is marked beside them."""

    run: Trajectory
    symbols: Pair
    curves: tuple[Curve, ...]

    @classmethod
    def of(cls, runs: Sequence[Trajectory], x: Name, y: Name | None = None) -> Portrait:
        """The portrait of runs of one system over x and y, the rate of x by default."""
        model = runs[0].model
        first = symbol_named(model, x)
        second = symbol_named(model, getattr(first, "dot", first) if y is None else y)
        return cls(runs[0], (first, second), tuple(_curve(run, first, second) for run in runs))

    @once
    def equations(self) -> Equations | None:
        """Of the system; None where it is too large to be asked in symbols."""
        return equations_of(self.run) if size_of(self.run).is_small else None

    @once
    def boundaries(self) -> list[Boundary]:
        """Stops that these two coordinates tell of."""
        if self.equations is None:
            return []
        spans = [Strip.of(histories, None) for histories in self._histories]
        ranges = ((spans[0].low, spans[0].high), (spans[1].low, spans[1].high))
        return boundaries_of(self.equations, self.symbols, ranges)

    @property
    def _histories(self) -> tuple[list[Vector], list[Vector]]:
        return [one.x for one in self.curves], [one.y for one in self.curves]

    @once
    def periods(self) -> Periods:
        """A turn for each angle that can go round: not between two stops."""
        first, second = (
            period_of(self.run.model, symbol) if between_stops(self.boundaries, k) is None else None
            for k, symbol in enumerate(self.symbols)
        )
        return first, second

    @property
    def surface(self) -> str:
        return ("plane", "cylinder", "torus")[sum(one is not None for one in self.periods)]

    @once
    def marks(self) -> list[Mark]:
        """Singular sets that these two coordinates tell of; what holds everywhere is not drawn."""
        if self.equations is None:
            return []
        a, b = (self._strip(k, ()) for k in (0, 1))
        plane = Plane(self.run.model, self.symbols, self.periods, ((a.low, a.high), (b.low, b.high)))
        return [one for one in marks_of(known_sets(self.equations, {}), plane, {}) if not one.is_everywhere]

    @once
    def strips(self) -> tuple[Strip, Strip]:
        return self._strip(0, places(self.marks, 0)), self._strip(1, places(self.marks, 1))

    def _strip(self, axis: int, marked: Sequence[float]) -> Strip:
        """One period, or what lies between stops, or what the motions covered."""
        ends = between_stops(self.boundaries, axis)
        histories = self._histories[axis] if ends is None else [np.array(ends)]
        return Strip.of(histories, self.periods[axis], marked)


def places(marks: Sequence[Mark], axis: int) -> list[float]:
    """Values of one coordinate at which something singular stands across the picture."""
    curves = [curve[:, axis] for mark in marks for curve in mark.curves]
    return [float(one[0]) for one in curves if np.ptp(one) < 1e-9]


def _curve(run: Trajectory, x: sp.Symbol, y: sp.Symbol) -> Curve:
    """Histories at enough times to be smooth, and on both sides of every jump."""
    first, last = float(run.t[0]), float(run.t[-1])
    times = np.linspace(first, last, max(FEWEST, min(MOST, 4 * len(run.t))))
    jumps = sorted({float(one.t) for one in run.events if one.kind in JUMPS})
    near = BESIDE * (last - first)
    sides = [t for jump in jumps for t in (jump - near, jump + near) if min(first, last) < t < max(first, last)]
    times = np.union1d(times, sides) if last >= first else np.union1d(times, sides)[::-1]
    here = run.at(times)
    defined = here.is_defined
    columns = [np.where(defined, here[one], np.nan) for one in (x, y)]
    cuts = tuple(int(np.searchsorted(times, jump)) - 1 for jump in jumps) if last >= first else ()
    return Curve(columns[0], columns[1], tuple(k for k in cuts if 0 <= k < len(times) - 1))
