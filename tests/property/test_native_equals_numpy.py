"""Compiled kernels of random graphs, operation by operation against NumPy.

Every node of a graph is an output, so that each operation can be checked alone: NumPy applies it to the very numbers
that the native code had. No error is carried from one operation to the next, however badly conditioned the graph is.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from cardan.codegen import kernel_text, native_batch, native_function
from cardan.graph import Graph, Node, evaluate

ARITHMETIC = ("__add__", "__sub__", "__mul__", "__truediv__")
UNARY = (
    *("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log"),
    *("absolute", "sign", "floor", "__neg__"),
)
BINARY = ("__pow__", "atan2", "minimum", "maximum", "less", "less_equal", "equal")
INEXACT = {"sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "pow", "atan2"}
ULPS = 6  # NumPy's vector functions promise 4 units in the last place, the native ones 2
Numbers = NDArray[np.float64]

seeds = st.integers(0, 2**32 - 1)
numbers = st.one_of(st.floats(-3, 3), st.floats(-1e6, 1e6), st.sampled_from([0.0, 1.0, -1.0, 1e-8, 3e5, 1e200]))
states = st.lists(numbers, min_size=4, max_size=4)


def build(seed: int) -> tuple[list[Node], list[Node]]:
    """Inputs and all operations of a graph of 5 to 120 operations, more than half of them plain arithmetic."""
    choose = random.Random(seed)
    graph = Graph()
    inputs = [graph.input(f"x{i}") for i in range(4)]
    nodes: list[Any] = [*inputs, graph.constant(0.5), graph.constant(-3.0)]
    for _ in range(choose.randint(5, 120)):
        a, b, c = choose.choices(nodes, k=3)
        kind = choose.random()
        if kind < 0.6:
            nodes.append(getattr(a, choose.choice(ARITHMETIC))(b))
        elif kind < 0.8:
            nodes.append(getattr(a, choose.choice(UNARY))())
        elif kind < 0.95:
            nodes.append(getattr(a, choose.choice(BINARY))(b))
        else:
            nodes.append(a.less(b).select(b, c))
    return inputs, [node for node in graph.nodes if node.args]


def check_each_operation(
    inputs: list[Node], nodes: list[Node], given: list[float], found: np.ndarray[Any, Any]
) -> None:
    value: dict[Node, float] = dict(zip([*inputs, *nodes], [*given, *found.tolist()], strict=True))
    for node, native in zip(nodes, found.tolist(), strict=True):
        (expected,) = evaluate([node], {a: value[a] for a in node.args if a.value is None})
        if np.isnan(expected):
            assert np.isnan(native), node
        elif node.op in INEXACT and np.isfinite(expected):
            assert abs(native - expected) <= ULPS * np.spacing(abs(expected)), node
        else:
            assert native == expected, node


@settings(max_examples=60)
@given(seed=seeds, values=states)
def test_every_operation_of_a_random_graph_agrees_with_numpy(seed: int, values: list[float]) -> None:
    inputs, nodes = build(seed)
    function = native_function("random", t=None, y=inputs, p=[], outputs=nodes)
    check_each_operation(inputs, nodes, values, function(0.0, values))


@settings(max_examples=25)
@given(seed=seeds, values=states, piece=st.integers(1, 9))
def test_batches_and_pieces_of_a_random_graph_have_the_same_bits(seed: int, values: list[float], piece: int) -> None:
    inputs, nodes = build(seed)
    shape: dict[str, Any] = {"t": None, "y": inputs, "p": [], "outputs": nodes[-20:]}
    alone = native_function("alone", **shape)(0.0, values)
    rows = native_batch("rows", **shape)(0.0, np.tile(values, (3, 1)))
    before = kernel_text.LONGEST_FUNCTION, kernel_text.LENGTH_OF_A_PIECE
    try:
        kernel_text.LONGEST_FUNCTION, kernel_text.LENGTH_OF_A_PIECE = 3, piece
        cut = native_function("cut", **shape)(0.0, values)
    finally:
        kernel_text.LONGEST_FUNCTION, kernel_text.LENGTH_OF_A_PIECE = before
    for other in (cut, *rows):
        assert np.array_equal(alone, other, equal_nan=True)
