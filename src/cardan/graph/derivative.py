"""Exact derivatives of expressions, as expressions of the same graph.

Every operation knows its partial derivatives; the chain rule adds them up from the inputs (forward, many outputs of few
variables) or from the output (reverse, one output of many variables) [Griewank2008, ch. 3]. Structural zeros are never
multiplied or added, and what the outputs do not need is never visited.

Where an operation has no derivative, these agreements hold (the derivative from one side, or the mean of both):

- abs has derivative sign, so 0 at 0; sign, floor and the comparisons have derivative 0 everywhere;
- min and max take the derivative of the argument that is chosen; at a tie that of the constant one (so max(x, 0) has
  derivative 0 at 0), or else that of the node made earlier;
- select takes the derivative of the selected branch, and the other branch cannot disturb it even where it is infinite.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cardan.errors import DerivationError
from cardan.graph.collector import collection_paused
from cardan.graph.node import Graph, Node
from cardan.graph.traversal import as_node, live

Partial = Callable[[Node], Node]


def _reciprocal(node: Node) -> Node:
    return 1.0 / node.args[1]


def _squared_radius(node: Node) -> Node:
    y, x = node.args
    return x * x + y * y


def _arc(node: Node) -> Node:
    """1 / sqrt(1 - x^2), accurate near |x| = 1."""
    x = node.args[0]
    return 1.0 / ((1.0 - x) * (1.0 + x)).sqrt()


def _where(condition: Node, is_true: bool) -> Node:
    return condition.select(1.0, 0.0) if is_true else condition.select(0.0, 1.0)


# Derivative by each argument; an argument that is not listed has none. Constants are named by their value.
_PARTIALS: dict[str, tuple[Partial | float, ...]] = {
    "add": (1.0, 1.0),
    "sub": (1.0, -1.0),
    "neg": (-1.0,),
    "mul": (lambda n: n.args[1], lambda n: n.args[0]),
    "div": (_reciprocal, lambda n: -(n * _reciprocal(n))),
    "sqrt": (lambda n: 0.5 / n,),
    "sin": (lambda n: n.args[0].cos(),),
    "cos": (lambda n: -n.args[0].sin(),),
    "tan": (lambda n: 1.0 + n * n,),
    "asin": (_arc,),
    "acos": (lambda n: -_arc(n),),
    "atan": (lambda n: 1.0 / (1.0 + n.args[0] * n.args[0]),),
    "sinh": (lambda n: n.args[0].cosh(),),
    "cosh": (lambda n: n.args[0].sinh(),),
    "tanh": (lambda n: 1.0 - n * n,),
    "exp": (lambda n: n,),
    "log": (lambda n: 1.0 / n.args[0],),
    "pow": (lambda n: n.args[1] * n.args[0] ** (n.args[1] - 1.0), lambda n: n * n.args[0].log()),
    "atan2": (lambda n: n.args[1] / _squared_radius(n), lambda n: -(n.args[0] / _squared_radius(n))),
    "abs": (lambda n: n.args[0].sign(),),
    "min": (
        lambda n: _where(n.args[0].less_equal(n.args[1]), True),
        lambda n: _where(n.args[0].less_equal(n.args[1]), False),
    ),
    "max": (
        lambda n: _where(n.args[1].less_equal(n.args[0]), True),
        lambda n: _where(n.args[1].less_equal(n.args[0]), False),
    ),
    "select": (0.0, lambda n: _where(n.args[0], True), lambda n: _where(n.args[0], False)),
    "sign": (0.0,),
    "floor": (0.0,),
    "lt": (0.0, 0.0),
    "le": (0.0, 0.0),
    "eq": (0.0, 0.0),
}


def _partial(node: Node, partial: Partial | float) -> Node:
    return partial(node) if callable(partial) else node.graph.constant(partial)


def _times(partial: Node, factor: Node) -> Node:
    """Product that does not bother the simplifier with the commonest factors, 1 and -1."""
    if partial.value == 1:
        return factor
    return -factor if partial.value == -1 else partial * factor


def _forward(ys: Sequence[Node], seeds: dict[Node, dict[int, Node]]) -> dict[Node, dict[int, Node]]:
    """Derivatives of all nodes the outputs need, as nonzero entries by column; ``seeds`` are those of the variables."""
    rows = dict(seeds)
    for node in live(ys, given=seeds.keys()):
        if node in seeds:
            continue
        row: dict[int, Node] = {}
        for argument, rule in zip(node.args, _PARTIALS.get(node.op, ()), strict=True):
            tangents = rows.get(argument)
            if tangents and rule != 0.0:
                partial = _partial(node, rule)
                for column, tangent in tangents.items():
                    term = tangent if rule == 1.0 else _times(partial, tangent)
                    row[column] = row[column] + term if column in row else term
        row = {column: entry for column, entry in row.items() if entry.value != 0}
        if row:
            rows[node] = row
    return rows


def _reverse(y: Node, xs: Sequence[Node]) -> list[Node]:
    """Derivatives of one output by all variables."""
    active = set(xs)
    order: list[Node] = []  # what depends on a variable
    for node in live([y], given=frozenset(xs)):
        if node not in active and not active.isdisjoint(node.args):
            active.add(node)
            order.append(node)
    adjoints: dict[Node, Node] = {y: y.graph.one}
    for node in reversed(order):
        if node not in adjoints:
            continue
        adjoint = adjoints.pop(node)
        for argument, rule in zip(node.args, _PARTIALS[node.op], strict=True):
            if rule != 0.0 and argument in active:
                term = _times(_partial(node, rule), adjoint)
                adjoints[argument] = adjoints[argument] + term if argument in adjoints else term
    return [adjoints.get(x, y.graph.zero) for x in xs]


def _graph_of(xs: Sequence[Node]) -> Graph | None:
    for x in xs:
        if x.value is not None:
            raise DerivationError(f"A derivative is taken by an input or another node, found the constant {x!r}.")
    return xs[0].graph if xs else None


@collection_paused()
def gradient(y: Node | float, xs: Sequence[Node]) -> list[Node]:
    """Derivatives dy/dx_i, by one reverse sweep. The xs count as independent variables even if they are expressions."""
    graph = _graph_of(xs)
    return [] if graph is None else _reverse(as_node(y, graph), xs)


@collection_paused()
def jacobian(ys: Sequence[Node | float], xs: Sequence[Node]) -> list[list[Node]]:
    """Rows dy_i/dx_j; reverse sweeps where there are fewer outputs than variables, else one forward sweep."""
    graph = _graph_of(xs)
    if graph is None:
        return [[] for _ in ys]
    outputs = [as_node(y, graph) for y in ys]
    if len(ys) < len(xs):
        return [_reverse(y, xs) for y in outputs]
    return _dense(outputs, xs, graph)


def _dense(ys: Sequence[Node], xs: Sequence[Node], graph: Graph) -> list[list[Node]]:
    seeds: dict[Node, dict[int, Node]] = {}
    for column, x in enumerate(xs):
        seeds.setdefault(x, {})[column] = graph.one
    rows = _forward(ys, seeds)
    return [[rows.get(y, {}).get(column, graph.zero) for column in range(len(xs))] for y in ys]


@collection_paused()
def jvp(ys: Sequence[Node | float], xs: Sequence[Node], dxs: Sequence[Node | float]) -> list[Node]:
    """Directional derivatives sum_j dy_i/dx_j dx_j, by one forward sweep."""
    graph = _graph_of(xs)
    if len(xs) != len(dxs):
        raise DerivationError(f"jvp needs one rate for each variable, found {len(xs)} variables and {len(dxs)} rates.")
    if graph is None:
        raise DerivationError("jvp needs at least one variable, found none: without one the answer is 0.")
    outputs = [as_node(y, graph) for y in ys]
    seeds: dict[Node, dict[int, Node]] = {}
    for x, dx in zip(xs, dxs, strict=True):
        rate = as_node(dx, graph)
        seeds[x] = {0: seeds[x][0] + rate if x in seeds else rate}
    seeds = {x: {k: rate for k, rate in row.items() if rate.value != 0} for x, row in seeds.items()}
    rows = _forward(outputs, seeds)
    return [rows.get(y, {}).get(0, graph.zero) for y in outputs]


@collection_paused()
def hessian(y: Node | float, xs: Sequence[Node]) -> list[list[Node]]:
    """Second derivatives d2y/dx_i dx_j: forward over reverse; entry (j, i) is the same node as (i, j)."""
    graph = _graph_of(xs)
    if graph is None:
        return []
    rows = _dense(_reverse(as_node(y, graph), xs), xs, graph)
    return [[rows[min(i, j)][max(i, j)] for j in range(len(xs))] for i in range(len(xs))]
