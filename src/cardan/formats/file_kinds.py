"""The kinds of files that hold a model, as one table: names, endings, and how each is read.

``cardan.load``, the command line and their words are made from it. A reader imports what it needs when it is called,
so that the table itself costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from cardan.errors import FileError

if TYPE_CHECKING:
    from cardan.formats.document import Document


@dataclass(frozen=True)
class RobotOptions:
    """What robot formats have no place for; model files say it themselves, but for the root."""

    floating: bool = False  # whether the root link is free instead of fixed to the world
    restitution: float | None = 0.0  # of the stops that joint limits become; None leaves them out
    inertia: str = "refuse"  # what becomes of an inertia that no body has: "refuse", "repair" or "as-is"
    root: str | Path | None = None  # folder below which files that the robot names may lie; None: that of its file
    loops: str | Path | None = None  # YAML file that says which links of a URDF robot meet
    repair: bool = False  # whether faults of a file are read as other programs read them, inertias repaired, and noted
    leave_out: bool = False  # whether what shapes the motion and has no counterpart here is left out and noted
    actuators: bool = True  # whether actuators of an MJCF file are inputs
    contacts: float | None = None  # friction of contacts between simple collision shapes and the ground; None: none

    @property
    def inertias(self) -> str:
        """What becomes of inertias, once faults in general are considered."""
        return "repair" if self.repair and self.inertia == "refuse" else self.inertia


@dataclass(frozen=True)
class FileKind:
    """A kind of file; ``read`` gives what it says as the data of a model file, None stands for a program."""

    name: str
    endings: tuple[str, ...]
    about: str
    read: Callable[[str | Path, RobotOptions], Document] | None
    is_robot: bool = False

    @property
    def is_loaded(self) -> bool:
        """Whether the file is read and never executed."""
        return self.read is not None


# --- readers ---------------------------------------------------------------------------------------


def _read_yaml(path: str | Path, options: RobotOptions) -> Document:
    from cardan.formats.yaml_reader import read_yaml

    return read_yaml(path)


def _read_urdf(path: str | Path, options: RobotOptions) -> Document:
    from cardan.formats.urdf import read_urdf

    return read_urdf(
        path,
        floating=options.floating,
        restitution=options.restitution,
        inertia=options.inertias,
        root=options.root,
        loops=options.loops,
        repair=options.repair,
        contacts=options.contacts,
    )


def _read_sdf(path: str | Path, options: RobotOptions) -> Document:
    from cardan.formats.sdf import read_sdf

    return read_sdf(path, options)


def _read_robot(path: str | Path, options: RobotOptions) -> Document:
    """A robot in MJCF or URDF, as its root element says."""
    from cardan.formats.mjcf import read_mjcf
    from cardan.formats.mjcf_source import MOST_NESTING
    from cardan.formats.xml_reader import read_xml

    root = read_xml(path, MOST_NESTING)
    if root.tag == "robot":
        return _read_urdf(path, options)
    if root.tag == "mujocoinclude":
        raise root.error("this is a part for other MJCF files to include; load the file that includes it.")
    if root.tag == "sdf":
        return _read_sdf(path, options)
    if root.tag != "mujoco":
        raise root.error(f"a robot is a <robot> (URDF) or a <mujoco> (MJCF), found <{root.tag[:60]}>.")
    if options.floating:
        raise root.error("an MJCF file says itself what floats: put <freejoint/> into the root body, without floating.")
    return read_mjcf(
        path,
        restitution=options.restitution,
        element=root,
        root=options.root,
        leave_out=options.leave_out,
        actuators=options.actuators,
        contacts=options.contacts,
    )


# --- the table -------------------------------------------------------------------------------------

YAML = FileKind("YAML", (".yaml", ".yml"), "a model file, Cardan's own format", _read_yaml)
URDF = FileKind("URDF", (".urdf",), "a robot, its links and joints", _read_urdf, is_robot=True)
MJCF = FileKind("MJCF", (".xml", ".mjcf"), "a robot in the format of MuJoCo, or in URDF", _read_robot, is_robot=True)
SDF = FileKind("SDF", (".sdf", ".world"), "robots in the format of Gazebo", _read_sdf, is_robot=True)
PYTHON = FileKind("Python", (".py",), "a program with a System called `system`, run by the command line only", None)

KINDS = (YAML, URDF, MJCF, SDF, PYTHON)
LOADED = tuple(one for one in KINDS if one.is_loaded)
ROBOTS = tuple(one for one in KINDS if one.is_robot)


def endings_of(kinds: Iterable[FileKind]) -> tuple[str, ...]:
    """All endings, in the order of the table."""
    return tuple(ending for one in kinds for ending in one.endings)


def describe_endings(kinds: Iterable[FileKind]) -> str:
    """Endings with the kind that each means, for messages and help: .yaml, .yml (YAML), .urdf (URDF), ..."""
    return ", ".join(f"{', '.join(one.endings)} ({one.name})" for one in kinds)


def kind_of(path: str | Path, kinds: Sequence[FileKind] = KINDS) -> FileKind:
    """The kind that the ending of a file's name says; FileError with all of ``kinds`` where it is none of them."""
    found = next((one for one in KINDS if Path(path).suffix.lower() in one.endings), None)
    if found is not None and found in kinds:
        return found
    why = "is no model file that can be loaded" if found is None else f"is {found.about}"
    raise FileError(
        f"{path} {why}; its name should end with {describe_endings(kinds)}.",
        file=str(path),
        line=0,
        field="",
        known=endings_of(kinds),
    )


def read_data(path: str | Path, options: RobotOptions | None = None) -> Document:
    """What a file says, as the data of a model file; nothing in it is executed."""
    read, given = kind_of(path, LOADED).read, options or RobotOptions()
    assert read is not None  # LOADED holds what has a reader
    return replace(read(path, given), root=None if given.root is None else str(given.root))
