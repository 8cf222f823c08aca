"""How far a study is: a line on a terminal, HTML in a notebook, nothing elsewhere."""

from __future__ import annotations

import sys
import time
from collections import Counter
from importlib import import_module
from typing import Any, TextIO

import numpy as np

from cardan.studies.rows import GOOD, STATUS, Block

PATIENCE, REFRESH = 1.0, 0.25  # seconds before something is shown, and between two of it
WIDTH = 24


class Progress:
    """Counts of a study while it is made."""

    def __init__(self, rows: int, done: int, stream: TextIO | None = None, *, shown: bool | None = None) -> None:
        self.rows, self.done, self.before = rows, done, done
        self.begun = self.last = time.monotonic()
        self.failures: Counter[str] = Counter()
        self.stream = stream or sys.stderr
        self._page = _page() if shown is not False else None
        self.shown = bool(self._page) or (self.stream.isatty() if shown is None else shown)
        self._drawn = False
        self.happened: list[str] = []
        self._silent = shown is False

    def tell(self, block: Block) -> None:
        """Rows have arrived."""
        self.done += len(block)
        for k in np.flatnonzero(~np.isin(block.status, [STATUS.index(one) for one in GOOD])):
            reason = block.reasons.get(block.first + int(k), STATUS[block.status[k]])
            self.failures[grouped(reason)] += 1
        now = time.monotonic()
        if self.shown and now - self.begun > PATIENCE and now - self.last > REFRESH:
            self.last = now
            self._draw()

    def say(self, what: str) -> None:
        """Something has happened that a person wants to know: a worker died, a scheduler came back."""
        if self._page is None and not self._silent:
            self.stream.write(f"\r\x1b[2K{what}\n" if self._drawn else f"{what}\n")
            self.stream.flush()
        self.happened.append(what)

    def text(self) -> str:
        """Bar, rate, time left, failures."""
        seconds = max(time.monotonic() - self.begun, 1e-9)
        rate = (self.done - self.before) / seconds
        left = (self.rows - self.done) / rate if rate else float("inf")
        full = int(WIDTH * self.done / max(self.rows, 1))
        bar = "#" * full + "." * (WIDTH - full)
        failed = sum(self.failures.values())
        told = f", {failed} failed ({self.failures.most_common(1)[0][0][:40]})" if failed else ""
        return f"[{bar}] {self.done}/{self.rows} rows, {rate:.3g}/s, {_clock(left)} left{told}"

    def _draw(self) -> None:
        if self._page is not None:
            self._page.update(_Html(f"<pre>{self.text()}</pre>"))
        else:
            self.stream.write(f"\r\x1b[2K{self.text()}")
            self.stream.flush()
        self._drawn = True

    def close(self) -> None:
        """Draw it for the last time."""
        if self._drawn:
            self._draw()
            if self._page is None:
                self.stream.write("\n")


def grouped(reason: str) -> str:
    """A reason without its numbers, so that equal troubles are counted together."""
    import re

    return re.sub(r"-?\d+(\.\d+)?(e[+-]?\d+)?", "#", reason.split("\n")[0])[:160]


def _clock(seconds: float) -> str:
    if not np.isfinite(seconds):
        return "?"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}" if minutes >= 60 else f"{minutes}:{rest:02d}"


class _Html:
    def __init__(self, text: str) -> None:
        self.text = text

    def _repr_html_(self) -> str:
        return self.text


def _page() -> Any:
    """A cell of a notebook that can be drawn again; None elsewhere."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None or "IPKernelApp" not in getattr(shell, "config", {}):
        return None
    show: Any = import_module("IPython.display").display
    return show(_Html("<pre>...</pre>"), display_id=True)
