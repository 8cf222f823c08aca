"""Contacts of the simple geoms of an MJCF model with the planes of its world, as stops with friction."""

from __future__ import annotations

import numpy as np

from cardan.formats.document import Entry
from cardan.formats.mjcf_compile import rotation
from cardan.formats.mjcf_draft import Draft, numbers, placement, rows
from cardan.formats.mjcf_shapes import Kind
from cardan.formats.robot_contacts import MOST_CONTACTS, contact, touches

PLANE = 0  # number of mjtGeom
SIZES = {
    Kind.SPHERE: ("sphere", ("radius",), (1,)),
    Kind.CAPSULE: ("capsule", ("radius", "length"), (1, 2)),
    Kind.CYLINDER: ("cylinder", ("radius", "length"), (1, 2)),
    Kind.BOX: ("box", ("x", "y", "z"), (2, 2, 2)),
}


def add_contacts(draft: Draft, friction: float, restitution: float | None) -> None:
    """Every geom of a body that moves against every plane that it may touch."""
    m = draft.model
    kinds = np.asarray(m.geom_type)
    moving = [g for g in range(m.ngeom) if m.body_weldid[m.geom_bodyid[g]] != 0]
    left: set[str] = set()
    for plane in np.flatnonzero((kinds == PLANE) & (np.asarray(m.geom_bodyid) == 0)):
        ground = _plane(draft, int(plane))
        for geom in moving:
            if not _may_touch(draft, geom, int(plane)):
                continue
            if kinds[geom] not in SIZES or draft.compiled.stand_in(geom) is not None:
                left.add(Kind(int(kinds[geom])).name.lower() if kinds[geom] in list(Kind) else "other")
                continue
            _add(draft, geom, ground, friction, restitution)
    for kind in sorted(left):
        draft.note(f"left out: contacts of geoms of the kind {kind}")


def _may_touch(draft: Draft, one: int, other: int) -> bool:
    kind, affinity = draft.model.geom_contype, draft.model.geom_conaffinity
    return bool((kind[one] & affinity[other]) | (kind[other] & affinity[one]))


def _plane(draft: Draft, geom: int) -> Entry:
    """A plane of the world: its normal is its own z."""
    m = draft.model
    at = placement(m.geom_pos[geom], np.array(rows(rotation(m.geom_quat[geom]))))
    if at is None:
        return {"of": "world"}
    name = draft.fresh(draft.compiled.name("geom", geom) or "plane")
    draft.put("frames", name, {"at": at}, 1)
    return {"of": name}


def _add(draft: Draft, geom: int, ground: Entry, friction: float, restitution: float | None) -> None:
    m, body = draft.model, draft.bodies[int(draft.model.geom_bodyid[geom])]
    kind, names, factors = SIZES[Kind(int(m.geom_type[geom]))]
    sizes = {name: factor * float(x) for name, factor, x in zip(names, factors, m.geom_size[geom], strict=False)}
    position, turn = np.asarray(m.geom_pos[geom]), np.array(rows(rotation(m.geom_quat[geom])))
    label = draft.compiled.name("geom", geom) or f"{body}_geom"
    if kind == "cylinder" and not np.array_equal(turn, np.eye(3)):  # the axis of its discs is that of a frame
        frame = draft.fresh(f"{label}_frame")
        draft.put("frames", frame, {"parent": body, "at": placement(position, turn)}, 1)
        body, position, turn = frame, np.zeros(3), np.eye(3)
    for inside, shape in touches(kind, sizes):
        stops = draft.lists["stops"]
        if len(stops) >= MOST_CONTACTS:
            why = f"with its contacts the robot has more than {MOST_CONTACTS} stops; load it without contacts."
            raise draft.wrong(1, "geom", why)
        of: Entry = {"of": body, "at": numbers(position + turn @ np.array(inside))}
        name = draft.fresh(f"{label}_contact")
        draft.append("stops", contact(of, ground, shape, friction, restitution, name), 1)
