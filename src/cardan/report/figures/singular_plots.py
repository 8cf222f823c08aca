"""Singular sets of a system over two of its coordinates."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from cardan.equations.equations import Equations
from cardan.errors import ModelError
from cardan.model.model import Model
from cardan.model.variables import CoordinateVariable
from cardan.report.data.symbols import TURN, typeset
from cardan.report.figures.flat_marks import draw_boundary, draw_mark, frame, outside_legend
from cardan.report.figures.lettering import mathematics, period_of, plain, symbol_named
from cardan.report.figures.marks import AskedLoad, Mark, Plane, boundaries_of, marks_of, sets_of
from cardan.report.figures.portrait import places
from cardan.report.figures.saving import FIGURES, checked, save
from cardan.report.figures.style import figure_style
from cardan.report.figures.unrolling import Strip
from cardan.trajectory.settings import Name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

REACH = 2.0  # of coordinates without period, in their units, unless a range is given


def plot_singular_set(
    equations: Equations,
    x: Name,
    y: Name,
    load: AskedLoad | None = None,
    at: Mapping[Name, float] | None = None,
    ranges: Mapping[Name, tuple[float, float]] | None = None,
    path: str | os.PathLike[str] | None = None,
) -> Figure:
    """The figure: sets as lines, points or hatched regions; other coordinates are held at ``at`` (zero by default)."""
    if path is not None:
        checked(path, FIGURES)
    model = equations.model
    symbols = (symbol_named(model, x), symbol_named(model, y))
    if symbols[0] == symbols[1] or not set(symbols) <= set(model.q):
        raise ModelError(f"Singular sets are drawn over two coordinates, found {symbols[0]} and {symbols[1]}.")
    given = {symbol_named(model, name): (float(low), float(high)) for name, (low, high) in (ranges or {}).items()}
    held = {symbol: 0.0 for symbol in model.q if symbol not in symbols}
    held |= {symbol_named(model, name): float(value) for name, value in (at or {}).items()}
    first = tuple(given.get(one) or reach(model, one) for one in symbols)
    periods = (period_of(model, symbols[0]), period_of(model, symbols[1]))
    sets = sets_of(equations, load)
    marks = marks_of(sets, Plane(model, symbols, periods, (first[0], first[1])), held)
    strips = (_strip(periods[0], first[0], marks, 0), _strip(periods[1], first[1], marks, 1))
    with figure_style() as easel:
        figure: Figure
        figure, axes = easel.subplots(figsize=(6.4, 5.0), layout="constrained")
        for boundary in boundaries_of(equations, symbols, (first[0], first[1])):
            draw_boundary(axes, boundary)
        for mark in marks:
            draw_mark(axes, mark, strips)
        frame(axes, model, symbols, strips)
        axes.set_title(_title(model, held))
        outside_legend(axes)
        if not marks:
            words = "nothing singular here" if not sets else "nothing singular at these values of the others"
            axes.text(0.5, 0.5, words, transform=axes.transAxes, ha="center", va="center")
        save(figure, path)
    return figure


def reach(model: Model, symbol: sp.Symbol) -> tuple[float, float]:
    """What is shown of a coordinate where nobody said: one period, its declared range, or two units to each side."""
    for one in model.free:
        if isinstance(one, CoordinateVariable) and one.symbol == symbol:
            if one.domain.is_angle:
                return -TURN / 2, TURN / 2
            low, high = one.domain.lower, one.domain.upper
            return (low if np.isfinite(low) else -REACH), (high if np.isfinite(high) else REACH)
    return -REACH, REACH


def _strip(period: float | None, span: tuple[float, float], marks: list[Mark], axis: int) -> Strip:
    if period is not None:
        return Strip.of([], period, places(marks, axis))
    on_rim = any(min(abs(place - end) for end in span) < 1e-9 for place in places(marks, axis))
    margin = 0.04 * (span[1] - span[0]) if on_rim else 0.0  # what lies on the rim is seen whole
    return Strip(span[0] - margin, span[1] + margin, None)


def _title(model: Model, held: Mapping[sp.Symbol, float]) -> str:
    others = [f"{mathematics(typeset(one))} = {value:g}" for one, value in held.items()]
    name = plain(model.name)
    return f"{name}, at {', '.join(others)}" if others and len(others) <= 4 else name
