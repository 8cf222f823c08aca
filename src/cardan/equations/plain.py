"""A model with quaternions in plain coordinates: the four parts of each are coordinates, their rates velocities, and
|e|^2 = 1 is a constraint beside the others.

For schemes that are built on coordinates and their rates. With v = B(q) qd (angular velocities are 4 N(e)^T ed), the
Lagrangian L(q, B qd) is continued off the unit spheres with the rotation of e / |e|, so that it keeps its symmetries,
and T gets the term (tr M_e / 2) (e . ed)^2, which vanishes with its derivatives wherever e . ed = 0 and makes the mass
matrix regular.
"""

from __future__ import annotations

from dataclasses import dataclass

from cardan.equations.reduced import Dynamics, sum_of
from cardan.geometry import matrix as m3
from cardan.geometry import quaternion
from cardan.geometry.scalar import minus, plus, times
from cardan.graph import Node, gradient, jacobian, jvp, substitute
from cardan.kinematics.space import Number
from cardan.native.once import once


@dataclass(frozen=True)
class PlainNodes:
    """Nodes of (t, q, qd, p); rows of the constraints, then one for each quaternion."""

    dynamics: Dynamics

    @property
    def q(self) -> list[Node]:
        return list(self.dynamics.q)

    @once
    def qd(self) -> list[Node]:
        return [self.dynamics.further_input(f"rate {node.name}") for node in self.q]

    @once
    def quaternions(self) -> list[int]:
        """Where each begins in q."""
        return list(self.dynamics.model.quaternion_starts)

    @once
    def _rates_to_velocities(self) -> list[list[Number]]:
        """B, one row per velocity."""
        rows: list[list[Number]] = []
        at, count = 0, len(self.q)
        for variable in self.dynamics.model.free:
            size = len(variable.configuration)
            if size == 1:
                rows.append([1 if j == at else 0 for j in range(count)])
            else:
                own = m3.transpose(quaternion.rate_matrix(tuple(self.q[at : at + 4])))
                for row in own:
                    rows.append([times(4, row[j - at]) if at <= j < at + 4 else 0 for j in range(count)])
            at += size
        return rows

    @once
    def velocities(self) -> list[Node]:
        """v = B qd."""
        rows = self._rates_to_velocities
        found = [sum_of(times(b, rate) for b, rate in zip(row, self.qd, strict=True)) for row in rows]
        return self.dynamics.space.all_nodes(found)

    def put_in(self, nodes: list[Node]) -> list[Node]:
        """Nodes of (q, v) as nodes of (q, qd)."""
        return substitute(nodes, dict(zip(self.dynamics.v, self.velocities, strict=True)) | self._unit)

    @once
    def _unit(self) -> dict[Node, Node]:
        """e -> e / |e|."""
        found: dict[Node, Node] = {}
        for k in self.quaternions:
            e = self.q[k : k + 4]
            length = self.dynamics.space.node(sum_of(times(part, part) for part in e)).sqrt()
            found |= {part: part / length for part in e}
        return found

    def _spin(self, start: int) -> Node:
        """e . ed."""
        pairs = zip(self.q[start : start + 4], self.qd[start : start + 4], strict=True)
        return self.dynamics.space.node(sum_of(times(e, r) for e, r in pairs))

    def _weight(self, start: int) -> Number:
        """The trace of the mass matrix of a quaternion's angular velocity."""
        first, at = 0, 0
        for variable in self.dynamics.model.free:
            if at == start:
                break
            at += len(variable.configuration)
            first += len(variable.velocities)
        diagonal = [self.dynamics.mass_matrix[first + k][first + k] for k in range(3)]
        return sum_of(self.put_in(self.dynamics.space.all_nodes(diagonal)))

    @once
    def energies(self) -> list[Node]:
        """[T, V, qd . dL/dqd - L]."""
        space = self.dynamics.space
        T, V, jacobi = self.put_in(list(self.dynamics.energies))
        kept = sum_of(times(self._weight(k), times(0.5, times(self._spin(k), self._spin(k)))) for k in self.quaternions)
        return space.all_nodes([plus(T, kept), V, plus(jacobi, kept)])

    @once
    def momenta(self) -> list[Node]:
        return gradient(self.energies[0], self.qd)

    @once
    def forces(self) -> list[Node]:
        """B^T Q."""
        Q = self.put_in(list(self.dynamics.forces))
        columns = zip(*self._rates_to_velocities, strict=True)
        return self.dynamics.space.all_nodes(
            sum_of(times(b, force) for b, force in zip(column, Q, strict=True)) for column in columns
        )

    @once
    def momentum_rates(self) -> list[Node]:
        """dL/dq + B^T Q."""
        T, V, _ = self.energies
        slopes = gradient(self.dynamics.space.node(minus(T, V)), self.q)
        return self.dynamics.space.all_nodes(plus(a, b) for a, b in zip(slopes, self.forces, strict=True))

    @once
    def mass_matrix(self) -> list[list[Node]]:
        return jacobian(self.momenta, self.qd)

    @once
    def has_phi(self) -> list[bool]:
        return [row.is_holonomic for row in self.dynamics.full.rows] + [True] * len(self.quaternions)

    @once
    def phi(self) -> list[Node]:
        """phi of every row, zero for velocity constraints; (|e|^2 - 1)/2 of each quaternion."""
        d, zero = self.dynamics, self.dynamics.space.graph.zero
        own = iter(d.constraints.phi if d.full.rows else ())
        unit = [times(0.5, minus(sum_of(times(e, e) for e in self.q[k : k + 4]), 1)) for k in self.quaternions]
        return d.space.all_nodes([*(next(own) if row.is_holonomic else zero for row in d.full.rows), *unit])

    @once
    def rates(self) -> list[Node]:
        d = self.dynamics
        return [*self.put_in(list(d.constraints.rates) if d.full.rows else []), *map(self._spin, self.quaternions)]

    @once
    def matrix(self) -> list[list[Node]]:
        return jacobian(self.rates, self.qd)

    @once
    def terms(self) -> list[Node]:
        """[qd, M, h, A, b] with M qdd + h = A^T lam, A qdd = b."""
        d, one = self.dynamics, self.dynamics.space.graph.one
        along = [*self.q, d.t], [*self.qd, one]
        h = [minus(a, b) for a, b in zip(jvp(self.momenta, *along), self.momentum_rates, strict=True)]
        b = [times(-1, x) for x in jvp(self.rates, *along)]
        M, A = ([x for row in matrix for x in row] for matrix in (self.mass_matrix, self.matrix))
        return d.space.all_nodes([*self.qd, *M, *h, *A, *b])
