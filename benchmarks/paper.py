"""The figures that paper/paper.md quotes are those of results.md: written by `make bench`, held by a test."""

from __future__ import annotations

import re
from pathlib import Path

PAPER = Path(__file__).parents[1] / "paper" / "paper.md"

# (where the figure stands in the paper, where it stands in the results); one group each
QUOTED = (
    (r"takes 1/([\d.]+) of the time", r"SymPy lambdify\(cse\) \+ solve \|[^|]*\| ([\d.]+)x"),
    (r"takes ([\d.]+) times as long as Cardan's", r"CasADi gcc -O2 takes, relative to Cardan \|[^|]*\| ([\d.]+)x"),
    (r"kept: ([\d.]+) times as many", r"RK4 steps per second, relative to MuJoCo[^|]*\|[^|]*\| ([\d.]+)x"),
    (r"DOP853: ([\d.]+) times as fast", r"faster than SciPy DOP853 with a lambdified[^|]*\|[^|]*\| ([\d.]+)x"),
    (r"side, ([\d.]+) times with one compiled", r"faster than SciPy DOP853 with a numba[^|]*\|[^|]*\| ([\d.]+)x"),
    (r"fresh process ([\d.]+) s of CPU time", r"first motion, warm cache \|[^|]*\| ([\d.]+) s"),
)


def with_figures(paper: str, results: str) -> str:
    """The paper with every quoted figure as the results have it; KeyError where either lacks its place."""
    for place, row in QUOTED:
        said, measured = re.search(place.replace(" ", r"\s+"), paper), re.search(row, results)
        if said is None or measured is None:
            raise KeyError(place if said is None else row)
        paper = paper[: said.start(1)] + measured.group(1) + paper[said.end(1) :]
    return paper


def write_figures(results: str) -> None:
    PAPER.write_text(with_figures(PAPER.read_text(encoding="utf-8"), results), encoding="utf-8")
