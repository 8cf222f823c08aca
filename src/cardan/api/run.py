"""The public Run: a trajectory with words and pictures."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Self

from cardan.api.interrupting import stopped_with
from cardan.api.run_keeping import RunKeeping
from cardan.codegen.compiled import Magnitudes
from cardan.diagnosis.along import JudgedTrajectory
from cardan.diagnosis.findings import Finding
from cardan.diagnosis.remedies.find import with_search
from cardan.native.deadline import BUDGET
from cardan.trajectory.trajectory import Trajectory, Vector

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardan.api.system import System
    from cardan.audit.audit import Audit
    from cardan.report.data.special import Special
    from cardan.viewer.notebook import Embedded
    from cardan.viewer.server import Viewer


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Run(RunKeeping, JudgedTrajectory):
    """A motion: times, states, energy, events, and any expression, position or rotation along it."""

    system: System

    @classmethod
    def shown(cls, system: System, trajectory: Trajectory) -> Self:
        """The trajectory of a system."""
        return cls(system=system, **{one.name: getattr(trajectory, one.name) for one in fields(trajectory)})

    @property
    def asked(self) -> dict[str, Any]:
        """The arguments of ``simulate``, as they were given."""
        return self.settings.as_arguments()

    def audit(self, *, quick: bool = False, budget: float = BUDGET) -> Audit:
        """How trustworthy the run is: a line with a verdict for everything that can be wrong, and numbers.

        ``quick`` leaves out what is measured between the steps and by a second run. ``budget`` is how many seconds the
        lines may take; those that did not come to it are named.
        """
        from cardan.audit.lines import audit_of

        with stopped_with(self):
            return audit_of(self, quick=quick, budget=budget)

    @property
    def work(self) -> dict[str, Vector]:
        """Work since the begin of the run of everything in ``power``, by name; their sum is the change of T + V."""
        from cardan.trajectory.work import works

        return works(self)

    def searching(self, one: Finding, state: Vector, t: float, loads: Magnitudes | None) -> Finding:
        """The finding with a search for its remedies, which are tried on copies of the system."""
        return with_search(self.system, one, state, t, loads)

    def view(
        self,
        *,
        open_browser: bool = True,
        block: bool | None = None,
        port: int = 0,
        special: Sequence[Special] = (),
    ) -> Viewer | Embedded:
        """The mechanism moving on a page of the browser, with sliders that simulate again.

        Returns the viewer (``url``, ``stop()``); scripts wait until Ctrl-C, unless ``block=False``. In a notebook the
        page appears in the cell and computes there, without a server. Nothing leaves this computer. ``special`` are
        answers about special motions, as in ``report``: ``run.view(special=[s.modes()])`` has sliders that shake modes.
        """
        from cardan.api.viewing import show

        return show(self, open_browser, block, port, special=special)
