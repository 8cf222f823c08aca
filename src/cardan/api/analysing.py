"""Special motions of a system: every method is one call into the analysis room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardan.api.balancing import Balancing
from cardan.native.showing import Listing, Rows

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from matplotlib.figure import Figure

    from cardan.analysis.equilibria import Equilibrium, Limits
    from cardan.analysis.families import Family, Held, SteadyMotion
    from cardan.analysis.linear import About, Linearization
    from cardan.analysis.symbolic import Place, SymbolicLinearization
    from cardan.analysis.symmetries import Field
    from cardan.api.ringing import RingingModes
    from cardan.api.surveys import Families
    from cardan.codegen.compiled import Magnitudes
    from cardan.trajectory.settings import Loads, Values


class Analysing(Balancing):
    """Questions about motions that matter, for System; what answers them is loaded when it is asked."""

    def linearize(
        self,
        q: Values = None,
        v: Values = None,
        *,
        about: About | None = None,
        t: float = 0.0,
        loads: Loads = None,
        inputs: Loads = None,
    ) -> Linearization:
        """Linear equations of the motions next to a state, with exactly as many eigenvalues as there are freedoms.

        The state is a rest (``about="equilibrium"``), a motion whose equations do not change on the way ("steady"), or
        any other ("trajectory"); without ``about`` it is found which of the first two it is. Constraints may be
        redundant, moving or on velocities.
        """
        from cardan.analysis.asking import linearized_at

        return linearized_at(self.kernels, q, v, t, loads, inputs, about)

    def linearize_symbolic(
        self, q: Place | None = None, v: Place | None = None, *, signals: Place | None = None
    ) -> SymbolicLinearization:
        """The state matrix of a small system in SymPy, with parameters as symbols.

        ``q`` and ``v`` map coordinates and velocities, symbols or names, to expressions. Coordinates that are left out
        stay symbols; velocities, loads and inputs (``signals``) that are left out are zero. On holonomic constraints
        give a place that meets them.
        """
        from cardan.analysis.symbolic import symbolic_linearization

        return symbolic_linearization(self.equations(), q, v, signals)

    def equilibria(
        self,
        box: Limits | None = None,
        *,
        t: float = 0.0,
        loads: Magnitudes | None = None,
        inputs: Magnitudes | None = None,
        seeds: int = 200,
    ) -> list[Equilibrium]:
        """Where the system can rest, each with its stability; sets of rests are told once, with their dimension.

        They are sought from many starts: over whole turns of angles and twice the size of the system, or within
        ``box``, a mapping of names to (low, high), outside of which none is told. The search ends when 40 starts in a
        row have led to nothing new, or after ``seeds`` of them.
        """
        from cardan.analysis.asking import equilibria_of

        return Listing(equilibria_of(self.compile(), box, t, loads, inputs, seeds), "no rests")

    def symmetries(self) -> tuple[Field, ...]:
        """Fields X(q) = B q + c along which nothing changes: ignorable coordinates, turns and shifts together."""
        from cardan.analysis.asking import symmetries_of

        return Rows(symmetries_of(self.compile()))

    def steady_motions(
        self, *, hold: Held | None = None, box: Limits | None = None, seeds: int = 100
    ) -> list[SteadyMotion]:
        """Motions in which everything but what symmetry carries is constant, from drawn starts; no guess is needed.

        ``hold`` gives coordinates and velocities (``phi_dot``) their values, ``box`` bounds coordinates. Where such
        motions form families each found member is told; ``s.steady_families`` follows the families. Where typed angles
        are singular nothing is told: describe rotations by other angles to look there.
        """
        from cardan.analysis.asking import steady_motions_of

        return Listing(steady_motions_of(self.compile(), hold, box, seeds), "no steady motions")

    def steady_families(
        self, *, hold: Held | None = None, box: Limits | None = None, seeds: int = 60, members: int = 400
    ) -> Families[Family]:
        """One-parameter families of steady motions, followed through folds to where they end; each is told once."""
        from cardan.analysis.asking import families_of
        from cardan.api.surveys import Families

        return Families(self.name, families_of(self.compile(), hold, box, seeds, members))

    def modes(self, q: Values = None, *, t: float = 0.0, loads: Loads = None, inputs: Loads = None) -> RingingModes:
        """Frequencies and shapes of small oscillations about the rest at q, slowest first, rigid motions among them."""
        from cardan.analysis.modes import modes_of
        from cardan.api.ringing import RingingModes

        found = modes_of(self.linearize(q, about="equilibrium", t=t, loads=loads, inputs=inputs))
        return RingingModes(found.linear, found.squares, found.shapes, self)  # type: ignore[arg-type]  # a System

    def plot_families(
        self, families: Sequence[Family], x: str, y: str, path: str | PathLike[str] | None = None
    ) -> Figure:
        """Families of steady motions, one coordinate or velocity over another; unstable parts are dashed."""
        from cardan.report.figures.families import plot_families

        return plot_families(self.name, families, x, y, path)
