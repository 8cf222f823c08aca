"""Equality constraints of a compiled MJCF model: points that coincide, frames that do, joints that follow others."""

from __future__ import annotations

import numpy as np

from cardan.formats.document import Entry
from cardan.formats.mjcf_compile import rotation
from cardan.formats.mjcf_draft import Draft, Numbers, numbers, placement
from cardan.formats.mjcf_tendons import length_of

CONNECT, WELD, JOINT, TENDON = range(4)  # numbers of mjtEq


def add_equalities(draft: Draft) -> None:
    """All that are active; the others are listed."""
    m = draft.model
    for number in range(m.neq):
        name = _label(draft, number)
        if not m.eq_active0[number] or draft.disables("equality"):
            draft.note(f"left out: the equality {name}, which is not active")
            continue
        kind = int(m.eq_type[number])
        if kind in (CONNECT, WELD) and _changes_nothing(draft, number):
            draft.note(f"left out: the equality {name}, between bodies that cannot move against each other")
            continue
        with draft.attempted():
            _add(draft, number, kind, name)


def _add(draft: Draft, number: int, kind: int, name: str) -> None:
    line = draft.compiled.line("equality", number)
    if kind not in (CONNECT, WELD, JOINT, TENDON):
        raise draft.refused(
            line,
            "equality",
            f"the equality {name} is none of connect, weld, joint, tendon; write it as a constraint in a model file.",
        )
    entry = (_connect, _weld, _joint, _tendon)[kind](draft, number)
    draft.append("constraints", entry | {"name": name}, line)


def _label(draft: Draft, number: int) -> str:
    return draft.fresh(draft.compiled.name("equality", number) or f"equality_{number + 1}")


def _is_of_sites(draft: Draft, number: int) -> bool:
    return int(draft.model.eq_objtype[number]) == int(draft.mujoco.mjtObj.mjOBJ_SITE)


def _ends(draft: Draft, number: int) -> tuple[int, int]:
    return int(draft.model.eq_obj1id[number]), int(draft.model.eq_obj2id[number])


def _changes_nothing(draft: Draft, number: int) -> bool:
    m, ends = draft.model, _ends(draft, number)
    first, second = (int(m.site_bodyid[one]) for one in ends) if _is_of_sites(draft, number) else ends
    return bool(m.body_weldid[first] == m.body_weldid[second])


def _point(draft: Draft, body: int, position: Numbers) -> Entry:
    return {"of": draft.bodies[body], "at": numbers(position)}


def _connect(draft: Draft, number: int) -> Entry:
    """Points of two bodies coincide."""
    m, (first, second) = draft.model, _ends(draft, number)
    if _is_of_sites(draft, number):
        ends = [_point(draft, int(m.site_bodyid[site]), m.site_pos[site]) for site in (first, second)]
    else:
        ends = [_point(draft, first, m.eq_data[number][:3]), _point(draft, second, m.eq_data[number][3:6])]
    return {"kind": "connect", "first": ends[0], "second": ends[1], "joint": {"kind": "ball"}}


def _weld(draft: Draft, number: int) -> Entry:
    """A frame of one body coincides with a frame of the other; without a scale of torques only their origins do."""
    m, (first, second) = draft.model, _ends(draft, number)
    data = np.asarray(m.eq_data[number])
    if _is_of_sites(draft, number):
        ends = [_frame(draft, number, int(m.site_bodyid[one]), m.site_pos[one], m.site_quat[one])
                for one in (first, second)]  # fmt: skip
    else:
        # The anchor is given in the second body; position and quaternion are those of it seen from the first.
        ends = [_frame(draft, number, first, data[3:6], data[6:10]), _point(draft, second, data[:3])]
    joint = "fixed" if data[10] else "ball"
    return {"kind": "connect", "first": ends[0], "second": ends[1], "joint": {"kind": joint}}


def _frame(draft: Draft, number: int, body: int, position: Numbers, quaternion: Numbers) -> Entry:
    """A point whose axes are turned by a quaternion: of a frame of its own, where they are turned."""
    at = placement(position, rotation(quaternion))
    if not isinstance(at, dict):
        return _point(draft, body, position)
    name = draft.fresh(f"{draft.bodies[body]}_weld")
    draft.put("frames", name, {"parent": draft.bodies[body], "at": at}, draft.compiled.line("equality", number))
    return {"of": name}


def _joint(draft: Draft, number: int) -> Entry:
    """q1 - ref1 = a0 + a1 (q2 - ref2) + ... + a4 (q2 - ref2)^4."""
    first, second = _ends(draft, number)
    return _polynomial(draft, number, _moved(draft, first), _moved(draft, second) if second >= 0 else None)


def _tendon(draft: Draft, number: int) -> Entry:
    """The same of the lengths of fixed tendons, from what they are at the reference."""
    found: list[str | None] = []
    for tendon in _ends(draft, number):
        length = length_of(draft, tendon) if tendon >= 0 else None
        if tendon >= 0 and length is None:
            raise draft.refused(
                draft.compiled.line("equality", number),
                "equality",
                f"the tendon {draft.compiled.name('tendon', tendon)!r} of an equality is led through space; only sums "
                "of joints (fixed tendons) may be equal.",
            )
        found.append(None if length is None else f"({length} - ({float(draft.model.tendon_length0[tendon])!r}))")
    first, second = found
    assert first is not None  # an equality has a first tendon
    return _polynomial(draft, number, first, second)


def _polynomial(draft: Draft, number: int, y: str, x: str | None) -> Entry:
    """y = a0 + a1 x + ... + a4 x^4."""
    a = [float(one) for one in draft.model.eq_data[number][:5]]
    terms = [f"{y} - ({a[0]!r})"]
    if x is not None:
        terms += [f"({a[k]!r})*{x}" + (f"**{k}" if k > 1 else "") for k in range(1, 5) if a[k]]
    return {"kind": "holonomic", "expression": " - ".join(terms)}


def _moved(draft: Draft, joint: int) -> str:
    reference = float(draft.model.qpos0[draft.model.jnt_qposadr[joint]])
    return f"({draft.joints[joint]} - ({reference!r}))" if reference else draft.joints[joint]
