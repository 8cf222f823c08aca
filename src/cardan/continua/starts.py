"""A start u(x, 0) or u_t(x, 0): an expression in one symbol, or a function of arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
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
        expression = sp.sympify(start, strict=True)
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


def kinks_of(start: Start | None) -> list[float]:
    """Places where an expression in one symbol may have a kink or a step, as far as they are roots of polynomials."""
    if not isinstance(start, sp.Expr) or len(start.free_symbols) != 1:
        return []
    (x,) = start.free_symbols
    found: set[float] = set()
    for gap in {smooth for one in _switches(start) for smooth in _pieces(one)}:
        if gap.has(x) and gap.is_polynomial(x):
            found |= {float(sp.re(root)) for root in sp.Poly(gap, x).nroots() if abs(sp.im(root)) < 1e-12}
    return sorted(found)


def _switches(expression: sp.Expr) -> Iterator[sp.Expr]:
    """What changes sign where the expression changes its form."""
    for one in expression.atoms(sp.Abs, sp.sign, sp.Heaviside):
        yield one.args[0]
    for one in expression.atoms(sp.Min, sp.Max):
        yield from (a - b for a, b in combinations(one.args, 2))
    for one in expression.atoms(sp.Piecewise):
        for _, condition in one.args:
            yield from (rel.lhs - rel.rhs for rel in condition.atoms(sp.core.relational.Relational))


def _pieces(expression: sp.Expr) -> Iterator[sp.Expr]:
    """The forms that an expression of Abs, Min and Max can take."""
    inner = next(iter(expression.atoms(sp.Abs, sp.Min, sp.Max)), None)
    if inner is None:
        yield expression
        return
    for form in (inner.args[0], -inner.args[0]) if isinstance(inner, sp.Abs) else inner.args:
        yield from _pieces(expression.xreplace({inner: form}))


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
