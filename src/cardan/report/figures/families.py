"""Figures of families of rests, steady and periodic motions: one quantity over another, with their stability."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from cardan.analysis.continuation import SpecialPoint
from cardan.report.figures.lettering import plain
from cardan.report.figures.saving import FIGURES, checked, save
from cardan.report.figures.style import INK, figure_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STABLE, UNSTABLE = "#1f6f8b", "#c0392b"
MARKS = {"fold": "v", "branch": "s", "Hopf": "o", "period doubling": "D", "torus": "P", "flutter": "^"}
Vector = NDArray[np.float64]


class Drawn(Protocol):
    """What is drawn of a family: numbers by name, where it is stable, and its special points."""

    def __getitem__(self, name: str) -> Vector: ...
    @property
    def is_stable(self) -> NDArray[np.bool_]: ...
    @property
    def points(self) -> Sequence[SpecialPoint[Any]]: ...
    def at_point(self, point: SpecialPoint[Any], name: str) -> float: ...


def plot_families(
    title: str, families: Sequence[Drawn], x: str, y: str, path: str | os.PathLike[str] | None = None
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
        _mark_points(axes, families, x, y)
        for label, color, line in (("stable or neutral", STABLE, "-"), ("unstable", UNSTABLE, "--")):
            axes.plot([], [], color=color, ls=line, label=label)
        axes.set_xlabel(plain(x))
        axes.set_ylabel(plain(y))
        axes.set_title(f"Families: {plain(title)}")
        axes.legend(loc="best")
        save(figure, path)
    return figure


def _mark_points(axes: Axes, families: Sequence[Drawn], x: str, y: str) -> None:
    """Folds, branch points and the like."""
    seen = set[str]()
    for family in families:
        for point in family.points:
            label = "" if point.kind in seen else point.kind
            seen.add(point.kind)
            place = [family.at_point(point, x)], [family.at_point(point, y)]
            axes.plot(*place, MARKS.get(point.kind, "x"), color=INK, mfc="white", ms=6, ls="", label=label)


def _pieces(stable: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Runs of equal stability, each reaching to the first member of the next."""
    cuts = [0, *(np.flatnonzero(stable[1:] != stable[:-1]) + 1).tolist(), len(stable)]
    return [(begin, min(end, len(stable) - 1)) for begin, end in pairwise(cuts)]
