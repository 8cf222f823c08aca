"""How a run is shown: figures. Each method is one call into the room that draws it."""

from __future__ import annotations

from typing import Any


class Showing:
    """The pictures of a run."""

    def plot(self, *names: Any, path: str | None = None) -> Any:
        """A figure of coordinates and energy along the run; saved to ``path`` if given."""
        from cardan.report.plots import plot_run

        return plot_run(self, names, path)
