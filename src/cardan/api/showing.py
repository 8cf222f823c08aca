"""How a run is shown: figures, pages. Each method is one call into the room that draws it."""

from __future__ import annotations

from typing import Any


class Showing:
    """The pictures of a run."""

    def plot(self, *names: Any, path: str | None = None) -> Any:
        """A figure of coordinates and energy along the run; saved to ``path`` if given."""
        from cardan.report.plots import plot_run

        return plot_run(self, names, path)

    def view(self, *, open_browser: bool = True, block: bool | None = None, port: int = 0) -> Any:
        """The mechanism moving on a page of the browser, with sliders that simulate again.

        Returns the viewer (``url``, ``stop()``); scripts wait until Ctrl-C, unless ``block=False``. In a notebook the
        page appears in the cell, without a server and without sliders. Nothing leaves this computer.
        """
        from cardan.api.viewing import show

        return show(self, open_browser, block, port)
