"""Work-precision curves as a picture: a column for each mechanism, energy above and position below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

FIGURE = Path(__file__).with_name("figures") / "work_precision.png"
COLOURS = {"Cardan": "#c1121f", "Exudyn": "#1d6996", "MuJoCo": "#38a169", "Drake": "#8a6d3b"}


def draw(curves: Mapping[str, Mapping[str, Sequence[Any]]]) -> None:
    """One curve for each tool and setting; dashed: the tool's defaults."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, len(curves), figsize=(3.3 * len(curves), 6), sharey="row", squeeze=False)
    for column, (name, lines) in zip(axes.T, curves.items(), strict=True):
        for label, points in lines.items():
            tool = label.split(",")[0]
            style = {"color": COLOURS[tool], "linestyle": "--" if "defaults" in label else "-", "label": label}
            style |= {"marker": "o", "markersize": 3.0, "linewidth": 2.0 if tool == "Cardan" else 1.2}
            for ax, error in zip(column, ("energy", "position"), strict=True):
                ax.loglog([1e3 * one.seconds for one in points], [getattr(one, error) for one in points], **style)
                ax.grid(alpha=0.3)
        column[0].set_title(name, fontsize=10)
        column[1].set_xlabel("CPU time, ms")
    axes[0, 0].set_ylabel("energy error")
    axes[1, 0].set_ylabel("position error")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncols=4, fontsize=8, frameon=False)
    figure.tight_layout(rect=(0, 0.08, 1, 1))
    FIGURE.parent.mkdir(exist_ok=True)
    figure.savefig(FIGURE, dpi=72)
    plt.close(figure)
