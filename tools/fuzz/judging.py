"""What comes of one file or expression: loaded, refused by Cardan's own error, too slow, or another error."""

from __future__ import annotations

import random
import signal
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from cardan.errors import FileError

LOADED, REFUSED, SLOW, UNTYPED = "loaded", "refused", "too slow", "other errors"
OUTCOMES = (LOADED, REFUSED, SLOW, UNTYPED)
MOST_SECONDS = 0.5  # of CPU
ENDED_AFTER = 10.0  # seconds of CPU: a load without end ends here


@dataclass(frozen=True)
class Kind:
    """A kind of input: how one is drawn as bytes and how it is loaded, and how its file would end."""

    name: str
    about: str
    ending: str
    draw: Callable[[random.Random], bytes]
    load: Callable[[bytes], object]
    share: float = 1.0  # of the count that is asked for

    def case(self, number: int) -> bytes:
        """The input of this number, the same in every run."""
        return self.draw(random.Random(f"{self.name} {number}"))


@dataclass(frozen=True)
class Outcome:
    kind: str
    seconds: float
    words: str = ""


class _Ended(BaseException):
    """Raised by the clock, and caught by nothing else."""


@contextmanager
def _ended_in_time() -> Iterator[None]:
    def end(number: int, frame: FrameType | None) -> None:
        raise _Ended

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, ENDED_AFTER)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _tried(kind: Kind, content: bytes) -> Outcome:
    begun = time.process_time()
    try:
        with _ended_in_time(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # robots say more than is read
            kind.load(content)
        found, words = LOADED, ""
    except FileError as problem:
        found, words = REFUSED, str(problem)
    except _Ended:
        found, words = SLOW, f"not ended after {ENDED_AFTER:g} s"
    except Exception as problem:
        last = traceback.extract_tb(problem.__traceback__)[-1]
        found = UNTYPED
        words = f"{type(problem).__name__}: {str(problem)[:150]} ({last.filename.rsplit('/', 1)[-1]}:{last.lineno})"
    return Outcome(found, time.process_time() - begun, words)


def judge(kind: Kind, content: bytes) -> Outcome:
    """How the input comes out; one that took long is tried again, as a busy machine and first imports take long too."""
    found = _tried(kind, content)
    if found.seconds > MOST_SECONDS and found.kind != UNTYPED:
        again = _tried(kind, content)
        found = min(found, again, key=lambda one: one.seconds)
        if found.seconds > MOST_SECONDS:
            return Outcome(SLOW, found.seconds, found.words or f"{found.kind} after {found.seconds:.2f} s")
    return found
