"""Where a right-hand side is not smooth: the functions whose zeros are its jumps and kinks.

Piecewise, Heaviside, sign, Abs, Min, Max and floor become comparisons, magnitudes and choices of the graph, whoever
typed them and wherever: in a force, a potential, a signal, a prescribed motion, a constraint. Derivatives of them
switch where they do. So one look at the graph finds them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import pi

from cardan.graph import Node, live

_TRUTHS = ("lt", "le", "eq")


@dataclass(frozen=True)
class Smoothness:
    """What an integrator has to know of a right-hand side before it chooses steps."""

    switches: Sequence[Node]  # functions at whose zeros accelerations may jump or have a kink
    is_timed: bool  # time occurs
    is_even: bool  # forces are sums and products of coordinates, sines and cosines: without narrow features


def smoothness(everything: Sequence[Node], forces: Sequence[Node], t: Node, state: Sequence[Node]) -> Smoothness:
    """How smooth everything is that a motion depends on; of ``forces`` also, in time and state."""
    return Smoothness(switches(everything), t in live(everything), are_smooth_of(forces, [t, *state]))


def switches(outputs: Iterable[Node]) -> list[Node]:
    """Functions at whose zeros the outputs may jump or have a kink, each once."""
    found: dict[Node, None] = {}
    for node in live(outputs):
        function = _FUNCTIONS.get(node.op)
        if function is not None and not any(_is_truth(one) for one in node.args):
            value = function(*node.args)
            if value.value is None:
                found.setdefault(value.args[0] if value.op == "neg" else value)
    return list(found)


def are_smooth_of(nodes: Iterable[Node], given: Iterable[Node]) -> bool:
    """Whether functions depend on these inputs only through sums, products, whole powers, sines and cosines.

    Such functions have no feature that is much narrower than what they depend on; others (exponentials, quotients,
    comparisons) may.
    """
    moving = set(given)
    for one in live(nodes):
        depends = any(argument in moving for argument in one.args)
        if depends:
            moving.add(one)
        if depends and (one.op not in _PLAIN or (one.op == "div" and one.args[1] in moving)):
            return False
    return True


def _is_truth(node: Node) -> bool:
    """Whether a node is a condition: a comparison, or conditions joined by and, or, not."""
    if node.op in _TRUTHS:
        return True
    joined = node.op in ("mul", "max", "sub") and any(_is_truth(one) for one in node.args)
    return joined and all(_is_truth(one) or one.value in (0.0, 1.0) for one in node.args)


def _difference(a: Node, b: Node) -> Node:
    return a - b


def _itself(a: Node) -> Node:
    return a


def _whole(a: Node) -> Node:
    """Zero where a is a whole number."""
    return (pi * a).sin()


_FUNCTIONS: dict[str, Callable[..., Node]] = {
    "lt": _difference,
    "le": _difference,
    "min": _difference,
    "max": _difference,
    "abs": _itself,
    "sign": _itself,
    "floor": _whole,
}
_PLAIN = ("add", "sub", "neg", "mul", "div", "sin", "cos")
