"""What watches over a run in the default path of ``s.simulate``: one guard for each kind of interruption."""

from __future__ import annotations

from cardan.codegen.stops import StopKernels
from cardan.pipeline import Prepared
from cardan.simulation.guarded import Guard
from cardan.simulation.impacts import StopGuard


def guards_for(compiled: Prepared, duration: float = 1.0, impact_law: str = "sequential") -> list[Guard]:
    """The guards that this model needs."""
    return [StopGuard(StopKernels(compiled), law=impact_law, span=duration)] if compiled.kernel.model.stops else []
