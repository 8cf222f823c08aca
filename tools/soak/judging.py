"""What comes of one random case: how Cardan's answer is held against another one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import cardan as cd
from cardan.errors import CardanError

Vector = NDArray[np.float64]
Case = Mapping[str, Any]  # plain numbers, lists and texts, so that it can be written down

AGREED, COMPLAINED, REFUSED = "agreed", "complained rightly", "refused wrongly"
WRONG, CRASHED, LATE = "silent wrong", "crashes", "over budget"
KINDS = (AGREED, COMPLAINED, REFUSED, WRONG, CRASHED, LATE)
BUDGET = 20.0  # seconds of CPU for one case, compiling and the other side included


@dataclass(frozen=True)
class Answer:
    """Two numbers' worth of comparing: how far apart, what is allowed, and what the audit complains of."""

    apart: float
    allowed: float
    complaints: tuple[str, ...] = ()


@dataclass(frozen=True)
class Family:
    """A kind of case: how it is drawn, compared with the other side, and made smaller."""

    name: str
    judged_by: str
    draw: Callable[[np.random.Generator], Case]
    compare: Callable[[Case], Answer]
    simpler: Callable[[Case], Iterator[Case]] = lambda case: iter(())
    may_refuse: Callable[[Case], bool] = lambda case: False  # by the other side's own judgement


@dataclass(frozen=True)
class Verdict:
    """How a case came out, in a word and in words."""

    kind: str
    words: str = ""
    seconds: float = 0.0


def judge(family: Family, case: Case) -> Verdict:
    """Compare, and say what came of it; an error of Cardan's own must be right, any other is a crash."""
    begin = time.process_time()
    try:
        found = family.compare(case)
    except CardanError as problem:
        kind = COMPLAINED if family.may_refuse(case) else REFUSED
        words = f"{type(problem).__name__}: {problem}"
    except Exception as problem:
        kind, words = CRASHED, f"{type(problem).__name__}: {problem}"
    else:
        words = f"{found.apart:.2e} apart, {found.allowed:.0e} allowed"
        if found.apart <= found.allowed:
            kind = AGREED
        elif found.complaints:
            kind, words = COMPLAINED, f"{words}; audit: {', '.join(found.complaints)}"
        else:
            kind = WRONG
    seconds = time.process_time() - begin
    if seconds > BUDGET and kind in (AGREED, COMPLAINED):
        kind = LATE
    return Verdict(kind, words[:300], seconds)


def answer(run: cd.Run, found: Vector, expected: Vector, allowed: float, sizes: Vector | float = 0.0) -> Answer:
    """The largest difference in units of the largest number expected, or of ``sizes``."""
    size = np.maximum(np.max(np.abs(expected), initial=0.0), sizes)
    apart = float(np.max(np.abs(np.asarray(found) - expected) / size, initial=0.0))
    apart = apart if np.isfinite(apart) else np.inf
    wrong = () if apart <= allowed else tuple(one.name for one in run.audit().complaints)
    return Answer(apart, allowed, wrong)
