"""A compiled model with quaternions, as schemes see it that need as many coordinates as velocities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.constrained import ConstrainedFunctions, ConstrainedKernels, tie_together
from cardan.codegen.function import NativeFunction, native_function
from cardan.codegen.ordering import narrow_order
from cardan.equations.plain import PlainNodes
from cardan.graph import Node
from cardan.native.foreign import PythonCallback
from cardan.native.once import once
from cardan.simulation.protocol import CompiledModel
from cardan.singular.reference import Reference
from cardan.trajectory.prepared import Prepared

if TYPE_CHECKING:
    import sympy as sp

Vector = NDArray[np.float64]


class PlainModel(CompiledModel):
    """The simulator's view of a kernel with states [q, qd] and a constraint |e| = 1 for each quaternion."""

    def __init__(self, compiled: Prepared, y: Vector) -> None:
        self.compiled, self.kernel = compiled, compiled.kernel
        self.nodes = PlainNodes(self.kernel.dynamics)
        self.nq = self.nv = self.kernel.nq
        self.angles = compiled.angles
        base = compiled.parameters[: self.tail]
        self.parameters = np.concatenate([base, self._reference(0.0, y, base).tail])
        self._callback = None
        if compiled.refresh is not None:
            self._callback = PythonCallback(self._refresh, 2 * self.nq, len(self.parameters), compiled.failures)
        self.rhs = self._tied.rhs
        self._events: list[NativeFunction] = []

    # --- states ------------------------------------------------------------------------------------

    def entered(self, y: Vector) -> Vector:
        """[q, qd] of a state [q, v]."""
        p = self.compiled.parameters[: self.tail]
        return np.concatenate([y[: self.nq], self.kernel.function("rates")(0.0, y, p)])

    def folded(self, states: Vector) -> Vector:
        """States [q, v] of rows [q, qd]."""
        n, free = self.nq, self.kernel.model.free
        q, qd = states[:, :n], states[:, n:]
        columns, at = [q], 0
        for variable in free:
            size = len(variable.configuration)
            columns.append(qd[:, at : at + 1] if size == 1 else _spin(q[:, at : at + 4], qd[:, at : at + 4]))
            at += size
        return np.hstack(columns)

    def _refresh(self, t: float, y: Vector, p: Vector) -> None:
        assert self.compiled.refresh is not None
        self.compiled.refresh(t, self.folded(np.array(y)[None])[0], p)

    # --- kernels -----------------------------------------------------------------------------------

    def _function(self, name: str) -> NativeFunction:
        label = f"plain {name}"
        return self.kernel.keep(label, lambda: self._compiled(label.replace(" ", "_"), self._outputs(name)))

    def _compiled(self, name: str, outputs: Sequence[Node]) -> NativeFunction:
        d = self.kernel.dynamics
        return native_function(name, t=d.t, y=[*self.nodes.q, *self.nodes.qd], p=d.p, outputs=outputs)

    def _outputs(self, name: str) -> list[Node]:
        own = self.nodes
        if name == "structure":
            return [x for row in (*own.mass_matrix, *own.matrix) for x in row]
        if name == "residual":
            return [*own.phi, *own.rates]
        outputs = {"momentum": own.momenta, "momentum_rate": own.momentum_rates, "forces": own.forces}
        return {**outputs, "energy": own.energies, "terms": own.terms, "rates": own.qd}[name]

    def _reference(self, t: float, y: Vector, p: Vector) -> Reference:
        """Sizes of the rows: those of the constraints as they are known, and of unit quaternions from M."""
        known, count = self.compiled.reference, len(self.nodes.quaternions)
        n = self.nq
        heaviest = float(np.max(self._function("structure")(t, self.entered(y), p)[: n * n : n + 1]))
        spins = np.full(count, 1.0 / np.sqrt(heaviest))
        if known is None:
            return Reference(spins, count, np.ones(count), count)
        scale, extent = np.concatenate([known.scale, spins]), np.concatenate([known.extent, np.ones(count)])
        return Reference(scale, known.rank + count, extent, known.holonomic_rank + count)

    @once
    def _tied(self) -> ConstrainedFunctions:
        terms, residual, rates = (self._function(name) for name in ("terms", "residual", "rates"))
        places = narrow_order(self.nodes.mass_matrix, self.nodes.matrix, self.nq)
        return tie_together(ConstrainedKernels(terms, residual, rates, self.nq, places, self.nodes.has_phi, ()))

    @property
    def holonomic(self) -> tuple[int, ...]:
        return tuple(int(one) for one in self.nodes.has_phi)

    @property
    def tail(self) -> int:
        return len(self.kernel.parameters)

    def event(self, name: str, expression: sp.Expr) -> int:
        """Address of a compiled event function."""
        d = self.kernel.dynamics
        outputs = self.nodes.put_in(d.impose([d.space.lift(expression)]))
        self._events.append(self._compiled(name, outputs))
        return int(self._events[-1].address)

    @property
    def callback(self) -> int:
        return 0 if self._callback is None else self._callback.address

    def failure(self) -> BaseException | None:
        return self.compiled.failure()

    @property
    def momentum(self) -> int:
        return self._function("momentum").address

    @property
    def momentum_rate(self) -> int:
        return self._function("momentum_rate").address

    @property
    def structure(self) -> int:
        return self._function("structure").address

    @property
    def residual(self) -> int:
        return self._function("residual").address

    @property
    def forces(self) -> int:
        return self._function("forces").address

    @property
    def energy(self) -> int:
        return self._function("energy").address


def _spin(e: Vector, rate: Vector) -> Vector:
    """Angular velocities (body components) 2 conj(e) ed of rows of quaternions and their rates."""
    w, x, y, z = e.T
    a, b, c, d = rate.T
    return 2 * np.column_stack(
        [w * b - x * a - y * d + z * c, w * c - y * a - z * b + x * d, w * d - z * a - x * c + y * b]
    )
