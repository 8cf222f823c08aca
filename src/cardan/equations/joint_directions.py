"""What joints forbid: the constrained directions of each joint, the loads along them, and what the joint transmits.

A revolute joint carries one coordinate but answers for five more directions; Hemingway & O'Reilly (101) list the
angular ones of the Cardan suspension. Directions are axes of the body after the joint.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from cardan.equations.recursive import ZERO, Pair, add_pairs, transmitted
from cardan.equations.reduced import Dynamics
from cardan.equations.space import Number
from cardan.equations.symbolic import SymbolicEquations
from cardan.geometry import matrix as m3
from cardan.kinematics.lifted import LiftedTree
from cardan.kinematics.rows import ALL, Row, perpendiculars
from cardan.kinematics.tree import WORLD
from cardan.model import joints
from cardan.model.bodies import Body
from cardan.model.model import Model
from cardan.model.motions import Triple, unit_axis


@dataclass(frozen=True)
class JointDirection:
    """One forbidden direction: its name, what loads and constraints do along it, and what goes through it.

    ``transmitted`` is what the joint and the constraints beyond it pass on together, ``pushed`` the constraints' part.
    """

    name: str
    kind: str  # "force" or "moment"
    direction: Triple
    applied: Any
    transmitted: Any
    pushed: Any


def multiplier(name: str, letter: str = "mu") -> Any:
    """The symbol of a multiplier."""
    return sp.Symbol(f"{letter}_{name}", real=True)


def forbidden(body: Body) -> Iterator[tuple[str, str, Triple]]:
    """(label, kind, direction along the body's axes) of what the body's joint forbids."""
    joint = body.joint
    if isinstance(joint, joints.Revolute):
        yield from _labelled("moment", perpendiculars(unit_axis(joint.axis, body.name)))
        yield from _labelled("force", ALL)
    elif isinstance(joint, joints.Prismatic):
        yield from _labelled("moment", ALL)
        yield from _labelled("force", perpendiculars(unit_axis(joint.axis, body.name)))
    elif isinstance(joint, joints.Cylindrical):
        across = perpendiculars(unit_axis(joint.axis, body.name))
        yield from _labelled("moment", across)
        yield from _labelled("force", across)
    elif isinstance(joint, joints.Planar):
        normal = unit_axis(joint.normal, body.name)
        yield from _labelled("moment", perpendiculars(normal))
        yield from _labelled("force", (normal,))
    elif isinstance(joint, joints.Ball):
        yield from _labelled("force", ALL)


def _labelled(kind: str, directions: tuple[Triple, ...]) -> Iterator[tuple[str, str, Triple]]:
    for k, direction in enumerate(directions):
        axis = next((name for name, unit in zip("xyz", ALL, strict=True) if unit == direction), str(k + 1))
        yield f"{kind}_{axis}", kind, direction


def joint_directions(s: SymbolicEquations) -> list[JointDirection]:
    """All forbidden directions of the joints of a model, with symbols for accelerations."""
    accelerations = [s.rate_with_accelerations(_tuple(rate)) for rate in s.joint_rates]
    still = [ZERO if link.kind == "spin" else 0 for link in s.tree.links]
    moving = transmitted(
        s.tree,
        s.joint_rates,
        [a if link.kind == "spin" else a[0] for a, link in zip(accelerations, s.tree.links, strict=True)],
        s.gravity,
        _elements(s),
    )
    loads = transmitted(s.tree, still, still, ZERO, s.external)
    lam = [multiplier(row.name, "lam") for row in s.rows]
    pushes = transmitted(s.tree, still, still, ZERO, _constraints(s.tree, s.rows, lam))
    return [
        JointDirection(
            name=name,
            kind=kind,
            direction=direction,
            applied=-sp.sympify(_share(loads[k], kind, along)),
            transmitted=sp.sympify(_share(moving[k], kind, along)),
            pushed=-sp.sympify(_share(pushes[k], kind, along)),
        )
        for name, kind, direction, k, along in _directions(s.model, s.tree)
    ]


def joint_nodes(d: Dynamics) -> dict[str, Number]:
    """What the joints themselves transmit along their forbidden directions, as graph nodes of (q, v, vd, lam, t).

    Empty where a constraint was typed by hand: nobody can say on which body such a constraint acts.
    """
    if not all(row.actions for row in d.full.rows):
        return {}
    route = _GraphRoute(d)
    rates = d.full.joints.rates
    accelerations = [d.rate_with_accelerations(_tuple(rate)) for rate in rates]
    acting = _elements(route)
    for k, push in _constraints(route.tree, d.full.rows, d.lam).items():
        acting[k] = add_pairs(acting[k], push) if k in acting else push
    moving = transmitted(
        route.tree,
        rates,
        [a if link.kind == "spin" else a[0] for a, link in zip(accelerations, route.tree.links, strict=True)],
        d.full.gravity,
        acting,
    )
    return {name: _share(moving[k], kind, along) for name, kind, _, k, along in _directions(d.model, route.tree)}


class _GraphRoute:
    """The graph route seen as the symbolic one: its tree, loads, springs and dampers."""

    def __init__(self, d: Dynamics) -> None:
        self.model, self.tree, self.external, self.elements = d.model, d.full.lifted, d.full.external, d.elements


def _directions(model: Model, tree: LiftedTree) -> Iterator[tuple[str, str, Triple, int, Triple]]:
    """(name, kind, direction along the body's axes, link, direction along the link's axes)."""
    for body in model.bodies:
        k = tree.link_of(body.frame)
        if k != WORLD:
            R, _ = tree.offset(body.frame)
            for label, kind, direction in forbidden(body):
                yield f"{body.name}_{label}", kind, direction, k, m3.matvec(R, direction)


def _elements(s: SymbolicEquations | _GraphRoute) -> dict[int, Pair]:
    """Wrenches of named loads, springs and dampers on each link."""
    found = dict(s.external)
    frames = {thing.name: thing.frame for thing in (*s.model.bodies, *s.model.particles)}
    for name, forces in s.elements.items():
        for place, force in forces:
            _add(s.tree, found, s.tree.link_of(frames[name]), force, place)
    return found


def _constraints(tree: LiftedTree, rows: Sequence[Row], multipliers: Sequence[Any]) -> dict[int, Pair]:
    """Wrenches of the constraints on each link."""
    found: dict[int, Pair] = {}
    for row, lam in zip(rows, multipliers, strict=True):
        for action in row.actions:
            _add(tree, found, tree.link_of(action.frame), m3.scale(lam, action.direction), action.place)
    return found


def _add(tree: LiftedTree, found: dict[int, Pair], k: int, vector: Triple, place: Triple | None) -> None:
    """Add a force at a place, or a moment (no place), both in the world, to the wrench on link k along its axes."""
    if k == WORLD:
        return
    R, p = tree.pose_of_link(k)
    back = m3.transpose(R)
    own = m3.matvec(back, vector)
    wrench: Pair = (own, ZERO) if place is None else (m3.cross(m3.matvec(back, m3.subtract(place, p)), own), own)
    found[k] = add_pairs(found[k], wrench) if k in found else wrench


def _tuple(rate: Any) -> Triple:
    return tuple(rate) if isinstance(rate, tuple) else (rate,)


def _share(wrench: Pair, kind: str, along: Triple) -> Any:
    return m3.dot(wrench[0 if kind == "moment" else 1], along)
