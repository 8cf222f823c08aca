"""Random changes to MJCF files, most of them wrong: none may raise anything but FileError or end the process.

Run as a program with the number of files, in a folder of its own; prints one line of JSON. It has a process of its own
because MuJoCo, which compiles the files, is native code.
"""

from __future__ import annotations

import json
import random
import sys
import time
from pathlib import Path

from tools.fuzz.robots import draw_mjcf, text_of

import cardan as cd
from cardan.errors import FileError


def main(number: int) -> None:
    rng = random.Random(5)
    counts = {"accepted": 0, "refused": 0}
    path, slowest, worst = Path("fuzzed.xml"), 0.0, ""
    path.write_text(text_of("robot.xml"), encoding="utf-8")
    cd.load(path)  # the seed is valid, and everything is loaded
    for _ in range(number):
        content = draw_mjcf(rng)
        path.write_bytes(content)
        begun = time.process_time()
        try:
            cd.load(path)
            counts["accepted"] += 1
        except FileError:
            counts["refused"] += 1
        taken = time.process_time() - begun
        if taken > slowest:
            slowest, worst = taken, content.decode(errors="replace")
    path.unlink()
    print(json.dumps({**counts, "slowest": slowest, "worst": worst, "written": [one.name for one in Path().iterdir()]}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
