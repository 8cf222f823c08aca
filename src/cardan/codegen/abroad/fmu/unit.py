"""What a unit holds: states with their start, parameters, inputs and outputs, and the kernels of the model as nodes.

Constraints and stops are rows of one matrix, stops behind constraints, as the C sources take them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.c_export import to_c
from cardan.codegen.compiled import Kernel
from cardan.equations.constraints import ConstraintNodes
from cardan.equations.stops import StopNodes, stop_nodes
from cardan.errors import CompileError
from cardan.graph import Node

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Unit:
    """A model with a start, ready to be written."""

    kernel: Kernel
    start: Vector
    outputs: Mapping[str, Node]

    def __post_init__(self) -> None:
        model = self.kernel.model
        if model.rubbing:
            raise CompileError(
                f"{model.name!r} has friction whose pressing force is solved for, which is not part of exported units. "
                'Use a smooth law, s.friction(..., law="tanh", width=...).'
            )
        rough = [one.stop.name for one in self.stops.stops if float(one.stop.friction.xreplace(self.values)) != 0]
        if rough:
            raise CompileError(
                f"The stop {rough[0]!r} rubs, which is not part of exported units: they know restitution only.",
                name=rough[0],
            )

    # --- names and numbers ---------------------------------------------------------------------------

    @property
    def values(self) -> dict[object, float]:
        return {symbol: float(value) for symbol, value in self.kernel.values.items()}

    @property
    def name(self) -> str:
        return str(self.kernel.model.name)

    @property
    def identifier(self) -> str:
        """The name as one in C and in file systems."""
        return re.sub(r"\W", "_", re.sub(r"^(?=\d)", "_", self.name), flags=re.ASCII) or "model"

    @property
    def states(self) -> list[str]:
        return [str(symbol) for symbol in (*self.kernel.model.q, *self.kernel.model.v)]

    @property
    def parameters(self) -> list[str]:
        return [str(symbol) for symbol in self.kernel.model.parameters]

    @property
    def inputs(self) -> list[str]:
        return [str(symbol) for symbol in self.kernel.signals]

    @property
    def stops(self) -> StopNodes:
        return stop_nodes(self.kernel.dynamics)

    @property
    def restitution(self) -> list[float]:
        return [float(one.stop.restitution.xreplace(self.values)) for one in self.stops.stops]

    @property
    def token(self) -> str:
        """What ties description and library together: it changes with the model, its values and its start."""
        said = repr([self.kernels(), list(self.start), list(self.kernel.parameters), self.states, list(self.outputs)])
        return hashlib.sha256(said.encode()).hexdigest()[:32]

    # --- kernels -------------------------------------------------------------------------------------

    def kernels(self) -> str:
        """C text of ``kernel_terms``, ``kernel_residual``, ``kernel_rates`` and ``kernel_outputs``."""
        d, stops = self.kernel.dynamics, self.stops
        gaps = [stops.stride * i for i in range(len(stops.stops))]
        tied = d.constraints if d.full.rows else None
        A, b, phi, rates = _rows(tied, range(len(d.full.rows)))
        if gaps:
            G, g, depth, speed = _rows(stops.nodes, gaps)
            A, b, phi, rates = A + G, b + g, phi + depth, rates + speed
        M = [x for row in d.mass_matrix for x in row]
        written = {
            "terms": [*d.configuration_rates, *M, *d.bias, *(x for row in A for x in row), *b],
            "residual": [*phi, *rates],
            "rates": list(d.configuration_rates),
            "outputs": list(self.outputs.values()),
        }
        return "\n".join(self._c(name, d.space.all_nodes(nodes)) for name, nodes in written.items())

    def _c(self, name: str, nodes: Sequence[Node]) -> str:
        d = self.kernel.dynamics
        text = to_c(f"kernel_{name}", t=d.t, y=[*d.q, *d.v], p=d.p, outputs=nodes)
        return "static " + text[text.index("int64_t kernel_") :]


def _rows(
    nodes: ConstraintNodes | None, chosen: Sequence[int]
) -> tuple[list[list[Node]], list[Node], list[Node], list[Node]]:
    """A, b, phi (0 where there is none) and rates of some rows."""
    if nodes is None:
        return [], [], [], []
    phi = iter(nodes.phi)
    places = [next(phi) if row.is_holonomic else nodes.graph.zero for row in nodes.rows]
    A, b, rates = nodes.matrix, nodes.targets, nodes.rates
    return [A[i] for i in chosen], [b[i] for i in chosen], [places[i] for i in chosen], [rates[i] for i in chosen]
