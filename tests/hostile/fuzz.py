"""Random expressions, most of them wrong: none may run anything or raise anything but FileError.

Run as a program with the number of expressions; prints one line of JSON. It has a process of its own because an audit
hook, which hears of everything that Python compiles, executes or opens, cannot be taken away again.
"""

from __future__ import annotations

import json
import random
import sys
import time
from typing import Any

from tools.fuzz.expressions import NAMES, VALID, expression

from cardan.errors import FileError
from cardan.formats.expressions import parse

WATCHED = ("exec", "compile", "os.system", "os.exec", "os.posix_spawn", "subprocess.Popen", "open", "socket.connect")


def tried(text: str, counts: dict[str, int]) -> None:
    try:
        parse(text, NAMES)
        counts["accepted"] += 1
    except FileError:
        counts["refused"] += 1


def main(number: int) -> None:
    heard: list[str] = []
    is_listening = False

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if is_listening and event in WATCHED:
            place = getattr(arguments[0], "co_filename", None) or str(
                arguments[1] if event == "compile" else arguments[0]
            )
            if "sympy" not in place and "mpmath" not in place:  # modules that SymPy loads when it first needs them
                heard.append(f"{event}: {place[:200]}")

    counts = {"accepted": 0, "refused": 0}
    rng = random.Random(6)
    for text in VALID:
        parse(text, NAMES)
    sys.addaudithook(hook)
    is_listening = True
    eval("1 + 1")  # the hook must hear this, or its silence proves nothing
    control, heard[:] = list(heard), []
    slowest, worst = 0.0, ""
    for _ in range(number):
        text = expression(rng)
        begun = time.process_time()
        tried(text, counts)
        taken = time.process_time() - begun
        if taken > slowest:
            slowest, worst = taken, text
    is_listening = False
    print(json.dumps({**counts, "control": control, "heard": heard[:20], "slowest": slowest, "worst": worst}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
