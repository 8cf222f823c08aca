"""Figures of a run: coordinates, velocities and energy against time."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardan.errors import UnknownName
from cardan.report.data.symbols import typeset
from cardan.report.figures.lettering import mathematics, plain, symbol_named, unit_of
from cardan.report.figures.saving import FIGURES, checked, save
from cardan.report.figures.style import figure_style
from cardan.trajectory.settings import Name
from cardan.trajectory.trajectory import Trajectory

if TYPE_CHECKING:
    from matplotlib.figure import Figure

QUANTITIES = {"rad": "angle", "m": "length", "rad/s": "rate", "m/s": "speed"}


def plot_run(run: Trajectory, names: Sequence[Name] = (), path: str | os.PathLike[str] | None = None) -> Figure:
    """A matplotlib figure: the named histories (all coordinates by default) over the energy error."""
    if path is not None:
        checked(path, FIGURES)
    model = run.kernel.model
    shown = [str(name) for name in names] or [one.name for one in model.free]
    with figure_style() as easel:
        figure: Figure
        figure, (upper, lower) = easel.subplots(
            2, 1, sharex=True, figsize=(7.5, 5.2), height_ratios=(2.4, 1), layout="constrained"
        )
        times, sampled = _smooth(run)
        for name in shown:
            history = sampled[name]
            if history.ndim == 2:
                for part, column in zip("wxyz", history.T, strict=True):
                    upper.plot(times, column, label=f"{_label(run, name)}, {part}")
            else:
                upper.plot(times, history, label=_label(run, name))
        upper.set_ylabel(_axis_label(run, shown))
        upper.set_title(plain(model.name))
        upper.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
        error = run.energy - run.energy[0]
        lower.plot(run.t, error, color="#34393b")
        lower.set_ylabel("energy error [J]")
        lower.set_xlabel("time [s]")
        lower.ticklabel_format(axis="y", style="sci", scilimits=(0, 0))
        save(figure, path)
    return figure


def _smooth(run: Trajectory) -> tuple[NDArray[np.float64], Trajectory]:
    """The run at enough times to draw smooth curves."""
    times = np.linspace(run.t[0], run.t[-1], max(600, min(4000, 4 * len(run.t))))
    return times, run.at(times)


def _label(run: Trajectory, name: str) -> str:
    """A coordinate or velocity as mathematics; anything else by its name."""
    try:
        return mathematics(typeset(symbol_named(run.model, name)))
    except UnknownName:  # a quaternion, or a prescribed coordinate
        return name


def _axis_label(run: Trajectory, names: Sequence[str]) -> str:
    """The quantity and its unit where all histories have the same."""
    units = set()
    for name in names:
        try:
            units.add(unit_of(run.model, symbol_named(run.model, name)))
        except UnknownName:
            units.add("")
    unit = units.pop() if len(units) == 1 else ""
    return f"{QUANTITIES[unit]} [{unit}]" if unit in QUANTITIES else "coordinates (SI units)"
