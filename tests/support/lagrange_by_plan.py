"""Lagrange's equations of a random plan, from positions and rotations alone, by automatic differentiation.

Poses are products of rotation matrices; velocities are their time derivatives; T, V, the power of the loads and the
dissipation of the dampers are sums over bodies. Nothing of Cardan's model, kinematics or equations is used, and no
recursion over velocities or forces: only the differentiation of graphs, which has tests of its own.

    M a + f = d/dt (dT/dv) - dT/dq,   g = dV/dq,   Q = d(power)/dv - d(dissipation)/dv

For a quaternion e with body angular velocity w the row is d/dt (dT/dw) + w x dT/dw - N^T dT/de, with ed = N w.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from cardan.graph import Graph, Node, evaluate, gradient, jvp
from support.random_models import Line, Plan, quaternion_matrix

Matrix = Any  # object array of nodes and numbers


class Lagrangian:
    """T, V and the equations of a plan as graph nodes; ``terms`` and ``mass_matrix`` are numbers."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        g = self.graph = Graph()
        self.t = g.input("t")
        self.q: list[Node] = []
        self.v: list[Node] = []
        self.qd: list[Node] = []
        self.value: dict[str, Any] = {"t": self.t}
        self.spans: list[tuple[int, int, Any]] = []  # index in q, index in v, N or None
        for name in plan.variables:
            if name in plan.coordinates:
                q, v = g.input(name), g.input(f"{name}'")
                self.spans.append((len(self.q), len(self.v), None))
                self.value[name] = q
                self._extend([q], [v], [v])
            else:
                e, w = [g.input(f"{name}.{k}") for k in range(4)], [g.input(f"{name}.w{k}") for k in range(3)]
                N = 0.5 * np.array(
                    [[-e[1], -e[2], -e[3]], [e[0], -e[3], e[2]], [e[3], e[0], -e[1]], [-e[2], e[1], e[0]]]
                )
                self.spans.append((len(self.q), len(self.v), N))
                self.value[name] = e
                self._extend(e, w, list(N @ np.array(w)))
        self.a = [g.input(f"a{k}") for k in range(len(self.v))]
        self.poses = [self._pose(k) for k in range(len(plan.bodies))] + [(np.eye(3), np.zeros(3))]

    def _extend(self, q: list[Node], v: list[Node], qd: list[Node]) -> None:
        self.q += q
        self.v += v
        self.qd += qd

    # --- kinematics --------------------------------------------------------------------------------

    def _pose(self, k: int) -> tuple[Matrix, Matrix]:
        body = self.plan.bodies[k]
        R, p = (np.eye(3), np.zeros(3)) if body.parent < 0 else self._pose(body.parent)
        for step in body.steps:
            if step.kind == "place":
                p = p + R @ np.array(step.position)
                R = R if step.rotation is None else R @ step.rotation
            elif step.kind == "spin":
                R = R @ quaternion_matrix(self.value[step.quaternion])
            elif step.kind == "slide":
                assert step.amount is not None
                p = p + R @ (np.array(step.axis) * step.amount.of(self.value))
            else:
                assert step.amount is not None
                R = R @ rodrigues(step.axis, step.amount.of(self.value))
        return R, p

    def rates(self, values: Sequence[Any]) -> list[Any]:
        """d/dt of positions or rotations."""
        nodes = [x if isinstance(x, Node) else self.graph.constant(float(x)) for x in values]
        return jvp(nodes, [*self.q, self.t], [*self.qd, self.graph.one])

    def point(self, body: int, position: Sequence[float]) -> Matrix:
        R, p = self.poses[body]
        return p + R @ np.array(position)

    def spin(self, body: int) -> Matrix:
        """Angular velocity along the body's axes, from R^T Rd."""
        R, _ = self.poses[body]
        W = R.T @ np.array(self.rates(list(R.ravel()))).reshape(3, 3)
        return np.array([W[2, 1], W[0, 2], W[1, 0]])

    # --- energies ----------------------------------------------------------------------------------

    @cached_property
    def kinetic(self) -> Node:
        total: Any = 0.0
        for k, body in enumerate(self.plan.bodies):
            cd, w = np.array(self.rates(list(self.point(k, body.com)))), self.spin(k)
            total = total + 0.5 * (body.mass * (cd @ cd) + w @ (np.asarray(body.inertia) @ w))
        return self._node(total)

    @cached_property
    def potential(self) -> Node:
        total: Any = 0.0
        for k, body in enumerate(self.plan.bodies):
            total = total - body.mass * (np.array(self.plan.gravity) @ self.point(k, body.com))
        for spring in self.plan.springs:
            stretch = self._length(spring) - spring.length
            total = total + 0.5 * spring.coefficient * stretch * stretch
        return self._node(total)

    @cached_property
    def power(self) -> Node:
        """Of the loads, less the dissipation function c ld^2 / 2 of the dampers: its derivatives are the forces Q."""
        total: Any = 0.0
        for load in self.plan.loads:
            direction = load.magnitude * (self.poses[load.carrier][0] @ np.array(load.direction))
            if load.kind == "force":
                total = total + direction @ np.array(self.rates(list(self.point(load.body, load.point))))
                continue
            total = total + direction @ (self.poses[load.body][0] @ self.spin(load.body))
            if load.against is not None and load.against >= 0:
                total = total - direction @ (self.poses[load.against][0] @ self.spin(load.against))
        for damper in self.plan.dampers:
            (rate,) = self.rates([self._length(damper)])
            total = total - 0.5 * damper.coefficient * rate * rate
        return self._node(total)

    def _length(self, line: Line) -> Any:
        span = self.point(line.first, line.here) - self.point(line.second, line.there)
        return self._node(span @ span).sqrt()

    def _node(self, x: Any) -> Node:
        return x if isinstance(x, Node) else self.graph.constant(float(x))

    # --- equations ---------------------------------------------------------------------------------

    @cached_property
    def momenta(self) -> list[Node]:
        return gradient(self.kinetic, self.v)

    def _along(self, partials: list[Node]) -> list[Any]:
        found: list[Any] = []
        for iq, _, N in self.spans:
            found += [partials[iq]] if N is None else list(N.T @ np.array(partials[iq : iq + 4]))
        return found

    @cached_property
    def inertial(self) -> list[Any]:
        """M a + f."""
        rates = jvp(self.momenta, [*self.q, *self.v, self.t], [*self.qd, *self.a, self.graph.one])
        slopes = self._along(gradient(self.kinetic, self.q))
        for _, iv, N in self.spans:
            if N is not None:
                turned = np.cross(np.array(self.v[iv : iv + 3]), np.array(self.momenta[iv : iv + 3]))
                rates[iv : iv + 3] = list(np.array(rates[iv : iv + 3]) + turned)
        return [rate - slope for rate, slope in zip(rates, slopes, strict=True)]

    def _inputs(self, v: Any, a: Any) -> dict[Node, Any]:
        inputs: dict[Node, Any] = {self.t: self.plan.t}
        inputs |= dict(zip(self.q, self.plan.q, strict=True))
        inputs |= dict(zip(self.v, v, strict=True))
        return inputs | dict(zip(self.a, a, strict=True))

    def numbers(self, nodes: Sequence[Any], a: Any = None) -> np.ndarray:
        """Values of nodes at the state of the plan, accelerations zero unless given."""
        a = np.zeros(len(self.v)) if a is None else a
        found = evaluate([self._node(x) for x in nodes], self._inputs(self.plan.v, a))
        return np.array([float(x) for x in found])

    @cached_property
    def terms(self) -> dict[str, np.ndarray]:
        """f, g and Q at the state of the plan."""
        return {
            "f": self.numbers(self.inertial),
            "g": self.numbers(self._along(gradient(self.potential, self.q))),
            "Q": self.numbers(gradient(self.power, self.v)),
        }

    @cached_property
    def mass_matrix(self) -> np.ndarray:
        """Column j: momenta at the unit velocity j, less those at rest."""
        n = len(self.v)
        units = np.column_stack([np.eye(n), np.zeros(n)])
        found = evaluate(self.momenta, self._inputs(units, np.zeros(n)))
        p = np.array([np.broadcast_to(np.asarray(x, dtype=float), n + 1) for x in found])
        return p[:, :n] - p[:, n:]

    def energy_rate(self, a: Any) -> float:
        """d(T + V)/dt when the accelerations are a."""
        total = self._node(self.kinetic + self.potential)
        (rate,) = jvp([total], [*self.q, *self.v, self.t], [*self.qd, *self.a, self.graph.one])
        return float(self.numbers([rate], a)[0])


def rodrigues(axis: Sequence[float], angle: Any) -> Matrix:
    """Rotation by an angle about a unit axis: 1 + sin K + (1 - cos) K K."""
    x, y, z = axis
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + angle.sin() * K + (1.0 - angle.cos()) * (K @ K)
