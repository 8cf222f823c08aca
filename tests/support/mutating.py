"""Entries of the gallery with one expression changed, judged by one group of their checks.

A group is a function that yields checks, in the file of an entry or in one that it takes groups from. The other groups
are left out, so that a mutation is noticed by the group it is meant for.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from cardan.errors import CardanError
from cardan.gallery.entry import Check
from cardan.gallery.index import modules

PREFIX = "cardan.gallery."


def entry_module(name: str) -> ModuleType:
    return importlib.import_module(modules()[name])


def groups_of(name: str) -> dict[str, ModuleType]:
    """Groups of checks of an entry and the module of each; general comparisons, such as ``motion``, are not groups.

    A function that only calls others is none.
    """
    found = {}
    for key, one in vars(entry_module(name)).items():
        if inspect.isgeneratorfunction(one) and "Iterator[Check]" in str(one.__annotations__.get("return", "")):
            owner = inspect.getmodule(one)
            assert owner is not None
            is_of_text = owner.__name__.removeprefix(PREFIX).count(".") > 0  # in the folder of a text
            if is_of_text and re.search(r"yield (?!from)|yield from motion", inspect.getsource(one)):
                found[key] = owner
    return found


def executed(module: ModuleType, old: str, new: str) -> dict[str, Any]:
    """The names of a module in whose text every ``old`` is replaced by ``new``."""
    text = inspect.getsource(module)
    assert old in text, f"{module.__name__} no longer contains {old!r}"
    names: dict[str, Any] = {"__name__": module.__name__, "__package__": module.__package__}
    exec(compile(text.replace(old, new), module.__name__, "exec"), names)
    return names


def verdicts(name: str, group: str, old: str, new: str) -> list[bool]:
    """Which checks of the group pass once the text is changed, up to the first that fails."""
    groups, module = groups_of(name), entry_module(name)
    changed = executed(groups[group], old, new)
    if not inspect.signature(changed[group]).parameters:
        return _until_one_fails(changed[group](), [], of_all=True)
    names = changed if groups[group] is module else executed(module, "", "")
    names[group] = changed[group]  # in place: it is what the module's functions see
    for other in set(groups) - {group, "checks"}:
        names[other] = _nothing
    found: list[bool] = []
    if group != "checks":
        names[group] = _recording(names[group], found)
    return _until_one_fails(_checks(names), found, of_all=group == "checks")


def _checks(names: dict[str, Any]) -> Iterator[Check]:
    yield from names["checks"](names["system"]())


def _until_one_fails(checks: Iterator[Check], found: list[bool], *, of_all: bool) -> list[bool]:
    """Verdicts, those that are recorded elsewhere or those ``of_all`` checks; a refusal of Cardan's is a failure."""
    try:
        for check in checks:
            if of_all:
                found.append(check.passed)
            if found and not found[-1]:
                break
    except CardanError:
        found.append(False)
    return found


def _nothing(*_: object, **__: object) -> Iterator[Check]:
    return iter(())


def _recording(function: Callable[..., Iterator[Check]], found: list[bool]) -> Callable[..., Iterator[Check]]:
    def recorded(*arguments: Any, **options: Any) -> Iterator[Check]:
        for check in function(*arguments, **options):
            found.append(check.passed)
            yield check

    return recorded
