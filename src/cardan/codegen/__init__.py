"""From graph nodes to compiled functions: LLVM IR text, scalar and four side by side, and portable C."""

from __future__ import annotations

from cardan.codegen.batch import emit_batch
from cardan.codegen.c_export import to_c
from cardan.codegen.emit import emit_kernel, emit_module
from cardan.codegen.function import NativeBatch, NativeFunction, native_batch, native_function
from cardan.codegen.level import compile_kernels, level_for

__all__ = [
    "NativeBatch",
    "NativeFunction",
    "compile_kernels",
    "emit_batch",
    "emit_kernel",
    "emit_module",
    "level_for",
    "native_batch",
    "native_function",
    "to_c",
]
