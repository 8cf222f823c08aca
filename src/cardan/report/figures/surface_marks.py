"""What is marked on surfaces in space: singular sets, coordinate lines and their names, the legend."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardan.model.model import Model
from cardan.report.data.symbols import TURN, typeset
from cardan.report.figures.curves import Pair
from cardan.report.figures.lettering import axis_label, mathematics, quarter_text
from cardan.report.figures.marks import Mark
from cardan.report.figures.style import INK
from cardan.report.figures.surfaces import AZIMUTH, Surface, draw_curve, draw_point, write_on
from cardan.report.figures.unrolling import Strip

if TYPE_CHECKING:
    from mpl_toolkits.mplot3d.axes3d import Axes3D


def legend_below(axes: Axes3D, surface: Surface) -> None:
    """A legend under a surface; flat ones leave room inside their axes."""
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        height = 0.16 if surface.kind in ("torus", "sphere") else 0.0
        axes.legend(handles, labels, loc="upper center", bbox_to_anchor=(0.5, height))


def grid_values(strip: Strip) -> list[float]:
    """Values at which a surface shows its coordinate lines."""
    step = (strip.high - strip.low) / (8 if strip.period else 4)
    return [strip.low + k * step for k in range(8 if strip.period else 5)]


def draw_mark_on(axes: Axes3D, surface: Surface, mark: Mark, strips: tuple[Strip, Strip]) -> None:
    """A singular set on a surface."""
    for k, curve in enumerate(mark.curves):
        name = None if k else mark.label
        x, y = curve[:, 0], curve[:, 1]
        if len(curve) == 1:
            draw_point(axes, surface, float(x[0]), float(y[0]), mark.look.colour, name)
            continue
        if strips[1].period is None and np.ptp(x) < 1e-9:
            x, y = np.full(65, x[0]), np.linspace(strips[1].low, strips[1].high, 65)
        elif strips[0].period is None and np.ptp(y) < 1e-9:
            x, y = np.linspace(strips[0].low, strips[0].high, 65), np.full(65, y[0])
        draw_curve(axes, surface, x, y, mark.look.colour, 2.6, name)


def name_coordinates(axes: Axes3D, surface: Surface, model: Model, symbols: Pair, strips: tuple[Strip, Strip]) -> None:
    """Quarters of turns beside the surface, and in words which coordinate goes which way."""
    a, b = strips
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


def _front(strip: Strip) -> float:
    """The value of a round coordinate on the side of the eye, between two quarters."""
    return float(np.radians(AZIMUTH)) * (strip.high - strip.low) / TURN
