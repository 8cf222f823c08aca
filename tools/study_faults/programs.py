"""The study that everything is done to, made by a program of its own that says what it has acknowledged."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import cardan as cd
from cardan.errors import StoreError
from cardan.studies import store
from cardan.studies.store import Reader
from cardan.studies.study import Study

ROWS = 400
SHORT, LONG = 20.0, 300.0  # seconds of the motions: a study of about a second, and one of many
ARRAYS = ("numbers", "ended", "status")

# Shards of 16 rows and tasks of a few milliseconds: a second of writing crosses every kind of moment many times.
PROGRAM = """
import os, sys
import cardan as cd
import cardan.studies.store as store
from sympy import cos

store.CHUNK_BYTES = store.SHARD_BYTES = 512
kept = store.Writer.add

def acknowledged(self, block):
    kept(self, block)
    os.write(1, b"rows %d %d\\n" % (block.first, len(block)))

store.Writer.add = acknowledged
s = cd.System("pendulum")
a = s.coordinates("a", on="S1")
s.lagrangian(a.dot**2 / 2 + 9.81 * cos(a))
path, executor, duration = sys.argv[1], sys.argv[2], float(sys.argv[3])
angles = [0.005 * k for k in range(ROWS)]
os.write(1, b"ready\\n")
s.sweep(duration, q={"a": angles}, store=path, executor=executor, workers=2, task_seconds=0.02)
os.write(1, b"end\\n")
""".replace("ROWS", str(ROWS))


@dataclass
class Driver:
    """A program that makes the study at ``path``; ``told`` are the rows that it has acknowledged so far."""

    path: Path
    executor: str = "serial"
    duration: float = SHORT
    limit: int = 0  # bytes that a file may have; 0 for any
    told: set[int] = field(default_factory=set)
    errors: str = ""

    def __post_init__(self) -> None:
        words = [sys.executable, "-c", PROGRAM, str(self.path), self.executor, str(self.duration)]
        self.program = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=self._limited if self.limit else None
        )
        self.ready, self.ended = threading.Event(), threading.Event()
        self._ears = [threading.Thread(target=one, daemon=True) for one in (self._listen, self._errors)]
        for one in self._ears:
            one.start()

    def _limited(self) -> None:
        import resource
        import signal

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # so that writing fails instead of the program
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.limit, self.limit))

    def _listen(self) -> None:
        assert self.program.stdout is not None
        for line in self.program.stdout:
            word, *numbers = line.split()
            if word == b"rows":
                first, count = map(int, numbers)
                self.told |= set(range(first, first + count))
            elif word == b"ready":
                self.ready.set()
            elif word == b"end":
                self.ended.set()
        self.ready.set()

    def _errors(self) -> None:
        assert self.program.stderr is not None
        self.errors = self.program.stderr.read().decode(errors="replace")

    def wait(self) -> int:
        """Its exit code."""
        code = self.program.wait()
        for one in self._ears:
            one.join()
        return code

    def kill(self) -> None:
        self.program.kill()
        self.wait()


def resumed(path: Path) -> Study:
    """The study at a path, finished: resumed, or made anew where nothing was kept."""
    if (path / "manifest.json").exists():
        return cd.load_study(path).resume(executor="serial", progress=False)
    return anew(path)


def anew(path: Path) -> Study:
    """The same study, made here."""
    from sympy import cos

    store.CHUNK_BYTES = store.SHARD_BYTES = 512
    s = cd.System("pendulum")
    a = s.coordinates("a", on="S1")
    s.lagrangian(a.dot**2 / 2 + 9.81 * cos(a))
    angles = [0.005 * k for k in range(ROWS)]
    return s.sweep(SHORT, q={"a": angles}, store=path, executor="serial", task_seconds=0.02, progress=False)


def bits(path: Path) -> dict[str, np.ndarray]:
    """All numbers of a store."""
    reader = Reader(path)
    return {name: reader.array(name) for name in ARRAYS}


def is_same(path: Path, whole: dict[str, np.ndarray]) -> bool:
    return all(table.tobytes() == whole[name].tobytes() for name, table in bits(path).items())


def kept_rows(path: Path) -> set[int]:
    """Rows that a store holds."""
    try:
        return set(np.flatnonzero(Reader(path).array("status")).tolist())
    except StoreError:
        return set()


def children(pid: int) -> list[int]:
    """Processes that any thread of a process has started and that live."""
    found: list[int] = []
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += [int(one) for one in (task / "children").read_text().split()]
    except OSError:
        pass
    return [one for one in found if is_alive(one)]


def is_alive(pid: int) -> bool:
    """Whether a process runs (a dead one that nobody has asked about does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def killed(pid: int) -> None:
    try:
        os.kill(pid, 9)
    except ProcessLookupError:
        pass
