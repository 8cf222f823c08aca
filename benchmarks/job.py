"""Each tool is measured in a process of its own, with a time limit: one that hangs or crashes stops nothing else.

    measured("benchmarks.derive:sympy_lagrange", 10)   # from the run
    python -m benchmarks.job benchmarks.derive:sympy_lagrange '[10]' 120   # what it starts

A job is a function that takes and returns plain data. A job asked for twice in a run is run once, so that all tables
of a run quote the same measurement.
"""

from __future__ import annotations

import functools
import importlib
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from benchmarks.measure import cpu_seconds

LIMIT = 120  # CPU seconds for each job; wall time may be twice as much on a busy machine
ROOT = Path(__file__).resolve().parent.parent
MARK = "result: "
TOO_LONG = 77  # exit status


class NotMeasured(Exception):
    """A job without a result, and why."""


def measured(job: str, *arguments: Any, **environment: str) -> dict[str, Any]:
    """What the job returned; raises NotMeasured if it took too long or failed."""
    result = _run(job, json.dumps(arguments), tuple(sorted(environment.items())))
    if isinstance(result, str):
        raise NotMeasured(result)
    return result


@functools.cache
def _run(job: str, arguments: str, environment: tuple[tuple[str, str], ...]) -> dict[str, Any] | str:
    print(f"  {job.split(':')[1]} {arguments}", flush=True)
    limit = float(dict(environment).get("BENCHMARK_LIMIT", LIMIT))
    command = [sys.executable, "-m", "benchmarks.job", job, arguments, str(limit)]
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=os.environ | dict(environment),
            timeout=8 * limit,  # by the clock, on a machine that others use
            text=True,
            capture_output=True,
        )
    except subprocess.TimeoutExpired:
        return f"> {limit:g} s"
    for line in done.stdout.splitlines():
        if line.startswith(MARK):
            return dict(json.loads(line[len(MARK) :]))
    if done.returncode == TOO_LONG:
        return f"> {limit:g} s"
    print(done.stderr[-2000:], file=sys.stderr)
    return "failed: " + (done.stderr.strip().splitlines() or ["no message"])[-1][:120]


def _watch(limit: float) -> None:
    """End this process when it has used its CPU time.

    A limit set with the operating system would do the same, but makes Linux advance the CPU clock in coarse ticks.
    """
    while cpu_seconds() < limit:
        time.sleep(0.5)
    os._exit(TOO_LONG)


def main() -> None:
    job, arguments, limit = sys.argv[1:]
    threading.Thread(target=_watch, args=(float(limit),), daemon=True).start()
    module, name = job.split(":")
    result = getattr(importlib.import_module(module), name)(*json.loads(arguments))
    print(MARK + json.dumps(result))


if __name__ == "__main__":
    main()
