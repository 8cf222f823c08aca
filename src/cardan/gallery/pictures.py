"""Pictures of entries: panels in the house style, portraits, and the default picture of a run."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardan.api.run import Run
from cardan.gallery.entry import Entry
from cardan.report.figures.style import COLOURS, figure_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

BLUE, RED, GREEN, VIOLET, OCHRE, DARK = COLOURS
PALE = "#c9d3da"


@contextmanager
def panels(
    *titles: str,
    size: tuple[float, float] = (8.2, 3.7),
    ratios: Sequence[float] | None = None,
    spatial: Collection[int] = (),
) -> Iterator[tuple[Figure, list[Axes]]]:
    """A figure with one panel per title, side by side; the places in ``spatial`` are drawn in three dimensions."""
    from matplotlib.ticker import MaxNLocator

    with figure_style() as easel:
        figure = easel.figure(figsize=size, layout="constrained")
        grid = figure.add_gridspec(1, len(titles), width_ratios=ratios)
        axes = [
            figure.add_subplot(grid[k], projection="3d" if k in spatial else None) for k in range(len(titles))
        ]  # fmt: skip
        if spatial:  # room for the label of the vertical axis, which the layout does not see
            figure.get_layout_engine().set(wspace=0.16)
            for axis in (getattr(axes[k], f"{name}axis") for k in spatial for name in "xyz"):
                axis.set_major_locator(MaxNLocator(4))
        for one, title in zip(axes, titles, strict=True):
            one.set_title(title)
        yield figure, axes


def smooth(run: Run, count: int = 800) -> Run:
    """The run at equally spaced times, enough for smooth curves."""
    return run.at(np.linspace(run.t[0], run.t[-1], count))


def from_above(axes: Axes, run: Run, of: str = "P", **style: object) -> None:
    """The path of a particle or body seen along -z, axes in metres and to scale."""
    x, y, _ = run.position(of).T
    axes.plot(x, y, **style)
    axes.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")


def circle(axes: Axes, radius: float, **style: object) -> None:
    """A circle about the origin."""
    turn = np.linspace(0, 2 * np.pi, 181)
    axes.plot(radius * np.cos(turn), radius * np.sin(turn), **{"color": PALE, "lw": 0.9, **style})


def picture_of(entry: Entry, run: Run) -> Figure:
    """The entry's own figure, its portrait, or the histories of its run."""
    if entry.picture is not None:
        return entry.picture(run)
    if entry.portrait is None:
        return run.plot()
    x, y = entry.portrait
    along = smooth(run)
    with panels("") as (figure, (axes,)):
        axes.plot(along[x], along[y])
        axes.set(xlabel=x, ylabel=y)
    return figure


def torus_point(around: Array, along: Array, big: float = 2.0, small: float = 0.9) -> tuple[Array, Array, Array]:
    """Two angles as a point of a torus in space: ``around`` its axis, ``along`` its tube."""
    radius = big + small * np.cos(along)
    return radius * np.cos(around), radius * np.sin(around), small * np.sin(along)


def torus(axes: Axes) -> None:
    """A pale torus to draw on, without the frame around it."""
    around, along = np.meshgrid(np.linspace(0, 2 * np.pi, 61), np.linspace(0, 2 * np.pi, 31))
    axes.plot_surface(*torus_point(around, along), color=PALE, alpha=0.28, linewidth=0, antialiased=True)
    axes.set_box_aspect((1, 1, 0.36), zoom=1.35)
    axes.set(xlim=(-3, 3), ylim=(-3, 3), zlim=(-1.05, 1.05))
    axes.view_init(42, -60)
    axes.set_axis_off()


def broken(x: Array, y: Array, jump: float = 3.0) -> tuple[Array, Array]:
    """A curve with a gap wherever either number jumps, as an angle does at the end of its range."""
    breaks = (np.abs(np.diff(x)) > jump) | (np.abs(np.diff(y)) > jump)
    places = np.flatnonzero(breaks) + 1
    return np.insert(x, places, np.nan), np.insert(y, places, np.nan)


def angle_ticks(axes: Axes, halves: int, xlabel: str, ylabel: str) -> None:
    """An axis of angles from 0 to ``halves`` times pi, marked in multiples of pi."""
    names = ["0", r"$\pi/2$", r"$\pi$", r"$3\pi/2$", r"$2\pi$"]
    count = 2 * halves + 1
    axes.set_xticks(np.arange(count) * np.pi / 2, names[:count])
    axes.set(xlabel=xlabel, ylabel=ylabel, xlim=(0, halves * np.pi))
