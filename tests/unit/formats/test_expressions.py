"""Expressions of model files: what they mean, what is refused, and that nothing in them runs."""

from __future__ import annotations

import math

import pytest
import sympy as sp

from cardan.errors import FileError
from cardan.formats.expressions import MOST_CHARACTERS, constant, function_names, parse
from cardan.model.frames import Frame, Vector

x, y = sp.symbols("x y", real=True)
rate = sp.Symbol("x_dot", real=True)
world = Frame("world", None)
NAMES = {"x": x, "y": y, "x.dot": rate, "world.x": world.x, "world.z": world.z}


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("1 + 2*x", 1 + 2 * x),
        ("-x**2", -(x**2)),
        ("2**-1", sp.Rational(1, 2)),
        ("2**3**2/512", sp.Integer(1)),
        ("x/2/y*3", 3 * x / (2 * y)),
        ("x - y - 1", x - y - 1),
        ("-(x - -y)", -x - y),
        ("x.dot**2/2", rate**2 / 2),
        ("sqrt(2)*cos(pi/4)", sp.Integer(1)),
        ("sin(pi)", sp.Integer(0)),
        ("atan2(y, x)", sp.atan2(y, x)),
        ("max(x, 0) + min(x, y)", sp.Max(x, 0) + sp.Min(x, y)),
        ("abs(x)*sign(y)", sp.Abs(x) * sp.sign(y)),
        ("floor(2.5)", sp.Integer(2)),
        ("where(x < 1, y, 2)", sp.Piecewise((y, x < 1), (2, True))),
        ("where(2 <= 1, y, x)", x),
        ("1.5e3*x", 1500.0 * x),
        ("  x\n + y\t", x + y),
        (3, sp.Integer(3)),
        (0.25, sp.Float(0.25)),
        (0.0, sp.Integer(0)),
    ],
)
def test_an_expression_means_what_it_says(text: object, meaning: sp.Expr) -> None:
    assert parse(text, NAMES) == meaning


def test_cases_inside_of_a_comparison_are_chosen_first() -> None:
    """Against the same choice by Python, on a grid on both sides of every boundary."""

    def expected(x: float, y: float) -> float:
        inner = x if x < 1 else (y if y > 0 else -2.0)
        return x**2 if inner + 1 <= 2 * y - inner else y - 5

    x, y = sp.symbols("x y", real=True)
    found = parse("where(where(x < 1, x, where(y > 0, y, -2)) + 1 <= 2*y - where(x < 1, x, where(y > 0, y, -2)), "
                  "x**2, y - 5)", {"x": x, "y": y})  # fmt: skip
    assert all(one.is_Relational or one == sp.true for case in found.atoms(sp.Piecewise) for _, one in case.args)
    for a in (-1.5, 0.25, 0.75, 1.5, 4.0):
        for b in (-3.5, -0.5, 0.5, 1.75, 6.0):
            assert float(found.subs({x: a, y: b})) == expected(a, b)  # exact: small binary fractions


def test_a_comparison_holds_few_cases() -> None:
    x = sp.Symbol("x", real=True)
    many = " + ".join(f"where(x < {k}, x, 1)" for k in range(5))
    with pytest.raises(FileError, match="holds 5 other where"):
        parse(f"where({many} < 2, 1, 2)", {"x": x})


def test_functions_of_symbols_are_those_of_sympy() -> None:
    for name in ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "sqrt"):
        assert parse(f"{name}(x)", NAMES) == getattr(sp, name)(x)
        assert name in function_names()


def test_vectors_are_added_scaled_and_multiplied() -> None:
    found = parse("-x*world.z + world.x/2", NAMES)
    assert isinstance(found, Vector)
    assert found.express(world) == (sp.Rational(1, 2), 0, -x)
    assert parse("dot(world.z, 3*world.z)", NAMES) == 3
    assert parse("cross(world.z, world.x)", NAMES).express(world) == (0, 1, 0)


@pytest.mark.parametrize(
    "text",
    ["world.x + 1", "world.x*world.z", "1/world.x", "world.x**2", "sin(world.x)", "dot(x, world.z)", "max(world.x, 1)"],
)
def test_vectors_are_no_scalars(text: str) -> None:
    with pytest.raises(FileError):
        parse(text, NAMES)


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("x + z", 5, "'z' is unknown here; known are: world.x"),
        ("x^2", 2, r"write \*\* for powers"),
        ("x = 2", 3, "no equals sign"),
        ("(x", 3, "expected '\\)', found the end"),
        ("", 1, "found the end"),
        ("x y", 3, "'y' is not expected here"),
        ("gamma(x)", 1, "there is no function 'gamma'"),
        ("sin(x, y)", 1, "takes 1 values"),
        ("sin(x < y)", 1, "comparison"),
        ("where(x, 1, 2)", 1, "needs a comparison first"),
        ("x.__class__", 1, "unknown here"),
        ("'a'", 1, "text is not part of expressions"),
        ("\uff58", 1, "has no meaning here"),
    ],
)
def test_a_refusal_says_where_and_why(text: str, column: int, words: str) -> None:
    with pytest.raises(FileError, match=words) as caught:
        parse(text, NAMES)
    assert caught.value.column == column


@pytest.mark.parametrize(
    "text",
    [
        "1e999",
        "1e-400*x*0 + 1e-320",
        "9**9**9**9",
        "10**65",
        "((x**9)**9)**9",
        "((x*y)**64)**2",
        "exp(1000)",
        "exp(exp(exp(9)))",
        "1/0",
        "1/(x - x)",
        "0**-1",
        "tan(pi/2)",
        "log(0)",
        "sqrt(-1)",
        "asin(2)",
        "(-8)**(1/3)",
        "sqrt(-x**2)",
        "nan",
        "inf",
        "oo",
        "zoo",
        "I",
        "x" * (MOST_CHARACTERS + 1),
        "(" * 60 + "x" + ")" * 60,
        "-" * 3000 + "x",
        "1" * 500,
    ],
)
def test_what_has_no_finite_value_or_size_is_refused(text: str) -> None:
    with pytest.raises(FileError):
        parse(text, NAMES)


@pytest.mark.parametrize("value", [True, None, [1], {"a": 1}, float("nan"), float("inf"), 10**400])
def test_only_finite_numbers_and_text_are_read(value: object) -> None:
    with pytest.raises(FileError):
        parse(value, NAMES)


def test_a_constant_is_a_number() -> None:
    assert constant("pi/2") == math.pi / 2
    assert constant(3) == 3.0
    with pytest.raises(FileError, match="unknown here"):
        constant("x")
