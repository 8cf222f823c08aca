"""Kernels from graphs: values, pivots, the order of operations and the text around them."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest

from cardan.codegen import (
    NativeFunction,
    compile_kernels,
    emit_batch,
    emit_kernel,
    emit_module,
    kernel_text,
    level_for,
    native_function,
)
from cardan.codegen.plan import make_plan
from cardan.errors import CompileError
from cardan.graph import Graph
from cardan.native import compile_ir
from support.close import assert_close

EPS = 2.0**-52


def value_of(node: Any, **values: float) -> float:
    """The compiled value of a node whose graph has the named inputs."""
    inputs = list(node.graph.inputs.values())
    function = native_function("value", t=None, y=inputs, p=[], outputs=[node])
    return float(function(0.0, [values[i.name] for i in inputs])[0])


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda x, y: x + y, 0.3 + 1.7),
        (lambda x, y: x - y, 0.3 - 1.7),
        (lambda x, y: x * y, 0.3 * 1.7),
        (lambda x, y: x / y, 0.3 / 1.7),
        (lambda x, y: -(x * y), -(0.3 * 1.7)),
        (lambda x, y: (x + y).sqrt(), math.sqrt(0.3 + 1.7)),
        (lambda x, y: (x - y).absolute(), 1.7 - 0.3),
        (lambda x, y: (x - y).sign() + 10 * (x - x * 1.0 + y).sign(), 9.0),
        (lambda x, y: (x * 0.0 + y).floor(), 1.0),
        (lambda x, y: x.minimum(y), 0.3),
        (lambda x, y: x.maximum(y), 1.7),
        (lambda x, y: x.less(y) + 2 * y.less(x) + 4 * x.less_equal(y) + 8 * x.equal(y), 5.0),
        (lambda x, y: x.less(y).select(x, y), 0.3),
        (lambda x, y: y.less(x).select(x, y), 1.7),
        (lambda x, y: (x - y).select(x, y), 0.3),
        (lambda x, y: x.tan() + y * 0, math.tan(0.3)),
        (lambda x, y: x.asin(), math.asin(0.3)),
        (lambda x, y: x.acos(), math.acos(0.3)),
        (lambda x, y: x.atan(), math.atan(0.3)),
        (lambda x, y: x.sinh(), math.sinh(0.3)),
        (lambda x, y: x.cosh(), math.cosh(0.3)),
        (lambda x, y: x.tanh(), math.tanh(0.3)),
        (lambda x, y: x.exp(), math.exp(0.3)),
        (lambda x, y: x.log(), math.log(0.3)),
        (lambda x, y: x**y, math.pow(0.3, 1.7)),
        (lambda x, y: x.atan2(y), math.atan2(0.3, 1.7)),
    ],
)
def test_each_operation_is_exactly_that_of_python(make: Any, expected: float) -> None:
    graph = Graph()
    x, y = graph.input("x"), graph.input("y")
    assert value_of(make(x, y), x=0.3, y=1.7) == expected


def test_sine_and_cosine_are_within_two_units_in_the_last_place() -> None:
    graph = Graph()
    x = graph.input("x")
    for angle in (0.3, 2.0, -40.0):
        expected = math.sin(angle) + 2 * math.cos(angle)
        because = "2 ulp each for numbers below 1 and 2, and one sum below 4"
        assert_close(value_of(x.sin() + 2 * x.cos(), x=angle), expected, within=4 * EPS, because=because)


def test_nan_passes_through_choices_as_in_numpy() -> None:
    graph = Graph()
    x, y = graph.input("x"), graph.input("y")
    nan = math.nan
    for a, b in ((nan, 1.0), (1.0, nan)):
        assert math.isnan(value_of(x.minimum(y), x=a, y=b))
        assert math.isnan(value_of(x.maximum(y), x=a, y=b))
        assert value_of(x.less(y) + x.less_equal(y) + x.equal(y), x=a, y=b) == 0.0
    assert math.isnan(value_of(x.sign(), x=nan, y=0.0))
    assert value_of(x.select(y, 5.0), x=nan, y=3.0) == 3.0  # NaN is not 0


def test_time_y_and_p_reach_their_places_and_constants_are_stored() -> None:
    graph = Graph()
    t, a, b, c = (graph.input(name) for name in "tabc")
    function = native_function("places", t=t, y=[a, b], p=[c], outputs=[t + 2 * b, c, graph.constant(7.0), a, a])
    assert function(3.0, [10.0, 20.0], [30.0]).tolist() == [43.0, 30.0, 7.0, 10.0, 10.0]


def test_status_names_the_first_pivot_that_is_not_large_enough() -> None:
    graph = Graph()
    x, y, z = (graph.input(name) for name in "xyz")
    scale = graph.input("scale")
    pivots = [(x, scale), (y, scale), (z, scale * scale)]
    function = native_function("pivots", t=None, y=[x, y, z], p=[scale], outputs=[x / y], pivots=pivots)

    def status(*values: float, scale: float = 1.0) -> int:
        return function.call(0.0, np.array(values, dtype=float), np.array([scale]), np.empty(1))

    just_too_small, just_enough = 64 * EPS, 64 * EPS * (1 + EPS)
    assert status(1, 1, 1) == 0
    assert status(just_enough, 1, 1) == 0
    assert status(just_too_small, 1, 1) == 1
    assert status(1, 0, -1) == 2
    assert status(1, 1, -1) == 3
    assert status(1, math.nan, 1) == 2
    assert status(1, 1, 64 * EPS, scale=0.5) == 0
    assert status(1, 1, math.inf, scale=math.nan) == 1


def test_outputs_are_computed_although_a_pivot_fails() -> None:
    graph = Graph()
    x = graph.input("x")
    function = native_function("fails", t=None, y=[x], p=[], outputs=[x + 1], pivots=[(x, graph.one)])
    assert function(0.0, [-2.0]).tolist() == [-1.0]
    assert function.status == 1


def test_an_input_without_a_place_is_named() -> None:
    graph = Graph()
    x, lost = graph.input("x"), graph.input("lost")
    with pytest.raises(CompileError, match="'lost'"):
        emit_kernel("f", t=None, y=[x], p=[], outputs=[x * lost])


def test_a_name_that_is_no_identifier_is_refused() -> None:
    with pytest.raises(CompileError, match="two words"):
        emit_kernel("two words", t=None, y=[], p=[], outputs=[Graph().one])


def test_sine_and_cosine_of_four_arguments_take_one_call_and_dead_nodes_none() -> None:
    graph = Graph()
    q = [graph.input(f"q{i}") for i in range(5)]
    total = sum((x.sin() * x.cos() for x in q[1:4]), q[0].cos())
    q[4].exp()  # dead
    text = emit_kernel("f", t=None, y=q, p=[], outputs=[total])
    assert re.findall(r"call .*? @(\w+)\(", text) == ["cardan_sincos_v4f64"]
    assert text.count("load double") == 4


def test_dependent_sines_are_not_grouped() -> None:
    graph = Graph()
    x, y = graph.input("x"), graph.input("y")
    inner = x.sin()
    nested = (inner + y).sin()
    function = native_function("nested", t=None, y=[x, y], p=[], outputs=[nested, y.cos(), nested.cos()])
    expected = [math.sin(math.sin(0.4) + 1.1), math.cos(1.1), math.cos(math.sin(math.sin(0.4) + 1.1))]
    because = "2 ulp in each of three nested functions, derivatives at most 1"
    assert_close(function(0.0, [0.4, 1.1]), expected, within=6 * EPS, because=because)


def polynomial_graph() -> tuple[list[Any], list[Any], list[tuple[Any, Any]]]:
    """Some hundred operations with long-lived values, sines of sines, comparisons and pivots."""
    graph = Graph()
    y = [graph.input(f"y{i}") for i in range(6)]
    values = list(y)
    for step in range(40):
        a, b, c = values[step], values[(7 * step + 3) % len(values)], values[-1 - step % 5]
        values.append((a * b - c).sin() + b.cos() * 0.5)
        values.append(a.less(c).select(a - b * c, c.maximum(b) / (2 + a * a)))
    outputs = [*values[-8:], values[7], values[20], y[2]]
    return y, outputs, [(values[10] * values[10], values[11] * values[11]), (values[-1], values[9])]


@pytest.mark.parametrize("fma", [False, True])
def test_cutting_into_pieces_changes_no_bit(monkeypatch: pytest.MonkeyPatch, fma: bool) -> None:
    y, outputs, pivots = polynomial_graph()
    start = np.linspace(-1.0, 1.0, 6)
    results = []
    for length in (None, 3, 17):
        if length is not None:
            monkeypatch.setattr(kernel_text, "LONGEST_FUNCTION", 10)
            monkeypatch.setattr(kernel_text, "LENGTH_OF_A_PIECE", length)
        text = emit_kernel("f", t=None, y=y, p=[], outputs=outputs, pivots=pivots, fma=fma)
        assert ("part1" in text) == (length is not None)
        results.append(run(compile_kernels({"f": text}, fma=fma), start, len(outputs)))
    for status, values in results[1:]:
        assert status == results[0][0]
        assert np.array_equal(values, results[0][1])


@pytest.mark.parametrize("level", [0, 2, 3])
def test_levels_change_no_bit(level: int) -> None:
    y, outputs, pivots = polynomial_graph()
    ir = emit_module([emit_kernel("f", t=None, y=y, p=[], outputs=outputs, pivots=pivots)])
    start = np.linspace(-1.0, 1.0, 6)
    status, values = run(compile_ir(ir, ["f"], level=1), start, len(outputs))
    other_status, others = run(compile_ir(ir, ["f"], level=level), start, len(outputs))
    assert status == other_status
    assert np.array_equal(values, others)


def run(library: Any, y: Any, nout: int) -> tuple[int, Any]:
    out = np.empty(nout)
    status = NativeFunction(library, "f", len(y), 0, nout).call(0.0, y, np.empty(0), out)
    return status, out


def test_fused_products_round_once() -> None:
    """(1 + u)(1 - u) - 1 is -u^2 exactly when fused, and 0 when the product is rounded first (u = 2^-30)."""
    graph = Graph()
    a, b, c = (graph.input(name) for name in "abc")
    u = 2.0**-30
    for fma, expected in ((False, [0.0, 0.0]), (True, [-u * u, u * u])):
        text = emit_kernel("f", t=None, y=[a, b, c], p=[], outputs=[a * b - c, c - b * a * 1.0], fma=fma)
        plan = make_plan([a * b - c], fma=fma)
        assert len(plan.steps) == (1 if fma else 2)
        if not fma:
            assert "llvm.fma" not in text
        for output, exact in zip((a * b - c, c - a * b), expected, strict=True):
            single = emit_kernel("f", t=None, y=[a, b, c], p=[], outputs=[output], fma=fma)
            _, values = run(compile_kernels({"f": single}, fma=fma), np.array([1 + u, 1 - u, 1.0]), 1)
            assert values[0] == exact


def test_a_product_used_twice_is_not_fused() -> None:
    graph = Graph()
    a, b = graph.input("a"), graph.input("b")
    product = a * b
    assert make_plan([product + a, product - b], fma=True).fused == {}
    assert make_plan([product + a, product], fma=True).fused == {}


def test_several_kernels_share_one_module() -> None:
    graph = Graph()
    x = graph.input("x")
    shape = {"t": None, "y": [x], "p": []}
    kernels = {
        "first": emit_kernel("first", outputs=[x.sin() + x.exp()], **shape),
        "second": emit_kernel("second", outputs=[x.cos() * x.exp()], **shape),
        "many": emit_batch("many", outputs=[x.cos() * x.exp()], **shape),
    }
    ir = emit_module(list(kernels.values()))
    assert ir.count("declare double @cardan_exp(") == 1
    assert ir.count("define internal { double, double } @cardan_sincos_f64(") == 1
    assert set(compile_kernels(kernels).names) == set(kernels)


def test_short_and_long_kernels_are_compiled_at_their_own_level() -> None:
    graph = Graph()
    x = graph.input("x")
    long = x
    for step in range(5000):
        long = long * x + float(step % 7)
    kernels = {
        "short": emit_kernel("short", t=None, y=[x], p=[], outputs=[x * x]),
        "long": emit_kernel("long", t=None, y=[x], p=[], outputs=[long]),
    }
    library = compile_kernels(kernels)
    assert set(library.names) == {"short", "long"}
    expected = 0.5
    for step in range(5000):
        expected = expected * 0.5 + float(step % 7)
    assert NativeFunction(library, "long", 1, 0, 1)(0.0, [0.5])[0] == expected
    assert (level_for(100), level_for(50_000)) == (1, 0)
