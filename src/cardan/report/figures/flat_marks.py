"""What is marked in flat pictures of two coordinates: stops, singular sets, limits, ticks and the legend."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardan.model.model import Model
from cardan.report.data.symbols import TURN
from cardan.report.figures.curves import Pair
from cardan.report.figures.lettering import axis_label, period_of, plain, turn_ticks
from cardan.report.figures.marks import Boundary, Mark
from cardan.report.figures.style import MUTED, STOP
from cardan.report.figures.unrolling import Strip, unrolled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Vector = NDArray[np.float64]


def draw_boundary(axes: Axes, boundary: Boundary) -> None:
    """A stop as a line, and what it forbids hatched."""
    span, line = (axes.axvspan, axes.axvline) if boundary.axis == 0 else (axes.axhspan, axes.axhline)
    for low, high in boundary.forbidden:
        span(low, high, facecolor="none", edgecolor="#b9c0c6", hatch=STOP.hatch, linewidth=0, zorder=0.5)
    for k, place in enumerate(boundary.places):
        line(place, color=MUTED, linewidth=3.4, zorder=1.8, label=None if k else f"stop {plain(boundary.name)}")


def draw_mark(axes: Axes, mark: Mark, strips: tuple[Strip, Strip]) -> None:
    """A singular set: lines, points, or the whole plane hatched."""
    look, label = mark.look, mark.label
    if mark.is_everywhere:
        across = [strips[0].low, strips[0].high]
        hatched = axes.fill_between(across, strips[1].low, strips[1].high, label=label, zorder=0.4, linewidth=0)
        hatched.set(facecolor="none", edgecolor=look.colour, alpha=0.45, hatch=look.hatch)
    for k, curve in enumerate(mark.curves):
        name = None if k else label
        x, y = unrolled(curve[:, 0], curve[:, 1], strips)
        if len(curve) == 1:
            (point,) = axes.plot(x[:1], y[:1], "D", color="white", markersize=9, label=name, zorder=3.5)
            point.set(markeredgecolor=look.colour, markeredgewidth=2)
            continue
        if np.ptp(x) < 1e-9 and strips[1].period is None:  # across the whole picture
            x, y = x[:2], np.array([strips[1].low, strips[1].high])
        elif np.ptp(y) < 1e-9 and strips[0].period is None:
            x, y = np.array([strips[0].low, strips[0].high]), y[:2]
        for shift in _rims(x, strips[0]):
            own = name if shift == 0 else None
            axes.plot(x + shift, y, color=look.colour, linestyle=look.dashes, linewidth=2.2, zorder=2, label=own)


def _rims(x: Vector, strip: Strip) -> tuple[float, ...]:
    """A line on one rim of a period is on the other one too."""
    if strip.period is None or np.ptp(x) > 1e-9:
        return (0.0,)
    if abs(float(x[0]) - strip.low) < 1e-9:
        return (0.0, strip.period)
    return (0.0, -strip.period) if abs(float(x[0]) - strip.high) < 1e-9 else (0.0,)


def frame(axes: Axes, model: Model, symbols: Pair, strips: tuple[Strip, Strip]) -> None:
    """Limits, ticks and labels."""
    axes.set_xlim(strips[0].low, strips[0].high)
    axes.set_ylim(strips[1].low, strips[1].high)
    for axis, strip, symbol in zip((axes.xaxis, axes.yaxis), strips, symbols, strict=True):
        if period_of(model, symbol) is not None and strip.high - strip.low > TURN / 4:
            turn_ticks(axis, strip.low, strip.high)
    axes.set_xlabel(axis_label(model, symbols[0]))
    axes.set_ylabel(axis_label(model, symbols[1]))


def outside_legend(axes: Axes) -> None:
    """A legend under the picture, where it covers nothing."""
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        axes.legend(handles, labels, loc="upper left", bbox_to_anchor=(0.0, -0.16), borderaxespad=0.0)
