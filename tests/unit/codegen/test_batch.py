"""Rows evaluated side by side have the bits of rows evaluated one by one."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from cardan.codegen import compile_kernels, emit_batch, emit_kernel, native_batch, native_function
from cardan.codegen.function import NativeBatch, NativeFunction
from cardan.errors import WrongShape
from cardan.graph import Graph


def mixed_graph() -> dict[str, Any]:
    """Every kind of operation: arithmetic, own and library functions, choices, a pivot that sometimes fails."""
    graph = Graph()
    t, x, y, z, m = (graph.input(name) for name in ("t", "x", "y", "z", "m"))
    force = (x * 3).sin() * m + (y - t).cos() / (1 + z * z)
    outputs = [
        force.sqrt(),
        force.exp() - (x * y).tan() + x.atan2(z),
        x.less(y).select(force * m, z.minimum(x)) + z.sign() + force.floor(),
        z.absolute() ** 0.3 + t * m,
        z,
    ]
    return {"t": t, "y": [x, y, z], "p": [m], "outputs": outputs, "pivots": [(force, m), (z + 2, m)]}


@pytest.mark.parametrize("width", [4, 8])  # eight numbers are two registers where they are short
@pytest.mark.parametrize("fma", [False, True])
@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 8, 23])
def test_rows_have_the_bits_and_statuses_of_the_scalar_kernel(count: int, fma: bool, width: int) -> None:
    shape = mixed_graph()
    scalar = NativeFunction(compile_kernels({"f": emit_kernel("f", **shape, fma=fma)}, fma=fma), "f", 3, 1, 5)
    library = compile_kernels({"g": emit_batch("g", **shape, fma=fma, width=width)}, fma=fma)
    batch = NativeBatch(library, "g", 3, 1, 5, own_parameters=False)
    random = np.random.default_rng(count)
    times, rows, p = random.normal(size=count), random.normal(size=(count, 3)), np.array([1.3])
    rows[count // 2] *= 1e6  # beyond the range of our own sine, in one lane
    together = batch(times, rows, p)
    for i in range(count):
        alone = scalar(float(times[i]), rows[i], p)
        assert np.array_equal(together[i].view(np.int64), alone.view(np.int64))
        assert batch.status[i] == scalar.status
    assert count < 8 or batch.status.max() > 0


@pytest.mark.parametrize("width", [4, 8])
@pytest.mark.parametrize("size", [3, 4, 9, 17])
def test_rows_of_any_length_are_turned_and_turned_back(size: int, width: int) -> None:
    graph = Graph()
    y = [graph.input(f"y{k}") for k in range(size)]
    shape: dict[str, Any] = {"t": None, "y": y, "p": [], "outputs": [x + float(k) for k, x in enumerate(y[::-1])]}
    library = compile_kernels({"g": emit_batch("g", **shape, width=width)})
    batch = NativeBatch(library, "g", size, 0, size, own_parameters=False)
    rows = np.arange(11.0 * size).reshape(11, size)
    assert np.array_equal(batch(0.0, rows, []), rows[:, ::-1] + np.arange(size))


def test_the_position_of_a_row_changes_no_bit() -> None:
    batch = native_batch("g", **mixed_graph())
    rows = np.tile([0.3, 0.2, 0.7], (7, 1))
    out = batch(0.5, rows, [1.3])
    assert (out.view(np.int64) == out[0].view(np.int64)).all()


def test_parameters_may_belong_to_rows() -> None:
    shape = mixed_graph()
    scalar = native_function("f", **shape)
    batch = native_batch("g", **shape, own_parameters=True)
    random = np.random.default_rng(1)
    rows, p = random.normal(size=(6, 3)), random.uniform(1, 2, size=(6, 1))
    out = batch(0.25, rows, p)
    for i in range(6):
        assert np.array_equal(out[i].view(np.int64), scalar(0.25, rows[i], p[i]).view(np.int64))


def test_no_rows_give_no_rows() -> None:
    assert native_batch("g", **mixed_graph())(0.0, np.empty((0, 3)), [1.0]).shape == (0, 5)


def test_the_first_failed_row_is_returned() -> None:
    graph = Graph()
    x = graph.input("x")
    text = emit_batch("g", t=None, y=[x], p=[], outputs=[x], pivots=[(x, graph.one)])
    library = compile_kernels({"g": text})
    pointer = ctypes.c_void_p
    call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, pointer, ctypes.c_int64, *[pointer] * 4)(
        library.address("g")
    )

    def first_failure(*values: float) -> int:
        y, t, out = np.array(values, dtype=float), np.zeros(1), np.empty(len(values))
        status = np.empty(len(values), dtype=np.int64)
        where = (array.ctypes.data for array in (y, y, out, status))
        return int(call(len(values), t.ctypes.data, 0, *where))

    assert first_failure(1, 1, 1, 1, 1) == 0
    assert first_failure(1, -1, 1, -1, 1) == 2
    assert first_failure(1, 1, 1, 1, 1, 1, -1) == 7
    assert first_failure(1, 1, 1, -1, 1, -1) == 4


@pytest.mark.parametrize(("y", "p"), [((4, 2), (1,)), ((3,), (1,)), ((4, 3), (2,)), ((4, 3), (4, 1))])
def test_wrong_shapes_are_refused(y: tuple[int, ...], p: tuple[int, ...]) -> None:
    batch = native_batch("g", **mixed_graph())
    with pytest.raises(WrongShape, match="count, 3"):
        batch(0.0, np.zeros(y), np.zeros(p))


def test_a_wrong_number_of_times_is_refused() -> None:
    batch = native_batch("g", **mixed_graph())
    with pytest.raises(WrongShape, match="one time"):
        batch(np.zeros(3), np.zeros((4, 3)), np.zeros(1))
