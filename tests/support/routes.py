"""Printed equations M vd + f + g = Q held against Cardan's three routes: SymPy, the expression graph, native code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from support.close import assert_close

Array = NDArray[np.float64]
DIGITS = 1e-12  # of the largest number compared
REASON = "the same formula in another order of operations: twelve of sixteen digits"


def vanishes(expressions: Any) -> bool:
    """Whether every expression simplifies to zero."""
    parts = expressions if isinstance(expressions, (list, tuple, sp.MatrixBase)) else [expressions]
    return all(_is_zero(sp.sympify(part)) for part in parts)


def _is_zero(expression: Any) -> bool:
    """In complex exponentials, where a trigonometric polynomial has one form only, else by SymPy's simplification."""
    if sp.expand(expression.rewrite(sp.exp)) == 0:
        return True
    return bool(sp.simplify(sp.expand_trig(sp.expand(expression))) == 0)


def assert_same(actual: Any, expected: Any, digits: float = DIGITS, because: str = REASON) -> None:
    """Equal up to ``digits`` of the largest expected magnitude (or of 1 where all are smaller)."""
    size = max(float(np.max(np.abs(expected), initial=0.0)), 1.0)
    assert_close(actual, expected, within=digits * size, because=because)


@dataclass(frozen=True)
class State:
    """A random state: q, v, t and a value for every load and input, by name."""

    q: Array
    v: Array
    t: float
    signals: dict[str, float]


def states(system: Any, ranges: Sequence[tuple[float, float]], count: int = 20, seed: int = 0) -> Iterator[State]:
    """Random states, each configuration number within its range, velocities and signals between -2 and 2."""
    draw, model = np.random.default_rng(seed), system.model
    low, high = np.array(ranges, dtype=float).T
    for _ in range(count):
        q, v = draw.uniform(low, high), draw.uniform(-2, 2, len(model.v))
        values = draw.uniform(-2, 2, len(model.signals)).tolist()
        yield State(q, v, float(draw.uniform(0, 3)), dict(zip(map(str, model.signals), values, strict=True)))


def numbers(system: Any, expressions: Any) -> Callable[[State], Array]:
    """Printed expressions as a function of a state, parameters at the system's values."""
    model = system.model
    entries = sp.Matrix(expressions).subs(model.values)
    function = sp.lambdify([model.q, model.v, model.time, model.signals], entries, "numpy")
    return lambda at: np.array(function(at.q, at.v, at.t, tuple(at.signals.values())), dtype=float)


def assert_printed(
    system: Any, *, M: Any, f: Any, g: Any = None, Q: Any = None, ranges: Sequence[tuple[float, float]], seed: int = 0
) -> None:
    """The printed M, f, g and Q hold in SymPy, in the graph and in native code, there with vd = M^-1 (Q - f - g)."""
    n = len(system.model.v)
    M, f, g, Q = (sp.Matrix(part) if part is not None else sp.zeros(n, 1) for part in (M, f, g, Q))
    eq, kernel = system.equations(), system.compile()
    assert vanishes(eq.mass_matrix - M)
    assert vanishes(eq.velocity_terms - f)
    assert vanishes(eq.potential_terms - g)
    assert vanishes(sp.Matrix(list(eq.generalized_forces.values())[:n]) - Q)
    mass, velocity, potential, force = (numbers(system, part) for part in (M, f, g, Q))
    for state in states(system, ranges, seed=seed):
        at = eq.at(state.q, state.v, state.t, loads=state.signals)
        assert_same(at.M, mass(state))
        assert_same(at.f, velocity(state).ravel())
        assert_same(at.g, potential(state).ravel())
        assert_same(at.Q, force(state).ravel())
        vd = np.linalg.solve(mass(state), force(state) - velocity(state) - potential(state)).ravel()
        assert_same(at.acceleration, vd)
        assert_same(kernel.mass_matrix(state.q, state.t), mass(state))
        assert_same(kernel.acceleration(state.q, state.v, state.t, loads=state.signals), vd)
