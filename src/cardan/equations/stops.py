"""Stops of the free velocities as graph nodes: gaps, their rates G v + g0, and what G vd must be to keep them.

Every stop has the same number of rows, ``stride``: the gap, then its slips, padded with zero rows. So row
``stride * i`` belongs to the gap of stop i.
"""

from __future__ import annotations

from dataclasses import dataclass

from cardan.equations.constraints import ConstraintNodes
from cardan.equations.reduced import Dynamics
from cardan.graph import Node, gradient
from cardan.kinematics.rows import Row
from cardan.kinematics.stops import StopRows, rows_of_stop
from cardan.native.once import once


@dataclass(frozen=True)
class StopNodes:
    """The rows of all stops of a model."""

    dynamics: Dynamics
    stops: tuple[StopRows, ...]

    @once
    def stride(self) -> int:
        return 1 + max((len(one.slips) for one in self.stops), default=0)

    @once
    def rows(self) -> list[Row]:
        """All rows, padded."""
        found: list[Row] = []
        for one in self.stops:
            own = [one.gap, *one.slips]
            padding = [Row(f"{one.stop.name}_none", one.gap.constraint, None, 0)] * (self.stride - len(own))
            found += own + padding
        return found

    @once
    def nodes(self) -> ConstraintNodes:
        """The rows in the free variables."""
        d = self.dynamics
        rates = d.impose([row.rate for row in self.rows])
        phi = d.impose([row.phi for row in self.rows if row.is_holonomic])
        return ConstraintNodes(self.rows, phi, rates, d.q, d.v, d.configuration_rates, d.t, d.space.graph)

    @property
    def gaps(self) -> list[Node]:
        return list(self.nodes.phi)

    @property
    def residuals(self) -> list[Node]:
        """The gap where a row has one, else zero."""
        gaps = iter(self.gaps)
        return [next(gaps) if row.is_holonomic else self.dynamics.space.graph.zero for row in self.rows]

    def drive_rows(self) -> list[Node]:
        """What impulses do to the drivers of prescribed coordinates: per driver its row of M, then of A^T and G^T.

        The impulse of driver i is  M_i dv - A_i lam - G_i Lam  with the velocities' jump dv.
        """
        d = self.dynamics
        held = [d.space.v[i] for i in d.held]
        rates = d.space.all_nodes([*(row.rate for row in d.full.rows), *(row.rate for row in self.rows)])
        slopes = [gradient(rate, held) for rate in rates]
        found: list[Node] = []
        for k, i in enumerate(d.held):
            found += d.impose([d.full.mass_matrix[i][j] for j in d.free_indices])
            found += d.impose([slope[k] for slope in slopes])
        return found

    @property
    def driver_names(self) -> list[str]:
        return [str(q) for q in self._prescribed_symbols]

    @property
    def _prescribed_symbols(self) -> list[object]:
        model = self.dynamics.model
        return [s for one in model.variables for s in one.configuration if s in model.prescribed]


def stop_nodes(dynamics: Dynamics) -> StopNodes:
    """The stops of a model, derived."""
    motion = dynamics.full.motion
    return StopNodes(dynamics, tuple(rows_of_stop(stop, motion) for stop in dynamics.model.stops))
