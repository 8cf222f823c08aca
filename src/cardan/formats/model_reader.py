"""A model file as one checked record; what its expressions mean is found by ``build``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from cardan.errors import FileError, suggestion
from cardan.formats.document import Data, Document, Location
from cardan.formats.expressions import NEAR
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
        key=lambda one: (one[0], one[2]["type"] == "missing"),  # a misspelt key says what is missing
    )
    _, where, first = found[0]
    key = str(first["loc"][-1]) if first["loc"] else ""
    texts = {
        "extra_forbidden": f"the key {key[:64]!r} is unknown here;{_meant(first['loc'])}",
        "missing": f"the key {key!r} is missing.",
        "union_tag_not_found": "the key 'kind' is missing.",
    }
    message = texts.get(first["type"], first["msg"].rstrip(".") + ".")
    if key == "cardan":
        message = f"a model file says `cardan: {VERSION}`, the version of its format."
    more = f" ({len(found) - 1} more problems follow.)" if len(found) > 1 else ""
    return document.error(message + more, where, problems=len(found))


def _meant(loc: tuple[int | str, ...]) -> str:
    """The key that was probably meant, among those that stand in this place."""
    near = suggestion(str(loc[-1]), _keys_at(loc[:-1]), NEAR)
    return near or " check its spelling and its place."


def _keys_at(loc: tuple[int | str, ...]) -> set[str]:
    """Keys that the schema knows in a place of pydantic's; names of variants in it are passed over."""
    schema = ModelFile.model_json_schema()
    nodes = _opened(schema, schema["$defs"])
    for part in loc:
        deeper: list[Mapping[str, Any]] = []
        for node in nodes:
            inner = node.get("properties", {}).get(part) if isinstance(part, str) else node.get("items")
            inner = node.get("additionalProperties") if inner is None and isinstance(part, str) else inner
            if isinstance(inner, dict):
                deeper += _opened(inner, schema["$defs"])
        of_kind = [node for node in nodes if part == node.get("properties", {}).get("kind", {}).get("const")]
        nodes = of_kind or deeper or nodes
    return {key for node in nodes for key in node.get("properties", {})}


def _opened(node: Mapping[str, Any], named: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The schemas that may hold in a place, references and choices followed."""
    if "$ref" in node:
        return _opened(named[node["$ref"].rsplit("/", 1)[-1]], named)
    choices = [*node.get("anyOf", ()), *node.get("oneOf", ()), *node.get("allOf", ())]
    return [one for choice in choices for one in _opened(choice, named)] if choices else [node]


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
