"""A Dask scheduler and its workers as processes of their own, killed while a study is made."""

from __future__ import annotations

import random
import socket
import subprocess
import sys
import time
from pathlib import Path

from tools.study_faults.kills import Counts, Whole
from tools.study_faults.programs import LONG, Driver, is_same, kept_rows, resumed


def scheduler(port: int) -> subprocess.Popen[bytes]:
    words = ["-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
    return subprocess.Popen([sys.executable, *words], stderr=subprocess.DEVNULL)


def worker(port: int, folder: Path) -> subprocess.Popen[bytes]:
    words = ["-m", "distributed.cli.dask_worker", f"tcp://127.0.0.1:{port}", "--nthreads", "1", "--no-nanny",
             "--no-dashboard", "--local-directory", str(folder)]  # fmt: skip
    return subprocess.Popen([sys.executable, *words], stderr=subprocess.DEVNULL)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def clusters(folder: Path, whole: Whole, kind: str, count: int, seed: int) -> Counts:
    """``kind``: a worker is killed and replaced, or the scheduler is killed, and it and the workers start again."""
    chance = random.Random(seed)
    found: Counts = {"kills": 0, "driver gave up": 0, "driver said so": 0, "lost": 0, "differ": 0}
    for k in range(count):
        path, port = folder / f"{kind}{k}.zarr", free_port()
        programs = [scheduler(port), *(worker(port, folder / f"{kind}{k}{j}") for j in range(2))]
        driver = Driver(path, f"tcp://127.0.0.1:{port}", duration=LONG)
        while not driver.told and driver.program.poll() is None:
            time.sleep(0.05)
        time.sleep(chance.uniform(0.0, 2.0))
        is_running = driver.program.poll() is None
        if kind == "worker":
            programs[1].kill()
            programs.append(worker(port, folder / f"{kind}{k}3"))
        else:
            programs[0].kill()
            programs[0].wait()
            programs += [scheduler(port), *(worker(port, folder / f"{kind}{k}{j}") for j in (3, 4))]
        code = driver.wait()
        for one in programs:
            one.kill()
            one.wait()
        found["kills"] += is_running
        found["driver gave up"] += code != 0
        found["driver said so"] += is_running and ("Dask worker" if kind == "worker" else "scheduler") in driver.errors
        found["lost"] += len(driver.told - kept_rows(path))
        resumed(path)
        found["differ"] += not is_same(path, whole)
    return found
