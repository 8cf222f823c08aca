"""Graph nodes to LLVM IR text: straight-line kernels of the universal interface

    int64 name(double t, const double* y, const double* p, double* out)

which returns 0, or 1 + the index of the first pivot that failed. ``out`` must not overlap ``y`` or ``p``.
The text is built as strings, several times faster than through objects.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cardan.codegen import trig
from cardan.codegen.kernel_text import LANES, WIDE, ZEROS, Interface, KernelText
from cardan.codegen.operations import LIBRARY, library_by_lanes, library_function
from cardan.codegen.plan import make_plan
from cardan.native import runtime

if TYPE_CHECKING:
    from cardan.graph.node import Node


def emit_kernel(
    name: str,
    *,
    t: Node | None,
    y: Sequence[Node],
    p: Sequence[Node],
    outputs: Sequence[Node],
    pivots: Sequence[tuple[Node, Node]] = (),
    fma: bool = False,
) -> str:
    """IR text of a kernel that stores ``outputs`` in ``out``, for `emit_module`.

    A pivot fails where not (pivot > 64 eps scale), hence also where it is NaN; the outputs are computed all the same.
    """
    interface = Interface(t, tuple(y), tuple(p), tuple(outputs), tuple(pivots))
    plan = make_plan(interface.roots, together=LANES, fma=fma)
    return KernelText(name, interface, plan, width=1).text()


def emit_module(kernels: Sequence[str], *, fma: bool = False, inline: bool = True) -> str:
    """One IR module of several kernels, with the declarations and the sines and cosines they need, each once."""
    body = "\n".join(kernels)
    called = set(re.findall(r"@(cardan_\w+|llvm\.[\w.]+)\(", body))
    before: list[str] = []
    declared: dict[str, None] = {}
    for width in (1, LANES, WIDE):
        if trig.function_name("sincos", width) in called:
            before.append(trig.definitions(width, fma=fma, inline=inline))
            declared.update(dict.fromkeys(trig.declarations(width)))
        for op in LIBRARY:
            if library_function(op, width) in called:
                declared[runtime.declaration(op)] = None
                if width > 1:
                    before.append(library_by_lanes(op, width))
        declared.update(dict.fromkeys(_intrinsics(called, width)))
    if ZEROS in called:
        before.append(_ZEROS)
    return "\n".join([*declared, *before, body])


_ZEROS = f"""define internal void @{ZEROS}(ptr noalias %x, i64 %n) nounwind noinline {{
  br label %next
next:
  %k = phi i64 [ 0, %0 ], [ %more, %next ]
  %at = getelementptr double, ptr %x, i64 %k
  store double 0.0, ptr %at, align 8
  %more = add i64 %k, 1
  %left = icmp slt i64 %more, %n
  br i1 %left, label %next, label %end
end:
  ret void
}}"""


def _intrinsics(called: set[str], width: int) -> list[str]:
    kind, suffix = trig.type_of(width), trig.suffix_of(width)
    arguments = {"sqrt": 1, "fabs": 1, "floor": 1, "minimum": 2, "maximum": 2, "fma": 3}
    return [
        f"declare {kind} @llvm.{name}.{suffix}({', '.join([kind] * count)})"
        for name, count in arguments.items()
        if f"llvm.{name}.{suffix}" in called
    ]
