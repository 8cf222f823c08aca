"""A budget of seconds for a search: whoever searches asks now and then whether time is up, and tells what it has.

    with within(10.0):
        for start in starts:
            check()  # raises OutOfTime ten seconds later
            ...

A search inside a search has no more time than the outer one. Each thread has budgets of its own. The outermost search
that has a name tells on a terminal that it is at work, as often as it asks.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import monotonic

from cardan.errors import ModelError
from cardan.native.progress import Progress


def default_budget(said: str | None) -> float:
    """Seconds of a search where nobody says otherwise: 10, or what ``CARDAN_BUDGET`` says (``inf``: all it needs).

    Seconds pass on a busy machine too; whoever wants the same answers there, as tests do, says more.
    """
    try:
        seconds = float(said or 10.0)
    except ValueError:
        seconds = -1.0
    if not seconds > 0.0:
        raise ModelError(f"CARDAN_BUDGET is {said!r}: expected seconds above zero, or inf")
    return seconds


BUDGET = default_budget(os.environ.get("CARDAN_BUDGET"))

_ends: ContextVar[tuple[float, float]] = ContextVar("end of the budget", default=(inf, inf))
_told: ContextVar[Progress | None] = ContextVar("what is told meanwhile", default=None)


class OutOfTime(Exception):
    """The budget of a search is used up; ``seconds`` is what it was."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"not decided within {seconds:g} s")
        self.seconds = seconds


@contextmanager
def within(seconds: float | None, what: str = "") -> Iterator[None]:
    """Everything inside has this many seconds (None: no limit of its own), and no more than what surrounds it has.

    ``what`` is told on a terminal while it lasts.
    """
    before, outer = _ends.get(), _told.get()
    mine = (monotonic() + seconds, seconds) if seconds is not None else before
    own = Progress(what, min(mine, before)[1]) if what and outer is None else None
    token, telling = _ends.set(min(mine, before)), _told.set(own or outer)
    try:
        yield
    finally:
        _ends.reset(token)
        _told.reset(telling)
        if own is not None:
            own.end()


@contextmanager
def share(part: float = 0.8) -> Iterator[None]:
    """Everything inside has this part of the time that is left, so that something can be told afterwards."""
    end, seconds = _ends.get()
    left = end - monotonic()
    token = _ends.set((monotonic() + part * left, seconds) if left < inf else (end, seconds))
    try:
        yield
    finally:
        _ends.reset(token)


def check() -> None:
    """Raise OutOfTime where the budget is used up."""
    (end, seconds), now, told = _ends.get(), monotonic(), _told.get()
    if now > end:
        raise OutOfTime(seconds)
    if told is not None:
        told.tell(now)
