"""What joints forbid: the constrained directions of each joint, the loads along them, and what the joint transmits.

A revolute joint carries one coordinate but answers for five more directions; Hemingway & O'Reilly (101) list the
angular ones of the Cardan suspension. Directions are axes of the body after the joint.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy as sp

from cardan.equations.reactions import element_forces
from cardan.equations.recursive import ZERO, Pair, add_pairs, transmitted
from cardan.equations.symbolic import SymbolicEquations
from cardan.geometry import matrix as m3
from cardan.kinematics.rows import ALL, perpendiculars
from cardan.kinematics.tree import WORLD
from cardan.model import joints
from cardan.model.bodies import Body
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
    pushes = transmitted(s.tree, still, still, ZERO, _constraints(s))
    found = []
    for body in s.model.bodies:
        k = s.tree.link_of(body.frame)
        if k == WORLD:
            continue
        for label, kind, direction in forbidden(body):
            along = _at_body(s, body, direction)
            pick = 0 if kind == "moment" else 1
            found.append(
                JointDirection(
                    name=f"{body.name}_{label}",
                    kind=kind,
                    direction=direction,
                    applied=-_share(loads[k], pick, along),
                    transmitted=_share(moving[k], pick, along),
                    pushed=-_share(pushes[k], pick, along),
                )
            )
    return found


def _elements(s: SymbolicEquations) -> dict[int, Pair]:
    """Wrenches of named loads, springs and dampers on each link."""
    found = dict(s.external)
    frames = {thing.name: thing.frame for thing in (*s.model.bodies, *s.model.particles)}
    for name, forces in element_forces(s.model, s.tree, s.time_derivative, sp.sqrt).items():
        for place, force in forces:
            _add(s, found, s.tree.link_of(frames[name]), force, place)
    return found


def _constraints(s: SymbolicEquations) -> dict[int, Pair]:
    """Wrenches of the constraints on each link, their multipliers as symbols."""
    found: dict[int, Pair] = {}
    for row in s.rows:
        for action in row.actions:
            vector = m3.scale(multiplier(row.name, "lam"), action.direction)
            _add(s, found, s.tree.link_of(action.frame), vector, action.place)
    return found


def _add(s: SymbolicEquations, found: dict[int, Pair], k: int, vector: Triple, place: Triple | None) -> None:
    """Add a force at a place, or a moment (no place), both in the world, to the wrench on link k along its axes."""
    if k == WORLD:
        return
    R, p = s.tree.pose_of_link(k)
    back = m3.transpose(R)
    own = m3.matvec(back, vector)
    wrench: Pair = (own, ZERO) if place is None else (m3.cross(m3.matvec(back, m3.subtract(place, p)), own), own)
    found[k] = add_pairs(found[k], wrench) if k in found else wrench


def _tuple(rate: Any) -> Triple:
    return tuple(rate) if isinstance(rate, tuple) else (rate,)


def _at_body(s: SymbolicEquations, body: Body, direction: Triple) -> Triple:
    """The direction along the axes of the body's link."""
    R, _ = s.tree.offset(body.frame)
    return m3.matvec(R, direction)


def _share(wrench: Pair, pick: int, along: Triple) -> Any:
    return sp.sympify(m3.dot(wrench[pick], along))
