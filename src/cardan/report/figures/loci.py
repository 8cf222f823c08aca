"""Figures of eigenvalues: root loci, frequencies along a parameter, and maps of stability."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from cardan.analysis.maps import RootLocus, StabilityMap
from cardan.report.figures.lettering import plain
from cardan.report.figures.saving import FIGURES, checked, save
from cardan.report.figures.style import COLOURS, INK, MUTED, figure_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

KINDS = ("damped", "neutral", "flutter", "divergence", "none")
FILLS = ("#2ba58a", "#a9d8cb", "#d98b3a", "#b5472e", "#e8e8e8")
NARROW = 1e-6  # of the largest eigenvalue: real parts below it are drawn as none


def plot_root_locus(locus: RootLocus, title: str, path: str | os.PathLike[str] | None = None) -> Figure:
    """Eigenvalues in the complex plane, coloured by the parameter; where they begin is marked."""
    if path is not None:
        checked(path, FIGURES)
    with figure_style() as easel:
        figure: Figure
        figure, axes = easel.subplots(figsize=(6.4, 4.8), layout="constrained")
        z, values = locus.eigenvalues, np.repeat(locus.values[:, None], locus.eigenvalues.shape[1], axis=1)
        axes.axvline(0.0, color=MUTED, lw=0.8)
        axes.plot(z.real, z.imag, color=MUTED, lw=0.5, alpha=0.5)
        dots = axes.scatter(z.real, z.imag, c=values, s=9, cmap="viridis")
        first = np.flatnonzero(np.isfinite(z).all(axis=1))
        if len(first):
            start = z[first[0]]
            label = f"{plain(locus.parameter)} = {locus.values[first[0]]:.4g}"
            axes.plot(start.real, start.imag, "x", color=INK, ms=7, label=label)
            axes.legend(loc="best")
        tall, wide = float(np.nanmax(np.abs(z))), float(np.nanmax(np.abs(z.real)))
        if wide < NARROW * tall:  # nothing grows or decays: no room for rounding
            axes.set_xlim(-0.1 * tall, 0.1 * tall)
        figure.colorbar(dots, ax=axes, label=plain(locus.parameter))
        axes.set_xlabel("growth (real part)")
        axes.set_ylabel("frequency (imaginary part)")
        axes.set_title(f"Root locus: {plain(title)}")
        save(figure, path)
    return figure


def plot_campbell(
    locus: RootLocus, title: str, orders: tuple[float, ...] = (), path: str | os.PathLike[str] | None = None
) -> Figure:
    """Frequencies along the parameter, with lines of its multiples ``orders``; crossings and veerings are marked."""
    if path is not None:
        checked(path, FIGURES)
    with figure_style() as easel:
        figure: Figure
        figure, axes = easel.subplots(figsize=(6.4, 4.4), layout="constrained")
        found = locus.frequencies
        for k in range(found.shape[1]):
            axes.plot(locus.values, found[:, k], color=COLOURS[k % len(COLOURS)])
        _mark_meetings(axes, locus)
        top = float(np.nanmax(found)) if found.size else 1.0
        for order in orders:
            axes.plot(locus.values, order * locus.values, color=MUTED, lw=0.9, ls="--")
            inside = locus.values[order * locus.values <= 1.05 * top]
            if len(inside):
                axes.annotate(f"{order:g}x", (inside[-1], order * inside[-1]), color=MUTED, fontsize=9)
        axes.set_ylim(0.0, 1.08 * top)
        axes.set_xlabel(plain(locus.parameter))
        axes.set_ylabel("frequency")
        axes.set_title(f"Frequencies: {plain(title)}")
        save(figure, path)
    return figure


def _mark_meetings(axes: Axes, locus: RootLocus) -> None:
    for kind, mark in (("crossing", "o"), ("veering", "D")):
        own = [one for one in locus.meetings if one.kind == kind]
        if own:
            x = [one.value for one in own]
            y = [
                0.5 * sum(float(np.interp(one.value, locus.values, locus.eigenvalues[:, j].imag)) for j in one.modes)
                for one in own
            ]
            axes.plot(x, y, mark, mfc="none", color=INK, ms=7, ls="", label=kind)
            axes.legend(loc="best")


def plot_stability_map(found: StabilityMap, title: str, path: str | os.PathLike[str] | None = None) -> Figure:
    """Regions of the plane of two parameters, by what the right eigenvalue does there."""
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    if path is not None:
        checked(path, FIGURES)
    codes = np.vectorize(KINDS.index, otypes=[int])(found.kinds)
    with figure_style() as easel:
        figure: Figure
        figure, axes = easel.subplots(figsize=(6.6, 4.8), layout="constrained")
        axes.pcolormesh(
            found.x, found.y, codes.T, cmap=ListedColormap(FILLS), vmin=-0.5, vmax=len(KINDS) - 0.5, shading="nearest"
        )
        if np.isfinite(found.growth).all() and np.ptp(np.sign(found.growth)) > 0:
            axes.contour(found.x, found.y, found.growth.T, levels=[1e-8 * found.scale], colors=INK, linewidths=0.9)
        axes.grid(False)
        named = [Patch(color=FILLS[k], label=_said(KINDS[k])) for k in np.unique(codes)]
        figure.legend(handles=named, loc="outside lower center", ncols=len(named))
        axes.set_xlabel(plain(found.names[0]))
        axes.set_ylabel(plain(found.names[1]))
        axes.set_title(f"Stability: {plain(title)}")
        save(figure, path)
    return figure


def _said(kind: str) -> str:
    return {"none": "no rest", "neutral": "neither grows nor decays"}.get(kind, kind)
