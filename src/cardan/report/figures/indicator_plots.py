"""Indicators of singularity along a run: on a logarithmic axis, with thresholds, crossings and findings."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.diagnosis.along import JudgedTrajectory
from cardan.diagnosis.indicators import NEAR, SINGULAR
from cardan.report.data.happenings import series_of, title
from cardan.report.figures.lettering import plain
from cardan.report.figures.saving import FIGURES, checked, save
from cardan.report.figures.style import COLOURS, INK, MUTED, figure_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Vector = NDArray[np.float64]

SAMPLES = 1500
FLOOR = 1e-10  # what is smaller is drawn here: below it an indicator is round-off
MOST_LISTED = 8  # findings that are told in words under the picture


def plot_indicators(
    run: JudgedTrajectory, loads: Mapping[str, ArrayLike] | None = None, path: str | os.PathLike[str] | None = None
) -> Figure:
    """The figure: every indicator, where it is near zero, and the numbered findings."""
    if path is not None:
        checked(path, FIGURES)
    t, series = sampled(run, loads)
    with figure_style() as easel:
        figure: Figure
        figure, axes = easel.subplots(figsize=(7.5, 4.2), layout="constrained")
        axes.set_yscale("log")
        axes.axhspan(FLOOR / 10, NEAR, color=COLOURS[1], alpha=0.06, linewidth=0)
        for limit, words in ((NEAR, "near"), (SINGULAR, "singular")):
            axes.axhline(limit, color=COLOURS[1], linewidth=1, linestyle="--")
            text = f"{words} below {limit:.0e}".replace("e-0", "e-")
            look = {"color": COLOURS[1], "fontsize": 9, "ha": "left", "va": "top", "textcoords": "offset points"}
            axes.annotate(text, (t[0], limit), (4, -2), **look)
        for k, (name, values) in enumerate(series.items()):
            colour = COLOURS[k % len(COLOURS)]
            axes.plot(t, np.maximum(values, FLOOR), color=colour, label=name, zorder=3)
            _draw_crossings(axes, t, values, colour)
        _draw_findings(axes, run)
        axes.set_ylim(FLOOR / 3, 3)
        axes.set_xlim(float(np.min(t)), float(np.max(t)))
        axes.set_xlabel("time [s]")
        axes.set_ylabel("indicator (no unit)")
        axes.set_title(plain(run.model.name), pad=22)
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
        _list_findings(figure, run)
        save(figure, path)
    return figure


def sampled(run: JudgedTrajectory, loads: Mapping[str, ArrayLike] | None) -> tuple[Vector, dict[str, Vector]]:
    """(times, indicators by name), with the lowest point of each finding among the samples."""
    duration = abs(float(run.t[-1] - run.t[0]))
    found = run.indicators(loads, SAMPLES / duration if duration else None)
    t, series = np.asarray(found.t), dict(found.series)
    for one in run.findings:
        name = series_of(one)
        if one.t is not None and name in series:
            k = int(np.searchsorted(t, one.t))
            own = {key: float(np.interp(one.t, t, values)) for key, values in series.items()} | {name: one.indicator}
            t = np.insert(t, k, one.t)
            series = {key: np.insert(values, k, own[key]) for key, values in series.items()}
    return t, series


def crossings(t: Vector, values: Vector, limit: float) -> list[tuple[float, bool]]:
    """(time, whether downwards) of each passage through the limit, on straight lines in the logarithm."""
    size = np.log(np.maximum(values, 1e-300)) - np.log(limit)
    k = np.flatnonzero((size[:-1] > 0) != (size[1:] > 0))
    times = t[k] + (t[k + 1] - t[k]) * size[k] / (size[k] - size[k + 1])
    return [(float(time), bool(size[i] > 0)) for time, i in zip(times, k, strict=True)]


def _draw_crossings(axes: Axes, t: Vector, values: Vector, colour: str) -> None:
    for is_down, marker in ((True, "v"), (False, "^")):
        times = [time for time, down in crossings(t, values, NEAR) if down == is_down]
        axes.plot(times, [NEAR] * len(times), marker, color=colour, markersize=5, zorder=4)
    below = values < NEAR
    if np.all(below):  # a load that the constraints always carry
        return
    axes.fill_between(t, FLOOR / 10, 1, where=below, transform=axes.get_xaxis_transform(), color=colour, alpha=0.12)


def _draw_findings(axes: Axes, run: JudgedTrajectory) -> None:
    """Numbers over the picture; where findings crowd, only the first of them."""
    width = abs(float(run.t[-1] - run.t[0])) or 1.0
    last = -np.inf
    for k, one in enumerate(run.findings):
        if one.t is None:
            continue
        axes.axvline(one.t, color=MUTED, linewidth=0.9, linestyle=":", zorder=1)
        if one.t - last > 0.03 * width:
            axes.annotate(
                str(k + 1),
                (one.t, 1.0),
                xytext=(0, 9),
                xycoords=axes.get_xaxis_transform(),
                textcoords="offset points",
                ha="center",
                color="white",
                fontsize=8,
                bbox={"boxstyle": "circle,pad=0.25", "facecolor": COLOURS[1], "edgecolor": "none"},
            )
            last = one.t


def _list_findings(figure: Figure, run: JudgedTrajectory) -> None:
    timed = [(k, one) for k, one in enumerate(run.findings) if one.t is not None]
    lines = [f"{k + 1}   t = {one.t:.4g} s   {title(one)}" for k, one in timed[:MOST_LISTED]]
    if len(timed) > MOST_LISTED:
        lines.append(f"and {len(timed) - MOST_LISTED} more")
    figure.supxlabel("\n".join(lines) or "no findings", x=0.02, ha="left", fontsize=9, color=INK)
