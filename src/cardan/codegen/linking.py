"""A native function for any model, tied to the kernels of one: a few lines of IR that give it what it needs.

The sizes of the model stand in that text as constants, so that LLVM can specialise the loops.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from cardan.codegen import trig
from cardan.codegen.function import NativeFunction
from cardan.codegen.trig import number
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
    tables: Mapping[str, Sequence[int] | Sequence[float]] = MappingProxyType({}),
) -> Library:
    """A kernel that gives a native function the model's kernels, its sizes, tables of numbers and a workspace."""
    names = [f"cardan_model_{kernel.name}" for kernel in kernels]
    text = tied_text(name, function, names, sizes, total, tables)
    with preparing:  # exposing a kernel and linking the text that calls it belong together
        for one, kernel in zip(names, kernels, strict=True):
            expose(one, kernel.address)  # text linked before keeps the kernel it was given
        return compile_ir(text, [name], level=2).calling(*kernels)


def tied_text(
    name: str,
    function: AnySize[..., int] | AnySize[..., None],
    kernels: Sequence[str],
    sizes: str,
    total: int,
    tables: Mapping[str, Sequence[int] | Sequence[float]] = MappingProxyType({}),
) -> str:
    """The IR of that kernel, with the function and all that it calls; ``kernels`` are names of functions elsewhere."""
    given = [f"i64 ptrtoint (ptr @{one} to i64)" for one in kernels]
    tabled = [f"ptr @{one}" for one in tables]
    arguments = ", ".join([*given, sizes, *tabled, "double %t, ptr %y, ptr %p, ptr %work, ptr %out"])
    heap = total > ON_STACK
    body = [
        *(f"declare i64 @{one}(double, ptr, ptr, ptr)" for one in dict.fromkeys(kernels)),
        *(_constant(one, values) for one, values in tables.items()),
        *(["declare ptr @malloc(i64)", "declare void @free(ptr)"] if heap else []),
        f"define i64 @{name}(double %t, ptr %y, ptr %p, ptr %out) {{",
        f"  %work = call ptr @malloc(i64 {8 * total})" if heap else f"  %work = alloca [{total} x double], align 32",
        f"  %status = call i64 @{function.signature.symbol}({arguments})",
        *(["  call void @free(ptr %work)"] if heap else []),
        "  ret i64 %status",
        "}",
    ]
    return function.ir() + "\n" + "\n".join(body) + "\n"


def joined_text(name: str, kernels: Sequence[tuple[str, int]]) -> str:
    """IR of a kernel whose outputs are those of others, (name, how many outputs) each, one behind the other."""
    lines, first = list[str](), 0
    for j, (one, count) in enumerate(kernels):
        lines += [
            f"  %o{j} = getelementptr double, ptr %out, i64 {first}",
            f"  %s{j} = call i64 @{one}(double %t, ptr %y, ptr %p, ptr %o{j})",
            f"  %bad{j} = icmp ne i64 %s{j}, 0",
            f"  br i1 %bad{j}, label %stop{j}, label %next{j}",
            f"stop{j}:",
            f"  ret i64 %s{j}",
            f"next{j}:",
        ]
        first += count
    declared = [f"declare i64 @{one}(double, ptr, ptr, ptr)" for one in dict.fromkeys(one for one, _ in kernels)]
    whole = [*declared, f"define i64 @{name}(double %t, ptr %y, ptr %p, ptr %out) {{", *lines, "  ret i64 0", "}"]
    return "\n".join(whole) + "\n"


def fixed_text(name: str, kernel: str, parameters: int, behind: Sequence[float]) -> str:
    """IR of a kernel that calls another with fixed numbers behind the parameters that it is given."""
    total = parameters + len(behind)
    numbers = ", ".join(f"double {number(value)}" for value in behind)
    lines = [
        f"declare i64 @{kernel}(double, ptr, ptr, ptr)",
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
        f"@{name}_numbers = internal constant [{len(behind)} x double] [{numbers}]",
        f"define i64 @{name}(double %t, ptr %y, ptr %p, ptr %out) {{",
        f"  %all = alloca [{total} x double], align 16",
        f"  %end = getelementptr double, ptr %all, i64 {parameters}",
        f"  call void @llvm.memcpy.p0.p0.i64(ptr %all, ptr %p, i64 {8 * parameters}, i1 false)",
        f"  call void @llvm.memcpy.p0.p0.i64(ptr %end, ptr @{name}_numbers, i64 {8 * len(behind)}, i1 false)",
        f"  %status = call i64 @{kernel}(double %t, ptr %y, ptr %all, ptr %out)",
        "  ret i64 %status",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _constant(name: str, values: Sequence[int] | Sequence[float]) -> str:
    """IR of a table of integers, or of numbers."""
    if any(isinstance(value, float) for value in values):
        listed = ", ".join(f"double {trig.number(float(value))}" for value in values)
        return f"@{name} = internal constant [{len(values)} x double] [{listed}]"
    listed = ", ".join(f"i64 {value}" for value in values)
    return f"@{name} = internal constant [{len(values)} x i64] [{listed}]"
