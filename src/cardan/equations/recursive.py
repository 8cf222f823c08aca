"""Recursive dynamics of a tree of links: Newton-Euler and composite bodies [Featherstone2008, ch. 5 and 6].

All vectors are along the axes of the link they belong to and taken at its origin. Motions are pairs (angular, linear),
forces pairs (moment, force). The functions are generic over the number type; structural zeros vanish by themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from cardan.geometry import matrix as m3
from cardan.geometry.scalar import Scalar, minus, plus, times
from cardan.kinematics.lifted import LiftedLink, LiftedTree, RigidInertia
from cardan.kinematics.tree import WORLD
from cardan.model.model import Model
from cardan.model.motions import Triple

ZERO: Triple = (0, 0, 0)
Pair = tuple[Triple, Triple]
Rate: TypeAlias = Scalar | Triple  # a scalar for a turn or slide, a triple for a spin


def joint_motion(link: LiftedLink, rate: Rate) -> Pair:
    """S w: the motion across the joint, along the axes of the link after it."""
    if link.kind == "spin":
        return tuple(rate), ZERO
    moved: Triple = m3.scale(rate, link.axis)
    return (moved, ZERO) if link.kind == "turn" else (ZERO, moved)


def joint_share(link: LiftedLink, force: Pair) -> Rate:
    """S^T f: the part of a force that the joint's freedoms feel."""
    n, f = force
    if link.kind == "spin":
        return n
    return m3.dot(link.axis, n if link.kind == "turn" else f)


def motion_to_child(link: LiftedLink, motion: Pair) -> Pair:
    w, v = motion
    back = m3.transpose(link.R)
    return m3.matvec(back, w), m3.matvec(back, m3.add(v, m3.cross(w, link.p)))


def force_to_parent(link: LiftedLink, force: Pair) -> Pair:
    n, f = m3.matvec(link.R, force[0]), m3.matvec(link.R, force[1])
    return m3.add(n, m3.cross(link.p, f)), f


def momentum(inertia: RigidInertia, motion: Pair) -> Pair:
    """I V: (J w + h x v, m v + w x h)."""
    w, v = motion
    return (
        m3.add(m3.matvec(inertia.J, w), m3.cross(inertia.h, v)),
        m3.add(m3.scale(inertia.m, v), m3.cross(w, inertia.h)),
    )


def cross_motion(a: Pair, b: Pair) -> Pair:
    """a x b for motions, [Featherstone2008, eq. 2.31]."""
    return m3.cross(a[0], b[0]), m3.add(m3.cross(a[1], b[0]), m3.cross(a[0], b[1]))


def cross_force(a: Pair, f: Pair) -> Pair:
    """a x* f for a motion and a force, [Featherstone2008, eq. 2.32]."""
    return m3.add(m3.cross(a[0], f[0]), m3.cross(a[1], f[1])), m3.cross(a[0], f[1])


def add_pairs(a: Pair, b: Pair) -> Pair:
    return m3.add(a[0], b[0]), m3.add(a[1], b[1])


def velocities(tree: LiftedTree, rates: Sequence[Rate]) -> list[Pair]:
    """Motion (w, v) of every link."""
    found: list[Pair] = []
    for link, rate in zip(tree.links, rates, strict=True):
        before = (ZERO, ZERO) if link.parent == WORLD else found[link.parent]
        found.append(add_pairs(motion_to_child(link, before), joint_motion(link, rate)))
    return found


def newton_euler(
    tree: LiftedTree,
    rates: Sequence[Rate],
    accelerations: Sequence[Rate],
    gravity: Triple = ZERO,
    external: Mapping[int, Pair] | None = None,
) -> list[Rate]:
    """Joint forces S^T f that make the links move so, [Featherstone2008, table 5.1].

    ``gravity`` is the acceleration of gravity along the world's axes; ``external`` holds applied wrenches by link.
    Zeros in, zeros out: with rates and accelerations zero it is the static problem.
    """
    return [
        joint_share(link, force)
        for link, force in zip(tree.links, transmitted(tree, rates, accelerations, gravity, external), strict=True)
    ]


def transmitted(
    tree: LiftedTree,
    rates: Sequence[Rate],
    accelerations: Sequence[Rate],
    gravity: Triple = ZERO,
    external: Mapping[int, Pair] | None = None,
) -> list[Pair]:
    """The wrench (moment, force) that each joint transmits to the link after it."""
    V = velocities(tree, rates)
    base: Pair = (ZERO, m3.negate(gravity))
    A: list[Pair] = []
    F: list[Pair] = []
    for k, (link, rate, acceleration) in enumerate(zip(tree.links, rates, accelerations, strict=True)):
        before = base if link.parent == WORLD else A[link.parent]
        carried = add_pairs(motion_to_child(link, before), joint_motion(link, acceleration))
        A.append(add_pairs(carried, cross_motion(V[k], joint_motion(link, rate))))
        inertial = add_pairs(momentum(link.inertia, A[k]), cross_force(V[k], momentum(link.inertia, V[k])))
        if external and k in external:
            n, f = external[k]
            inertial = m3.subtract(inertial[0], n), m3.subtract(inertial[1], f)
        F.append(inertial)
    for k in reversed(range(len(tree.links))):
        link = tree.links[k]
        if link.parent != WORLD:
            F[link.parent] = add_pairs(F[link.parent], force_to_parent(link, F[k]))
    return F


def external_wrenches(model: Model, tree: LiftedTree) -> dict[int, Pair]:
    """Applied wrench (moment, force) of the named loads at the origin of each loaded link, along its axes."""
    found: dict[int, Pair] = {}
    for load in model.loads:
        for end, sign in load.ends:
            k = tree.link_of(end.frame)
            if k == WORLD:
                continue
            vector = m3.scale(sign, tree.components(load.vector, k))
            if load.kind == "moment":
                wrench: Pair = (vector, ZERO)
            else:
                R, p = tree.offset(end.frame)
                arm = m3.add(p, m3.matvec(R, tuple(tree.lift(x) for x in end.position)))
                wrench = (m3.cross(arm, vector), vector)
            found[k] = add_pairs(found[k], wrench) if k in found else wrench
    return found


def composite_inertias(tree: LiftedTree) -> list[RigidInertia]:
    """Inertia of each link with everything it carries."""
    found = [link.inertia for link in tree.links]
    for k in reversed(range(len(tree.links))):
        link = tree.links[k]
        if link.parent != WORLD:
            found[link.parent] = found[link.parent] + inertia_in_parent(link, found[k])
    return found


def inertia_in_parent(link: LiftedLink, inertia: RigidInertia) -> RigidInertia:
    """A rigid inertia seen from the parent's origin and axes."""
    m, p = inertia.m, link.p
    h = m3.matvec(link.R, inertia.h)
    J = m3.congruence(link.R, inertia.J)
    moved = m3.add(h, m3.scale(m, p))
    trace = m3.dot(p, m3.add(h, moved))  # J' = J + p.(2 h + m p) 1 - p (h + m p) - h p
    own = m3.symmetric(
        3, lambda i, j: minus(minus(plus(J[i][j], trace if i == j else 0), times(p[i], moved[j])), times(h[i], p[j]))
    )
    return RigidInertia(m, moved, own)


def unit_rates(link: LiftedLink) -> list[Rate]:
    """The unit rates of a link's freedoms: 1, or the three unit angular velocities of a spin."""
    return [(1, 0, 0), (0, 1, 0), (0, 0, 1)] if link.kind == "spin" else [1]


def composite_mass_matrix(tree: LiftedTree) -> dict[tuple[int, int], Scalar]:
    """Joint-space mass matrix as {(i, j): entry}, i >= j, branch by branch [Featherstone2008, table 6.2]."""
    composite = composite_inertias(tree)
    first = first_freedoms(tree)
    H: dict[tuple[int, int], Scalar] = {}
    for k, link in enumerate(tree.links):
        for a, rate in enumerate(unit_rates(link)):
            force = momentum(composite[k], joint_motion(link, rate))
            row = first[k] + a
            own = joint_share(link, force)
            for b, entry in enumerate(own if link.kind == "spin" else (own,)):
                H[row, first[k] + b] = entry
            at = k
            while tree.links[at].parent != WORLD:
                force = force_to_parent(tree.links[at], force)
                at = tree.links[at].parent
                share = joint_share(tree.links[at], force)
                for b, entry in enumerate(share if tree.links[at].kind == "spin" else (share,)):
                    H[row, first[at] + b] = entry
    return H


def first_freedoms(tree: LiftedTree) -> list[int]:
    """Index of the first joint velocity of each link."""
    found, at = [], 0
    for link in tree.links:
        found.append(at)
        at += 3 if link.kind == "spin" else 1
    return found
