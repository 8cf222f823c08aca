"""How a load stands to the configuration manifold: its angle along a coordinate, and the representative particle."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardan.equations.particle.loads import LoadAt, LoadGeometry
from cardan.errors import ModelError
from cardan.report.data.symbols import typeset
from cardan.report.figures.lettering import axis_label, mathematics, period_of, plain, symbol_named, turn_ticks
from cardan.report.figures.saving import FIGURES, checked, save
from cardan.report.figures.singular_plots import reach
from cardan.report.figures.style import COLOURS, INK, MUTED, QUIET, figure_style
from cardan.trajectory.settings import Name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SAMPLES = 181
SHEET = np.linspace(-1.25, 1.25, 61)  # of the manifold that is sketched, where Phi has length one
BEND = 0.1


def plot_load_geometry(
    geometry: LoadGeometry,
    coordinate: Name,
    at: Mapping[Name, float] | None = None,
    path: str | os.PathLike[str] | None = None,
) -> Figure:
    """The figure: left the representative particle with Phi and its two parts, right the angle along a coordinate."""
    if path is not None:
        checked(path, FIGURES)
    model = geometry.equations.model
    symbol = symbol_named(model, coordinate)
    if symbol not in model.q:
        raise ModelError(f"The angle is drawn along a free coordinate; {symbol} is none of {model.name!r}.")
    held = {str(symbol_named(model, name)): float(value) for name, value in (at or {}).items()}
    here = float(held.get(str(symbol), 0.0))
    x = np.linspace(*reach(model, symbol), SAMPLES)
    others = {name: value for name, value in held.items() if name != str(symbol)}
    angles = np.degrees(geometry.angles(str(symbol), x, others))
    now = geometry.at([float({**others, str(symbol): here}.get(str(one), 0.0)) for one in model.q])
    with figure_style() as easel:
        figure: Figure
        figure, (left, right) = easel.subplots(1, 2, figsize=(9.2, 3.9), layout="constrained", width_ratios=(1, 1.25))
        where = f"{mathematics(typeset(symbol))} = {here:.4g}"
        _particle(left, now, f"at {where}: {np.degrees(now.angle):.1f}°")
        _along(right, x, angles, here, np.degrees(now.angle))
        right.set_xlabel(axis_label(model, symbol))
        if period_of(model, symbol) is not None:
            turn_ticks(right.xaxis, float(x[0]), float(x[-1]))
        figure.suptitle(f"{plain(geometry.labels)} and the configuration manifold", fontsize=11)
        save(figure, path)
    return figure


def _particle(axes: Axes, now: LoadAt, title: str) -> None:
    """The plane of the two parts of Phi: the manifold lies flat at the particle, and bends away from there."""
    along, across = (size / np.hypot(*now.sizes) for size in now.sizes)
    axes.plot(SHEET, -BEND * SHEET**2, color=COLOURS[0], linewidth=2.2)
    axes.plot(SHEET, 0 * SHEET, color=QUIET, linewidth=1)
    axes.annotate("manifold", (1.2, -0.2), color=COLOURS[0], ha="right", va="top")
    axes.annotate("tangent space", (-1.2, 0.03), color=MUTED, ha="left", va="bottom", fontsize=9)
    for end, colour, words, side in (
        ((along, 0.0), COLOURS[2], "tangential: acts", (0, -11)),
        ((0.0, across), COLOURS[1], "normal: carried", (-8, 0)),
    ):
        if np.hypot(*end) > 1e-6 and min(along, across) > 1e-6:
            _arrow(axes, end, colour, "--")
            axes.annotate(
                words, end, xytext=side, textcoords="offset points", color=colour, fontsize=9,
                ha="center" if end[0] else "right", va="center",
            )  # fmt: skip
    _arrow(axes, (along, across), COLOURS[3], "-")
    axes.annotate(r"$\Phi$", (along, across), xytext=(6, 4), textcoords="offset points", color=COLOURS[3], fontsize=13)
    axes.plot(0, 0, "o", color=INK, markersize=7)
    axes.set(xlim=(-1.3, 1.3), ylim=(-0.45, 1.2), xticks=[], yticks=[], aspect="equal", title=title)
    axes.title.set_fontsize(10)
    axes.grid(visible=False)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _arrow(axes: Axes, end: tuple[float, float], colour: str, dashes: str) -> None:
    axes.annotate(
        "", end, xytext=(0, 0),
        arrowprops={"arrowstyle": "-|>", "color": colour, "linestyle": dashes, "shrinkA": 0, "shrinkB": 0,
                    "linewidth": 2 if dashes == "-" else 1.3},
    )  # fmt: skip


def _along(axes: Axes, x: NDArray[np.float64], angles: NDArray[np.float64], here: float, angle: float) -> None:
    axes.plot(x, angles, color=COLOURS[3])
    axes.axhline(90, color=COLOURS[1], linestyle="--", linewidth=1)
    axes.annotate(
        "orthogonal: gimbal lock", (0.5, 90), xycoords=("axes fraction", "data"), xytext=(0, 3),
        textcoords="offset points", color=COLOURS[1], ha="center", fontsize=9,
    )  # fmt: skip
    axes.plot(here, angle, "o", color=INK, markersize=6)
    axes.set(ylabel="angle to the manifold (degrees)", ylim=(-3, 101), yticks=[0, 30, 60, 90], xlim=(x[0], x[-1]))
