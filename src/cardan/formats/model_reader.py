"""A model file as one checked record; what its expressions mean is found by ``build``."""

from __future__ import annotations

from pydantic import ValidationError

from cardan.errors import FileError
from cardan.formats.document import Data, Document, Location
from cardan.formats.schema import ModelFile
from cardan.formats.yaml_reader import parse_yaml

VERSION = 1


def parse_model(content: str | bytes, file: str) -> tuple[ModelFile, Document]:
    """As ``check_model``, from text."""
    return check_model(parse_yaml(content, file))


def check_model(document: Document) -> tuple[ModelFile, Document]:
    """The checked content of a model file, and the document that knows its lines."""
    try:
        return ModelFile.model_validate(document.entries), document
    except ValidationError as problem:
        raise _first_error(problem, document) from None


def _first_error(problem: ValidationError, document: Document) -> FileError:
    """The first problem in the order of lines, with the number of the others."""
    problems = problem.errors(include_url=False, include_context=False)
    found = sorted(
        ((document.line(where), where, one) for one in problems for where in [_place(one["loc"], document.data)]),
        key=lambda one: one[0],
    )
    _, where, first = found[0]
    key = str(first["loc"][-1]) if first["loc"] else ""
    texts = {
        "extra_forbidden": f"the key {key[:64]!r} is unknown here; check its spelling and its place.",
        "missing": f"the key {key!r} is missing.",
        "union_tag_not_found": "the key 'kind' is missing.",
    }
    message = texts.get(first["type"], first["msg"].rstrip(".") + ".")
    if key == "cardan":
        message = f"a model file says `cardan: {VERSION}`, the version of its format."
    more = f" ({len(found) - 1} more problems follow.)" if len(found) > 1 else ""
    return document.error(message + more, where, problems=len(found))


def _place(loc: tuple[int | str, ...], data: Data) -> Location:
    """The place in the file that a location of pydantic means: names of variants and the like are left out."""
    where: list[int | str] = []
    variant: Data = None  # the kind of the mapping at hand, which pydantic names before its fields
    for part in loc:
        if part == variant:
            variant = None
            continue
        if isinstance(data, dict) and part in data:
            data = data[part]
        elif isinstance(data, list) and isinstance(part, int) and part < len(data):
            data = data[part]
        else:
            continue
        where.append(part)
        variant = data.get("kind") if isinstance(data, dict) else None
    return tuple(where)
