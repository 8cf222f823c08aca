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

import sympy as sp

from cardan.errors import FileError
from cardan.formats.expressions import function_names, parse
from cardan.model.frames import Frame

WATCHED = ("exec", "compile", "os.system", "os.exec", "os.posix_spawn", "subprocess.Popen", "open", "socket.connect")
NAMES: dict[str, Any] = {name: sp.Symbol(name, real=True) for name in ("x", "m", "l", "theta")}
NAMES |= {"theta.dot": sp.Symbol("theta_dot", real=True), "t": sp.Symbol("t", real=True)}
WORLD = Frame("world", None)
NAMES |= {f"world.{axis}": getattr(WORLD, axis) for axis in "xyz"}

FUNCTIONS = sorted(function_names())
PIECES = [
    *NAMES, *FUNCTIONS, *(f"{name}(" for name in FUNCTIONS), *"+-*/(),.<>", "**", "<=", ">=", "(", ")", "1", "2", "0",
    "0.5", "1e9", "1e-9", "1e400", "99999999999999999999", "-1", "**2", "**-1", "**0.5", "__import__", "eval", "exec",
    "lambda", "import", "os", "system", ".__class__", "[", "]", "{", "}", "'id'", '"', ";", ":", "=", ":=", "@", "\\",
    "if", "else", "for", "in", "\n", "\t", " ", "\x00", "\u03b1", "#", "%", "^", "!", "nan", "oo", "I", "E", "pi",
]  # fmt: skip
CHARACTERS = "xml theta0123456789.+-*/()**,sincoe_[]{}'\"=:lambda<>\n"
VALID = [
    "m*l**2*theta.dot**2/2 - m*9.81*l*(1 - cos(theta))",
    "where(x < 1, sin(t)/(1 + x**2), max(x, m, 0.5))",
    "-x*world.z + cross(world.x, l*world.y)/2",
    "sqrt(x**2 + m**2)*exp(-t/2) + atan2(x, m) - abs(x)*sign(m) + floor(t)",
    "dot(world.x, world.y + 2*world.x) + tanh(x)*log(2) + asin(0.5) + min(x, 1)",
]


def expression(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.3:
        return "".join(rng.choice(CHARACTERS) for _ in range(rng.randint(1, 40)))
    if kind < 0.7:
        return "".join(rng.choice(PIECES) for _ in range(rng.randint(1, 25)))
    text = list(rng.choice(VALID))
    for _ in range(rng.randint(0, 4)):
        at = rng.randrange(len(text))
        text[at : at + rng.randint(0, 3)] = rng.choice(PIECES)
    return "".join(text)


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
