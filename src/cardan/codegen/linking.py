"""A native function for any model, tied to the kernels of one: a few lines of IR that give it what it needs.

The sizes of the model stand in that text as constants, so that LLVM can specialise the loops.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from cardan.codegen.function import NativeFunction
from cardan.native import Library, compile_ir
from cardan.native.engine import expose
from cardan.native.language import NativeFunction as AnySize
from cardan.native.once import preparing

ON_STACK = 8192  # numbers; larger workspaces are taken from the heap


def tie(
    name: str,
    function: AnySize[..., int] | AnySize[..., None],
    kernels: Sequence[NativeFunction],
    sizes: str,
    total: int,
    tables: Mapping[str, Sequence[int]] = MappingProxyType({}),
) -> Library:
    """A kernel that gives a native function the model's kernels, its sizes, tables of integers and a workspace."""
    names = [f"cardan_model_{kernel.name}" for kernel in kernels]
    given = [f"i64 ptrtoint (ptr @{one} to i64)" for one in names]
    tabled = [f"ptr @{one}" for one in tables]
    arguments = ", ".join([*given, sizes, *tabled, "double %t, ptr %y, ptr %p, ptr %work, ptr %out"])
    heap = total > ON_STACK
    body = [
        *(f"declare i64 @{one}(double, ptr, ptr, ptr)" for one in dict.fromkeys(names)),
        *(_constant(one, values) for one, values in tables.items()),
        *(["declare ptr @malloc(i64)", "declare void @free(ptr)"] if heap else []),
        f"define i64 @{name}(double %t, ptr %y, ptr %p, ptr %out) {{",
        f"  %work = call ptr @malloc(i64 {8 * total})" if heap else f"  %work = alloca [{total} x double], align 32",
        f"  %status = call i64 @{function.signature.symbol}({arguments})",
        *(["  call void @free(ptr %work)"] if heap else []),
        "  ret i64 %status",
        "}",
    ]
    text = function.ir() + "\n" + "\n".join(body) + "\n"
    with preparing:  # exposing a kernel and linking the text that calls it belong together
        for one, kernel in zip(names, kernels, strict=True):
            expose(one, kernel.address)  # text linked before keeps the kernel it was given
        return compile_ir(text, [name], level=2).calling(*kernels)


def _constant(name: str, values: Sequence[int]) -> str:
    """IR of a table of integers."""
    listed = ", ".join(f"i64 {value}" for value in values)
    return f"@{name} = internal constant [{len(values)} x i64] [{listed}]"
