"""Figures of families of steady motions: one quantity over another, with their stability."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardan.analysis.families import Family
from cardan.report.figures.lettering import plain
from cardan.report.figures.saving import FIGURES, checked, save
from cardan.report.figures.style import figure_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STABLE, UNSTABLE = "#1f6f8b", "#c0392b"


def plot_families(
    title: str, families: Sequence[Family], x: str, y: str, path: str | os.PathLike[str] | None = None
) -> Figure:
    """Each family as a curve: solid where no eigenvalue grows, dashed where one does."""
    if path is not None:
        checked(path, FIGURES)
    with figure_style() as easel:
        figure: Figure
        figure, axes = easel.subplots(figsize=(6.4, 4.4), layout="constrained")
        for family in families:
            across, up, stable = family[x], family[y], family.is_stable
            for begin, end in _pieces(stable):
                how = {"color": STABLE, "ls": "-"} if stable[begin] else {"color": UNSTABLE, "ls": "--"}
                axes.plot(across[begin : end + 1], up[begin : end + 1], **how)
        for label, color, line in (("stable or neutral", STABLE, "-"), ("unstable", UNSTABLE, "--")):
            axes.plot([], [], color=color, ls=line, label=label)
        axes.set_xlabel(plain(x))
        axes.set_ylabel(plain(y))
        axes.set_title(f"Steady motions: {plain(title)}")
        axes.legend(loc="best")
        save(figure, path)
    return figure


def _pieces(stable: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Runs of equal stability, each reaching to the first member of the next."""
    cuts = [0, *(np.flatnonzero(stable[1:] != stable[:-1]) + 1).tolist(), len(stable)]
    return [(begin, min(end, len(stable) - 1)) for begin, end in pairwise(cuts)]
