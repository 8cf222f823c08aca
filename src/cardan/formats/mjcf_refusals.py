"""What a compiled MJCF model has and a model file has not: refused where it shapes the motion, listed otherwise."""

from __future__ import annotations

import numpy as np

from cardan.formats.mjcf_draft import Draft
from cardan.formats.xml_reader import Element

USED = """body_pos body_quat body_mass body_inertia body_ipos body_iquat jnt_pos jnt_axis jnt_range jnt_stiffness
dof_damping dof_frictionloss dof_armature qpos0 qpos_spring eq_data key_qpos key_qvel geom_pos geom_quat geom_size
site_pos tendon_range tendon_stiffness tendon_damping tendon_lengthspring wrap_prm""".split()

MOST_COUNTED = 3_000  # geoms among which pairs are counted


def refuse_what_has_no_counterpart(draft: Draft) -> None:
    """Raise FileError for what shapes the motion and cannot be said here."""
    m = draft.model
    for name in USED:
        wrong = np.argwhere(~np.isfinite(getattr(m, name)))
        if len(wrong):
            kind = {"body": "body", "jnt": "joint"}.get(name.split("_")[0], "")
            line = draft.compiled.line(kind, int(wrong[0][0]))
            raise draft.wrong(line, kind or "mujoco", f"{name} has a number that is not finite.")
    if m.opt.density or m.opt.viscosity:
        with draft.attempted():
            raise draft.refused(
                1,
                "option",
                f"a medium of density {m.opt.density:g} and viscosity {m.opt.viscosity:g} acts on every body, which is "
                "not read; remove both from <option>, and type drag as generalized forces in a model file.",
            )


def compensate_gravity(draft: Draft) -> None:
    """gravcomp: a force at the centre of mass against a share of the weight of a body."""
    m = draft.model
    if draft.disables("gravity"):
        return
    for body in np.flatnonzero(np.asarray(m.body_gravcomp)):
        held = -float(m.body_gravcomp[body]) * float(m.body_mass[body]) * np.asarray(m.opt.gravity)
        if not m.body_mass[body] or not np.any(held):
            continue
        name, law = draft.bodies[int(body)], [float(x) for x in held]
        load = draft.fresh(f"{name}_gravcomp")
        draft.loads[load] = {"kind": "force", "on": name, "law": law}
        draft.lines["loads", load] = draft.compiled.line("body", int(body))


def list_what_is_left_out(draft: Draft) -> None:
    """Notes about actuators, contacts and mocap bodies."""
    m = draft.model
    for one in draft.compiled.source.actuators:
        draft.note(_actuator(draft, one))
    if m.ngeom > MOST_COUNTED:
        draft.note("left out: contacts between geoms; see stops")
    elif not draft.disables("contact") and (count := _touching(draft)):
        draft.note(f"left out: contacts between geoms ({count} pair{'s' if count > 1 else ''} may touch); see stops")
    for body in np.flatnonzero(np.asarray(m.body_mocapid) >= 0):
        draft.note(f"the mocap body {draft.bodies[int(body)]!r} stands where the file puts it")


def _actuator(draft: Draft, element: Element) -> str:
    """What an actuator is called, and which input drives its joint instead."""
    name, joint = element.attributes.get("name", ""), element.attributes.get("joint", "")
    what = f"left out: the actuator {element.tag}" + (f" {name!r}" if name else "")
    number = draft.mujoco.mj_name2id(draft.model, draft.mujoco.mjtObj.mjOBJ_JOINT, joint) if joint else -1
    return f"{what}; the input {draft.drives[number]} drives its joint" if number in draft.drives else what


def _touching(draft: Draft) -> int:
    """How many pairs of geoms MuJoCo lets touch: by their masks, without parents and children, and those of <pair>."""
    m = draft.model
    body, kind, affinity = (np.asarray(one) for one in (m.geom_bodyid, m.geom_contype, m.geom_conaffinity))
    welded = np.asarray(m.body_weldid)
    part = welded[body]  # geoms of one part cannot move against each other
    above = welded[np.asarray(m.body_parentid)[part]]
    excluded = np.asarray(m.exclude_signature)
    pairs = {(min(a, b), max(a, b)) for a, b in zip(m.pair_geom1.tolist(), m.pair_geom2.tolist(), strict=True)}
    count = len(pairs)
    for one in range(m.ngeom - 1):
        others = np.arange(one + 1, m.ngeom)
        meet = ((kind[one] & affinity[others]) | (affinity[one] & kind[others])) != 0
        meet &= part[others] != part[one]
        if not draft.disables("filterparent"):
            related = (above[others] == part[one]) | (above[one] == part[others])
            meet &= ~related | (part[one] == 0) | (part[others] == 0)
        if len(excluded):
            low, high = np.minimum(body[one], body[others]), np.maximum(body[one], body[others])
            meet &= ~np.isin((low << 16) + high, excluded)
        count += sum((one, int(other)) not in pairs for other in others[meet]) if pairs else int(np.sum(meet))
    return count
