"""How a system is shown: its singular sets and its configuration manifold. Each method is one call into the report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Picturing:
    """Pictures of a system, for System; matplotlib is loaded when one is asked for."""

    def plot_singular_set(
        self,
        x: Any,
        y: Any,
        load: Any = None,
        *,
        at: Mapping[Any, float] | None = None,
        ranges: Mapping[Any, tuple[float, float]] | None = None,
        path: str | None = None,
    ) -> Any:
        """A figure of the singular sets over two coordinates; saved to ``path`` (.png, .svg, .pdf) if given.

        With ``load`` the gimbal lock of that load, otherwise of every named load. Other coordinates are held at ``at``
        (zero by default); ``ranges`` says what to show of coordinates without period.
        """
        from cardan.report.figures.singular_plots import plot_singular_set

        return plot_singular_set(self, x, y, load, at, ranges, path)

    def plot_manifold(self, x: Any = None, y: Any = None, load: Any = None, *, path: str | None = None) -> Any:
        """A figure of the configuration manifold, with circles of gimbal lock, singular places and stops on it.

        A manifold of more than two dimensions is shown by the coordinates ``x`` and ``y``; without them, by those of
        which its singular sets speak.
        """
        from cardan.report.figures.manifold_plots import plot_manifold

        return plot_manifold(self, x, y, load, path)
