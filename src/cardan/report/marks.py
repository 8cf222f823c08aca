"""What is marked in pictures of two coordinates: singular sets as curves, and stops as boundaries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.diagnosis.sets import SingularSet
from cardan.kinematics.stops import rows_of_stop
from cardan.report.curves import curves_of, function_of
from cardan.report.lettering import set_label
from cardan.report.style import KINDS, STOP, Look

Vector = NDArray[np.float64]
System = Any  # the public System, which lives above this room
Range = tuple[float, float]

FINE = 2001


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

    model: Any
    symbols: tuple[Any, Any]
    periods: tuple[float | None, float | None]
    ranges: tuple[Range, Range]

    def __getitem__(self, symbol: Any) -> Vector:
        return np.array(self.ranges[self.symbols.index(symbol)])


def sets_of(system: System, loads: Iterable[Any]) -> list[SingularSet]:
    """Singular sets of coordinates and constraints, and of these loads, each once."""
    found: list[SingularSet] = []
    for load in (None, *loads):
        for one in system.singular_set(load):
            if not any((one.kind, one.text, one.load) == (other.kind, other.text, other.load) for other in found):
                found.append(one)
    return found


def marks_of(sets: Sequence[SingularSet], plane: Plane, held: Mapping[Any, float]) -> list[Mark]:
    """The sets over a plane in which all other coordinates have the values ``held``."""
    found = []
    for one in sets:
        look = KINDS.get(one.kind, STOP)
        if one.condition is not None and one.condition in (True, sp.true):
            found.append(Mark(look, set_label(one), (), is_everywhere=True))
            continue
        curves = _curves(one, plane, held)
        if curves:
            found.append(Mark(look, set_label(one), tuple(curves)))
    return found


def _curves(one: SingularSet, plane: Plane, held: Mapping[Any, float]) -> list[Vector]:
    if one.condition is None:  # traced: configurations of the set, seen along the other coordinates
        columns = [list(plane.model.q).index(symbol) for symbol in plane.symbols if symbol in plane.model.q]
        return [row[None, columns] for row in one.points] if len(columns) == 2 else []
    here = replace(one, condition=sp.sympify(one.condition).subs(dict(held)))
    return curves_of(here, plane, *plane.symbols, *plane.periods)


def boundaries_of(system: System, plane: Plane) -> list[Boundary]:
    """Stops that depend on one of the two coordinates alone."""
    found = []
    symbolic = system.equations().symbolic if system.model.stops else None
    for stop in system.model.stops:
        assert symbolic is not None
        gap = symbolic.impose(rows_of_stop(stop, symbolic.motion_in_world).gap.phi).xreplace(system.model.values)
        for axis, symbol in enumerate(plane.symbols):
            if sp.sympify(gap).free_symbols == {symbol}:
                found.append(_boundary(stop.name, axis, function_of(gap, symbol), plane.ranges[axis]))
    return found


def _boundary(name: str, axis: int, gap: Any, span: Range) -> Boundary:
    grid = np.linspace(*span, FINE)
    size = gap(grid)
    outside = size < 0
    edges = np.flatnonzero(np.diff(outside))
    places = [grid[k] + (grid[k + 1] - grid[k]) * size[k] / (size[k] - size[k + 1]) for k in edges]
    forbidden = _intervals(places, bool(outside[0]), span)
    return Boundary(name, axis, tuple(map(float, places)), forbidden)


def _intervals(places: Sequence[float], is_outside: bool, span: Range) -> tuple[Range, ...]:
    """Alternate intervals between the places, the first of them forbidden or not."""
    ends = [span[0], *map(float, places), span[1]]
    first = 0 if is_outside else 1
    return tuple((ends[k], ends[k + 1]) for k in range(first, len(ends) - 1, 2))
