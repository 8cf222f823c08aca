"""What the bodies of a compiled MJCF model look like: their geoms as pieces of a look.

As in MuJoCo's own viewer, geoms of groups 3 and above are not shown. Where a body has meshes that touch nothing, these
are its looks, and what touches (hulls and primitives around them) is not shown.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from cardan.formats.document import Entry
from cardan.formats.mjcf_compile import rotation
from cardan.formats.mjcf_draft import Draft, Numbers, numbers
from cardan.formats.triangles import hex_colour

HIDDEN = 3  # groups from here on
MOST_PIECES = 1000  # of one body


class Kind(IntEnum):
    """Numbers of mjtGeom."""

    SPHERE = 2
    CAPSULE = 3
    ELLIPSOID = 4
    CYLINDER = 5
    BOX = 6
    MESH = 7


def shape_of(draft: Draft, body: int) -> Entry:
    """``shape`` of a body, or nothing."""
    pieces = [one for geom in _shown(draft, body) for one in (_piece(draft, geom),) if one is not None]
    return {"shape": {"kind": "look", "pieces": pieces[:MOST_PIECES]}} if pieces else {}


def _shown(draft: Draft, body: int) -> list[int]:
    m = draft.model
    first = int(m.body_geomadr[body])
    own = list(range(first, first + int(m.body_geomnum[body]))) if first >= 0 else []
    shown = [geom for geom in own if m.geom_group[geom] < HIDDEN] or own
    idle = [geom for geom in shown if not m.geom_contype[geom] and not m.geom_conaffinity[geom]]
    return idle if any(_is_mesh(draft, geom) for geom in idle) else shown


def _is_mesh(draft: Draft, geom: int) -> bool:
    return int(draft.model.geom_type[geom]) == Kind.MESH or draft.compiled.stand_in(geom) is not None


def _piece(draft: Draft, geom: int) -> Entry | None:
    m = draft.model
    at, turn = np.asarray(m.geom_pos[geom]), np.asarray(m.geom_quat[geom])
    solid: Entry | None
    if _is_mesh(draft, geom):
        found = _mesh(draft, geom, at, turn)
        if found is None:
            return None
        solid, at, turn, scale = found
        piece: Entry = {"shape": solid} if scale == [1.0, 1.0, 1.0] else {"shape": solid, "scale": scale}
    else:
        solid = _solid(int(m.geom_type[geom]), [float(x) for x in m.geom_size[geom]])
        if solid is None:
            return None
        piece = {"shape": solid}
    colour, opacity = _colour(draft, geom)
    piece |= {"at": numbers(at), "colour": colour, "opacity": opacity}
    return (piece if np.array_equal(turn, (1, 0, 0, 0)) else piece | {"turn": numbers(turn)}) if opacity > 0 else None


def _solid(kind: int, size: list[float]) -> Entry | None:
    match kind:
        case Kind.SPHERE:
            return {"kind": "sphere", "radius": size[0]}
        case Kind.CAPSULE:
            return {"kind": "bar", "start": [0, 0, -size[1]], "end": [0, 0, size[1]], "radius": size[0]}
        case Kind.ELLIPSOID:
            return {"kind": "ellipsoid", "a": size[0], "b": size[1], "c": size[2]}
        case Kind.CYLINDER:
            return {"kind": "cylinder", "radius": size[0], "length": 2 * size[1]}
        case Kind.BOX:
            return {"kind": "box", "x": 2 * size[0], "y": 2 * size[1], "z": 2 * size[2]}
    return None


def _mesh(draft: Draft, geom: int, at: Numbers, turn: Numbers) -> tuple[Entry, Numbers, Numbers, list[float]] | None:
    """(shape, place, turn, scale) of a mesh with the axes of its file.

    The compiler moves a mesh that it reads to axes of inertia, T_geom = T_file T_mesh, which is undone here.
    """
    m, meshes = draft.model, draft.compiled.source.shown
    name = draft.compiled.stand_in(geom)
    if name is None:
        number = int(m.geom_dataid[geom])
        name = draft.compiled.name("mesh", number)
        own = rotation(m.mesh_quat[number])
        outer = rotation(turn) @ own.T
        at, turn = at - outer @ np.asarray(m.mesh_pos[number]), _quaternion(draft, outer)
    file = meshes.shown_file(name)
    return None if file is None else ({"kind": "mesh", "file": file}, at, turn, meshes.scale(name))


def _quaternion(draft: Draft, turn: Numbers) -> Numbers:
    found = np.zeros(4)
    draft.mujoco.mju_mat2Quat(found, turn.ravel())
    return found


def _colour(draft: Draft, geom: int) -> tuple[str, float]:
    """The geom's own colour, or that of its material where it has none: MuJoCo's default is grey 0.5."""
    m = draft.model
    rgba, material = np.asarray(m.geom_rgba[geom], dtype=float), int(m.geom_matid[geom])
    if material >= 0 and np.allclose(rgba, (0.5, 0.5, 0.5, 1.0), rtol=0, atol=1e-6):
        rgba = np.asarray(m.mat_rgba[material], dtype=float)
    return hex_colour(rgba[:3].tolist()), round(float(min(max(rgba[3], 0.0), 1.0)), 4)
