"""Numbers from expressions, with NumPy: the reference for every other way of evaluating a graph.

Operations run in the order of creation, one rounding each, as straight-line native code would do them. Inputs may be
arrays; they broadcast. Infinities and NaN pass through without a warning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.errors import DerivationError
from cardan.graph.node import Node
from cardan.graph.traversal import live

Values: TypeAlias = np.float64 | NDArray[np.float64]  # one number, or many side by side


def _select(condition: Values, a: Values, b: Values) -> Values:
    chosen: NDArray[np.float64] = np.where(np.not_equal(condition, 0), a, b)
    return chosen[()]  # a number where all three are numbers


_UFUNCS: dict[str, Callable[..., Values]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "neg": np.negative,
    "sqrt": np.sqrt,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "exp": np.exp,
    "log": np.log,
    "pow": np.power,
    "atan2": np.arctan2,
    "abs": np.abs,
    "sign": np.sign,
    "min": np.minimum,
    "max": np.maximum,
    "floor": np.floor,
    "lt": lambda a, b: np.less(a, b) * np.float64(1),
    "le": lambda a, b: np.less_equal(a, b) * np.float64(1),
    "eq": lambda a, b: np.equal(a, b) * np.float64(1),
    "select": _select,
}


def evaluate(outputs: Sequence[Node | float], values: Mapping[Node, ArrayLike]) -> list[Values]:
    """Values of the outputs where the inputs have the given values: NumPy floats, or arrays of the broadcast shape.

    Any node may be given a value, not only an input; what lies behind it is then not evaluated.
    """
    nodes = [y for y in outputs if isinstance(y, Node)]
    order = live(nodes, given=values.keys())
    _require_inputs(order, values)
    known: dict[Node, Values] = {node: np.asarray(value, dtype=float)[()] for node, value in values.items()}
    uses = Counter(nodes)
    uses.update(a for node in order if node not in values for a in node.args)
    with np.errstate(all="ignore"):
        for node in order:
            if node in known:
                continue
            if node.value is not None:
                known[node] = np.float64(node.value)
                continue
            known[node] = _UFUNCS[node.op](*[known[a] for a in node.args])
            for argument in node.args:
                uses[argument] -= 1
                if not uses[argument]:
                    known.pop(argument, None)  # an array that nobody needs any more
    return [known[y] if isinstance(y, Node) else np.float64(y) for y in outputs]


def _require_inputs(order: Sequence[Node], values: Mapping[Node, ArrayLike]) -> None:
    missing = [str(node.name) for node in order if node.op == "input" and node not in values]
    if missing:
        raise DerivationError(
            f"The outputs depend on {len(missing)} inputs without a value: {', '.join(missing)}. Give each a number.",
            missing=tuple(missing),
        )
