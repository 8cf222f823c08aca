"""Motions followed as parameters change, for System; every method is one call into the analysis room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardan.api.analysing import Analysing
from cardan.native.showing import Listing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike

    from cardan.analysis.beginning import Start
    from cardan.analysis.closing import Jump
    from cardan.analysis.equilibria import Limits
    from cardan.analysis.families import Held
    from cardan.analysis.invariants import Invariant
    from cardan.analysis.orbit_families import PeriodicFamily
    from cardan.analysis.periodic import PeriodicMotion
    from cardan.analysis.rest_families import RestFamily
    from cardan.api.surveys import Families, PlottedLocus, PlottedMap
    from cardan.report.data.special import Special
    from cardan.report.figures.families import Drawn
    from cardan.trajectory.settings import Loads, Values


class Following(Analysing):
    """Periodic motions, families along a parameter, root loci and maps; loaded when they are asked for."""

    def periodic_motion(
        self,
        q: Values = None,
        v: Values = None,
        *,
        period: float | None = None,
        within: float | None = None,
        free: bool | None = None,
        segments: int = 1,
        relative: bool = False,
        jump: Jump | None = None,
        hold: Held | None = None,
        settle: float = 0.0,
        t0: float = 0.0,
        loads: Loads = None,
        inputs: Loads = None,
    ) -> PeriodicMotion:
        """The motion near (q, v) that repeats itself after ``period``, with its Floquet multipliers and stability.

        The period is a guess where nothing depends on time (without one the first near return ``within`` some time is
        taken), and given otherwise. ``segments`` shoots over several arcs, ``settle`` lets a motion come to rest on an
        attracting one first, ``hold`` keeps coordinates or velocities of the start at values, which picks a member of a
        family. ``relative`` lets symmetries carry the motion on, and ``jump=cd.Jump(when, to)`` says what happens to
        the state at the end of every period.
        """
        from cardan.analysis.finding_periodic import Asked, periodic_motion

        asked = Asked(q, v, period, within, free, segments, relative, jump, hold, settle, t0, loads, inputs)
        return periodic_motion(self.kernels, asked)

    def periodic_motions(
        self,
        period: float,
        *,
        box: Limits | None = None,
        seeds: int = 100,
        t0: float = 0.0,
        loads: Loads = None,
        inputs: Loads = None,
    ) -> list[PeriodicMotion]:
        """Motions of a driven system that repeat themselves after ``period``, sought from drawn starts, unstable last.

        Starts are drawn as ``s.equilibria`` does, within ``box`` where it is given; the search ends when 40 of them in
        a row have led to nothing new. Nothing proves that there is no other.
        """
        from cardan.analysis.finding_periodic import Asked, periodic_motions

        asked = Asked(None, None, period, None, False, 1, False, None, None, 0.0, t0, loads, inputs)
        return Listing(periodic_motions(self.kernels, asked, box, seeds), "no periodic motions")

    def equilibrium_families(
        self, parameter: str, low: float, high: float, *, box: Limits | None = None, seeds: int = 40, members: int = 400
    ) -> Families[RestFamily]:
        """Rests followed from one value of a parameter to another, through folds, and along branches that leave them.

        Each family has ``members``, special ``points`` (folds, branch points, Hopf points, located), ``ends`` and
        ``is_stable``; ``families.plot()`` draws them. Starts are sought at five values of the parameter, as
        ``s.equilibria`` does.
        """
        from cardan.analysis.rest_families import rest_families
        from cardan.api.surveys import Families

        found = rest_families(self.compile(), str(parameter), float(low), float(high), box, seeds, members)
        return Families(self.name, found)

    def periodic_family(
        self,
        start: Start,
        parameter: str,
        low: float,
        high: float,
        *,
        members: int = 200,
    ) -> PeriodicFamily:
        """Periodic motions followed along a parameter: from one of them, from a Hopf point of a family of rests, or
        from a period doubling of another family."""
        from cardan.analysis.beginning import periodic_family

        return periodic_family(self.kernels, start, str(parameter), float(low), float(high), members)

    def families(self, *found: Drawn) -> Families[Drawn]:
        """Families of any kind together, to be drawn: ``s.families(*rests, cycles).plot("mu", "x")``."""
        from cardan.api.surveys import Families

        return Families(self.name, found)

    def root_locus(
        self,
        parameter: str,
        values: ArrayLike,
        q: Values = None,
        v: Values = None,
        *,
        loads: Loads = None,
        inputs: Loads = None,
    ) -> PlottedLocus:
        """Eigenvalues of the rest next to q along a parameter, each followed by its shape; all at once.

        With velocities v it is that steady motion, as it is given. ``locus.plot()`` draws them in the complex plane,
        ``locus.campbell()`` frequencies over the parameter.
        """
        from cardan.analysis.surveying import root_locus_at
        from cardan.api.surveys import PlottedLocus

        found = root_locus_at(self.kernels, {str(parameter): values}, q, v, loads, inputs)
        return PlottedLocus(found.grid, found.eigenvalues, found.shapes, self.name)

    def stability_map(
        self,
        ranges: Mapping[str, ArrayLike],
        q: Values = None,
        v: Values = None,
        *,
        loads: Loads = None,
        inputs: Loads = None,
    ) -> PlottedMap:
        """Growth at the rest next to q over the values of two parameters, all at once in machine code."""
        from cardan.analysis.surveying import stability_map_at
        from cardan.api.surveys import PlottedMap

        found = stability_map_at(self.kernels, {str(k): x for k, x in ranges.items()}, q, v, loads, inputs)
        return PlottedMap(found.grid, found.growth, found.frequency, found.scale, self.name)

    def analyse(self) -> list[Special]:
        """Answers to what the model file asks under ``analysis:``, in its order; ``s.analysis`` holds the questions.

        ``run.report(path, special=s.analyse())`` shows them beside a motion.
        """
        from cardan.analysis.answering import answer

        return [answer(self, one.kind, one.arguments) for one in self.analysis]  # type: ignore[misc, arg-type]  # verbs of this system by name

    def invariants(self) -> list[Invariant]:
        """What motions conserve, in symbols: momenta of ignorable coordinates and other symmetries, energy."""
        from cardan.analysis.invariants import invariants_of

        return Listing(invariants_of(self.compile()))
