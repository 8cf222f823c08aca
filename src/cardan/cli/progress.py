"""A progress bar with the time left, for whatever takes longer than a second, and an interruption that keeps the work.

The first Ctrl-C while a motion is computed ends it between two chunks of steps, with everything so far; before and
after that, and the second time, Ctrl-C ends the command as usual.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, TypeVar

from cardan.cli.reporting import is_watched
from cardan.simulation.progress import observed

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

PATIENCE = 1.0  # seconds before a bar appears
Result = TypeVar("Result")


class Progress:
    """One motion being computed."""

    def __init__(self, start: float, duration: float, quiet: bool) -> None:
        self.start, self.duration = start, duration
        self.begun = time.monotonic()
        self.shows = not quiet and is_watched()
        self.bar: Bar | None = None
        self.is_moving = False
        self.is_asked_to_stop = False

    def run(self, work: Callable[[], Result]) -> Result:
        with observed(self.heard):
            return work()

    def heard(self, t: float) -> bool:
        """The motion has reached ``t``; whether it shall go on."""
        self.is_moving = True
        if self.shows and time.monotonic() - self.begun > PATIENCE:
            self._show((t - self.start) / self.duration if self.duration else 1.0)
        return not self.is_asked_to_stop

    def _show(self, part: float) -> None:
        if self.bar is None:
            self.bar = new_bar()
            self.bar.start()
            self.task = self.bar.add_task("simulating", total=1.0)
        self.bar.update(self.task, completed=part)

    def interrupt(self, signum: int, frame: FrameType | None) -> None:
        if not self.is_moving or self.is_asked_to_stop:
            raise KeyboardInterrupt
        self.is_asked_to_stop = True

    def close(self) -> None:
        if self.bar is not None:
            self.bar.stop()


def new_bar() -> Bar:
    """A bar on standard error, with the time left; it is gone when it ends."""
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:.0f}%"),
        TimeRemainingColumn(),
    )
    return Bar(*columns, console=Console(stderr=True), transient=True)


@contextmanager
def watched(start: float, duration: float, *, quiet: bool) -> Iterator[Progress]:
    """Progress of a motion from ``start`` over ``duration``; Ctrl-C is heard by it meanwhile."""
    progress = Progress(start, duration, quiet)
    in_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, progress.interrupt) if in_main else None
    try:
        yield progress
    finally:
        if in_main:
            signal.signal(signal.SIGINT, before)
        progress.close()
