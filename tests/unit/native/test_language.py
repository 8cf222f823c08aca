"""The native language: compiled code and the same source run by Python give the same bits; mistakes are named."""

from __future__ import annotations

import ctypes
import math
import random
from math import copysign, cos, exp, floor, inf, isfinite, log, sin, sqrt
from typing import Any

import numpy as np
import pytest

from cardan.errors import CompileError
from cardan.native.language import Array, Callback, IntArray, Kernel, NativeFunction, f64, i64, native

TABLE = (0.1, -0.0, 2.5)
COUNTS = (3, 5, 7)
SCALE = 2.5e-3


@native
def arithmetic(a: f64, b: f64, c: f64) -> f64:
    """Everything with real numbers at once."""
    x = sqrt(abs(a)) * SCALE + b / (1.0 + c * c)
    x += sin(a) - cos(b) * exp(-abs(c))
    x = x * log(1.0 + abs(a)) + min(a, b, c) - max(a, 2 * b) + abs(a) ** 0.3
    return copysign(x, c) + x**3 if -1.0 < a <= b else -x + c * x**2


@native
def whole_numbers(a: i64, b: i64) -> i64:
    """Floor division, remainder and conversions."""
    result = a // b * 1000 + a % b
    result += floor(float(a) / 7) + int(a / 3)
    return result + abs(b) + min(a, b)


@native
def control_flow(n: i64, x: Array, found: IntArray) -> i64:
    """Loops with break, continue, guards and a counter that outlives its loop."""
    total = 0
    for i in range(n):
        if x[i] < 0.0:
            continue
        if x[i] > 100.0 and i > 0:
            break
        total += 1
        found[total - 1] = i
    for i in range(n - 1, -1, -2):
        total += i
    k = 0
    while True:
        k += 1
        if k >= n or x[k] == 0.0 or not (x[k] != -7.0):
            break
    a, b = k, total
    a, b = b, a
    if a > b:
        return a * 100 + b
    elif a == b:
        return -1
    else:
        return a - b


@native
def dot(n: i64, x: Array, y: Array) -> f64:
    """Sum of products, in order."""
    s = 0.0
    for i in range(n):
        s += x[i] * y[i]
    return s


@native
def accumulate(n: i64, x: Array, out: Array) -> None:
    """Calls another native function on parts of an array, reads tables and writes entries."""
    for i in range(n):
        out[i] = dot(n - i, x[i:], x) + TABLE[i % 3] * COUNTS[i % 3] + TABLE[2]
        out[i] *= 0.5
        if not isfinite(out[i]):
            out[i] = 0
            return


@native
def twice(f: Kernel, before: Callback, t: f64, y: Array, p: Array, out: Array) -> i64:
    """Calls a kernel, and a callback where there is one."""
    if before != 0:
        status = before(t, y, p)
        if status != 0:
            return status
    status = f(t, y, p, out)
    y[0] = out[0]
    return status + f(t, y, p, out)


@native
def double_and_time(t: f64, y: Array, p: Array, out: Array) -> i64:
    """A kernel."""
    out[0] = 2.0 * y[0] + p[0] * t
    return 0


@native
def factorial(n: i64) -> i64:
    """Recursion."""
    if n <= 1:
        return 1
    return n * factorial(n - 1)


def test_real_arithmetic_rounds_as_python_does():
    draw = random.Random(1)
    for _ in range(500):
        a, b, c = (draw.uniform(-3, 3) for _ in range(3))
        ours = arithmetic(a, b, c)
        # x**2 and x**3 are products in compiled code; Python's pow may round the last bit differently.
        assert abs(ours - arithmetic.python(a, b, c)) <= 4e-16 * (1 + abs(ours)) * 8


def test_floor_division_and_remainder_follow_python_for_all_signs():
    for a in range(-20, 21):
        for b in (-7, -3, -1, 1, 2, 5):
            assert whole_numbers(a, b) == whole_numbers.python(a, b)


@pytest.mark.parametrize("seed", range(5))
def test_control_flow_is_that_of_python(seed):
    draw = np.random.default_rng(seed)
    x = np.round(draw.uniform(-20, 130, 12))
    x[draw.integers(3, 12)] = draw.choice([0.0, -7.0])
    compiled, plain = np.zeros(12, dtype=np.int64), np.zeros(12, dtype=np.int64)
    for n in range(2, 12):
        assert control_flow(n, x, compiled) == control_flow.python(n, x, plain)
        assert (compiled == plain).all()


def test_calls_parts_and_tables_give_the_same_bits():
    x = np.random.default_rng(2).normal(size=9)
    compiled, plain = np.ones(9), np.ones(9)
    accumulate(9, x, compiled)
    accumulate.python(9, x, plain)
    assert compiled.tobytes() == plain.tobytes()


def test_a_nan_stops_the_loop_in_both_lives():
    x = np.array([1.0, inf, 2.0])
    compiled, plain = np.full(3, 9.0), np.full(3, 9.0)
    accumulate(3, x, compiled)
    with np.errstate(invalid="ignore"):
        accumulate.python(3, x, plain)
    assert compiled.tolist() == plain.tolist() == [0.0, 9.0, 9.0]


def test_a_kernel_is_an_address_when_compiled_and_any_callable_in_python():
    p, out = np.array([3.0]), np.zeros(1)
    arguments = (0.5, np.array([1.0]), p, out)
    assert twice(double_and_time.address(), 0, *arguments) == 0
    assert out[0] == 2 * (2 * 1.0 + 1.5) + 1.5

    def plain(t: float, y: Any, p: Any, out: Any) -> int:
        out[0] = y[0] - 1
        return 4

    assert twice.python(plain, 0, 0.5, np.array([1.0]), p, out) == 8
    assert out[0] == -1.0
    assert twice.python(double_and_time.address(), 0, 0.5, np.array([1.0]), p, out) == 0
    assert out[0] == 2 * (2 * 1.0 + 1.5) + 1.5


def test_a_callback_runs_before_the_kernel_and_can_stop_it():
    pointer = ctypes.POINTER(ctypes.c_double)

    @ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_double, pointer, pointer)
    def before(t, y, p):
        p[0] = 10 * t
        return 77 if t > 1 else 0

    address = ctypes.cast(before, ctypes.c_void_p).value
    p, out = np.zeros(1), np.zeros(1)
    assert twice(double_and_time, address, 0.5, np.array([0.0]), p, out) == 0
    assert p[0] == 5.0
    assert twice(double_and_time, address, 2.0, np.array([0.0]), p, out) == 77


def test_recursion_and_an_address_from_another_module():
    assert factorial(20) == math.factorial(20) == factorial.python(20)


def test_a_function_run_by_python_does_not_touch_machine_code():
    @native
    def local(x: f64) -> f64:
        return x + 1.0

    assert local.python(1.0) == 2.0
    assert local._library is None


def test_an_array_of_the_wrong_type_is_refused_before_the_call():
    with pytest.raises(CompileError, match=r"contiguous float64 array is needed, not a int64 array"):
        dot(2, np.array([1, 2]), np.array([1.0, 2.0]))
    with pytest.raises(CompileError, match=r"n: i64, x: Array"):
        dot(2, np.ones(2))


@native
def clash(n: i64) -> f64:
    x = 0
    for i in range(n):
        x = x + 0.5 * i
    return x


@native
def forgets_to_return(x: f64) -> f64:
    if x > 0.0:
        return x


@native
def adds_to_an_array(x: Array) -> Array:  # type: ignore[misc]
    return x


@native
def shifts_by_adding(x: Array) -> f64:
    y = x + 1
    return y[0]


@native
def truth_of_a_number(n: i64) -> i64:
    if n:
        return 1
    return 0


@native
def unknown_name(x: f64) -> f64:
    return x * never_defined  # noqa: F821


@native
def unknown_call(x: f64) -> f64:
    return math.gamma(x)


@native
def wrong_count(n: i64, x: Array) -> f64:
    return dot(n, x)


@native
def unreachable(x: f64) -> f64:
    while True:
        x += 1.0
    return x


@native
def without_kind(x) -> f64:  # type: ignore[no-untyped-def]
    return x


@native
def counts_from_the_end(x: Array) -> f64:
    return x[-1]


@pytest.mark.parametrize(
    ("function", "offset", "message"),
    [
        (clash, 4, "'x' is i64 since its first assignment, now it would become f64.*write 0.0 instead of 0"),
        (forgets_to_return, 1, "a path ends without returning f64.*End every path with return"),
        (adds_to_an_array, 0, "the result has no native type"),
        (shifts_by_adding, 2, r"arithmetic on arrays is not supported.*Write x\[k:\]"),
        (truth_of_a_number, 2, "a condition is needed here, not i64.*n != 0"),
        (unknown_name, 2, "name 'never_defined' is neither a local assigned before nor a constant"),
        (unknown_call, 2, r"only name\(a, b, ...\) is supported as a call"),
        (wrong_count, 2, "'dot' takes 3 arguments, 2 are given"),
        (unreachable, 4, "can never be reached"),
        (without_kind, 0, "parameter 'x' has no native type.*f64, i64, Array"),
        (counts_from_the_end, 2, "indices do not count from the end"),
    ],
)
def test_a_mistake_names_function_line_and_remedy(function: NativeFunction[Any, Any], offset: int, message: str):
    with pytest.raises(CompileError, match=message) as caught:
        function.ir()
    assert f"'{function.__name__}'" in str(caught.value)
    assert caught.value.line == function.place.line + offset
    assert caught.value.file.endswith("test_language.py")
    assert caught.value.remedy
