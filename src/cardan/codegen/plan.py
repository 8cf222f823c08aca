"""The order in which a kernel's operations are computed, and which of them are computed together.

A plan is the same for the scalar and the vector text of a kernel, which is why both give the same bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardan.graph.node import Node

LEAVES = ("input", "const")
TRIG = ("sin", "cos")


@dataclass(frozen=True, slots=True)
class Plan:
    """Operations in an order that can be computed.

    ``steps``     nodes, where the first sine or cosine of a group stands for the whole group
    ``groups``    by index of such a node: the arguments whose sine and cosine are computed side by side
    ``fused``     by index of a sum or difference: the product (index) that is fused into it
    """

    steps: tuple[Node, ...]
    groups: dict[int, tuple[Node, ...]]
    fused: dict[int, int]


def make_plan(roots: Sequence[Node], *, together: int = 1, fma: bool = False) -> Plan:
    """The order for computing ``roots``: each value shortly before its use, so that few wait in registers.

    The sines and cosines of up to ``together`` arguments that do not depend on one another form a group; with 0 each
    is a step of its own.
    With ``fma`` every product that is used once, in a sum or difference, is fused into it.
    """
    nodes = _live(roots)
    groups = _trig_groups(nodes, together) if together else {}
    fused = _fusible(nodes, roots) if fma else {}
    return Plan(tuple(_schedule(roots, groups, set(fused.values()))), {n.index: g for n, g in _leaders(groups)}, fused)


def _live(roots: Sequence[Node]) -> list[Node]:
    """All nodes that ``roots`` depend on, in order of creation."""
    seen: dict[int, Node] = {}
    stack = list(roots)
    while stack:
        node = stack.pop()
        if node.index not in seen:
            seen[node.index] = node
            stack.extend(node.args)
    return [seen[index] for index in sorted(seen)]


def _trig_groups(nodes: Iterable[Node], together: int) -> dict[int, tuple[Node, tuple[Node, ...]]]:
    """By index of every live sine and cosine: the first node of its group, and the group's arguments.

    Two arguments may share a group if equally many sines and cosines lie, one behind the other, below them.
    """
    depth: dict[int, int] = {}
    waiting: dict[int, list[Node]] = {}
    members: dict[int, list[Node]] = {}
    for node in nodes:
        below = max((depth[a.index] for a in node.args), default=0)
        if node.op in TRIG:
            argument = node.args[0]
            if argument.index not in members:
                waiting.setdefault(below, []).append(argument)
            members.setdefault(argument.index, []).append(node)
            below += 1
        depth[node.index] = below
    groups: dict[int, tuple[Node, tuple[Node, ...]]] = {}
    for arguments in waiting.values():
        for start in range(0, len(arguments), together):
            group = tuple(arguments[start : start + together])
            leader = members[group[0].index][0]
            for argument in group:
                for node in members[argument.index]:
                    groups[node.index] = (leader, group)
    return groups


def _leaders(groups: dict[int, tuple[Node, tuple[Node, ...]]]) -> Iterable[tuple[Node, tuple[Node, ...]]]:
    return {leader.index: (leader, group) for leader, group in groups.values()}.values()


def _fusible(nodes: Sequence[Node], roots: Sequence[Node]) -> dict[int, int]:
    """By index of a sum or difference: a product that nothing else uses."""
    uses: dict[int, int] = {}
    for node in nodes:
        for argument in node.args:
            uses[argument.index] = uses.get(argument.index, 0) + 1
    for root in roots:
        uses[root.index] = uses.get(root.index, 0) + 1
    fused: dict[int, int] = {}
    for node in nodes:
        if node.op in ("add", "sub"):
            for argument in node.args:
                if argument.op == "mul" and uses[argument.index] == 1:
                    fused[node.index] = argument.index
                    break
    return fused


def _schedule(
    roots: Sequence[Node], groups: dict[int, tuple[Node, tuple[Node, ...]]], absorbed: set[int]
) -> Iterable[Node]:
    """Depth first from each root: a node follows its arguments, a group the arguments of all its members."""
    done: set[int] = set()
    for root in roots:
        stack: list[tuple[Node, bool]] = [(root, False)]
        while stack:
            node, ready = stack.pop()
            arguments = node.args
            if node.index in groups:
                node, arguments = groups[node.index]
            if node.index in done or not arguments:
                continue
            if ready:
                done.add(node.index)
                if node.index not in absorbed:
                    yield node
                continue
            stack.append((node, True))
            for argument in reversed(arguments):
                if argument.index not in done:
                    stack.append((argument, False))
