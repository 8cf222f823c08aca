"""Calling compiled kernels from Python."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from cardan.codegen import NativeFunction, native_function
from cardan.errors import WrongShape
from cardan.graph import Graph


@pytest.fixture
def weighted_sum() -> NativeFunction:
    graph = Graph()
    t, a, b, w = (graph.input(name) for name in "tabw")
    return native_function("weighted_sum", t=t, y=[a, b], p=[w], outputs=[a + w * b, t], pivots=[(w, graph.one)])


def test_lists_tuples_and_any_arrays_are_accepted(weighted_sum: NativeFunction) -> None:
    for y in ([1, 2], (1.0, 2.0), np.array([1, 2]), np.array([1.0, 9.0, 2.0])[::2], np.float32([1, 2])):
        assert weighted_sum(7.0, y, [10.0]).tolist() == [21.0, 7.0]


def test_each_call_returns_an_array_of_its_own(weighted_sum: NativeFunction) -> None:
    first = weighted_sum(0.0, [1.0, 2.0], [10.0])
    weighted_sum(0.0, [5.0, 5.0], [10.0])
    assert first.tolist() == [21.0, 0.0]


def test_call_writes_into_the_given_array_and_notices_new_contents(weighted_sum: NativeFunction) -> None:
    y, p, out = np.array([1.0, 2.0]), np.array([10.0]), np.zeros(2)
    assert weighted_sum.call(0.0, y, p, out) == 0
    assert out[0] == 21.0
    y[0], p[0] = 2.0, -1.0
    assert weighted_sum.call(0.0, y, p, out) == 1
    assert out[0] == 0.0
    other = np.zeros(2)
    weighted_sum.call(0.0, np.array([3.0, 4.0]), p, other)
    assert (out[0], other[0]) == (0.0, -1.0)


def test_wrong_sizes_are_refused_with_the_right_ones(weighted_sum: NativeFunction) -> None:
    with pytest.raises(WrongShape, match="2, 1 and 2"):
        weighted_sum(0.0, [1.0], [10.0])
    with pytest.raises(WrongShape, match="2, 1 and 2"):
        weighted_sum(0.0, [1.0, 2.0])
    with pytest.raises(WrongShape, match="weighted_sum"):
        weighted_sum.call(0.0, np.zeros(2), np.zeros(1), np.zeros(3))


@pytest.mark.parametrize("bad", [np.zeros(2, dtype=np.float32), np.zeros(4)[::2], np.zeros(2, dtype=np.int64)])
def test_call_refuses_arrays_it_cannot_hand_to_machine_code(weighted_sum: NativeFunction, bad: object) -> None:
    with pytest.raises(WrongShape, match="contiguous float64"):
        weighted_sum.call(0.0, bad, np.zeros(1), np.zeros(2))  # type: ignore[arg-type]


def test_threads_do_not_disturb_each_other(weighted_sum: NativeFunction) -> None:
    wrong: list[float] = []

    def work(start: float) -> None:
        for step in range(3000):
            x = start + step
            if weighted_sum(x, [x, x], [2.0]).tolist() != [3 * x, x]:
                wrong.append(x)

    threads = [threading.Thread(target=work, args=(1e4 * k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
