"""Many evaluations of one kernel, four side by side.

    int64 name(int64 count, const double* t, int64 t_step, const double* y, const double* p, double* out,
               int64* status)

Rows of ``y`` and ``out`` follow one another (row-major); row i is evaluated at time ``t[i * t_step]``, so that a step
of 0 means one time for all. The parameters are shared, or one row each with ``own_parameters``. ``status[i]`` is what
the scalar kernel would have returned for row i; the result is the number of the first failed row plus 1, or 0.

Where fewer than four rows are left the last row fills the free lanes and is stored several times over: every row goes
through the same instructions, hence has the same bits as in any other position, and as from the scalar kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cardan.codegen import trig
from cardan.codegen.kernel_text import LANES, Interface, KernelText
from cardan.codegen.plan import make_plan

if TYPE_CHECKING:
    from cardan.graph.node import Node

_KIND = trig.type_of(LANES)


def emit_batch(
    name: str,
    *,
    t: Node | None,
    y: Sequence[Node],
    p: Sequence[Node],
    outputs: Sequence[Node],
    pivots: Sequence[tuple[Node, Node]] = (),
    own_parameters: bool = False,
    fma: bool = False,
) -> str:
    """IR text of a function that evaluates a kernel for many rows, for `emit_module`."""
    interface = Interface(t, tuple(y), tuple(p), tuple(outputs), tuple(pivots))
    plan = make_plan(interface.roots, fma=fma)
    lanes = KernelText(f"{name}.lanes", interface, plan, width=LANES, wide_parameters=own_parameters)
    return lanes.text() + _loop(name, len(interface.y), len(interface.p), len(interface.outputs), own_parameters)


def _loop(name: str, ny: int, np: int, nout: int, own_parameters: bool) -> str:
    """The loop over blocks of rows: gather the inputs lane by lane, call the kernel, scatter what it stored."""
    lines = [
        f"define i64 @{name}(i64 %count, ptr noalias readonly %t, i64 %t_step, ptr noalias readonly %y, "
        "ptr noalias readonly %p, ptr noalias %out, ptr noalias %status) nounwind {",
        "entry:",
        *_buffer("ys", ny),
        *_buffer("ps", np if own_parameters else 0),
        *_buffer("os", nout),
        f"  %ss = alloca <{LANES} x i64>, align {8 * LANES}",
        "  %last = sub i64 %count, 1",
        "  %any = icmp sgt i64 %count, 0",
        "  br i1 %any, label %block, label %end",
        "block:",
        "  %i = phi i64 [ 0, %entry ], [ %next, %block ]",
        "  %bad.before = phi i64 [ 0, %entry ], [ %bad, %block ]",
    ]
    for lane in range(LANES):
        lines += [
            f"  %i{lane} = add i64 %i, {lane}",
            f"  %in{lane} = icmp slt i64 %i{lane}, %last",
            f"  %row{lane} = select i1 %in{lane}, i64 %i{lane}, i64 %last",
            f"  %t.step{lane} = mul i64 %row{lane}, %t_step",
        ]
    lines += _gather("t", [f"%t.step{lane}" for lane in range(LANES)], 0, "%t")
    lines += _gather_rows("y", "ys", ny)
    lines += _gather_rows("p", "ps", np) if own_parameters else []
    parameters = "%ps" if own_parameters else "%p"
    lines.append(f"  %r = call i64 @{name}.lanes({_KIND} %t.all, ptr %ys, ptr {parameters}, ptr %os, ptr %ss)")
    lines += [*_scatter_rows(nout), *_statuses()]
    lines += [
        f"  %next = add i64 %i, {LANES}",
        "  %more = icmp slt i64 %next, %count",
        "  br i1 %more, label %block, label %end",
        "end:",
        "  %failed = phi i64 [ 0, %entry ], [ %bad, %block ]",
        "  ret i64 %failed",
        "}\n",
    ]
    return "\n".join(lines)


def _buffer(name: str, count: int) -> list[str]:
    return [f"  %{name} = alloca {_KIND}, i64 {max(count, 1)}, align {8 * LANES}"]


def _gather(name: str, offsets: Sequence[str], position: int, array: str) -> list[str]:
    """The numbers at ``array[offset + position]``, one offset per lane, as one vector ``%name.all``."""
    lines, last = [], "poison"
    for lane, offset in enumerate(offsets):
        here = f"%{name}.v{lane}" if lane < LANES - 1 else f"%{name}.all"
        lines += [
            f"  %{name}.base{lane} = getelementptr double, ptr {array}, i64 {offset}",
            f"  %{name}.at{lane} = getelementptr double, ptr %{name}.base{lane}, i64 {position}",
            f"  %{name}.x{lane} = load double, ptr %{name}.at{lane}, align 8",
            f"  {here} = insertelement {_KIND} {last}, double %{name}.x{lane}, i32 {lane}",
        ]
        last = here
    return lines


def _gather_rows(array: str, buffer: str, count: int) -> list[str]:
    """``count`` entries of the four rows, turned so that each entry is a vector over the lanes."""
    lines = [f"  %{array}.row{lane} = mul i64 %row{lane}, {count}" for lane in range(LANES)]
    offsets = [f"%{array}.row{lane}" for lane in range(LANES)]
    for entry in range(count):
        lines += _gather(f"{array}{entry}", offsets, entry, f"%{array}")
        lines.append(f"  %{array}{entry}.to = getelementptr {_KIND}, ptr %{buffer}, i64 {entry}")
        lines.append(f"  store {_KIND} %{array}{entry}.all, ptr %{array}{entry}.to")
    return lines


def _scatter_rows(count: int) -> list[str]:
    lines = []
    for lane in range(LANES):
        lines.append(f"  %o.row{lane} = mul i64 %row{lane}, {count}")
        lines.append(f"  %o.base{lane} = getelementptr double, ptr %out, i64 %o.row{lane}")
    for entry in range(count):
        for lane in range(LANES):
            name = f"%o{entry}.{lane}"
            lines += [
                f"  {name}.from = getelementptr double, ptr %os, i64 {entry * LANES + lane}",
                f"  {name} = load double, ptr {name}.from, align 8",
                f"  {name}.to = getelementptr double, ptr %o.base{lane}, i64 {entry}",
                f"  store double {name}, ptr {name}.to, align 8",
            ]
    return lines


def _statuses() -> list[str]:
    """Store each lane's status and keep the number of the first row that failed."""
    lines = []
    for lane in range(LANES - 1, -1, -1):
        before = "0" if lane == LANES - 1 else f"%bad{lane + 1}"
        lines += [
            f"  %s{lane}.from = getelementptr i64, ptr %ss, i64 {lane}",
            f"  %s{lane} = load i64, ptr %s{lane}.from, align 8",
            f"  %s{lane}.to = getelementptr i64, ptr %status, i64 %row{lane}",
            f"  store i64 %s{lane}, ptr %s{lane}.to, align 8",
            f"  %ok{lane} = icmp eq i64 %s{lane}, 0",
            f"  %number{lane} = add i64 %row{lane}, 1",
            f"  %bad{lane} = select i1 %ok{lane}, i64 {before}, i64 %number{lane}",
        ]
    return [
        *lines,
        "  %none.before = icmp eq i64 %bad.before, 0",
        "  %bad = select i1 %none.before, i64 %bad0, i64 %bad.before",
    ]
