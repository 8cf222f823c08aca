"""Which classes a user meets: the public names, and everything that their methods and attributes return."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from functools import cache

import cardan

WORD = re.compile(r"[A-Z]\w*")
NOT_IMPORTED = ("cardan.gallery", "cardan.cli")  # run on import, or hold nothing that is returned

HELD = tuple(
    f"cardan.{one}"
    for one in (
        "api",
        "audit",
        "analysis",
        "codegen.compiled",
        "continua",
        "diagnosis",
        "equations.equations",
        "equations.integrability",
        "equations.numbers",
        "model.flexible",
        "model.frames",
        "model.loads",
        "studies",
        "trajectory.assembly",
        "trajectory.contact_outputs",
        "trajectory.inverse",
        "trajectory.rank.branches",
        "trajectory.trajectory",
    )
)
BEHIND = ("cardan.analysis.varied", "cardan.analysis.steady", "cardan.continua.basis", "cardan.continua.starts")


@cache
def classes() -> dict[str, type]:
    """Every public class of the package by its name; where two share one, neither can be told from an annotation."""
    found: dict[str, list[type]] = {}
    for module in pkgutil.walk_packages(cardan.__path__, "cardan."):
        if module.name.startswith(NOT_IMPORTED) or module.name.endswith("__main__"):
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            if inspect.isclass(value) and value.__module__ == module.name and not name.startswith("_"):
                found.setdefault(name, []).append(value)
    return {name: ones[0] for name, ones in found.items() if len(ones) == 1}


def public_names() -> list[str]:
    """The names of ``cardan`` itself."""
    return [name for name in cardan.__all__ if not name.startswith("_")]


def members(owner: type) -> list[str]:
    """Public methods, properties and fields of a class, inherited ones included, in the order of their definition."""
    fields = [one.name for one in dataclasses.fields(owner)] if dataclasses.is_dataclass(owner) else []
    own = [
        name
        for one in reversed(owner.__mro__)
        if one.__module__.startswith("cardan.")
        for name, value in vars(one).items()
        if callable(value) or isinstance(value, property | classmethod | staticmethod) or hasattr(value, "func")
    ]
    return [name for name in dict.fromkeys([*fields, *own]) if not name.startswith("_")]


def annotations(owner: type) -> Iterator[str]:
    """What a class's members return or hold, as it is written in the sources."""
    for name in members(owner):
        value = inspect.getattr_static(owner, name, None)
        function = getattr(value, "fget", None) or getattr(value, "func", None) or getattr(value, "__func__", value)
        yield str(getattr(function, "__annotations__", {}).get("return", ""))
    if dataclasses.is_dataclass(owner):
        yield from (str(one.type) for one in dataclasses.fields(owner))


@cache
def products() -> tuple[type, ...]:
    """Classes that are no public names but are returned by something that is, directly or through another product."""
    public = [getattr(cardan, name) for name in public_names()]
    queue: list[object] = [one for one in public if not inspect.isclass(one)]
    queue += [one for one in public if inspect.isclass(one) and not issubclass(one, Exception)]
    seen, found = set(queue), []
    while queue:
        one = queue.pop(0)
        texts = annotations(one) if inspect.isclass(one) else [str(getattr(one, "__annotations__", {}).get("return"))]
        for word in dict.fromkeys(word for text in texts for word in WORD.findall(text)):
            kind = classes().get(word)
            if kind is not None and kind not in seen and _is_shown(kind):
                seen.add(kind)
                queue.append(kind)
                found.append(kind)
    return tuple(found)


def _is_shown(kind: type) -> bool:
    """Whether a user holds such a thing; the machinery behind it is for who reads the sources."""
    return kind.__module__.startswith(HELD) and not kind.__module__.startswith(BEHIND) and bool(members(kind))


def full_name(name: str) -> str:
    """Where a public name is defined: its module, and its name there."""
    value = getattr(cardan, name)
    return f"{value.__module__}.{value.__qualname__}" if callable(value) else f"{cardan._HOMES[name]}.{name}"
