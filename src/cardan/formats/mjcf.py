"""A robot in MJCF, the format of MuJoCo, said as a model file says it.

MuJoCo compiles the file; what it finds becomes bodies, joints, springs, stops and constraints here, under the names of
the file. Soft constraints become rigid ones: limits are stops, equalities hold exactly. What has no counterpart is
refused where it shapes the motion, and listed in the description otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cardan.formats.document import Document, Entry
from cardan.formats.mjcf_actuators import add_actuators
from cardan.formats.mjcf_bodies import BALL, FREE, add_bodies
from cardan.formats.mjcf_compile import compile_source
from cardan.formats.mjcf_contacts import add_contacts
from cardan.formats.mjcf_draft import Draft, Numbers
from cardan.formats.mjcf_equality import add_equalities
from cardan.formats.mjcf_limits import limits_of
from cardan.formats.mjcf_passive import add_joint_passive, soften_friction
from cardan.formats.mjcf_refusals import compensate_gravity, list_what_is_left_out, refuse_what_has_no_counterpart
from cardan.formats.mjcf_source import read_source
from cardan.formats.mjcf_tendons import add_tendons
from cardan.formats.robot_limits import DURATION, entries
from cardan.formats.xml_reader import Element
from cardan.model.joint_limits import Limits


def read_mjcf(
    path: str | Path,
    *,
    restitution: float | None = 0.0,
    element: Element | None = None,
    root: str | Path | None = None,
    leave_out: bool = False,
    actuators: bool = True,
    contacts: float | None = None,
) -> Document:
    """The robot as the data of a model file, with the lines of the MJCF file.

    Joint limits become stops with this ``restitution`` (the format has no place for one); None leaves them out.
    ``element`` is the root element where the file was read already; files that it names lie below its folder, or below
    ``root``. What has no counterpart is refused, or noted with ``leave_out``; ``actuators`` are inputs;
    ``contacts`` is the friction of simple geoms on planes of the world.
    """
    draft = Draft(compile_source(read_source(path, element, root, leave_out, actuators)), leave_out)
    refuse_what_has_no_counterpart(draft)
    add_bodies(draft)
    add_joint_passive(draft, restitution)
    add_tendons(draft, restitution)
    add_equalities(draft)
    add_actuators(draft)
    compensate_gravity(draft)
    if contacts is not None and not draft.disables("contact"):
        add_contacts(draft, contacts, restitution)
    soften_friction(draft)
    if not draft.disables("gravity"):
        draft.run["gravity"] = [float(x) for x in draft.model.opt.gravity]
    limits = limits_of(draft)
    draft.run["limits"] = entries(limits)
    draft.run["start"] = _start(draft, limits if restitution is not None and not draft.disables("limit") else {})
    held: Entry = {**draft.held}
    draft.run["simulate"] = ({"duration": DURATION} | ({"inputs": held} if held else {})) if draft.model.nv else {}
    list_what_is_left_out(draft)
    for text in draft.compiled.source.notes:
        draft.note(text)
    return draft.document(_title(draft, path))


def _title(draft: Draft, path: str | Path) -> str:
    """The name of the model, which MuJoCo puts first among all names."""
    given = bytes(draft.model.names).split(b"\0", 1)[0].decode("utf-8", "replace")
    shown = "".join(x for x in given if x.isprintable())[:200]
    return shown if shown and given != "MuJoCo Model" else Path(path).stem[:200] or "robot"


def _start(draft: Draft, limits: Mapping[str, Limits]) -> Entry:
    """Where and how fast everything is in the first key frame, or at the reference of the file.

    A reference that lies outside the range of its joint gives way to a place inside.
    """
    m = draft.model
    if not m.nkey:
        q = _values(draft, m.qpos0, m.jnt_qposadr, 4)
        for name, one in limits.items():
            value = q.get(name)
            if isinstance(value, float) and not one.lower <= value <= one.upper:
                q[name] = one.rest
                draft.note(f"the joint {name!r} begins at {one.rest:g}, since its reference {value:g} is out of range")
        return {"q": q}
    name = draft.compiled.name("key", 0)
    draft.note(f"the start is the key frame {name!r}" if name else "the start is the first key frame")
    v = _values(draft, m.key_qvel[0], m.jnt_dofadr, 3)
    return {"q": _values(draft, m.key_qpos[0], m.jnt_qposadr, 4), "v": v}


def _values(draft: Draft, numbers: Numbers, places: NDArray[np.int32], size: int) -> Entry:
    """Numbers by the names of coordinates; ``size`` is that of what a ball joint has: 4 for q, 3 for v."""
    found: Entry = {}
    for joint, kind in enumerate(draft.model.jnt_type):
        first = int(places[joint])
        if kind == FREE:
            found |= {q: float(numbers[first + k]) for k, q in enumerate(draft.places[joint])}
            first += 3
        if kind in (FREE, BALL):
            found[draft.quaternions[joint]] = [float(x) for x in numbers[first : first + size]]
        else:
            found[draft.joints[joint]] = float(numbers[first])
    return found
