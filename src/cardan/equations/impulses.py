"""Impulses on bodies and through bearings as vectors, by balance of momentum.

    F^ = m (v+ - v-)        M^ = H+ - H-    about the centre of mass

Configurations do not change in an impact, so that these are linear in the jump dv of the velocities (Hemingway &
O'Reilly (26), (57), (91)). What goes through a joint is the balance of everything it carries; impulses of constraints
and contacts with a place are taken off where they act.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cardan.equations.recursive import Pair, Rate, add_pairs
from cardan.equations.reduced import Dynamics
from cardan.equations.stops import stop_nodes
from cardan.equations.transmission import Transmission
from cardan.equations.unplaced import movers
from cardan.geometry import matrix as m3
from cardan.graph import Node, jvp
from cardan.kinematics.rows import Row
from cardan.kinematics.space import Number
from cardan.kinematics.tree import WORLD
from cardan.model.bodies import Body
from cardan.model.constraints import Holonomic, VelocityConstraint
from cardan.model.motions import Triple
from cardan.native.once import once

ZERO: Triple = (0, 0, 0)


@dataclass(frozen=True)
class ImpulseParts:
    """An impulse as nine nodes: force, moment about a point, and the point; world components."""

    name: str
    on: str
    parts: list[Node]
    rows: tuple[int, ...] = ()  # that make it
    includes: tuple[int, ...] = ()  # rows without a place that act within it


@dataclass(frozen=True)
class ImpulseNodes:
    """The impulses of a model as graph nodes of (q, t, dv, Lam): Lam are those of constraints, then of stops."""

    dynamics: Dynamics

    @once
    def rows(self) -> list[Row]:
        """Rows of the constraints, then those of all stops."""
        d = self.dynamics
        stops = stop_nodes(d).stops if d.model.stops else ()
        return [*d.full.rows, *(row for one in stops for row in (one.gap, *one.slips))]

    @once
    def jump(self) -> list[Node]:
        """Jumps of the free velocities, as inputs."""
        return [self.dynamics.further_input(f"jump {node.name}") for node in self.dynamics.v]

    @once
    def lam(self) -> list[Node]:
        """Impulses of the rows, as inputs."""
        return [self.dynamics.further_input(f"impulse {row.name}") for row in self.rows]

    def _jumped(self, values: Sequence[Number]) -> tuple[Node, ...]:
        """How much quantities that are affine in the velocities jump."""
        space = self.dynamics.space
        own = dict(zip(self.dynamics.v, self.jump, strict=True))
        tangents = [own.get(node, space.graph.zero) for node in space.v]
        return tuple(jvp(space.all_nodes(values), space.v, tangents))

    def bodies(self) -> list[ImpulseParts]:
        """On each body and particle, all that acts on it together; about the centre of mass."""
        full, found = self.dynamics.full, []
        tree = full.lifted
        for mass in full.tree.masses:
            k = tree.link_of(mass.frame)
            R_F, p_F = tree.offset(mass.frame)
            c = m3.add(p_F, m3.matvec(R_F, tuple(tree.lift(x) for x in mass.com)))
            w, v = (ZERO, ZERO) if k == WORLD else full.motion.links[k]
            force = m3.scale(tree.lift(mass.mass), self._jumped(m3.add(v, m3.cross(w, c))))
            moment: Triple = ZERO
            if mass.inertia is not None:
                inertia = tuple(tuple(tree.lift(x) for x in row) for row in mass.inertia)
                J = m3.matmul(m3.matmul(R_F, inertia), m3.transpose(R_F))
                moment = self._jumped(m3.matvec(J, w))
            R, _ = tree.pose_of_link(k)
            parts = [*m3.matvec(R, force), *m3.matvec(R, moment), *tree.point(mass.frame, mass.com)]
            found.append(ImpulseParts(mass.name, mass.name, self.dynamics.impose(parts)))
        return found

    def bearings(self) -> list[ImpulseParts]:
        """Through the joint of each body, on the body, about its origin."""
        d = self.dynamics
        rates = [_tuple(rate) for rate in d.full.joints.rates]
        still: list[Rate] = [ZERO if link.kind == "spin" else 0 for link in d.full.lifted.links]
        jumps = [self._jumped(rate) for rate in rates]
        moved: list[Rate] = [
            a if link.kind == "spin" else a[0] for a, link in zip(jumps, d.full.lifted.links, strict=True)
        ]
        found = []
        for part in Transmission(d.model, d.full.lifted, still, moved, ZERO, {}, ()).parts():
            through = part.moving(part.constraints(self.rows, self.lam))
            links = {held.body: held.link for held in part.held()}
            found += [self._bearing(part, body, link, through[link]) for body, link in links.items()]
        order = {body.name: k for k, body in enumerate(d.model.bodies)}
        return sorted(found, key=lambda one: order[one.name])

    def _bearing(self, part: Transmission, body: Body, link: int, wrench: Pair) -> ImpulseParts:
        R, _ = part.tree.pose_of_link(link)
        _, p = part.tree.offset(body.frame)
        moment, force = wrench
        about = m3.subtract(moment, m3.cross(p, force))
        parts = [*m3.matvec(R, force), *m3.matvec(R, about), *part.tree.point(body.frame, ZERO)]
        placed = tuple(i for i, row in enumerate(self.rows) if row.actions)
        return ImpulseParts(body.name, body.name, self.dynamics.impose(parts), placed, self._within(body))

    def _within(self, body: Body) -> tuple[int, ...]:
        """Rows that were typed without a place and act along what moves the body."""
        model = self.dynamics.model
        names = {symbol: one.name for one in model.variables for symbol in (*one.configuration, *one.velocities)}
        moved, found = movers(model, body.frame), []
        for i, row in enumerate(self.rows):
            if isinstance(row.constraint, (Holonomic, VelocityConstraint)):
                own = {names[symbol] for symbol in row.constraint.expression.free_symbols if symbol in names}
                found += [i] if own & moved else []
        return tuple(found)

    def contacts(self) -> list[ImpulseParts]:
        """What each constraint or stop with a place does to each frame it acts on, about the place."""
        groups: dict[tuple[str, str], list[int]] = {}
        for i, row in enumerate(self.rows):
            for frame in dict.fromkeys(action.frame.name for action in row.actions):
                groups.setdefault((row.constraint.name, frame), []).append(i)
        return [self._contact(*key, indices) for key, indices in groups.items()]

    def _contact(self, name: str, frame: str, indices: Sequence[int]) -> ImpulseParts:
        acting = [(i, one) for i in indices for one in self.rows[i].actions if one.frame.name == frame]
        origin = self.dynamics.full.lifted.point(acting[0][1].frame, ZERO)
        point = next((one.place for _, one in acting if one.place is not None), origin)
        total: Pair = (ZERO, ZERO)
        for i, one in acting:
            vector = m3.scale(self.lam[i], one.direction)
            if one.place is None:
                total = add_pairs(total, (vector, ZERO))
            else:
                total = add_pairs(total, (m3.cross(m3.subtract(one.place, point), vector), vector))
        parts = [*total[1], *total[0], *point]
        return ImpulseParts(name, frame, self.dynamics.impose(parts), tuple(indices))


def _tuple(rate: Rate) -> Triple:
    return tuple(rate) if isinstance(rate, tuple) else (rate,)
