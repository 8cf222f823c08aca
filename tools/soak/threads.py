"""Threads that ask one system, not yet compiled, for everything at once: processes are counted, not trusted.

    python -m tools.soak.threads 200      so many processes of eight threads, each with an empty cache

A process of one thread says what is right. Each of the others must end by itself, with as many answers as threads and
the same bits in all of them: states, energies, audit and diagnosis.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import cardan as cd

THREADS = 8
PATIENCE = 300.0  # seconds of one process


def disc() -> tuple[cd.System, dict[str, Any]]:
    s = cd.System("disc")
    x, y, z, *angles = s.coordinates("x y z a b c")
    body = s.body("B", mass=1.0, inertia=(0.25, 0.3, 0.5), joint=cd.Free(x, y, z, cd.Euler("3-1-3", *angles)))
    s.roll(body, on=s.world, shape=cd.Disc(1.0))
    s.gravity(-9.81 * s.world.z)
    return s, {"q": {"b": 1.0}, "v": {"a": 1.4, "c": 6}}


def bouncing() -> tuple[cd.System, dict[str, Any]]:
    s = cd.System("bouncing")
    x, z = s.coordinates("x z")
    P = s.particle("P", mass=1.0, position=x * s.world.x + z * s.world.z)
    s.contact(P, on=s.world, restitution=0.5, friction=0.2)
    s.gravity(-9.81 * s.world.z)
    return s, {"q": {"z": 1.0}, "v": {"x": 1.0}}


def driven() -> tuple[cd.System, dict[str, Any]]:
    """A chain pushed by an expression, which is compiled for the run."""
    s = cd.System("driven")
    a, b = s.coordinates("a b", on="S1")
    one = s.body("one", mass=1.0, inertia=0.1, com=(0.5, 0, 0), joint=cd.Revolute("z", a))
    two = s.body("two", mass=1.0, inertia=0.1, com=(0.5, 0, 0), at=(1, 0, 0), joint=cd.Revolute("z", b), parent=one)
    s.moment("M", on=two, along=s.world.z)
    s.gravity(-9.81 * s.world.y)
    return s, {"q": [0.3, 0.4], "loads": {"M": 0.5 * s.time - a}}


SYSTEMS: dict[str, Callable[[], tuple[cd.System, dict[str, Any]]]] = {
    "disc": disc,
    "bouncing": bouncing,
    "driven": driven,
}


def answers(name: str, count: int) -> list[str]:
    """What so many threads get from one system: hashes, or the problems they met."""
    s, start = SYSTEMS[name]()
    found: list[str] = []
    together = threading.Barrier(count)

    def work() -> None:
        together.wait()
        try:
            run = s.simulate(0.4, **start)
            bits = run.q.tobytes() + run.v.tobytes() + run.energy.tobytes()
            said = f"{run.audit(budget=1e9)}{[one.kind for one in run.findings]}"
            found.append(f"{hashlib.sha256(bits).hexdigest()} {said!r}")
        except BaseException as problem:
            found.append(repr(problem))

    threads = [threading.Thread(target=work) for _ in range(count)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return found


def process(name: str, count: int) -> tuple[int, list[str]]:
    """(exit code, what its threads got) of a process of its own, with an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        env = {**os.environ, "CARDAN_CACHE_DIR": cache}
        command = [sys.executable, "-m", "tools.soak.threads", "--inside", name, str(count)]
        try:
            made = subprocess.run(command, env=env, capture_output=True, text=True, timeout=PATIENCE, check=False)
        except subprocess.TimeoutExpired:
            return 124, []
    return made.returncode, made.stdout.split("\n")[:-1]


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--inside"]:
        print("\n".join(answers(arguments[1], int(arguments[2]))))
        return 0
    count, begun = int(arguments[0]) if arguments else 200, time.monotonic()
    right = {name: process(name, 1)[1] for name in SYSTEMS}
    tally: Counter[str] = Counter()
    for k in range(count):
        name = list(SYSTEMS)[k % len(SYSTEMS)]
        code, got = process(name, THREADS)
        verdict = "crashed" if code else "same bits" if got == THREADS * right[name] else "differs"
        tally[verdict] += 1
        if verdict != "same bits":
            told = "\n  ".join(["", *sorted(set(got) - set(right[name])), "instead of", *right[name]])
            print(f"process {k}, {name}: {verdict}, exit code {code}{told}", flush=True)
        if k % 10 == 9:
            print(f"{k + 1} processes: {dict(tally)}, {time.monotonic() - begun:.0f} s", flush=True)
    print(f"{count} processes of {THREADS} threads: {dict(tally)}")
    return 0 if set(tally) <= {"same bits"} else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
