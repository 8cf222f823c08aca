"""Walking over a graph, rebuilding parts of it, and sums that leave out what is zero."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import overload

from cardan.errors import DerivationError
from cardan.graph.collector import collection_paused
from cardan.graph.node import Graph, Node

_BUILDERS: dict[str, Callable[..., Node]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "neg": operator.neg,
    "pow": operator.pow,
    "abs": Node.absolute,
    "min": Node.minimum,
    "max": Node.maximum,
    "lt": Node.less,
    "le": Node.less_equal,
    "eq": Node.equal,
}


def apply(op: str, args: Sequence[Node]) -> Node:
    """The simplified node of an operation named as in ``Node.op``."""
    build = _BUILDERS.get(op) or getattr(Node, op)
    return build(*args)


def live(outputs: Iterable[Node], given: Collection[Node] = frozenset()) -> list[Node]:
    """All nodes that the outputs need, arguments before users; what lies behind ``given`` nodes is left out."""
    seen: set[Node] = set()
    waiting = list(outputs)
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            if node not in given:
                waiting.extend(node.args)
    return sorted(seen, key=operator.attrgetter("index"))


@collection_paused()
def substitute(nodes: Sequence[Node], replacements: Mapping[Node, Node | float]) -> list[Node]:
    """The nodes with every occurrence of a key replaced by its value, all at once, simplified again."""
    changed: dict[Node, Node] = {
        old: new if isinstance(new, Node) else old.graph.constant(new) for old, new in replacements.items()
    }
    for node in live(nodes, given=replacements.keys()):
        if node not in changed and any(a in changed for a in node.args):
            changed[node] = apply(node.op, [changed.get(a, a) for a in node.args])
    return [changed.get(node, node) for node in nodes]


def as_node(value: Node | float, graph: Graph) -> Node:
    """``value`` itself, or the constant node of a number."""
    return value if isinstance(value, Node) else graph.constant(float(value))


def is_zero(value: Node | float) -> bool:
    """True for a structural zero: the number 0 or its node."""
    return (value.value if isinstance(value, Node) else value) == 0


@overload
def sum_of(terms: Iterable[Node]) -> Node: ...
@overload
def sum_of(terms: Iterable[Node | float]) -> Node | float: ...
def sum_of(terms: Iterable[Node | float]) -> Node | float:
    """Sum from left to right of at least one term, structural zeros left out."""
    total: Node | float | None = None
    zero: Node | float | None = None
    for term in terms:
        if not is_zero(term):
            total = term if total is None else total + term
        elif zero is None or isinstance(term, Node):
            zero = term
    if total is not None:
        return total
    if zero is None:
        raise DerivationError("sum_of and dot need at least one term, found none: write 0 for an empty sum.")
    return zero


@overload
def dot(xs: Sequence[Node], ys: Sequence[Node | float]) -> Node: ...
@overload
def dot(xs: Sequence[Node | float], ys: Sequence[Node]) -> Node: ...
@overload
def dot(xs: Sequence[Node | float], ys: Sequence[Node | float]) -> Node | float: ...
def dot(xs: Sequence[Node | float], ys: Sequence[Node | float]) -> Node | float:
    """Sum of products x_i y_i, from left to right, structural zeros left out."""
    if len(xs) != len(ys):
        raise DerivationError(f"dot needs two lists of one length, found {len(xs)} and {len(ys)} entries.")
    return sum_of(x * y for x, y in zip(xs, ys, strict=True))


def with_one_constant(node: Node) -> Node:
    """The same sum with its constants put together, so that what is left of large ones is rounded as little.

    (7 + x) - (6 + y) becomes 1 + x - y; constants inside products and functions stay where they are.
    """
    constant, terms = 0.0, []
    pending = [(node, 1.0)]
    while pending:
        part, sign = pending.pop()
        if part.value is not None:
            constant += sign * part.value
        elif part.op in ("add", "sub"):
            pending.append((part.args[1], sign if part.op == "add" else -sign))
            pending.append((part.args[0], sign))
        elif part.op == "neg":
            pending.append((part.args[0], -sign))
        else:
            terms.append((part, sign))
    total = node.graph.constant(constant)
    for term, sign in terms:
        total = total + term if sign > 0 else total - term
    return total
