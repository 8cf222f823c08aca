"""SymPy expressions become graphs with the same values, few operations, and clear refusals."""

from __future__ import annotations

import math
from typing import Any

import pytest
import sympy as sp

from cardan.errors import DerivationError, UnknownName
from cardan.graph import Graph, Node, evaluate, from_sympy, operation_count
from support.close import EPS, assert_close

X, Y, Z = sp.symbols("x y z")


class Sheet:
    """A graph with the inputs x, y, z."""

    def __init__(self) -> None:
        self.graph = Graph()
        self.x, self.y, self.z = (self.graph.input(name) for name in "xyz")
        self.symbols: dict[Any, Node | float] = {X: self.x, Y: self.y, Z: self.z}

    def node(self, expression: Any) -> Node:
        return from_sympy([expression], self.symbols, self.graph)[0]

    def value(self, expression: Any, x: float = 0.5, y: float = 1.75, z: float = -2.25) -> float:
        return float(evaluate([self.node(expression)], {self.x: x, self.y: y, self.z: z})[0])


@pytest.fixture
def sheet() -> Sheet:
    return Sheet()


@pytest.mark.parametrize(
    "expression",
    [
        X + Y + Z,
        X - Y - 2 * Z,
        -X * Y / Z + 3,
        sp.Rational(3, 7) * X**-2 / sp.sqrt(Y),
        X**5 + Y ** sp.Rational(3, 2) + Y ** sp.Rational(1, 3) + Y**X + 2**Z,
        sp.sin(X) + sp.cos(Y) + sp.tan(Z) + sp.cot(X) + sp.sec(Y) + sp.csc(Z),
        sp.asin(X) + sp.acos(X) + sp.atan(Z) + sp.atan2(Y, Z),
        sp.sinh(X) + sp.cosh(Y) + sp.tanh(Z),
        sp.exp(X) * sp.log(Y) + sp.exp(-Z),
        sp.Abs(Z) + sp.sign(Z) * X + sp.floor(Y),
        sp.Min(X, Y, Z) + 10 * sp.Max(X, Y, Z),
        sp.pi * X + sp.E * Y + sp.GoldenRatio + sp.Float("1.5", 30),
        sp.Heaviside(Z) + 10 * sp.Heaviside(Y) + 100 * sp.Heaviside(X - sp.Rational(1, 2)),
    ],
    ids=str,
)
def test_values_equal_those_of_sympy(sheet: Sheet, expression: Any) -> None:
    exact = expression.subs({X: sp.Rational(1, 2), Y: sp.Rational(7, 4), Z: sp.Rational(-9, 4)}).evalf(30)
    size = 1 + abs(float(exact))
    assert_close(sheet.value(expression), float(exact), within=40 * EPS * size, because="about 10 operations, ulp each")


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (X < Y, True),
        (X > Y, False),
        (X <= sp.Rational(1, 2), True),
        (X >= Y, False),
        (X < sp.Rational(1, 2), False),
        (X > sp.Rational(1, 2), False),
        (X >= sp.Rational(1, 2), True),
        (sp.Eq(X, sp.Rational(1, 2)), True),
        (sp.Ne(X, sp.Rational(1, 2)), False),
        ((X < Y) & (Z < X), True),
        ((X < Y) & (Z > X), False),
        ((X > Y) | (Z < X), True),
        ((X > Y) | (Z > X), False),
        (~((X > Y) | (Z > X)), True),
        (sp.Not(sp.Eq(X, Y)), True),
    ],
    ids=str,
)
def test_conditions_choose_the_branch(sheet: Sheet, condition: Any, expected: bool) -> None:
    assert sheet.value(sp.Piecewise((3, condition), (5, True))) == (3.0 if expected else 5.0)


def test_the_first_condition_that_holds_decides_and_none_gives_nan(sheet: Sheet) -> None:
    steps = sp.Piecewise((1, X < 0), (2, X < 1), (3, X < 2))
    assert [sheet.value(steps, x=x) for x in (-0.5, 0.5, 1.5)] == [1.0, 2.0, 3.0]
    assert math.isnan(sheet.value(steps, x=2.5))


def test_sums_subtract_and_products_divide_once(sheet: Sheet) -> None:
    x, y, z = sheet.x, sheet.y, sheet.z
    assert sheet.node(X - Y) is x - y
    assert sheet.node(X / Y) is x / y
    assert sheet.node(1 / X) is 1 / x
    assert sheet.node(X / (Y * Z**2)) is x / (y * (z * z))
    assert sheet.node(7 - X - Y - 2 * Z) is 7 - x - y - 2 * z
    assert operation_count([sheet.node(7 - X - Y - 2 * Z)]) == {"mul": 1, "sub": 3}
    assert operation_count([sheet.node(3 * X / (2 * sp.sqrt(Y)))]) == {"div": 1, "mul": 1, "sqrt": 1}


def test_common_parts_are_shared_between_expressions(sheet: Sheet) -> None:
    first, second = from_sympy([sp.sin(X) * Y, sp.sin(X) + Y], sheet.symbols, sheet.graph)
    assert operation_count([first, second]) == {"add": 1, "mul": 1, "sin": 1}


def test_functions_of_time_may_be_the_symbols(sheet: Sheet) -> None:
    t = sp.Symbol("t")
    q = sp.Function("q")(t)
    symbols = {q: sheet.x, q.diff(t): sheet.y}
    (node,) = from_sympy([q.diff(t) ** 2 * sp.cos(q)], symbols, sheet.graph)
    assert node is sheet.y**2 * sheet.x.cos()


def test_numbers_symbols_given_as_numbers_and_matrices_are_accepted(sheet: Sheet) -> None:
    assert from_sympy([2, 0.5, sp.oo], {}, sheet.graph) == [sheet.graph.constant(v) for v in (2, 0.5, math.inf)]
    assert from_sympy([X * Y], {X: sheet.x, Y: 0.0}, sheet.graph) == [sheet.graph.zero]
    assert from_sympy(sp.Matrix([[X, Y], [0, X]]), sheet.symbols, sheet.graph) == [
        sheet.x,
        sheet.y,
        sheet.graph.zero,
        sheet.x,
    ]


def test_expressions_deeper_than_the_recursion_limit_are_translated(sheet: Sheet) -> None:
    expression: Any = X
    for _ in range(3000):
        expression = sp.Add(sp.Mul(expression, Y, evaluate=False), 1, evaluate=False)
    assert operation_count([sheet.node(expression)]) == {"add": 3000, "mul": 3000}


def test_an_unknown_symbol_is_named_with_the_known_ones(sheet: Sheet) -> None:
    with pytest.raises(UnknownName, match=r"Unknown symbol w in .*w.* Known symbols: x, y, z") as caught:
        sheet.node(X + sp.Symbol("w") ** 2)
    assert caught.value.name == "w"


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        (sp.gamma(X) + 1, r"gamma\(x\)"),
        (sp.Function("f")(X, Y) * 2, r"f\(x, y\)"),
        (sp.Derivative(sp.Function("f")(X), X), r"Derivative\(f\(x\), x\)"),
        (sp.Integral(sp.sin(X), X), "Integral"),
        (sp.I * X, "the number I"),
        (X + sp.zoo, "the number zoo"),
        (sp.nan, "the number nan"),
        (sp.Integer(10) ** 400, "too large"),
        ("__import__('os')", "SymPy expression or a real number"),
        (None, "SymPy expression or a real number"),
        (1j, "SymPy expression or a real number"),
    ],
    ids=[
        "function",
        "undefined function",
        "derivative",
        "integral",
        "imaginary",
        "zoo",
        "nan",
        "huge",
        "text",
        "none",
        "complex",
    ],
)
def test_what_has_no_counterpart_is_named(sheet: Sheet, expression: Any, found: str) -> None:
    with pytest.raises(DerivationError, match=found):
        sheet.node(expression)
