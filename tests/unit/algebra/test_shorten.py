"""Short equal forms: what cancels is gone, numbers stay as they were typed, and nothing changes its value."""

from __future__ import annotations

import pytest
import sympy as sp
from sympy import Abs, cos, sin, sqrt

from cardan.algebra.points import same_function
from cardan.algebra.shorten import length, shorten
from cardan.algebra.solving import NotSolved, solve

a, b, c, x, m, n = sp.symbols("a b c x m n", real=True)

SHORT = [
    (sin(a) ** 2 + cos(a) ** 2, sp.S.One),
    (m * (sin(a) ** 2 + cos(a) ** 2) * x - m * x, sp.S.Zero),
    (cos(a) * cos(b) + sin(a) * sin(b), cos(a - b)),
    (m * x * cos(a) * cos(b) * 2 - 2 * m * x * sin(a) * sin(b), 2 * m * x * cos(a + b)),
    ((m - n) * sin(a) * x - m * x * sin(a) + n * x * sin(a), sp.S.Zero),
    (m * sin(a) * cos(a) - n * sin(a) * cos(a), (m - n) * sin(a) * cos(a)),
    (sqrt(cos(a) ** 2 * cos(b) ** 2 + cos(a) ** 2 * sin(b) ** 2), Abs(cos(a))),
    (cos(a) ** 2 / Abs(cos(a)), Abs(cos(a))),
    ((x**2 - 1) / (x + 1), x - 1),
]


@pytest.mark.parametrize(("long", "short"), SHORT, ids=str)
def test_the_short_form_is_found(long: sp.Expr, short: sp.Expr) -> None:
    assert length(shorten(long)) <= length(short)
    assert same_function(shorten(long), long)


def test_a_difference_that_was_typed_stays() -> None:
    assert shorten(m * cos(a - b) * x + m * cos(a - b) * x**2).has(cos(a - b))


def test_numbers_stay_as_they_were_typed() -> None:
    """No 1.0 before a symbol, no 981/100 where 9.81 was typed, no decimals where a fraction was."""
    assert str(shorten(1.0 * x + sin(a))) == "x + sin(a)"
    assert shorten(9.81 * m * sin(a) + 0.1 * m * sin(a)).atoms(sp.Float) == {sp.Float(9.91)}
    assert shorten(x / 3 + m * x / 3).atoms(sp.Float) == set()


@pytest.mark.parametrize("wrong", [sin(a), 1 + sin(a) ** 2, cos(a + b) + 1, Abs(cos(a)) * cos(a)])
def test_random_points_tell_different_functions_apart(wrong: sp.Expr) -> None:
    assert not same_function(wrong, cos(a) ** 2)


def test_solving_with_a_rotation_needs_no_simplification_afterwards() -> None:
    rotation = sp.Matrix([[cos(a), -sin(a)], [sin(a), cos(a)]])
    assert solve(rotation, [m, n]) == [m * cos(a) + n * sin(a), n * cos(a) - m * sin(a)]


def test_a_singular_matrix_has_no_solution() -> None:
    with pytest.raises(NotSolved, match="singular"):
        solve(sp.Matrix([[sin(a), cos(a)], [2 * sin(a), 2 * cos(a)]]), [m, n])
