"""What the bodies of a compiled MJCF model look like: of each the first geom that has a counterpart here."""

from __future__ import annotations

import numpy as np

from cardan.formats.document import Entry
from cardan.formats.mjcf_compile import rotation
from cardan.formats.mjcf_draft import Draft, Numbers, numbers

SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX = range(2, 7)  # numbers of mjtGeom


def shape_of(draft: Draft, body: int) -> Entry:
    """``shape`` of a body, or nothing."""
    m = draft.model
    first = int(m.body_geomadr[body])
    for geom in range(first, first + int(m.body_geomnum[body])) if first >= 0 else ():
        shape = _shape(draft, geom, np.asarray(m.body_ipos[body]))
        if shape is not None:
            return {"shape": shape}
    return {}


def _shape(draft: Draft, geom: int, centre: Numbers) -> Entry | None:
    m = draft.model
    size, at = [float(x) for x in m.geom_size[geom]], np.asarray(m.geom_pos[geom])
    turn = np.array([numbers(row) for row in rotation(m.geom_quat[geom])])
    kind = int(m.geom_type[geom])
    if kind == SPHERE and np.allclose(at, centre, rtol=0, atol=1e-12 * max(size[0], 1e-300)):
        return {"kind": "sphere", "radius": size[0]}
    if kind in (CAPSULE, CYLINDER):
        half = turn[:, 2] * size[1]
        return {"kind": "bar", "start": numbers(at - half), "end": numbers(at + half), "radius": size[0]}
    if kind == BOX and np.all(np.isin(np.abs(turn), (0.0, 1.0))):
        x, y, z = (2 * float(one) for one in np.abs(turn) @ size)
        return {"kind": "box", "x": x, "y": y, "z": z, "at": numbers(at)}
    return None
