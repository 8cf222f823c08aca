"""Questions about expressions, answered at random points: whether they vanish, which rows are independent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import sympy as sp
from numpy.typing import NDArray
from sympy.core.function import AppliedUndef

from cardan.graph import Graph, from_sympy

LOOKS = 3  # points at which something must vanish to be called zero: one would do but for rare coincidences
ROUNDING = 1e-9  # of numbers of size one: far above their rounding, far below a term that is there


def values_at_chance(expressions: Iterable[sp.Expr], seed: int = 0) -> NDArray[np.float64]:
    """Expressions with random numbers of size one in the places of their symbols and functions of time."""
    asked = list(expressions)
    atoms = {atom for one in asked for atom in one.atoms(sp.Symbol, AppliedUndef)}
    rng = np.random.default_rng(seed)
    values = {atom: float(rng.uniform(0.5, 1.5)) for atom in sorted(atoms, key=sp.default_sort_key)}
    found = from_sympy(asked, values, Graph())
    return np.array([np.nan if node.value is None else node.value for node in found])


def numbers_at_chance(matrix: sp.Matrix, seed: int = 0) -> NDArray[np.float64]:
    """A matrix with random numbers in the places of its symbols."""
    return values_at_chance(list(matrix), seed).reshape(matrix.shape)


def vanishes(expressions: Sequence[sp.Expr]) -> bool:
    """True where all of them are zero at every point that was looked at."""
    return all(np.all(np.abs(values_at_chance(expressions, seed)) < ROUNDING) for seed in range(LOOKS))


def independent_rows(matrix: sp.Matrix) -> list[int]:
    """The first rows that are independent of those before them."""
    numbers, chosen = numbers_at_chance(matrix), list[int]()
    for k in range(matrix.rows):
        if np.linalg.matrix_rank(numbers[[*chosen, k]]) == len(chosen) + 1:
            chosen.append(k)
    return chosen
