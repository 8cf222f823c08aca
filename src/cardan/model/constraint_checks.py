"""What can be wrong with a constraint when it is stated: foreign frames, bodies joined to themselves, empty joints."""

from __future__ import annotations

from typing import Any

from cardan.errors import ModelError
from cardan.geometry import matrix as m3
from cardan.model.constraints import Connection, Constraint, Distance, Holonomic, NoSlip, NoSpin, Rolling
from cardan.model.description import Description
from cardan.model.frames import Frame, Vector, common_frame
from cardan.model.joints import Ball, Cylindrical, Fixed, Planar, Prismatic, Revolute, Universal
from cardan.model.motions import Place, unit_axis

CONNECTING = (Fixed, Revolute, Prismatic, Cylindrical, Universal, Planar, Ball)
WITH_SECOND_AXIS = (Revolute, Cylindrical, Universal, Planar)
PARALLEL = 1e-9  # squared sine of the angle between axes that count as one


def check_constraint(description: Description, constraint: Constraint) -> None:
    """Raise a ModelError that names the constraint where it can never do what it says."""
    name = constraint.name
    if isinstance(constraint, Holonomic):
        _check_expression(description, name, constraint.expression)
        return
    frames = _frames(description, constraint)
    for frame in frames:
        description.own_frame(frame, f"Constraint {name!r}")
    if isinstance(constraint, Connection):
        _check_joint(name, constraint)
    if isinstance(constraint, (NoSlip, NoSpin)):
        _check_direction(name, constraint)
    if len(frames) >= 2 and are_rigidly_joined(frames[0], frames[1]):
        raise ModelError(
            f"Constraint {name!r} is between {frames[0].name!r} and {frames[1].name!r}, which cannot move against each "
            "other, so it changes nothing. Remove it, or name two bodies that can move.",
            name=name,
        )


def _check_joint(name: str, constraint: Connection) -> None:
    joint = constraint.joint
    if not isinstance(joint, CONNECTING):
        kinds = ", ".join(kind.__name__ for kind in CONNECTING)
        raise ModelError(
            f"Connection {name!r}: {type(constraint.joint).__name__} forbids nothing, so it cannot connect two bodies. "
            f"Use one of {kinds}.",
            name=name,
        )
    if constraint.second_axis is not None and not isinstance(joint, WITH_SECOND_AXIS):
        kinds = ", ".join(kind.__name__ for kind in WITH_SECOND_AXIS)
        raise ModelError(
            f"Connection {name!r}: second_axis= has no meaning for {type(joint).__name__}, only for {kinds}. Turn the "
            "second frame instead: s.frame(name, parent=body, at=(position, rotation)).",
            name=name,
        )
    if isinstance(joint, Universal):
        axes = unit_axis(joint.axis, f"Connection {name!r}"), unit_axis(joint.other_axis, f"Connection {name!r}")
        if m3.squared_norm(m3.cross(*axes)) < PARALLEL:
            raise ModelError(
                f"Connection {name!r}: the two axes of Universal are parallel, {axes[0]} and {axes[1]}. Give axes that "
                "cross, as they do where the frames are aligned; second_axis= says where the other one lies in the "
                "second frame, if that is turned.",
                name=name,
            )


def _check_direction(name: str, constraint: NoSlip | NoSpin) -> None:
    direction = constraint.along if isinstance(constraint, NoSlip) else constraint.about
    if all(part == 0 or part == 0.0 for parts in direction.terms.values() for part in parts):
        raise ModelError(f"Constraint {name!r} has the direction zero. Give one such as body.x.", name=name)


def _check_expression(description: Description, name: str, expression: Any) -> None:
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


def _frames(description: Description, constraint: Constraint) -> list[Frame]:
    """The two frames that a constraint is between, then further ones that it mentions."""
    if isinstance(constraint, (Connection, Distance)):
        return [constraint.first.frame, constraint.second.frame]
    if isinstance(constraint, NoSlip):
        between = [constraint.on, constraint.relative_to or description.world, constraint.point.frame]
        return [*between, *_carriers(constraint.along)]
    if isinstance(constraint, NoSpin):
        return [constraint.on, constraint.relative_to or description.world, *_carriers(constraint.about)]
    if isinstance(constraint, Rolling):
        return [constraint.body.frame, constraint.surface]
    return []


def _carriers(vector: Vector) -> list[Frame]:
    return list(vector.terms)


def are_rigidly_joined(first: Frame, second: Frame) -> bool:
    """Whether only fixed placements lie between two frames."""
    root = common_frame(first, second)
    between = [*first.path[len(root.path) :], *second.path[len(root.path) :]]
    return all(isinstance(motion, Place) for frame in between for motion in frame.motions)
