"""How everything here is timed: CPU seconds, best of many, one short block of work at a time.

CPU time because other programs run on the same machine; the best because disturbances only ever add; short blocks so
that some of them fall between two disturbances.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

BLOCK = 2e-3 if os.name == "posix" else 0.3  # seconds; the CPU clock of Windows ticks 64 times a second


def cpu_seconds() -> float:
    """CPU seconds used so far by this process and by the compilers it has started and waited for."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds of one run, and what it returned."""
    begun = cpu_seconds()
    result = work()
    return cpu_seconds() - begun, result


def best_of(count: int, work: Callable[[], Any], before: Callable[[], Any] = lambda: None) -> tuple[float, Any]:
    """The least CPU seconds of ``count`` runs, each after ``before()``, and the last result."""
    runs = []
    for _ in range(count):
        before()
        runs.append(timed(work))
    return min(seconds for seconds, _ in runs), runs[-1][1]


def best_per_call(work: Callable[[], Any], *, calls: int = 1, for_seconds: float = 0.5) -> float:
    """The least CPU seconds per call of a short piece of work that makes ``calls`` calls."""
    work()
    repeat = max(1, int(BLOCK / max(timed(work)[0], 1e-7)))
    least, end = float("inf"), time.perf_counter() + for_seconds
    while time.perf_counter() < end:
        begun = time.process_time()
        for _ in range(repeat):
            work()
        least = min(least, (time.process_time() - begun) / repeat)
    return least / calls
