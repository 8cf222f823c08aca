"""Judges that may come too late: what there is no time for is left out of an answer, and named in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from cardan.diagnosis.findings import Finding
from cardan.diagnosis.indicators import SINGULAR
from cardan.diagnosis.words import listed
from cardan.native.deadline import OutOfTime, check

Answer = TypeVar("Answer")


def in_time(late: dict[str, OutOfTime], what: str, judge: Callable[[], Answer], otherwise: Answer) -> Answer:
    """What the judge says; ``otherwise`` where the budget ends before that, with ``what`` among the late ones."""
    try:
        check()
        return judge()
    except OutOfTime as out:
        late[what] = out
        return otherwise


def undecided(name: str, late: Mapping[str, OutOfTime]) -> tuple[Finding, ...]:
    """A finding that names what there was no time for; none where there was."""
    if not late:
        return ()
    what = f"{listed(list(late))} of {name}: {next(iter(late.values()))}"
    why = "preparing or judging takes longer; diagnose(..., budget=60) gives it more time, budget=None all it needs"
    return (Finding("undecided", (name,), 1.0, SINGULAR, what, why),)
