"""Run the checks of entries, with the time they take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Literal

from cardan.gallery.catalogue import NOT_WRITTEN, TITLES
from cardan.gallery.index import entry, known, modules

if TYPE_CHECKING:
    from cardan.gallery.entry import Check

Status = Literal["passed", "failed", "planned"]


@dataclass(frozen=True)
class Verdict:
    """What became of one entry: its checks, and why it failed or is only planned."""

    id: str
    title: str
    status: Status
    checks: tuple[Check, ...] = ()
    seconds: float = 0.0
    reason: str = ""


def checked(name: str) -> Verdict:
    """The verdict on one entry. An entry that raises an error has failed, and the reason says how."""
    key = known(name)
    if key not in modules():
        return Verdict(key, TITLES[key], "planned", reason=NOT_WRITTEN)
    began, found = perf_counter(), []
    reason = ""
    try:
        one = entry(key)
        for check in one.checks(one.system()):
            found.append(check)
    except Exception as problem:  # whatever it is, the other entries are to be checked as well
        reason = f"{type(problem).__name__} after {len(found)} checks: {problem}"
    failing = [check.name for check in found if not check.passed]
    if failing and not reason:
        reason = f"{len(failing)} of {len(found)} checks fail: {'; '.join(failing)}"
    if not found and not reason:
        reason = "the entry has no checks"
    status: Status = "failed" if reason else "passed"
    return Verdict(key, TITLES[key], status, tuple(found), perf_counter() - began, reason)


def checked_all(names: Iterable[str] = TITLES) -> Iterator[Verdict]:
    """Verdicts one after the other, in the given order."""
    for name in names:
        yield checked(name)
