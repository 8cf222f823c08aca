"""The reference of model files, key by key, made from the schema that checks them."""

from __future__ import annotations

import re
import types
import typing
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from cardan.formats.schema import ModelFile


def write_model_files(page: Path) -> None:
    """One section for each part of a file, in the order in which they are met."""
    text = ["# Model files, key by key", ""]
    text += ["Made from the schema that checks files. [The guide](../model-files.md) says what they mean.", ""]
    for part in parts(ModelFile):
        text += section(part)
    page.write_text("\n".join(text), encoding="utf-8")


def parts(root: type[BaseModel]) -> list[type[BaseModel]]:
    """The root and every part that it may hold, each once."""
    found, queue = [root], [root]
    while queue:
        for one in queue.pop(0).model_fields.values():
            for kind in kinds(one.annotation):
                if kind not in found:
                    found.append(kind)
                    queue.append(kind)
    return found


def kinds(annotation: Any) -> list[type[BaseModel]]:
    """The parts that an annotation names."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [kind for inner in get_args(annotation) if not isinstance(inner, str) for kind in kinds(inner)]


def section(part: type[BaseModel]) -> list[str]:
    doc = (part.__doc__ or "").split("\n\n")[0].replace("\n", " ")
    lines = [f"## {title(part)}", "", doc if doc and doc != BaseModel.__doc__ else "", ""]
    if part.model_fields:
        lines += ["| key | holds | if left out |", "|---|---|---|"]
        lines += [
            f"| `{one.alias or name}` | {words(one.annotation)} | {default(one)} |"
            for name, one in part.model_fields.items()
        ]
    return [*lines, ""]


def title(part: type[BaseModel]) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", part.__name__)


def default(one: FieldInfo) -> str:
    if one.is_required():
        return "must be there"
    value = one.get_default(call_default_factory=True)
    return "" if value is None else f"`{value!r}`" if value not in ([], {}, ()) else "empty"


def words(annotation: Any) -> str:
    """An annotation in words, with links to the parts that it names."""
    origin, inside = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return words(inside[0])
    if origin is Literal:
        return ", ".join(f"`{one}`" for one in inside)
    if origin in (typing.Union, types.UnionType):
        return " or ".join(dict.fromkeys(words(one) for one in inside if one is not type(None)))
    if origin is dict:
        return f"names, each with {words(inside[1])}"
    if origin in (list, tuple):
        return f"list of {words(next((one for one in inside if one is not Ellipsis), str))}"
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        name = title(annotation)
        return f"[{name}](#{name.lower().replace(' ', '-')})"
    plain = {"str": "text", "float": "number", "int": "number", "bool": "true or false", "object": "anything"}
    return plain.get(getattr(annotation, "__name__", ""), "an expression or a number")
