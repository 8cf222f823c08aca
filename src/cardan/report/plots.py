"""Figures of a run: coordinates, velocities and energy against time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cardan.report.style import figure_style


def plot_run(run: Any, names: Sequence[Any] = (), path: str | None = None) -> Any:
    """A matplotlib figure: the named histories (all coordinates by default) over the energy error."""
    model = run.kernel.model
    shown = [str(name) for name in names] or [one.name for one in model.free]
    with figure_style() as plt:
        figure, (upper, lower) = plt.subplots(
            2, 1, sharex=True, figsize=(7.5, 5.2), height_ratios=(2.4, 1), layout="constrained"
        )
        times, sampled = _smooth(run)
        for name in shown:
            history = sampled[name]
            if history.ndim == 2:
                for part, column in zip("wxyz", history.T, strict=True):
                    upper.plot(times, column, label=f"{_label(name)}, {part}")
            else:
                upper.plot(times, history, label=_label(name))
        upper.set_ylabel(_axis_label(model, shown))
        upper.set_title(model.name, parse_math=False)
        upper.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
        error = run.energy - run.energy[0]
        lower.plot(run.t, error, color="#3b3b3b")
        lower.set_ylabel("energy error [J]")
        lower.set_xlabel("time [s]")
        lower.ticklabel_format(axis="y", style="sci", scilimits=(0, 0))
        if path is not None:
            figure.savefig(path)
        plt.close(figure)
    return figure


def _smooth(run: Any) -> tuple[Any, Any]:
    """The run at enough times to draw smooth curves."""
    times = np.linspace(run.t[0], run.t[-1], max(600, min(4000, 4 * len(run.t))))
    return times, run.at(times)


GREEK = "alpha beta gamma delta epsilon theta phi psi nu mu lambda omega"


def _label(name: str) -> str:
    """A coordinate's name with Greek letters set as such."""
    stem, _, tail = name.partition("_")
    greek = stem.rstrip("0123456789")
    if greek in GREEK.split():
        digits = stem[len(greek) :] + (f",{tail}" if tail and tail != "dot" else "")
        body = f"\\{greek}" + (f"_{{{digits.strip(',')}}}" if digits else "")
        return f"$\\dot{{{body}}}$" if tail == "dot" else f"${body}$"
    return name


def _axis_label(model: Any, names: Sequence[str]) -> str:
    angles = {one.name for one in model.free if getattr(getattr(one, "domain", None), "is_angle", False)}
    if all(name in angles for name in names):
        return "angle [rad]"
    return "coordinates (SI units)"
