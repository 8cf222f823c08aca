"""MJCF as text that is safe to compile: one element to a line, and of the file only what can matter to the dynamics.

The compiler of MuJoCo opens whatever a file names, anywhere. It never sees a name here: included files are read and put
in place, meshes are read and written anew, both only from the folder of the model or below, and whatever else could
name a file, load a plugin or grow without limit is left away or refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import quoteattr

from cardan.errors import FileError
from cardan.formats.document import located
from cardan.formats.file_kinds import MJCF
from cardan.formats.meshes import below
from cardan.formats.mjcf_meshes import Meshes
from cardan.formats.xml_reader import Element, read_xml

MOST_NESTING = 200  # bodies carried by bodies
MOST_ELEMENTS = 20_000  # the time of MuJoCo's parser grows with their square
MOST_BODIES = 1_000  # MuJoCo's memory may grow with the square of the freedoms
MOST_INCLUDES = 50
NO_NUMBER = re.compile(r"[-+]?(nan|inf|infinity)(\(.*\))?", re.IGNORECASE)

KEPT = frozenset(
    """compiler lengthrange option flag default asset mesh worldbody body frame replicate inertial joint freejoint geom
    site contact pair exclude equality connect weld tendon spatial fixed pulley keyframe key material""".split()
)
HARMLESS = frozenset("visual statistic size custom sensor camera light texture skin hfield".split())
ACTUATORS = frozenset(
    """general motor position velocity intvelocity damper cylinder muscle adhesion dcmotor pid orientation
    plugin""".split()
)
REFUSED = {
    "extension": "plugins are programs of their own and are not run; remove <extension>.",
    "plugin": "plugins are programs of their own and are not run; remove it.",
    "composite": "composite bodies are not read; write out the bodies and joints.",
    "flexcomp": "deformable bodies are not read; use rigid bodies with springs.",
    "flex": "deformable bodies are not read; use rigid bodies with springs.",
    "deformable": "deformable bodies are not read; use rigid bodies with springs.",
    "model": "models inside models are not read; use <include>, or write the bodies out.",
    "attach": "models inside models are not read; use <include>, or write the bodies out.",
}
BODIES_OF_OTHERS = ("model", "attach")  # cannot be left out: they hold bodies
# Not handed on: they name files, materials and user data, or size things that are not needed.
PLAIN = frozenset("general motor position velocity damper".split())  # actuators that may become inputs
DROPPED = frozenset(
    """meshdir texturedir assetdir strippath file content_type texture hfield user ctrl act plastic
    octree_maxdepth maxhullvert output_file""".split()
)


@dataclass
class Source:
    """What the compiler is given, and where each of its lines comes from."""

    file: str
    text: str
    meshes: dict[str, bytes]
    origins: list[Element]  # by line, the first being line 1
    outer: list[int]  # by line: the line in the file itself, which for an included element is that of <include>
    actuators: list[Element]  # those that are not handed on
    handed_on: list[bool]  # for each actuator in order
    ctrl: str  # what the first key frame gives to all of them
    notes: list[str]
    shown: Meshes  # where what is only looked at lies

    def origin(self, line: int) -> Element | None:
        return self.origins[line - 1] if 0 < line <= len(self.origins) else None

    def line(self, line: int) -> int:
        """The line of the file for one of the text."""
        return self.outer[line - 1] if 0 < line <= len(self.outer) else 1


def read_source(
    path: str | Path,
    element: Element | None = None,
    root: str | Path | None = None,
    leave_out: bool = False,
    actuators: bool = True,
) -> Source:
    """The text of an MJCF file for the compiler; what is refused raises FileError with file and line.

    Files that it names lie below its folder, or below ``root``.
    """
    element = read_xml(path, MOST_NESTING) if element is None else element
    if element.tag != "mujoco":
        raise element.error(f"an MJCF file holds a <mujoco>, found <{element.tag}>.")
    return _Writer(str(path), root, leave_out, actuators).source(element)


class _Writer:
    """One text being written."""

    def __init__(self, file: str, allowed: str | Path | None, leave_out: bool, hands_on: bool) -> None:
        self.file, self.allowed, self.leave_out, self.hands_on = file, allowed, leave_out, hands_on
        self.handed_on: list[bool] = []
        self.ctrl = ""
        self.lines: list[str] = []
        self.origins: list[Element] = []
        self.outer: list[int] = []
        self.included: dict[str, int] = {}  # file: the line on which the model itself, by way of others, includes it
        self.actuators: list[Element] = []
        self.elements = 0
        self.has_key = False
        self.notes: list[str] = []

    def source(self, root: Element) -> Source:
        self._include(root, 1)
        if _count(root) > MOST_ELEMENTS:
            raise root.error(f"with what it includes and repeats, the file has more than {MOST_ELEMENTS} elements.")
        if _count(root, "body") > MOST_BODIES:
            raise root.error(f"with what it includes and repeats, the file has more than {MOST_BODIES} bodies.")
        self.meshes = Meshes(root, self.file, self.allowed)
        self._write(root)
        text, files = "\n".join(self.lines), self.meshes.files
        return Source(
            self.file,
            text,
            files,
            self.origins,
            self.outer,
            self.actuators,
            self.handed_on,
            self.ctrl,
            self.notes,
            self.meshes,
        )

    # --- included files ----------------------------------------------------------------------------

    def _include(self, element: Element, depth: int) -> None:
        """Put the content of included files in place."""
        if depth > MOST_NESTING:
            raise element.error(f"with what is included, elements are nested more than {MOST_NESTING} deep.")
        children: list[Element] = []
        for child in element.children:
            self.elements += 1
            if child.tag == "include":
                children += self._included(child, depth)
            else:
                self._include(child, depth + 1)
                children.append(child)
        if self.elements > MOST_ELEMENTS:
            raise element.error(f"with what it includes, the file has more than {MOST_ELEMENTS} elements.")
        element.children = children

    def _included(self, element: Element, depth: int) -> list[Element]:
        try:
            place = below(self.file, element.text("file"), MJCF.endings, "included file", self.allowed)
        except FileError as problem:
            raise element.error(str(problem)) from None
        name = str(place)
        if name in self.included or place == Path(self.file).resolve():
            raise element.error(f"{place.name!r} is included twice; a file may be included once.")
        if len(self.included) >= MOST_INCLUDES:
            raise element.error(f"more than {MOST_INCLUDES} files are included.")
        self.included[name] = self._line(element)
        root = self._read(place, element)
        if root.tag not in ("mujoco", "mujocoinclude"):
            raise root.error(f"an included file holds <mujoco> or <mujocoinclude>, found <{root.tag}>.")
        self._include(root, depth)
        return root.children

    def _read(self, place: Path, element: Element) -> Element:
        """The root of an included file; one that cannot be opened is told where it is included."""
        try:
            return read_xml(place, MOST_NESTING)
        except FileError as problem:
            if problem.evidence.get("line"):
                raise
            raise element.error(f"the included file cannot be read: {problem}") from None

    def _line(self, element: Element) -> int:
        return self.included.get(element.file, element.line)

    # --- elements ----------------------------------------------------------------------------------

    def _write(self, element: Element) -> None:
        """An element, its attributes and its children, each on a line of its own."""
        self.origins.append(element)
        self.outer.append(self._line(element))
        attributes = "".join(f" {key}={quoteattr(value)}" for key, value in self._attributes(element).items())
        self.lines.append(f"<{element.tag}{attributes}>")
        for child in element.children:
            if self._is_kept(child, element):
                self._write(child)
        self.lines[-1] += f"</{element.tag}>"

    def _is_kept(self, child: Element, parent: Element) -> bool:
        tag = child.tag
        if tag == "actuator":
            return self._hand_on(child)
        if parent.tag == "actuator":
            return tag in PLAIN and "plugin" not in child.attributes
        if parent.tag == "default" and tag in ACTUATORS:
            return self.hands_on and tag in PLAIN
        if tag in HARMLESS:
            return False
        if parent.tag == "asset" and self.meshes.is_idle(child):
            return False
        if tag in REFUSED:
            if self.leave_out and tag not in BODIES_OF_OTHERS:
                self.notes.append(f"left out: <{tag}>")
                return False
            raise child.error(f"<{tag}>: {REFUSED[tag]}")
        if tag not in KEPT:
            raise child.error(f"the element <{tag}> is not known inside <{parent.tag}>.")
        if tag == "key" and self.has_key:
            return False  # the first is the start; each of the others would cost as much memory as the model
        if tag == "key":
            self.has_key, self.ctrl = True, child.attributes.get("ctrl", "")
        if tag == "geom" and ("hfield" in child.attributes or child.attributes.get("type") == "hfield"):
            self.notes.append("left out: a height field; contacts between geoms are not read")
            return False
        return True

    def _hand_on(self, actuators: Element) -> bool:
        """Whether some of the actuators are handed on; the others are listed."""
        kept = [self.hands_on and one.tag in PLAIN and "plugin" not in one.attributes for one in actuators.children]
        self.handed_on += kept
        self.actuators += [one for one, is_kept in zip(actuators.children, kept, strict=True) if not is_kept]
        return any(kept)

    def _attributes(self, element: Element) -> dict[str, str]:
        for key, value in element.attributes.items():
            if any(NO_NUMBER.fullmatch(word) for word in value.split()):
                raise element.error(f"{key}={value[:60]!r} should be finite.")
            if "%" in key + value:  # messages of the compiler take a name as a format, and end the process
                raise element.error(f"{key}={value[:60]!r}: percent signs are not accepted.")
        kept = {key: value for key, value in element.attributes.items() if key not in DROPPED}
        if element.tag == "material":
            return {key: value for key, value in kept.items() if key in ("name", "class", "rgba")}
        return self.meshes.attributes(element, kept)


def _count(element: Element, tag: str | None = None) -> int:
    """How many elements (with this tag) there are once repeated ones are written out."""
    inside = (tag in (None, element.tag)) + sum(_count(child, tag) for child in element.children)
    if element.tag != "replicate":
        return inside
    count = element.text("count")
    if not re.fullmatch(r" *\+?0*[1-9][0-9]{0,5} *", count):
        raise element.error(f"count={count[:60]!r} should be a number of copies, 1 or more.")
    return min(inside * int(count), 1_000_000_000)


def compiler_error(source: Source, message: str) -> FileError:
    """What the compiler says, with the file and the line that it means."""
    text = re.sub(r"\s+", " ", message.removeprefix("XML Error: ").removeprefix("Error: ")).strip()
    found = re.search(r"line (?:number=)?([0-9]+)", text, re.IGNORECASE)
    origin = source.origin(int(found[1])) if found else None
    words = re.sub(r",? ?(XML )?line [0-9]+|Element name '', id [0-9]+", "", text)[:500].strip().rstrip(".")
    if origin is None:
        return located(source.file, 1, "mujoco", f"the compiler of MuJoCo refuses the file: {words}.")
    return origin.error(f"the compiler of MuJoCo refuses it: {words}.")
