"""What goes through the joints of a moving tree: wrenches, in the numbers of either route.

A weld transmits as well. In the tree of the equations a body that cannot move against its parent is a part of it; here
it is taken as a link of its own, without a freedom.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cardan.equations.reactions import Pull
from cardan.equations.recursive import ZERO, Pair, Rate, add_pairs, external_wrenches, transmitted
from cardan.geometry import matrix as m3
from cardan.geometry.scalar import Scalar, is_number
from cardan.kinematics.lifted import LiftedTree
from cardan.kinematics.rows import Row
from cardan.kinematics.tree import WORLD, build_tree
from cardan.model.bodies import Body
from cardan.model.joint import Forbidden
from cardan.model.model import Model
from cardan.model.motions import Triple


@dataclass(frozen=True)
class Held:
    """A direction that the joint of a body forbids, and the same direction along the axes of the body's link."""

    body: Body
    order: int  # of the body in the model
    forbidden: Forbidden
    link: int
    along: Triple

    @property
    def name(self) -> str:
        return f"{self.body.name}_{self.forbidden.label}"

    def share(self, wrenches: Sequence[Pair]) -> Scalar:
        """What of the wrenches on all links acts in this direction."""
        moment, force = wrenches[self.link]
        return m3.dot(moment if self.forbidden.kind == "moment" else force, self.along)


@dataclass(frozen=True)
class Transmission:
    """A tree, how it moves, and what acts on it."""

    model: Model
    tree: LiftedTree
    rates: Sequence[Rate]
    accelerations: Sequence[Rate]
    gravity: Triple
    external: Mapping[int, Pair]  # wrenches of named loads by link
    elements: Sequence[Pull]
    at_welds: bool = False

    def moving(self, acting: Mapping[int, Pair]) -> list[Pair]:
        """The wrench that each joint transmits to the link after it."""
        return transmitted(self.tree, self.rates, self.accelerations, self.gravity, acting)

    def still(self, acting: Mapping[int, Pair]) -> list[Pair]:
        """The same of bodies without weight at rest: the wrenches alone."""
        rates: list[Rate] = [ZERO if link.kind == "spin" else 0 for link in self.tree.links]
        return transmitted(self.tree, rates, rates, ZERO, acting)

    def loads_and_elements(self) -> dict[int, Pair]:
        """Wrenches of named loads, springs and dampers on each link."""
        found = dict(self.external)
        for pull in self.elements:
            self._add(found, self.tree.link_of(pull.frame), pull.force, pull.place)
        return found

    def constraints(self, rows: Sequence[Row], multipliers: Sequence[Scalar]) -> dict[int, Pair]:
        """Wrenches of the constraints on each link."""
        found: dict[int, Pair] = {}
        for row, lam in zip(rows, multipliers, strict=True):
            for action in row.actions:
                k = self.tree.link_of(action.frame)
                self._add(found, k, m3.scale(lam, action.direction), action.place)
        return found

    def _add(self, found: dict[int, Pair], k: int, vector: Triple, place: Triple | None) -> None:
        """Add a force at a place, or a moment (no place), both in the world, to the wrench on link k along its axes."""
        if k == WORLD:
            return
        R, p = self.tree.pose_of_link(k)
        back = m3.transpose(R)
        own = m3.matvec(back, vector)
        wrench: Pair = (own, ZERO) if place is None else (m3.cross(m3.matvec(back, m3.subtract(place, p)), own), own)
        found[k] = add_pairs(found[k], wrench) if k in found else wrench

    # --- welds -------------------------------------------------------------------------------------

    def parts(self) -> list[Transmission]:
        """The joints that move, then the welds where there are any."""
        return [self, self._of_welds()] if any(map(self._is_welded, self.model.bodies)) else [self]

    def _is_welded(self, body: Body) -> bool:
        """Whether a body is a part of what carries it, in the tree of the equations."""
        base = body.frame.parent
        return base is not None and self.tree.link_of(body.frame) == self.tree.link_of(base)

    def _of_welds(self) -> Transmission:
        tree = LiftedTree(build_tree(self.model, welds=True), self.tree.lift)
        moving = [iter(self.rates), iter(self.accelerations)]
        rates, accelerations = ([0 if one.kind == "weld" else next(of) for one in tree.links] for of in moving)
        external = external_wrenches(self.model, tree)
        return replace(self, tree=tree, rates=rates, accelerations=accelerations, external=external, at_welds=True)

    def held(self) -> Iterator[Held]:
        """What the joints of this part forbid, body by body."""
        for order, body in enumerate(self.model.bodies):
            k = self.tree.link_of(body.frame)
            if self.tree.links[k].kind == "weld" if self.at_welds else not self._is_welded(body):
                R, _ = self.tree.offset(body.frame)
                for one in body.joint.forbidden(self.model.motions_of(body.frame), body.name):
                    direction = tuple(x if is_number(x) else self.tree.lift(x) for x in one.direction)
                    yield Held(body, order, one, k, m3.matvec(R, direction))
