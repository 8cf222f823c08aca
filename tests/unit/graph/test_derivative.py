"""Derivatives of every operation, what they leave out, and the agreements where no derivative exists."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import sympy as sp

from cardan.errors import DerivationError
from cardan.graph import Graph, Node, evaluate, gradient, hessian, jacobian, jvp, operation_count
from support.close import EPS, assert_close

X, Y = sp.symbols("x y")

SMOOTH: list[tuple[str, Any, Any]] = [
    ("add", lambda x, y: x + y, X + Y),
    ("sub", lambda x, y: x - y, X - Y),
    ("mul", lambda x, y: x * y, X * Y),
    ("div", lambda x, y: x / y, X / Y),
    ("neg", lambda x, y: -x, -X),
    ("sqrt", lambda x, y: x.sqrt(), sp.sqrt(X)),
    ("sin", lambda x, y: x.sin(), sp.sin(X)),
    ("cos", lambda x, y: x.cos(), sp.cos(X)),
    ("tan", lambda x, y: x.tan(), sp.tan(X)),
    ("asin", lambda x, y: x.asin(), sp.asin(X)),
    ("acos", lambda x, y: x.acos(), sp.acos(X)),
    ("atan", lambda x, y: x.atan(), sp.atan(X)),
    ("sinh", lambda x, y: x.sinh(), sp.sinh(X)),
    ("cosh", lambda x, y: x.cosh(), sp.cosh(X)),
    ("tanh", lambda x, y: x.tanh(), sp.tanh(X)),
    ("exp", lambda x, y: x.exp(), sp.exp(X)),
    ("log", lambda x, y: x.log(), sp.log(X)),
    ("pow", lambda x, y: x**y, X**Y),
    ("pow", lambda x, y: x**2.3, X ** sp.Rational(23, 10)),
    ("pow", lambda x, y: 2**x, 2**X),
    ("atan2", lambda x, y: x.atan2(y), sp.atan2(X, Y)),
    ("square", lambda x, y: x * x, X**2),
    ("cube", lambda x, y: x**-3, X**-3),
]


@pytest.mark.parametrize(("name", "make", "formula"), SMOOTH, ids=[str(formula) for _, _, formula in SMOOTH])
def test_first_and_second_derivatives_of_each_operation_equal_sympys(name: str, make: Any, formula: Any) -> None:
    g = Graph()
    x, y = g.input("x"), g.input("y")
    node = make(x, y)
    point = {X: sp.Rational(3, 8), Y: sp.Rational(7, 4)}
    at = {x: 0.375, y: 1.75}
    first = [float(sp.diff(formula, s).subs(point).evalf(30)) for s in (X, Y)]
    second = [[float(sp.diff(formula, s, r).subs(point).evalf(30)) for r in (X, Y)] for s in (X, Y)]
    size = 1 + np.max(np.abs(second)) + np.max(np.abs(first))
    reason = "fewer than 16 rounded operations, none of them cancels"
    assert_close(evaluate(gradient(node, [x, y]), at), first, within=16 * EPS * size, because=reason)
    both = [evaluate(row, at) for row in jacobian([node, node], [x, y])]
    assert_close(both, [first, first], within=16 * EPS * size, because=reason)
    rows = hessian(node, [x, y])
    assert_close([evaluate(row, at) for row in rows], second, within=16 * EPS * size, because=reason)
    assert rows[0][1] is rows[1][0]


def test_kinetic_energy_has_momentum_as_derivative_without_spare_operations() -> None:
    g = Graph()
    m, v = g.input("m"), g.input("v")
    for energy in (0.5 * m * v**2, m * v * v / 2):
        assert gradient(energy, [v]) == [m * v]
        assert jacobian([energy], [v]) == [[m * v]]
        assert hessian(energy, [v]) == [[m]]


def test_structural_zeros_stay_structural() -> None:
    g = Graph()
    xs = [g.input(f"x{i}") for i in range(4)]
    ys = [xs[0] * 3, xs[1].sin() + xs[2], g.constant(5.0), xs[3] - xs[3] + xs[0]]
    rows = jacobian(ys, xs)
    zero, one = g.zero, g.one
    assert rows == [[g.constant(3.0), zero, zero, zero], [zero, xs[1].cos(), one, zero], [zero] * 4, [one] + [zero] * 3]
    assert jacobian(ys[:2], xs) == rows[:2], "reverse sweeps, since there are fewer outputs than variables"


def test_a_forward_sweep_does_not_visit_what_does_not_depend_on_the_variables() -> None:
    g = Graph()
    x, p = g.input("x"), g.input("p")
    heavy = p
    for _ in range(50):
        heavy = heavy.sin() + 1.0
    product = heavy * x
    before = len(g.nodes)
    assert jvp([product], [x], [1.0]) == [heavy]
    assert gradient(product, [x]) == [heavy]
    assert len(g.nodes) <= before + 1


def test_directional_derivative_is_jacobian_times_direction() -> None:
    g = Graph()
    x, y, u, w = (g.input(name) for name in ("x", "y", "u", "w"))
    outputs = [x * y.sin(), x / y, x * x]
    at = {x: 0.7, y: 1.3, u: -0.4, w: 2.0}
    J = np.array([evaluate(row, at) for row in jacobian(outputs, [x, y])])
    assert_close(
        evaluate(jvp(outputs, [x, y], [u, w]), at),
        J @ [-0.4, 2.0],
        within=16 * EPS,
        because="two routes, values of size 3",
    )
    assert jvp([x * y], [x, y], [0, 1.0]) == [x]


def test_an_expression_may_be_the_variable() -> None:
    """dL/dqd with qd = N v as an intermediate node: what lies behind it is held fixed."""
    g = Graph()
    v, q = g.input("v"), g.input("q")
    qd = q.cos() * v
    assert gradient(qd * qd * q, [qd]) == [2 * (q * qd)]
    assert jacobian([qd * q, qd], [qd, q]) == [[q, qd], [g.one, g.zero]]


def test_numbers_are_outputs_with_zero_derivative() -> None:
    g = Graph()
    x = g.input("x")
    assert jacobian([0.0, x], [x]) == [[g.zero], [g.one]]
    assert gradient(3.0, [x]) == [g.zero]
    assert jvp([1.0, x], [x], [2.0]) == [g.zero, g.constant(2.0)]
    assert jacobian([x, x], []) == [[], []]
    assert gradient(x, []) == hessian(x, []) == []


def derivative_at(node: Node, x: Node, value: float) -> tuple[float, float]:
    """By the reverse and the forward sweep."""
    return (
        float(evaluate(gradient(node, [x]), {x: value})[0]),
        float(evaluate(jvp([node], [x], [1.0]), {x: value})[0]),
    )


@pytest.mark.parametrize(
    ("make", "left", "at_kink", "right"),
    [
        (lambda x: x.absolute(), -1.0, 0.0, 1.0),
        (lambda x: x.maximum(0), 0.0, 0.0, 1.0),
        (lambda x: x.minimum(0), 1.0, 0.0, 0.0),
        (lambda x: x.maximum(-x), -1.0, 1.0, 1.0),
        (lambda x: x.sign() * x, -1.0, 0.0, 1.0),
        (lambda x: x.floor() + x, 1.0, 1.0, 1.0),
        (lambda x: x.less(0).select(3 * x, x), 3.0, 1.0, 1.0),
        (lambda x: x.less_equal(0).select(3 * x, x), 3.0, 3.0, 1.0),
        (lambda x: x.less(0) + x.less_equal(0) + x.equal(0), 0.0, 0.0, 0.0),
    ],
    ids=["abs", "max", "min", "max of two nodes", "sign", "floor", "select", "select equal", "comparisons"],
)
def test_agreements_at_kinks(make: Any, left: float, at_kink: float, right: float) -> None:
    g = Graph()
    x = g.input("x")
    node = make(x)
    for value, expected in ((-0.5, left), (0.0, at_kink), (0.5, right)):
        assert derivative_at(node, x, value) == (expected, expected)


def test_the_branch_not_taken_cannot_spoil_a_derivative() -> None:
    """The square root has an infinite derivative at 0; where it is not selected, 0 times infinity must not appear."""
    g = Graph()
    x = g.input("x")
    root = x.sqrt()
    node = 5 * x.less_equal(0).select(x, root * root.sin()) + x
    assert derivative_at(node, x, 0.0) == (6.0, 6.0)
    assert derivative_at(node, x, -1.0) == (6.0, 6.0)


def test_infinite_derivatives_are_infinite() -> None:
    g = Graph()
    x = g.input("x")
    assert derivative_at(x.sqrt(), x, 0.0) == (math.inf, math.inf)
    assert derivative_at(x.asin(), x, 1.0) == (math.inf, math.inf)


def test_gradient_costs_a_small_multiple_of_the_function() -> None:
    """[Griewank2008, ch. 4]: a reverse sweep costs a few times the function, whatever the number of inputs."""
    g = Graph()
    xs = [g.input(f"x{i}") for i in range(100)]
    y = xs[0]
    for x in xs[1:]:
        y = (y * x + 1.0).sin()
    operations = sum(operation_count([y]).values())
    assert sum(operation_count([y, *gradient(y, xs)]).values()) <= 4 * operations


def test_wrong_requests_are_refused() -> None:
    g = Graph()
    x = g.input("x")
    with pytest.raises(DerivationError, match=r"found the constant 2\.0"):
        gradient(x, [g.constant(2.0)])
    with pytest.raises(DerivationError, match="1 variables and 2 rates"):
        jvp([x], [x], [1.0, 2.0])
    with pytest.raises(DerivationError, match="at least one variable"):
        jvp([x], [], [])
