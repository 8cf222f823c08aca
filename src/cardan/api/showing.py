"""How a run is shown: figures, pages. Each method is one call into the room that draws it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from cardan.diagnosis.along import JudgedTrajectory
from cardan.native.deadline import BUDGET
from cardan.trajectory.settings import Name
from cardan.trajectory.trajectory import Trajectory

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cardan.report.data.special import Special


class Showing(JudgedTrajectory):
    """The pictures of a run."""

    def plot(self, *names: Name, path: str | PathLike[str] | None = None) -> Figure:
        """A figure of coordinates and energy along the run; saved to ``path`` if given."""
        from cardan.report.figures.plots import plot_run

        return plot_run(self, names, path)

    def plot_phase(
        self,
        x: Name,
        y: Name | None = None,
        *,
        others: Sequence[Trajectory] = (),
        surface: bool = False,
        axes: Axes | None = None,
        path: str | PathLike[str] | None = None,
    ) -> Figure:
        """A phase portrait over ``x`` and ``y`` (the rate of x by default), with singular sets, stops and impacts.

        Angles make it a cylinder or torus: cut open along the period, or with ``surface=True`` drawn in space.
        ``others`` are runs to draw beside this one; ``axes`` draws into matplotlib axes that exist already.
        """
        from cardan.report.figures.portraits import plot_phase

        return plot_phase(self, x, y, others, surface, axes, path)

    def plot_indicators(
        self, loads: Mapping[str, ArrayLike] | None = None, *, path: str | PathLike[str] | None = None
    ) -> Figure:
        """A figure of the indicators of singularity along the run, with thresholds, crossings and findings."""
        from cardan.report.figures.indicator_plots import plot_indicators

        return plot_indicators(self, loads, path)

    def animate(self, path: str | PathLike[str], *, fps: float = 30.0, speed: float = 1.0) -> Path:
        """Write a film of the motion, .gif or .mp4 (which needs the program ffmpeg); returns its path."""
        from cardan.report.figures.video import animate

        return animate(self, path, fps, speed)

    def report(
        self,
        path: str | PathLike[str],
        *,
        title: str | None = None,
        remedies: bool = True,
        frames: int | None = None,
        date: str | None = None,
        live: bool = True,
        special: Sequence[Special] = (),
        budget: float | None = BUDGET,
    ) -> Path:
        """Write a report: one HTML file that opens without a network. Returns its whole path.

        It shows the motion in three dimensions with its forces, portraits with the singular sets, findings with their
        reasons, the equations and where it all comes from. ``frames`` is the number of moments shown (chosen from the
        motion if not given); with ``remedies=False`` nothing is tried that would lift a finding. A ``date`` appears
        only if one is given, so that equal runs give equal files. Where nothing has to be decided in Python, the page
        has sliders and computes motions by itself, offline; ``live=False`` leaves that out. ``special`` are answers
        about special motions to show beside it, such as ``[s.modes(), s.root_locus("k", values)]``, modes to be shaken.
        After ``budget`` seconds (None: no limit) nothing more is searched for, and the page says what is not decided.
        """
        from cardan.report.page.html import write_report

        written = write_report(
            self, path, title=title, remedies=remedies, frames=frames, date=date, live=live, special=special,
            budget=budget,
        )  # fmt: skip
        return written.absolute()

    def _repr_html_(self) -> str:
        """For notebooks: the audit of the run and a picture of it."""
        from cardan.report.page.display import run_html

        return run_html(self)
