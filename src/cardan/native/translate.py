"""Statements and whole functions of the native language as LLVM IR text.

Locals live in stack slots of the entry block, which LLVM's mem2reg turns into registers; so the translation needs no
data-flow analysis of its own, and a variable has one kind, fixed by its first assignment.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from cardan.native.bundles import Bundle, Kind, llvm_type
from cardan.native.calls import Calls
from cardan.native.expressions import ELEMENT, Module, Value, literal
from cardan.native.kinds import LLVM
from cardan.native.signature import Callee, Signature

INLINED = 30  # lines of IR; longer functions are called, not copied


def definition(function: Callee, lines: list[str], *, exported: bool) -> str:
    """The text of a function."""
    signature = function.signature
    arguments = ", ".join(f"{LLVM[kind]} %{name}.given" for name, kind in signature.flat)
    linkage = "" if exported else "internal "
    # Inlining everything and unrolling every loop makes compilation five times longer and loops no faster.
    # Without "no-builtins" LLVM would turn loops into calls of memset, which not every system lets it find.
    attributes = ['"no-builtins" '] if function.wide else ['"no-builtins" optsize ']
    if isinstance(signature.result, Bundle) or function.inline:
        attributes.append("alwaysinline ")  # the fields of a bundle become locals of the caller
    elif len(lines) > INLINED:
        attributes.append("noinline ")
    kind = llvm_type(signature.result)
    head = f'define {linkage}{kind} @"{signature.symbol}"({arguments}) {"".join(attributes)}{{\nentry:'
    return "\n".join([head, *lines, "}"])


class Translator(Calls):
    """Translates one function."""

    def __init__(self, signature: Signature, file: str, scope: dict[str, object], module: Module) -> None:
        super().__init__(signature, file, scope, module)
        self.loops: list[tuple[str, str]] = []  # (label of continue, label of break)
        self.broken: set[str] = set()  # loops that a break leaves
        self.written: set[str] = set()  # parameters that are assigned

    def function(self, tree: ast.FunctionDef) -> list[str]:
        """The lines of the function, those before and behind them aside."""
        s = self.signature
        for name, kind in s.parameters:
            if isinstance(kind, Bundle):
                self.name_bundle(name, kind)
        for name, plain in s.flat:
            self.kinds[name] = plain
        self.block(tree.body)
        if not self.closed():
            if s.result != "None":
                raise self.refuse(tree, f"a path ends without returning {self._result}", "End every path with return")
            self.lines.append("  ret void")
        return [*self._entrance(), *self.lines]

    def _entrance(self) -> list[str]:
        """Slots of the parameters that are used, and of all other locals; the parameters are put into theirs."""
        given = [(name, kind) for name, kind in self.signature.flat if name in self.read or name in self.written]
        slots = [f"  %{name}.slot = alloca {LLVM[kind]}" for name, kind in given]
        stores = [f"  store {LLVM[kind]} %{name}.given, ptr %{name}.slot" for name, kind in given]
        return [*slots, *self.slots, *stores]

    def name_bundle(self, path: str, bundle: Bundle) -> None:
        """Let a dotted name, and the inner bundles of what it names, be known as bundles."""
        self.bundles[path] = bundle
        for name, kind in bundle.fields:
            if isinstance(kind, Bundle):
                self.name_bundle(f"{path}.{name}", kind)

    def declare(self, name: str, kind: str) -> None:
        """Give a local its kind and its slot."""
        self.kinds[name] = kind
        self.slots.append(f"  %{name}.slot = alloca {LLVM[kind]}")

    @property
    def _result(self) -> str:
        result = self.signature.result
        return result.name if isinstance(result, Bundle) else result

    def closed(self) -> bool:
        """Whether the current block has already been left."""
        return bool(self.lines) and self.lines[-1].startswith(("  br ", "  ret "))

    def block(self, body: list[ast.stmt]) -> None:
        """Translate statements in order."""
        for node in body:
            if self.closed():
                raise self.refuse(node, "this statement can never be reached", "Remove it")
            translate: Callable[[ast.stmt], None] | None = getattr(self, f"_do_{type(node).__name__.lower()}", None)
            if translate is None:
                raise self.refuse(
                    node,
                    f"{type(node).__name__} statements are not supported",
                    "Use assignments, if, while, for, return",
                )
            translate(node)

    # -- assignments --------------------------------------------------------------------------------------------------

    def _do_pass(self, node: ast.Pass) -> None:
        pass

    def _do_expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return  # a docstring
        if not isinstance(node.value, ast.Call):
            raise self.refuse(node, "an expression without effect", "Assign it or remove it")
        self.expression(node.value)

    def _do_assign(self, node: ast.Assign) -> None:
        if len(node.targets) != 1:
            raise self.refuse(node, "chained assignment is not supported", "Write one assignment per line")
        target = node.targets[0]
        if isinstance(target, ast.Tuple):
            if not isinstance(node.value, ast.Tuple) or len(node.value.elts) != len(target.elts):
                raise self.refuse(node, "both sides need the same number of items", "Write a, b = x, y")
            values = [self.expression(v) for v in node.value.elts]
            for part, value in zip(target.elts, values, strict=True):
                self.assign(part, value)
        else:
            self.assign(target, self.expression(node.value))

    def _do_augassign(self, node: ast.AugAssign) -> None:
        target = node.target
        if isinstance(target, ast.Subscript):
            base = self.expression(target.value)
            pointer = self.element(base, target)
            kind = ELEMENT[base.kind]
            old = self.emit(kind, f"load {LLVM[kind]}, ptr {pointer.text}")
            new = self.binary(node, node.op, old, self.number(node.value))
            self._store(pointer, self.convert(new, kind, node, "the array entry"))
        else:
            self.assign(target, self.binary(node, node.op, self.expression(target), self.number(node.value)))

    def assign(self, target: ast.expr, value: Value) -> None:
        """Store into a local or an array entry."""
        if isinstance(target, ast.Subscript):
            base = self.expression(target.value)
            if base.constant is not None:
                raise self.refuse(target, "a constant table cannot be written", "Pass an Array instead")
            pointer = self.element(base, target)
            self._store(pointer, self.convert(value, ELEMENT[base.kind], target, "the array entry"))
            return
        if not isinstance(target, ast.Name):
            raise self.refuse(target, "only names and array entries can be assigned", "Write x = ... or x[i] = ...")
        if value.kind == "None":
            raise self.refuse(target, "the call returns nothing", "Give the function a result, or do not assign it")
        if value.bundle is not None or target.id in self.bundles:
            self._assign_bundle(target, value)
            return
        known = self.kinds.get(target.id)
        if known is None:
            self.declare(target.id, value.kind)
        elif known != value.kind:
            raise self.refuse(
                target,
                f"{target.id!r} is {known} since its first assignment, now it would become {value.kind}",
                "Use float(...) or int(...), write 0.0 instead of 0, or choose another name",
            )
        self.written.add(target.id)
        self._store(Value("ptr", f"%{target.id}.slot"), value)

    def _assign_bundle(self, target: ast.Name, value: Value) -> None:
        """Give every field of a local bundle its value."""
        name, bundle = target.id, self.bundles.get(target.id)
        if value.bundle is None or name in self.kinds or (bundle is not None and bundle != value.bundle):
            raise self.refuse(target, f"{name!r} was of another kind before", "Choose another name")
        if bundle is None:
            self.name_bundle(name, value.bundle)
            for path, kind in value.bundle.flat(name):
                self.declare(path, kind)
        for (path, _), part in zip(value.bundle.flat(name), value.parts, strict=True):
            self.written.add(path)
            self._store(Value("ptr", f"%{path}.slot"), part)

    def _store(self, pointer: Value, value: Value) -> None:
        self.lines.append(f"  store {LLVM[value.kind]} {value.text}, ptr {pointer.text}")

    # -- control flow -------------------------------------------------------------------------------------------------

    def _do_return(self, node: ast.Return) -> None:
        result = self.signature.result
        if result == "None":
            if node.value is not None:
                raise self.refuse(node, "the function is annotated to return None", "Annotate f64 or i64")
            self.lines.append("  ret void")
            return
        if node.value is None:
            raise self.refuse(
                node, f"the function must return {self._result}", f"Return a value of kind {self._result}"
            )
        parts = self.given(self.expression(node.value), result, node, "the result")
        self.lines.append(f"  ret {llvm_type(result)} {self._pack(result, parts)}")

    def _pack(self, result: Kind, parts: list[Value]) -> str:
        """The text of a result: a number, or the fields of a bundle put together."""
        text = "undef" if isinstance(result, Bundle) else parts[0].text
        for k, part in enumerate(parts if isinstance(result, Bundle) else []):
            inserted = f"insertvalue {llvm_type(result)} {text}, {LLVM[part.kind]} {part.text}, {k}"
            text = self.emit(part.kind, inserted).text
        return text

    def _do_if(self, node: ast.If) -> None:
        yes, no, end = self.fresh("then"), self.fresh("else"), self.fresh("end")
        self.branch(self.condition(node.test), yes, no if node.orelse else end)
        self.label(yes)
        self.block(node.body)
        open_ends = not node.orelse
        if not self.closed():
            self.jump(end)
            open_ends = True
        if node.orelse:
            self.label(no)
            self.block(node.orelse)
            if not self.closed():
                self.jump(end)
                open_ends = True
        if open_ends:
            self.label(end)

    def _do_while(self, node: ast.While) -> None:
        if node.orelse:
            raise self.refuse(node, "while ... else is not supported", "Use a flag")
        test, body, end = self.fresh("test"), self.fresh("body"), self.fresh("done")
        self.jump(test)
        self.label(test)
        forever = isinstance(node.test, ast.Constant) and node.test.value is True
        if forever:
            self.jump(body)
        else:
            self.branch(self.condition(node.test), body, end)
        self.label(body)
        self._loop(node.body, test, end)
        if not forever or end in self.broken:
            self.label(end)

    def _loop(self, body: list[ast.stmt], again: str, end: str) -> None:
        self.loops.append((again, end))
        self.block(body)
        self.loops.pop()
        if not self.closed():
            self.jump(again)

    def _do_for(self, node: ast.For) -> None:
        call = node.iter
        is_range = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and self.lookup(call.func.id) is range
        if not is_range or not isinstance(node.target, ast.Name) or node.orelse:
            raise self.refuse(node, "only 'for name in range(...)' is supported", "Loop over indices")
        assert isinstance(call, ast.Call)
        if not 1 <= len(call.args) <= 3:
            raise self.refuse(
                node, f"range takes 1 to 3 arguments, not {len(call.args)}", "Write range(start, stop, step)"
            )
        bounds = [self.integer(a) for a in call.args]
        start, stop = (literal(0), bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])
        step = bounds[2].constant if len(bounds) == 3 else 1
        if not isinstance(step, int) or step == 0:
            raise self.refuse(
                node, "the step of a range must be a constant other than 0", "Write a number, or use while"
            )
        test, body, more, end = (self.fresh(s) for s in ("test", "body", "next", "done"))
        counter = self.slot("i64")
        self._store(Value("ptr", counter), start)
        self.jump(test)
        self.label(test)
        now = self.emit("i64", f"load i64, ptr {counter}")
        self.branch(self.compare("lt" if step > 0 else "gt", now, stop), body, end)
        self.label(body)
        self.assign(node.target, now)
        self._loop(node.body, more, end)
        self.label(more)
        now = self.emit("i64", f"load i64, ptr {counter}")
        self._store(Value("ptr", counter), self.emit("i64", f"add nsw i64 {now.text}, {step}"))
        self.jump(test)
        self.label(end)

    def _do_break(self, node: ast.Break) -> None:
        self.broken.add(self.loops[-1][1])
        self.jump(self.loops[-1][1])

    def _do_continue(self, node: ast.Continue) -> None:
        self.jump(self.loops[-1][0])
