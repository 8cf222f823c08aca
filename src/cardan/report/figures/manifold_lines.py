"""Pictures of configuration manifolds of one dimension: a circle, a line, or a part of one between stops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.model.model import Model
from cardan.report.data.symbols import TURN
from cardan.report.figures.lettering import axis_label, period_of, plain, quarter_text
from cardan.report.figures.marks import Boundary, Mark, between_stops, is_forbidden
from cardan.report.figures.style import COLOURS, INK, MUTED

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Vector = NDArray[np.float64]

REACH = 2.0  # that is shown of a line without end, in the units of its coordinate


def draw_line(
    axes: Axes, model: Model, symbol: sp.Symbol, marks: Sequence[Mark], boundaries: Sequence[Boundary]
) -> None:
    """A circle where the coordinate goes round, else a line; singular places and stops are points on it."""
    ends = between_stops(boundaries, 0)
    is_round = period_of(model, symbol) is not None and ends is None
    place = _on_circle if is_round else _on_line
    low, high = (-TURN / 2, TURN / 2) if is_round else ends or _open_ends(boundaries)
    axes.plot(*place(np.linspace(low, high, 361)), color=COLOURS[0], linewidth=3, solid_capstyle="butt")
    for end, arrow in ((low, "<"), (high, ">")):
        if not is_round and not any(abs(end - place) < 1e-9 for one in boundaries for place in one.places):
            axes.plot(end, 0.0, arrow, color=COLOURS[0], markersize=9)  # it goes on
    for mark in marks:
        for k, curve in enumerate(mark.curves):
            x, y = place(curve[:1, 0])
            label = None if k else mark.label
            axes.plot(x, y, "D", color=mark.look.colour, markeredgecolor="white", markersize=11, zorder=4, label=label)
    for boundary in boundaries:
        for k, value in enumerate(boundary.places):
            label = None if k else f"stop {plain(boundary.name)}: boundary"
            axes.plot(*place(np.array([value])), "s", color=MUTED, markersize=11, zorder=3, label=label)
    for value, text in _ticks(low, high, is_round, period_of(model, symbol) is not None):
        x, y = place(np.array([value]))
        inward, height = (0.86 * x[0], 0.86 * y[0]) if is_round else (x[0], -0.14)
        axes.text(inward, height, text, ha="center", va="center", color=MUTED, fontsize=9)
    middle, height = (0.0, 0.0) if is_round else ((low + high) / 2, -0.3)
    axes.text(middle, height, axis_label(model, symbol), ha="center", va="center", color=INK)
    axes.set_axis_off()
    if is_round:
        axes.set_aspect("equal")
    else:
        axes.set_ylim(-0.6, 0.6)


def _on_circle(values: Vector) -> tuple[Vector, Vector]:
    return np.cos(values), np.sin(values)


def _on_line(values: Vector) -> tuple[Vector, Vector]:
    return values, 0 * values


def _open_ends(boundaries: Sequence[Boundary]) -> tuple[float, float]:
    """A line without end, or from its one stop on."""
    for place in (place for one in boundaries for place in one.places):
        return (place, place + REACH) if is_forbidden(boundaries, 0, place - 1e-6) else (place - REACH, place)
    return -REACH, REACH


def _ticks(low: float, high: float, is_round: bool, is_angle: bool) -> list[tuple[float, str]]:
    if is_angle:
        first, last = int(np.ceil(low / (TURN / 4) - 1e-9)), int(np.floor(high / (TURN / 4) + 1e-9))
        return [(k * TURN / 4, quarter_text(k)) for k in range(first + 1 if is_round else first, last + 1)]
    return [(float(value), f"{value:g}") for value in np.linspace(low, high, 5)]
