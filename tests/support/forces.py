"""Printed formulas that contain accelerations, and vectors of the texts, for tests of constraint forces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from support.routes import State

Array = NDArray[np.float64]


def column(*parts: Any) -> Any:
    """A column of SymPy expressions."""
    return sp.Matrix(parts)


def dot(a: Any, b: Any) -> Any:
    """a . b without conjugation."""
    return sp.Add(*(x * y for x, y in zip(a, b, strict=True)))


def rate(expression: Any, coordinates: Any) -> Any:
    """d/dt of an expression of coordinates and velocities, accelerations as symbols; of a matrix entry by entry."""
    if isinstance(expression, sp.MatrixBase):
        return expression.applyfunc(lambda entry: rate(entry, coordinates))
    total = sp.Integer(0)
    for q in coordinates:
        total += sp.diff(expression, q) * q.dot + sp.diff(expression, q.dot) * q.dot.dot
    return total


def moving_numbers(system: Any, expressions: Any) -> Callable[[State, Array], Array]:
    """Printed expressions as a function of a state and its accelerations, parameters at the system's values."""
    model = system.model
    entries = sp.Matrix(expressions).subs(model.values)
    accelerations = [v.dot for v in model.v]
    function = sp.lambdify([model.q, model.v, accelerations, model.time, model.signals], entries, "numpy")
    return lambda at, vd: np.array(function(at.q, at.v, vd, at.t, tuple(at.signals.values())), dtype=float).ravel()
