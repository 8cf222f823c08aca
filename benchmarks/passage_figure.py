"""Energy error over CPU time through singular configurations: one panel for each case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.work_precision_figure import COLOURS

FIGURE = Path(__file__).with_name("figures") / "singular_passages.png"
ALL_COLOURS = COLOURS | {"Pinocchio": "#6b4c9a"}
COLUMNS = 3


def draw(curves: Mapping[str, Mapping[str, Sequence[Any]]]) -> None:
    """Lines join the points that passed, dashed for a tool's defaults; crosses at the top are those that did not."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    rows = -(-len(curves) // COLUMNS)
    figure, axes = plt.subplots(rows, COLUMNS, figsize=(3.6 * COLUMNS, 2.9 * rows), sharey=True, squeeze=False)
    for ax, (name, lines) in zip(axes.flat, curves.items(), strict=False):
        for label, points in lines.items():
            tool = label.split(",")[0]
            style = {"color": ALL_COLOURS[tool], "linestyle": "--" if "defaults" in label else "-"}
            passed = [(1e3 * one.seconds, max(one.energy, 1e-16)) for one in points if one.passed]
            ax.loglog(*zip(*passed, strict=True), marker="o", markersize=3, linewidth=2 if tool == "Cardan" else 1.2,
                      **style) if passed else None  # fmt: skip
            for one in points:
                if not one.passed:
                    ax.plot(1e3 * one.seconds, 1.0, "x", color=style["color"], markersize=5)
        ax.set_title(name, fontsize=9)
        ax.grid(alpha=0.3)
    for ax in axes[-1]:
        ax.set_xlabel("CPU time, ms")
    for ax in axes[:, 0]:
        ax.set_ylabel("energy error")
    handles = [plt.Line2D([], [], color=colour, marker="o", markersize=3) for colour in ALL_COLOURS.values()]
    handles += [plt.Line2D([], [], color="k", linestyle="--"), plt.Line2D([], [], color="k", marker="x", linestyle="")]
    names = [*ALL_COLOURS, "defaults", "did not pass"]
    figure.legend(handles, names, loc="lower center", ncols=len(names), fontsize=8, frameon=False)
    figure.tight_layout(rect=(0, 0.04, 1, 1))
    FIGURE.parent.mkdir(exist_ok=True)
    figure.savefig(FIGURE, dpi=72)
    plt.close(figure)
