"""Calls in the native language: other native functions, kernels by address, and a few functions known by name.

Known functions are recognised by what a name means where the function was written (``from math import sqrt``), not by
the name itself.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence

from cardan.native.bundles import Bundle, Kind, carve, is_bundle, llvm_type
from cardan.native.bundling import Bundling
from cardan.native.expressions import BUNDLE, Value, real
from cardan.native.kinds import FUNCTION_TYPES, LLVM
from cardan.native.signature import Callee

EXACT: dict[object, str] = {math.sqrt: "sqrt", math.fabs: "fabs"}
LIBRARY: dict[object, str] = {math.sin: "sin", math.cos: "cos", math.exp: "exp", math.log: "log"}


class Calls(Bundling):
    """Translates the calls of one function."""

    def _call(self, node: ast.Call) -> Value:
        name = self.path(node.func)
        if name in self.kinds:
            return self._call_address(node, name)
        if not isinstance(node.func, ast.Name) or any(isinstance(a, ast.Starred) for a in node.args):
            raise self.refuse(
                node, "only name(a, b, ...) is supported as a call", "Import the function, pass by position"
            )
        function = self.lookup(name)
        if is_bundle(function):
            return self.make(node, function)
        if node.keywords:
            raise self.refuse(node, "only bundles are made with name=value", "Pass by position")
        if function is carve:
            return self.carve(node)
        if isinstance(function, Callee):
            signature = function.signature
            self.module.callees.setdefault(signature.symbol, function)
            return self.call(node, f'@"{signature.symbol}"', signature.kinds, signature.result, name)
        return self._call_known(node, name, function)

    def _call_address(self, node: ast.Call, name: str) -> Value:
        kind = self.kinds[name]
        if kind not in FUNCTION_TYPES:
            raise self.refuse(node, f"{name!r} is {kind} and cannot be called", "Annotate it as Kernel or Callback")
        address = self.load(name, kind)
        pointer = self.emit("ptr", f"inttoptr i64 {address.text} to ptr")
        return self.call(node, pointer.text, FUNCTION_TYPES[kind], "i64", name)

    def call(self, node: ast.Call, target: str, kinds: Sequence[Kind], result: Kind, name: str) -> Value:
        """Call a function of the module or an address."""
        if len(node.args) != len(kinds):
            raise self.refuse(
                node, f"{name!r} takes {len(kinds)} arguments, {len(node.args)} are given", "Pass them all"
            )
        values = [self.expression(a) for a in node.args]
        given: list[Value] = []
        for j, (value, kind, argument) in enumerate(zip(values, kinds, node.args, strict=True)):
            given += self.given(value, kind, argument, f"argument {j + 1} of {name!r}")
        text = f"call {llvm_type(result)} {target}({', '.join(f'{LLVM[g.kind]} {g.text}' for g in given)})"
        if isinstance(result, Bundle):
            return self.unpack(result, f"{llvm_type(result)} {self.emit(BUNDLE, text).text}")
        if result != "None":
            return self.emit(result, text)
        self.lines.append(f"  {text}")
        return Value("None", "")

    def _call_known(self, node: ast.Call, name: str, function: object) -> Value:
        arguments = [self.number(a) for a in node.args]
        if function in (min, max) and len(arguments) >= 2:
            return self._extreme("lt" if function is min else "gt", arguments)
        if len(arguments) == 1:
            (x,) = arguments
            if function in EXACT:
                return self.intrinsic(EXACT[function], self.as_real(x))
            if function in LIBRARY:
                return self.library(LIBRARY[function], self.as_real(x))
            if function is abs and x.kind == "f64":
                return self.intrinsic("fabs", x)
            if function is abs:
                return self._extreme("gt", [x, self.emit("i64", f"sub i64 0, {x.text}")])
            if function is float:
                return self.as_real(x)
            if function is int:
                return x if x.kind == "i64" else self.emit("i64", f"fptosi double {x.text} to i64")
            if function is math.floor:
                return self.emit("i64", f"fptosi double {self.intrinsic('floor', self.as_real(x)).text} to i64")
            if function is math.isfinite:
                size = self.intrinsic("fabs", self.as_real(x))
                return self.emit("bool", f"fcmp olt double {size.text}, {real(math.inf)}")
        if function is math.copysign and len(arguments) == 2:
            return self.intrinsic("copysign", *(self.as_real(a) for a in arguments))
        raise self.refuse(
            node,
            f"{name!r} with {len(arguments)} argument(s) is not known here",
            "Call native functions, kernels, abs min max float int, or math.sqrt sin cos exp log fabs floor copysign",
        )

    def _extreme(self, operator: str, values: list[Value]) -> Value:
        """Python's min and max: a later value wins only when it compares strictly."""
        kind = "f64" if any(v.kind == "f64" for v in values) else "i64"
        values = [self.as_real(v) for v in values] if kind == "f64" else values
        best = values[0]
        for value in values[1:]:
            better = self.compare(operator, value, best)
            best = self.emit(kind, f"select i1 {better.text}, {LLVM[kind]} {value.text}, {LLVM[kind]} {best.text}")
        return best
