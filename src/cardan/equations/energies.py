"""Energies typed by hand, and those of springs, gravity and dampers, as nodes of the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardan.equations.joint_space import velocity_gradient
from cardan.equations.recursive import Rate, momentum, velocities
from cardan.errors import DerivationError
from cardan.geometry import matrix as m3
from cardan.geometry.scalar import half, is_zero, minus, negative, plus, sqrt, times
from cardan.graph import Node, from_sympy, gradient, jacobian, live, substitute
from cardan.kinematics.lifted import LiftedTree
from cardan.kinematics.space import Number, Space
from cardan.model.frames import Point
from cardan.model.loads import LENGTH, RATE, Damper
from cardan.model.motions import Triple
from cardan.model.variables import QuaternionVariable

if TYPE_CHECKING:
    import sympy as sp


def kinetic_energy(tree: LiftedTree, rates: Sequence[Rate]) -> Number:
    """T of all links: the sum of (w.(J w) + 2 h.(v x w) + m v.v) / 2, Hemingway & O'Reilly (4)."""
    total: Number = 0
    for link, motion in zip(tree.links, velocities(tree, rates), strict=True):
        if not link.inertia.is_zero:
            n, f = momentum(link.inertia, motion)
            total = plus(total, plus(m3.dot(motion[0], n), m3.dot(motion[1], f)))
    return half(total)


def gravity_potential(tree: LiftedTree, space: Space) -> Number:
    """-sum m g.x over all masses, heights measured from the world's origin."""
    if space.model.gravity is None:
        return 0
    g = tuple(space.lift(part) for part in space.model.gravity.express(space.model.world))
    total: Number = 0
    for k, link in enumerate(tree.links):
        R, p = tree.pose_of_link(k)
        moment = m3.add(m3.scale(link.inertia.m, p), m3.matvec(R, link.inertia.h))
        total = minus(total, m3.dot(g, moment))
    return total


def _point(tree: LiftedTree, point: Point) -> Triple:
    return tree.point(point.frame, point.position)


def spring_potential(tree: LiftedTree | None, space: Space) -> Number:
    """sum k (length - rest)^2 / 2."""
    total: Number = 0
    for spring in space.model.springs:
        if spring.acts_between_points and tree is not None:
            span = m3.subtract(*(_point(tree, end) for end in spring.points))
            rest = space.lift(spring.length)
            squared = m3.squared_norm(span)
            stretch = squared if is_zero(rest) else _square(minus(sqrt(squared), rest))
        else:
            stretch = _square(minus(space.lift(spring.first), space.lift(spring.length)))
        total = plus(total, half(times(space.lift(spring.stiffness), stretch)))
    return total


def damper_rows(tree: LiftedTree | None, space: Space) -> list[tuple[str, list[Number]]]:
    """Generalized forces -c (rate of length) (gradient of length) of each damper, by name."""
    found = []
    for damper in space.model.dampers:
        if damper.acts_between_points and tree is not None:
            span = m3.subtract(*(_point(tree, end) for end in damper.points))
            length = space.node(sqrt(m3.squared_norm(span)))
        else:
            length = space.node(space.lift(damper.first))
        (rate,) = space.time_derivative([length])
        pull = tension(space, damper, length, rate)
        along = velocity_gradient(space, [number(x) for x in gradient(length, space.q)])
        found.append((damper.name, [negative(times(pull, slope)) for slope in along]))
    return found


def tension(space: Space, damper: Damper, length: Number, rate: Number) -> Number:
    """How strongly a damper pulls."""
    if damper.law is None:
        return times(space.lift(damper.coefficient), rate)
    own = {LENGTH: space.node(length), RATE: space.node(rate)}
    return number(from_sympy([damper.law], {**space.nodes, **own}, space.graph)[0])


def damper_forces(tree: LiftedTree | None, space: Space) -> list[Number]:
    """Generalized forces of all dampers."""
    found: list[Number] = [0] * len(space.v)
    for _, forces in damper_rows(tree, space):
        found = [plus(total, force) for total, force in zip(found, forces, strict=True)]
    return found


def _square(x: Number) -> Number:
    return times(x, x)


def number(node: Node) -> Number:
    """A constant node as a plain number, so that zeros stay structural."""
    return node.value if node.op == "const" else node


@dataclass(frozen=True)
class TypedKinetics:
    """What Lagrange's equations need of kinetic energies typed by hand (or of a whole Lagrangian)."""

    energy: Node  # T, or L
    momenta: list[Node]  # dL/dv
    mass_matrix: list[list[Number]]  # d2L/dv2
    velocity_terms: list[Number]  # d/dt(dL/dv) - M vd - dL/dq (the whole of it)
    at_rest: Node  # L(q, 0, t): T0, or T0 - V
    is_quadratic: bool


def typed_kinetics(space: Space, expressions: tuple[sp.Expr, ...]) -> TypedKinetics:
    """Lagrange's equations of typed energies by automatic differentiation, Hemingway & O'Reilly (10)."""
    energy = space.node(space.lift(sum(expressions)))
    _refuse_quaternions(space, energy)
    momenta = gradient(energy, space.v)
    M = jacobian(momenta, space.v)
    pull = gradient(energy, space.q)
    rates = space.time_derivative(momenta)
    along = velocity_gradient(space, [number(x) for x in pull])
    rest = substitute([energy], dict.fromkeys(space.v, space.graph.zero))[0]
    moving = set(space.v)
    quadratic = not any(node in moving for node in live([entry for row in M for entry in row]))
    return TypedKinetics(
        energy=energy,
        momenta=momenta,
        mass_matrix=[[number(entry) for entry in row] for row in M],
        velocity_terms=[minus(number(rate), slope) for rate, slope in zip(rates, along, strict=True)],
        at_rest=rest,
        is_quadratic=quadratic,
    )


def _refuse_quaternions(space: Space, energy: Node) -> None:
    spins = {
        space.nodes[symbol]: one.name
        for one in space.model.variables
        if isinstance(one, QuaternionVariable)
        for symbol in one.velocities
    }
    for node in live([energy]):
        if node in spins:
            raise DerivationError(
                f"A kinetic energy typed by hand uses the angular velocity of quaternion {spins[node]!r}. Describe "
                "that body with s.body(...) and type only the potential, or use Euler angles.",
                quaternion=spins[node],
            )
