"""Drivers and workers killed at random moments."""

from __future__ import annotations

import random
import time
from pathlib import Path

import numpy as np

from tools.study_faults.programs import LONG, Driver, children, is_alive, is_same, kept_rows, killed, resumed

Counts = dict[str, int | float]
Whole = dict[str, np.ndarray]


def drivers(folder: Path, whole: Whole, longest: float, count: int, seed: int) -> Counts:
    """kill -9 of the program that writes, at moments between its first line and its end."""
    chance = random.Random(seed)
    found: Counts = {"kills": 0, "with rows kept": 0, "acknowledged rows": 0, "lost": 0, "differ": 0, "orphans": 0}
    for k in range(count):
        path = folder / f"driver{k}.zarr"
        executor = "processes" if k % 5 == 4 else "serial"
        driver = Driver(path, executor)
        driver.ready.wait()
        time.sleep(chance.uniform(0.0, longest if executor == "serial" else 3 * longest))
        workers = children(driver.program.pid)
        driver.kill()
        there = kept_rows(path)
        found["kills"] += 1
        found["with rows kept"] += bool(there)
        found["acknowledged rows"] += len(driver.told)
        found["lost"] += len(driver.told - there)
        resumed(path)
        found["differ"] += not is_same(path, whole)
        found["orphans"] += sum(is_alive(one) for one in workers)
    return found


def workers(folder: Path, whole: Whole, longest: float, count: int, seed: int, each: int = 5) -> Counts:
    """kill -9 of worker processes while a study of two of them is made, ``each`` times in one study."""
    chance = random.Random(seed)
    found: Counts = {"kills": 0, "studies": 0, "driver gave up": 0, "said so": 0, "lost": 0, "differ": 0}
    while found["kills"] < count:
        path = folder / f"workers{found['studies']}.zarr"
        driver = Driver(path, "processes", duration=LONG)
        driver.ready.wait()
        done = 0
        while driver.program.poll() is None and done < each:
            time.sleep(chance.uniform(0.1, 2.5))
            crew = children(driver.program.pid)
            if crew:
                killed(chance.choice(crew))
                done += 1
        code = driver.wait()
        found["kills"] += done
        found["studies"] += 1
        found["driver gave up"] += code != 0
        found["said so"] += driver.errors.count("A worker process died")
        found["lost"] += len(driver.told - kept_rows(path))
        resumed(path)
        found["differ"] += not is_same(path, whole)
    return found
