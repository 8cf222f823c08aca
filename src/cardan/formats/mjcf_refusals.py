"""What a compiled MJCF model has and a model file has not: refused where it shapes the motion, listed otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardan.formats.mjcf_draft import Draft

USED = """body_pos body_quat body_mass body_inertia body_ipos body_iquat jnt_pos jnt_axis jnt_range jnt_stiffness
dof_damping dof_frictionloss dof_armature qpos0 qpos_spring eq_data key_qpos key_qvel geom_pos geom_quat geom_size
site_pos tendon_range tendon_stiffness tendon_damping tendon_lengthspring wrap_prm""".split()


def refuse_what_has_no_counterpart(draft: Draft) -> None:
    """Raise FileError for what shapes the motion and cannot be said here."""
    m = draft.model
    for name in USED:
        wrong = np.argwhere(~np.isfinite(getattr(m, name)))
        if len(wrong):
            kind = {"body": "body", "jnt": "joint"}.get(name.split("_")[0], "")
            line = draft.compiled.line(kind, int(wrong[0][0]))
            raise draft.refused(line, kind or "mujoco", f"{name} has a number that is not finite.")
    if m.opt.density or m.opt.viscosity:
        raise draft.refused(
            1,
            "option",
            f"a medium of density {m.opt.density:g} and viscosity {m.opt.viscosity:g} acts on every body, which is not "
            "read; remove both from <option>, and type drag as generalized forces in a model file.",
        )
    for body in np.flatnonzero(np.asarray(m.body_gravcomp)):
        raise draft.refused(
            draft.compiled.line("body", int(body)),
            "body",
            f"gravcomp {m.body_gravcomp[body]:g} of {draft.compiled.name('body', int(body))!r} is not read; remove it, "
            "and type what holds the body as a potential in a model file.",
        )


def list_what_is_left_out(draft: Draft) -> None:
    """Notes about contacts and mocap bodies."""
    m = draft.model
    count = 0 if draft.disables("contact") else _touching(draft)
    if count:
        draft.note(f"left out: contacts between geoms ({count} pair{'s' if count > 1 else ''} may touch); see stops")
    for body in np.flatnonzero(np.asarray(m.body_mocapid) >= 0):
        draft.note(f"the mocap body {draft.bodies[int(body)]!r} stands where the file puts it")


def _touching(draft: Draft) -> int:
    """How many pairs of geoms MuJoCo lets touch: by their masks, without parents and children, and those of <pair>."""
    m = draft.model
    body = np.asarray(m.geom_bodyid)
    type_, affinity = np.asarray(m.geom_contype), np.asarray(m.geom_conaffinity)
    touching = np.flatnonzero((type_ != 0) | (affinity != 0))
    welded, parent = np.asarray(m.body_weldid), np.asarray(m.body_parentid)
    excluded = {int(one) for one in np.asarray(m.exclude_signature)}
    pairs = {
        tuple(sorted((int(a), int(b)))) for a, b in zip(m.pair_geom1, m.pair_geom2, strict=True)
    }  # fmt: skip
    for k, one in enumerate(touching):
        others = touching[k + 1 :]
        mask = ((type_[one] & affinity[others]) | (affinity[one] & type_[others])) != 0
        for other in others[mask]:
            if _may_touch(int(body[one]), int(body[other]), welded, parent, excluded, draft):
                pairs.add((int(one), int(other)))
    return len(pairs)


def _may_touch(first: int, second: int, welded: Any, parent: Any, excluded: set[int], draft: Draft) -> bool:
    a, b = int(welded[first]), int(welded[second])
    if a == b:
        return False
    low, high = sorted((first, second))
    if (low << 16) + high in excluded:
        return False
    if draft.disables("filterparent") or 0 in (a, b):
        return True
    return not (int(welded[parent[a]]) == b or int(welded[parent[b]]) == a)
