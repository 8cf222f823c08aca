"""What watches over a run in the default path of ``s.simulate``: one guard for each kind of interruption."""

from __future__ import annotations

from cardan.api.stops_in_charts import StopsInCharts
from cardan.api.switching import ChartSwitch
from cardan.codegen.stops import StopKernels
from cardan.pipeline import Prepared
from cardan.simulation.guarded import Guard
from cardan.simulation.impacts import StopGuard


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
