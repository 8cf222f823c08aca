"""Machine code is given back when nothing refers to it, in whatever order Python frees things."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import gc
from cardan.native.engine import compile_ir

gc.disable()
held = []
for k in range(40):
    text = f"define double @f(double %x) {{\\n  %y = fmul double %x, {float(k)}\\n  ret double %y\\n}}\\n"
    library = compile_ir(text, ["f"], level=1, cache=False)
    held.append({"library": library, "held": held})  # a cycle: only the collector can free it
    if k % 4 == 3:
        held = []
        gc.collect()
print("alive")
"""


def test_libraries_in_reference_cycles_are_freed_without_harm():
    """In a process of its own: freeing memory twice ends a process, not a test."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "alive", f"ended with {done.returncode}: {done.stderr[-500:]}"
