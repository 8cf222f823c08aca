"""Phase portraits of runs on the plane, cylinder or torus where they live, with singular sets, stops and impacts."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardan.report.data.facts import Facts
from cardan.report.data.symbols import TURN, typeset
from cardan.report.figures.lettering import (
    axis_label,
    mathematics,
    period_of,
    plain,
    quarter_text,
    symbol_named,
    turn_ticks,
)
from cardan.report.figures.marks import Boundary, Mark, Plane, between_stops, boundaries_of, marks_of
from cardan.report.figures.saving import FIGURES, checked, save
from cardan.report.figures.style import COLOURS, INK, MUTED, STOP, figure_style
from cardan.report.figures.surfaces import Surface, draw_curve, draw_point, draw_surface, surface_axes, write_on
from cardan.report.figures.unrolling import Window, continuous, unrolled

Vector = NDArray[np.float64]
Run = Any  # the public Run, which lives above this room

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

    run: Run
    symbols: tuple[Any, Any]
    curves: tuple[Curve, ...]

    @classmethod
    def of(cls, runs: Sequence[Run], x: Any, y: Any = None) -> Portrait:
        """The portrait of runs of one system over x and y, the rate of x by default."""
        model = runs[0].model
        first = symbol_named(model, x)
        second = symbol_named(model, getattr(first, "dot", first) if y is None else y)
        return cls(runs[0], (first, second), tuple(_curve(run, first, second) for run in runs))

    @cached_property
    def boundaries(self) -> list[Boundary]:
        """Stops that these two coordinates tell of."""
        if not Facts(self.run).is_small:
            return []
        spans = [Window.of(histories, None) for histories in self._histories]
        ranges = ((spans[0].low, spans[0].high), (spans[1].low, spans[1].high))
        return boundaries_of(self.run.system, self.symbols, ranges)

    @property
    def _histories(self) -> tuple[list[Vector], list[Vector]]:
        return [one.x for one in self.curves], [one.y for one in self.curves]

    @cached_property
    def periods(self) -> tuple[float | None, float | None]:
        """A turn for each angle that can go round: not between two stops."""
        first, second = (
            period_of(self.run.model, symbol) if between_stops(self.boundaries, k) is None else None
            for k, symbol in enumerate(self.symbols)
        )
        return first, second

    @property
    def surface(self) -> str:
        return ("plane", "cylinder", "torus")[sum(one is not None for one in self.periods)]

    @cached_property
    def marks(self) -> list[Mark]:
        """Singular sets that these two coordinates tell of; what holds everywhere is not drawn."""
        a, b = (self._window(k, ()) for k in (0, 1))
        plane = Plane(self.run.model, self.symbols, self.periods, ((a.low, a.high), (b.low, b.high)))
        return [one for one in marks_of(Facts(self.run).sets, plane, {}) if not one.is_everywhere]

    @cached_property
    def windows(self) -> tuple[Window, Window]:
        return self._window(0, places(self.marks, 0)), self._window(1, places(self.marks, 1))

    def _window(self, axis: int, marked: Sequence[float]) -> Window:
        """One period, or what lies between stops, or what the motions covered."""
        ends = between_stops(self.boundaries, axis)
        histories = self._histories[axis] if ends is None else [np.array(ends)]
        return Window.of(histories, self.periods[axis], marked)


def places(marks: Sequence[Mark], axis: int) -> list[float]:
    """Values of one coordinate at which something singular stands across the picture."""
    curves = [curve[:, axis] for mark in marks for curve in mark.curves]
    return [float(one[0]) for one in curves if np.ptp(one) < 1e-9]


def _curve(run: Run, x: Any, y: Any) -> Curve:
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


def plot_phase(
    run: Run,
    x: Any,
    y: Any = None,
    others: Sequence[Run] = (),
    surface: bool = False,
    axes: Any = None,
    path: str | os.PathLike[str] | None = None,
) -> Any:
    """The figure of a portrait: unrolled, or on its surface in space."""
    if path is not None:
        checked(path, FIGURES)
    portrait = Portrait.of([run, *others], x, y)
    with figure_style() as plt:
        figure = plt.figure(figsize=(6.4, 5.0), layout="constrained") if axes is None else axes.figure
        if surface and portrait.surface != "plane":
            draw_on_surface(axes or surface_axes(figure), portrait)
        else:
            draw_unrolled(axes or figure.add_subplot(), portrait)
        save(figure, path)
        if axes is None:
            plt.close(figure)
    return figure


# --- unrolled ------------------------------------------------------------------------------------------


def draw_unrolled(axes: Any, portrait: Portrait) -> None:
    """The portrait in the plane; a coordinate with a period is cut open, and curves break there."""
    a, b = portrait.windows
    for boundary in portrait.boundaries:
        draw_boundary(axes, boundary)
    for mark in portrait.marks:
        draw_mark(axes, mark, (a, b))
    for k, curve in enumerate(portrait.curves):
        colour = COLOURS[k % len(COLOURS)]
        axes.plot(*unrolled(curve.x, curve.y, (a, b), curve.cuts), color=colour, linewidth=1.5, zorder=3)
        for cut in curve.cuts:
            ends = slice(cut, cut + 2)
            jump = unrolled(curve.x[ends], curve.y[ends], (a, b))
            axes.plot(*jump, color=colour, linewidth=1.0, linestyle=":", zorder=2.5)
    if len(portrait.curves) == 1:
        curve = portrait.curves[0]
        start = (a.inside(float(curve.x[0])), b.inside(float(curve.y[0])))
        axes.plot(*start, "o", color="white", markeredgecolor=COLOURS[0], markersize=6, zorder=4, label="start")
    frame(axes, portrait.run.model, portrait.symbols, (a, b))
    axes.set_title(plain(portrait.run.model.name))
    outside_legend(axes)


def draw_boundary(axes: Any, boundary: Boundary) -> None:
    """A stop as a line, and what it forbids hatched."""
    span, line = (axes.axvspan, axes.axvline) if boundary.axis == 0 else (axes.axhspan, axes.axhline)
    for low, high in boundary.forbidden:
        span(low, high, facecolor="none", edgecolor="#b9c0c6", hatch=STOP.hatch, linewidth=0, zorder=0.5)
    for k, place in enumerate(boundary.places):
        line(place, color=MUTED, linewidth=3.4, zorder=1.8, label=None if k else f"stop {plain(boundary.name)}")


def draw_mark(axes: Any, mark: Mark, windows: tuple[Window, Window]) -> None:
    """A singular set: lines, points, or the whole plane hatched."""
    look, label = mark.look, mark.label
    if mark.is_everywhere:
        box = [*(windows[0].low, windows[0].high), *(windows[1].low, windows[1].high)]
        style = {"facecolor": "none", "edgecolor": look.colour, "alpha": 0.45, "hatch": look.hatch, "linewidth": 0}
        axes.fill_between(box[:2], box[2], box[3], label=label, zorder=0.4, **style)
    for k, curve in enumerate(mark.curves):
        name = None if k else label
        x, y = unrolled(curve[:, 0], curve[:, 1], windows)
        if len(curve) == 1:
            style = {"color": "white", "markeredgecolor": look.colour, "markeredgewidth": 2, "markersize": 9}
            axes.plot(x[:1], y[:1], "D", label=name, zorder=3.5, **style)
            continue
        if np.ptp(x) < 1e-9 and windows[1].period is None:  # across the whole picture
            x, y = x[:2], np.array([windows[1].low, windows[1].high])
        elif np.ptp(y) < 1e-9 and windows[0].period is None:
            x, y = np.array([windows[0].low, windows[0].high]), y[:2]
        for shift in _rims(x, windows[0]):
            own = name if shift == 0 else None
            axes.plot(x + shift, y, color=look.colour, linestyle=look.dashes, linewidth=2.2, zorder=2, label=own)


def _rims(x: Vector, window: Window) -> tuple[float, ...]:
    """A line on one rim of a period is on the other one too."""
    if window.period is None or np.ptp(x) > 1e-9:
        return (0.0,)
    if abs(float(x[0]) - window.low) < 1e-9:
        return (0.0, window.period)
    return (0.0, -window.period) if abs(float(x[0]) - window.high) < 1e-9 else (0.0,)


def frame(axes: Any, model: Any, symbols: tuple[Any, Any], windows: tuple[Window, Window]) -> None:
    """Limits, ticks and labels."""
    axes.set_xlim(windows[0].low, windows[0].high)
    axes.set_ylim(windows[1].low, windows[1].high)
    for axis, window, symbol in zip((axes.xaxis, axes.yaxis), windows, symbols, strict=True):
        if period_of(model, symbol) is not None and window.high - window.low > TURN / 4:
            turn_ticks(axis, window.low, window.high)
    axes.set_xlabel(axis_label(model, symbols[0]))
    axes.set_ylabel(axis_label(model, symbols[1]))


def outside_legend(axes: Any) -> None:
    """A legend under the picture, where it covers nothing."""
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        axes.legend(handles, labels, loc="upper left", bbox_to_anchor=(0.0, -0.16), borderaxespad=0.0)


# --- on the surface ------------------------------------------------------------------------------------


def draw_on_surface(axes: Any, portrait: Portrait) -> None:
    """The portrait on its cylinder or torus."""
    a, b = portrait.windows
    surface = Surface(portrait.surface, (a.low, a.high), (b.low, b.high), is_x_round=a.period is not None)
    lines = [grid_values(window) for window in (a, b)]
    draw_surface(axes, surface, lines)
    for mark in portrait.marks:
        draw_mark_on(axes, surface, mark, (a, b))
    for k, curve in enumerate(portrait.curves):
        colour = COLOURS[k % len(COLOURS)]
        for part in np.split(np.arange(len(curve.x)), [cut + 1 for cut in curve.cuts]):
            if len(part) > 1:
                x, y = continuous(curve.x[part], a.period), continuous(curve.y[part], b.period)
                draw_curve(axes, surface, x, y, colour, 1.6)
    if len(portrait.curves) == 1:
        draw_point(axes, surface, float(portrait.curves[0].x[0]), float(portrait.curves[0].y[0]), COLOURS[0], "start")
    name_coordinates(axes, surface, portrait.run.model, portrait.symbols, (a, b))
    axes.set_title(plain(portrait.run.model.name))
    legend_below(axes, surface)


def legend_below(axes: Any, surface: Surface) -> None:
    """A legend under a surface; flat ones leave room inside their axes."""
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        height = 0.16 if surface.kind in ("torus", "sphere") else 0.0
        axes.legend(handles, labels, loc="upper center", bbox_to_anchor=(0.5, height))


def grid_values(window: Window) -> list[float]:
    """Values at which a surface shows its coordinate lines."""
    step = (window.high - window.low) / (8 if window.period else 4)
    return [window.low + k * step for k in range(8 if window.period else 5)]


def draw_mark_on(axes: Any, surface: Surface, mark: Mark, windows: tuple[Window, Window]) -> None:
    """A singular set on a surface."""
    for k, curve in enumerate(mark.curves):
        name = None if k else mark.label
        x, y = curve[:, 0], curve[:, 1]
        if len(curve) == 1:
            draw_point(axes, surface, float(x[0]), float(y[0]), mark.look.colour, name)
            continue
        if windows[1].period is None and np.ptp(x) < 1e-9:
            x, y = np.full(65, x[0]), np.linspace(windows[1].low, windows[1].high, 65)
        elif windows[0].period is None and np.ptp(y) < 1e-9:
            x, y = np.linspace(windows[0].low, windows[0].high, 65), np.full(65, y[0])
        draw_curve(axes, surface, x, y, mark.look.colour, 2.6, name)


def name_coordinates(
    axes: Any, surface: Surface, model: Any, symbols: tuple[Any, Any], windows: tuple[Window, Window]
) -> None:
    """Quarters of turns beside the surface, and in words which coordinate goes which way."""
    a, b = windows
    letters = [mathematics(typeset(one)) for one in symbols]
    for k in range(4):
        if a.period is not None:
            write_on(axes, surface, k * TURN / 4, 0.0 if b.period else b.low, f"{letters[0]} = {quarter_text(k)}")
        if b.period is not None and k:
            side = a.low if a.period is None else _front(a)
            write_on(axes, surface, side, k * TURN / 4, f"{letters[1]} = {quarter_text(k)}")
    ways = {
        "torus": ("around the hole", "around the tube"),
        "cylinder": ("around", "along") if a.period is not None else ("along", "around"),
    }.get(surface.kind, ("across", "up"))
    text = "\n".join(f"{axis_label(model, one)} {way}" for one, way in zip(symbols, ways, strict=True))
    axes.text2D(0.0, 0.97, text, transform=axes.transAxes, va="top", color=INK)


def _front(window: Window) -> float:
    """The value of a round coordinate on the side of the eye, between two quarters."""
    from cardan.report.figures.surfaces import AZIMUTH

    return float(np.radians(AZIMUTH)) * (window.high - window.low) / TURN
