"""Many evaluations of one kernel, four or eight side by side, as many as a register of the processor holds.

    int64 name(int64 count, const double* t, int64 t_step, const double* y, const double* p, double* out,
               int64* status)

Rows of ``y`` and ``out`` follow one another (row-major); row i is evaluated at time ``t[i * t_step]``, so that a step
of 0 means one time for all. The parameters are shared, or one row each with ``own_parameters``. ``status[i]`` is what
the scalar kernel would have returned for row i; the result is the number of the first failed row plus 1, or 0.

Where fewer rows are left the last row fills the free lanes and is stored several times over: every row goes through
the same operations, hence has the same bits as in any other position, as from the scalar kernel, and with any width.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cardan.codegen import trig
from cardan.codegen.kernel_text import LANES, WIDE, Interface, KernelText
from cardan.codegen.plan import make_plan
from cardan.native.engine import host

if TYPE_CHECKING:
    from cardan.graph.node import Node


@functools.cache
def lanes() -> int:
    """How many numbers are computed side by side here: eight with AVX-512, four otherwise."""
    return WIDE if "+avx512f" in host().features.split(",") else LANES


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
    width: int = 0,
) -> str:
    """IR text of a function that evaluates a kernel for many rows, for `emit_module`; 0 is the width that suits."""
    width = width or lanes()
    interface = Interface(t, tuple(y), tuple(p), tuple(outputs), tuple(pivots))
    plan = make_plan(interface.roots, fma=fma)
    inner = KernelText(f"{name}.lanes", interface, plan, width=width, wide_parameters=own_parameters)
    return inner.text() + _Loop(width).text(name, len(y), len(p), len(outputs), own_parameters)


class _Loop:
    """The loop over blocks of rows: turn the inputs, call the kernel for all lanes, turn back what it stored."""

    def __init__(self, width: int) -> None:
        self.width, self.kind = width, trig.type_of(width)
        self.names = 0

    def text(self, name: str, ny: int, np: int, nout: int, own_parameters: bool) -> str:
        width, kind = self.width, self.kind
        lines = [
            f"define i64 @{name}(i64 %count, ptr noalias readonly %t, i64 %t_step, ptr noalias readonly %y, "
            "ptr noalias readonly %p, ptr noalias %out, ptr noalias %status) nounwind {",
            "entry:",
            *self._buffer("ys", ny),
            *self._buffer("ps", np if own_parameters else 0),
            *self._buffer("os", nout),
            f"  %ss = alloca <{width} x i64>, align {8 * width}",
            "  %last = sub i64 %count, 1",
            "  %any = icmp sgt i64 %count, 0",
            "  br i1 %any, label %block, label %end",
            "block:",
            "  %i = phi i64 [ 0, %entry ], [ %next, %block ]",
            "  %bad.before = phi i64 [ 0, %entry ], [ %bad, %block ]",
        ]
        for lane in range(width):
            lines += [
                f"  %i{lane} = add i64 %i, {lane}",
                f"  %in{lane} = icmp slt i64 %i{lane}, %last",
                f"  %row{lane} = select i1 %in{lane}, i64 %i{lane}, i64 %last",
                f"  %t.step{lane} = mul i64 %row{lane}, %t_step",
                f"  %t.row{lane} = getelementptr double, ptr %t, i64 %t.step{lane}",
            ]
        lines += self._gather("t", 0, "%t.all")
        lines += self._gather_rows("y", "ys", ny)
        lines += self._gather_rows("p", "ps", np) if own_parameters else []
        parameters = "%ps" if own_parameters else "%p"
        lines.append(f"  %r = call i64 @{name}.lanes({kind} %t.all, ptr %ys, ptr {parameters}, ptr %os, ptr %ss)")
        lines += [*self._scatter_rows(nout), *self._statuses()]
        lines += [
            f"  %next = add i64 %i, {width}",
            "  %more = icmp slt i64 %next, %count",
            "  br i1 %more, label %block, label %end",
            "end:",
            "  %failed = phi i64 [ 0, %entry ], [ %bad, %block ]",
            "  ret i64 %failed",
            "}\n",
        ]
        return "\n".join(lines)

    def _buffer(self, name: str, count: int) -> list[str]:
        return [f"  %{name} = alloca {self.kind}, i64 {max(count, 1)}, align {8 * self.width}"]

    def _gather(self, array: str, position: int, result: str) -> list[str]:
        """The numbers at ``position`` of each lane's row of the array, as one vector."""
        lines, last = [], "poison"
        for lane in range(self.width):
            x, here = self._new(), self._new() if lane < self.width - 1 else result
            lines += [
                f"  {x}.at = getelementptr double, ptr %{array}.row{lane}, i64 {position}",
                f"  {x} = load double, ptr {x}.at, align 8",
                f"  {here} = insertelement {self.kind} {last}, double {x}, i32 {lane}",
            ]
            last = here
        return lines

    def _gather_rows(self, array: str, buffer: str, count: int) -> list[str]:
        """``count`` entries of every lane's row, turned so that each entry is a vector over the lanes."""
        lines = self._rows(array, array, count)
        whole = count - count % self.width
        for first in range(0, whole, self.width):
            loaded = []
            for lane in range(self.width):
                x = self._new()
                loaded.append(x)
                lines.append(f"  {x}.at = getelementptr double, ptr %{array}.row{lane}, i64 {first}")
                lines.append(f"  {x} = load {self.kind}, ptr {x}.at, align 8")
            for entry, turned in enumerate(self._transposed(loaded, lines)):
                lines += self._store(turned, buffer, first + entry)
        for entry in range(whole, count):
            x = self._new()
            lines += [*self._gather(array, entry, x), *self._store(x, buffer, entry)]
        return lines

    def _scatter_rows(self, count: int) -> list[str]:
        lines = self._rows("o", "out", count)
        whole = count - count % self.width
        for first in range(0, whole, self.width):
            columns = []
            for entry in range(self.width):
                x = self._new()
                columns.append(x)
                lines.append(f"  {x}.at = getelementptr {self.kind}, ptr %os, i64 {first + entry}")
                lines.append(f"  {x} = load {self.kind}, ptr {x}.at")
            for lane, row in enumerate(self._transposed(columns, lines)):
                lines.append(f"  {row}.to = getelementptr double, ptr %o.row{lane}, i64 {first}")
                lines.append(f"  store {self.kind} {row}, ptr {row}.to, align 8")
        for entry in range(whole, count):
            for lane in range(self.width):
                x = self._new()
                lines += [
                    f"  {x}.from = getelementptr double, ptr %os, i64 {entry * self.width + lane}",
                    f"  {x} = load double, ptr {x}.from, align 8",
                    f"  {x}.to = getelementptr double, ptr %o.row{lane}, i64 {entry}",
                    f"  store double {x}, ptr {x}.to, align 8",
                ]
        return lines

    def _rows(self, name: str, array: str, count: int) -> list[str]:
        """Where each lane's row of an array starts."""
        lines = []
        for lane in range(self.width):
            lines.append(f"  %{name}.start{lane} = mul i64 %row{lane}, {count}")
            lines.append(f"  %{name}.row{lane} = getelementptr double, ptr %{array}, i64 %{name}.start{lane}")
        return lines

    def _store(self, value: str, buffer: str, entry: int) -> list[str]:
        return [
            f"  {value}.to = getelementptr {self.kind}, ptr %{buffer}, i64 {entry}",
            f"  store {self.kind} {value}, ptr {value}.to",
        ]

    def _transposed(self, rows: Sequence[str], lines: list[str]) -> list[str]:
        """The square of numbers in these vectors turned over: blocks of 1, 2, 4 change places with their mirror
        images [Eklundh1972]."""
        now, lanes_, size = list(rows), range(self.width), 1
        while size < self.width:
            for i in (i for i in lanes_ if not i & size):
                upper, lower = now[i], now[i + size]
                first = [j if not j & size else self.width + j - size for j in lanes_]
                second = [j + size if not j & size else self.width + j for j in lanes_]
                now[i], now[i + size] = (self._shuffle(upper, lower, mask, lines) for mask in (first, second))
            size *= 2
        return now

    def _shuffle(self, a: str, b: str, mask: Sequence[int], lines: list[str]) -> str:
        x, chosen = self._new(), ", ".join(f"i32 {j}" for j in mask)
        lines.append(f"  {x} = shufflevector {self.kind} {a}, {self.kind} {b}, <{self.width} x i32> <{chosen}>")
        return x

    def _new(self) -> str:
        self.names += 1
        return f"%x{self.names}"

    def _statuses(self) -> list[str]:
        """Store each lane's status and keep the number of the first row that failed."""
        lines = []
        for lane in range(self.width - 1, -1, -1):
            before = "0" if lane == self.width - 1 else f"%bad{lane + 1}"
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
