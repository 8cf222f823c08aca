"""``python -m benchmarks [derive diagnose rhs robots ...]``: measure, print, write ``benchmarks/results.md``.

With names, only those benchmarks are run, and nothing is written. The exit status is 1 if a target is missed.
"""

from __future__ import annotations

import importlib
import sys
import time
from pathlib import Path

from benchmarks.machine import describe
from benchmarks.paper import write_figures

ALL = ("startup", "derive", "rhs", "simulate", "robots", "work_precision", "singular_passages", "diagnose")
RESULTS = Path(__file__).with_name("results.md")
INTRODUCTION = """# Benchmarks

Made by `make bench`; every figure below was measured in that one run. CPU time (compilers that a tool starts included),
best of several; each tool in a process of its own, ended after 120 s of CPU time. How: [measure.py](measure.py).
"""


def main() -> int:
    begun = time.perf_counter()
    wanted = sys.argv[1:] or ALL
    parts, missed = [INTRODUCTION + "\n" + describe()], []
    for name in wanted:
        print(name, flush=True)
        section = importlib.import_module(f"benchmarks.{name}").run()
        parts.append(str(section))
        missed += [target.text for target in section.targets if not target.is_met]
        print(f"\n{section}\n", flush=True)
    if tuple(wanted) == ALL:
        RESULTS.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
        write_figures(RESULTS.read_text(encoding="utf-8"))
        print(f"{RESULTS} written after {time.perf_counter() - begun:.0f} s")
    for text in missed:
        print(f"MISSED: {text}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
