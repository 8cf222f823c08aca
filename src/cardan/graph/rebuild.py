"""An expression again, in numbers of another kind: those of CasADi, JAX, or any library with the same operations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from cardan.errors import DerivationError
from cardan.graph.node import Node
from cardan.graph.traversal import live

Number = TypeVar("Number")


def rebuild(
    outputs: Sequence[Node],
    values: Mapping[Node, Number],
    constant: Callable[[float], Number],
    functions: Mapping[str, Callable[..., Number]],
) -> list[Number]:
    """The outputs over ``values`` of their inputs; ``functions`` say how the other library calls each operation."""
    known: dict[Node, Number] = dict(values)
    for node in live(list(outputs), given=values.keys()):
        if node in known:
            continue
        if node.value is not None:
            known[node] = constant(node.value)
        elif node.op in functions:
            known[node] = functions[node.op](*[known[a] for a in node.args])
        else:
            raise DerivationError(f"There is no counterpart of {node.op!r} in the other library.", operation=node.op)
    return [known[node] for node in outputs]
