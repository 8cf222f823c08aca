"""The same kernel as portable C99 text, for use outside Python.

It needs a C99 compiler and <math.h>, nothing else. Sines and cosines are the C library's, so results may differ from
those of the compiled kernel in the last bits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cardan.codegen.kernel_text import PIVOT_THRESHOLD, Interface
from cardan.codegen.plan import make_plan
from cardan.errors import CompileError

if TYPE_CHECKING:
    from cardan.graph.node import Node

_FORMS = {
    "add": "{0} + {1}",
    "sub": "{0} - {1}",
    "mul": "{0} * {1}",
    "div": "{0} / {1}",
    "neg": "-{0}",
    "abs": "fabs({0})",
    "sign": "({0} > 0.0) ? 1.0 : (({0} < 0.0) ? -1.0 : (({0} == 0.0) ? 0.0 : {0}))",
    "min": "({0} != {0} || {0} < {1}) ? {0} : {1}",
    "max": "({0} != {0} || {0} > {1}) ? {0} : {1}",
    "lt": "({0} < {1}) ? 1.0 : 0.0",
    "le": "({0} <= {1}) ? 1.0 : 0.0",
    "eq": "({0} == {1}) ? 1.0 : 0.0",
    "select": "({0} != 0.0) ? {1} : {2}",
    "pow": "pow({0}, {1})",
    "atan2": "atan2({0}, {1})",
}
_FORMS.update(
    {
        name: name + "({0})"
        for name in ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "floor")
    }
)
_RESERVED = frozenset(
    "auto break case char const continue default do double else enum extern float for goto if inline int long register "
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while".split()
)


def to_c(
    name: str,
    *,
    t: Node | None,
    y: Sequence[Node],
    p: Sequence[Node],
    outputs: Sequence[Node],
    pivots: Sequence[tuple[Node, Node]] = (),
) -> str:
    """C99 text of ``int64_t name(double t, const double *y, const double *p, double *out)``.

    It stores ``outputs`` in ``out``, which must not overlap ``y`` or ``p``, and returns 0, or 1 + the index of the
    first pivot for which not (pivot > 64 eps scale).
    """
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) or name in _RESERVED:
        raise CompileError(f"{name!r} cannot name a function in C: use letters, digits and underscores.", name=name)
    writer = _CText(name, Interface(t, tuple(y), tuple(p), tuple(outputs), tuple(pivots)))
    return writer.text()


class _CText:
    def __init__(self, name: str, interface: Interface) -> None:
        self.name, self.interface = name, interface
        self.inputs = {node.index: f"y[{i}]" for i, node in enumerate(interface.y)}
        self.inputs.update({node.index: f"p[{i}]" for i, node in enumerate(interface.p)})
        if interface.t is not None:
            self.inputs[interface.t.index] = "t"

    def text(self) -> str:
        interface = self.interface
        steps = make_plan(interface.roots, together=0).steps
        body = [f"    const double {self.operand(node)} = {self.expression(node)};" for node in steps]
        body += [f"    out[{i}] = {self.operand(node)};" for i, node in enumerate(interface.outputs)]
        for index, (pivot, scale) in enumerate(interface.pivots):
            limit = f"{_number(PIVOT_THRESHOLD)} * {self.operand(scale)}"
            body.append(f"    if (!({self.operand(pivot)} > {limit})) return {index + 1};")
        unused = " ".join(f"(void){argument};" for argument in ("t", "y", "p", "out"))
        lines = [
            "#include <math.h>",
            "#include <stdint.h>",
            "",
            "#if defined(__STDC__) && !(defined(__GNUC__) && !defined(__clang__))",
            "#pragma STDC FP_CONTRACT OFF",
            "#endif",
            "",
            *self._legend(),
            f"int64_t {self.name}(double t, const double *y, const double *p, double *out)",
            "{",
            f"    {unused}",
            *body,
            "    return 0;",
            "}",
            "",
        ]
        return "\n".join(lines)

    def operand(self, node: Node) -> str:
        if node.value is not None:
            return _number(node.value)
        if node.args:
            return f"v{node.index}"
        if node.index not in self.inputs:
            raise CompileError(
                f"Input {node.name!r} is used by kernel {self.name!r} but is neither its time nor in its y or p.",
                name=node.name,
            )
        return self.inputs[node.index]

    def expression(self, node: Node) -> str:
        form = _FORMS.get(node.op)
        if form is None:
            raise CompileError(f"No C is known for the operation {node.op!r}.", operation=node.op)
        return form.format(*(self.operand(a) for a in node.args))

    def _legend(self) -> list[str]:
        """A comment naming the entries of y and p."""
        rows = [f"{array}[{i}] {node.name}" for array in "yp" for i, node in enumerate(getattr(self.interface, array))]
        return ["/* " + row.replace("*/", "* /") + " */" for row in rows]


def _number(value: float) -> str:
    """A C constant that reads back as exactly ``value``; negative ones in parentheses."""
    if value in (float("inf"), float("-inf")):
        return "HUGE_VAL" if value > 0 else "(-HUGE_VAL)"
    text = repr(float(value))
    return text if value >= 0 else f"({text})"
