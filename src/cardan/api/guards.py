"""What watches over a run in the default path of ``s.simulate``: one guard for each kind of interruption."""

from __future__ import annotations

from cardan.codegen.stops import StopKernels
from cardan.pipeline import Prepared
from cardan.simulation.guarded import Guard
from cardan.simulation.impacts import StopGuard


def guards_for(
    compiled: Prepared, duration: float = 1.0, impact_law: str = "sequential", moved: float = 0.0
) -> list[Guard]:
    """The guards that this model needs; ``moved``: how far its start was moved to satisfy the constraints."""
    if not compiled.kernel.model.stops:
        return []
    return [StopGuard(StopKernels(compiled), law=impact_law, span=duration, moved=moved)]
