"""Constraints of the free velocities as graph nodes: phi = 0, A v + b0 = 0, A vd = b."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cardan.graph import Graph, Node, jacobian, jvp, substitute
from cardan.kinematics.rows import Row
from cardan.kinematics.space import Number
from cardan.native.once import once


@dataclass(frozen=True)
class ConstraintNodes:
    """m rows: ``rates`` c(q, v, t) and, for the holonomic ones, ``phi``; formed for the free variables."""

    rows: Sequence[Row]
    phi: Sequence[Node]  # of the holonomic rows
    rates: Sequence[Node]
    q: Sequence[Node]
    v: Sequence[Node]
    qd: Sequence[Node]
    t: Node
    graph: Graph

    @property
    def names(self) -> list[str]:
        return [row.name for row in self.rows]

    @once
    def holonomic(self) -> list[int]:
        """Indices of the rows that have a phi."""
        return [i for i, row in enumerate(self.rows) if row.is_holonomic]

    @once
    def matrix(self) -> list[list[Node]]:
        """A, m by n."""
        return jacobian(self.rates, self.v)

    @once
    def offsets(self) -> list[Node]:
        """b0 = c(q, 0, t)."""
        return substitute(list(self.rates), dict.fromkeys(self.v, self.graph.zero))

    @once
    def targets(self) -> list[Node]:
        """b = -(Adot v + b0dot): what A vd must be."""
        drift: list[Number] = list(jvp(self.rates, [*self.q, self.t], [*self.qd, self.graph.one]))
        return [-x for x in drift]

    @once
    def matrix_rate(self) -> list[list[Node]]:
        """Adot along the motion."""
        entries = [x for row in self.matrix for x in row]
        drift = jvp(entries, [*self.q, self.t], [*self.qd, self.graph.one])
        n = len(self.v)
        return [drift[i * n : (i + 1) * n] for i in range(len(self.rows))]
