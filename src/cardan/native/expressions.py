"""Expressions of the native language as LLVM IR.

Every value is a pair (kind, text). Arithmetic follows Python: ``/`` is real division, ``//`` and ``%`` round towards
minus infinity, ``min`` and ``max`` keep the first of equals. There are no fast-math flags anywhere, so the compiled
function rounds exactly as the same source run by Python does.
"""

from __future__ import annotations

import ast
import builtins
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from cardan.native import runtime
from cardan.native.bundles import Bundle
from cardan.native.kinds import LLVM, Place
from cardan.native.signature import Callee, Signature

Table: TypeAlias = "tuple[int, ...] | tuple[float, ...]"

COMPARE = {ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Eq: "eq", ast.NotEq: "ne"}
ARITHMETIC = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul"}
POINTERS = ("Array", "IntArray")
ELEMENT = {"Array": "f64", "IntArray": "i64"}
BUNDLE = "bundle"


@dataclass(frozen=True, slots=True)
class Value:
    """A value during translation: its kind, the IR text that names it and, for constants, the constant itself.

    A bundle has the kind BUNDLE, and the values of its fields, those of inner bundles in place, as ``parts``.
    """

    kind: str
    text: str
    constant: bool | int | float | Table | None = None
    bundle: Bundle | None = None
    parts: tuple[Value, ...] = ()


@dataclass(slots=True)
class Module:
    """What the functions of one module share: constant tables, library functions, and functions to translate."""

    tables: dict[str, str] = field(default_factory=dict)  # contents -> name
    declared: set[str] = field(default_factory=set)
    callees: dict[str, Callee] = field(default_factory=dict)

    def table(self, values: Table) -> str:
        """Name of the constant array that holds these numbers."""
        kind = "double" if isinstance(values[0], float) else "i64"
        entries = ", ".join(f"{kind} {literal(v).text}" for v in values)
        return self.tables.setdefault(f"[{len(values)} x {kind}] [{entries}]", f"@table{len(self.tables)}")

    def header(self) -> list[str]:
        """Definitions of the tables and declarations of the functions used."""
        tables = [f"{name} = internal unnamed_addr constant {text}" for text, name in self.tables.items()]
        return [*tables, *sorted(self.declared)]


def real(number: float) -> str:
    """A double as IR text, every bit kept."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}"


def literal(number: float | int | bool) -> Value:
    """A Python number as a value."""
    if isinstance(number, bool):
        return Value("bool", "true" if number else "false", number)
    if isinstance(number, int):
        return Value("i64", str(number), number)
    return Value("f64", real(number), number)


class Expressions:
    """Translates expressions of one function; calls and statements are added by the classes that extend it."""

    def __init__(self, signature: Signature, file: str, scope: dict[str, object], module: Module) -> None:
        self.signature = signature
        self.file = file
        self.scope = scope
        self.module = module
        self.lines: list[str] = []
        self.slots: list[str] = []  # of the entry block
        self.kinds: dict[str, str] = {}
        self.bundles: dict[str, Bundle] = {}  # locals and fields that are bundles, by their dotted names
        self.read: set[str] = set()  # locals whose values are used
        self.counter = 0

    # -- emitting -----------------------------------------------------------------------------------------------------

    def fresh(self, stem: str = "v") -> str:
        """A name not used before in this function."""
        self.counter += 1
        return f"{stem}{self.counter}"

    def emit(self, kind: str, instruction: str) -> Value:
        """Append an instruction that has a result, and return the result."""
        name = "%" + self.fresh()
        self.lines.append(f"  {name} = {instruction}")
        return Value(kind, name)

    def label(self, name: str) -> None:
        """Begin a new basic block."""
        self.lines.append(f"{name}:")

    def jump(self, target: str) -> None:
        """Close the block with a jump."""
        self.lines.append(f"  br label %{target}")

    def branch(self, condition: Value, yes: str, no: str) -> None:
        """Close the block with a conditional jump."""
        self.lines.append(f"  br i1 {condition.text}, label %{yes}, label %{no}")

    def refuse(self, node: ast.AST, what: str, remedy: str) -> Exception:
        """The error for this piece of source."""
        line = getattr(node, "lineno", 0)
        return Place(self.signature.name, self.file, line).refuse(what, remedy)

    # -- values -------------------------------------------------------------------------------------------------------

    def expression(self, node: ast.expr) -> Value:
        """The value of any expression."""
        translate: Callable[[ast.expr], Value] | None = getattr(self, f"_{type(node).__name__.lower()}", None)
        if translate is None:
            raise self.refuse(node, f"{type(node).__name__} expressions are not supported", "Use numbers and arrays")
        return translate(node)

    def number(self, node: ast.expr) -> Value:
        """The value of an expression that must be f64 or i64."""
        value = self.expression(node)
        if value.kind not in ("f64", "i64"):
            raise self.refuse(node, f"a number is needed here, not {value.kind}", "Use an f64 or i64")
        return value

    def integer(self, node: ast.expr) -> Value:
        """The value of an expression that must be i64."""
        value = self.expression(node)
        if value.kind != "i64":
            raise self.refuse(node, f"an i64 is needed here, not {value.kind}", "Convert it with int(...)")
        return value

    def condition(self, node: ast.expr) -> Value:
        """The value of an expression that must be a truth value."""
        value = self.expression(node)
        if value.kind != "bool":
            raise self.refuse(node, f"a condition is needed here, not {value.kind}", "Compare explicitly, as in n != 0")
        return value

    def as_real(self, value: Value) -> Value:
        """The same number as f64."""
        if value.kind == "f64":
            return value
        if isinstance(value.constant, int):
            return literal(float(value.constant))
        return self.emit("f64", f"sitofp i64 {value.text} to double")

    def convert(self, value: Value, kind: str, node: ast.AST, what: str) -> Value:
        """The value as ``kind``: an i64 may become an f64, nothing else changes."""
        if value.kind == kind:
            return value
        if kind == "f64" and value.kind == "i64":
            return self.as_real(value)
        raise self.refuse(node, f"{what} is {kind}, but {value.kind} is given", f"Pass a value of kind {kind}")

    def _constant(self, node: ast.Constant) -> Value:
        if isinstance(node.value, (bool, int, float)):
            return literal(node.value)
        raise self.refuse(node, f"constant {node.value!r} is not a number", "Use floats, ints, True and False")

    def _name(self, node: ast.Name) -> Value:
        return self.local(node.id) or self.constant(node, node.id, self.lookup(node.id))

    def local(self, path: str) -> Value | None:
        """The value of a local, or of a field of a bundle, by its dotted name; None where there is none."""
        if path in self.bundles:
            bundle = self.bundles[path]
            return Value(BUNDLE, "", None, bundle, tuple(self.load(name, kind) for name, kind in bundle.flat(path)))
        kind = self.kinds.get(path)
        return None if kind is None else self.load(path, kind)

    def load(self, path: str, kind: str) -> Value:
        """What stands in the slot of a local."""
        self.read.add(path)
        return self.emit(kind, f"load {LLVM[kind]}, ptr %{path}.slot")

    def constant(self, node: ast.expr, name: str, meaning: object) -> Value:
        """A number or a table of numbers that is known when the function is compiled."""
        if isinstance(meaning, (bool, int, float)):
            return literal(meaning)
        if isinstance(meaning, tuple) and meaning and all(type(c) is type(meaning[0]) for c in meaning):
            kind = {float: "Array", int: "IntArray"}.get(type(meaning[0]))
            if kind is not None:
                return Value(kind, self.module.table(meaning), meaning)
        raise self.refuse(
            node,
            f"name {name!r} is neither a local assigned before nor a constant",
            "Assign it first, or make it a module-level float, int or tuple of floats or of ints",
        )

    def lookup(self, name: str) -> object:
        """What a global name means where the function was written."""
        return self.scope.get(name, getattr(builtins, name, None))

    def _subscript(self, node: ast.Subscript) -> Value:
        if isinstance(node.slice, ast.Slice):
            return self._offset(node)
        base = self.expression(node.value)
        if isinstance(base.constant, tuple) and isinstance(node.slice, ast.Constant):
            return self._entry(base.constant, node)
        pointer = self.element(base, node)
        kind = ELEMENT[base.kind]
        return self.emit(kind, f"load {LLVM[kind]}, ptr {pointer.text}")

    def _entry(self, constants: Table, node: ast.Subscript) -> Value:
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if not isinstance(index, int) or not 0 <= index < len(constants):
            raise self.refuse(node, f"index {index!r} is outside a table of {len(constants)}", "Use an index inside it")
        return literal(constants[index])

    def element(self, base: Value, node: ast.Subscript) -> Value:
        """Pointer to ``base[index]``."""
        if base.kind not in POINTERS:
            raise self.refuse(node, f"a value of kind {base.kind} has no entries", "Index an Array, IntArray or table")
        index = self.integer(node.slice)
        if isinstance(index.constant, int) and index.constant < 0:
            raise self.refuse(node, "indices do not count from the end", "Pass the length and subtract from it")
        return self.emit("ptr", f"getelementptr inbounds {LLVM[ELEMENT[base.kind]]}, ptr {base.text}, i64 {index.text}")

    def _offset(self, node: ast.Subscript) -> Value:
        part = node.slice
        assert isinstance(part, ast.Slice)
        base = self.expression(node.value)
        if base.kind not in POINTERS or part.lower is None or part.upper is not None or part.step is not None:
            raise self.refuse(node, "only x[k:] is supported as a slice", "Write x[k:] and pass the length separately")
        return self.offset(base, self.integer(part.lower))

    def offset(self, base: Value, start: Value) -> Value:
        """The part of an array that begins at ``start``."""
        element = LLVM[ELEMENT[base.kind]]
        return self.emit(base.kind, f"getelementptr inbounds {element}, ptr {base.text}, i64 {start.text}")

    # -- arithmetic ---------------------------------------------------------------------------------------------------

    def _unaryop(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            return self.emit("bool", f"xor i1 {self.condition(node.operand).text}, true")
        value = self.number(node.operand)
        if isinstance(node.op, ast.UAdd):
            return value
        if not isinstance(node.op, ast.USub):
            raise self.refuse(node, "bit operations are not supported", "Use arithmetic")
        if isinstance(value.constant, (int, float)):
            return literal(-value.constant)
        if value.kind == "f64":
            return self.emit("f64", f"fneg double {value.text}")
        return self.emit("i64", f"sub i64 0, {value.text}")

    def _binop(self, node: ast.BinOp) -> Value:
        left, right = self.expression(node.left), self.expression(node.right)
        if left.kind in POINTERS or right.kind in POINTERS:
            raise self.refuse(node, "arithmetic on arrays is not supported", "Write x[k:] for a part, or loop over it")
        return self.binary(node, node.op, left, right)

    def binary(self, node: ast.AST, operator: ast.operator, left: Value, right: Value) -> Value:
        """``left operator right`` with Python's meaning."""
        if left.kind not in ("f64", "i64") or right.kind not in ("f64", "i64"):
            raise self.refuse(node, f"no arithmetic between {left.kind} and {right.kind}", "Use numbers")
        if isinstance(operator, ast.Pow):
            return self._power(left, right)
        if isinstance(operator, ast.Div):
            return self.emit("f64", f"fdiv double {self.as_real(left).text}, {self.as_real(right).text}")
        whole = left.kind == right.kind == "i64"
        if type(operator) in ARITHMETIC:
            name = ARITHMETIC[type(operator)]
            if whole:
                return self.emit("i64", f"{name} i64 {left.text}, {right.text}")
            return self.emit("f64", f"f{name} double {self.as_real(left).text}, {self.as_real(right).text}")
        if not whole or not isinstance(operator, (ast.FloorDiv, ast.Mod)):
            raise self.refuse(node, f"operator {type(operator).__name__} needs i64 operands", "Use floor(a / b)")
        return self._floor_division(left.text, right.text, isinstance(operator, ast.Mod))

    def _floor_division(self, a: str, b: str, remainder_wanted: bool) -> Value:
        quotient = self.emit("i64", f"sdiv i64 {a}, {b}")
        remainder = self.emit("i64", f"srem i64 {a}, {b}")
        inexact = self.emit("bool", f"icmp ne i64 {remainder.text}, 0")
        signs = self.emit("i64", f"xor i64 {remainder.text}, {b}")
        opposite = self.emit("bool", f"icmp slt i64 {signs.text}, 0")
        fix = self.emit("bool", f"and i1 {inexact.text}, {opposite.text}")
        if remainder_wanted:
            part = self.emit("i64", f"select i1 {fix.text}, i64 {b}, i64 0")
            return self.emit("i64", f"add i64 {remainder.text}, {part.text}")
        part = self.emit("i64", f"zext i1 {fix.text} to i64")
        return self.emit("i64", f"sub i64 {quotient.text}, {part.text}")

    def _power(self, base: Value, exponent: Value) -> Value:
        """Small whole constant exponents become products (of f64 or i64); anything else is libm's pow."""
        if isinstance(exponent.constant, int) and 1 <= exponent.constant <= 4:
            result = base
            for _ in range(exponent.constant - 1):
                name = "mul i64" if base.kind == "i64" else "fmul double"
                result = self.emit(base.kind, f"{name} {result.text}, {base.text}")
            return result
        return self.library("pow", self.as_real(base), self.as_real(exponent))

    def intrinsic(self, name: str, *arguments: Value) -> Value:
        """Call an LLVM intrinsic on doubles, one that is exact or correctly rounded."""
        parameters = ", ".join("double" for _ in arguments)
        self.module.declared.add(f"declare double @llvm.{name}.f64({parameters})")
        text = ", ".join(f"double {a.text}" for a in arguments)
        return self.emit("f64", f"call double @llvm.{name}.f64({text})")

    def library(self, name: str, *arguments: Value) -> Value:
        """Call the C library, the one that Python's math module calls."""
        self.module.declared.add(runtime.declaration(name))
        text = ", ".join(f"double {a.text}" for a in arguments)
        return self.emit("f64", f"call double @{runtime.symbol(name)}({text})")

    # -- truth values -------------------------------------------------------------------------------------------------

    def compare(self, operator: str, left: Value, right: Value) -> Value:
        """``left operator right``; comparisons with nan are false, except ``!=``."""
        if left.kind == "f64" or right.kind == "f64":
            prefix = "u" if operator == "ne" else "o"
            a, b = self.as_real(left).text, self.as_real(right).text
            return self.emit("bool", f"fcmp {prefix}{operator} double {a}, {b}")
        prefix = "" if operator in ("eq", "ne") else "s"
        return self.emit("bool", f"icmp {prefix}{operator} i64 {left.text}, {right.text}")

    def _compare(self, node: ast.Compare) -> Value:
        left = self.expression(node.left)
        result: Value | None = None
        for operator, comparator in zip(node.ops, node.comparators, strict=True):
            right = self.expression(comparator)
            allowed = {left.kind, right.kind} <= {"f64", "i64", "Kernel", "Callback"}
            if type(operator) not in COMPARE or not allowed:
                raise self.refuse(node, f"cannot compare {left.kind} with {right.kind} here", "Compare numbers")
            part = self.compare(COMPARE[type(operator)], left, right)
            result = part if result is None else self.emit("bool", f"and i1 {result.text}, {part.text}")
            left = right
        assert result is not None
        return result

    def _boolop(self, node: ast.BoolOp) -> Value:
        """Short circuit: later operands are evaluated only when they matter, as guards of array indices rely on."""
        slot = self.slot("bool")
        end = self.fresh("logic")
        for k, operand in enumerate(node.values):
            value = self.condition(operand)
            self.lines.append(f"  store i1 {value.text}, ptr {slot}")
            if k == len(node.values) - 1:
                self.jump(end)
                break
            more = self.fresh("more")
            first, second = (more, end) if isinstance(node.op, ast.And) else (end, more)
            self.branch(value, first, second)
            self.label(more)
        self.label(end)
        return self.emit("bool", f"load i1, ptr {slot}")

    def _ifexp(self, node: ast.IfExp) -> Value:
        yes, no, end = self.fresh("yes"), self.fresh("no"), self.fresh("join")
        self.branch(self.condition(node.test), yes, no)
        self.label(yes)
        first = self.expression(node.body)
        slot = self.slot(first.kind)
        self.lines.append(f"  store {LLVM[first.kind]} {first.text}, ptr {slot}")
        self.jump(end)
        self.label(no)
        second = self.convert(self.expression(node.orelse), first.kind, node, "the first alternative")
        self.lines.append(f"  store {LLVM[first.kind]} {second.text}, ptr {slot}")
        self.jump(end)
        self.label(end)
        return self.emit(first.kind, f"load {LLVM[first.kind]}, ptr {slot}")

    def slot(self, kind: str) -> str:
        """A stack slot in the entry block, for a value that several blocks write."""
        name = f"%{self.fresh('slot')}"
        self.slots.append(f"  {name} = alloca {LLVM[kind]}")
        return name
