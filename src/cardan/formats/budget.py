"""How much work the expressions of one file may be: some time, and more of it the more there is to read.

Computer algebra can take long over a short text (forty nested maxima, say). The clock is looked at between operations,
of which none takes long where the ones before it did not. Where the clock on the wall says that it took long, the work
of this thread decides, so that a busy machine refuses nothing that an idle one accepts.
"""

from __future__ import annotations

import time

AT_ONCE = 0.25  # seconds that any file may take
PER_CHARACTER = 5e-4  # seconds more for every character of its expressions


class Budget:
    """Time that is left for the expressions of a file."""

    def __init__(self) -> None:
        self.allowed, self.used = AT_ONCE, 0.0
        self.since = time.thread_time()  # what the thread had worked before

    def begin(self, text: str) -> float:
        """Another expression; returns when it was begun."""
        self.allowed += PER_CHARACTER * len(text)
        return time.perf_counter()

    def is_spent(self, begun: float) -> bool:
        """Whether what was begun then, and all before it, has taken more than allowed."""
        if self.used + time.perf_counter() - begun <= self.allowed:
            return False
        return time.thread_time() - self.since > self.allowed

    def end(self, begun: float) -> None:
        """The expression that was begun then is read."""
        self.used += time.perf_counter() - begun
