"""Figures are made without touching what the user has set: the backend, open figures, settings."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys
import cardan as cd
s = cd.System("pendulum")
a = s.coordinates("a")
import sympy as sp
s.lagrangian(a.dot**2 / 2 + 9.81 * sp.cos(a))
run = s.simulate(1.0, q={"a": 1.0})
if "early" in sys.argv:
    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as plt
    mine = plt.figure()
    settings = dict(matplotlib.rcParams)
figure = run.plot()
run.plot_phase("a")
run.animate(sys.argv[1], fps=5)
run._repr_html_()
if "early" in sys.argv:
    assert matplotlib.get_backend().lower() == "svg", matplotlib.get_backend()
    assert plt.get_fignums() == [mine.number], plt.get_fignums()
    assert dict(matplotlib.rcParams) == settings
else:
    import matplotlib
    assert matplotlib.rcParams._get_backend_or_none() is None  # still to be chosen by whoever opens a window
assert figure._repr_png_().startswith(b"\\x89PNG")
figure.savefig(sys.argv[1] + ".png")
"""


def test_figures_leave_the_backend_and_the_figures_of_the_user_alone(tmp_path: Path) -> None:
    env = {name: value for name, value in os.environ.items() if name != "MPLBACKEND"}
    for when in ("early", "late"):
        made = subprocess.run(
            [sys.executable, "-c", PROGRAM, str(tmp_path / "film.gif"), when], capture_output=True, text=True, env=env
        )
        assert made.returncode == 0, made.stderr[-800:]
