"""Where a system is singular, as sets: its coordinates, its constraints, a load that is lost, a point that is stuck.

Found in symbols where polynomials stay small: factors of det(B^T B), common zeros of generalized forces or of minors.
Otherwise traced by numbers. Both ways every set is verified by singular values at points of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

import sympy as sp

from cardan.diagnosis.sets.matrices import Matrices
from cardan.diagnosis.sets.searching import Search
from cardan.diagnosis.sets.sets import SingularSet, undecided
from cardan.equations.equations import Equations
from cardan.errors import WrongShape, unknown
from cardan.model.frames import Point
from cardan.model.loads import Load
from cardan.native.deadline import BUDGET, OutOfTime, within

Name: TypeAlias = Load | str | sp.Symbol  # a load, its name, or its magnitude
Magnitude: TypeAlias = float | sp.Expr | Iterable[float | sp.Expr]  # one number, or one for each component
Asked: TypeAlias = Name | Mapping[str, Magnitude]  # a load, or several by name with their magnitudes


def singular_sets(
    equations: Equations, load: Asked | None = None, task: Point | None = None, budget: float | None = BUDGET
) -> list[SingularSet]:
    """Singular sets of coordinates and constraints; with ``load`` also its gimbal lock; with ``task`` those of a point.

    ``load`` is the name or the magnitude of a load (one with three components is judged component by component), or a
    mapping of names to magnitudes for a given direction.
    """
    found: list[SingularSet] = []
    search: Search | None = None
    try:
        with within(budget, "singular sets"):
            search = Search(equations)
            for sets in _searched(search, load, task):
                found += sets
    except OutOfTime as late:
        told = [] if search is None else search.told
        begun = [one for one in told if not any(one is other for other in found)]
        found += [*begun, undecided(str(late))]
    return found


def _searched(search: Search, load: Asked | None, task: Point | None) -> Iterator[list[SingularSet]]:
    if task is not None:
        yield search.task(search.matrices.task(task))
        return
    asked = _loads(search.matrices, load)
    yield search.coordinates()
    yield search.constraints()
    for name, Q in asked:
        yield search.load(name, Q)


def _loads(matrices: Matrices, load: Asked | None) -> list[tuple[str, sp.Matrix]]:
    """(name, Q of unit magnitude) of the loads asked for."""
    if load is None:
        return []
    if isinstance(load, Mapping):
        total = sp.zeros(1, len(matrices.v))
        for name, magnitudes in load.items():
            total += _weighted(matrices, _named(matrices, name), magnitudes)
        return [(" + ".join(str(name) for name in load), total)]
    one = _named(matrices, load)
    parts = [(str(symbol), along) for symbol, along in zip(one.symbols, one.along, strict=True)]
    chosen = [part for part in parts if part[0] == str(load)] or parts
    return [(symbol, matrices.pulled(one, along)) for symbol, along in chosen]


def _weighted(matrices: Matrices, load: Load, magnitudes: Magnitude) -> sp.Matrix:
    parts = tuple(magnitudes) if isinstance(magnitudes, Iterable) else (magnitudes,)
    if len(parts) != len(load.symbols):
        raise WrongShape(f"Load {load.name!r} has {len(load.symbols)} components, found {len(parts)}.", name=load.name)
    total = sp.zeros(1, len(matrices.v))
    for along, weight in zip(load.along, parts, strict=True):
        total += sp.sympify(weight) * matrices.pulled(load, along)
    return total


def _named(matrices: Matrices, load: Name) -> Load:
    loads = matrices.model.loads
    for one in loads:
        if load is one or str(load) == one.name or str(load) in map(str, one.symbols):
            return one
    raise unknown(load, [one.name for one in loads], f"load of {matrices.model.name!r}")
