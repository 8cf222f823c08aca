"""Bodies and joints of a compiled MJCF model as those of a model file.

In MuJoCo the joints of a body act one after the other, each about its own anchor in the body's frame, and the body is
where the file puts it when every joint is at its reference. Here each joint but the last carries a frame; the last
carries the body, or a frame too where its anchor is not the origin of the body. So the frames of the bodies are those
of the file.
"""

from __future__ import annotations

import numpy as np

from cardan.formats.document import Entry
from cardan.formats.mjcf_compile import rotation
from cardan.formats.mjcf_draft import Draft, Numbers, numbers, placement, rows
from cardan.formats.mjcf_shapes import shape_of
from cardan.formats.urdf_numbers import named_axis

FREE, BALL, SLIDE, HINGE = range(4)  # numbers of mjtJoint


def add_bodies(draft: Draft) -> None:
    """All bodies, outwards: MuJoCo numbers parents before children."""
    for number in range(1, draft.model.nbody):
        draft.begin_body(number)
    for number in range(draft.model.njnt):
        draft.joints.append(_named(draft, number))
    for number in range(1, draft.model.nbody):
        _add_body(draft, number)


def joints_of(draft: Draft, body: int) -> range:
    first = int(draft.model.body_jntadr[body])
    return range(first, first + int(draft.model.body_jntnum[body])) if first >= 0 else range(0)


def _named(draft: Draft, joint: int) -> str:
    given = draft.compiled.name("joint", joint)
    if given:
        return draft.joint_names.add(given, draft.taken)
    body, kind = int(draft.model.jnt_bodyid[joint]), int(draft.model.jnt_type[joint])
    return draft.bodies[body] if kind in (FREE, BALL) else draft.fresh(f"{draft.bodies[body]}_q")


def _add_body(draft: Draft, number: int) -> None:
    m, name = draft.model, draft.bodies[number]
    line = draft.compiled.line("body", number)
    parent = draft.bodies[int(m.body_parentid[number])]
    joints = joints_of(draft, number)
    if len(joints) == 1 and m.jnt_type[joints[0]] == FREE:
        body: Entry = {"joint": _free(draft, joints[0])}
    else:
        body = _carried(draft, number, parent, line)
    body |= _inertial(draft, number)
    draft.put("bodies", name, body | shape_of(draft, number), line)


def _carried(draft: Draft, number: int, parent: str, line: int) -> Entry:
    """Where a body is in what carries it: the last of the frames that its joints move."""
    m, name = draft.model, draft.bodies[number]
    at: Numbers = np.asarray(m.body_pos[number])
    turn: Numbers | None = np.array(rows(rotation(m.body_quat[number])))
    joints = joints_of(draft, number)
    anchor = np.zeros(3)
    entry: Entry = {}
    for joint in joints:
        here = np.asarray(m.jnt_pos[joint])
        step = here - anchor if turn is None else turn @ (here - anchor)
        entry = _entry(parent, at + step, turn)
        entry["joint"] = _joint(draft, joint)
        if joint == joints[-1] and not np.any(here):
            return entry
        parent = draft.fresh(f"{name}_frame")
        draft.put("frames", parent, entry, line)
        at, turn, anchor = np.zeros(3), None, here
    return _entry(parent, at - anchor, turn)


def _entry(parent: str, position: Numbers, turn: Numbers | None) -> Entry:
    at = placement(position, turn)
    return ({} if parent == "world" else {"parent": parent}) | ({} if at is None else {"at": at})


def _inertial(draft: Draft, number: int) -> Entry:
    """Mass, centre of mass, and inertia about it along the body's axes: R diag(I) R^T."""
    m = draft.model
    mass = float(m.body_mass[number])
    moments = np.asarray(m.body_inertia[number])
    with draft.attempted():
        moments = moments + _turning_armature(draft, number)
    if not mass and not np.any(moments):
        return {}
    turn = np.array(rows(rotation(m.body_iquat[number])))
    found: Entry = {"mass": mass}
    if np.array_equal(turn, np.eye(3)):
        found["inertia"] = [float(x) for x in moments]
    else:
        turned = turn @ np.diag(moments) @ turn.T
        found["inertia"] = [[float(x) for x in row] for row in (turned + turned.T) / 2]
    centre = numbers(m.body_ipos[number])
    return found | ({"com": centre} if any(centre) else {})


# --- joints ------------------------------------------------------------------------------------------


def _joint(draft: Draft, joint: int) -> Entry:
    m, q = draft.model, draft.joints[joint]
    kind = int(m.jnt_type[joint])
    if kind == BALL:
        return {"kind": "ball", "orientation": _quaternion(draft, joint)}
    reference = float(m.qpos0[m.jnt_qposadr[joint]])
    variable = q if reference == 0 else f"{q} - ({reference!r})"
    axis = named_axis(tuple(numbers(m.jnt_axis[joint])))
    draft.put("coordinates", q, "S1" if _is_round(draft, joint) else "R", draft.compiled.line("joint", joint))
    _drive(draft, joint)
    if kind == SLIDE:
        return {"kind": "prismatic", "axis": axis, "distance": variable}
    return {"kind": "revolute", "axis": axis, "angle": variable}


def _is_round(draft: Draft, joint: int) -> bool:
    """Whether a full turn of a joint changes nothing: no limit, spring, tendon or other joint counts its turns."""
    m = draft.model
    if m.jnt_type[joint] != HINGE or m.jnt_limited[joint] or m.jnt_stiffness[joint]:
        return False
    wound = m.wrap_objid[np.asarray(m.wrap_type) == int(draft.mujoco.mjtWrap.mjWRAP_JOINT)]
    follows = np.asarray(m.eq_type) == int(draft.mujoco.mjtEq.mjEQ_JOINT)
    return joint not in {*wound, *m.eq_obj1id[follows], *m.eq_obj2id[follows]}


def _drive(draft: Draft, joint: int) -> None:
    q = draft.joints[joint]
    tau = draft.drives[joint] = draft.fresh(f"tau_{q}")
    draft.inputs.append(tau)
    draft.forces[q] = [tau]


def _free(draft: Draft, joint: int) -> Entry:
    q = draft.joints[joint]
    axes = {axis: draft.fresh(f"{q}_{axis}") for axis in "xyz"}
    draft.places[joint] = list(axes.values())
    for name in axes.values():
        draft.put("coordinates", name, "R", draft.compiled.line("joint", joint))
    return {"kind": "free", **axes, "orientation": _quaternion(draft, joint)}


def _quaternion(draft: Draft, joint: int) -> Entry:
    name = draft.quaternions[joint] = draft.fresh(f"{draft.joints[joint]}_e")
    return {"kind": "quaternion", "name": name}


def _turning_armature(draft: Draft, number: int) -> float:
    """Armature of a ball or free joint, as an inertia that is the same about every axis.

    It multiplies the angular velocity relative to what carries the joint, so that is only right where that does not
    turn.
    """
    m = draft.model
    for joint in joints_of(draft, number):
        armature = float(m.dof_armature[m.jnt_dofadr[joint]])
        if m.jnt_type[joint] in (FREE, BALL) and armature:
            before = [m.jnt_type[k] for k in joints_of(draft, number) if k != joint]
            if m.body_weldid[m.body_parentid[number]] != 0 or any(kind != SLIDE for kind in before):
                raise draft.refused(
                    draft.compiled.line("joint", joint),
                    "joint",
                    f"armature {armature:g} of the ball joint of {draft.bodies[number]!r}, which is carried by "
                    "something that turns, is not read; use three hinges, or add the inertia to the body.",
                )
            return armature
    return 0.0
