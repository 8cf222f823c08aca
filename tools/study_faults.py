"""Faults on purpose: studies whose driver or workers are killed, whose bytes flip, whose disk is full; counted.

    python -m tools.study_faults --drivers 50 --workers 50 --flips 1000 --output docs/study-faults.json

Every study that was interrupted is resumed and must have the bits of one that was not.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import cardan as cd
from cardan.errors import StoreError

SCRIPT = """
import sys, cardan as cd
from sympy import cos
s = cd.System("pendulum")
a = s.coordinates("a", on="S1")
s.lagrangian(a.dot**2/2 + 9.81*cos(a))
s.sweep(60.0, q={"a": [0.01*k for k in range(120)]}, store=sys.argv[1], executor=sys.argv[2], workers=2)
"""


def begun(path: Path, executor: str) -> subprocess.Popen[bytes]:
    """A program that makes the study."""
    return subprocess.Popen([sys.executable, "-c", SCRIPT, str(path), executor], stderr=subprocess.DEVNULL)


def numbers(path: Path) -> bytes:
    return cd.load_study(path)["final a"].tobytes()


def kept(path: Path) -> dict[int, float]:
    """Rows that the store holds."""
    if not (path / "manifest.json").exists():
        return {}
    study = cd.load_study(path)
    return {int(row): float(study["final a"][row]) for row in np.flatnonzero(study.status != "pending")}


def finish(path: Path) -> None:
    program = begun(path, "serial")
    assert program.wait() == 0


def killed_driver(folder: Path, whole: bytes, moment: float) -> dict[str, int]:
    path = folder / "driver.zarr"
    program = begun(path, "serial")
    time.sleep(moment)
    program.send_signal(signal.SIGKILL)
    program.wait()
    before = kept(path)
    damages = cd.load_study(path).verify() if before else []
    finish(path)
    after = kept(path)
    lost = sum(after[row] != value for row, value in before.items())
    return {"killed with rows": int(bool(before)), "lost rows": lost, "torn ends": len(damages),
            "differ": int(numbers(path) != whole)}  # fmt: skip


def killed_workers(folder: Path, whole: bytes, moment: float) -> dict[str, int]:
    path = folder / "workers.zarr"
    program = begun(path, "processes")
    time.sleep(moment)
    children = [int(one) for one in _children(program.pid)]
    for one in children[:1]:
        os.kill(one, signal.SIGKILL)
    code = program.wait()
    if code:
        finish(path)
    return {"killed": len(children[:1]), "driver failed": int(code != 0), "differ": int(numbers(path) != whole)}


def _children(pid: int) -> list[str]:
    """Processes that any thread of a process has started."""
    try:
        return [one for task in Path(f"/proc/{pid}/task").iterdir() for one in (task / "children").read_text().split()]
    except OSError:
        return []


def flipped(path: Path, count: int, seed: int) -> dict[str, int]:
    files = sorted(one for one in path.rglob("*") if one.is_file() and one.name != "writer.lock")
    chance, found = random.Random(seed), 0
    for _ in range(count):
        file = chance.choice(files)
        whole = file.read_bytes()
        at = chance.randrange(len(whole))
        file.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << chance.randrange(8))]) + whole[at + 1 :])
        try:
            found += bool(cd.load_study(path).verify())
        except StoreError:
            found += 1
        file.write_bytes(whole)
    return {"flips": count, "found": found}


def full_disk(folder: Path, whole: bytes) -> dict[str, Any]:
    """Studies on a file system with little room left, where one can be mounted; resumed when there is room again."""
    place = folder / "small"
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(place)], capture_output=True).returncode:
        return {"tried": 0, "why": "no tmpfs can be mounted here"}
    counts = {"tried": 0, "full": 0, "typed errors": 0, "differ after resuming": 0}
    try:
        for room in (20, 40, 56, 64, 72):  # KiB
            (place / "ballast").write_bytes(b"x" * ((400 - room) << 10))
            words = [sys.executable, "-c", SCRIPT, str(place / "s.zarr"), "serial"]
            program = subprocess.run(words, capture_output=True, text=True)
            counts["tried"] += 1
            counts["full"] += program.returncode != 0
            counts["typed errors"] += program.returncode != 0 and "StoreError" in program.stderr
            (place / "ballast").unlink()
            finish(place / "s.zarr")
            counts["differ after resuming"] += numbers(place / "s.zarr") != whole
            subprocess.run(["rm", "-rf", str(place / "s.zarr")], check=True)
        return counts
    finally:
        subprocess.run(["umount", str(place)], check=False)


def repeated(count: int, one: Callable[[float], dict[str, int]], longest: float, seed: int) -> dict[str, int]:
    chance, total = random.Random(seed), {"tries": 0}
    for _ in range(count):
        told = one(chance.uniform(0.3, longest))
        total["tries"] += 1
        for key, value in told.items():
            total[key] = total.get(key, 0) + value
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drivers", type=int, default=50)
    parser.add_argument("--workers", type=int, default=50)
    parser.add_argument("--flips", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=None)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        started = time.perf_counter()
        finish(folder / "whole.zarr")
        longest = time.perf_counter() - started
        whole = numbers(folder / "whole.zarr")

        def fresh(one: Callable[[Path, bytes, float], dict[str, int]]) -> Callable[[float], dict[str, int]]:
            def run(moment: float) -> dict[str, int]:
                with tempfile.TemporaryDirectory(dir=folder) as own:
                    return one(Path(own), whole, moment)

            return run

        kinds: dict[str, Callable[[], dict[str, Any]]] = {
            "flipped bytes": lambda: flipped(folder / "whole.zarr", given.flips, given.seed + 2),
            "full disk": lambda: full_disk(folder, whole),
            "driver killed": lambda: repeated(given.drivers, fresh(killed_driver), longest, given.seed),
            "worker killed": lambda: repeated(given.workers, fresh(killed_workers), longest, given.seed + 1),
        }
        counts: dict[str, Any] = {}
        for kind, count in kinds.items():
            counts[kind] = count()
            print(kind, counts[kind], flush=True)
    text = json.dumps(counts, indent=1)
    print(text)
    if given.output is not None:
        given.output.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
