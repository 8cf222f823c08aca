"""One look for all figures: quiet axes, readable type, colours that survive greyscale and colour blindness."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

COLOURS = ("#1b6ca8", "#c8553d", "#2f8f5b", "#7a5ea8", "#b8860b", "#3b3b3b")

SETTINGS: dict[str, Any] = {
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
    "figure.dpi": 110,
    "savefig.dpi": 150,
    "savefig.bbox": "tight",
}


@contextmanager
def figure_style() -> Iterator[Any]:
    """matplotlib.pyplot within Cardan's style, drawing without a display."""
    import matplotlib

    matplotlib.use("Agg", force=False)
    import matplotlib.pyplot as plt
    from cycler import cycler

    with plt.rc_context({**SETTINGS, "axes.prop_cycle": cycler(color=COLOURS)}):
        yield plt
