"""Reaction forces and moments, by balance body by body.

    F_c = m a - F_a        M_c = d/dt(J w) - M_a    about the centre of mass

The balance needs no multiplier and no direction of a constraint, so it stays finite where those do not (Hemingway &
O'Reilly (32), (60), (89)). Generic over the number type; components are along the axes of the body's link.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cardan.equations.recursive import Pair
from cardan.geometry import matrix as m3
from cardan.geometry.scalar import Scalar, is_zero
from cardan.kinematics.lifted import Lift, LiftedTree
from cardan.kinematics.tree import WORLD, PointMass
from cardan.model.frames import Frame
from cardan.model.loads import Damper, Spring
from cardan.model.model import Model
from cardan.model.motions import Matrix3, Triple
from cardan.native.once import once

ZERO: Triple = (0, 0, 0)


@dataclass(frozen=True)
class Balance:
    """What acts on one body or particle besides its named loads, at its centre of mass, along its link's axes."""

    name: str
    link: int
    force: Triple
    moment: Triple | None  # None for a particle


@dataclass(frozen=True)
class Pull:
    """The force of a spring or damper at one of its ends: on which frame, where, and which; world components."""

    frame: Frame
    place: Triple
    force: Triple


def bearers(model: Model, tree: LiftedTree) -> dict[Frame, Frame]:
    """For each frame of the tree, the frame of the body or particle of which it is a part.

    A massless frame is a part of the body it is fixed to, however many fixed frames lie between. One that can move
    against every body that carries it is a part of none: what acts on it reaches a body through a joint, and is a
    reaction there.
    """
    massive = {thing.frame for thing in (*model.bodies, *model.particles)}
    found: dict[Frame, Frame] = {}
    for frame in tree.tree.attachments:
        nearest = next((one for one in reversed(frame.path) if one in massive), None)
        if nearest is not None and tree.link_of(nearest) == tree.link_of(frame):
            found[frame] = nearest
    return found


@dataclass(frozen=True)
class Balancing:
    """The means of one route: a tree in its numbers, motions of its links, and d/dt including accelerations."""

    model: Model
    tree: LiftedTree
    links: Sequence[Pair]
    derivative: Callable[[Triple], Triple]
    gravity: Triple
    elements: Sequence[Pull]

    def balances(self) -> list[Balance]:
        """One balance for each body and particle."""
        return [self._balance(mass) for mass in self.tree.tree.masses]

    @once
    def _bearers(self) -> dict[Frame, Frame]:
        return bearers(self.model, self.tree)

    def _balance(self, mass: PointMass) -> Balance:
        tree = self.tree
        k = tree.link_of(mass.frame)
        R_F, p_F = tree.offset(mass.frame)
        c = m3.add(p_F, m3.matvec(R_F, tuple(tree.lift(x) for x in mass.com)))
        w, v = (ZERO, ZERO) if k == WORLD else self.links[k]
        v_c = m3.add(v, m3.cross(w, c))
        m = tree.lift(mass.mass)
        a_c = m3.add(self.derivative(v_c), m3.cross(w, v_c))
        applied_force, applied_moment = self.applied(mass, k, c)
        weight = m3.scale(m, tree.carry(self.gravity, WORLD, k))
        force = m3.subtract(m3.subtract(m3.scale(m, a_c), weight), applied_force)
        if mass.inertia is None:
            return Balance(mass.name, k, force, None)
        J = m3.matmul(m3.matmul(R_F, _lifted(tree, mass.inertia)), m3.transpose(R_F))
        H = m3.matvec(J, w)
        moment = m3.subtract(m3.add(self.derivative(H), m3.cross(w, H)), applied_moment)
        return Balance(mass.name, k, force, moment)

    def applied(self, mass: PointMass, k: int, c: Triple) -> Pair:
        """(force, moment about the centre of mass) of named loads on this body, along its link's axes."""
        tree = self.tree
        force: Triple = ZERO
        moment: Triple = ZERO
        for load in self.model.loads:
            for end, sign in load.ends:
                if self._bearers.get(end.frame) is not mass.frame:
                    continue
                vector = m3.scale(sign, tree.components(load.vector, k))
                if load.kind == "moment":
                    moment = m3.add(moment, vector)
                else:
                    R, p = tree.offset(end.frame)
                    at = m3.add(p, m3.matvec(R, tuple(tree.lift(x) for x in end.position)))
                    force = m3.add(force, vector)
                    moment = m3.add(moment, m3.cross(m3.subtract(at, c), vector))
        for pull in self.elements:
            if self._bearers.get(pull.frame) is mass.frame:
                R_w, p_w = tree.pose_of_link(k)
                back = m3.transpose(R_w)
                own = m3.matvec(back, pull.force)
                arm = m3.subtract(m3.matvec(back, m3.subtract(pull.place, p_w)), c)
                force = m3.add(force, own)
                moment = m3.add(moment, m3.cross(arm, own))
        return force, moment


def _lifted(tree: LiftedTree, matrix: Matrix3) -> Matrix3:
    return tuple(tuple(tree.lift(x) for x in row) for row in matrix)


def element_forces(
    model: Model, tree: LiftedTree, rate: Lift, root: Lift, tension: Callable[[Damper, Scalar, Scalar], Scalar]
) -> list[Pull]:
    """What springs and dampers between points do at their two ends."""
    found: list[Pull] = []
    elements: list[Spring | Damper] = [*model.springs, *model.dampers]
    for element in elements:
        if not element.acts_between_points:
            continue
        ends = element.points
        first, second = (tree.point(one.frame, one.position) for one in ends)
        span = m3.subtract(first, second)
        length = root(m3.squared_norm(span))
        if isinstance(element, Spring):
            rest = tree.lift(element.length)
            pull = tree.lift(element.stiffness) * (1 if is_zero(rest) else 1 - rest / length)
        else:
            pull = tension(element, length, rate(length)) / length
        for point, place, sign in ((ends[0], first, -1), (ends[1], second, 1)):
            found.append(Pull(point.frame, place, m3.scale(sign, m3.scale(pull, span))))
    return found
