"""Maps: a number of every row as a colour over two of what was varied."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardan.errors import ModelError, StoreError, unknown
from cardan.formats.storing import written_beside

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cardan.studies.study import Study

FAILED = "0.6"  # grey


def plot_map(
    study: Study, name: str, x: str | None, y: str | None, path: str | PathLike[str] | None, axes: Axes | None,
    label: str, logarithmic: bool, colours: str,
) -> Figure:  # fmt: skip
    """The figure of a map, with the right axes; other axes of the sweep must have one value."""
    from matplotlib.colors import LogNorm
    from matplotlib.figure import Figure as NewFigure

    horizontal, vertical, table = plane(study, name, x, y)
    figure: Figure = NewFigure(figsize=(6.4, 5.2), layout="constrained") if axes is None else axes.figure
    area = figure.subplots() if axes is None else axes
    area.set_facecolor(FAILED)
    scale = LogNorm(*span_of(table, logarithmic=True)) if logarithmic else None
    mesh = area.pcolormesh(
        study.axis(horizontal), study.axis(vertical), np.ma.masked_invalid(table), cmap=colours, norm=scale,
        shading="nearest", rasterized=True,
    )  # fmt: skip
    area.set_xlabel(study.columns[horizontal])
    area.set_ylabel(study.columns[vertical])
    area.set_title(study.facts["name"])
    figure.colorbar(mesh, ax=area, label=label or name)
    if path is not None:
        with written_beside(path) as part:
            figure.savefig(part, dpi=150)
    return figure


def span_of(table: NDArray[np.float64], *, logarithmic: bool = False) -> tuple[float, float]:
    """The least and the largest number that a map shows."""
    values = table[np.isfinite(table)]
    shown = values[values > 0] if logarithmic else values
    if logarithmic and not len(shown):
        raise StoreError("Nothing is positive, so that there is no logarithm to show.")
    return (float(shown.min()), float(shown.max())) if len(shown) else (0.0, 1.0)


def plane(study: Study, name: str, x: str | None, y: str | None) -> tuple[int, int, NDArray[np.float64]]:
    """(axis of x, axis of y, the table with y downwards), of a sweep over all combinations."""
    columns = study.columns
    if len(study.shape) != len(columns) or len(columns) < 2:
        raise ModelError(
            f"A map needs all combinations of two things, and this study has the shape {study.shape} over "
            f"{', '.join(columns)}.",
            shape=study.shape,
        )
    wide = [one for k, one in enumerate(columns) if study.shape[k] > 1] or columns
    chosen = [x or wide[0], y or next((one for one in wide if one != (x or wide[0])), columns[1])]
    for one in chosen:
        if one not in columns:
            raise unknown(one, columns, "thing that was varied")
    horizontal, vertical = (columns.index(one) for one in chosen)
    others = [k for k in range(len(columns)) if k not in (horizontal, vertical)]
    for k in others:
        if study.shape[k] > 1:
            raise ModelError(
                f"{columns[k]} takes {study.shape[k]} values; a map shows two things. Sweep it with one value, or use "
                "study.to_xarray().",
                name=columns[k],
            )
    table = np.moveaxis(study[name], (vertical, horizontal, *others), range(len(columns)))
    return horizontal, vertical, table.reshape(study.shape[vertical], study.shape[horizontal])
