"""Identities that hold for any expression: simplification, both sweeps, SymPy and NumPy agree."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from cardan.graph import Graph, Node, evaluate, from_sympy, gradient, hessian, jacobian, jvp, live, substitute
from support.close import EPS, assert_close

NAMES = ("x", "y", "z")
SYMBOLS = sp.symbols(NAMES)
HALF = sp.Rational(1, 2)

# Functions that map [-2, 2] into itself with slopes of at most 2, so that values and derivatives stay of moderate size.
ONE: list[Callable[[Any], Any]] = [
    sp.sin,
    sp.cos,
    sp.tanh,
    sp.atan,
    lambda u: -u,
    lambda u: u**2 / 2,
    lambda u: u**3 / 6,
    lambda u: sp.sqrt(1 + u**2) - 1,
    lambda u: sp.log(1 + u**2),
    lambda u: sp.exp(-(u**2)),
    lambda u: 1 / (1 + u**2),
    lambda u: sp.tan(u / 4),
    lambda u: sp.asin(u / 4),
    lambda u: sp.acos(u / 4) - 1,
    lambda u: sp.sinh(u / 2),
    lambda u: sp.cosh(u / 2) - 1,
    lambda u: (3 + u) ** sp.Rational(1, 3),
]
TWO: list[Callable[[Any, Any], Any]] = [
    lambda u, w: (u + w) / 2,
    lambda u, w: (u - w) / 2,
    lambda u, w: u * w / 2,
    lambda u, w: u / (2 + w**2),
    lambda u, w: sp.atan2(u, 3 + w) / 2,
    lambda u, w: HALF * (3 + u) ** (w / 4),
]

LEAVES = [*SYMBOLS, sp.Integer(1), HALF, sp.Integer(-2), sp.Rational(1, 3)]
LEVELS = 8


@st.composite
def expressions(draw: st.DrawFn) -> Any:
    """An expression of 3 to 8 nested steps; each takes the newest part and, if it has two arguments, any other part."""
    parts: list[Any] = [draw(st.sampled_from(SYMBOLS))]
    for _ in range(draw(st.integers(3, LEVELS))):
        if draw(st.booleans()):
            parts.append(draw(st.sampled_from(ONE))(parts[-1]))
        else:
            other = draw(st.sampled_from([*LEAVES, *parts]))
            two = [parts[-1], other] if draw(st.booleans()) else [other, parts[-1]]
            parts.append(draw(st.sampled_from(TWO))(*two))
    return parts[-1]


points = st.tuples(*[st.integers(-16, 16).map(lambda k: Fraction(k, 8))] * 3)

REASON = "up to about 100 operations on numbers up to 10, each error carried on by slopes of at most 2 through 8 levels"
ALLOWED = 100 * 10 * 2**LEVELS * EPS


def imported(expression: Any) -> tuple[Graph, list[Node], Node]:
    g = Graph()
    xs = [g.input(name) for name in NAMES]
    return g, xs, from_sympy([expression], dict(zip(SYMBOLS, xs, strict=True)), g)[0]


def exactly(expression: Any, point: tuple[Fraction, ...]) -> float:
    """The value with 30 digits."""
    with mpmath.workdps(30):
        numbers = [mpmath.mpf(v.numerator) / v.denominator for v in point]
        return float(sp.lambdify(SYMBOLS, expression, "mpmath")(*numbers))


@settings(max_examples=40)
@given(expressions(), points)
def test_derivatives_equal_those_of_sympy(expression: Any, point: tuple[Fraction, ...]) -> None:
    _, xs, y = imported(expression)
    at = {x: float(v) for x, v in zip(xs, point, strict=True)}
    expected = [exactly(sp.diff(expression, s), point) for s in SYMBOLS]
    assert_close(evaluate([y], at), [exactly(expression, point)], within=ALLOWED, because=REASON)
    assert_close(evaluate(gradient(y, xs), at), expected, within=ALLOWED, because=REASON)


@settings(max_examples=100)
@given(expressions(), expressions(), expressions(), points)
def test_forward_equals_reverse(a: Any, b: Any, c: Any, point: tuple[Fraction, ...]) -> None:
    g = Graph()
    xs = [g.input(name) for name in NAMES]
    ys = from_sympy([a, b, c], dict(zip(SYMBOLS, xs, strict=True)), g)
    at = {x: float(v) for x, v in zip(xs, point, strict=True)}
    forward = [evaluate(row, at) for row in jacobian(ys, xs)]
    reverse = [evaluate(gradient(y, xs), at) for y in ys]
    along = evaluate(jvp(ys, xs, [1.0, -2.0, 0.5]), at)
    assert_close(forward, reverse, within=ALLOWED, because=REASON)
    assert_close(along, np.array(reverse) @ [1.0, -2.0, 0.5], within=4 * ALLOWED, because=REASON + ", three terms")


@settings(max_examples=60)
@given(expressions(), points)
def test_hessian_is_symmetric_and_equals_the_jacobian_of_the_gradient(e: Any, point: tuple[Fraction, ...]) -> None:
    _, xs, y = imported(e)
    at = {x: float(v) for x, v in zip(xs, point, strict=True)}
    H = hessian(y, xs)
    assert all(H[i][j] is H[j][i] for i in range(3) for j in range(3))
    twice = [evaluate(gradient(d, xs), at) for d in gradient(y, xs)]
    size = 1 + np.max(np.abs(twice))
    assert_close([evaluate(row, at) for row in H], twice, within=100 * ALLOWED * size, because=REASON + ", squared")


# Operations that are exact on small binary fractions, for nodes and for Fraction alike.
EXACT_ONE: list[tuple[Callable[[Node], Node], Callable[[Fraction], Fraction]]] = [
    (lambda a: -a, lambda a: -a),
    (lambda a: a.absolute(), abs),
    (lambda a: a.sign(), lambda a: Fraction((a > 0) - (a < 0))),
    (lambda a: a.floor(), lambda a: Fraction(a.__floor__())),
    (lambda a: a / 4, lambda a: a / 4),
    (lambda a: a / -2, lambda a: a / -2),
    (lambda a: -3 * a, lambda a: -3 * a),
    (lambda a: 0 * a, lambda a: 0 * a),
    (lambda a: 2 - a, lambda a: 2 - a),
    (lambda a: a - 2, lambda a: a - 2),
    (lambda a: a * 0.5, lambda a: a / 2),
    (lambda a: a**2, lambda a: a**2),
]
EXACT_TWO: list[tuple[Callable[[Node, Node], Node], Callable[[Fraction, Fraction], Fraction]]] = [
    (lambda a, b: a + b, lambda a, b: a + b),
    (lambda a, b: a - b, lambda a, b: a - b),
    (lambda a, b: a * b, lambda a, b: a * b),
    (lambda a, b: a.minimum(b), min),
    (lambda a, b: a.maximum(b), max),
    (lambda a, b: a.less(b), lambda a, b: Fraction(a < b)),
    (lambda a, b: a.less_equal(b), lambda a, b: Fraction(a <= b)),
    (lambda a, b: a.equal(b), lambda a, b: Fraction(a == b)),
    (lambda a, b: a.less(b).select(a, 0), lambda a, b: a if a < b else Fraction(0)),
    (lambda a, b: a.less(b).select(0, b), lambda a, b: Fraction(0) if a < b else b),
    (lambda a, b: a.less_equal(0).select(b, a), lambda a, b: b if a <= 0 else a),
]
steps = st.lists(
    st.tuples(st.integers(0, len(EXACT_ONE) + 2 * len(EXACT_TWO) - 1), st.integers(0, 30), st.integers(0, 30)),
    min_size=1,
    max_size=14,
)


@settings(max_examples=400)
@given(steps, st.tuples(*[st.integers(-4, 4).map(lambda k: Fraction(k, 2))] * 3))
def test_simplification_changes_nothing_where_arithmetic_is_exact(
    program: list[tuple[int, int, int]], point: tuple[Fraction, ...]
) -> None:
    """The same random program run with nodes and with fractions; sizes are kept to what 53 bits hold exactly."""
    g = Graph()
    nodes = [g.input(name) for name in NAMES]
    at = {x: float(v) for x, v in zip(nodes, point, strict=True)}
    values = list(point)
    for kind, i, j in program:
        a, b = i % len(nodes), j % len(nodes)
        if kind < len(EXACT_ONE):
            made, value = EXACT_ONE[kind][0](nodes[a]), EXACT_ONE[kind][1](values[a])
        else:
            two = EXACT_TWO[(kind - len(EXACT_ONE)) // 2]
            made, value = two[0](nodes[a], nodes[b]), two[1](values[a], values[b])
        if abs(value.numerator) < 2**12 and value.denominator <= 2**12:
            nodes.append(made)
            values.append(value)
    assert evaluate(nodes, at) == [float(v) for v in values]


@settings(max_examples=60)
@given(expressions(), points)
def test_rebuilding_a_graph_from_its_own_nodes_changes_nothing(expression: Any, point: tuple[Fraction, ...]) -> None:
    """Simplified expressions are already in normal form, so that putting an input for itself makes no new node."""
    g, xs, y = imported(expression)
    size = len(g.nodes)
    assert substitute([y], {xs[0]: xs[0], xs[1]: xs[1]}) == [y]
    assert len(g.nodes) == size
    assert all(a.index < node.index for node in live([y]) for a in node.args)


@settings(max_examples=60)
@given(expressions(), st.lists(points, min_size=1, max_size=5))
def test_arrays_give_the_values_of_their_entries(expression: Any, rows: list[tuple[Fraction, ...]]) -> None:
    _, xs, y = imported(expression)
    columns = np.array(rows, dtype=float).T
    together = np.broadcast_to(evaluate([y], dict(zip(xs, columns, strict=True)))[0], len(rows))
    one_by_one = [evaluate([y], dict(zip(xs, column, strict=True)))[0] for column in columns.T]
    assert_close(together, one_by_one, within=ALLOWED, because="vector and scalar library functions differ by an ulp")
