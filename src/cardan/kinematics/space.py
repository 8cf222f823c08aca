"""The symbols of a model as inputs of one expression graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import sympy as sp

from cardan.geometry import matrix as m3
from cardan.geometry import quaternion
from cardan.geometry.scalar import Scalar
from cardan.graph import Graph, Node, from_sympy, jvp
from cardan.model.model import Model
from cardan.model.variables import CoordinateVariable, Variable

Number: TypeAlias = Scalar  # a graph node, or a plain number where the value is known


class Space:
    """Graph inputs for time, parameters, signals, and the configuration and velocities of all variables."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.graph = Graph()
        self.nodes: dict[sp.Symbol, Node] = {}
        self.t = self._input(model.time)
        self.parameters = [self._input(symbol) for symbol in model.parameters]
        self.signals = [self._input(symbol) for symbol in model.signals]
        self.q = [self._input(symbol) for one in model.variables for symbol in one.configuration]
        self.v = [self._input(symbol) for one in model.variables for symbol in one.velocities]
        self.qd = [node for one in model.variables for node in self._configuration_rates(one)]
        self._lifted: dict[sp.Expr, Number] = {}

    def _input(self, symbol: sp.Symbol) -> Node:
        self.nodes[symbol] = self.graph.input(str(symbol))
        return self.nodes[symbol]

    def lift(self, expression: sp.Expr | float) -> Number:
        """The expression as a node of the graph; a plain number stays a number."""
        if isinstance(expression, (int, float)):
            return expression
        known = self._lifted.get(expression)
        if known is None:
            if isinstance(expression, sp.Expr) and expression.is_number and expression.is_extended_real is not False:
                known = int(expression) if expression.is_Integer else float(expression)
            else:
                known = from_sympy([expression], self.nodes, self.graph)[0]
            self._lifted[expression] = known
        return known

    def node(self, value: Number) -> Node:
        """The value as a node, numbers included."""
        return value if isinstance(value, Node) else self.graph.constant(float(value))

    def all_nodes(self, values: Iterable[Number]) -> list[Node]:
        return [self.node(value) for value in values]

    def _configuration_rates(self, variable: Variable) -> Sequence[Node]:
        """qd = N(q) v: the velocity itself, or the rate of a quaternion from the body angular velocity."""
        v = [self.nodes[symbol] for symbol in variable.velocities]
        if isinstance(variable, CoordinateVariable):
            return v
        e = tuple(self.nodes[symbol] for symbol in variable.configuration)
        return m3.matvec(quaternion.rate_matrix(e), v)

    def time_derivative(self, values: Sequence[Node]) -> list[Node]:
        """d/dt of expressions of (q, t), velocities held as the rates of q."""
        return jvp(values, [*self.q, self.t], [*self.qd, self.graph.one])

    @property
    def velocity_names(self) -> list[str]:
        return [str(symbol) for one in self.model.variables for symbol in one.velocities]
