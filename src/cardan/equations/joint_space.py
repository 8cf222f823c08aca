"""From joint variables s = phi(q, t) to the model's velocities, and back for forces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardan.equations.recursive import Rate
from cardan.geometry import matrix as m3
from cardan.geometry import quaternion
from cardan.geometry.scalar import is_one, is_zero, plus, times
from cardan.graph import Node, jacobian, jvp
from cardan.kinematics.space import Number, Space
from cardan.kinematics.tree import Tree
from cardan.model.variables import CoordinateVariable

if TYPE_CHECKING:
    import sympy as sp

Row = dict[int, Number]  # {index of velocity: coefficient}


@dataclass(frozen=True)
class JointSpace:
    """w = Phi v + phi_t for every joint velocity w, its acceleration at vd = 0, and the sparse rows of Phi."""

    rates: list[Rate]  # per link: a scalar, or a triple for a spin
    drifts: list[Rate]  # per link: wd where vd = 0
    rows: list[Row]  # per joint velocity
    is_identity: bool  # every velocity is exactly one joint velocity

    def forces(self, efforts: Sequence[Rate], n: int) -> list[Number]:
        """Generalized forces Phi^T tau of joint efforts tau (per link)."""
        flat = [part for effort in efforts for part in (effort if isinstance(effort, tuple) else (effort,))]
        found: list[Number] = [0] * n
        for row, effort in zip(self.rows, flat, strict=True):
            for j, coefficient in row.items():
                found[j] = plus(found[j], times(coefficient, effort))
        return found

    def mass_matrix(self, H: Mapping[tuple[int, int], Number], n: int) -> list[list[Number]]:
        """Phi^T H Phi, from the lower triangle of H."""
        M: list[list[Number]] = [[0] * n for _ in range(n)]
        for (i, j), entry in H.items():
            if i < j or is_zero(entry):
                continue
            for a, ca in self.rows[i].items():
                for b, cb in self.rows[j].items():
                    share = times(times(ca, cb), entry)
                    M[a][b] = plus(M[a][b], share)
                    if i != j:
                        M[b][a] = plus(M[b][a], share)
        return M


def joint_space(tree: Tree, space: Space) -> JointSpace:
    """The joint space of a tree over the velocities of all variables of the model."""
    velocity_of: dict[sp.Symbol | str, int] = {}
    at = 0
    for variable in space.model.variables:
        key = variable.symbol if isinstance(variable, CoordinateVariable) else variable.name
        velocity_of[key] = at
        at += len(variable.velocities)
    builder = _Builder(space, velocity_of)
    for link in tree.links:
        if link.kind == "spin":
            builder.spin(link.variable)
        else:
            builder.scalar(link.variable)
    builder.close()
    used = sorted(j for row in builder.rows for j in row)
    single = all(len(row) == 1 and is_one(next(iter(row.values()))) for row in builder.rows)
    return JointSpace(builder.rates, builder.drifts, builder.rows, single and used == list(range(at)))


class _Builder:
    """Collects rates, drifts and rows link by link; general expressions are differentiated together at the end."""

    def __init__(self, space: Space, velocity_of: Mapping[sp.Symbol | str, int]) -> None:
        self.space, self.velocity_of = space, velocity_of
        self.rates: list[Rate] = []
        self.drifts: list[Rate] = []
        self.rows: list[Row] = []
        self.pending: list[tuple[int, int, Node]] = []  # link, row, node of phi

    def spin(self, name: str) -> None:
        first = self.velocity_of[name]
        self.rates.append(tuple(self.space.v[first : first + 3]))
        self.drifts.append((0, 0, 0))
        self.rows.extend({first + a: 1} for a in range(3))

    def scalar(self, expression: sp.Expr) -> None:
        index = self.velocity_of.get(expression)
        if index is not None:
            self.rates.append(self.space.v[index])
            self.rows.append({index: 1})
        else:
            self.pending.append((len(self.rates), len(self.rows), self.space.node(self.space.lift(expression))))
            self.rates.append(0)
            self.rows.append({})
        self.drifts.append(0)

    def close(self) -> None:
        """Differentiate the general joint variables: w = phi_q qd + phi_t, wd - phi_q vd."""
        if not self.pending:
            return
        space = self.space
        nodes = [node for _, _, node in self.pending]
        rates = space.time_derivative(nodes)
        drifts = jvp(rates, [*space.q, space.t], [*space.qd, space.graph.one])
        by_configuration = jacobian(nodes, space.q)
        for (link, row, _), rate, drift, partials in zip(self.pending, rates, drifts, by_configuration, strict=True):
            self.rates[link], self.drifts[link] = _number(rate), _number(drift)
            along = velocity_gradient(space, [_number(x) for x in partials])
            self.rows[row] = {j: x for j, x in enumerate(along) if not is_zero(x)}


def _number(node: Node) -> Number:
    """A constant node as a plain number, so that zeros and ones stay structural."""
    return node.value if node.op == "const" else node


def velocity_gradient(space: Space, partials: Sequence[Number]) -> list[Number]:
    """dV/dq^J along each velocity: N(q)^T dV/dq, from partial derivatives by configuration number."""
    found: list[Number] = []
    at = 0
    for variable in space.model.variables:
        count = len(variable.configuration)
        own = partials[at : at + count]
        at += count
        if isinstance(variable, CoordinateVariable):
            found.append(own[0])
        else:
            e = tuple(space.nodes[symbol] for symbol in variable.configuration)
            found.extend(m3.matvec(m3.transpose(quaternion.rate_matrix(e)), own))
    return found
