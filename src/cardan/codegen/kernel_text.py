"""The functions of one kernel as LLVM IR text, for one number or for several side by side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import copysign
from typing import TYPE_CHECKING

from cardan.codegen import trig
from cardan.codegen.operations import ARITHMETIC, COMPARISON, Operations
from cardan.codegen.plan import TRIG, Plan
from cardan.errors import CompileError

if TYPE_CHECKING:
    from cardan.graph.node import Node

LANES = 4
WIDE = 8  # where registers are that long: see batch.py
PIVOT_THRESHOLD = 64 * 2.0**-52
LONGEST_FUNCTION = 8000  # longer kernels are cut into pieces: see level.py for the measurements
LENGTH_OF_A_PIECE = 1000
LONGEST_WITH_CARE = 20_000  # longer ones are cut into shorter pieces, and compiled quickly
LENGTH_OF_A_QUICK_PIECE = 160
SHORTEST_RUN = 8  # as many zero outputs in a row are written by a loop: LLVM is slow over thousands of stores
ZEROS = "cardan_zeros"
QUICKLY = "; compiled quickly"  # the first line of the longest texts


@dataclass(frozen=True, slots=True)
class Interface:
    """Which nodes a kernel reads (time, y, p), which it writes, and which pairs (pivot, scale) it watches."""

    t: Node | None
    y: tuple[Node, ...]
    p: tuple[Node, ...]
    outputs: tuple[Node, ...]
    pivots: tuple[tuple[Node, Node], ...]

    @property
    def roots(self) -> tuple[Node, ...]:
        """Everything that must be computed."""
        return (*self.outputs, *(node for pair in self.pivots for node in pair))


class KernelText:
    """Writes the functions of one kernel, for one number (``width`` 1) or several side by side.

    Side by side, ``y`` and ``out`` hold ``width`` numbers for each entry, ``p`` one for all unless ``wide_parameters``,
    and the statuses are stored through a last argument.
    """

    def __init__(
        self, name: str, interface: Interface, plan: Plan, *, width: int, wide_parameters: bool = False
    ) -> None:
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.]*", name):
            raise CompileError(f"{name!r} cannot name a kernel: use letters, digits and underscores.", name=name)
        self.name, self.interface, self.plan, self.width = name, interface, plan, width
        self.wide_parameters = wide_parameters
        self.ops = Operations(width)
        self._names: dict[int, str] = {}
        self.sources = {node.index: ("y", i) for i, node in enumerate(interface.y)}
        self.sources.update({node.index: ("p", i) for i, node in enumerate(interface.p)})
        if interface.t is not None:
            self.sources[interface.t.index] = ("t", 0)
        self.stores: dict[str, list[int]] = {}
        for position, node in enumerate(interface.outputs):
            if node.args:
                self.stores.setdefault(self.reference(node), []).append(position)
        self.slots: dict[str, int] = {}
        self.free: list[int] = []
        self.slot_count = 0
        self.lines: list[str] = []
        self.known: set[str] = set()

    def text(self) -> str:
        """The whole kernel as IR text."""
        pieces = _pieces(self.plan.steps)
        if len(pieces) > 1:
            return self._long_text(pieces)
        return "\n".join([self._head(self.name, ""), *self._piece(pieces[0]), *self._end(), "}\n"])

    def reference(self, node: Node) -> str:
        """The name of a value, the same in every function of the kernel."""
        name = self._names.get(node.index)
        if name is None:
            name = f"%{node.op[0]}{node.args[0].index}" if node.op in TRIG else f"%v{node.index}"
            self._names[node.index] = name
        return name

    # ------------------------------------------------------------------ one piece of straight-line code
    def _piece(self, steps: Sequence[Node]) -> list[str]:
        self.lines, self.known = [], set()
        lines, operand, ops, arithmetic = self.lines, self.operand, self.ops, self.ops.arithmetic
        groups, fused, compared = self.plan.groups, self.plan.fused, set[int]()
        for node in steps:
            index, op, args = node.index, node.op, node.args
            if index in fused:
                self._fused(node)
            elif op in ARITHMETIC:
                left, right = operand(args[0]), operand(args[1])
                lines.append(f"  %v{index}{arithmetic[op]}{left}, {right}")
            elif index in groups:
                self._sines_and_cosines(groups[index])
                continue
            elif op == "select" and args[0].op in COMPARISON and args[0].index in compared:
                chosen, other = operand(args[1]), operand(args[2])
                lines.append(ops.select_by_flag(f"%v{index}", f"%v{args[0].index}.flag", chosen, other))
            else:
                if op in COMPARISON:
                    compared.add(index)
                lines.extend(ops.write(f"%v{index}", op, tuple([operand(a) for a in args])))
            self._define(f"%v{index}")
        return lines

    def operand(self, node: Node) -> str:
        """How a line refers to ``node``, after loading it if it comes from memory."""
        if node.value is not None:
            return trig.number(node.value, self.width)
        name = self.reference(node)
        if name not in self.known:
            self.known.add(name)
            self._load(name, node)
        return name

    def _load(self, name: str, node: Node) -> None:
        kind = self.ops.kind
        if node.args:
            slot = self.slots[name]
            self.lines.append(f"  {name}.at = getelementptr {kind}, ptr %w, i64 {slot}")
            self.lines.append(f"  {name} = load {kind}, ptr {name}.at")
            return
        if node.index not in self.sources:
            raise CompileError(
                f"Input {node.name!r} is used by kernel {self.name!r} but is neither its time nor in its y or p.",
                name=node.name,
            )
        array, position = self.sources[node.index]
        if array == "t":
            self.lines.append(f"  {name} = fadd {kind} %t, {trig.number(-0.0, self.width)}")
        elif array == "p" and self.width > 1 and not self.wide_parameters:
            self.lines += [
                f"  {name}.at = getelementptr double, ptr %p, i64 {position}",
                f"  {name}.one = load double, ptr {name}.at",
                f"  {name}.ins = insertelement {kind} poison, double {name}.one, i32 0",
                f"  {name} = shufflevector {kind} {name}.ins, {kind} poison, <{self.width} x i32> zeroinitializer",
            ]
        else:
            self.lines.append(f"  {name}.at = getelementptr {kind}, ptr %{array}, i64 {position}")
            self.lines.append(f"  {name} = load {kind}, ptr {name}.at, align 8")

    def _define(self, name: str) -> None:
        self.known.add(name)
        for position in self.stores.get(name, ()):
            self._store(name, position)
        slot = self.slots.get(name)
        if slot is not None:
            self.lines.append(f"  {name}.to = getelementptr {self.ops.kind}, ptr %w, i64 {slot}")
            self.lines.append(f"  store {self.ops.kind} {name}, ptr {name}.to")

    def _store(self, value: str, position: int) -> None:
        kind = self.ops.kind
        self.lines.append(f"  %out{position} = getelementptr {kind}, ptr %out, i64 {position}")
        self.lines.append(f"  store {kind} {value}, ptr %out{position}, align 8")

    def _fused(self, node: Node) -> None:
        product_first = node.args[0].index == self.plan.fused[node.index]
        product, other = node.args if product_first else node.args[::-1]
        factors = (self.operand(product.args[0]), self.operand(product.args[1]))
        rest = self.operand(other)
        self.lines += self.ops.fused(f"%v{node.index}", node.op, factors, rest, product_first=product_first)

    def _sines_and_cosines(self, arguments: tuple[Node, ...]) -> None:
        """One call for the whole group; a group of several in a scalar kernel goes through vector code."""
        packed = self.width == 1 and len(arguments) > 1
        width = LANES if packed else self.width
        kind, first = trig.type_of(width), arguments[0].index
        pair, call = f"{{ {kind}, {kind} }}", trig.function_name("sincos", width)
        values = [self.operand(a) for a in arguments]
        given = self._pack(first, values) if packed else values[0]
        self.lines.append(f"  %sc{first} = call {pair} @{call}({kind} {given})")
        for part, letter in enumerate("sc"):
            whole = f"%{letter}{first}{'.all' if packed else ''}"
            self.lines.append(f"  {whole} = extractvalue {pair} %sc{first}, {part}")
            for lane, argument in enumerate(arguments):
                if packed:
                    self.lines.append(f"  %{letter}{argument.index} = extractelement {kind} {whole}, i32 {lane}")
                self._define(f"%{letter}{argument.index}")

    def _pack(self, first: int, values: Sequence[str]) -> str:
        kind, last = trig.type_of(LANES), "poison"
        for lane in range(LANES):
            value = values[min(lane, len(values) - 1)]
            self.lines.append(f"  %x{first}.{lane} = insertelement {kind} {last}, double {value}, i32 {lane}")
            last = f"%x{first}.{lane}"
        return last

    # -------------------------------------------------------------------------- head, end and long kernels
    def _head(self, name: str, workspace: str, *, result: str = "i64", internal: bool = False) -> str:
        status = "" if self.width == 1 else ", ptr noalias %status"
        linkage = "internal " if internal or self.width > 1 else ""
        noinline = " noinline" if internal or self.width > 1 else ""
        return (
            f"define {linkage}{result} @{name}({self.ops.kind} %t, ptr noalias readonly %y, ptr noalias readonly %p, "
            f"ptr noalias %out{status}{workspace}) nounwind{noinline} {{"
        )

    def _end(self) -> list[str]:
        """Outputs that are inputs or constants, then the status."""
        self.lines = lines = []
        for position, length in _zero_runs(self.interface.outputs):
            lines.append(f"  %zeros{position} = getelementptr {self.ops.kind}, ptr %out, i64 {position}")
            lines.append(f"  call void @{ZEROS}(ptr %zeros{position}, i64 {length * self.width})")
        cleared = {position + k for position, length in _zero_runs(self.interface.outputs) for k in range(length)}
        for position, node in enumerate(self.interface.outputs):
            if not node.args and position not in cleared:
                self._store(self.operand(node), position)
        integer = "i64" if self.width == 1 else f"<{self.width} x i64>"
        status = _whole(0, self.width)
        for index in range(len(self.interface.pivots) - 1, -1, -1):
            pivot, scale = (self.operand(node) for node in self.interface.pivots[index])
            limit = trig.number(PIVOT_THRESHOLD, self.width)
            lines.append(f"  %limit{index} = fmul {self.ops.kind} {scale}, {limit}")
            lines.append(f"  %good{index} = fcmp ogt {self.ops.kind} {pivot}, %limit{index}")
            code = _whole(index + 1, self.width)
            flag = self.ops.flag
            lines.append(f"  %status{index} = select {flag} %good{index}, {integer} {status}, {integer} {code}")
            status = f"%status{index}"
        if self.width > 1:
            lines.append(f"  store {integer} {status}, ptr %status, align 8")
            status = "0"
        lines.append(f"  ret i64 {status}")
        return lines

    def _long_text(self, pieces: Sequence[Sequence[Node]]) -> str:
        """A chain of functions; values that outlive one of them wait in the workspace, whose places are used again."""
        last_use = self._last_uses(pieces)
        ending: list[list[str]] = [[] for _ in pieces]  # by piece: names that it is the last to use
        functions, calls = [], []
        kind, status = self.ops.kind, "" if self.width == 1 else ", ptr %status"
        arguments = f"({kind} %t, ptr %y, ptr %p, ptr %out{status}, ptr %w)"
        for number, steps in enumerate(pieces):
            if number:
                self.free += [self.slots.pop(name) for name in ending[number - 1]]
            for node in steps:
                for name in self._defined(node):
                    if last_use.get(name, -1) > number:
                        self._take_slot(name)
                        ending[last_use[name]].append(name)
            part, last = f"{self.name}.part{number}", number == len(pieces) - 1
            result = "i64" if last else "void"
            lines = [self._head(part, ", ptr noalias %w", result=result, internal=True), *self._piece(steps)]
            functions += [*lines, *(self._end() if last else ["  ret void"]), "}"]
            calls.append(f"  {'%result = ' if last else ''}call {result} @{part}{arguments}")
        workspace = f"  %w = alloca {kind}, i64 {self.slot_count}, align {8 * self.width}"
        mark = [QUICKLY] if len(self.plan.steps) > LONGEST_WITH_CARE else []
        return "\n".join([*mark, *functions, self._head(self.name, ""), workspace, *calls, "  ret i64 %result", "}\n"])

    def _take_slot(self, name: str) -> None:
        if self.free:
            self.slots[name] = self.free.pop()
        else:
            self.slots[name] = self.slot_count
            self.slot_count += 1

    def _defined(self, node: Node) -> list[str]:
        group = self.plan.groups.get(node.index)
        if group is None:
            return [f"%v{node.index}"]
        return [f"%{letter}{argument.index}" for argument in group for letter in "sc"]

    def _last_uses(self, pieces: Sequence[Sequence[Node]]) -> dict[str, int]:
        last: dict[str, int] = {}
        for number, steps in enumerate(pieces):
            for node in steps:
                used = self.plan.groups.get(node.index, node.args)
                for argument in used:
                    last[self.reference(argument)] = number
                    if node.index in self.plan.fused and argument.index == self.plan.fused[node.index]:
                        last.update({self.reference(factor): number for factor in argument.args})
        for pair in self.interface.pivots:
            last.update({self.reference(node): len(pieces) - 1 for node in pair})
        return last


def _zero_runs(outputs: Sequence[Node]) -> list[tuple[int, int]]:
    """(start, length) of long runs of outputs that are zero: sparse matrices have many."""
    runs: list[tuple[int, int]] = []
    start = 0
    for position in range(len(outputs) + 1):
        node = outputs[position] if position < len(outputs) else None
        if node is None or node.value != 0.0 or copysign(1.0, node.value) < 0:
            if position - start >= SHORTEST_RUN:
                runs.append((start, position - start))
            start = position + 1
    return runs


def _pieces(steps: Sequence[Node]) -> list[Sequence[Node]]:
    """The whole as one piece, or many short pieces of about equal length where it is long."""
    if len(steps) <= LONGEST_FUNCTION:
        return [steps]
    wanted = LENGTH_OF_A_PIECE if len(steps) <= LONGEST_WITH_CARE else LENGTH_OF_A_QUICK_PIECE
    count = max(1, round(len(steps) / wanted))
    length = -(-len(steps) // count)
    return [steps[start : start + length] for start in range(0, len(steps), length)]


def _whole(value: int, width: int) -> str:
    return str(value) if width == 1 else "<" + ", ".join([f"i64 {value}"] * width) + ">"
