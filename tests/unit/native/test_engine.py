"""Text to machine code: what is computed, what is refused, and that levels do not change bits."""

from __future__ import annotations

import ctypes
import math
import subprocess
import sys

import pytest

from cardan.errors import CompileError
from cardan.native import Library, compile_ir, engine, host, runtime

UNARY = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)

TEXT = f"""
{runtime.declaration("tan")}
define double @shifted_tangent(double %x) nounwind {{
  %t = call double @{runtime.symbol("tan")}(double %x)
  %p = fmul double %t, %t
  %r = fadd double %p, %x
  ret double %r
}}
"""


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_every_level_gives_the_bits_of_the_same_operations_in_python(level: int) -> None:
    library = compile_ir(TEXT, ["shifted_tangent"], level=level, cache=False)
    function = UNARY(library.address("shifted_tangent"))
    for x in (0.3, 1.1, -2.7):
        assert function(x) == math.tan(x) * math.tan(x) + x  # unfused: two roundings


def test_second_compilation_comes_from_the_cache_and_computes_the_same() -> None:
    text = TEXT.replace("shifted_tangent", "cached_tangent")
    first = compile_ir(text, ["cached_tangent"], level=1)
    second = compile_ir(text, ["cached_tangent"], level=1)
    assert (first.from_cache, second.from_cache) == (False, True)
    assert UNARY(first.address("cached_tangent"))(0.7) == UNARY(second.address("cached_tangent"))(0.7)


def test_invalid_text_is_refused_with_llvms_reason() -> None:
    with pytest.raises(CompileError, match="expected instruction opcode"):
        compile_ir("define void @f() { nonsense }", ["f"], level=1, cache=False)


def test_a_function_that_the_text_lacks_is_named() -> None:
    with pytest.raises(CompileError, match="absent"):
        compile_ir(TEXT, ["absent"], level=1, cache=False)
    library = compile_ir(TEXT, ["shifted_tangent"], level=1, cache=False)
    with pytest.raises(CompileError, match="'absent'"):
        library.address("absent")


def test_unknown_level_is_refused() -> None:
    with pytest.raises(CompileError, match="level"):
        compile_ir(TEXT, ["shifted_tangent"], level=4)


def test_merged_library_finds_functions_of_each_part() -> None:
    other = TEXT.replace("shifted_tangent", "another")
    parts = [compile_ir(TEXT, ["shifted_tangent"], level=1), compile_ir(other, ["another"], level=1)]
    merged = Library.merged(parts)
    assert set(merged.names) == {"shifted_tangent", "another"}
    assert merged.address("another") == parts[1].address("another")


def test_cache_key_changes_with_text_level_processor_and_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = host()
    keys = {engine._key(TEXT, 1), engine._key(TEXT, 2), engine._key(TEXT + " ", 1)}
    changes = ({"cpu": "other"}, {"features": "-all"}, {"compiler": "LLVM 1"}, {"triple": "vax"})
    for change in changes:
        fields = {name: getattr(machine, name) for name in ("triple", "cpu", "features", "compiler")}
        monkeypatch.setattr(engine, "host", lambda fields=fields, change=change: engine.Host(**{**fields, **change}))
        keys.add(engine._key(TEXT, 1))
    monkeypatch.setattr(engine, "host", lambda: machine)
    monkeypatch.setattr("cardan.__version__", "another version")
    keys.add(engine._key(TEXT, 1))
    assert len(keys) == 8


@pytest.mark.parametrize("name", [*runtime.UNARY, *runtime.BINARY])
def test_every_library_function_is_the_one_that_python_uses(name: str) -> None:
    count = 2 if name in runtime.BINARY else 1
    names = [f"double %x{i}" for i in range(count)]
    text = f"""{runtime.declaration(name)}
    define double @f({", ".join(names)}) {{
      %r = call double @{runtime.symbol(name)}({", ".join(names)})
      ret double %r
    }}"""
    library = compile_ir(text, ["f"], level=1, cache=False)
    function = ctypes.CFUNCTYPE(ctypes.c_double, *[ctypes.c_double] * count)(library.address("f"))
    arguments = (0.6, 0.25)[:count]
    assert function(*arguments) == getattr(math, name)(*arguments)


def test_importing_the_room_does_not_import_llvmlite() -> None:
    program = "import sys, cardan.native, cardan.codegen.emit; sys.exit('llvmlite' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
