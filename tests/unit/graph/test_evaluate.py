"""Numbers, counts and pictures of graphs, and walking over them."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from typing import Any

import numpy as np
import pytest

from cardan.errors import DerivationError
from cardan.graph import Graph, Node, dot, evaluate, live, operation_count, substitute, sum_of, to_dot
from cardan.graph.derivative import _PARTIALS
from cardan.graph.evaluate import _UFUNCS
from cardan.graph.folding import FOLDS

OPERATIONS = (
    "add sub mul div neg sqrt sin cos tan asin acos atan sinh cosh tanh exp log pow atan2 abs sign min max floor "
    "lt le eq select"
).split()

DIRECT: list[tuple[str, Any, Any]] = [
    ("add", lambda x, y: x + y, lambda x, y: x + y),
    ("sub", lambda x, y: x - y, lambda x, y: x - y),
    ("mul", lambda x, y: x * y, lambda x, y: x * y),
    ("div", lambda x, y: x / y, lambda x, y: x / y),
    ("neg", lambda x, y: -x, lambda x, y: -x),
    ("sqrt", lambda x, y: x.sqrt(), lambda x, y: np.sqrt(x)),
    ("sin", lambda x, y: x.sin(), lambda x, y: np.sin(x)),
    ("cos", lambda x, y: x.cos(), lambda x, y: np.cos(x)),
    ("tan", lambda x, y: x.tan(), lambda x, y: np.tan(x)),
    ("asin", lambda x, y: x.asin(), lambda x, y: np.arcsin(x)),
    ("acos", lambda x, y: x.acos(), lambda x, y: np.arccos(x)),
    ("atan", lambda x, y: x.atan(), lambda x, y: np.arctan(x)),
    ("sinh", lambda x, y: x.sinh(), lambda x, y: np.sinh(x)),
    ("cosh", lambda x, y: x.cosh(), lambda x, y: np.cosh(x)),
    ("tanh", lambda x, y: x.tanh(), lambda x, y: np.tanh(x)),
    ("exp", lambda x, y: x.exp(), lambda x, y: np.exp(x)),
    ("log", lambda x, y: x.log(), lambda x, y: np.log(x)),
    ("pow", lambda x, y: x**y, lambda x, y: x**y),
    ("atan2", lambda x, y: x.atan2(y), lambda x, y: np.arctan2(x, y)),
    ("abs", lambda x, y: abs(x), lambda x, y: np.abs(x)),
    ("sign", lambda x, y: x.sign(), lambda x, y: np.sign(x)),
    ("min", lambda x, y: x.minimum(y), lambda x, y: np.minimum(x, y)),
    ("max", lambda x, y: x.maximum(y), lambda x, y: np.maximum(x, y)),
    ("floor", lambda x, y: x.floor(), lambda x, y: np.floor(x)),
    ("lt", lambda x, y: x.less(y), lambda x, y: 1.0 * (x < y)),
    ("le", lambda x, y: x.less_equal(y), lambda x, y: 1.0 * (x <= y)),
    ("eq", lambda x, y: x.equal(y), lambda x, y: 1.0 * (x == y)),
    ("select", lambda x, y: x.select(y, 7.0), lambda x, y: np.where(x != 0, y, 7.0)),
]


def test_every_operation_can_be_folded_evaluated_and_differentiated() -> None:
    assert set(FOLDS) == set(_UFUNCS) == set(_PARTIALS) == set(OPERATIONS) == {op for op, _, _ in DIRECT}


@pytest.mark.parametrize(("op", "make", "direct"), DIRECT, ids=OPERATIONS)
def test_one_operation_equals_numpy_bit_for_bit(op: str, make: Any, direct: Any) -> None:
    g = Graph()
    x, y = g.input("x"), g.input("y")
    node = make(x, y)
    assert node.op == op
    xs, ys = np.array([[-1.5], [-1.0], [0.0], [0.4], [1.0]]), np.array([-1.0, 0.0, 0.4, 2.5])
    with np.errstate(all="ignore"):
        expected = np.broadcast_arrays(direct(xs, ys), xs * ys)[0]
        actual = np.broadcast_arrays(evaluate([node], {x: xs, y: ys})[0], xs * ys)[0]
    np.testing.assert_array_equal(actual, expected)


def test_scalars_give_scalars_and_constants_need_no_input() -> None:
    g = Graph()
    x = g.input("x")
    product, constant, number = evaluate([x * 3, g.constant(2.5), 4.0], {x: 2})
    assert (product, constant, number) == (6.0, 2.5, 4.0)
    assert all(isinstance(value, np.float64) for value in (product, constant, number))
    assert isinstance(evaluate([x.less(0).select(x, 1)], {x: 2})[0], np.float64)


def test_any_node_may_be_given_a_value() -> None:
    g = Graph()
    x = g.input("x")
    s = x.sin()
    assert evaluate([s * s + s, s], {s: 3.0}) == [12.0, 3.0]


def test_missing_inputs_are_named() -> None:
    g = Graph()
    x, y, z = g.input("x"), g.input("y"), g.input("z")
    with pytest.raises(DerivationError, match="2 inputs without a value: y, z") as caught:
        evaluate([x * y + z], {x: 1.0})
    assert caught.value.missing == ("y", "z")


def test_live_nodes_come_in_order_and_leave_out_what_is_not_needed() -> None:
    g = Graph()
    x, y = g.input("x"), g.input("y")
    s, unused, total = x.sin(), y.cos(), x.sin() + y
    assert live([total]) == [x, y, s, total]
    assert unused not in live([total])
    assert live([total], given={s}) == [y, s, total]


def test_substitution_is_simultaneous_and_simplifies() -> None:
    g = Graph()
    x, y = g.input("x"), g.input("y")
    assert substitute([x - 2 * y, y.sin(), x], {x: y, y: x}) == [y - 2 * x, x.sin(), y]
    assert substitute([x * y + y.sin()], {y: 0}) == [g.zero]
    assert substitute([x.cos() * y], {x.cos(): y}) == [y * y]


def test_sums_and_dot_products_leave_out_zeros() -> None:
    g = Graph()
    x, y = g.input("x"), g.input("y")
    before = len(g.nodes)
    assert dot([x, y, g.zero], [0.0, 1.0, x]) is y
    assert sum_of([g.zero, x, 0.0]) is x
    assert sum_of([g.zero, 0.0]) is g.zero
    assert len(g.nodes) == before
    assert sum_of([x, y, x]) is (x + y) + x
    with pytest.raises(DerivationError, match="at least one term"):
        sum_of([])
    with pytest.raises(DerivationError, match="found 1 and 2"):
        dot([x], [x, y])


def test_operations_are_counted_once_however_often_they_are_used() -> None:
    g = Graph()
    x = g.input("x")
    s = x.sin()
    assert operation_count([s * s, s * s + 1, x]) == {"add": 1, "mul": 1, "sin": 1}


def test_dot_export_shows_inputs_operations_order_and_outputs() -> None:
    g = Graph()
    x = g.input('angle "a"')
    text = to_dot([x.cos() - 2 / x], names=["y"])
    assert text.startswith("digraph {")
    assert text.endswith("}\n")
    assert r'[label="angle \"a\"", shape=box];' in text
    assert '[label="cos"]' in text
    assert "[label=2]" in text
    assert '[label="y", shape=doubleoctagon]' in text
    assert text.count("->") == 6


def test_importing_the_room_does_not_import_sympy() -> None:
    program = "import sys, cardan.graph; sys.exit('sympy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_an_array_is_not_kept_longer_than_needed() -> None:
    """Of a chain of 80 operations on 0.8 MB each, at most a few are held at once."""
    g = Graph()
    x = node = g.input("x")
    for _ in range(40):
        node = Node.sin(node) + 1.0
    tracemalloc.start()
    evaluate([node], {x: np.zeros(100_000)})
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5 * 800_000
