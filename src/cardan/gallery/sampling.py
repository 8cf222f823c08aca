"""Random states, and printed formulas as numbers at them; a fixed seed, so that every check is repeatable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.api.system import System
from cardan.errors import UnknownName
from cardan.gallery.comparing import Formula
from cardan.model.bodies import Body, Particle

Array = NDArray[np.float64]
AtState: TypeAlias = Callable[..., Array]  # numbers at a State, and at accelerations where they are given
Part = TypeVar("Part", Body, Particle)
ANGLE = (-3.0, 3.0)


@dataclass(frozen=True)
class State:
    """A state of a system: q, v, t, and values of loads and inputs by name."""

    q: Array
    v: Array
    t: float = 0.0
    signals: Mapping[str, float] = field(default_factory=dict)


def letters(system: System, names: str) -> list[sp.Symbol]:
    """Symbols of coordinates, parameters and signals by name: ``letters(s, "r theta m")``."""
    model = system.model
    variables = [symbol for one in model.variables for symbol in one.configuration]
    symbols = {str(one): one for one in (*variables, *model.parameters, *model.signals)}
    for name in names.split():
        if name not in symbols:
            raise UnknownName(f"{system.name!r} has no {name!r}. Known: {', '.join(symbols)}.", name=name)
    return [symbols[name] for name in names.split()]


def letter(system: System, name: str) -> sp.Symbol:
    """One symbol, as ``letters``."""
    (found,) = letters(system, name)
    return found


def body_of(system: System, name: str) -> Body:
    """A body by name, so that checks can put loads on it that the model itself does without."""
    return _named(system, "body", name, system.model.bodies)


def particle_of(system: System, name: str) -> Particle:
    """A particle by name, as ``body_of``."""
    return _named(system, "particle", name, system.model.particles)


def _named(system: System, kind: str, name: str, parts: Iterable[Part]) -> Part:
    found = {one.name: one for one in parts}
    if name not in found:
        raise UnknownName(f"{system.name!r} has no {kind} {name!r}. Known: {', '.join(found)}.", name=name)
    return found[name]


def states(
    system: System,
    ranges: Sequence[tuple[float, float]],
    count: int = 12,
    seed: int = 0,
    held: Mapping[int, float] | None = None,
) -> Iterator[State]:
    """Random states, each coordinate within its range, velocities and signals between -2 and 2.

    ``held`` maps places of q to values that every state has, for instance those of a singular set.
    """
    draw, model = np.random.default_rng(seed), system.model
    low, high = np.array(ranges, dtype=float).T
    for _ in range(count):
        q, v = draw.uniform(low, high), draw.uniform(-2, 2, len(model.v))
        for place, value in (held or {}).items():
            q[place] = value
        values = draw.uniform(-2, 2, len(model.signals)).tolist()
        yield State(q, v, float(draw.uniform(0, 3)), dict(zip(map(str, model.signals), values, strict=True)))


def numbers(system: System, expressions: Formula) -> AtState:
    """Printed expressions as a function of a state, and of its accelerations where they appear, flattened.

    Parameters have the system's values.
    """
    model = system.model
    parts = sp.flatten(expressions) if isinstance(expressions, (list, tuple, sp.MatrixBase)) else [expressions]
    entries = [sp.sympify(part).subs(model.values) for part in parts]
    accelerations = [v.dot for v in model.v]
    function = sp.lambdify([model.q, model.v, accelerations, model.time, model.signals], entries, "numpy")

    def value(at: State, vd: Array | None = None) -> Array:
        a = np.zeros(len(model.v)) if vd is None else vd
        signals = [at.signals.get(str(symbol), 0.0) for symbol in model.signals]
        return np.array([float(x) for x in function(at.q, at.v, a, at.t, signals)])

    return value


def column(*parts: sp.Expr) -> sp.Matrix:
    """A column of SymPy expressions."""
    return sp.Matrix(parts)


def dot(a: sp.Matrix, b: sp.Matrix) -> sp.Expr:
    """a . b without conjugation."""
    return sp.Add(*(x * y for x, y in zip(a, b, strict=True)))


def rate(expression: sp.Expr | sp.Matrix, coordinates: Sequence[sp.Symbol]) -> sp.Expr | sp.Matrix:
    """d/dt of an expression of coordinates and velocities, accelerations as symbols; of a matrix entry by entry."""
    if isinstance(expression, sp.MatrixBase):
        return expression.applyfunc(lambda part: rate(part, coordinates))
    return sp.Add(*(sp.diff(expression, q) * q.dot + sp.diff(expression, q.dot) * q.dot.dot for q in coordinates))
