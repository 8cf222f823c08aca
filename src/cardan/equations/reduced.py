"""The equations with prescribed motions imposed and signals put in: what is compiled and simulated.

M vd + f + g = Q          for the free velocities
mu = (M vd + f + g - Q)   for the prescribed coordinates, Hemingway & O'Reilly (14)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardan.equations.articulated import articulated_accelerations, is_deep
from cardan.equations.constraints import ConstraintNodes
from cardan.equations.dynamics import FullDynamics, full_dynamics
from cardan.equations.energies import number, tension
from cardan.equations.reactions import Balance, Balancing, Pull, element_forces
from cardan.equations.recursive import Rate
from cardan.equations.solve import symmetric_solve
from cardan.equations.switches import Smoothness, smoothness
from cardan.errors import NotQuadratic
from cardan.geometry import matrix as m3
from cardan.geometry.scalar import minus, negative, plus, sqrt, times
from cardan.graph import Node, evaluate, gradient, jvp, operation_count, substitute
from cardan.kinematics.space import Number, Space
from cardan.model.loads import Damper
from cardan.model.model import Model
from cardan.model.variables import CoordinateVariable
from cardan.native.once import once

if TYPE_CHECKING:
    import sympy as sp

Pivots = list[tuple[Node, Node]]


@dataclass(frozen=True)
class Dynamics:
    """Equations of motion of the free velocities as graph nodes, formed when first asked for."""

    full: FullDynamics
    signals: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)  # signal symbol -> expression of (t, q, v)

    @property
    def model(self) -> Model:
        return self.full.model

    @property
    def space(self) -> Space:
        return self.full.space

    # --- inputs ------------------------------------------------------------------------------------

    @once
    def q(self) -> list[Node]:
        return [self.space.nodes[symbol] for symbol in self.model.q]

    @once
    def v(self) -> list[Node]:
        return [self.space.nodes[symbol] for symbol in self.model.v]

    @once
    def p(self) -> list[Node]:
        """Parameters, then signals."""
        return [*self.space.parameters, *self.space.signals]

    @property
    def t(self) -> Node:
        return self.space.t

    # --- imposing ----------------------------------------------------------------------------------

    @once
    def free_indices(self) -> list[int]:
        """Indices of the free velocities among all."""
        own = {node: j for j, node in enumerate(self.space.v)}
        return [own[node] for node in self.v]

    @once
    def held(self) -> list[int]:
        """Indices of the prescribed velocities among all."""
        return [j for j in range(self.full.n) if j not in set(self.free_indices)]

    @once
    def prescribed(self) -> list[tuple[Node, Node, Node, Node, Node]]:
        """(q, v, f, fd, fdd) for each prescribed coordinate."""
        space, found = self.space, []
        for variable in self.model.variables:
            if isinstance(variable, CoordinateVariable) and variable.symbol in self.model.prescribed:
                f = space.node(space.lift(self.model.prescribed[variable.symbol]))
                (fd,) = jvp([f], [space.t], [space.graph.one])
                (fdd,) = jvp([fd], [space.t], [space.graph.one])
                found.append((space.nodes[variable.symbol], space.nodes[variable.symbol.dot], f, fd, fdd))
        return found

    @once
    def _values(self) -> dict[Node, Node]:
        """What is put in: prescribed motions first, then expressions for signals."""
        values = {q: f for q, _, f, _, _ in self.prescribed}
        values |= {v: fd for _, v, _, fd, _ in self.prescribed}
        if self.signals:
            given = [self.space.node(self.space.lift(expression)) for expression in self.signals.values()]
            imposed = substitute(given, values) if values else given
            values |= {self.space.nodes[symbol]: node for symbol, node in zip(self.signals, imposed, strict=True)}
        return values

    def impose(self, numbers: Sequence[Number]) -> list[Node]:
        """The numbers as nodes, with prescribed motions and signals put in."""
        nodes = self.space.all_nodes(numbers)
        return substitute(nodes, self._values) if self._values else nodes

    def at(self, numbers: Sequence[Number], y: Iterable[float], t: float, p: Iterable[float]) -> list[float]:
        """The numbers as floats at a state y = [q, v], with p = [parameters, signals]."""
        known = dict(zip((*self.q, *self.v, *self.p, self.t), (*y, *p, t), strict=True))
        return [float(x) for x in evaluate(self.impose(numbers), known)]

    # --- terms -------------------------------------------------------------------------------------

    @once
    def mass_matrix(self) -> list[list[Node]]:
        return [self.impose([self.full.mass_matrix[i][j] for j in self.free_indices]) for i in self.free_indices]

    @once
    def velocity_terms(self) -> list[Node]:
        """f, with what prescribed accelerations add to it."""
        return self.impose([plus(self.full.velocity_terms[i], self._driven(i)) for i in self.free_indices])

    @once
    def potential_terms(self) -> list[Node]:
        return self.impose([self.full.potential_terms[i] for i in self.free_indices])

    @once
    def forces(self) -> list[Node]:
        return self.impose([self.full.forces[i] for i in self.free_indices])

    @once
    def bias(self) -> list[Node]:
        """f + g - Q."""
        return self.impose([plus(self.full.bias[i], self._driven(i)) for i in self.free_indices])

    def _driven(self, i: int) -> Number:
        """sum over prescribed coordinates of M_ik fdd_k."""
        total: Number = 0
        for k, (_, _, _, _, fdd) in zip(self.held, self.prescribed, strict=True):
            total = plus(total, times(self.full.mass_matrix[i][k], fdd))
        return total

    @once
    def configuration_rates(self) -> list[Node]:
        """qd = N(q) v."""
        own = dict(zip(self.space.q, self.space.qd, strict=True))
        return self.impose([own[node] for node in self.q])

    # --- constraints -------------------------------------------------------------------------------

    @once
    def constraints(self) -> ConstraintNodes:
        """The constraint rows in the free variables."""
        rows = self.full.rows
        imposed = self.impose([row.rate for row in rows])
        phi = self.impose([row.phi for row in rows if row.is_holonomic])
        space = self.space
        return ConstraintNodes(rows, phi, imposed, self.q, self.v, self.configuration_rates, self.t, space.graph)

    # --- accelerations -----------------------------------------------------------------------------

    @once
    def acceleration(self) -> tuple[list[Node], Pivots]:
        """vd and the pivots met on the way, one per velocity."""
        return self._accelerations(())

    @once
    def forward(self) -> tuple[list[Node], Pivots]:
        """vd where the generalized forces ``tau`` act beside the applied ones, and the pivots."""
        return self._accelerations(self.tau)

    def _accelerations(self, tau: Sequence[Node]) -> tuple[list[Node], Pivots]:
        """By the cheaper of the two algorithms; in deep trees the second is not even tried."""
        if not self.suits_bodies:
            return self._by_solving(tau)
        by_bodies = self._by_articulated_bodies(tau)
        if is_deep(self.full.lifted):
            return by_bodies
        return min(self._by_solving(tau), by_bodies, key=lambda found: sum(operation_count(found[0]).values()))

    def _by_solving(self, tau: Sequence[Node]) -> tuple[list[Node], Pivots]:
        right = [negative(number(x)) for x in self.bias]
        right = [plus(x, y) for x, y in zip(right, tau, strict=True)] if tau else right
        matrix = [[number(x) for x in row] for row in self.mass_matrix]  # so that zeros are seen
        vd, pivots = symmetric_solve(matrix, right)
        return self.space.all_nodes(vd), [(self.space.node(a), self.space.node(b)) for a, b in pivots]

    @property
    def suits_bodies(self) -> bool:
        """Whether every velocity is that of one joint, and bodies are all that moves."""
        full = self.full
        return full.joints.is_identity and not (self.held or self.model.is_typed)

    def _by_articulated_bodies(self, tau: Sequence[Node]) -> tuple[list[Node], Pivots]:
        full = self.full
        efforts_by_velocity = [minus(Q, g) for Q, g in zip(full.typed_forces, full.typed_potential_terms, strict=True)]
        for j, effort in zip(self.free_indices, tau, strict=False):
            efforts_by_velocity[j] = plus(efforts_by_velocity[j], effort)
        index = iter([next(iter(row)) for row in full.joints.rows])
        owned: list[list[int]] = []  # velocities of each link
        efforts: list[Rate] = []
        for link in full.lifted.links:
            own = [next(index) for _ in range(3 if link.kind == "spin" else 1)]
            owned.append(own)
            parts = tuple(efforts_by_velocity[j] for j in own)
            efforts.append(parts if link.kind == "spin" else parts[0])
        found, pivots = articulated_accelerations(full.lifted, full.joints.rates, efforts, full.gravity, full.external)
        flat = [part for one in found for part in (one if isinstance(one, tuple) else (one,))]
        vd: list[Number] = [0] * full.n
        for j, part in zip((j for own in owned for j in own), flat, strict=True):
            vd[j] = part
        met = [j for own in reversed(owned) for j in own]  # velocities in the order of elimination, tips first
        ordered = [pivot for _, pivot in sorted(zip(met, pivots, strict=True), key=lambda pair: pair[0])]
        pairs = [(self.space.node(a), self.space.node(b)) for a, b in ordered]
        return self.impose(vd), [
            (a, b) for a, b in zip(*(self.impose(list(c)) for c in zip(*pairs, strict=True)), strict=True)
        ]

    @once
    def forward_slopes(self) -> tuple[list[Node], Pivots]:
        """Derivatives of ``forward`` by q, v and tau, and the pivots."""
        from cardan.equations.derivatives import forward_derivatives  # which takes what is above

        return forward_derivatives(self)

    @once
    def balance(self) -> list[Node]:
        """M a + f + g - Q for given accelerations, in one recursion over the bodies [Featherstone2008, table 5.1]."""
        full = self.full
        given = dict(zip(self.free_indices, self.vd, strict=True))
        given |= {k: fdd for k, (_, _, _, _, fdd) in zip(self.held, self.prescribed, strict=True)}
        rows = iter(full.joints.rows)
        accelerations: list[Rate] = []
        for link, drift in zip(full.lifted.links, full.joints.drifts, strict=True):
            own = [
                sum_of(times(c, given[j]) for j, c in next(rows).items())
                for _ in range(3 if link.kind == "spin" else 1)
            ]
            accelerations.append(tuple(own) if link.kind == "spin" else plus(own[0], drift))
        return self.impose([full.balance(accelerations, given)[i] for i in self.free_indices])

    # --- how smooth it is --------------------------------------------------------------------------

    @once
    def _everything(self) -> list[Node]:
        """All that a motion depends on, drives and constraints and typed potentials themselves among it."""
        found = [*self.configuration_rates, *(f for _, _, f, _, _ in self.prescribed)]
        found += self.impose([self.space.lift(one) for one in self.model.potentials])
        if not self.full.rows and self.suits_bodies:  # bodies by themselves move smoothly
            return found + self.impose([*self.full.forces, *self.full.typed_potential_terms])
        if not self.full.rows:
            return found + self.acceleration[0]
        c = self.constraints
        return [*found, *(x for row in (*self.mass_matrix, *c.matrix) for x in row), *self.bias, *c.targets, *c.phi]

    @once
    def smoothness(self) -> Smoothness:
        """Where the motion may have a jump or a kink in its accelerations, and what could hide between two steps."""
        return smoothness(self._everything, self.bias, self.t, [*self.q, *self.v])

    # --- energies and momenta ----------------------------------------------------------------------

    @once
    def energies(self) -> list[Node]:
        """[T, V, v.dL/dv - L]."""
        T, V = self.impose([self.full.kinetic, self.full.potential])
        p = gradient(T, self.v)
        jacobi = plus(minus(sum((v * x for v, x in zip(self.v, p, strict=True)), self.space.graph.zero), T), V)
        return [T, V, self.space.node(jacobi)]

    @once
    def momenta(self) -> list[Node]:
        """dL/dv."""
        return gradient(self.energies[0], self.v)

    @once
    def momentum_rates(self) -> list[Node]:
        """dL/dq + Q, for coordinates (nq = nv)."""
        T, V, _ = self.energies
        slopes = gradient(self.space.node(minus(T, V)), self.q)
        return self.space.all_nodes(plus(a, b) for a, b in zip(slopes, self.forces, strict=True))

    # --- what prescribed coordinates need ----------------------------------------------------------

    def multipliers(self, vd: Sequence[Node]) -> list[Node]:
        """mu for each prescribed coordinate, given the accelerations of the free ones: the force that drives it.

        What the constraints push along that coordinate, A^T lam, is not its driver's business.
        """
        pushes = self._pushes
        found = []
        for i in self.held:
            total = minus(plus(self.full.bias[i], self._driven(i)), pushes[i])
            for j, acceleration in zip(self.free_indices, vd, strict=True):
                total = plus(total, times(self.full.mass_matrix[i][j], acceleration))
            found.append(total)
        return self.impose(found)

    @once
    def lam(self) -> list[Node]:
        """Multipliers of the constraints, as further inputs."""
        return [self.further_input(f"lam {row.name}") for row in self.full.rows]

    @property
    def _pushes(self) -> dict[int, Number]:
        """(A^T lam)_i of each prescribed velocity, A being that of all velocities."""
        if not self.held:
            return {}
        power = self.space.node(sum_of(times(lam, row.rate) for lam, row in zip(self.lam, self.full.rows, strict=True)))
        slopes = gradient(power, [self.space.v[i] for i in self.held])
        return dict(zip(self.held, slopes, strict=True))

    # --- reactions ---------------------------------------------------------------------------------

    @once
    def tau(self) -> list[Node]:
        """Generalized forces beside the applied ones, as further inputs."""
        return [self.further_input(f"tau {node.name}") for node in self.v]

    @once
    def vd(self) -> list[Node]:
        """Accelerations of the free velocities, as further inputs."""
        return [self.further_input(f"d/dt {node.name}") for node in self.v]

    def further_input(self, name: str) -> Node:
        """An input of this name, shared by the equations of all runs that differ in their signals only."""
        known = self.space.graph.inputs.get(name)
        return self.space.graph.input(name) if known is None else known

    def rate_with_accelerations(self, values: Sequence[Number]) -> tuple[Number, ...]:
        """d/dt of expressions of (q, v, t), accelerations put in."""
        space = self.space
        own = dict(zip(self.free_indices, self.vd, strict=True))
        own |= {k: fdd for k, (_, _, _, _, fdd) in zip(self.held, self.prescribed, strict=True)}
        accelerations = [own[j] for j in range(self.full.n)]
        nodes = space.all_nodes(values)
        found = jvp(nodes, [*space.q, *space.v, space.t], [*space.qd, *accelerations, space.graph.one])
        return tuple(number(node) for node in found)

    @once
    def elements(self) -> list[Pull]:
        """What springs and dampers between points do at their ends."""

        def rate(x: Number) -> Number:
            return number(self.space.time_derivative([self.space.node(x)])[0])

        def pull(damper: Damper, length: Number, rate: Number) -> Number:
            return tension(self.space, damper, length, rate)

        return element_forces(self.model, self.full.lifted, rate, sqrt, pull)

    @once
    def balances(self) -> list[Balance]:
        """Reaction force and moment on each body and particle, in terms of (q, v, vd, t)."""
        full = self.full
        elements = self.elements
        means = Balancing(
            self.model, full.lifted, full.motion.links, self.rate_with_accelerations, full.gravity, elements
        )
        return means.balances()

    def reaction_parts(self) -> Iterator[tuple[str, list[Number]]]:
        """Per body and particle: force, moment about the centre of mass, and that centre, nine world components."""
        tree = self.full.lifted
        for balance, mass in zip(self.balances, self.full.tree.masses, strict=True):
            R, _ = tree.pose_of_link(balance.link)
            moment = balance.moment or (0, 0, 0)
            centre = tree.point(mass.frame, mass.com)
            yield balance.name, [*m3.matvec(R, balance.force), *m3.matvec(R, moment), *centre]

    def require_quadratic(self) -> None:
        """Raise unless M depends on the configuration and time only."""
        for typed in (self.full.typed, self.full.lagrangian):
            if typed is not None and not typed.is_quadratic:
                raise NotQuadratic(
                    f"The energy typed for {self.model.name!r} is not quadratic in the velocities, so it has no mass "
                    "matrix M(q). Its motion can still be simulated; check the energy if that was not intended."
                )


def sum_of(parts: Iterable[Number]) -> Number:
    """The sum, with exact zeros left out."""
    total: Number = 0
    for part in parts:
        total = plus(total, part)
    return total


def derive(model: Model) -> Dynamics:
    """The equations of motion of a model, for machines."""
    return Dynamics(full_dynamics(model))
