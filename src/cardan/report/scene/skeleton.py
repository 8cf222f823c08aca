"""The skeleton of a mechanism: where on each body its joints are, and which bodies they join."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.geometry.scalar import Scalar
from cardan.kinematics.tree import WORLD, Tree, build_tree
from cardan.model.bodies import Body
from cardan.model.constraints import Connection, Distance
from cardan.model.frames import Frame, Point
from cardan.model.loads import Damper, Spring
from cardan.model.model import Model
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]


class Values:
    """Expressions of parameters as numbers, with the parameters of a run."""

    def __init__(self, run: Trajectory) -> None:
        self.table = dict(zip(run.kernel.model.parameters, map(float, run.parameters), strict=False))

    def number(self, expression: sp.Expr | float) -> float:
        return float(sp.sympify(expression).xreplace(self.table))

    def array(self, expressions: Iterable[Scalar | Iterable[Scalar]]) -> Vector:
        """Three numbers, or a matrix of them."""
        return np.array([self.array(x) if hasattr(x, "__len__") else self.number(x) for x in expressions])


@dataclass(frozen=True)
class Hinge:
    """A joint as one body sees it: "turn", "slide", "spin" or "fixed", at ``point`` along ``axis`` of its own frame.

    ``other`` is the index of the body at the other side; -1 where that is the world, None where it is a bare frame.
    """

    kind: str
    point: Vector
    axis: Vector
    other: int | None


@dataclass
class Member:
    """One body: its own hinge (None where it floats), those of its children, other points where something is fixed."""

    body: Body
    mass: float
    inertia: Vector
    com: Vector
    own: Hinge | None = None
    base: Hinge | None = None  # the same joint along the axes of the parent body, or of the world
    children: list[Hinge] = field(default_factory=list)
    points: list[Vector] = field(default_factory=list)

    @property
    def anchor(self) -> Vector:
        """Where it hangs: its hinge, or its centre of mass."""
        return self.com if self.own is None else self.own.point

    @property
    def ends(self) -> list[Vector]:
        """Points where something else is joined to it."""
        return [one.point for one in self.children] + self.points


def skeleton(run: Trajectory) -> list[Member]:
    """The members of a mechanism, one for each body, in the order of the model."""
    model, values = run.model, Values(run)
    tree = build_tree(model)
    members = [
        Member(one, values.number(one.mass), values.array(one.inertia), values.array(one.com)) for one in model.bodies
    ]
    index = {one.frame: k for k, one in enumerate(model.bodies)}
    for k, member in enumerate(members):
        _hang(members, k, tree, index, values)
        member.points += [
            values.array(point.position) for point in _fixed_points(model) if point.frame is member.body.frame
        ]
    return members


def _fixed_points(model: Model) -> list[Point]:
    """Points of bodies where connections, rods, springs and dampers end."""
    joined = [one for one in model.constraints if isinstance(one, (Connection, Distance))]
    elements: list[Spring | Damper] = [*model.springs, *model.dampers]
    ends = [*joined, *(one for one in elements if one.acts_between_points)]
    return [point for one in ends for point in (one.first, one.second) if point is not None]


def _hang(members: list[Member], k: int, tree: Tree, index: dict[Frame, int], values: Values) -> None:
    """Put the joint of body k on it and on its parent."""
    body = members[k].body
    place = tree.attachments[body.frame]
    other = _nearest_body(body.frame, index)
    kind = body.joint.drawing(body.name).bearing
    if kind == "none":
        return
    chain = own_links(tree, body.frame)
    if kind == "fixed" or not chain:
        axis = np.array([0.0, 0.0, 1.0])
        members[k].own = Hinge("fixed", np.zeros(3), axis, other)
        _on_parent(members, k, tree, place.link, values.array(place.position), axis, "fixed", other, values)
        return
    first, last = tree.links[chain[0]], tree.links[chain[-1]]
    R, p = values.array(place.rotation), values.array(place.position)
    members[k].own = Hinge(kind, -R.T @ p, R.T @ values.array(last.axis), other)
    axis = values.array(first.rotation) @ values.array(first.axis)
    _on_parent(members, k, tree, first.parent, values.array(first.position), axis, kind, other, values)


def _on_parent(
    members: list[Member],
    k: int,
    tree: Tree,
    link: int,
    point: Vector,
    axis: Vector,
    kind: str,
    other: int | None,
    values: Values,
) -> None:
    """The joint of body k along the axes of what carries it, and among the children of that."""
    if other is None or other < 0:
        members[k].base = Hinge(kind, point, axis, other) if link == WORLD else None
        return
    place = tree.attachments[members[other].body.frame]
    if place.link != link:  # a bare frame moves between the two bodies
        return
    R, p = values.array(place.rotation), values.array(place.position)
    members[k].base = Hinge(kind, R.T @ (point - p), R.T @ axis, other)
    members[other].children.append(Hinge(kind, R.T @ (point - p), R.T @ axis, k))


def _nearest_body(frame: Frame, index: dict[Frame, int]) -> int | None:
    """The body that carries a frame: -1 for the world."""
    one = frame.parent
    while one is not None:
        if one in index:
            return index[one]
        if one.parent is None:
            return WORLD
        one = one.parent
    return None


def own_links(tree: Tree, frame: Frame) -> list[int]:
    """Indices of the links of a frame's own joint, first to last."""
    found: list[int] = []
    k = tree.attachments[frame].link
    while k != WORLD and tree.links[k].name == frame.name:
        found.append(k)
        k = tree.links[k].parent
    return found[::-1]
