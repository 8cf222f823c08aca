"""Disks that are full, files that may not grow, stores that may only be read, two who write, a million rows."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cardan as cd
from cardan.errors import StoreError
from tools.study_faults.kills import Counts, Whole
from tools.study_faults.programs import LONG, Driver, is_same, kept_rows, resumed

SIZE = 600  # KiB


@contextmanager
def small_disk(folder: Path) -> Iterator[Path | None]:
    """A file system of its own with little room; None where none can be mounted."""
    place = folder / "small"
    place.mkdir(exist_ok=True)
    words = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}k", "tmpfs", str(place)]
    if subprocess.run(words, capture_output=True).returncode:
        yield None
        return
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=False)


def full(folder: Path, whole: Whole, count: int, seed: int) -> Counts:
    """Rooms of random size on a small disk; resumed when there is room again."""
    chance = random.Random(seed)
    found: Counts = {"tries": 0, "full": 0, "typed errors": 0, "lost": 0, "differ": 0}
    with small_disk(folder) as place:
        for _ in range(count if place else 0):
            assert place is not None
            ballast, path = place / "ballast", place / "s.zarr"
            ballast.write_bytes(b"x" * ((SIZE - chance.randrange(8, 480)) << 10))
            _ended_early(Driver(path), found, "full")
            ballast.unlink()
            resumed(path)
            found["differ"] += not is_same(path, whole)
            shutil.rmtree(path)
    return found


def limited(folder: Path, whole: Whole, count: int, seed: int) -> Counts:
    """Files that may not grow beyond a random size, as a quota would have it."""
    chance = random.Random(seed)
    found: Counts = {"tries": 0, "stopped": 0, "typed errors": 0, "lost": 0, "differ": 0}
    for k in range(count):
        path = folder / f"limited{k}.zarr"
        _ended_early(Driver(path, limit=chance.randrange(200, 9000)), found, "stopped")
        resumed(path)
        found["differ"] += not is_same(path, whole)
    return found


def _ended_early(driver: Driver, found: Counts, word: str) -> None:
    code = driver.wait()
    found["tries"] += 1
    found[word] += code != 0
    found["typed errors"] += code != 0 and "StoreError" in driver.errors.strip().splitlines()[-1]
    found["lost"] += len(driver.told - kept_rows(driver.path))


def read_only(folder: Path, unfinished: Path, whole: Whole) -> Counts:
    """A store on a file system that may only be read."""
    found: Counts = {"tries": 0, "read": 0, "refused by name": 0}
    with small_disk(folder) as place:
        if place is None:
            return found
        path = place / "s.zarr"
        shutil.copytree(unfinished, path)
        subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
        found["tries"] += 1
        rows = sorted(kept_rows(path))
        study = cd.load_study(path)
        found["read"] += bool(rows) and bool((study["final a"][rows] == whole["numbers"][rows, 0]).all())
        try:
            study.resume(executor="serial")
        except StoreError as problem:
            found["refused by name"] += "Read-only" in str(problem) and str(path) in str(problem)
    return found


def two_writers(folder: Path, whole: Whole, count: int) -> Counts:
    """A second program that wants to write while the first does."""
    found: Counts = {"tries": 0, "refused by the name of the first": 0, "differ": 0}
    for k in range(count):
        path = folder / f"two{k}.zarr"
        first = Driver(path, duration=LONG)
        while not first.told and first.program.poll() is None:
            first.ended.wait(0.01)
        try:
            cd.load_study(path).resume(executor="serial", progress=False)
        except StoreError as problem:
            found["refused by the name of the first"] += f"process {first.program.pid} " in str(problem)
        found["tries"] += 1
        first.wait()
        found["differ"] += not is_same(path, whole)
    return found


MILLION = """
import json, resource, sys, time
from pathlib import Path
import numpy as np, cardan as cd
from cardan.api.sweeping import setup_of
from cardan.studies.rows import Block
from cardan.studies.store import Layout, Reader, Writer, create_store
from cardan.studies.study import facts_of
s = cd.System("free")
x = s.coordinates("x")
s.particle("P", mass=1, position=x * s.world.x)
n, path = 10**6, Path(sys.argv[1])
setup = setup_of(s, {"duration": 1.0}, {"q": {"x": np.arange(n) * 1e-6}}, None, None, 2)
begun = time.perf_counter()
create_store(path, setup, facts_of(s), Layout.of(n, 2, 0, 2))
writer = Writer(path)
for a in range(0, n, 20_000):
    numbers = np.random.default_rng(a).random((20_000, 2))
    ones = np.ones(20_000)
    writer.add(Block(a, numbers, np.zeros((20_000, 0, 2)), ones.astype(np.int16), ones, {}, 0.0))
writer.close()
written = time.perf_counter() - begun
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
begun = time.perf_counter()
study = cd.load_study(path)
total = study["final x"].sum()
print(json.dumps({"rows": n, "seconds to write": round(written, 1), "MB of memory": round(memory),
                  "files": sum(one.is_file() for one in path.rglob("*")),
                  "seconds to open and read a column": round(time.perf_counter() - begun, 2)}))
"""


def million(folder: Path) -> Counts:
    """A million rows of two numbers."""
    words = [sys.executable, "-c", MILLION, str(folder / "million.zarr")]
    found: Counts = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    return found
