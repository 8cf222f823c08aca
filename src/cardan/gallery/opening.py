"""Systems by what they are called: files, and entries of the gallery as ``gallery:R9``."""

from __future__ import annotations

from pathlib import Path

from cardan.api import loading
from cardan.api.system import System
from cardan.gallery.index import entry

PREFIX = "gallery:"  # what a name begins with when it is that of an entry


def opened(name: str) -> System:
    """The system of an entry with its start as its plan; an unknown id is refused with those that are known."""
    return entry(name.removeprefix(PREFIX)).ready()


def load(
    path: str | Path,
    *,
    floating: bool = False,
    restitution: float | None = 0.0,
    inertia: str = "refuse",
    root: str | Path | None = None,
    loops: str | Path | None = None,
    repair: bool = False,
    leave_out: bool = False,
    actuators: bool = True,
    contacts: float | None = None,
) -> System:
    """The system of a model file (YAML), a robot file (URDF, MJCF, SDF) or an entry of the gallery (``gallery:R9``).

    Its ``plan`` holds the file's arguments of ``simulate``. Of a robot, ``floating`` frees the root link, and joint
    limits become stops with this ``restitution`` (None: they are left out); an ``inertia`` that no body has is refused
    ("refuse"), replaced by the nearest possible one ("repair") or kept ("as-is"); files that it names may lie below its
    folder, or below ``root``. ``loops`` is a YAML file that says which links of a URDF robot meet; ``repair`` reads
    faults of a file as other programs do, inertias included; ``leave_out`` leaves out what has no counterpart here
    instead of refusing it; ``actuators`` of MJCF are inputs; ``contacts`` is the friction with which simple collision
    shapes meet the ground. What has no place here is told by a warning and listed in ``notes``; ``limits`` says what
    motors can do. A file that cannot be accepted raises FileError, which says where: file, line and field.
    """
    if str(path).startswith(PREFIX):
        return opened(str(path))
    return loading.load(
        path,
        floating=floating,
        restitution=restitution,
        inertia=inertia,
        root=root,
        loops=loops,
        repair=repair,
        leave_out=leave_out,
        actuators=actuators,
        contacts=contacts,
    )
