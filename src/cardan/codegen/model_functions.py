"""The native functions of one model: each is compiled when it is first asked for and then kept.

They take parameter values as arguments, so kernels that differ in values only share them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.c_export import to_c
from cardan.codegen.constrained import ConstrainedFunctions, ConstrainedKernels, cloud_of, tie_together
from cardan.codegen.function import NativeBatch, NativeFunction, native_batch, native_function
from cardan.codegen.kernels import Content, recipe
from cardan.codegen.looped import looped, looped_batch, suits_loop
from cardan.codegen.ordering import narrow_order
from cardan.codegen.stepping import Stepper
from cardan.equations.reduced import Dynamics
from cardan.graph import Node
from cardan.kinematics.angles import angles_of
from cardan.native.once import once, preparing
from cardan.singular.constrained import Cloud

if TYPE_CHECKING:
    import sympy as sp

Vector = NDArray[np.float64]


MOST_KEPT = 16  # forms of one model with signals written out


class ModelFunctions:
    """Native functions of (t, y = [q, v], p = [parameters, signals]) by name, as ``codegen/kernels.py`` lists them."""

    def __init__(self, dynamics: Dynamics) -> None:
        self.dynamics = dynamics
        self._contents: dict[str, Content] = {}
        self._functions: dict[str, NativeFunction] = {}
        self._batches: dict[str, NativeBatch] = {}
        self._steppers: dict[bool, Stepper] = {}
        self._with_signals: dict[frozenset[tuple[sp.Symbol, sp.Expr]], ModelFunctions] = {}

    def __iter__(self) -> Iterator[str]:
        """Names of what has been compiled."""
        return iter(sorted(self._functions))

    def function(self, name: str) -> NativeFunction:
        """The kernel called ``name``, compiled now if it has not been."""
        return self.keep(name, lambda: self._compile(name))

    def keep(self, key: str, make: Callable[[], NativeFunction]) -> NativeFunction:
        """The function kept under a key, made now if there is none: for functions that the table does not list."""
        if key not in self._functions:
            with preparing:
                if key not in self._functions:
                    self._functions[key] = make()
        return self._functions[key]

    def content(self, name: str) -> Content:
        """What the kernel called ``name`` computes, formed now if it has not been."""
        with preparing:
            if name not in self._contents:
                self._contents[name] = recipe(name).content(self.dynamics)
            return self._contents[name]

    def _compile(self, name: str) -> NativeFunction:
        if suits_loop(self.dynamics, name):
            return looped(self.dynamics, name)
        d, content = self.dynamics, self.content(name)
        return native_function(name, t=d.t, y=content.y, p=d.p, outputs=content.outputs, pivots=content.pivots)

    def batch(self, name: str) -> NativeBatch:
        """The kernel called ``name`` for many states at once; the same bits as one by one."""
        with preparing:
            if name not in self._batches and suits_loop(self.dynamics, name):
                self._batches[name] = looped_batch(self.function(name))
            if name not in self._batches:
                d, content = self.dynamics, self.content(name)
                self._batches[name] = native_batch(
                    f"{name}_batch", t=d.t, y=content.y, p=d.p, outputs=content.outputs, pivots=content.pivots
                )
            return self._batches[name]

    def own_batch(self, name: str) -> NativeBatch:
        """The same with parameters of its own for each state."""
        key = f"{name} with own parameters"
        with preparing:
            if key not in self._batches and suits_loop(self.dynamics, name):
                self._batches[key] = looped_batch(self.function(name), own_parameters=True)
            if key not in self._batches:
                d, content = self.dynamics, self.content(name)
                self._batches[key] = native_batch(
                    f"{name}_own", t=d.t, y=content.y, p=d.p, outputs=content.outputs, pivots=content.pivots,
                    own_parameters=True,
                )  # fmt: skip
            return self._batches[key]

    def stepper(self, own_parameters: bool) -> Stepper:
        """Whole Runge-Kutta steps of many rows."""
        with preparing:
            if own_parameters not in self._steppers:
                self._steppers[own_parameters] = Stepper(self.dynamics, own_parameters)
            return self._steppers[own_parameters]

    def custom(self, name: str, outputs: Sequence[Node], further: Sequence[Node] = ()) -> NativeFunction:
        """Any graph outputs of (t, q, v, further inputs, p) as a native function; not kept."""
        d = self.dynamics
        with preparing:
            return native_function(name, t=d.t, y=[*d.q, *d.v, *further], p=d.p, outputs=outputs)

    def with_signals(self, expressions: Mapping[sp.Symbol, sp.Expr]) -> ModelFunctions:
        """Functions of the same model with these signals written out, kept so that they are compiled once."""
        key = frozenset(expressions.items())
        with preparing:
            if key not in self._with_signals:
                while len(self._with_signals) >= MOST_KEPT:
                    del self._with_signals[next(iter(self._with_signals))]  # the oldest
                self._with_signals[key] = ModelFunctions(replace(self.dynamics, signals=dict(expressions)))
            return self._with_signals[key]

    def to_c(self, name: str) -> str:
        """C99 source of a kernel."""
        d, content = self.dynamics, self.content(name)
        return to_c(name, t=d.t, y=content.y, p=d.p, outputs=content.outputs, pivots=content.pivots)

    # --- constraints -------------------------------------------------------------------------------

    @once
    def places(self) -> list[int]:
        """The velocities in an order in which the mass matrix and the constraints are narrow."""
        d = self.dynamics
        return narrow_order(d.mass_matrix, d.constraints.matrix if d.full.rows else (), len(d.v))

    @once
    def constrained(self) -> ConstrainedFunctions:
        """Right-hand side and projection of a model with constraints."""
        return tie_together(self.constrained_kernels)

    @property
    def constrained_kernels(self) -> ConstrainedKernels:
        """What right-hand side and projection are made of."""
        d = self.dynamics
        terms, residual, rates = (self.function(name) for name in ("terms", "residual", "rates"))
        has_phi = [row.is_holonomic for row in d.constraints.rows]
        return ConstrainedKernels(terms, residual, rates, len(d.q), self.places, has_phi, d.model.quaternion_starts)

    def cloud(self, t: float, y: Vector, p: Vector, steps: Vector, sizes: Vector) -> Cloud:
        """Configurations with phi = 0 near y moved by each step."""
        d, count = self.dynamics, len(steps)
        nq, n, m = len(d.q), len(d.v), len(d.full.rows)
        units = [row.unit for row in d.constraints.rows]
        function = self.keep(f"cloud {count}", lambda: cloud_of(self.constrained_kernels, units, count))
        out = function(t, np.concatenate([y, steps.ravel()]), np.concatenate([p, sizes]))
        flags, places, A, rows = np.split(out.reshape(count, -1), np.cumsum([1, nq + n, m * n]), axis=1)
        return Cloud(flags[:, 0], places, A.reshape(count, m, n), rows.reshape(count, m, n))

    # --- what the equations say of their variables -------------------------------------------------

    @once
    def turning(self) -> set[sp.Symbol]:
        """Coordinates that are angles by the way the model uses them."""
        return angles_of(self.dynamics.model, self.dynamics.full.tree)
