"""Phase portraits: the figure of motions over two of (q, v), unrolled in the plane or on their surface in space."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from cardan.report.figures.flat_marks import draw_boundary, draw_mark, frame, outside_legend
from cardan.report.figures.lettering import plain
from cardan.report.figures.portrait import Portrait
from cardan.report.figures.saving import FIGURES, checked, save
from cardan.report.figures.style import COLOURS, figure_style
from cardan.report.figures.surface_marks import draw_mark_on, grid_values, legend_below, name_coordinates
from cardan.report.figures.surfaces import Surface, draw_curve, draw_point, draw_surface, surface_axes
from cardan.report.figures.unrolling import continuous, unrolled
from cardan.trajectory.settings import Name
from cardan.trajectory.trajectory import Trajectory

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from mpl_toolkits.mplot3d.axes3d import Axes3D


def plot_phase(
    run: Trajectory,
    x: Name,
    y: Name | None = None,
    others: Sequence[Trajectory] = (),
    surface: bool = False,
    axes: Axes | None = None,
    path: str | os.PathLike[str] | None = None,
) -> Figure:
    """The figure of a portrait: unrolled, or on its surface in space."""
    if path is not None:
        checked(path, FIGURES)
    portrait = Portrait.of([run, *others], x, y)
    with figure_style() as easel:
        figure = cast("Figure", easel.figure(figsize=(6.4, 5.0), layout="constrained") if axes is None else axes.figure)
        if surface and portrait.surface != "plane":
            draw_on_surface(surface_axes(figure) if axes is None else cast("Axes3D", axes), portrait)
        else:
            draw_unrolled(figure.add_subplot() if axes is None else axes, portrait)
        save(figure, path)
    return figure


def draw_unrolled(axes: Axes, portrait: Portrait) -> None:
    """The portrait in the plane; a coordinate with a period is cut open, and curves break there."""
    a, b = portrait.strips
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


def draw_on_surface(axes: Axes3D, portrait: Portrait) -> None:
    """The portrait on its cylinder or torus."""
    a, b = portrait.strips
    surface = Surface(portrait.surface, (a.low, a.high), (b.low, b.high), is_x_round=a.period is not None)
    lines = [grid_values(strip) for strip in (a, b)]
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
