"""A start u(x, 0) or u_t(x, 0): an expression in one symbol, or a function of arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import sympy as sp

from cardan.continua.spans import Array
from cardan.errors import ModelError

Start: TypeAlias = sp.Expr | Callable[[Array], Array] | float
NODES, WEIGHTS = np.polynomial.legendre.leggauss(10)


def function(start: Start | None, what: str) -> Callable[[Array], Array]:
    """The start as a function of arrays."""
    if start is None:
        return np.zeros_like
    if isinstance(start, sp.Basic) or not callable(start):
        expression = sp.sympify(start)
        symbols = sorted(expression.free_symbols, key=str)
        if len(symbols) > 1:
            raise ModelError(f"{what} is {expression}, of {len(symbols)} symbols; give an expression of x alone.")
        inner = sp.lambdify(symbols or [sp.Symbol("x")], expression, "numpy")
    else:
        inner = start

    def values(x: Array) -> Array:
        found = np.broadcast_to(np.asarray(inner(x), dtype=float), np.shape(x)).astype(float)
        if not np.all(np.isfinite(found)):
            raise ModelError(f"{what} is not finite everywhere on the continuum.")
        return found

    return values


class Antiderivative:
    """The integral of a function from 0 to any place up to the length, exact to round-off between its kinks."""

    def __init__(
        self, f: Callable[[Array], Array], length: float, kinks: Sequence[float] = (), parts: int = 400
    ) -> None:
        self.f = f
        self.edges = np.union1d(np.linspace(0, length, parts + 1), [one for one in kinks if 0 < one < length])
        self.sums = np.concatenate([[0.0], np.cumsum(self._between(self.edges[:-1], self.edges[1:]))])

    def __call__(self, x: Array) -> Array:
        k = np.clip(np.searchsorted(self.edges, x, side="right") - 1, 0, len(self.edges) - 2)
        return np.asarray(self.sums[k] + self._between(self.edges[k], x))

    def _between(self, a: Array, b: Array) -> Array:
        half = (b - a) / 2
        points = a[..., None] + half[..., None] * (NODES + 1)
        return np.asarray(half * (self.f(points.ravel()).reshape(points.shape) @ WEIGHTS))
