"""What joints forbid: the constrained directions of each joint, the loads along them, and what the joint transmits.

A revolute joint carries one coordinate but answers for five more directions; Hemingway & O'Reilly (101) list the
angular ones of the Cardan suspension. Directions are axes of the body after the joint.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy as sp

from cardan.equations.recursive import ZERO, Pair, transmitted
from cardan.equations.symbolic import SymbolicEquations
from cardan.geometry import matrix as m3
from cardan.kinematics.rows import ALL, perpendiculars
from cardan.kinematics.tree import WORLD
from cardan.model import joints
from cardan.model.bodies import Body
from cardan.model.motions import Triple, unit_axis


@dataclass(frozen=True)
class JointDirection:
    """One forbidden direction: its name, the applied loads along it, and the force or moment the joint transmits."""

    name: str
    kind: str  # "force" or "moment"
    direction: Triple
    applied: Any
    transmitted: Any


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
        s.external,
    )
    loads = transmitted(s.tree, still, still, ZERO, s.external)
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
                )
            )
    return found


def _tuple(rate: Any) -> Triple:
    return tuple(rate) if isinstance(rate, tuple) else (rate,)


def _at_body(s: SymbolicEquations, body: Body, direction: Triple) -> Triple:
    """The direction along the axes of the body's link."""
    R, _ = s.tree.offset(body.frame)
    return m3.matvec(R, direction)


def _share(wrench: Pair, pick: int, along: Triple) -> Any:
    return sp.sympify(m3.dot(wrench[pick], along))
