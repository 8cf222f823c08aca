"""Loads and inputs at run time: constants, expressions of (t, q, v), or Python functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.errors import ModelError
from cardan.model.description import finite
from cardan.model.model import Model
from cardan.model.signals import signal_values
from cardan.trajectory.charts.view import SeenState
from cardan.trajectory.settings import Loads

if TYPE_CHECKING:
    import sympy as sp

Vector = NDArray[np.float64]


class Watchable(Protocol):
    """A model that compiles event functions of its state."""

    def event(self, name: str, expression: sp.Expr) -> int: ...


@dataclass(frozen=True)
class Signals:
    """Values given for loads and inputs, sorted by kind."""

    constants: Mapping[sp.Symbol, float]
    expressions: Mapping[sp.Symbol, sp.Expr]
    functions: Mapping[sp.Symbol, Callable[..., float]]  # f(t) or f(t, q, v)


def sort_signals(model: Model, loads: Loads, inputs: Loads) -> Signals:
    """What was given, by kind; a number, an expression, or a function of t or of (t, q, v)."""
    constants: dict[sp.Symbol, float] = {}
    expressions: dict[sp.Symbol, sp.Expr] = {}
    functions: dict[sp.Symbol, Callable[..., float]] = {}
    for symbol, value in signal_values(model, loads, inputs).items():
        if hasattr(value, "free_symbols"):
            if symbol in value.free_symbols:
                raise ModelError(f"Signal {symbol} is given as {value}, in terms of itself.", name=str(symbol))
            if value.free_symbols:
                expressions[symbol] = value
            else:
                constants[symbol] = finite(value, f"Signal {symbol}")
        elif callable(value):
            functions[symbol] = value
        else:
            constants[symbol] = finite(value, f"Signal {symbol}")
    return Signals(constants, expressions, functions)


def takes_state(function: Callable[..., float]) -> bool:
    """Whether a controller wants (t, q, v) rather than t alone."""
    import inspect

    parameters = [
        one
        for one in inspect.signature(function).parameters.values()
        if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD) and one.default is one.empty
    ]
    return len(parameters) >= 3


def controller(
    kernel: Kernel, signals: Signals, seen: SeenState | None = None
) -> Callable[[float, Vector, Vector], None] | None:
    """One function (t, y, p) that writes all function-valued signals into p; controllers see the user's q and v."""
    if not signals.functions:
        return None
    first = len(kernel.model.parameters)
    where = {symbol: first + k for k, symbol in enumerate(kernel.model.signals)}
    work = [(where[symbol], function, takes_state(function)) for symbol, function in signals.functions.items()]
    nq = kernel.nq if seen is None else len(seen.model.q)

    def refresh(t: float, y: Vector, p: Vector) -> None:
        if seen is not None:
            y = seen(t, y)
        for index, function, with_state in work:
            p[index] = function(t, y[:nq], y[nq:]) if with_state else function(t)

    return refresh


def watch(
    compiled: Watchable, user: Kernel, seen: SeenState | None, name: str, expression: sp.Expr
) -> int | Callable[[float, Vector, Vector], float]:
    """An event function of the run's state: native, or by way of the user's coordinates where it is written in them."""
    if seen is None or not set(getattr(expression, "free_symbols", ())) & seen.replaced:
        return compiled.event(name, expression)
    function = user.custom(name, user.dynamics.impose([user.dynamics.space.lift(expression)]))
    count = function.np

    def value(t: float, y: Vector, p: Vector) -> float:
        return float(function(t, seen(t, y), p[:count])[0])

    return value


def bound(kernel: Kernel, signals: Signals) -> Kernel:
    """The kernel with expression-valued signals compiled in."""
    if not signals.expressions:
        return kernel
    return kernel.with_signals(signals.expressions)
