"""The articulated-body algorithm: accelerations of a tree in O(n) operations [Featherstone2008, table 7.1]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cardan.equations.recursive import (
    ZERO,
    Pair,
    Rate,
    add_pairs,
    composite_inertias,
    cross_force,
    cross_motion,
    force_to_parent,
    joint_motion,
    joint_share,
    momentum,
    motion_to_child,
    unit_rates,
    velocities,
)
from cardan.geometry import matrix as m3
from cardan.geometry.scalar import Scalar, is_zero, minus, plus, times
from cardan.kinematics.lifted import LiftedLink, LiftedTree, RigidInertia
from cardan.kinematics.tree import WORLD
from cardan.model.motions import Matrix3, Triple

DEEP = 400  # squared depth of a body, on average: a chain of 35; both algorithms cost the same at about 20


def is_deep(tree: LiftedTree) -> bool:
    """Whether eliminating each velocity from those below it, depth^2 operations, costs far more than bodies do."""
    depths: list[int] = []
    for link in tree.links:
        depths.append((0 if link.parent == WORLD else depths[link.parent]) + (3 if link.kind == "spin" else 1))
    return sum(depth**2 for depth in depths) > DEEP * len(depths)


@dataclass(frozen=True)
class ArticulatedInertia:
    """[[J, H], [H^T, M]] with moment n = J w + H v and force f = H^T w + M v."""

    J: Matrix3
    H: Matrix3
    M: Matrix3

    def apply(self, motion: Pair) -> Pair:
        w, v = motion
        n = m3.add(m3.matvec(self.J, w), m3.matvec(self.H, v))
        return n, m3.add(m3.matvec(m3.transpose(self.H), w), m3.matvec(self.M, v))

    def __add__(self, other: ArticulatedInertia) -> ArticulatedInertia:
        return ArticulatedInertia(
            m3.matrix_add(self.J, other.J), m3.matrix_add(self.H, other.H), m3.matrix_add(self.M, other.M)
        )


def articulated(inertia: RigidInertia) -> ArticulatedInertia:
    """A rigid inertia as an articulated one."""
    return ArticulatedInertia(inertia.J, m3.skew(inertia.h), m3.diagonal((inertia.m,) * 3))


def articulated_accelerations(
    tree: LiftedTree,
    rates: Sequence[Rate],
    efforts: Sequence[Rate],
    gravity: Triple = ZERO,
    external: Mapping[int, Pair] | None = None,
) -> tuple[list[Rate], list[tuple[Scalar, Scalar]]]:
    """Joint accelerations for given joint efforts, and the pivots with the scale each is to be compared with.

    A pivot is S^T I_A S (for a spin the three pivots of its 3 by 3 block); its scale is the diagonal entry S^T I_C S
    of the mass matrix, so that a pivot lost to rounding is seen.
    """
    V = velocities(tree, rates)
    composite = composite_inertias(tree)
    inertia = [articulated(link.inertia) for link in tree.links]
    bias: list[Pair] = []
    for k, link in enumerate(tree.links):
        p = cross_force(V[k], momentum(link.inertia, V[k]))
        if external and k in external:
            p = m3.subtract(p[0], external[k][0]), m3.subtract(p[1], external[k][1])
        bias.append(p)

    drift = [cross_motion(V[k], joint_motion(link, rates[k])) for k, link in enumerate(tree.links)]
    gates: dict[int, _Gate] = {}
    pivots: list[tuple[Scalar, Scalar]] = []
    for k in reversed(range(len(tree.links))):
        link = tree.links[k]
        gates[k] = _Gate(link, inertia[k], bias[k], efforts[k])
        pivots.extend(zip(gates[k].pivots, _scales(link, composite[k]), strict=True))
        if link.parent != WORLD:
            left, push = gates[k].seen_from_parent(drift[k])
            inertia[link.parent] = inertia[link.parent] + _in_parent(link, left)
            bias[link.parent] = add_pairs(bias[link.parent], force_to_parent(link, push))

    A: list[Pair] = []
    found: list[Rate] = []
    base: Pair = (ZERO, m3.negate(gravity))
    for k, link in enumerate(tree.links):
        before = base if link.parent == WORLD else A[link.parent]
        arriving = add_pairs(motion_to_child(link, before), drift[k])
        found.append(gates[k].acceleration(arriving))
        A.append(add_pairs(arriving, joint_motion(link, found[k])))
    return found, pivots


def _scales(link: LiftedLink, inertia: RigidInertia) -> list[Scalar]:
    shares = [joint_share(link, momentum(inertia, joint_motion(link, rate))) for rate in unit_rates(link)]
    return [share[a] for a, share in enumerate(shares)] if link.kind == "spin" else shares


class _Gate:
    """One joint eliminated: U = I_A S, D = S^T U, u = effort - S^T p."""

    def __init__(self, link: LiftedLink, inertia: ArticulatedInertia, bias: Pair, effort: Rate) -> None:
        self.link, self.inertia, self.bias = link, inertia, bias
        self.U = [inertia.apply(joint_motion(link, rate)) for rate in unit_rates(link)]
        shares = [joint_share(link, column) for column in self.U]
        felt = joint_share(link, bias)
        if link.kind == "spin":
            self.inverse: Matrix3
            self.inverse, self.pivots = _inverse_3x3(m3.transpose(tuple(shares)))
            self.u = m3.subtract(effort, felt)
        else:
            self.inverse, self.pivots = ((reciprocal(shares[0]),),), [shares[0]]
            self.u = (minus(effort, felt),)

    def _solve(self, right: Sequence[Scalar]) -> tuple[Scalar, ...]:
        return m3.matvec(self.inverse, right)

    def seen_from_parent(self, drift: Pair) -> tuple[ArticulatedInertia, Pair]:
        """I_a = I_A - U D^-1 U^T and p_a = p + I_a c + U D^-1 u."""
        left = _deflate(self.link, self.inertia, self.U, self.inverse)
        push = add_pairs(self.bias, left.apply(drift))
        for column, weight in zip(self.U, self._solve(self.u), strict=True):
            push = add_pairs(push, (m3.scale(weight, column[0]), m3.scale(weight, column[1])))
        return left, push

    def acceleration(self, arriving: Pair) -> Rate:
        """D^-1 (u - U^T a)."""
        felt = [m3.dot((*column[0], *column[1]), (*arriving[0], *arriving[1])) for column in self.U]
        solved = self._solve(m3.subtract(self.u, felt))
        return solved if self.link.kind == "spin" else solved[0]


def reciprocal(x: Scalar) -> Scalar:
    """1 / x; an exact zero gives 0, because the pivot it came from is reported and nothing after it is used."""
    return 0 if is_zero(x) else 1 / x


def _deflate(link: LiftedLink, inertia: ArticulatedInertia, U: list[Pair], inverse: Matrix3) -> ArticulatedInertia:
    """I_A - U D^-1 U^T. What the joint lets move no longer resists: S^T times it is zero, and stays so exactly."""
    weighted = [
        [m3.dot(inverse[a], [column[part][i] for column in U]) for part in (0, 1) for i in range(3)]
        for a in range(len(U))
    ]
    columns = [(*column[0], *column[1]) for column in U]
    free = _free_directions(link)

    def entry(i: int, j: int, own: Scalar) -> Scalar:
        if i in free or j in free:
            return 0
        for column, weights in zip(columns, weighted, strict=True):
            own = minus(own, times(column[i], weights[j]))
        return own

    J = m3.symmetric(3, lambda i, j: entry(i, j, inertia.J[i][j]))
    H = tuple(tuple(entry(i, j + 3, inertia.H[i][j]) for j in range(3)) for i in range(3))
    return ArticulatedInertia(J, H, m3.symmetric(3, lambda i, j: entry(i + 3, j + 3, inertia.M[i][j])))


def _free_directions(link: LiftedLink) -> set[int]:
    """The link's own axes (0 to 2: turning, 3 to 5: sliding) along which its joint lets it move."""
    if link.kind == "spin":
        return {0, 1, 2}
    first = 0 if link.kind == "turn" else 3
    along = [i for i, x in enumerate(link.axis) if not is_zero(x)]
    return {first + along[0]} if len(along) == 1 else set()


def _in_parent(link: LiftedLink, inertia: ArticulatedInertia) -> ArticulatedInertia:
    """An articulated inertia seen from the parent's origin and axes."""
    turn = link.R
    J, M = m3.congruence(turn, inertia.J), m3.congruence(turn, inertia.M)
    H = m3.matmul(m3.matmul(turn, inertia.H), m3.transpose(turn))
    P = m3.skew(link.p)
    HP = m3.matrix_add(H, m3.matmul(P, M))  # force at the child adds p x f to the moment
    # n' = (J + P H^T) w + (H + P M) v  with  v = v' + w x p = v' - P w = v' + P^T w
    moved = m3.symmetric(3, lambda i, j: plus(plus(J[i][j], m3.dot(P[i], H[j])), m3.dot(HP[i], P[j])))
    return ArticulatedInertia(moved, HP, M)


def _inverse_3x3(D: Matrix3) -> tuple[Matrix3, list[Scalar]]:
    """Inverse of a symmetric 3 by 3 matrix by elimination, with its pivots in order of the diagonal."""
    rows = [[*D[i], *(1 if i == j else 0 for j in range(3))] for i in range(3)]
    pivots = []
    for i in range(3):
        pivots.append(rows[i][i])
        inverse = reciprocal(rows[i][i])
        rows[i] = [times(x, inverse) for x in rows[i]]
        for r in range(3):
            if r != i:
                factor = rows[r][i]
                rows[r] = [minus(x, times(factor, y)) for x, y in zip(rows[r], rows[i], strict=True)]
    return tuple(tuple(row[3:]) for row in rows), pivots
