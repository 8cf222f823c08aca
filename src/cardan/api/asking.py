"""What a user can ask about a configuration: every method is one call into the diagnosis room."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cardan.api.compiling import Compiling
from cardan.api.describing import as_point
from cardan.api.picturing import Picturing
from cardan.errors import ModelError
from cardan.trajectory.assembly import consistent_start
from cardan.trajectory.settings import START_TOLERANCE
from cardan.trajectory.start import given_start

if TYPE_CHECKING:
    from cardan.diagnosis.findings import Diagnosis, Finding
    from cardan.diagnosis.manifold.manifold import Manifold
    from cardan.diagnosis.sets.sets import SingularSet
    from cardan.singular.branches import Branches


class Asking(Picturing, Compiling):
    """Questions about singularities, for System; what answers them is loaded when it is asked."""

    def _repr_html_(self) -> str:
        """For notebooks: what the system is made of."""
        from cardan.report.page.display import system_html

        return system_html(self)

    def diagnose(
        self,
        q: Any = None,
        v: Any = None,
        t: float = 0.0,
        loads: Mapping[str, Any] | None = None,
        *,
        task: Any = None,
    ) -> Diagnosis:
        """What is singular at this configuration, why, and what it means.

        ``loads`` names the loads to judge with their magnitudes; without it every named load of the model is judged.
        ``task`` is a point, particle or body whose own velocities are judged too, as for the hand of a robot.
        A configuration that misses the constraints slightly is brought to them first.
        """
        from cardan.diagnosis.diagnose import diagnose
        from cardan.diagnosis.judges.placing import placed

        kernel = self.compile()
        given = given_start(kernel, q, v)
        p = kernel.p()
        y = placed(kernel, given.y, t, p, given.held_rates, START_TOLERANCE) if given.held.all() else None
        if y is None:  # some coordinates are to be found, or an error says what is wrong
            y = consistent_start(kernel, given, p, t, START_TOLERANCE).y if kernel.m else given.y
        return self._with_remedies(diagnose(kernel, y, t, p, loads, task), y, t, loads)

    def _with_remedies(self, found: Diagnosis, y: Any, t: float, loads: Mapping[str, Any] | None) -> Diagnosis:
        """The diagnosis with findings that know how to look for their remedies."""
        from dataclasses import replace

        from cardan.api.remedies import find_remedies

        def searching(one: Finding) -> Finding:
            return replace(one, search=lambda: find_remedies(self, one, y, t, loads))

        return replace(
            found,
            findings=tuple(searching(one) for one in found.findings),
            near=tuple(searching(one) for one in found.near),
        )

    def branches(self, q: Any = None, *, t: float = 0.0) -> Branches:
        """The branches of motion through a configuration, with tangents; one where the constraints keep their rank.

        Each has ``tangent`` (or ``tangents``, where it is a surface), the ``rank`` of the constraints on it, and
        ``verified``; ``decided`` is false, and ``what`` says why, where second order does not settle them.
        """
        from cardan.trajectory.rank.numbers import RankNumbers

        kernel = self.compile()
        if not kernel.m:
            raise ModelError(f"{self.name!r} has no constraints, so one branch runs through each configuration.")
        p = kernel.p()
        start = consistent_start(kernel, given_start(kernel, q, None), p, t, START_TOLERANCE)
        return RankNumbers(kernel, p, start.reference).branches(t, start.y)

    def singular_set(self, load: Any = None, *, task: Any = None) -> list[SingularSet]:
        """The sets where coordinates or constraints are singular, as conditions such as sin(beta) = 0.

        With ``load`` (the name or magnitude of a load, or a mapping of names to magnitudes) also the configurations
        where that load is lost: gimbal lock. With ``task``, a point, those where the point loses a direction instead.
        """
        from cardan.diagnosis.sets.singular_set import singular_sets

        return singular_sets(self.equations(), load, None if task is None else as_point(task))

    def manifold(self) -> Manifold:
        """The type of the configuration manifold, as in "T^2 x I", with its boundaries, reasons and open questions."""
        from cardan.diagnosis.manifold.manifold import manifold_of

        return manifold_of(self.equations())
