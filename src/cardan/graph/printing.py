"""What a graph contains, for people: counts of operations and pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cardan.graph.node import Node
from cardan.graph.traversal import live

_SYMBOLS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "neg": "-", "lt": "<", "le": "<=", "eq": "=", "pow": "^"}


def operation_count(outputs: Sequence[Node]) -> dict[str, int]:
    """How often each operation is carried out to get all outputs together; inputs and constants cost nothing."""
    counts = Counter(node.op for node in live(outputs) if node.args)
    return dict(sorted(counts.items()))


def to_dot(outputs: Sequence[Node], names: Sequence[str] | None = None) -> str:
    """The graph of the outputs in the DOT language of Graphviz, inputs at the top; ``names`` label the outputs."""
    lines = ["digraph {", "  node [shape=circle, fontname=sans];"]
    for node in live(outputs):
        shape = "" if node.args else ", shape=box" if node.op == "input" else ", shape=plaintext"
        lines.append(f"  n{node.index} [label={_quoted(_label(node))}{shape}];")
        lines.extend(f"  n{a.index} -> n{node.index}{_side(node, k)};" for k, a in enumerate(node.args))
    for k, node in enumerate(outputs):
        name = names[k] if names is not None else f"output {k}"
        lines.append(f"  y{k} [label={_quoted(name)}, shape=doubleoctagon];")
        lines.append(f"  n{node.index} -> y{k};")
    return "\n".join([*lines, "}", ""])


def _label(node: Node) -> str:
    if node.value is not None:
        return f"{node.value:g}"
    return node.name if node.name is not None else _SYMBOLS.get(node.op, node.op)


def _side(node: Node, k: int) -> str:
    """Edge label where the order of arguments matters."""
    if node.op in ("sub", "div", "pow", "atan2", "lt", "le"):
        return f" [label={k + 1}]"
    return f" [label={('if', 'then', 'else')[k]}]" if node.op == "select" else ""


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
