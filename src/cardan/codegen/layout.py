"""The arrays and functions of a compiled model: how states and parameters are laid out, and who answers by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.codegen.abroad.outline import outline
from cardan.codegen.function import NativeBatch, NativeFunction
from cardan.codegen.model_functions import ModelFunctions
from cardan.equations.reduced import Dynamics
from cardan.equations.speeds import speeds_in, velocities_of
from cardan.errors import WrongShape, unknown
from cardan.graph import Node
from cardan.model.by_name import Named, in_order
from cardan.model.signals import signal_values
from cardan.native.once import once

if TYPE_CHECKING:
    import casadi as ca
    import jax
    import sympy as sp

Vector = NDArray[np.float64]
Magnitudes: TypeAlias = Mapping[str, ArrayLike]  # of loads and inputs by name; three numbers for a load by components


class Layout:
    """Native functions of (t, y = [q, v], p = [parameters, signals]) by name, with values for the parameters."""

    def __init__(
        self, dynamics: Dynamics, values: Mapping[sp.Symbol, float], compiled: ModelFunctions | None = None
    ) -> None:
        self.dynamics = dynamics
        self.model = dynamics.model if dynamics.model.values == values else replace(dynamics.model, values=values)
        self.nq, self.nv, self.m = len(dynamics.q), len(dynamics.v), len(dynamics.full.rows)
        self.values = values
        self.parameters: Vector = np.array(
            [values[symbol] for symbol in self.model.parameters] + [0.0] * len(self.signals)
        )
        self.quaternions = self.model.quaternion_starts
        self.angles = self.model.angle_indices
        self.compiled = ModelFunctions(dynamics) if compiled is None else compiled

    def with_values(self, values: Mapping[sp.Symbol, float]) -> Self:
        """The same machine code with other parameter values."""
        return type(self)(self.dynamics, values, self.compiled)

    def with_signals(self, expressions: Mapping[sp.Symbol, sp.Expr]) -> Self:
        """The model with expressions in the places of some signals; the same expressions are compiled once."""
        compiled = self.compiled.with_signals(expressions)
        return type(self)(compiled.dynamics, self.values, compiled)

    # --- layout ------------------------------------------------------------------------------------

    @property
    def signals(self) -> tuple[sp.Symbol, ...]:
        """Symbols behind the parameters in p: loads, inputs, and what friction adds."""
        return self.model.signals

    def p(
        self,
        parameters: Mapping[str, float] | None = None,
        loads: Magnitudes | None = None,
        inputs: Magnitudes | None = None,
    ) -> Vector:
        """The vector [parameters, signals] with the given values by name; the others keep theirs."""
        p = self.parameters.copy()
        if parameters:
            index = self._parameter_places
            for name, value in parameters.items():
                if str(name) not in index:
                    raise unknown(name, index, f"parameter of {self.model.name!r}")
                p[index[str(name)]] = value
        if loads or inputs:
            where = self._signal_places
            for symbol, value in signal_values(self.model, loads, inputs).items():
                p[where[symbol]] = value
        return p

    @once
    def _parameter_places(self) -> dict[str, int]:
        return {str(symbol): k for k, symbol in enumerate(self.model.parameters)}

    @once
    def _signal_places(self) -> dict[sp.Symbol, int]:
        return {symbol: len(self.model.parameters) + k for k, symbol in enumerate(self.signals)}

    def y(self, q: ArrayLike | Named, v: ArrayLike | Named | None = None) -> Vector:
        """The vector [q, v], given in order or by name, shapes checked."""
        q = in_order(self.model, q, "q") if isinstance(q, Mapping) else q
        if self.model.speeds and (given := speeds_in(self.model, v)) is not None:
            v = velocities_of(self.dynamics, np.asarray(q, dtype=float).ravel(), given)
        v = in_order(self.model, v, "v") if isinstance(v, Mapping) else v
        configuration = np.asarray(q, dtype=float).ravel()
        velocity = np.zeros(self.nv) if v is None else np.asarray(v, dtype=float).ravel()
        if configuration.size != self.nq:
            raise _wrong_size("q", configuration.size, self.model.q)
        if velocity.size != self.nv:
            raise _wrong_size("v", velocity.size, self.model.v)
        return np.concatenate([configuration, velocity])

    # --- compiled functions ------------------------------------------------------------------------

    def function(self, name: str) -> NativeFunction:
        """The native function called ``name``, compiled now if it has not been."""
        return self.compiled.function(name)

    def batch(self, name: str) -> NativeBatch:
        """The native function called ``name`` for many states at once."""
        return self.compiled.batch(name)

    def own_batch(self, name: str) -> NativeBatch:
        """The native function called ``name`` for many states with parameters of their own."""
        return self.compiled.own_batch(name)

    def form(self, *names: str) -> None:
        """Form what these kernels compute, all of them before the first is compiled."""
        for name in names:
            self.compiled.content(name)

    def keep(self, key: str, make: Callable[[], NativeFunction]) -> NativeFunction:
        """The function kept under a key, made now if there is none; kernels with other values share it."""
        return self.compiled.keep(key, make)

    def custom(self, name: str, outputs: Sequence[Node]) -> NativeFunction:
        """Any graph outputs of (t, q, v, p) as a native function; not kept."""
        return self.compiled.custom(name, outputs)

    def to_c(self, name: str = "acceleration") -> str:
        """C99 source of a kernel, ``int64_t name(double t, const double *y, const double *p, double *out)``."""
        return self.compiled.to_c(name)

    def to_casadi(self, name: str = "rhs") -> ca.Function:
        """A kernel as a CasADi function of (t, y, p); with constraints, ``rhs`` and ``acceleration`` solve for them."""
        from cardan.codegen.abroad.casadi import casadi_function

        return casadi_function(outline(self.dynamics, name))

    def to_jax(self, name: str = "rhs", *, single: bool = False) -> Callable[..., jax.Array]:
        """A kernel as a pure JAX function of (t, y, p), for ``jax.jit``, ``jax.vmap`` and ``jax.grad``."""
        from cardan.codegen.abroad.jax import jax_function

        return jax_function(outline(self.dynamics, name), single=single)

    @property
    def places(self) -> list[int]:
        """The velocities in an order in which the mass matrix and the constraints are narrow."""
        return self.compiled.places

    @property
    def turning(self) -> set[sp.Symbol]:
        """Coordinates that are angles by the way the model uses them."""
        return self.compiled.turning


def _wrong_size(what: str, found: int, symbols: Sequence[sp.Symbol]) -> WrongShape:
    names = ", ".join(str(symbol) for symbol in symbols)
    return WrongShape(f"{what} has {found} numbers, expected {len(symbols)}: {names}.", found=found)
