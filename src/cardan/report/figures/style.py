"""One look for all figures: quiet axes, readable type, colours that survive greyscale and colour blindness."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Told apart by colour-blind eyes too, which a test measures; the page draws with the same (frontend/src/plots).
COLOURS = ("#1b6ca8", "#b5472e", "#2ba58a", "#5f2a70", "#c1931c", "#34393b")
INK, MUTED, QUIET, PAPER = "#1d2125", "#5d666f", "#d9dde1", "#ffffff"

SETTINGS: dict[str, object] = {
    "font.size": 10.5,
    "font.family": "sans-serif",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.8,
    "lines.linewidth": 1.6,
    "legend.frameon": False,
    "hatch.linewidth": 0.6,
    "figure.dpi": 110,
    "savefig.dpi": 150,
    "savefig.bbox": "tight",
}


Dashes = str | tuple[float, tuple[float, ...]]  # as matplotlib takes them: a name, or (offset, lengths on and off)


@dataclass(frozen=True)
class Look:
    """How a kind of singularity is drawn, and what it is called."""

    colour: str
    dashes: Dashes
    hatch: str
    words: str

    def variant(self, k: int) -> Look:
        """The k-th set of a kind: paler, in other dashes."""
        if k == 0:
            return self
        shares = [int(self.colour[i : i + 2], 16) for i in (1, 3, 5)]
        paler = [round(one + (255 - one) * min(0.3 * k, 0.6)) for one in shares]
        dashes: Dashes = ((0, (7, 1.6, 1.6, 1.6)), (0, (1, 1.2)), (0, (9, 4)))[(k - 1) % 3]
        return replace(self, colour="#{:02x}{:02x}{:02x}".format(*paler), dashes=dashes)


KINDS = {
    "coordinate-singularity": Look(COLOURS[1], (0, (6, 2)), "\\\\\\\\", "coordinate singularity"),
    "gimbal-lock": Look(COLOURS[3], (0, (2, 1.4)), "////", "gimbal lock"),
    "constraint-degeneracy": Look(COLOURS[0], (0, (7, 2, 1.5, 2)), "xxxx", "degenerate constraints"),
    "kinematic-singularity": Look(COLOURS[2], (0, (7, 2, 1.5, 2, 1.5, 2)), "++++", "kinematic singularity"),
    "carried-by-constraints": Look(COLOURS[5], (0, (1, 1.5)), "....", "carried by the constraints"),
}
STOP = Look(MUTED, "-", "////", "stop")


class Easel:
    """Makes figures that belong to nobody: not to pyplot, whose backend and open figures are the user's own.

    A notebook shows them where a cell ends with one.
    """

    def figure(self, **how: Any) -> Figure:
        """An empty figure, drawn in memory."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        class Shown(Figure):
            """A figure that notebooks know how to show."""

            def _repr_png_(self) -> bytes:
                image = io.BytesIO()
                self.savefig(image, format="png")
                return image.getvalue()

        figure = Shown(**how)
        FigureCanvasAgg(figure)
        return figure

    def subplots(self, rows: int = 1, columns: int = 1, **how: Any) -> tuple[Figure, Any]:
        """A figure with panels: one, a row or column of them, or a table, as pyplot gives them."""
        whole = {name: how.pop(name) for name in ("figsize", "layout", "dpi") if name in how}
        figure = self.figure(**whole)
        return figure, figure.subplots(rows, columns, **how)


@contextmanager
def figure_style() -> Iterator[Easel]:
    """What makes figures within Cardan's style."""
    import matplotlib
    from cycler import cycler

    with matplotlib.rc_context({**SETTINGS, "axes.prop_cycle": cycler(color=COLOURS)}):
        yield Easel()
