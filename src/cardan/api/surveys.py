"""Families, root loci and maps that can be looked at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from cardan.analysis.maps import RootLocus, StabilityMap
from cardan.errors import ModelError
from cardan.native.showing import Listing, Shown
from cardan.studies.basins import Basins
from cardan.studies.sections import Diagram, Section

if TYPE_CHECKING:
    from os import PathLike

    from matplotlib.figure import Figure

    from cardan.report.figures.families import Drawn


Member = TypeVar("Member", bound="Drawn")


class Families(Listing[Member]):
    """Families of rests, steady or periodic motions: a list that can be drawn."""

    def __init__(self, name: str, found: Iterable[Member]) -> None:
        super().__init__(found, "no families")
        self.name = name
        self.axes: tuple[str, str] | None = None  # what is drawn over what, where nothing else is said

    def over(self, x: str, y: str) -> Families[Member]:
        """The same families, drawn as y over x where a picture or a report is not told otherwise."""
        found = Families(self.name, self)
        found.axes = (str(x), str(y))
        return found

    def __repr__(self) -> str:
        return "\n".join(str(one) for one in self) or "no families"

    def plot(self, x: str | None = None, y: str | None = None, path: str | PathLike[str] | None = None) -> Figure:
        """One quantity over another, the parameter across where families have one; unstable parts are dashed."""
        from cardan.report.figures.families import plot_families

        if not self:
            raise ModelError(f"There are no families of {self.name!r} to draw.")
        own, up = self.axes or (getattr(self[0], "parameter", None), None)
        across, up = x if x is not None else own, y if y is not None else up
        if across is None or up is None:
            raise ModelError(
                "Say what to draw: families.plot(x, y), two names of coordinates, velocities or parameters."
            )
        return plot_families(self.name, self, across, up, path)


@dataclass(frozen=True, eq=False, repr=False)
class PlottedLocus(RootLocus):
    """A root locus with its pictures."""

    title: str

    def plot(self, path: str | PathLike[str] | None = None) -> Figure:
        """Eigenvalues in the complex plane."""
        from cardan.report.figures.loci import plot_root_locus

        return plot_root_locus(self, self.title, path)

    def campbell(self, orders: tuple[float, ...] = (), path: str | PathLike[str] | None = None) -> Figure:
        """Frequencies over the parameter, with lines of its multiples; crossings and veerings are marked."""
        from cardan.report.figures.loci import plot_campbell

        return plot_campbell(self, self.title, orders, path)

    def __repr__(self) -> str:
        stable = int(self.is_stable.sum())
        return f"RootLocus({self.parameter}: {len(self.values)} values, {stable} without growth)"


@dataclass(frozen=True, eq=False, repr=False)
class PlottedMap(StabilityMap):
    """A map of stability with its picture."""

    title: str

    def plot(self, path: str | PathLike[str] | None = None) -> Figure:
        """Regions of the plane of the two parameters."""
        from cardan.report.figures.loci import plot_stability_map

        return plot_stability_map(self, self.title, path)

    def __repr__(self) -> str:
        share = float(self.is_stable.mean())
        return f"StabilityMap({self.names[0]}, {self.names[1]}: {self.growth.shape}, {share:.0%} without growth)"


@dataclass(frozen=True, eq=False, repr=False)
class PlottedBasins(Shown, Basins):
    """Basins of attraction with their picture."""

    def plot(self, x: str | None = None, y: str | None = None, *, path: str | PathLike[str] | None = None) -> Figure:
        """Starts over two of what was varied, in the colours of where they end."""
        from cardan.report.figures.study_maps import plot_basins

        return plot_basins(self, x, y, path)

    def __repr__(self) -> str:
        return f"Basins({len(self.attractors)} attractors of {self.labels.size} starts)\n{self}"


@dataclass(frozen=True, eq=False, repr=False)
class PlottedSection(Shown, Section):
    """A Poincare section with its picture."""

    title: str

    def plot(self, x: str, y: str, *, path: str | PathLike[str] | None = None) -> Figure:
        """One coordinate or velocity over another at all passages, each motion in its colour."""
        from cardan.report.figures.study_maps import plot_section

        return plot_section(self, x, y, self.title, path)

    def __repr__(self) -> str:
        return f"Section({len(self)} passages of {len(self.times)} motions)"


@dataclass(frozen=True, eq=False, repr=False)
class PlottedDiagram(Shown, Diagram):
    """A bifurcation diagram with its picture."""

    def plot(self, name: str, *, path: str | PathLike[str] | None = None) -> Figure:
        """A coordinate or velocity at every passage over the parameter."""
        from cardan.report.figures.study_maps import plot_diagram

        return plot_diagram(self, name, path)

    def __repr__(self) -> str:
        return f"Diagram({self.parameter}: {len(self.values)} values, {self.states.shape[1]} passages each)"
