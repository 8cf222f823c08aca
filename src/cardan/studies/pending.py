"""Rows that are still to be run, handed out in tasks of about a second."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FIRST, MOST, SECONDS = 4, 20_000, 1.0
MEMORY = 0.5  # share of what was known before in the time per row


class Pending:
    """Tasks (first row, row behind the last) of rows that are not done, each as long as the last ones suggest."""

    def __init__(self, done: NDArray[np.bool_], seconds: float = SECONDS) -> None:
        edges = np.flatnonzero(np.diff(np.concatenate([[True], done, [True]]).astype(int)))
        self._spans = [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)][::-1]
        self._per_row: float | None = None
        self._seconds = seconds
        self.happened: list[str] = []  # what was lost since it was asked last, in words
        self.left = int((~done).sum())

    def take(self, workers: int) -> tuple[int, int] | None:
        """The next task, or None where there is none."""
        if not self._spans:
            return None
        a, b = self._spans.pop()
        size = FIRST if self._per_row is None else int(np.clip(self._seconds / self._per_row, 1, MOST))
        size = max(1, min(size, -(-self.left // max(2 * workers, 1))))
        if b - a > size:
            self._spans.append((a + size, b))
            b = a + size
        self.left -= b - a
        return a, b

    def give_back(self, task: tuple[int, int], why: str) -> None:
        """A task that was not finished, and why."""
        self._spans.append(task)
        self.left += task[1] - task[0]
        self.happened.append(f"{why}; rows {task[0]} to {task[1] - 1} are run again.")

    def news(self) -> list[str]:
        """What has happened since this was asked last."""
        told, self.happened = self.happened, []
        return told

    def tell(self, rows: int, seconds: float) -> None:
        """How long rows took."""
        if rows:
            now = max(seconds / rows, 1e-9)
            self._per_row = now if self._per_row is None else MEMORY * self._per_row + (1 - MEMORY) * now
