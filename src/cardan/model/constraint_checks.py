"""What can be wrong with a constraint when it is stated: foreign frames, bodies joined to themselves, empty joints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardan.errors import ModelError
from cardan.model.constraints import Connection, Constraint, Holonomic, NoSlip, NoSpin
from cardan.model.description import Description
from cardan.model.frames import Frame, common_frame
from cardan.model.joint import Joint
from cardan.model.joints import closing_kinds
from cardan.model.motions import Place

if TYPE_CHECKING:
    import sympy as sp


def check_constraint(description: Description, constraint: Constraint) -> None:
    """Raise a ModelError that names the constraint where it can never do what it says."""
    name = constraint.name
    if isinstance(constraint, Holonomic):
        _check_expression(description, name, constraint.expression)
        return
    frames = constraint.frames(description.world)
    for frame in frames:
        description.own_frame(frame, f"Constraint {name!r}")
    if isinstance(constraint, Connection):
        _check_joint(description, name, constraint)
    if isinstance(constraint, (NoSlip, NoSpin)):
        _check_direction(name, constraint)
    if len(frames) >= 2 and are_rigidly_joined(frames[0], frames[1]):
        raise ModelError(
            f"Constraint {name!r} is between {frames[0].name!r} and {frames[1].name!r}, which cannot move against each "
            "other, so it changes nothing. Remove it, or name two bodies that can move.",
            name=name,
        )


def _check_joint(description: Description, name: str, constraint: Connection) -> None:
    joint, kind = constraint.joint, type(constraint.joint)
    if kind.closure is Joint.closure:
        raise ModelError(
            f"Connection {name!r}: {kind.__name__} {joint.refusal}, so it cannot connect two bodies. "
            f"Use one of {closing_kinds()}.",
            name=name,
        )
    if constraint.second_axis is not None and not joint.takes_second_axis:
        raise ModelError(
            f"Connection {name!r}: second_axis= has no meaning for {kind.__name__}, only for "
            f"{closing_kinds(with_second_axis=True)}. Turn the second frame instead: "
            "s.frame(name, parent=body, at=(position, rotation)).",
            name=name,
        )
    for constant in joint.constants:
        description.expression(constant, f"Connection {name!r}", moving=False)
    constraint.closure()  # refuses what this joint cannot hold


def _check_direction(name: str, constraint: NoSlip | NoSpin) -> None:
    direction = constraint.along if isinstance(constraint, NoSlip) else constraint.about
    if all(part == 0 or part == 0.0 for parts in direction.terms.values() for part in parts):
        raise ModelError(f"Constraint {name!r} has the direction zero. Give one such as body.x.", name=name)


def _check_expression(description: Description, name: str, expression: sp.Expr) -> None:
    velocities = {symbol for one in description.variables for symbol in one.velocities}
    found = sorted(str(symbol) for symbol in expression.free_symbols & velocities)
    if found:
        raise ModelError(
            f"Constraint {name!r} contains {', '.join(found)}. A holonomic constraint is phi(q, t) = 0; use "
            "constrain_velocity(...) for one on velocities.",
            name=name,
        )
    coordinates = {symbol for one in description.variables for symbol in one.configuration}
    if not expression.free_symbols & coordinates:
        raise ModelError(
            f"Constraint {name!r} contains no coordinate: {expression} = 0 says nothing about the system.", name=name
        )


def are_rigidly_joined(first: Frame, second: Frame) -> bool:
    """Whether only fixed placements lie between two frames."""
    root = common_frame(first, second)
    between = [*first.path[len(root.path) :], *second.path[len(root.path) :]]
    return all(isinstance(motion, Place) for frame in between for motion in frame.motions)
