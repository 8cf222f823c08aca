"""Expressions as nodes of a graph in which equal expressions are one node.

A :class:`Graph` hands out inputs and constants; arithmetic on them makes new nodes, simplified as they are made:

>>> g = Graph()
>>> x = g.input("x")
>>> (x * x + 0) * 1 is x * x
True
>>> x - (-x)
2.0 * x

The rules look one level deep, so a node costs the same however large the expression is. They change values by rounding
only, with two agreements: 0 times anything is 0 (a structural zero; an infinite factor is not looked at) and -0.0 is
written 0.0. Their normal form: signs are pulled outward and vanish in sums and differences; a constant factor is
positive and stands first; factors that are powers of two (exact) leave products and quotients; the constant of a sum
stands first. Quotients are never cancelled, so that a singular place stays visible.
"""

from __future__ import annotations

import math
import operator
import threading
from collections.abc import Callable
from numbers import Real

from cardan.errors import DerivationError, DuplicateName
from cardan.graph.elementary import Elementary
from cardan.graph.folding import FOLDS, folded, is_power_of_two

LARGEST_UNROLLED_POWER = 64

_adding = threading.Lock()


class Graph:
    """Owner of nodes: every expression exists once, and ``index`` (order of creation) is a topological order."""

    __slots__ = ("_constants", "_tables", "inputs", "nodes", "one", "zero")

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.inputs: dict[str, Node] = {}
        self._tables: dict[str, dict[tuple[Node, ...], Node]] = {op: {} for op in FOLDS}
        self._constants: dict[float, Node] = {}
        self.zero = self.constant(0.0)
        self.one = self.constant(1.0)

    def input(self, name: str) -> Node:
        """New independent variable; its name must be unused in this graph."""
        if name in self.inputs:
            raise DuplicateName(f"The graph already has an input {name!r}: give each input its own name.", name=name)
        node = _new(self, "input", (), True)
        node.name = name
        self.inputs[name] = node
        return node

    def constant(self, value: float) -> Node:
        """The node of a number (not NaN); equal numbers are one node."""
        node = self._constants.get(value)
        if node is None:
            value = float(value) + 0.0  # -0.0 + 0.0 is 0.0
            if math.isnan(value):
                raise DerivationError("A constant must be a number, found NaN: use an input for an unknown value.")
            node = _new(self, "const", (), False)
            node.value = value
            self._constants[value] = node
        return node

    def __repr__(self) -> str:
        return f"Graph({len(self.inputs)} inputs, {len(self.nodes)} nodes)"


class Node(Elementary):
    """One expression: an operation on earlier nodes, a constant (``value``) or an input (``name``).

    Nodes are equal only if they are the same object. ``plain`` is False for the few kinds of node that arithmetic looks
    into (constants, negations, selections, multiples by a power of two).
    """

    __slots__ = ("args", "graph", "index", "name", "op", "plain", "value")

    graph: Graph
    index: int
    op: str
    args: tuple[Node, ...]
    value: float | None
    name: str | None
    plain: bool

    def __add__(self, other: Node | float) -> Node:
        b = other if type(other) is Node else _number(self.graph, other)
        if b is None:
            return NotImplemented
        if self.plain and b.plain:
            if self is b:
                return self.graph.constant(2.0) * self
            key = (self, b) if self.index <= b.index else (b, self)
            return self.graph._tables["add"].get(key) or _new(self.graph, "add", key, True)
        return _sum(self, b)

    def __sub__(self, other: Node | float) -> Node:
        b = other if type(other) is Node else _number(self.graph, other)
        if b is None:
            return NotImplemented
        if self.plain and b.plain:
            if self is b:
                return self.graph.zero
            key = (self, b)
            return self.graph._tables["sub"].get(key) or _new(self.graph, "sub", key, True)
        return _difference(self, b)

    def __mul__(self, other: Node | float) -> Node:
        b = other if type(other) is Node else _number(self.graph, other)
        if b is None:
            return NotImplemented
        if self.plain and b.plain:
            key = (self, b) if self.index <= b.index else (b, self)
            return self.graph._tables["mul"].get(key) or _new(self.graph, "mul", key, True)
        return _product(self, b)

    def __truediv__(self, other: Node | float) -> Node:
        b = other if type(other) is Node else _number(self.graph, other)
        if b is None:
            return NotImplemented
        if self.plain and b.plain:
            key = (self, b)
            return self.graph._tables["div"].get(key) or _new(self.graph, "div", key, True)
        return _quotient(self, b)

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other: float) -> Node:
        number = _number(self.graph, other)
        return NotImplemented if number is None else number - self

    def __rtruediv__(self, other: float) -> Node:
        number = _number(self.graph, other)
        return NotImplemented if number is None else number / self

    def __neg__(self) -> Node:
        args = self.args
        if self.op == "sub":
            return args[1] - args[0]
        if self.op == "add" and args[0].value is not None:
            return -args[0] - args[1]  # -(c + x) is (-c) - x
        if self.plain:
            return _intern("neg", (self,), plain=False)
        return _negation(self)

    def __pos__(self) -> Node:
        return self

    def __abs__(self) -> Node:
        return self.absolute()

    def __pow__(self, other: Node | float) -> Node:
        exponent = other if type(other) is Node else _number(self.graph, other)
        if exponent is None:
            return NotImplemented
        if exponent.value is None:
            return self.graph.one if self.value == 1 else _intern("pow", (self, exponent))
        return _power(self, exponent.value)

    def __rpow__(self, other: float) -> Node:
        number = _number(self.graph, other)
        return NotImplemented if number is None else number**self

    def _apply(self, op: str, *others: Node) -> Node:
        return _intern(op, (self, *others), plain=op != "select")

    def _lift(self, other: Node | float) -> Node:
        if type(other) is Node:
            if other.graph is not self.graph:
                raise _two_graphs(self, other)
            return other
        number = _number(self.graph, other)
        if number is None:
            raise TypeError(f"expected a graph node or a real number, found {other!r}")
        return number

    def __float__(self) -> float:
        if self.value is None:
            raise TypeError(f"{self!r} is not a constant: evaluate() gives it a number")
        return self.value

    def __repr__(self) -> str:
        if self.value is not None or self.name is not None:
            return repr(self.value) if self.name is None else self.name
        names = [f"%{a.index}" if a.args else repr(a) for a in self.args]
        symbol = {"add": "+", "sub": "-", "mul": "*", "div": "/"}.get(self.op)
        return f" {symbol} ".join(names) if symbol else f"{self.op}({', '.join(names)})"


def _new(graph: Graph, op: str, args: tuple[Node, ...], plain: bool) -> Node:
    """Make a node that is known to be new."""
    if args and (args[0].graph is not graph or args[-1].graph is not graph):
        raise _two_graphs(args[0], args[-1])
    node: Node = _allocate(Node)
    node.graph = graph
    node.op = op
    node.args = args
    node.plain = plain
    node.value = None
    node.name = None
    with _adding:  # threads that look at one model share its graph
        known = graph._tables[op].get(args) if args else None
        if known is None:
            node.index = len(graph.nodes)
            graph.nodes.append(node)
            if args:
                graph._tables[op][args] = node
    return node if known is None else known


def _number(graph: Graph, value: object) -> Node | None:
    """The constant node of a real number of any kind (NumPy's too), None for everything else."""
    return graph.constant(float(value)) if isinstance(value, (float, int, Real)) else None


def _two_graphs(a: Node, b: Node) -> DerivationError:
    return DerivationError(f"{a!r} and {b!r} belong to two graphs: build one expression in one graph.")


def _intern(op: str, args: tuple[Node, ...], plain: bool = True) -> Node:
    """The node of an operation: an earlier equal one, the folded constant, or a new one."""
    graph = args[0].graph
    node = graph._tables[op].get(args)
    if node is not None:
        return node
    values = [a.value for a in args if a.value is not None]
    if len(values) == len(args):
        value = folded(op, values)
        if value is not None:
            return graph.constant(value)
    return _new(graph, op, args, plain)


def _zero_branch(node: Node) -> bool:
    """True for select(condition, u, 0) and select(condition, 0, u)."""
    return node.op == "select" and (node.args[1].value == 0 or node.args[2].value == 0)


def _is_exact_multiple(node: Node) -> bool:
    """True for a multiple by a power of two, which is exact and moves out of products and quotients."""
    return node.op == "mul" and not node.plain


def _merged(a: Node, b: Node, combine: Callable[[Node, Node], Node]) -> Node | None:
    """Two selections by one condition as one, where that saves an operation."""
    if a.op == "select" and b.op == "select" and a.args[0] is b.args[0] and (_zero_branch(a) or _zero_branch(b)):
        return a.args[0].select(combine(a.args[1], b.args[1]), combine(a.args[2], b.args[2]))
    return None


def _sum(a: Node, b: Node) -> Node:
    if a is b:
        return a.graph.constant(2.0) * a
    if b.value is not None:
        a, b = b, a
    c = a.value
    if c is not None:
        if c == 0:
            return b
        if b.op in ("add", "sub") and b.args[0].value is not None:  # c + (d + x) and c + (d - x)
            first = a + b.args[0]
            if first.value is not None:
                return first + b.args[1] if b.op == "add" else first - b.args[1]
        return a - b.args[0] if b.op == "neg" else _intern("add", (a, b))
    if b.op == "neg":
        return a - b.args[0]
    if a.op == "neg":
        return b - a.args[0]
    return _merged(a, b, operator.add) or _intern("add", (a, b) if a.index <= b.index else (b, a))


def _difference(a: Node, b: Node) -> Node:
    if b.value is not None:
        return a + a.graph.constant(-b.value)
    if a is b:
        return a.graph.zero
    if a.value is not None:
        if a.value == 0:
            return -b
        if b.op in ("add", "sub") and b.args[0].value is not None:  # c - (d + x) and c - (d - x)
            first = a - b.args[0]
            if first.value is not None:
                return first - b.args[1] if b.op == "add" else first + b.args[1]
    if b.op == "neg":
        return a + b.args[0]
    if a.op == "neg":
        return -(a.args[0] + b)
    return _merged(a, b, operator.sub) or _intern("sub", (a, b))


def _product(a: Node, b: Node) -> Node:
    if b.value is not None:
        a, b = b, a
    if a.value is not None:
        return _multiple(a, a.value, b)
    for x, y in ((a, b), (b, a)):
        if x.op == "neg":
            return -(x.args[0] * y)
        if _zero_branch(x):  # inside, so that an infinite factor cannot meet the zero of the other branch
            return x.args[0].select(x.args[1] * y, x.args[2] * y)
    for x, y in ((a, b), (b, a)):
        if _is_exact_multiple(x):
            return x.args[0] * (x.args[1] * y)
    return _intern("mul", (a, b) if a.index <= b.index else (b, a))


def _multiple(a: Node, c: float, b: Node) -> Node:
    """c b, where ``a`` is the node of the number c."""
    if b.value is not None:
        return _intern("mul", (a, b) if a.index <= b.index else (b, a))
    if c == 0:
        return a
    if c == 1:
        return b
    if c < 0:
        return -(a.graph.constant(-c) * b)
    if b.op == "neg":
        return -(a * b.args[0])
    if _zero_branch(b):
        return b.args[0].select(a * b.args[1], a * b.args[2])
    if b.op in ("mul", "div") and b.args[0].value is not None:  # c (d x) and c (d / x)
        d = c * b.args[0].value
        if 1e-290 < abs(d) < 1e290:
            first = a.graph.constant(d)
            return first * b.args[1] if b.op == "mul" else first / b.args[1]
    return _intern("mul", (a, b), plain=not is_power_of_two(c))


def _quotient(a: Node, b: Node) -> Node:
    c = b.value
    if a.value is not None and (c is not None or a.value == 0):
        return a if c is None else _intern("div", (a, b))
    if a.op == "neg":
        return -(a.args[0] / b)
    if a.value is not None and a.value < 0:
        return -(a.graph.constant(-a.value) / b)
    if c is not None and c != 0:
        if c < 0:
            return -(a / a.graph.constant(-c))
        if is_power_of_two(c):  # and so for c = 1
            return a * a.graph.constant(1.0 / c)
    if b.op == "neg":
        return -(a / b.args[0])
    if _zero_branch(a) and c != 0:
        return a.args[0].select(a.args[1] / b, a.args[2] / b)
    if _is_exact_multiple(a):
        return a.args[0] * (a.args[1] / b)
    if _is_exact_multiple(b):
        return (1.0 / b.args[0]) * (a / b.args[1])
    return _intern("div", (a, b))


def _negation(a: Node) -> Node:
    if a.op == "neg":
        return a.args[0]
    if a.value is not None:
        return a.graph.constant(-a.value)
    if _zero_branch(a):
        return a.args[0].select(-a.args[1], -a.args[2])
    return _intern("neg", (a,), plain=False)


def _power(x: Node, exponent: float) -> Node:
    """x to a constant power: products, a square root and a reciprocal where they suffice."""
    whole = math.floor(exponent) if math.isfinite(exponent) else 0
    if exponent < 0 and abs(exponent) <= LARGEST_UNROLLED_POWER and (2 * exponent).is_integer():
        return 1.0 / _power(x, -exponent)
    if exponent not in (whole, whole + 0.5) or exponent > LARGEST_UNROLLED_POWER:
        return _intern("pow", (x, x.graph.constant(exponent)))
    factor, square = x.graph.one, x
    if exponent != whole:
        factor = x.sqrt()
    while whole:
        if whole & 1:
            factor = factor * square
        whole >>= 1
        square = square * square if whole else square
    return factor


_allocate = object.__new__
