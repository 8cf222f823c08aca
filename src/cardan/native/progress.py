"""A line on the terminal that says that a search is at work: after a second, and gone when it ends.

Nothing is written where the error stream is no terminal: not in tests, pipes, notebooks and logs.
"""

from __future__ import annotations

import sys
from math import isfinite
from time import monotonic

FIRST, EVERY = 1.0, 0.2  # seconds until something is told, and between two changes of it
CLEAR = "\r\x1b[K"  # back to the begin of the line, which is emptied


class Progress:
    """What one search tells about itself while it lasts."""

    def __init__(self, what: str, seconds: float) -> None:
        self.what, self.seconds = what, seconds
        self._stream = sys.stderr if sys.stderr is not None and sys.stderr.isatty() else None
        self._begun = monotonic()
        self._next, self._is_shown = self._begun + FIRST, False

    def tell(self, now: float) -> None:
        """Bring the line up to date, if it is time to."""
        if self._stream is None or now < self._next:
            return
        limit = f" of at most {self.seconds:g}" if isfinite(self.seconds) else ""
        self._stream.write(f"{CLEAR}{self.what}: {now - self._begun:.1f}{limit} s")
        self._stream.flush()
        self._next, self._is_shown = now + EVERY, True

    def end(self) -> None:
        """Take the line away."""
        if self._stream is not None and self._is_shown:
            self._stream.write(CLEAR)
            self._stream.flush()
