"""Functions of the C library that compiled code may call, under names of our own.

``tan`` is declared as ``declare double @cardan_tan(double)``. The private name keeps LLVM from rewriting the call by
what it knows of the C library (which would make the bits depend on the optimisation level), and resolves alike on
Linux, macOS and Windows. The plain names are known to the linker too, because LLVM itself emits calls of some of them.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import sys
from types import ModuleType

UNARY = ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "floor", "ceil", "fabs")
BINARY = ("pow", "atan2", "fmod")
TERNARY = ("fma",)
PREFIX = "cardan_"

_kept_alive: list[object] = []


def symbol(function: str) -> str:
    """The name under which compiled code calls a function of the C library."""
    return PREFIX + function


def declaration(function: str) -> str:
    """The line of LLVM IR that makes a function of the C library callable."""
    count = 3 if function in TERNARY else 2 if function in BINARY else 1
    arguments = ", ".join(["double"] * count)
    return f"declare double @{symbol(function)}({arguments}) nounwind willreturn memory(none)"


def register(binding: ModuleType) -> None:
    """Tell LLVM's linker the addresses of the functions above."""
    mathematics = _mathematics_library()
    for name in (*UNARY, *BINARY, *TERNARY):
        address = ctypes.cast(getattr(mathematics, name), ctypes.c_void_p).value
        binding.add_symbol(symbol(name), address)
        binding.add_symbol(name, address)
    _kept_alive.append(mathematics)
    if sys.platform == "win32":  # every COFF object with floating-point code refers to this marker
        marker = ctypes.c_int(0)
        binding.add_symbol("_fltused", ctypes.addressof(marker))
        _kept_alive.append(marker)


def _mathematics_library() -> ctypes.CDLL:
    if sys.platform == "win32":
        return ctypes.CDLL("ucrtbase")
    name = ctypes.util.find_library("m") if sys.platform == "darwin" else "libm.so.6"
    try:
        return ctypes.CDLL(name)
    except OSError:  # musl keeps the functions in the C library itself, which the process has loaded
        return ctypes.CDLL(None)
