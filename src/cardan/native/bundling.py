"""Bundles in the native language: fields, and bundles made from values or carved out of an array."""

from __future__ import annotations

import ast
from typing import NamedTuple

from cardan.native.bundles import Bundle, Kind, bundle_of, is_bundle
from cardan.native.expressions import BUNDLE, POINTERS, Expressions, Value, literal


class Bundling(Expressions):
    """Translates what a function does with bundles."""

    def _attribute(self, node: ast.Attribute) -> Value:
        path = self.path(node)
        return self.local(path) or self.constant(node, path, self._meaning(node))

    def path(self, node: ast.expr) -> str:
        """The dotted name that an expression is."""
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, ast.Attribute):
            return f"{self.path(node.value)}.{node.attr}"
        raise self.refuse(node, "only fields of bundles and of constants can be named with a dot", "Use a bundle")

    def _meaning(self, node: ast.expr) -> object:
        """What a dotted name that begins with a global one means."""
        if isinstance(node, ast.Attribute):
            return getattr(self._meaning(node.value), node.attr, None)
        assert isinstance(node, ast.Name)
        return None if node.id in self.kinds or node.id in self.bundles else self.lookup(node.id)

    def make(self, node: ast.Call, cls: type[NamedTuple]) -> Value:
        """A bundle from the values of its fields, by position or by name."""
        bundle = bundle_of(cls)
        names = [name for name, _ in bundle.fields]
        named = {one.arg: one.value for one in node.keywords if one.arg is not None}
        given = dict(zip(names, node.args, strict=False)) | named
        if len(given) != len(names) or len(node.args) + len(named) != len(names) or set(given) != set(names):
            raise self.refuse(
                node, f"bundle {bundle.name!r} has the fields {', '.join(names)}", "Give each of them once"
            )
        parts: list[Value] = []
        for name, kind in bundle.fields:
            parts += self.given(self.expression(given[name]), kind, given[name], f"field {name!r} of {bundle.name!r}")
        return Value(BUNDLE, "", None, bundle, tuple(parts))

    def given(self, value: Value, kind: Kind, node: ast.AST, what: str) -> list[Value]:
        """The value as plain values of what a parameter or field of this kind consists of."""
        if not isinstance(kind, Bundle):
            return [self.convert(value, kind, node, what)]
        if value.bundle != kind:
            found = value.kind if value.bundle is None else value.bundle.name
            raise self.refuse(node, f"{what} is a {kind.name}, but {found} is given", f"Pass a {kind.name}")
        return list(value.parts)

    def carve(self, node: ast.Call) -> Value:
        """``carve(Bundle, array, length, ...)``: parts of an array one after another, and how much they take."""
        cls = self.lookup(node.args[0].id) if node.args and isinstance(node.args[0], ast.Name) else None
        if not is_bundle(cls) or len(node.args) < 2:
            raise self.refuse(node, "carve takes a bundle, an array and lengths", "Write carve(Bundle, array, n, ...)")
        bundle, base = bundle_of(cls), self.expression(node.args[1])
        lengths = [self.integer(one) for one in node.args[2:]]
        wanted = [base.kind] * len(lengths) + ["i64"]
        if base.kind not in POINTERS or [kind for _, kind in bundle.fields] != wanted:
            fields = ", ".join(name for name, _ in bundle.fields)
            raise self.refuse(
                node,
                f"{bundle.name!r} has the fields {fields}",
                f"Give {len(bundle.fields) - 1} lengths; the last is i64",
            )
        parts, offset = [], literal(0)
        for length in lengths:
            parts.append(self.offset(base, offset))
            offset = self.binary(node, ast.Add(), offset, length)
        return Value(BUNDLE, "", None, bundle, (*parts, offset))

    def unpack(self, bundle: Bundle, text: str) -> Value:
        """A bundle that a call has returned."""
        parts = [
            self.emit(kind, f"extractvalue {text}, {k}") for k, (_, kind) in enumerate(bundle.flat(""))
        ]  # fmt: skip
        return Value(BUNDLE, "", None, bundle, tuple(parts))
