"""A tree in the numbers of one's choice: SymPy expressions for people, graph nodes for machines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cardan.geometry import matrix as m3
from cardan.geometry import quaternion
from cardan.geometry.rotation import about
from cardan.geometry.scalar import Scalar, is_number, minus, plus, times
from cardan.kinematics.tree import WORLD, Tree
from cardan.model.frames import IDENTITY, Frame, Vector, quaternion_symbols
from cardan.model.motions import Matrix3, Triple

Lift = Callable[[Scalar], Scalar]
Pose = tuple[Matrix3, Triple]


@dataclass(frozen=True)
class RigidInertia:
    """Mass m, first moment h = m c and inertia J about the link's origin, along the link's axes."""

    m: Scalar
    h: Triple
    J: Matrix3

    @property
    def is_zero(self) -> bool:
        return not any(_nonzero(x) for x in (self.m, *self.h, *(x for row in self.J for x in row)))

    def __add__(self, other: RigidInertia) -> RigidInertia:
        return RigidInertia(plus(self.m, other.m), m3.add(self.h, other.h), m3.matrix_add(self.J, other.J))


MASSLESS = RigidInertia(0, (0, 0, 0), m3.ZERO)


def _nonzero(x: Scalar) -> bool:
    return not (isinstance(x, (int, float)) and x == 0)


@dataclass(frozen=True)
class LiftedLink:
    """A link with its joint variable put in: orientation R and position p on the parent link."""

    parent: int
    kind: str
    axis: Triple
    R: Matrix3
    p: Triple
    inertia: RigidInertia


class LiftedTree:
    """The tree with every expression turned into numbers by ``lift``; links keep their order."""

    def __init__(self, tree: Tree, lift: Lift) -> None:
        self.tree = tree
        self.lift = lift
        inertias = [MASSLESS] * len(tree.links)
        for mass in tree.masses:
            place = tree.attachments[mass.frame]
            if place.link != WORLD:
                inertias[place.link] += self._inertia(mass.frame, mass.mass, mass.com, mass.inertia)
        self.links = [self._link(k, inertias[k]) for k in range(len(tree.links))]
        self._poses: dict[int, Pose] = {WORLD: (IDENTITY, (0, 0, 0))}

    def _numbers(self, matrix: Scalar) -> Matrix3:
        return tuple(tuple(self.lift(x) for x in row) for row in matrix)

    def _triple(self, values: Triple) -> Triple:
        return tuple(self.lift(x) for x in values)

    def _inertia(self, frame: Frame, mass: Scalar, com: Triple, inertia: Matrix3 | None) -> RigidInertia:
        """Mass properties moved to the link's origin and axes (parallel axes, Choset (10.46))."""
        R, p = self.offset(frame)
        m = self.lift(mass)
        c = m3.add(p, m3.matvec(R, self._triple(com)))
        J = m3.ZERO if inertia is None else m3.matmul(m3.matmul(R, self._numbers(inertia)), m3.transpose(R))
        return RigidInertia(m, m3.scale(m, c), m3.matrix_add(J, _parallel(m, c)))

    def _link(self, k: int, inertia: RigidInertia) -> LiftedLink:
        link = self.tree.links[k]
        R, p = self._numbers(link.rotation), self._triple(link.position)
        axis = tuple(x if is_number(x) else self.lift(x) for x in link.axis)  # parameters may tilt it
        if link.kind == "spin":
            e = tuple(self.lift(symbol) for symbol in quaternion_symbols(link.variable))
            R = m3.matmul(R, quaternion.matrix(e))
        elif link.kind == "turn":
            R = m3.matmul(R, about(axis, self.lift(link.variable)))
        elif link.kind == "slide":
            p = m3.add(p, m3.matvec(R, m3.scale(self.lift(link.variable), axis)))
        return LiftedLink(link.parent, link.kind, axis, R, p, inertia)

    def offset(self, frame: Frame) -> Pose:
        """Constant pose of a frame on its link."""
        place = self.tree.attachments[frame]
        return self._numbers(place.rotation), self._triple(place.position)

    def link_of(self, frame: Frame) -> int:
        return self.tree.attachments[frame].link

    def pose_of_link(self, k: int) -> Pose:
        """Pose (R, p) of link k in the world."""
        if k not in self._poses:
            link = self.links[k]
            R, p = self.pose_of_link(link.parent)
            self._poses[k] = m3.matmul(R, link.R), m3.add(p, m3.matvec(R, link.p))
        return self._poses[k]

    def pose(self, frame: Frame) -> Pose:
        """Pose (R, p) of a frame in the world."""
        R, p = self.pose_of_link(self.link_of(frame))
        R_F, p_F = self.offset(frame)
        return m3.matmul(R, R_F), m3.add(p, m3.matvec(R, p_F))

    def point(self, frame: Frame, position: Triple) -> Triple:
        """World position of the point fixed at ``position`` in ``frame``."""
        R, p = self.pose(frame)
        return m3.add(p, m3.matvec(R, self._triple(position)))

    def components(self, vector: Vector, link: int) -> Triple:
        """Components of a model vector along the axes of a link."""
        total: Triple = (0, 0, 0)
        for frame, parts in vector.terms.items():
            R_F, _ = self.offset(frame)
            local = m3.matvec(R_F, self._triple(parts))
            total = m3.add(total, self.carry(local, self.link_of(frame), link))
        return total

    def carry(self, parts: Triple, source: int, target: int) -> Triple:
        """Components along ``target``'s axes of a vector given along ``source``'s, by the shortest way in the tree."""
        up, down = self._ancestors(source), self._ancestors(target)
        meet = next(k for k in up if k in set(down))
        for k in up[: up.index(meet)]:
            parts = m3.matvec(self.links[k].R, parts)
        for k in reversed(down[: down.index(meet)]):
            parts = m3.matvec(m3.transpose(self.links[k].R), parts)
        return parts

    def _ancestors(self, k: int) -> list[int]:
        """k, its parent, ..., the world."""
        found = [k]
        while found[-1] != WORLD:
            found.append(self.links[found[-1]].parent)
        return found


def _parallel(m: Scalar, c: Triple) -> Matrix3:
    """m (c.c 1 - c c)."""
    cc = m3.squared_norm(c)
    spread = tuple(tuple(minus(cc if i == j else 0, times(c[i], c[j])) for j in range(3)) for i in range(3))
    return m3.matrix_scale(m, spread)
