"""Random states on the constraints with the accelerations and multipliers that the equations give there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.equations.joint_directions import multiplier
from cardan.errors import CardanError

if TYPE_CHECKING:
    from cardan.equations.equations import Equations

STATES = 4
NEWTON = 40  # steps of the way back to the constraints


def motions(eq: Equations, seed: int = 0) -> Iterator[dict[sp.Symbol, float]]:
    """Values of all symbols at a few random states."""
    draw = np.random.default_rng(seed)
    for _ in range(STATES):
        try:
            yield _state(eq, draw)
        except CardanError:
            continue


def _state(eq: Equations, draw: np.random.Generator) -> dict[sp.Symbol, float]:
    model = eq.model
    q, v = draw.uniform(0.3, 1.2, len(model.q)), draw.uniform(-1, 1, len(model.v))
    for start in model.quaternion_starts:
        q[start : start + 4] /= np.linalg.norm(q[start : start + 4])
    t = float(draw.uniform(0.1, 0.9))
    signals = {symbol: float(draw.uniform(-1, 1)) for symbol in model.driving}
    loads = {load.name: [signals[symbol] for symbol in load.symbols] for load in model.loads}
    given = {name: values[0] if len(values) == 1 else values for name, values in loads.items()}
    inputs = {str(symbol): signals[symbol] for symbol in model.inputs}
    if model.constraints:
        q, v = _on_constraints(eq, q, v, t)
    at = eq.at(q, v, t, loads=given, inputs=inputs)
    values: dict[sp.Symbol, float] = {model.time: t, **model.values, **signals}
    values |= dict(zip(model.q, map(float, q), strict=True)) | dict(zip(model.v, map(float, v), strict=True))
    values |= {one.dot: float(x) for one, x in zip(model.v, at.acceleration, strict=True)}
    lam = at.multipliers if model.constraints else {}
    return values | {multiplier(name, "lam"): float(x) for name, x in lam.items()}


def _on_constraints(
    eq: Equations, q: NDArray[np.float64], v: NDArray[np.float64], t: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The state moved onto phi = 0 by Newton's method, and its velocity onto A v + b0 = 0."""
    names = eq.constraints.names
    if not eq.model.has_quaternions:
        for _ in range(NEWTON):
            at = eq.at(q, v, t)
            rows = [k for k, name in enumerate(names) if name in at.phi]
            gaps = np.array([at.phi[names[k]] for k in rows])
            if not rows or np.max(np.abs(gaps)) < 1e-14:
                break
            q = q - np.linalg.pinv(at.A[rows]) @ gaps
    at = eq.at(q, v, t)
    return q, v - np.linalg.pinv(at.A) @ (at.A @ v + at.b0)


def value_of(expression: sp.Expr, values: Mapping[sp.Symbol, float]) -> float:
    """The value of an expression at a state."""
    symbols = sorted(expression.free_symbols, key=str)
    return float(sp.lambdify(symbols, expression, "numpy")(*(values[one] for one in symbols)))


def size_of(expression: sp.Expr, values: Mapping[sp.Symbol, float]) -> float:
    """The largest of its terms, what rounding is measured by."""
    terms = sp.Add.make_args(sp.expand(expression))
    return max(1e-3, *(abs(value_of(term, values)) for term in terms))
