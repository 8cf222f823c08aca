"""How far a configuration is from singular coordinates, as a native function for every step of a run.

The mass matrix is measured by the typical size of its diagonal around the start, constraints (which may carry what has
no inertia) by theirs; the smallest pivot of the two together is the square of the smallest singular value of the basis
a_J, up to a factor near one.
"""

from __future__ import annotations

from collections.abc import Iterable
from weakref import WeakKeyDictionary

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.codegen.function import NativeFunction, native_function
from cardan.equations.solve import symmetric_solve
from cardan.graph import Graph, Node, live
from cardan.kinematics.tree import PointMass, Tree
from cardan.singular.reference import SEED
from cardan.trajectory.along import outputs_along
from cardan.trajectory.extent import typical_sizes

Vector = NDArray[np.float64]

CLOUD = 64
MOST_WITH_CONSTRAINTS = 12  # velocities; the pivots of larger constrained systems would be long expressions


_judged: WeakKeyDictionary[Kernel, bool] = WeakKeyDictionary()


def may_be_singular(kernel: Kernel) -> bool:
    """Whether coordinates may become singular somewhere; decided once for each kernel."""
    if kernel not in _judged:
        _judged[kernel] = _may_be_singular(kernel)
    return _judged[kernel]


def _may_be_singular(kernel: Kernel) -> bool:
    """Not if every joint moves mass of its own.

    A rate that is the first one along the tree then gives that mass a velocity, so no rates leave all masses at rest.
    """
    model = kernel.model
    d = kernel.dynamics
    if not kernel.nv or (kernel.m and kernel.nv > MOST_WITH_CONSTRAINTS):
        return False
    if model.is_typed:
        moving = {*d.q, *d.v, d.t}
        return any(node in moving for node in live([x for row in d.mass_matrix for x in row]))
    tree = d.full.tree
    velocities = [one.symbol for one in model.free if hasattr(one, "symbol")]
    return not (_is_one_to_one(tree, velocities) and all(_moves_mass(kernel, tree, k) for k in range(len(tree.links))))


def _is_one_to_one(tree: Tree, coordinates: list[sp.Symbol]) -> bool:
    """Whether every link moves by a coordinate of its own (with a constant factor, perhaps)."""
    used = [sp.sympify(link.variable) for link in tree.links if link.kind != "spin"]
    names = [one.free_symbols & set(coordinates) for one in used]
    slopes = [
        one.is_Symbol or sp.diff(one, *name).is_number for one, name in zip(used, names, strict=True) if len(name) == 1
    ]
    owned = [next(iter(name)) for name in names if len(name) == 1]
    return len(slopes) == len(used) and all(slopes) and len(set(owned)) == len(owned) == len(coordinates)


def _moves_mass(kernel: Kernel, tree: Tree, k: int) -> bool:
    """Whether what is fixed to a link resists the motion of its joint, wherever that stands."""
    link = tree.links[k]
    own = [mass for mass in tree.masses if tree.attachments[mass.frame].link == k]
    return any(_resists(kernel, tree, link.kind, link.axis, mass) for mass in own)


def _resists(kernel: Kernel, tree: Tree, kind: str, axis: Iterable[sp.Expr], one: PointMass) -> bool:
    values = {symbol: sp.Float(float(value)) for symbol, value in kernel.values.items()}

    def number(x: object) -> float:
        found = sp.sympify(x, strict=True).xreplace(values)
        return float(found) if found.is_number else 0.0

    mass = number(one.mass)
    if kind == "slide":
        return mass > 0
    place = tree.attachments[one.frame]
    R = np.array([[number(x) for x in row] for row in place.rotation])
    r = np.array([number(x) for x in place.position]) + R @ np.array([number(x) for x in one.com])
    J = mass * (r @ r * np.eye(3) - np.outer(r, r))
    if one.inertia is not None:
        J = J + R @ np.array([[number(x) for x in row] for row in one.inertia]) @ R.T
    if kind == "spin":
        return bool(np.linalg.eigvalsh(J)[0] > 1e-12 * np.trace(J))
    n = np.array([number(x) for x in axis])
    return bool(n @ J @ n > 1e-12 * np.trace(J))


class ChartIndicator:
    """kappa squared minus ``level`` squared, measured by what is typical around a state.

    ``typical`` is the median of kappa there. ``address`` is that of a kernel for parameters that end with ``tail``;
    called as (t, y, p) it takes any p.
    """

    def __init__(self, kernel: Kernel, y: Vector, t: float, p: Vector, level: float) -> None:
        self._function = indicator_function(kernel)
        self._base = len(kernel.parameters)
        base = p[: self._base]
        states = _cloud(kernel, y, t, base)
        self.tail = np.append(_sizes(kernel, states, t, base), level**2)
        self.address = self._function.address
        values = np.array([self(t, state, p) for state in states]) + level**2
        self.typical = float(np.sqrt(np.median(np.maximum(values[np.isfinite(values)], 0.0)))) if len(values) else 0.0

    def along(self, times: Vector, states: Vector, p: Vector) -> Vector:
        """The same at many states."""
        return outputs_along(self.address, 1, times, states, np.concatenate([p[: self._base], self.tail]))[:, 0]

    def __call__(self, t: float, y: Vector, p: Vector) -> float:
        return float(self._function(t, y, np.concatenate([p[: self._base], self.tail]))[0])


def indicator_function(kernel: Kernel) -> NativeFunction:
    """Native function of (t, y, [p, sizes, level]): the smallest pivot of the scaled mass matrix and constraints."""
    return kernel.keep("chart indicator", lambda: _compiled(kernel))


def _compiled(kernel: Kernel) -> NativeFunction:
    d = kernel.dynamics
    graph = d.space.graph
    n, m = kernel.nv, kernel.m
    inverse = [_input(graph, f"chart size {k}") for k in range(n)]
    weights = [_input(graph, f"chart weight {k}") for k in range(m)]
    level = _input(graph, "chart level")
    A = d.constraints.matrix if m else []
    G: list[list[Node]] = [
        [x * inverse[i] * inverse[j] for j, x in enumerate(row)] for i, row in enumerate(d.mass_matrix)
    ]
    for row, weight in zip(A, weights, strict=True):
        scaled = [x * s * weight for x, s in zip(row, inverse, strict=True)]
        G = [[G[i][j] + scaled[i] * scaled[j] for j in range(n)] for i in range(n)]
    _, pivots = symmetric_solve(G, [graph.zero] * n)
    smallest: Node = d.space.node(pivots[0][0])
    for pivot, _ in pivots[1:]:
        smallest = smallest.minimum(d.space.node(pivot))
    return native_function(
        "chart_indicator",
        t=d.t,
        y=[*d.q, *d.v],
        p=[*d.p, *inverse, *weights, level],
        outputs=[smallest - level],
    )


def _input(graph: Graph, name: str) -> Node:
    """An input of the graph, which kernels with other signals may share."""
    return graph.inputs[name] if name in graph.inputs else graph.input(name)


def _cloud(kernel: Kernel, y: Vector, t: float, p: Vector) -> Vector:
    """Configurations around y, at rest."""
    rng = np.random.default_rng(SEED)
    n, nq = kernel.nv, kernel.nq
    steps = typical_sizes(kernel, y, t) * rng.uniform(-1.0, 1.0, (CLOUD, n))
    states = np.repeat(y[None], CLOUD, axis=0)
    states[:, nq:] = 0.0
    if nq == n:
        states[:, :nq] += steps
    else:
        states[:, :nq] += kernel.batch("rates")(t, np.hstack([states[:, :nq], steps]), p)
        for k in kernel.quaternions:
            states[:, k : k + 4] /= np.linalg.norm(states[:, k : k + 4], axis=1, keepdims=True)
    return states


def _sizes(kernel: Kernel, states: Vector, t: float, p: Vector) -> Vector:
    """[1 / typical size of each velocity, 1 / typical size of each constraint row] over a cloud."""
    n, nq, m = kernel.nv, kernel.nq, kernel.m
    M = kernel.batch("mass_matrix")(t, states, p).reshape(-1, n, n)
    typical = np.sqrt(np.maximum(np.mean(np.diagonal(M, axis1=1, axis2=2), axis=0), 0.0))
    inverse = 1 / np.where(typical > 0, typical, 1.0)
    if not m:
        return inverse
    first = nq + n * n + n
    A = kernel.batch("terms")(t, states, p)[:, first : first + m * n].reshape(-1, m, n) * inverse
    rows = np.sqrt(np.mean(np.sum(A**2, axis=2), axis=0))
    return np.concatenate([inverse, 1 / np.where(rows > 0, rows, 1.0)])
