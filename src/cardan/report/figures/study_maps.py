"""Pictures of basins, sections and diagrams."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from cardan.report.figures.saving import FIGURES, checked, save
from cardan.report.figures.style import figure_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from cardan.studies.basins import Basins
    from cardan.studies.sections import Diagram, Section

MOST_NAMED = 8  # attractors that the legend names


def plot_basins(found: Basins, x: str | None, y: str | None, path: str | PathLike[str] | None) -> Figure:
    """Starts in the colours of where they end; grey ones did not reach their end."""
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    if path is not None:
        checked(path, FIGURES)
    horizontal, vertical, table = found.plane(x, y)
    colours = [
        colormaps["tab10" if len(found.attractors) <= 10 else "tab20"](k % 20)
        for k in range(max(len(found.attractors), 1))
    ]
    with figure_style() as easel:
        figure: Figure
        figure, axes = easel.subplots(figsize=(6.4, 5.8), layout="constrained")
        axes.pcolormesh(
            found.study.axis(horizontal), found.study.axis(vertical), table, shading="nearest", rasterized=True,
            cmap=ListedColormap(["0.6", *colours]), vmin=-1.5, vmax=len(colours) - 0.5,
        )  # fmt: skip
        axes.grid(False)
        axes.set_xlabel(found.study.columns[horizontal])
        axes.set_ylabel(found.study.columns[vertical])
        axes.set_title(f"Basins: {found.study.facts['name']}")
        named = [Patch(color=colours[k], label=_said(one.mean)) for k, one in enumerate(found.attractors[:MOST_NAMED])]
        figure.legend(handles=named, loc="outside lower center", ncols=min(len(named), 2) or 1)
        save(figure, path)
    return figure


def _said(mean: dict[str, float]) -> str:
    places = list(mean.items())[: max(1, len(mean) // 2)]
    return ", ".join(f"{name} = {x:.3g}" for name, x in places)


def plot_section(found: Section, x: str, y: str, title: str, path: str | PathLike[str] | None) -> Figure:
    """Passages of every motion in a colour of its own."""
    if path is not None:
        checked(path, FIGURES)
    with figure_style() as easel:
        figure: Figure
        figure, axes = easel.subplots(figsize=(6.4, 5.2), layout="constrained")
        for across, up in zip(found[x], found[y], strict=True):
            axes.plot(across, up, ".", markersize=2.0)
        axes.set_xlabel(x)
        axes.set_ylabel(y)
        axes.set_title(title)
        save(figure, path)
    return figure


def plot_diagram(found: Diagram, y: str, path: str | PathLike[str] | None) -> Figure:
    """A coordinate at every passage over the parameter."""
    if path is not None:
        checked(path, FIGURES)
    table = found[y]
    with figure_style() as easel:
        figure: Figure
        figure, axes = easel.subplots(figsize=(7.2, 4.8), layout="constrained")
        axes.plot(np.repeat(found.values, table.shape[1]), table.ravel(), ".", color="k", markersize=1.2)
        axes.set_xlabel(found.parameter)
        axes.set_ylabel(y)
        axes.set_title(f"Once in every period: {found.study.facts['name']}")
        save(figure, path)
    return figure
