"""The exported C, compiled by the system's compiler, against the native kernel."""

from __future__ import annotations

import ctypes
import math
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardan.codegen import native_function, to_c
from cardan.errors import CompileError
from cardan.graph import Graph
from support.close import assert_close

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="no C compiler is installed")


def compiled_c(text: str, folder: Path) -> Any:
    source, library = folder / "kernel.c", folder / "kernel.so"
    source.write_text(text)
    warnings = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"]
    subprocess.run(
        [str(COMPILER), *warnings, "-O1", "-fPIC", "-shared", str(source), "-o", str(library), "-lm"], check=True
    )
    function = ctypes.CDLL(str(library)).kernel
    function.restype, function.argtypes = ctypes.c_int64, [ctypes.c_double, *[ctypes.c_void_p] * 3]
    return function


def every_operation() -> dict[str, Any]:
    graph = Graph()
    t, x, y, m = (graph.input(name) for name in "txym")
    outputs = [
        x + y * m - t / x,
        -(x * y),
        x.sqrt() + y.sin() * x.cos() - x.tan(),
        (x * 0.2).asin() + (x * 0.2).acos() * y.atan(),
        x.sinh() - y.cosh() / x.tanh(),
        y.exp() * x.log() + x**y + y.atan2(x),
        y.absolute() + y.sign() + (3 * y).floor(),
        x.minimum(y) - 3 * x.maximum(y),
        x.less(y) + 2 * x.less_equal(y) + 4 * x.equal(y),
        x.less(y).select(x, -7.25e-300),
    ]
    return {"t": t, "y": [x, y], "p": [m], "outputs": outputs, "pivots": [(x, m), (y, m)]}


@needs_compiler
@pytest.mark.parametrize(("x", "y"), [(0.7, -1.3), (2.5, 2.5), (1e-20, 0.4)])
def test_c_gives_the_values_and_status_of_the_native_kernel(tmp_path: Path, x: float, y: float) -> None:
    shape = every_operation()
    native = native_function("kernel", **shape)
    exported = compiled_c(to_c("kernel", **shape), tmp_path)
    state, parameters, out = np.array([x, y]), np.array([1.5]), np.empty(10)
    status = exported(0.25, state.ctypes.data, parameters.ctypes.data, out.ctypes.data)
    expected = native(0.25, state, parameters)
    assert status == native.status
    scale = np.maximum(1.0, np.abs(expected))
    because = "sines differ by 2 ulp and are followed by at most 3 operations; everything else is the same"
    assert_close(out / scale, expected / scale, within=8 * 2.0**-52, because=because)


@needs_compiler
def test_nan_passes_through_choices(tmp_path: Path) -> None:
    graph = Graph()
    x, y = graph.input("x"), graph.input("y")
    outputs = [x.minimum(y), y.minimum(x), x.maximum(y), x.sign(), x.less(y)]
    exported = compiled_c(to_c("kernel", t=None, y=[x, y], p=[], outputs=outputs), tmp_path)
    out = np.empty(5)
    for values in ((math.nan, 1.0), (1.0, math.nan)):
        state = np.array(values)
        exported(0.0, state.ctypes.data, None, out.ctypes.data)
        assert np.isnan(out[:3]).all()
        assert out[4] == 0.0


def test_entries_are_named_in_a_legend() -> None:
    text = to_c("kernel", **every_operation())
    assert "/* y[1] y */" in text
    assert "/* p[0] m */" in text


def test_constants_read_back_exactly() -> None:
    graph = Graph()
    x = graph.input("x")
    third = 1.0 / 3.0
    text = to_c("kernel", t=None, y=[x], p=[], outputs=[x * third])
    assert repr(third) in text


@pytest.mark.parametrize("name", ["two words", "7up", "double", "a-b"])
def test_a_name_that_c_cannot_have_is_refused(name: str) -> None:
    with pytest.raises(CompileError, match="cannot name a function"):
        to_c(name, t=None, y=[], p=[], outputs=[Graph().one])


def test_an_input_without_a_place_is_named() -> None:
    graph = Graph()
    with pytest.raises(CompileError, match="'lost'"):
        to_c("kernel", t=None, y=[], p=[], outputs=[graph.input("lost") * 2])
