"""One code for three kinds of scalar: floats, SymPy expressions and graph nodes give the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
import sympy as sp

from cardan.geometry import euler, inertia, matrix, quaternion, rigid, rotation, scalar
from cardan.graph import Graph, evaluate, operation_count
from support.close import EPS, assert_close

VALUES = (0.31, 0.74, -0.42, 0.58)
ROUND_OFF = 64 * EPS


def flat(result: Any) -> list[Any]:
    return [x for part in result for x in flat(part)] if isinstance(result, tuple) else [result]


def tumbling_box(q: Sequence[Any]) -> Any:
    body = inertia.MassProperties(2.0, (0.1, 0, 0), inertia.box(2.0, q[3], 0.5, 0.7))
    X = rigid.Placement(euler.matrix("2-3-1", q[:3]), (q[0], 0, q[1]))
    return tuple(inertia.combine([inertia.placed(body, X), inertia.MassProperties(q[3], (0, q[2], 0), matrix.ZERO)]))


def moved_twist(q: Sequence[Any]) -> Any:
    X = rigid.compose(
        rigid.placement(rotation.about((0.6, 0, 0.8), q[0]), (q[1], 0, 1)), rigid.placement(p=(0, q[2], 0))
    )
    twist = rigid.Twist((0, 0, q[3]), (1, q[0], 0))
    return tuple(rigid.twist_in_outer(X, twist)) + tuple(rigid.twist_in_inner(X, twist)) + rigid.inverse(X)


FUNCTIONS: dict[str, Callable[[Sequence[Any]], Any]] = {
    "elementary functions": lambda q: tuple(
        getattr(scalar, name)(q[1]) for name in "sin cos tan sqrt asin acos atan sinh cosh tanh exp log".split()
    ),
    "functions of two": lambda q: (
        scalar.atan2(q[0], q[1]),
        scalar.atan2(1.5, q[1]),
        scalar.minimum(q[0], q[2]),
        scalar.maximum(0.5, q[1]),
        scalar.absolute(q[2]),
    ),
    "rodrigues": lambda q: rotation.about((0.6, 0.0, 0.8), q[0]),
    "exponential": lambda q: rotation.exp(q[:3]),
    "small rotation": lambda q: rotation.small(q[:3]),
    "euler matrix": lambda q: euler.matrix("3-1-3", q[:3]),
    "euler basis": lambda q: euler.basis("1-2-3", q[:3], space=True),
    "dual basis": lambda q: euler.dual_basis("3-2-1", q[:3], expressed_in="body"),
    "dual basis in space": lambda q: euler.dual_basis("3-1-3", q[:3]),
    "determinant": lambda q: euler.determinant("3-1-3", q[:3]),
    "quaternion matrix": quaternion.matrix,
    "quaternion product": lambda q: quaternion.multiply(q, quaternion.from_axis_angle("y", q[1])),
    "quaternion rate": lambda q: quaternion.rate_matrix(quaternion.normalise(q)),
    "twists": moved_twist,
    "inertia": tumbling_box,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_floats_sympy_and_nodes_agree(name: str) -> None:
    function = FUNCTIONS[name]
    numbers = np.array([float(x) for x in flat(function(VALUES))])

    symbols = sp.symbols("q1:5", real=True)
    at = dict(zip(symbols, VALUES, strict=True))
    symbolic = [float(sp.sympify(x).subs(at)) for x in flat(function(symbols))]
    assert_close(symbolic, numbers, within=ROUND_OFF, because="the same formula, another order of rounding")

    graph = Graph()
    nodes = [graph.input(f"q{i + 1}") for i in range(4)]
    results = [x if hasattr(x, "graph") else graph.constant(x) for x in flat(function(nodes))]
    values = [float(x) for x in evaluate(results, dict(zip(nodes, VALUES, strict=True)))]
    assert_close(values, numbers, within=ROUND_OFF, because="the same formula in the same order")


def test_graph_rotations_are_as_small_as_by_hand() -> None:
    """3-1-3: six sines and cosines, ten products and four sums, when common products are shared."""
    graph = Graph()
    nu = [graph.input(f"nu{i}") for i in (1, 2, 3)]
    entries = [x for x in flat(euler.matrix("3-1-3", nu)) if hasattr(x, "graph")]
    count = operation_count(entries)
    assert count["sin"] + count["cos"] == 6
    assert count["mul"] <= 14
    assert count.get("add", 0) + count.get("sub", 0) == 4


def test_structural_zeros_of_a_graph_stay_plain_numbers() -> None:
    graph = Graph()
    R = rotation.about("z", graph.input("q"))
    assert [x for x in flat(R) if not hasattr(x, "graph")] == [0, 0, 0, 0, 1]
    assert scalar.as_number(graph.constant(2.5)) == 2.5
    assert scalar.as_number(graph.input("p")) is None
