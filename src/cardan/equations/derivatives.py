"""Derivatives of inverse and forward dynamics by q and v, as graph nodes.

For trees in one recursion over the bodies [SinghRussellWensing2022], all motions and forces along the axes of one frame
for each tree. What they write as a 6 by 6 matrix 2 B is, for a rigid body with mass m, first moment h, inertia J,
motion (w, u) and linear momentum P, the pair of W = [w](2 J - tr J) - 2 [h][u] and P:

    2 B (a, b) = (W a, 2 a x P).

For any other system without constraints the graph is differentiated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from cardan.equations.energies import number
from cardan.equations.joint_space import velocity_gradient
from cardan.equations.recursive import (
    Pair,
    add_pairs,
    cross_force,
    cross_motion,
    inertia_in_parent,
    momentum,
    unit_rates,
)
from cardan.equations.solve import Factors
from cardan.geometry import matrix as m3
from cardan.geometry.scalar import Scalar, minus, negative, plus, times
from cardan.graph import Node, jacobian, jvp
from cardan.kinematics.lifted import LiftedLink, Pose, RigidInertia
from cardan.kinematics.space import Number
from cardan.kinematics.tree import WORLD
from cardan.model.frames import IDENTITY
from cardan.model.motions import Matrix3, Triple

if TYPE_CHECKING:
    from cardan.equations.reduced import Dynamics

NONE: Pair = ((0, 0, 0), (0, 0, 0))
Rows = list[list[Number]]


# --- what kernels take ------------------------------------------------------------------------------


def inverse_derivatives(d: Dynamics) -> list[Node]:
    """d(M a + f + g - Q) by q (along velocities: dq = N delta), then by v, row by row."""
    if d.suits_bodies:
        found = _Bodies(d).slopes(d.vd)
        return d.space.all_nodes([x for rows in found[:2] for row in rows for x in row])
    by_q, by_v = _differentiated(d, d.balance)
    return [x for rows in (by_q, by_v) for row in rows for x in row]


def forward_derivatives(d: Dynamics) -> tuple[list[Node], list[tuple[Node, Node]]]:
    """da by q (along velocities), by v and by tau, row by row, where M a + f + g - Q = tau; and the pivots."""
    if not d.suits_bodies:
        return _forward_differentiated(d)
    bodies = _Bodies(d)
    order = bodies.order
    M = bodies.mass_matrix
    factors = Factors.of([[M[i][j] for j in order] for i in order])
    bias = bodies.efforts([0] * len(order))
    right = [minus(tau, own) for tau, own in zip(d.tau, bias, strict=True)]
    vd = _put(order, factors.solve([right[j] for j in order]))
    by_q, by_v = bodies.slopes(vd)
    n = range(len(order))
    solved = []
    for rows in (by_q, by_v):
        columns = [_put(order, factors.solve([negative(rows[i][j]) for i in order])) for j in n]
        solved.append([[columns[j][i] for j in n] for i in n])
    inverse = factors.inverted()
    place = {j: k for k, j in enumerate(order)}
    solved.append([[inverse[place[i]][place[j]] for j in n] for i in n])
    pivots = [tuple(d.space.all_nodes(factors.pivots[place[j]])) for j in n]
    return d.space.all_nodes([x for rows in solved for row in rows for x in row]), [(a, b) for a, b in pivots]


def _put(order: Sequence[int], values: Sequence[Number]) -> list[Number]:
    """Values that were in this order of velocities, in theirs."""
    found: list[Number] = [0] * len(order)
    for j, value in zip(order, values, strict=True):
        found[j] = value
    return found


# --- by differentiating the graph -------------------------------------------------------------------


def _differentiated(d: Dynamics, nodes: Sequence[Node]) -> tuple[list[list[Node]], list[list[Node]]]:
    """By q along velocities, and by v."""
    N = jacobian(d.configuration_rates, d.v)
    columns = [jvp(nodes, d.q, [row[j] for row in N]) for j in range(len(d.v))]
    return [list(row) for row in zip(*columns, strict=True)], jacobian(nodes, d.v)


def _forward_differentiated(d: Dynamics) -> tuple[list[Node], list[tuple[Node, Node]]]:
    vd, pivots = d.forward
    by_q, by_v = _differentiated(d, vd)
    rows = [*by_q, *by_v, *jacobian(vd, d.tau)]
    return [x for row in rows for x in row], pivots


# --- by recursion over bodies -----------------------------------------------------------------------


@dataclass(frozen=True)
class _Moving:
    """What a body (and later all that it carries) adds: inertia, W and P of the heading."""

    inertia: RigidInertia
    W: Matrix3
    P: Triple

    def __add__(self, other: _Moving) -> _Moving:
        return _Moving(self.inertia + other.inertia, m3.matrix_add(self.W, other.W), m3.add(self.P, other.P))

    def twice_b(self, motion: Pair) -> Pair:
        a, _ = motion
        return m3.matvec(self.W, a), m3.scale(2, m3.cross(a, self.P))

    def from_left(self, motion: Pair) -> Triple:
        """(a, b)^T 2 B: its linear part is zero."""
        a, b = motion
        return m3.add(m3.matvec(m3.transpose(self.W), a), m3.scale(2, m3.cross(self.P, b)))


class _Bodies:
    """The recursion: motions outwards, composites inwards, then every pair of a body and one that carries it."""

    def __init__(self, d: Dynamics) -> None:
        self.d, full = d, d.full
        self.links = full.lifted.links
        rows = iter(next(iter(row)) for row in full.joints.rows)
        self.own = [[next(rows) for _ in unit_rates(link)] for link in self.links]
        self.order = [j for own in self.own for j in own]
        self.poses, self.gravity = _poses(self.links, full.gravity)
        self.S = [_freedoms(link, pose) for link, pose in zip(self.links, self.poses, strict=True)]
        self.V: list[Pair] = []
        for k, link in enumerate(self.links):
            self.V.append(add_pairs(self._of(self.V, link), self._along(k, full.joints.rates[k])))
        self.moving = [
            _moving(inertia_in_parent(_placed(link, pose), link.inertia), V)
            for link, pose, V in zip(self.links, self.poses, self.V, strict=True)
        ]
        self.composite = self._gathered(self.moving)
        nodes = d.impose([minus(g, Q) for g, Q in zip(full.typed_potential_terms, full.forces, strict=True)])
        self.extra = [number(node) for node in nodes]  # with signals put in, so that what they follow counts
        by_q = [velocity_gradient(d.space, [number(x) for x in row]) for row in jacobian(nodes, d.space.q)]
        by_v = [[number(x) for x in row] for row in jacobian(nodes, d.space.v)]
        self.extra_slopes = by_q, by_v

    # --- outwards and inwards ---

    def _of(self, motions: Sequence[Pair], link: LiftedLink) -> Pair:
        return NONE if link.parent == WORLD else motions[link.parent]

    def _along(self, k: int, rate: Number | Triple) -> Pair:
        """S times the rates of a link's freedoms."""
        total = NONE
        for one, S in zip(rate if isinstance(rate, tuple) else (rate,), self.S[k], strict=True):
            total = add_pairs(total, (m3.scale(one, S[0]), m3.scale(one, S[1])))
        return total

    def _gathered(self, own: Sequence[_Moving]) -> list[_Moving]:
        found = list(own)
        for k in reversed(range(len(self.links))):
            if self.links[k].parent != WORLD:
                found[self.links[k].parent] = found[self.links[k].parent] + found[k]
        return found

    def _accelerations(self, vd: Sequence[Number]) -> list[Pair]:
        """With minus gravity at the base, as in Newton and Euler's recursion."""
        found: list[Pair] = []
        for k, link in enumerate(self.links):
            before = ((0, 0, 0), self.gravity[k]) if link.parent == WORLD else found[link.parent]
            rate = self.d.full.joints.rates[k]
            parts = [vd[j] for j in self.own[k]]
            driven = self._along(k, tuple(parts) if link.kind == "spin" else parts[0])
            drift = cross_motion(self.V[k], self._along(k, rate))
            found.append(add_pairs(add_pairs(before, driven), drift))
        return found

    def _forces(self, A: Sequence[Pair]) -> list[Pair]:
        """What each joint transmits."""
        F = [
            add_pairs(momentum(one.inertia, a), cross_force(V, momentum(one.inertia, V)))
            for one, a, V in zip(self.moving, A, self.V, strict=True)
        ]
        for k in reversed(range(len(self.links))):
            if self.links[k].parent != WORLD:
                F[self.links[k].parent] = add_pairs(F[self.links[k].parent], F[k])
        return F

    def efforts(self, vd: Sequence[Number]) -> list[Number]:
        """M vd + f + g - Q."""
        found = list(self.extra)
        for own, columns, F in zip(self.own, self.S, self._forces(self._accelerations(vd)), strict=True):
            for j, S in zip(own, columns, strict=True):
                found[j] = plus(found[j], _power(S, F))
        return found

    # --- every pair ---

    @property
    def mass_matrix(self) -> Rows:
        M: Rows = [[0] * self.d.full.n for _ in range(self.d.full.n)]
        for k, columns in enumerate(self.S):
            for i, S in zip(self.own[k], columns, strict=True):
                force = momentum(self.composite[k].inertia, S)
                for at in [k, *self._carriers(k)]:
                    for j, other in zip(self.own[at], self.S[at], strict=True):
                        M[i][j] = M[j][i] = _power(other, force)
        return M

    def slopes(self, vd: Sequence[Number]) -> tuple[Rows, Rows]:
        """Of efforts(vd) by q and by v [SinghRussellWensing2022, algorithm 1]."""
        A = self._accelerations(vd)
        F = self._forces(A)
        turned = [self._turned(k, A) for k in range(len(self.links))]
        by_q, by_v = ([list(row) for row in rows] for rows in self.extra_slopes)

        def put(rows: Rows, i: int, j: int, value: Number) -> None:
            rows[i][j] = plus(rows[i][j], value)

        for k, columns in enumerate(self.S):
            whole = self.composite[k]
            for i, S, (first, second, rate) in zip(self.own[k], columns, turned[k], strict=True):
                left, inertial = whole.from_left(S), momentum(whole.inertia, S)
                pushed = add_pairs(whole.twice_b(first), momentum(whole.inertia, second))
                rubbed = add_pairs(whole.twice_b(S), momentum(whole.inertia, rate))
                for j, other in zip(self.own[k], columns, strict=True):
                    put(by_q, j, i, _power(other, pushed))
                    put(by_v, j, i, _power(other, rubbed))
                pushed = add_pairs(pushed, cross_force(S, F[k]))
                for at in self._carriers(k):
                    for j, other, (one, two, three) in zip(self.own[at], self.S[at], turned[at], strict=True):
                        put(by_q, j, i, _power(other, pushed))
                        put(by_v, j, i, _power(other, rubbed))
                        put(by_q, i, j, plus(m3.dot(left, one[0]), _power(two, inertial)))
                        put(by_v, i, j, plus(m3.dot(left, other[0]), _power(three, inertial)))
        return by_q, by_v

    def _turned(self, k: int, A: Sequence[Pair]) -> list[tuple[Pair, Pair, Pair]]:
        """Of each freedom: v x S and a x S + v x (v x S) with the motion of the parent, and the first plus dS/dt."""
        link, found = self.links[k], []
        v = self._of(self.V, link)
        a = ((0, 0, 0), self.gravity[k]) if link.parent == WORLD else A[link.parent]
        for S in self.S[k]:
            first = cross_motion(v, S)
            second = add_pairs(cross_motion(a, S), cross_motion(v, first))
            found.append((first, second, add_pairs(first, cross_motion(self.V[k], S))))
        return found

    def _carriers(self, k: int) -> list[int]:
        found = []
        while self.links[k].parent != WORLD:
            k = self.links[k].parent
            found.append(k)
        return found


def _power(motion: Pair, force: Pair) -> Scalar:
    return plus(m3.dot(motion[0], force[0]), m3.dot(motion[1], force[1]))


def _moving(inertia: RigidInertia, V: Pair) -> _Moving:
    w, u = V
    trace = m3.dot((1, 1, 1), [inertia.J[i][i] for i in range(3)])
    doubled = tuple(tuple(minus(times(2, inertia.J[i][j]), trace if i == j else 0) for j in range(3)) for i in range(3))
    turned = m3.matmul(m3.skew(w), doubled)
    slid = m3.matmul(m3.skew(m3.scale(2, inertia.h)), m3.skew(u))
    return _Moving(inertia, m3.matrix_subtract(turned, slid), momentum(inertia, V)[1])


def _freedoms(link: LiftedLink, pose: Pose) -> list[Pair]:
    """The motions (angular, linear) that a link's freedoms make, in the frame of its tree."""
    R, p = pose
    if link.kind == "slide":
        return [((0, 0, 0), m3.matvec(R, link.axis))]
    axes = m3.transpose(R) if link.kind == "spin" else [m3.matvec(R, link.axis)]
    return [(axis, m3.cross(p, axis)) for axis in axes]


def _placed(link: LiftedLink, pose: Pose) -> LiftedLink:
    return LiftedLink(link.parent, link.kind, link.axis, *pose, link.inertia)


def _poses(links: Sequence[LiftedLink], gravity: Triple) -> tuple[list[Pose], list[Triple]]:
    """Each link's pose in the frame of its tree, and minus gravity along that frame's axes.

    The frame is that of the first body which spins (a floating base), if nothing branches before it, else that of the
    middle of what leads to the first branch: expressions are short, and numbers stay small wherever the base is.
    """
    poses: dict[int, Pose] = {}
    felt: dict[int, Triple] = {}
    down = m3.negate(gravity)
    children = [sum(one.parent == k for one in links) for k in range(len(links))]
    for root in (k for k, link in enumerate(links) if link.parent == WORLD):
        path = [root]
        while links[path[-1]].kind != "spin" and children[path[-1]] == 1:
            path.append(next(k for k, one in enumerate(links) if one.parent == path[-1]))
        if links[path[-1]].kind != "spin":
            path = path[: len(path) // 2 + 1]
        poses[path[-1]] = IDENTITY, (0, 0, 0)
        for above, below in reversed(list(pairwise(path))):
            R, p = poses[below]
            R = m3.matmul(R, m3.transpose(links[below].R))
            poses[above] = R, m3.subtract(p, m3.matvec(R, links[below].p))
        felt[root] = m3.matvec(m3.matmul(poses[root][0], m3.transpose(links[root].R)), down)
    for k, link in enumerate(links):
        if link.parent != WORLD:
            felt[k] = felt[link.parent]
            if k not in poses:
                R, p = poses[link.parent]
                poses[k] = m3.matmul(R, link.R), m3.add(p, m3.matvec(R, link.p))
    return [poses[k] for k in range(len(links))], [felt[k] for k in range(len(links))]
