"""How a system is shown: its singular sets and its configuration manifold. Each method is one call into the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from cardan.api.compiling import Compiling
from cardan.model.drawings import Kind, checked_drawing
from cardan.model.given import Amount, Position, Where
from cardan.model.motions import Axis
from cardan.trajectory.settings import Name

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Picturing(Compiling):
    """Pictures of a system, for System; matplotlib is loaded when one is asked for."""

    def draw(
        self,
        kind: Kind,
        *places: Position | Where,
        name: str = "",
        radius: Amount | None = None,
        axis: Axis | Position | None = None,
        angle: Amount | None = None,
    ) -> None:
        """Something to look at, without mass or effect: a "point", "rod", "spring", "wire" or "disc".

        Places are three expressions of the coordinates along the world's axes, points, bodies or particles (or their
        names): one of a
        point and a disc, two of a rod and a spring, two or more of a wire. A disc has an ``axis`` and may be turned
        about it by ``angle``. What has the same ``name`` has the same colour.

            s.draw("rod", (0, 0, 0), (l*sin(a), 0, -l*cos(a)))
        """
        named = [self._place_of(one) if isinstance(one, str) else one for one in places]
        self.description.drawings.append(checked_drawing(self.description, kind, named, name, radius, axis, angle))

    def plot_singular_set(
        self,
        x: Name,
        y: Name,
        load: Name | Mapping[str, ArrayLike] | None = None,
        *,
        at: Mapping[Name, float] | None = None,
        ranges: Mapping[Name, tuple[float, float]] | None = None,
        path: str | PathLike[str] | None = None,
    ) -> Figure:
        """A figure of the singular sets over two coordinates; saved to ``path`` (.png, .svg, .pdf) if given.

        With ``load`` the gimbal lock of that load, otherwise of every named load. Other coordinates are held at ``at``
        (zero by default); ``ranges`` says what to show of coordinates without period.
        """
        from cardan.report.figures.singular_plots import plot_singular_set

        return plot_singular_set(self.equations(), x, y, load, at, ranges, path)

    def plot_load_geometry(
        self,
        load: Name,
        coordinate: Name,
        *,
        at: Mapping[Name, float] | None = None,
        magnitude: float | Sequence[float] | None = None,
        path: str | PathLike[str] | None = None,
    ) -> Figure:
        """A figure of how a load stands to the configuration manifold: at one configuration, and along a coordinate.

        ``at`` holds the other coordinates, and says where on the manifold the particle is drawn.
        """
        from cardan.equations.particle.loads import load_geometry
        from cardan.report.figures.load_plots import plot_load_geometry

        return plot_load_geometry(load_geometry(self.equations(), str(load), magnitude), coordinate, at, path)

    def plot_manifold(
        self,
        x: Name | None = None,
        y: Name | None = None,
        load: Name | Mapping[str, ArrayLike] | None = None,
        *,
        path: str | PathLike[str] | None = None,
    ) -> Figure:
        """A figure of the configuration manifold, with circles of gimbal lock, singular places and stops on it.

        A manifold of more than two dimensions is shown by the coordinates ``x`` and ``y``; without them, by those of
        which its singular sets speak.
        """
        from cardan.report.figures.manifold_plots import plot_manifold

        return plot_manifold(self.equations(), x, y, load, path)
