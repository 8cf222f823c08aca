"""Checks of an entry: each function compares a result with what the text prints and returns a Check."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike

from cardan.algebra.trig_ring import exactly
from cardan.errors import CardanError
from cardan.gallery.entry import Check

Pair: TypeAlias = tuple[ArrayLike, ArrayLike]  # computed and expected numbers
Formula: TypeAlias = sp.Expr | sp.Matrix | Sequence[sp.Expr | sp.Matrix]

DIGITS = 1e-12
ROUND_OFF = "the same formula in another order of operations: twelve of sixteen digits"
SIMPLIFIES = "the difference of the two expressions simplifies to zero"


def identity(name: str, equation: str, computed: Formula, printed: Formula) -> Check:
    """Two SymPy expressions, or lists or matrices of them, that are the same function."""
    left, right = _column(computed), _column(printed)
    passed = left.shape == right.shape and all(
        _is_zero(exactly(a) - exactly(b)) for a, b in zip(left, right, strict=True)
    )
    return Check(name, equation, computed, printed, 0.0, SIMPLIFIES, passed)


def near(
    name: str,
    equation: str,
    computed: ArrayLike,
    expected: ArrayLike,
    *,
    within: float = DIGITS,
    because: str = ROUND_OFF,
) -> Check:
    """Numbers that agree within a tolerance, relative to the largest expected one where that is above 1."""
    return agreement(name, equation, [(computed, expected)], within=within, because=because)


def agreement(
    name: str,
    equation: str,
    pairs: Iterable[Pair],
    *,
    within: float = DIGITS,
    because: str = ROUND_OFF,
) -> Check:
    """Pairs (computed, expected) of numbers or arrays, for instance at random states; the worst one is shown."""
    worst: tuple[float, ArrayLike | None, ArrayLike | None] = (-1.0, None, None)
    for computed, expected in pairs:
        a, b = np.asarray(computed, dtype=float), np.asarray(expected, dtype=float)
        if b.ndim and a.shape != b.shape:
            return Check(name, equation, a, b, within, f"shapes {a.shape} and {b.shape} differ", False, None)
        size = max(float(np.max(np.abs(b), initial=0.0)), 1.0)
        error = float(np.max(np.abs(a - b), initial=0.0)) / size
        error = error if np.isfinite(error) else np.inf  # something that is no number is as far off as can be
        if error > worst[0]:
            worst = (error, a, b)
    return Check(name, equation, worst[1], worst[2], within, because, 0 <= worst[0] <= within, worst[0])


def same(name: str, equation: str, computed: object, expected: object, because: str = "equal, word by word") -> Check:
    """Words, counts, sets: equal or not."""
    return Check(name, equation, computed, expected, 0.0, because, bool(computed == expected))


def refused(
    name: str,
    equation: str,
    action: Callable[[], object],
    error: type[CardanError],
    because: str = "no such number exists",
) -> Check:
    """Something that must not have an answer: ``action`` raises this error."""
    try:
        found = action()
    except error as problem:
        return Check(name, equation, type(problem).__name__, error.__name__, 0.0, because, True)
    return Check(name, equation, found, error.__name__, 0.0, because, False)


def _column(value: Formula) -> sp.Matrix:
    parts = value if isinstance(value, (list, tuple, sp.MatrixBase, sp.NDimArray)) else [value]
    return sp.Matrix([sp.sympify(part) for part in sp.flatten(parts)])


def _is_zero(expression: sp.Expr) -> bool:
    """In complex exponentials, where a trigonometric polynomial has one form only, else by simplification."""
    if sp.expand(expression.rewrite(sp.exp)) == 0:
        return True
    return bool(sp.simplify(sp.expand_trig(sp.expand(expression))) == 0)
