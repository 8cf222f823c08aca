"""What a file says as plain data, with the line on which each piece begins: errors then say file, line and field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from cardan.errors import FileError

Data: TypeAlias = "bool | int | float | str | Sequence[Data] | Mapping[str, Data] | None"  # what YAML can hold
Entry: TypeAlias = dict[str, Data]  # a mapping being written
Location: TypeAlias = tuple[str | int, ...]  # keys and places from the outermost inwards


class LeftOut(UserWarning):
    """A file says something that has no place here; all of it is in ``system.notes``."""


@dataclass(frozen=True)
class Document:
    """The data of a file, and the line on which each piece of it begins."""

    data: Data
    file: str
    lines: dict[Location, int] = field(repr=False)
    notes: tuple[str, ...] = ()  # what a reader could not carry over, and names that it had to change
    renamed: Mapping[str, str] = field(default_factory=dict)  # those names, by the file's
    root: str | None = None  # folder below which files that it names may lie; None: its own
    meshes: Mapping[str, Path] = field(default_factory=dict)  # of looks, by the file's names, found and judged already

    @property
    def entries(self) -> Mapping[str, Data]:
        """The data by key; FileError where they are no mapping."""
        if not isinstance(self.data, Mapping):
            raise self.error("a model file is a mapping that begins with `cardan: 1`.", ())
        return self.data

    def line(self, where: Location) -> int:
        """The line of a place, or of the nearest place around it."""
        for count in range(len(where), -1, -1):
            if where[:count] in self.lines:
                return self.lines[where[:count]]
        return 1

    def error(self, message: str, where: Location, **evidence: object) -> FileError:
        """A FileError that says where: file, line and field."""
        return located(self.file, self.line(where), dotted(where), message, **evidence)


def located(file: str, line: int, place: str, message: str, **evidence: object) -> FileError:
    """A FileError whose message begins with file and line, and with the field where one is given."""
    text = f"{file}:{line}: {place}: {message}" if place else f"{file}:{line}: {message}"
    return FileError(text, **{"file": file, "line": line, "field": place, "problem": message, **evidence})


def dotted(where: Location) -> str:
    """A place in words: ``bodies.outer.joint`` or ``constraints[2].name``."""
    text = ""
    for part in where:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text
