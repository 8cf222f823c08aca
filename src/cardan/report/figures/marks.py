"""What is marked in pictures of two coordinates: singular sets as curves, and stops as boundaries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray

from cardan.diagnosis.sets.sets import SingularSet
from cardan.diagnosis.sets.singular_set import singular_sets
from cardan.equations.equations import Equations
from cardan.kinematics.stops import rows_of_stop
from cardan.model.model import Model
from cardan.report.data.symbols import TURN
from cardan.report.figures.curves import Pair, Periods, curves_of, function_of
from cardan.report.figures.lettering import period_of, set_label
from cardan.report.figures.style import KINDS, STOP, Look
from cardan.trajectory.settings import Name

Vector = NDArray[np.float64]
Range = tuple[float, float]
AskedLoad: TypeAlias = "Name | Mapping[str, ArrayLike]"  # a load, or magnitudes of several

FINE = 2001  # points of a line on which a stop is looked for


@dataclass(frozen=True)
class Mark:
    """A singular set over two coordinates: polylines (one point is a point), or everywhere; with its look and words."""

    look: Look
    label: str
    curves: tuple[Vector, ...]
    is_everywhere: bool = False


@dataclass(frozen=True)
class Boundary:
    """A stop that depends on one of the two coordinates (``axis`` 0 or 1) alone: where it stands, what it forbids."""

    name: str
    axis: int
    places: tuple[float, ...]
    forbidden: tuple[Range, ...]


@dataclass(frozen=True)
class Plane:
    """Two coordinates, their periods, and the ranges in which curves of sets are looked for."""

    model: Model
    symbols: Pair
    periods: Periods
    ranges: tuple[Range, Range]

    def __getitem__(self, symbol: sp.Symbol) -> Vector:
        return np.array(self.ranges[self.symbols.index(symbol)])


def sets_of(equations: Equations, load: AskedLoad | None) -> list[SingularSet]:
    """Singular sets of coordinates and constraints, and of the load (of every named one without it), each once."""
    loads: list[AskedLoad] = [one.name for one in equations.model.judged] if load is None else [load]
    found: list[SingularSet] = []
    for asked in (None, *loads):
        for one in singular_sets(equations, asked):
            if not any((one.kind, one.text, one.load) == (other.kind, other.text, other.load) for other in found):
                found.append(one)
    return found


def marks_of(sets: Sequence[SingularSet], plane: Plane, held: Mapping[sp.Symbol, float]) -> list[Mark]:
    """The sets over a plane in which all other coordinates have the values ``held``; sets of a kind differ a little."""
    found: list[Mark] = []
    seen: Counter[str] = Counter()
    for one in sets:
        condition = None if one.condition is None else sp.sympify(one.condition).subs(dict(held))
        curves = [] if condition == sp.true else _curves(replace(one, condition=condition), plane)
        if curves or condition == sp.true:
            look = KINDS.get(one.kind, STOP).variant(seen[one.kind])
            found.append(Mark(look, set_label(one), tuple(curves), is_everywhere=condition == sp.true))
            seen[one.kind] += 1
    return found


def _curves(one: SingularSet, plane: Plane) -> list[Vector]:
    if one.condition is None:  # traced: configurations of the set, seen along the other coordinates
        columns = [list(plane.model.q).index(symbol) for symbol in plane.symbols if symbol in plane.model.q]
        return [row[None, columns] for row in one.points] if len(columns) == 2 else []
    return curves_of(one, plane, plane.symbols, plane.periods)


def boundaries_of(equations: Equations, symbols: Pair, ranges: tuple[Range, Range]) -> list[Boundary]:
    """Stops that depend on one of the two coordinates alone; of angles over one and a half turns, from half a turn
    before zero, as what a stop leaves may lie across half a turn."""
    found = []
    model = equations.model
    for stop in model.stops:
        symbolic = equations.symbolic
        gap = symbolic.impose(rows_of_stop(stop, symbolic.motion_in_world).gap.phi).xreplace(model.values)
        for axis, symbol in enumerate(symbols):
            if sp.sympify(gap).free_symbols == {symbol}:
                is_turn = period_of(model, symbol) is not None
                span = (-TURN / 2, TURN) if is_turn else ranges[axis]
                found.append(_boundary(stop.name, axis, function_of(gap, symbol), span))
    return found


def between_stops(boundaries: Sequence[Boundary], axis: int) -> Range | None:
    """The first interval of a coordinate that has stops at both ends; None where there is none."""
    ends = sorted(place for one in boundaries if one.axis == axis for place in one.places)
    for low, high in pairwise(ends):
        if not is_forbidden(boundaries, axis, (low + high) / 2):
            return low, high
    return None


def is_forbidden(boundaries: Sequence[Boundary], axis: int, value: float) -> bool:
    """Whether some stop keeps the coordinate from this value."""
    return any(low < value < high for one in boundaries if one.axis == axis for low, high in one.forbidden)


def _boundary(name: str, axis: int, gap: Callable[[Vector], Vector], span: Range) -> Boundary:
    grid = np.linspace(*span, FINE)
    size = gap(grid)
    outside = size < 0
    edges = np.flatnonzero(np.diff(outside))
    places = [float(grid[k] + (grid[k + 1] - grid[k]) * size[k] / (size[k] - size[k + 1])) for k in edges]
    ends = [span[0], *places, span[1]]
    forbidden = tuple((ends[k], ends[k + 1]) for k in range(0 if outside[0] else 1, len(ends) - 1, 2))
    return Boundary(name, axis, tuple(places), forbidden)
