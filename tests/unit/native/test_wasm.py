"""WebAssembly modules from IR texts: what they export, import and refuse. That they compute is tested in a browser."""

from __future__ import annotations

import pytest

from cardan.errors import CompileError
from cardan.native.wasm import webassembly

SQUARE = """define i64 @square(double %t, ptr %y, ptr %p, ptr %out) {
  %x = load double, ptr %y
  %s = fmul double %x, %x
  store double %s, ptr %out
  ret i64 0
}
"""
CALLS = """declare double @cardan_tan(double)
@table = internal constant [2 x double] [double 2.0, double 3.0]
define double @angle(i64 %k) {
  %at = getelementptr [2 x double], ptr @table, i64 0, i64 %k
  %x = load double, ptr %at
  %y = call double @cardan_tan(double %x)
  ret double %y
}
"""


def test_texts_become_one_module_with_the_functions_asked_for() -> None:
    made = webassembly([SQUARE, CALLS], ["angle", "square"], ["square"])
    assert made.code[:8] == b"\0asm\1\0\0\0"
    for name in (b"angle", b"square", b"address_of_square"):
        assert name in made.code
    assert made.imports == ("cardan_tan",)
    assert made.data_end == 16, "two numbers"
    assert b"linking" not in made.code, "what only a linker reads is left out"


def test_the_same_texts_give_the_same_bytes() -> None:
    assert webassembly([SQUARE], ["square"]).code == webassembly([SQUARE], ["square"]).code


def test_a_function_that_is_not_there_is_named() -> None:
    with pytest.raises(CompileError, match="cube"):
        webassembly([SQUARE], ["cube"])


def test_a_text_that_is_none_is_refused() -> None:
    with pytest.raises(CompileError, match="LLVM refuses"):
        webassembly(["define nonsense"], [])
