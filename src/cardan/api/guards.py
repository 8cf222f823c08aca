"""What watches over a run in the default path of ``s.simulate``: one guard for each kind of interruption."""

from __future__ import annotations

from cardan.pipeline import Prepared
from cardan.simulation.guarded import Guard


def guards_for(compiled: Prepared) -> list[Guard]:
    """The guards that this model needs."""
    return []
