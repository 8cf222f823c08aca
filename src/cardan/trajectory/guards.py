"""What watches over a run in the default path of ``s.simulate``: one guard for each kind of interruption."""

from __future__ import annotations

from cardan.simulation.contact.impacts import StopGuard
from cardan.simulation.guarded import Guard
from cardan.trajectory.charts.stops import StopsInCharts
from cardan.trajectory.charts.switching import ChartSwitch
from cardan.trajectory.prepared import Prepared
from cardan.trajectory.stops import StopKernels


def guards_for(
    compiled: Prepared,
    duration: float = 1.0,
    impact_law: str = "sequential",
    moved: float = 0.0,
    switch: ChartSwitch | None = None,
) -> list[Guard]:
    """The guards that this model needs; ``moved``: how far its start was moved to satisfy the constraints.

    ``switch`` changes the charts of the run.
    """
    if not compiled.kernel.model.stops:
        return []
    stops = StopKernels(compiled) if switch is None else switch.mode.stops
    found = StopGuard(stops, law=impact_law, span=duration, moved=moved)
    return [found if switch is None else StopsInCharts(found, switch)]
