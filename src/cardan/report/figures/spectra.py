"""Figures of one rest or steady motion: its eigenvalues, the shapes of its modes, and where a system can rest."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from cardan.analysis.equilibria import Equilibrium
from cardan.analysis.linear import Linearization
from cardan.analysis.modes import Modes
from cardan.report.figures.families import STABLE, UNSTABLE
from cardan.report.figures.lettering import plain
from cardan.report.figures.saving import FIGURES, checked, save
from cardan.report.figures.style import INK, MUTED, figure_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 6  # modes that one figure shows
NARROW = 1e-6  # of the largest eigenvalue: real parts below it are drawn as none


def plot_spectrum(lin: Linearization, title: str, path: str | os.PathLike[str] | None = None) -> Figure:
    """Eigenvalues in the complex plane; those that grow are on the right, and zeros carry their number."""
    if path is not None:
        checked(path, FIGURES)
    with figure_style() as easel:
        figure: Figure
        figure, axes = easel.subplots(figsize=(5.6, 4.4), layout="constrained")
        z = lin.eigenvalues
        tall = float(np.max(np.abs(z), initial=0.0)) or 1.0
        growing = z.real > NARROW * tall
        axes.axvline(0.0, color=MUTED, lw=0.8)
        axes.axhline(0.0, color=MUTED, lw=0.8)
        for which, color, label in ((~growing, STABLE, "does not grow"), (growing, UNSTABLE, "grows")):
            if which.any():
                axes.plot(z.real[which], z.imag[which], "o", color=color, ms=7, label=label)
        if lin.spectrum.zeros > 1:
            axes.annotate(f"{lin.spectrum.zeros} zeros", (0, 0), (8, 8), textcoords="offset points", color=INK)
        if float(np.max(np.abs(z.real), initial=0.0)) < NARROW * tall:  # no room for rounding
            axes.set_xlim(-0.1 * tall, 0.1 * tall)
        axes.set_xlabel("growth (real part)")
        axes.set_ylabel("frequency (imaginary part)")
        axes.set_title(f"{plain(title)}: {lin.stability.verdict}")
        axes.legend(loc="best")
        save(figure, path)
    return figure


def plot_modes(modes: Modes, title: str, path: str | os.PathLike[str] | None = None) -> Figure:
    """The slowest modes, one panel each: how much every coordinate takes part, the largest as one."""
    if path is not None:
        checked(path, FIGURES)
    count = min(len(modes), MOST)
    with figure_style() as easel:
        figure: Figure
        size = (7.0, 1.2 + 1.1 * max(count, 1))
        figure, panels = easel.subplots(
            max(count, 1), 1, figsize=size, sharex=True, squeeze=False, layout="constrained"
        )
        places = np.arange(len(modes.names))
        for axes, square, shape in zip(panels[:, 0], modes.squares, modes.shapes.T, strict=False):
            largest = float(np.max(np.abs(shape), initial=0.0)) or 1.0
            axes.bar(places, shape / largest, color=STABLE if square >= 0 else UNSTABLE, width=0.6)
            axes.axhline(0.0, color=MUTED, lw=0.8)
            axes.set(ylim=(-1.15, 1.15), yticks=[-1, 0, 1])
            axes.set_ylabel(_pace(float(square)), rotation=0, ha="right", va="center")
        last = panels[-1, 0]
        few = len(places) <= 24
        last.set_xticks(places if few else [], [plain(name) for name in modes.names] if few else [])
        if not few:
            last.set_xlabel(f"{len(places)} coordinates, {plain(modes.names[0])} to {plain(modes.names[-1])}")
        more = f", {count} of {len(modes)}" if len(modes) > count else ""
        figure.suptitle(f"Modes: {plain(title)}{more}")
        save(figure, path)
    return figure


def _pace(square: float) -> str:
    """A frequency in words; what is unstable grows instead."""
    size = abs(square) ** 0.5
    return "rigid " if square == 0 else f"grows {size:.3g} " if square < 0 else f"{size:.4g} rad/s "


def plot_equilibria(found: Sequence[Equilibrium], title: str, path: str | os.PathLike[str] | None = None) -> Figure:
    """Rests side by side: one line over the coordinates for each, its stability by colour."""
    if path is not None:
        checked(path, FIGURES)
    with figure_style() as easel:
        figure: Figure
        figure, axes = easel.subplots(figsize=(6.4, 4.2), layout="constrained")
        names = [symbol.name for symbol in found[0].place.kernel.model.q] if found else []
        for one in found:
            unstable = one.stability.verdict == "unstable"
            color, line = (UNSTABLE, "--") if unstable else (STABLE, "-")
            axes.plot(range(len(names)), one.q, "o", ls=line, color=color, lw=1.2, ms=6)
        for label, color, line in (("stable or undecided", STABLE, "-"), ("unstable", UNSTABLE, "--")):
            axes.plot([], [], "o", ls=line, color=color, label=label)
        axes.set_xticks(range(len(names)), [plain(name) for name in names])
        axes.margins(x=0.15)
        axes.set_ylabel("at rest")
        axes.set_title(f"Rests: {plain(title)} ({len(found)})")
        axes.legend(loc="best")
        save(figure, path)
    return figure
