"""Springs, dampers, dry friction, armature and limits of joints and tendons."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from cardan.formats.mjcf_bodies import BALL, HINGE, SLIDE
from cardan.formats.mjcf_draft import Draft
from cardan.formats.robot_friction import friction_of, softened


@dataclass(frozen=True)
class Passive:
    """What acts along a coordinate, or along a length that is an expression of coordinates."""

    on: str
    rate: str
    label: str  # what names of stops begin with
    line: int
    stiffness: float = 0.0
    length: float = 0.0
    damping: float = 0.0
    friction: float = 0.0
    armature: float = 0.0
    limits: tuple[float, float] | None = None


def add_passive(draft: Draft, one: Passive, restitution: float | None) -> None:
    """Add what acts along one coordinate or length, as far as the file does not switch it off."""
    if one.stiffness and not draft.disables("spring"):
        draft.append("springs", {"on": one.on, "stiffness": one.stiffness, "length": one.length}, one.line)
    if one.damping and not draft.disables("damper"):
        draft.append("dampers", {"on": one.on, "coefficient": one.damping}, one.line)
    if one.friction and not draft.disables("frictionloss"):
        draft.append("friction", friction_of(one.rate, one.friction), one.line)
    if one.armature:
        draft.kinetic.append(f"{one.armature / 2!r}*({one.rate})**2")
    if one.limits is not None and restitution is not None and not draft.disables("limit"):
        for end, gap in (
            ("lower", f"{one.on} - ({one.limits[0]!r})"),
            ("upper", f"({one.limits[1]!r}) - ({one.on})"),
        ):
            name = draft.fresh(f"{one.label}_{end}")
            draft.append("stops", {"kind": "gap", "gap": gap, "restitution": restitution, "name": name}, one.line)


def add_joint_passive(draft: Draft, restitution: float | None) -> None:
    """What acts along each joint."""
    for joint in range(draft.model.njnt):
        kind = int(draft.model.jnt_type[joint])
        with draft.attempted():
            _refuse_curves(draft, joint)
        if kind in (HINGE, SLIDE):
            add_passive(draft, _along(draft, joint), restitution)
        else:
            _around(draft, joint, restitution)


def _along(draft: Draft, joint: int) -> Passive:
    """What acts along a hinge or slide."""
    m, q = draft.model, draft.joints[joint]
    dof, place = int(m.jnt_dofadr[joint]), int(m.jnt_qposadr[joint])
    return Passive(
        on=q,
        rate=f"{q}.dot",
        label=q,
        line=draft.compiled.line("joint", joint),
        stiffness=float(m.jnt_stiffness[joint]),
        length=float(m.qpos_spring[place]),
        damping=float(m.dof_damping[dof]),
        friction=float(m.dof_frictionloss[dof]),
        armature=float(m.dof_armature[dof]),
        limits=_limits(draft, joint),
    )


def _limits(draft: Draft, joint: int) -> tuple[float, float] | None:
    m = draft.model
    return (float(m.jnt_range[joint][0]), float(m.jnt_range[joint][1])) if m.jnt_limited[joint] else None


def _around(draft: Draft, joint: int, restitution: float | None) -> None:
    """What acts at a ball or free joint: dampers, and the cone that a ball joint may not leave."""
    m, line, e = draft.model, draft.compiled.line("joint", joint), draft.quaternions[joint]
    dof = int(m.jnt_dofadr[joint])
    damping, friction, armature = (float(one[dof]) for one in (m.dof_damping, m.dof_frictionloss, m.dof_armature))
    if m.jnt_stiffness[joint] and not draft.disables("spring"):
        with draft.attempted():
            raise draft.refused(
                line, "joint", f"the spring of the ball or free joint {draft.joints[joint]!r} is not read; use hinges."
            )
    if friction and not draft.disables("frictionloss"):
        draft.note(f"left out: dry friction {friction:g} of the ball or free joint {draft.joints[joint]!r}")
    for q in draft.places.get(joint, ()):
        add_passive(draft, Passive(q, f"{q}.dot", q, line, damping=damping, armature=armature), None)
    if damping and not draft.disables("damper"):
        for axis in "xyz":
            omega = f"omega_{e}_{axis}"
            draft.mappings["generalized_forces"][omega] = [f"-({damping!r})*{omega}"]
    if m.jnt_type[joint] == BALL and restitution is not None and not draft.disables("limit"):
        _cone(draft, joint, restitution)


def _cone(draft: Draft, joint: int, restitution: float) -> None:
    """A ball joint turns by at most the angle a: cos(a/2)^2 <= e_w^2."""
    limits = _limits(draft, joint)
    if limits is None or limits[1] >= math.pi:
        return
    e, line = draft.quaternions[joint], draft.compiled.line("joint", joint)
    gap = f"{e}_w**2 - ({math.cos(limits[1] / 2) ** 2!r})"
    name = draft.fresh(f"{draft.joints[joint]}_limit")
    draft.append("stops", {"kind": "gap", "gap": gap, "restitution": restitution, "name": name}, line)


def _refuse_curves(draft: Draft, joint: int) -> None:
    """Springs and dampers that are not linear, and springs that yield."""
    m = draft.model
    dof = int(m.jnt_dofadr[joint])
    for field, row in (("jnt_stiffnesspoly", joint), ("dof_dampingpoly", dof), ("jnt_springyield", joint)):
        if np.any(getattr(m, field, np.zeros((row + 1, 1)))[row]):
            raise draft.refused(
                draft.compiled.line("joint", joint),
                "joint",
                f"the joint {draft.joints[joint]!r} has a spring or damper that is not linear; give one coefficient, "
                "or type the force in a model file.",
            )


def soften_friction(draft: Draft) -> None:
    """Friction beside stops is smooth, and that is said."""
    for note in softened(draft.lists["friction"], draft.lists["stops"]):
        draft.note(note)
