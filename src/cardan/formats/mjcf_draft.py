"""A model file being drafted from a compiled MJCF model: its data so far, the lines they come from, names, notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.errors import FileError
from cardan.formats.document import Data, Document, Entry, Location, located
from cardan.formats.mjcf_compile import Compiled
from cardan.formats.urdf_names import Names
from cardan.formats.urdf_numbers import clean
from cardan.model.joint_limits import Limits

Numbers = NDArray[np.float64]
LISTS = ("springs", "dampers", "constraints", "friction", "stops")
REMEDY = "Or leave it out with leave_out=True (--leave-out)."
SWITCHED_WITH = {
    "limit": "constraint",
    "equality": "constraint",
    "contact": "constraint",
    "frictionloss": "constraint",
    "spring": "passive",  # where springs and dampers have no flags of their own
    "damper": "passive",
}
MAPPINGS = ("coordinates", "frames", "bodies", "generalized_forces")


class Draft:
    """What will be the model file."""

    def __init__(self, compiled: Compiled, leave_out: bool = False) -> None:
        self.compiled, self.model, self.mujoco = compiled, compiled.model, compiled.mujoco
        self.file = compiled.source.file
        self.body_names, self.joint_names = Names("body"), Names("joint")
        self.notes: dict[str, None] = {}  # each once, in order
        self.lines: dict[Location, int] = {(): 1}
        self.mappings: dict[str, dict[str, Data]] = {key: {} for key in MAPPINGS}
        self.inputs: list[str] = []
        self.lists: dict[str, list[Entry]] = {key: [] for key in LISTS}
        self.run: Entry = {}  # gravity and start
        self.leave_out = leave_out  # what has no counterpart is noted instead of refused
        self.forces: dict[str, list[str]] = {}  # along coordinates
        self.bounds: dict[str, Limits] = {}  # of inputs
        self.held: dict[str, float] = {}  # what inputs are in the key frame
        self.strengths: dict[int, float] = {}  # the largest force of actuators, by the number of the joint
        self.loads: dict[str, Data] = {}
        self.kinetic: list[str] = []
        self.given_bodies = self._given_bodies()
        self.bodies = ["world"]  # by the number of the body
        self.taken: set[str] = set()  # the names of bodies
        self.joints: list[str] = []  # by the number of the joint: its coordinate, or what its coordinates begin with
        self.places: dict[int, list[str]] = {}  # by the number of a free joint: x, y, z
        self.quaternions: dict[int, str] = {}  # by the number of a ball or free joint
        self.drives: dict[int, str] = {}  # by the number of a hinge or slide: the input that drives it

    # --- names -------------------------------------------------------------------------------------

    def fresh(self, wanted: str) -> str:
        """A name as near as possible to the wanted one that nothing carries yet."""
        return self.joint_names.make(wanted, self.taken)

    def begin_body(self, number: int) -> str:
        name = self.body_names.add(self.given_bodies[number])
        self.bodies.append(name)
        self.taken.add(name)
        return name

    def _given_bodies(self) -> list[str]:
        """What the file calls its bodies; those without a name are numbered."""
        given = [self.compiled.name("body", k) for k in range(self.model.nbody)]
        taken = set(given)
        for number, name in enumerate(given):
            wanted = f"body_{number}"
            while not name and wanted in taken:
                wanted += "_"
            given[number] = name or wanted
        return given

    # --- entries -----------------------------------------------------------------------------------

    def put(self, room: str, name: str, content: Data, line: int) -> None:
        self.mappings[room][name] = content
        self.lines[room, name] = line

    def append(self, room: str, content: Entry, line: int) -> None:
        self.lines[room, len(self.lists[room])] = line
        self.lists[room].append(content)

    def note(self, text: str) -> None:
        self.notes[text] = None

    def refused(self, line: int, field: str, message: str) -> FileError:
        return located(self.file, line, field, f"{message} {REMEDY}")

    def wrong(self, line: int, field: str, message: str) -> FileError:
        """What no option deals with."""
        return located(self.file, line, field, message)

    @contextmanager
    def attempted(self) -> Iterator[None]:
        """Where what is refused may be left out, it is noted and left out."""
        try:
            yield
        except FileError as problem:
            if not self.leave_out:
                raise
            self.note(f"left out: {str(problem).removesuffix(REMEDY).strip()}")

    def disables(self, flag: str) -> bool:
        """Whether the file switches something off: gravity, limit, equality, ... by itself or with others."""
        with_others = SWITCHED_WITH.get(flag, flag)
        bits = (getattr(self.mujoco.mjtDisableBit, f"mjDSBL_{one.upper()}", 0) for one in (flag, with_others))
        return any(int(self.model.opt.disableflags) & int(bit) for bit in bits)

    def document(self, name: str) -> Document:
        """The file, without what is empty."""
        data: Entry = {"cardan": 1, "name": name}
        forces: Entry = {**self.mappings["generalized_forces"]}
        for q, terms in self.forces.items():
            forces[q] = list(terms)
        data |= {**self.mappings, "generalized_forces": {key: value for key, value in forces.items() if value}}
        if self.mappings["frames"]:  # which are made first, and what carries them: bodies keep their order all the same
            data["order"] = list(self.mappings["bodies"])
        data |= {"inputs": self.inputs, "loads": self.loads, **self.lists, **self.run}
        if self.kinetic:
            data["energies"] = {"kinetic": self.kinetic}
        notes = [*self.notes, *self.body_names.notes(), *self.joint_names.notes()]
        if notes:
            data["description"] = "\n".join(notes)[:10_000]
        said: Entry = {key: value for key, value in data.items() if value}
        renamed = self.body_names.changed | self.joint_names.changed
        meshes = self.compiled.source.shown.shown
        return Document(said, self.file, self.lines, tuple(notes), renamed, meshes=meshes)


def numbers(values: ArrayLike) -> list[float]:
    """Numbers for a file; what differs from a whole number by rounding only is that number."""
    return [clean(float(x)) for x in np.asarray(values)]


def rows(matrix: Numbers) -> list[list[float]]:
    return [numbers(row) for row in matrix]


def placement(position: Sequence[float] | Numbers, turn: Numbers | None = None) -> Entry | list[float] | None:
    """``at`` of a frame or body: a position, with a rotation where there is one; None where it would say nothing."""
    place = numbers(position)
    if turn is not None and not np.array_equal(rows(turn), np.eye(3)):
        return {"position": place, "rotation": rows(turn)}
    return place if any(place) else None
