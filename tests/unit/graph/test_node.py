"""Equal expressions are one node, and simple ones are simplified as they are made."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from cardan.errors import DerivationError, DuplicateName
from cardan.graph import Graph, Node, evaluate, operation_count, with_one_constant
from support.close import EPS, assert_close


@pytest.fixture
def g() -> Graph:
    return Graph()


@pytest.fixture
def x(g: Graph) -> Node:
    return g.input("x")


@pytest.fixture
def y(g: Graph) -> Node:
    return g.input("y")


def test_equal_expressions_are_one_node(x: Node, y: Node) -> None:
    assert x * y is y * x
    assert x + y is y + x
    assert x.minimum(y) is y.minimum(x)
    assert (x - y).sin() is (x - y).sin()
    assert x.atan2(y) is not y.atan2(x)
    assert x / y is not y / x


def test_neutral_elements_and_zeros_disappear(g: Graph, x: Node) -> None:
    assert x + 0 is x
    assert 0 + x is x
    assert x - 0 is x
    assert x * 1 is x
    assert x / 1 is x
    assert x**1 is x
    for zero in (x * 0, 0 * x, x - x, 0 / x, (x * 0).sin()):
        assert zero is g.zero
    for one in (x**0, (x * 0).cos(), 1**x, g.constant(2) * 0.5):
        assert one is g.one


def test_signs_move_outward_and_vanish_in_sums(x: Node, y: Node) -> None:
    opposite = -x
    assert -opposite is x
    assert x + (-y) is x - y
    assert (-x) + y is y - x
    assert x - (-y) is x + y
    assert (-x) - y is -(x + y)
    assert 0 - x is -x
    assert -(x - y) is y - x
    assert (-x) * y is -(x * y)
    assert (-x) * (-y) is x * y
    assert (-x) / y is -(x / y)
    assert x / (-y) is -(x / y)
    assert (-2 * x) * y is -(2 * (x * y))
    assert x * -1 is -x
    assert x + -3 * y is x - 3 * y
    assert -(3 + x) is -3 - x
    assert -(3 - x) is x - 3


def test_odd_and_even_functions_take_the_sign_outside(x: Node) -> None:
    for name in ("sin", "tan", "asin", "atan", "sinh", "tanh", "sign"):
        assert getattr(-x, name)() is -getattr(x, name)()
    for name in ("cos", "cosh", "absolute"):
        assert getattr(-x, name)() is getattr(x, name)()


def test_constants_meet(x: Node) -> None:
    assert 2 * (3 * x) is 6 * x
    assert (x * 3) * 2 is 6 * x
    assert 2 + (3 + x) is x + 5
    assert 2 - (3 - x) is x - 1
    assert 2 - (3 + x) is -1 - x
    assert x + x is 2 * x
    assert x / 4 is 0.25 * x
    assert 6 * (0.5 / x) is 3 / x


def test_a_half_and_its_double_cancel_through_products(x: Node, y: Node) -> None:
    assert 0.5 * (y * (2 * x)) is x * y
    assert (2 * x) / (2 * y) is x / y


def test_a_factor_that_is_not_a_power_of_two_stays_in_place(x: Node, y: Node) -> None:
    """Moving it out would undo sharing: l sin(q) is used many times, in many products."""
    z = 0.3 * x
    assert (z * y).args == (y, z) or (z * y).args == (z, y)


def test_quotients_are_not_cancelled(x: Node, y: Node) -> None:
    assert (x / x).op == "div"
    assert ((x * y) / y).op == "div"


def test_integer_and_half_powers_become_products_and_roots(x: Node) -> None:
    assert x**2 is x * x
    assert x**5 is x * ((x * x) * (x * x))
    assert x**0.5 is x.sqrt()
    assert x**1.5 is x * x.sqrt()
    assert x**-1 is 1 / x
    assert x**-2 is 1 / (x * x)
    assert operation_count([x**64]) == {"mul": 6}
    assert (x**65).op == (x**2.3).op == (x**x).op == (2**x).op == (x**math.inf).op == "pow"


@pytest.mark.parametrize(
    ("make", "op", "value"),
    [
        (lambda g: g.constant(-1).sqrt(), "sqrt", math.nan),
        (lambda g: g.constant(0).log(), "log", -math.inf),
        (lambda g: g.constant(1) / 0, "div", math.inf),
        (lambda g: g.constant(0) / 0, "div", math.nan),
        (lambda g: g.constant(1000).exp(), "exp", math.inf),
        (lambda g: g.constant(1e200) * 1e200, "mul", math.inf),
        (lambda g: g.constant(2).asin(), "asin", math.nan),
        (lambda g: g.constant(0) ** -1, "div", math.inf),
        (lambda g: g.constant(math.inf) * 0, "mul", math.nan),
        (lambda g: g.constant(math.inf) - math.inf, "add", math.nan),
    ],
)
def test_constants_without_a_finite_value_stay_and_show_it_at_evaluation(make: Any, op: str, value: float) -> None:
    node = make(Graph())
    assert node.op == op
    np.testing.assert_equal(evaluate([node], {})[0], value)


def test_a_quotient_by_a_literal_zero_stays(x: Node) -> None:
    assert (x / 0).op == "div"
    assert evaluate([x / 0], {x: -2.0}) == [-math.inf]


def test_selections_with_a_zero_branch_absorb_factors(x: Node, y: Node) -> None:
    c = x.less(0)
    assert c.select(x, 0) * y is c.select(x * y, 0)
    assert 3 * c.select(0, x) is c.select(0, 3 * x)
    assert -c.select(x, 0) is c.select(-x, 0)
    assert c.select(x, 0) / y is c.select(x / y, 0)
    assert c.select(x, 0) + c.select(0, y) is c.select(x, y)
    assert c.select(x, 0) - c.select(y, 0) is c.select(x - y, 0)


def test_decided_comparisons_and_selections_fold(g: Graph, x: Node, y: Node) -> None:
    assert x.less(x) is g.zero
    assert x.less_equal(x) is x.equal(x) is g.one
    assert g.constant(1).less(2).select(x, y) is x
    assert g.constant(2).less(1).select(x, y) is y
    assert x.less(y).select(x, x) is x
    assert x.minimum(x) is x.maximum(x) is x
    assert x.absolute().absolute() is x.absolute()
    assert x.floor().floor() is x.floor()


def test_index_is_a_topological_order(g: Graph, x: Node, y: Node) -> None:
    (x * y + x.sin()) / (3 - y)
    assert all(a.index < node.index for node in g.nodes for a in node.args)
    assert [node.index for node in g.nodes] == list(range(len(g.nodes)))


def test_numpy_numbers_and_object_arrays_mix_with_nodes(x: Node, y: Node) -> None:
    assert np.float64(2) * x is 2 * x
    assert x - np.int64(3) is x - 3
    assert list(np.array([x, y], dtype=object) * 2) == [2 * x, 2 * y]


def test_float_of_a_constant_is_its_value_and_of_anything_else_an_error(g: Graph, x: Node) -> None:
    assert float(g.constant(2.5)) == 2.5
    with pytest.raises(TypeError, match="x is not a constant"):
        float(x)


def test_repr_is_short(x: Node, y: Node) -> None:
    assert repr(x) == "x"
    assert repr(x * y) == "x * y"
    assert repr((x * y).sin()) == f"sin(%{(x * y).index})"
    assert repr(x.graph) == "Graph(2 inputs, 6 nodes)"


def test_things_that_are_not_numbers_are_refused(x: Node) -> None:
    for operation in (lambda: x + "1", lambda: [] * x, lambda: x**None, lambda: 1j - x, lambda: "a" / x):
        with pytest.raises(TypeError):
            operation()
    with pytest.raises(TypeError, match="real number"):
        x.atan2("1")  # type: ignore[arg-type]


def test_nodes_of_two_graphs_do_not_mix(x: Node) -> None:
    other = Graph().input("z")
    for operation in (lambda: x + other, lambda: x * other, lambda: x.atan2(other), lambda: x.less(0).select(other, x)):
        with pytest.raises(DerivationError, match="two graphs"):
            operation()


def test_input_names_are_unique_and_nan_is_no_constant(g: Graph, x: Node) -> None:
    with pytest.raises(DuplicateName, match="'x'"):
        g.input("x")
    with pytest.raises(DerivationError, match="NaN"):
        g.constant(math.nan)


def test_constants_of_a_sum_are_put_together(g: Graph, x: Node, y: Node) -> None:
    """Of two large constants only their difference is left, and with it only its rounding."""
    given = (1e6 + x) - (y + (1e6 - 1)) - (-(x * y))
    gathered = with_one_constant(given)
    values = {x: 0.1, y: 0.3}
    exact = 1.0 + 0.1 - 0.3 + 0.1 * 0.3
    assert_close(evaluate([gathered], values)[0], exact, within=4 * EPS, because="four sums of numbers up to 1")
    assert abs(evaluate([given], values)[0] - exact) > 1e-12, "and before it was not as accurate"
    assert with_one_constant(x * y) is x * y
    assert float(with_one_constant(g.constant(2.0))) == 2.0
