"""Sine and cosine of the compiled code, against 160-bit arithmetic."""

from __future__ import annotations

import ctypes
import functools
import math
from collections.abc import Callable

import mpmath
import numpy as np
import pytest
from numpy.typing import NDArray

from cardan.codegen import trig
from cardan.native import compile_ir
from support.close import assert_close

Numbers = NDArray[np.float64]
Pair = tuple[Numbers, Numbers]
MULTIPLES = 63661  # of pi/2 below 1e5


@functools.cache
def sincos(width: int, fma: bool, level: int = 1) -> Callable[[Numbers], Pair]:
    """A compiled loop that applies the function for ``width`` numbers to an array whose length is a multiple of it."""
    kind = trig.type_of(width)
    pair = f"{{ {kind}, {kind} }}"
    text = f"""
    define void @loop(i64 %n, ptr %x, ptr %s, ptr %c) nounwind {{
    entry:
      br label %again
    again:
      %i = phi i64 [ 0, %entry ], [ %j, %again ]
      %x.at = getelementptr double, ptr %x, i64 %i
      %s.at = getelementptr double, ptr %s, i64 %i
      %c.at = getelementptr double, ptr %c, i64 %i
      %v = load {kind}, ptr %x.at, align 8
      %both = call {pair} @{trig.function_name("sincos", width)}({kind} %v)
      %sv = extractvalue {pair} %both, 0
      %cv = extractvalue {pair} %both, 1
      store {kind} %sv, ptr %s.at, align 8
      store {kind} %cv, ptr %c.at, align 8
      %j = add i64 %i, {width}
      %more = icmp slt i64 %j, %n
      br i1 %more, label %again, label %end
    end:
      ret void
    }}"""
    ir = "\n".join([*trig.declarations(width), trig.definitions(width, fma=fma), text])
    library = compile_ir(ir, ["loop"], level=level)
    loop = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * 3)(library.address("loop"))

    def run(x: Numbers) -> Pair:
        assert x.size % width == 0
        s, c = np.empty_like(x), np.empty_like(x)
        loop(x.size, x.ctypes.data, s.ctypes.data, c.ctypes.data)
        assert library is not None  # the machine code must outlive the call
        return s, c

    return run


def error_in_ulp(values: Numbers, exact: list[mpmath.mpf]) -> float:
    worst = 0.0
    for value, reference in zip(values.tolist(), exact, strict=True):
        worst = max(worst, abs(float(mpmath.mpf(value) - reference)) / math.ulp(float(reference)))
    return worst


def hard_points(step: int) -> Numbers:
    """The doubles on either side of multiples of pi/2, where reduction cancels most, and of pi/4, where it switches."""
    with mpmath.workprec(160):
        multiples = [*range(1, MULTIPLES, step), *(29 * 2**j for j in range(12))]  # 29 pi/2 is the closest of all
        points = [float(mpmath.pi / 2 * k) for k in multiples] + [float(mpmath.pi / 4 * k) for k in multiples[::5]]
    near = np.array(points)
    return np.concatenate([near, np.nextafter(near, 0), -np.nextafter(near, np.inf)])


def check(x: Numbers, fma: bool) -> None:
    x = x[: x.size // 4 * 4]
    s, c = sincos(1, fma)(x)
    with mpmath.workprec(160):
        assert error_in_ulp(s, [mpmath.sin(mpmath.mpf(v)) for v in x.tolist()]) <= 2.0
        assert error_in_ulp(c, [mpmath.cos(mpmath.mpf(v)) for v in x.tolist()]) <= 2.0


@pytest.mark.parametrize("fma", [False, True])
def test_error_is_at_most_two_units_in_the_last_place(fma: bool) -> None:
    random = np.random.default_rng(7)
    wide, near, tiny = (
        random.uniform(-1e5, 1e5, 6000),
        random.uniform(-7, 7, 6000),
        10.0 ** random.uniform(-300, 0, 400),
    )
    check(np.concatenate([wide, near, tiny, hard_points(31)]), fma)


@pytest.mark.long
@pytest.mark.parametrize("fma", [False, True])
def test_error_is_at_most_two_units_in_the_last_place_at_all_hard_points(fma: bool) -> None:
    random = np.random.default_rng(8)
    check(np.concatenate([random.uniform(-1e5, 1e5, 100_000), random.uniform(-10, 10, 100_000), hard_points(1)]), fma)


@pytest.mark.parametrize("fma", [False, True])
@pytest.mark.parametrize("level", [0, 1, 2])
def test_vectors_and_all_levels_give_the_bits_of_scalars(fma: bool, level: int) -> None:
    random = np.random.default_rng(9)
    x = np.concatenate([random.uniform(-1e5, 1e5, 4000), random.uniform(-3e5, 3e5, 4000), [0.0, np.inf, 1e5, 1e300]])
    for one, other in zip(sincos(1, fma)(x), sincos(4, fma, level)(x), strict=True):
        assert np.array_equal(one.view(np.int64), other.view(np.int64))


@pytest.mark.parametrize("width", [1, 4])
def test_beyond_the_range_the_c_library_answers_in_its_lanes_only(width: int) -> None:
    x = np.array([1e5, 100000.5, 0.5, -1e22])
    s, c = sincos(width, False)(x)
    assert (s[1], c[1], s[3], c[3]) == (math.sin(x[1]), math.cos(x[1]), math.sin(x[3]), math.cos(x[3]))
    because = "2 ulp are promised and the numbers are below 1; the C library has its own half"
    assert_close(s[[0, 2]], np.sin(x[[0, 2]]), within=3 * 2.0**-53, because=because)


@pytest.mark.parametrize("width", [1, 4])
def test_infinities_and_nan_give_nan_and_zero_is_exact(width: int) -> None:
    s, c = sincos(width, False)(np.array([np.inf, -np.inf, np.nan, 0.0]))
    assert np.isnan(s[:3]).all()
    assert np.isnan(c[:3]).all()
    assert (s[3], c[3]) == (0.0, 1.0)
