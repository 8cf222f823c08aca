"""How long one waits: for ``import cardan``, and for the first motion in a fresh process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.job import LIMIT, ROOT
from benchmarks.table import Section, Target, seconds, table

IMPORT = """
import sys, time
begun = time.process_time()
import cardan
print("result:", time.process_time() - begun, time.process_time(), float("sympy" in sys.modules))
"""

FIRST_MOTION = """
import time
begun = time.perf_counter()
import cardan as cd
s = cd.System("double pendulum")
a, b = s.coordinates("a b", on="S1")
m, l, g = s.parameters(m=1.0, l=1.0, g=9.81)
s.gravity(-g * s.world.z)
upper = s.body("upper", mass=m, com=(0, 0, -l), joint=cd.Revolute("y", a))
lower = s.body("lower", mass=m, com=(0, 0, -l), joint=cd.Revolute("y", b), parent=upper, at=(0, 0, -l))
run = s.simulate(10.0, q=[2.0, 1.0])
assert run.status == "finished" and run.t[-1] == 10.0
print("result:", time.process_time(), time.perf_counter() - begun)
"""


def run() -> Section:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        _fresh(FIRST_MOTION, CARDAN_CACHE_DIR=directory)  # writes Python's own byte code, once for each installation
        imports = [_fresh(IMPORT) for _ in range(10)]
        cold = [_fresh(FIRST_MOTION, CARDAN_CACHE_DIR=str(Path(directory) / f"empty{k}")) for k in range(3)]
        warm = [_fresh(FIRST_MOTION, CARDAN_CACHE_DIR=directory) for _ in range(5)]
    assert all(one[2] == 0.0 for one in imports), "import cardan loads SymPy"
    rows = [
        ["`import cardan` alone", seconds(min(one[0] for one in imports)), "-"],
        ["a Python process that imports Cardan", seconds(min(one[1] for one in imports)), "-"],
        ["first motion, nothing in the cache", seconds(min(cold)[0]), seconds(min(one[1] for one in cold))],
        ["first motion, warm cache", seconds(min(warm)[0]), seconds(min(one[1] for one in warm))],
    ]
    return Section(
        "Start-up",
        """
Fresh processes, the interpreter's own start included in CPU time except in the first row. The first motion is: import,
describe a double pendulum of two bodies, derive, compile (or take compiled code from the cache), simulate 10 s. Best of
10 (import), 3 (empty cache) and 5 (warm cache). `import cardan` was checked not to load SymPy. Python keeps the byte
code of modules, as it does by default (environments that turn this off wait longer).""",
        [table(["", "CPU time", "wall time"], rows)],
        [
            Target("import cardan", min(one[0] for one in imports), 0.25, unit=" s", at_most=True),
            Target("first motion, nothing in the cache", min(cold)[0], 5, unit=" s", at_most=True),
            Target("first motion, warm cache", min(warm)[0], 0.6, unit=" s", at_most=True),
            Target("the same by the clock", min(one[1] for one in warm), 0.6, unit=" s", at_most=True),
        ],
    )


def _fresh(program: str, **environment: str) -> list[float]:
    """The numbers that the program prints after ``result:``, run in a process of its own."""
    written = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=written | environment,
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    for line in done.stdout.splitlines():
        if line.startswith("result:"):
            return [float(word) for word in line.split()[1:]]
    raise RuntimeError(f"a fresh process failed: {json.dumps(done.stderr[-2000:])}")


if __name__ == "__main__":
    print(run())
