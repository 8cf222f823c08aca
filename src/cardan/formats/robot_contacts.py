"""Contacts of a robot's simple collision shapes with planes of the world, as stops with friction.

A sphere touches as it is, a capsule with the spheres at its ends, a cylinder with the discs at its ends, a box with its
corners. Meshes and shapes that touch each other are left to other tools.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from cardan.formats.document import Entry

MOST_CONTACTS = 400  # of one robot; each is a stop

Place = tuple[float, float, float]
Touch = tuple[Place, Entry | None]  # where, in the shape's own frame, and with what (a point where there is nothing)


def touches(kind: str, sizes: Mapping[str, float]) -> Iterator[Touch]:
    """Where a shape may touch a plane; nothing where it is none of those that are known."""
    if kind == "sphere":
        yield (0.0, 0.0, 0.0), {"kind": "sphere", "radius": sizes["radius"]}
    elif kind in ("capsule", "cylinder"):
        half = sizes["length"] / 2
        for end in (-half, half):
            shape: Entry = {"kind": "sphere", "radius": sizes["radius"]}
            if kind == "cylinder":
                shape = {"kind": "disc", "radius": sizes["radius"], "axis": "z"}
            yield (0.0, 0.0, end), shape
    elif kind == "box":
        for x, y, z in product((-0.5, 0.5), repeat=3):
            yield (x * sizes["x"], y * sizes["y"], z * sizes["z"]), None


def contact(of: Entry, on: Entry, shape: Entry | None, friction: float, restitution: float | None, name: str) -> Entry:
    """One contact as a model file says it."""
    found: Entry = {"kind": "contact", "of": of, "on": on, "restitution": restitution or 0.0, "friction": friction}
    return found | ({"shape": shape} if shape is not None else {}) | {"name": name}
