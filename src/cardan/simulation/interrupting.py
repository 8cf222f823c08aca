"""Ctrl-C while a motion is computed: it ends between two chunks of steps, with everything so far in the error."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from cardan.simulation.progress import is_observed, observed


class _Ear:
    """Hears Ctrl-C, and tells the motion that is being computed."""

    def __init__(self) -> None:
        self.is_moving = self.is_asked_to_stop = False

    def reached(self, t: float) -> bool:
        """The motion has reached ``t``; whether it shall go on."""
        self.is_moving = True
        return not self.is_asked_to_stop

    def interrupt(self, signum: int, frame: FrameType | None) -> None:
        """The first time ends the motion; before there is one, and the second time, everything."""
        if not self.is_moving or self.is_asked_to_stop:
            raise KeyboardInterrupt
        self.is_asked_to_stop = True


@contextmanager
def keeping_what_there_is() -> Iterator[None]:
    """Inside, Ctrl-C ends a motion early instead of losing it.

    Left alone where somebody else listens: another thread than the main one, a handler of the user's own, an observer.
    """
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or is_observed() or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    ear = _Ear()
    signal.signal(signal.SIGINT, ear.interrupt)
    try:
        with observed(ear.reached):
            yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
