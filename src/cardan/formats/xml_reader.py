"""XML as plain elements with line numbers: no document types, no entities of its own, nothing beyond given sizes.

Read by expat from the standard library. A document type is refused where it begins, so that nothing can be defined,
expanded or fetched.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from cardan.errors import FileError
from cardan.formats.document import located
from cardan.formats.opening import read_bytes, require_size

MOST_BYTES = 4 * 1024 * 1024
MOST_ELEMENTS = 150_000  # a robot of 10 000 links has 120 000
MOST_NESTING = 40


@dataclass
class Element:
    """A tag with its attributes, its children in order, and the line on which it begins."""

    tag: str
    attributes: dict[str, str]
    line: int
    file: str
    children: list[Element] = field(default_factory=list)
    content: str = ""  # the text inside, without what surrounds it

    def all(self, tag: str) -> Iterator[Element]:
        return (child for child in self.children if child.tag == tag)

    def one(self, tag: str) -> Element | None:
        """The child with this tag, if there is one; two are refused."""
        found = list(self.all(tag))
        if len(found) > 1:
            raise found[1].error(f"<{self.tag}> has a second <{tag}>; it may have one.")
        return found[0] if found else None

    def text(self, attribute: str, default: str | None = None) -> str:
        """An attribute, which must be there where no default is given."""
        value = self.attributes.get(attribute, default)
        if value is None:
            raise self.error(f"<{self.tag}> needs the attribute {attribute!r}.")
        return value

    def error(self, message: str, **evidence: object) -> FileError:
        return located(self.file, self.line, self.tag, message, **evidence)


def read_xml(path: str | Path, most_nesting: int = MOST_NESTING) -> Element:
    """The root element of an XML file; what is refused raises FileError with file and line."""
    return parse_xml(read_bytes(path, MOST_BYTES), str(path), most_nesting)


def parse_xml(content: bytes, file: str, most_nesting: int = MOST_NESTING) -> Element:
    """The root element of an XML text, as ``read_xml``."""
    require_size(content, MOST_BYTES, file)
    return _Reader(file, most_nesting).read(content)


class _Reader:
    """One text being read."""

    def __init__(self, file: str, most_nesting: int) -> None:
        self.file, self.most_nesting = file, most_nesting
        self.open: list[Element] = []
        self.root: Element | None = None
        self.count = 0
        self.texts: dict[int, list[str]] = {}  # of elements that are open
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.buffer_text = True
        self.parser.CharacterDataHandler = self._text
        self.parser.EndElementHandler = self._end
        self.parser.StartDoctypeDeclHandler = self._refuse_document_type
        self.parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)

    def read(self, content: bytes) -> Element:
        try:
            self.parser.Parse(content.lstrip(), True)  # white space may stand before the declaration
        except expat.ExpatError as problem:
            what = expat.ErrorString(problem.code)
            raise located(self.file, problem.lineno, "", f"this is not XML: {what}.") from None
        except (LookupError, ValueError) as problem:  # an encoding that does not exist
            raise located(self.file, 1, "", f"this is not XML: {problem}.") from None
        assert self.root is not None  # expat refuses a text without an element
        return self.root

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, self.parser.CurrentLineNumber, self.file)
        self.count += 1
        if self.count > MOST_ELEMENTS:
            raise element.error(f"the file has more than {MOST_ELEMENTS} elements.")
        if len(self.open) >= self.most_nesting:
            raise element.error(f"elements are nested more than {self.most_nesting} deep.")
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def _text(self, text: str) -> None:
        if self.open and (found := text.strip()):
            self.texts.setdefault(id(self.open[-1]), []).append(found)

    def _end(self, tag: str) -> None:
        element = self.open.pop()
        element.content = " ".join(self.texts.pop(id(element), ()))

    def _refuse_document_type(self, *_: object) -> None:
        line = self.parser.CurrentLineNumber
        raise located(self.file, line, "", "a document type (<!DOCTYPE ...>) is not accepted; remove it.")
