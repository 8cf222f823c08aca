"""Native kernels of random trees against NumPy: operation by operation, and as a whole."""

from __future__ import annotations

import numpy as np
import pytest

from cardan.codegen import native_function
from cardan.graph import Node, evaluate, live
from support.build_models import build, magnitudes
from support.close import EPS, assert_close
from support.random_models import Plan, draw, draw_kinds

ULPS = 6  # NumPy's vector functions promise 4 units in the last place, the native sine and cosine 2
EXACT = {"add", "sub", "mul", "div", "neg", "sqrt", "abs"}


def trees() -> list[Plan]:
    return [draw(seed, draw_kinds(seed, count)) for seed, count in ((1, 2), (2, 4), (3, 8))]


@pytest.mark.parametrize("plan", trees(), ids=lambda plan: f"{len(plan.bodies)} bodies")
def test_every_operation_of_the_accelerations_agrees_with_numpy(plan):
    """Every node of the kernel is an output, so NumPy applies each operation to the very numbers native code had."""
    kernel = build(plan).compile()
    d = kernel.dynamics
    vd, _ = d.acceleration
    nodes = [node for node in live(vd) if node.args]
    inputs = [d.t, *d.q, *d.v, *d.p]
    y, p = kernel.y(plan.q, plan.v), kernel.p(loads=magnitudes(plan))
    found = native_function("nodes", t=d.t, y=[*d.q, *d.v], p=d.p, outputs=nodes)(plan.t, y, p)
    value: dict[Node, float] = dict(zip(inputs, [plan.t, *y, *p], strict=True))
    value |= dict(zip(nodes, found.tolist(), strict=True))
    for node in nodes:
        (expected,) = evaluate([node], {a: value[a] for a in node.args if a.value is None})
        allowed = 0.0 if node.op in EXACT else ULPS * np.spacing(abs(expected))
        assert abs(value[node] - expected) <= allowed, f"{node.op}: {value[node]!r} and {expected!r}"


@pytest.mark.parametrize("plan", trees(), ids=lambda plan: f"{len(plan.bodies)} bodies")
def test_kernels_agree_with_the_interpreted_graph(plan):
    kernel = build(plan).compile()
    loads = magnitudes(plan)
    at = build(plan).equations().at(plan.q, plan.v, plan.t, loads=loads)
    vd = kernel.acceleration(plan.q, plan.v, plan.t, loads=loads)
    # A few units in the last place for each operation, times what elimination with M may add.
    growth = np.linalg.cond(at.M) if len(at.M) else 1.0
    size = float(np.max(np.abs(at.acceleration)))
    assert_close(vd, at.acceleration, within=64 * EPS * growth * size, because="rounding times the condition of M")
    M = kernel.mass_matrix(plan.q, plan.t)
    assert_close(M, at.M, within=64 * EPS * np.max(np.abs(at.M)), because="sums of a few dozen rounded products")
    assert_close(M, M.T, within=0.0, because="both triangles are the same nodes")


def test_batches_repeat_the_accelerations_of_single_states():
    plan = draw(4, draw_kinds(4, 3))
    kernel = build(plan).compile()
    q, v = np.array(plan.q), np.array(plan.v)
    rows = kernel.acceleration_batch(np.tile(q, (5, 1)), np.linspace(0.5, 1.0, 5)[:, None] * v)
    for factor, row in zip(np.linspace(0.5, 1.0, 5), rows, strict=True):
        assert_close(row, kernel.acceleration(q, factor * v), within=0.0, because="the same operations on each row")
