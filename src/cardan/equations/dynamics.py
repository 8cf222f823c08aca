"""The equations of motion as graph nodes: M vd + f + g = Q, for all velocities of the model.

Prescribed coordinates still have their own rows here; ``reduced.py`` imposes them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardan.equations.energies import (
    TypedKinetics,
    damper_forces,
    gravity_potential,
    kinetic_energy,
    number,
    spring_potential,
    typed_kinetics,
)
from cardan.equations.joint_space import JointSpace, joint_space, velocity_gradient
from cardan.equations.recursive import (
    ZERO,
    Pair,
    Rate,
    composite_mass_matrix,
    external_wrenches,
    newton_euler,
    velocities,
)
from cardan.geometry import matrix as m3
from cardan.geometry.scalar import minus, negative, plus
from cardan.graph import Node, gradient
from cardan.kinematics.lifted import LiftedTree
from cardan.kinematics.motion import Motion
from cardan.kinematics.rows import Row, rows_of
from cardan.kinematics.space import Number, Space
from cardan.kinematics.stops import rows_of_stop
from cardan.kinematics.tree import Tree, build_tree
from cardan.model.model import Model
from cardan.model.motions import Triple
from cardan.native.once import once

if TYPE_CHECKING:
    import sympy as sp


def added(*columns: list[Number]) -> list[Number]:
    """Sum of vectors of numbers, entry by entry."""
    return list(m3.add(*columns))


@dataclass(frozen=True)
class FullDynamics:
    """All terms of the unreduced equations, formed when first asked for; how many constraints there are, at once."""

    model: Model
    space: Space
    tree: Tree
    lifted: LiftedTree
    joints: JointSpace
    closed: tuple[str, ...] = ()  # stops that are held closed: their gaps are constraints
    rows: Sequence[Row] = field(init=False, repr=False)  # scalar constraints as stated, then gaps that are held closed

    def __post_init__(self) -> None:
        stated = [row for constraint in self.model.constraints for row in rows_of(constraint, self.motion)]
        held = [stop for stop in self.model.stops if stop.name in self.closed]
        object.__setattr__(self, "rows", stated + [rows_of_stop(stop, self.motion).gap for stop in held])

    @property
    def n(self) -> int:
        return len(self.space.v)

    # --- typed energies ----------------------------------------------------------------------------

    @once
    def typed(self) -> TypedKinetics | None:
        return typed_kinetics(self.space, self.model.kinetic_energies) if self.model.kinetic_energies else None

    @once
    def lagrangian(self) -> TypedKinetics | None:
        return typed_kinetics(self.space, self.model.lagrangians) if self.model.lagrangians else None

    @once
    def typed_potential(self) -> Node:
        """Potentials other than gravity: typed ones and springs (a typed Lagrangian is kept apart)."""
        total = spring_potential(self.lifted, self.space)
        for expression in self.model.potentials:
            total = plus(total, self.space.lift(expression))
        return self.space.node(total)

    @once
    def typed_potential_terms(self) -> list[Number]:
        partials = [number(node) for node in gradient(self.typed_potential, self.space.q)]
        found = velocity_gradient(self.space, partials)
        if self.lagrangian is not None:  # g = -d/dq L(q, 0, t)
            rest = [negative(number(node)) for node in gradient(self.lagrangian.at_rest, self.space.q)]
            found = added(found, velocity_gradient(self.space, rest))
        return found

    # --- M, f, g, Q --------------------------------------------------------------------------------

    @once
    def mass_matrix(self) -> list[list[Number]]:
        M = self.joints.mass_matrix(composite_mass_matrix(self.lifted), self.n)
        for typed in (self.typed, self.lagrangian):
            if typed is not None:
                M = [added(row, more) for row, more in zip(M, typed.mass_matrix, strict=True)]
        return M

    @once
    def velocity_terms(self) -> list[Number]:
        """f: the terms that come from kinetic energy."""
        efforts = newton_euler(self.lifted, self.joints.rates, self.joints.drifts)
        return added(self.joints.forces(efforts, self.n), self._typed_velocity_terms)

    @once
    def _typed_velocity_terms(self) -> list[Number]:
        found: list[Number] = [0] * self.n
        if self.typed is not None:
            found = added(found, self.typed.velocity_terms)
        if self.lagrangian is not None:  # without the part that potential_terms holds
            slope = [number(node) for node in gradient(self.lagrangian.at_rest, self.space.q)]
            found = added(found, self.lagrangian.velocity_terms, velocity_gradient(self.space, slope))
        return found

    @once
    def potential_terms(self) -> list[Number]:
        """g: the terms that come from gravity and other potentials."""
        still = [(0, 0, 0) if link.kind == "spin" else 0 for link in self.lifted.links]
        efforts = newton_euler(self.lifted, still, still, self.gravity)
        return added(self.joints.forces(efforts, self.n), self.typed_potential_terms)

    @once
    def forces(self) -> list[Number]:
        """Q: applied loads, typed generalized forces and dampers."""
        still = [(0, 0, 0) if link.kind == "spin" else 0 for link in self.lifted.links]
        efforts = newton_euler(self.lifted, still, still, ZERO, self.external)
        applied = [negative(x) for x in self.joints.forces(efforts, self.n)]
        return added(applied, self.typed_forces)

    @once
    def typed_forces(self) -> list[Number]:
        """Q of dampers and of forces typed by hand."""
        found = damper_forces(self.lifted, self.space)
        index = {symbol: j for j, symbol in enumerate(self._velocity_symbols)}
        for force in self.model.generalized_forces:
            j = index[force.coordinate]
            found[j] = plus(found[j], self.space.lift(force.expression))
        return found

    @once
    def _velocity_symbols(self) -> list[sp.Symbol]:
        return [symbol for one in self.model.variables for symbol in one.velocities]

    @once
    def bias(self) -> list[Number]:
        """f + g - Q in one recursion."""
        efforts = newton_euler(self.lifted, self.joints.rates, self.joints.drifts, self.gravity, self.external)
        own = added(self.joints.forces(efforts, self.n), self._typed_velocity_terms, self.typed_potential_terms)
        return [minus(x, y) for x, y in zip(own, self.typed_forces, strict=True)]

    def balance(self, accelerations: Sequence[Rate], vd: Mapping[int, Number]) -> list[Number]:
        """M vd + f + g - Q where joints have these accelerations, which vd (by velocity) makes."""
        efforts = newton_euler(self.lifted, self.joints.rates, accelerations, self.gravity, self.external)
        own = added(self.joints.forces(efforts, self.n), self._typed_velocity_terms, self.typed_potential_terms)
        for typed in (self.typed, self.lagrangian):
            if typed is not None:
                rows = (m3.dot(row, [vd[j] for j in range(self.n)]) for row in typed.mass_matrix)
                own = added(own, list(rows))
        return [minus(x, y) for x, y in zip(own, self.typed_forces, strict=True)]

    @once
    def gravity(self) -> Triple:
        if self.model.gravity is None:
            return ZERO
        return tuple(self.space.lift(part) for part in self.model.gravity.express(self.model.world))

    @once
    def external(self) -> dict[int, Pair]:
        return external_wrenches(self.model, self.lifted)

    @once
    def motion(self) -> Motion:
        """Positions and velocities in world components."""
        links = velocities(self.lifted, self.joints.rates)
        return Motion(self.lifted, links, lambda x: number(self.space.time_derivative([self.space.node(x)])[0]))

    # --- energies ----------------------------------------------------------------------------------

    @once
    def kinetic(self) -> Node:
        """T; with a Lagrangian, its part that depends on the velocities."""
        total = kinetic_energy(self.lifted, self.joints.rates)
        if self.typed is not None:
            total = plus(total, self.typed.energy)
        if self.lagrangian is not None:
            total = plus(total, minus(self.lagrangian.energy, self.lagrangian.at_rest))
        return self.space.node(total)

    @once
    def potential(self) -> Node:
        """V; with a Lagrangian, minus its value at rest."""
        total = plus(self.typed_potential, gravity_potential(self.lifted, self.space))
        if self.lagrangian is not None:
            total = minus(total, self.lagrangian.at_rest)
        return self.space.node(total)


def full_dynamics(model: Model) -> FullDynamics:
    """The unreduced equations of a model."""
    space = Space(model)
    tree = build_tree(model)
    return FullDynamics(model, space, tree, LiftedTree(tree, space.lift), joint_space(tree, space))
