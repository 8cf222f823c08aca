"""Singular sets as curves over two coordinates.

A condition on one coordinate alone is solved on a fine grid and gives straight lines; one on both is contoured.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.diagnosis.sets.sets import SingularSet
from cardan.graph import Graph, evaluate, from_sympy
from cardan.model.model import Model

Vector = NDArray[np.float64]
Pair = tuple[sp.Symbol, sp.Symbol]  # the coordinates, or a coordinate and its rate, of a picture
Periods = tuple[float | None, float | None]  # theirs; None where one does not repeat
Span = tuple[float, float]

FINE = 2001  # points of a line on which roots are looked for
COARSE = 161  # points along each side of a grid
STRAIGHT = 65  # points of a straight curve, which bends on a torus
MARGIN = 0.1  # of what the run covered
MOST_POINTS = 40  # of a traced set


class Histories(Protocol):
    """Where coordinates went: a motion, or the ranges of a picture."""

    @property
    def model(self) -> Model: ...

    def __getitem__(self, symbol: sp.Symbol, /) -> Vector: ...


def curves_of(one: SingularSet, over: Histories, symbols: Pair, periods: Periods) -> list[Vector]:
    """The set over (x, y), as polylines; empty where it depends on something else, or on neither."""
    x, y = symbols
    if one.condition is None:
        return _traced(one, over.model, x, y)
    if isinstance(one.condition, (sp.logic.boolalg.BooleanTrue, bool)):
        return []
    parts = one.condition.args if isinstance(one.condition, sp.And) else (one.condition,)
    if not all(isinstance(part, sp.Equality) for part in parts):
        return []
    expressions = [(part.lhs - part.rhs).xreplace(dict(over.model.values)) for part in parts]
    spoken = {symbol for e in expressions for symbol in e.free_symbols}
    if not spoken or not spoken <= {x, y}:
        return []
    spans = (_span(over, x, periods[0]), _span(over, y, periods[1]))
    if len(expressions) == 1:
        (e,) = expressions
        if e.free_symbols == {x}:
            return [_line(spans[1], root, 0) for root in _roots(function_of(e, x), spans[0], periods[0])]
        if e.free_symbols == {y}:
            return [_line(spans[0], root, 1) for root in _roots(function_of(e, y), spans[1], periods[1])]
        return _contours(function_of(e, x, y), spans)
    return _points(expressions, symbols, spans, periods)


def function_of(e: sp.Expr, *symbols: sp.Symbol) -> Callable[..., Vector]:
    """The expression as a function of arrays, by the expression graph: nothing in it is executed as code."""
    graph = Graph()
    inputs = [graph.input(f"x{k}") for k in range(len(symbols))]
    (node,) = from_sympy([e], dict(zip(symbols, inputs, strict=True)), graph)

    def f(*values: Vector) -> Vector:
        (found,) = evaluate([node], dict(zip(inputs, values, strict=True)))
        return np.broadcast_to(np.asarray(found, dtype=float), np.broadcast_shapes(*(x.shape for x in values)))

    return f


def _span(over: Histories, symbol: sp.Symbol, period: float | None) -> Span:
    if period is not None:
        return -period / 2, period / 2
    history = over[symbol]
    low, high = float(np.nanmin(history)), float(np.nanmax(history))
    margin = MARGIN * (high - low) or 1.0
    return low - margin, high + margin


def _roots(f: Callable[[Vector], Vector], span: Span, period: float | None) -> list[float]:
    """Where a function of one coordinate vanishes, with or without a change of sign."""
    grid = np.linspace(*span, FINE)
    size = np.abs(f(grid))
    before, after = np.r_[np.inf, size[:-1]], np.r_[size[1:], np.inf]
    typical = float(np.nanmax(size[np.isfinite(size)], initial=0.0))
    found: list[float] = []
    for at in np.flatnonzero((size <= before) & (size <= after)):
        k = int(at)
        root, value = _refined(f, float(grid[max(k - 1, 0)]), float(grid[min(k + 1, FINE - 1)]))
        is_new = all(abs(root - other) > 1e-6 * (span[1] - span[0]) for other in found)
        is_image = period is not None and abs(root - span[0]) < 1e-9 and any(abs(x - span[1]) < 1e-9 for x in found)
        if value <= 1e-9 * typical and is_new and not is_image:
            found.append(root)
    if period is not None and len(found) > 1 and abs(found[-1] - found[0] - period) < 1e-6:
        found.pop()  # both ends of the period are one place
    return found


def _refined(f: Callable[[Vector], Vector], low: float, high: float) -> tuple[float, float]:
    best = low
    for _ in range(14):
        grid = np.linspace(low, high, 25)
        k = int(np.argmin(np.abs(f(grid))))
        best, low, high = float(grid[k]), float(grid[max(k - 1, 0)]), float(grid[min(k + 1, 24)])
    return best, float(np.abs(f(np.array([best])))[0])


def _line(span: Span, root: float, fixed: int) -> Vector:
    along = np.linspace(*span, STRAIGHT)
    across = np.full(STRAIGHT, root)
    return np.column_stack([across, along] if fixed == 0 else [along, across])


def _contours(f: Callable[[Vector, Vector], Vector], spans: tuple[Span, Span]) -> list[Vector]:
    from contourpy import contour_generator

    xs, ys = (np.linspace(*span, COARSE) for span in spans)
    X, Y = np.meshgrid(xs, ys)
    z = np.ma.masked_invalid(f(X, Y))
    return [np.asarray(line, dtype=float) for line in contour_generator(X, Y, z).lines(0.0) if len(line) > 1]


def _points(expressions: list[sp.Expr], symbols: Pair, spans: tuple[Span, Span], periods: Periods) -> list[Vector]:
    """Conditions on each coordinate alone: isolated points."""
    found: list[list[float]] = [[], []]
    for k, symbol in enumerate(symbols):
        own = [e for e in expressions if e.free_symbols == {symbol}]
        if len(own) != 1:
            return []
        found[k] = _roots(function_of(own[0], symbol), spans[k], periods[k])
    return [np.array([[a, b]]) for a in found[0] for b in found[1]]


def _traced(one: SingularSet, model: Model, x: sp.Symbol, y: sp.Symbol) -> list[Vector]:
    """Points of a set that was found by numbers, where x and y are the whole configuration."""
    if set(model.q) != {x, y} or not len(one.points):
        return []
    columns = [model.q.index(x), model.q.index(y)]
    return [np.array([point]) for point in np.asarray(one.points)[:MOST_POINTS, columns]]
