"""YAML as plain data with line numbers: no aliases, no tags, no duplicate keys, nothing beyond given sizes.

The text is read event by event, so that a file which grows when it is expanded is refused where it begins to. Scalars
follow the core of YAML 1.2, so ``on:`` is a key and ``no`` is text: null, true, false, decimal numbers, all else text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

import yaml

from cardan.errors import FileError
from cardan.formats.document import Data, Document, Entry, Location, dotted, located
from cardan.formats.opening import read_bytes, require_size

MOST_BYTES = 256 * 1024
MOST_NODES = 20_000
MOST_NESTING = 20
LONGEST_KEY = 64

INTEGER = re.compile(r"[-+]?[0-9]{1,18}")
DECIMAL = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,6})?")
WORDS: dict[str, bool | None] = {"": None, "~": None, "null": None, "true": True, "false": False}


def read_yaml(path: str | Path) -> Document:
    """The content of a YAML file; what is refused raises FileError with file and line."""
    return parse_yaml(read_bytes(path, MOST_BYTES), str(path))


def parse_yaml(content: bytes | str, file: str) -> Document:
    """The content of a YAML text, as ``read_yaml``."""
    data = content.encode() if isinstance(content, str) else content
    require_size(data, MOST_BYTES, file)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = data[: problem.start].count(b"\n") + 1
        raise located(file, line, "", "the text is not UTF-8. Save the file in that encoding.") from None
    return _Reader(text, file).document()


def _events(text: str) -> Iterator[yaml.Event]:
    """Events of the parser written in C where it was built, otherwise of the one written in Python."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    yield from yaml.parse(text, Loader=loader)


class _Reader:
    """One text being read."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.events = _events(text)
        self.lines: dict[Location, int] = {}
        self.count = 0

    def document(self) -> Document:
        try:
            data = self._document()
        except yaml.YAMLError as problem:
            mark = getattr(problem, "problem_mark", None)
            what = getattr(problem, "problem", None) or getattr(problem, "reason", None) or "the text is not YAML"
            line = mark.line + 1 if mark is not None else 1
            raise located(self.file, line, "", f"this is not YAML: {what}.") from None
        return Document(data, self.file, self.lines)

    def _document(self) -> Data:
        data: Data = None
        documents = 0
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise self._refused(event, (), "a second document begins here; a file holds one model.")
                if event.tags:
                    raise self._refused(event, (), "%TAG directives are not accepted in model files.")
            elif isinstance(event, yaml.NodeEvent):
                data = self._node(event, ())
        if documents == 0:
            raise located(self.file, 1, "", "the file is empty. `cardan new` writes one to start from.")
        return data

    def _node(self, event: yaml.Event, where: Location) -> Data:
        self.count += 1
        self.lines[where] = _line(event)
        if not isinstance(event, (yaml.ScalarEvent, yaml.CollectionStartEvent)) or event.anchor is not None:
            raise self._refused(
                event, where, "aliases and anchors (* and &) are not accepted in model files; write it out."
            )
        if event.tag is not None:
            raise self._refused(
                event, where, f"the tag {str(event.tag)[:40]} is not accepted in model files; remove it."
            )
        if self.count > MOST_NODES:
            raise self._refused(event, where, f"the file has more than {MOST_NODES} entries.")
        if len(where) > MOST_NESTING:
            raise self._refused(event, where, f"entries are nested more than {MOST_NESTING} deep.")
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, where)
        return self._mapping(where) if isinstance(event, yaml.MappingStartEvent) else self._sequence(where)

    def _mapping(self, where: Location) -> Entry:
        found: Entry = {}
        for key in self.events:
            if isinstance(key, yaml.MappingEndEvent):
                break
            name = self._key(key, where)
            if name in found:
                first = self.lines[(*where, name)]
                raise self._refused(key, (*where, name), f"this key stands here already, on line {first}.")
            found[name] = self._node(next(self.events), (*where, name))
            self.lines[(*where, name)] = _line(key)
        return found

    def _key(self, event: yaml.Event, where: Location) -> str:
        if not isinstance(event, yaml.ScalarEvent) or event.anchor is not None or event.tag is not None:
            raise self._refused(event, where, "a key is a plain name, without anchors, aliases or tags.")
        if not 0 < len(event.value) <= LONGEST_KEY:
            raise self._refused(event, where, f"a key has 1 to {LONGEST_KEY} characters, found {len(event.value)}.")
        return str(event.value)

    def _sequence(self, where: Location) -> list[Data]:
        found: list[Data] = []
        for event in self.events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            found.append(self._node(event, (*where, len(found))))
        return found

    def _scalar(self, event: yaml.ScalarEvent, where: Location) -> Data:
        text: str = event.value
        if event.style not in (None, ""):  # quoted or block text
            return text
        if text in WORDS:
            return WORDS[text]
        if INTEGER.fullmatch(text):
            return int(text)
        if DECIMAL.fullmatch(text):
            number = float(text)
            if not math.isfinite(number):
                raise self._refused(event, where, f"the number {text[:40]} is too large.")
            return number
        return text

    def _refused(self, event: yaml.Event, where: Location, message: str) -> FileError:
        return located(self.file, _line(event), dotted(where), message)


def _line(event: yaml.Event) -> int:
    """The line on which an event begins, the first being 1."""
    return 1 if event.start_mark is None else event.start_mark.line + 1
