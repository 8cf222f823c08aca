"""Rows on a Dask cluster: a real scheduler and real workers, one of which is killed."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path
from threading import Timer

import numpy as np
import pytest
from sympy import cos

import cardan as cd

pytestmark = pytest.mark.long


def scheduler(folder: Path) -> tuple[subprocess.Popen[bytes], str]:
    """A scheduler of its own, and where it is."""
    words = ["-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    told = folder / "scheduler.txt"
    with told.open("wb") as stream:
        program = subprocess.Popen([sys.executable, *words], stderr=stream)
    for _ in range(600):
        found = re.search(r"tcp://127\.0\.0\.1:\d+", told.read_text())
        if found:
            return program, found[0]
        time.sleep(0.1)
    program.kill()
    raise AssertionError(f"the scheduler did not say where it is: {told.read_text()}")


def worker(address: str, folder: Path) -> subprocess.Popen[bytes]:
    words = ["-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
    return subprocess.Popen([sys.executable, *words, "--local-directory", str(folder)], stderr=subprocess.DEVNULL)


def test_rows_arrive_though_a_worker_is_killed(tmp_path: Path) -> None:
    s = cd.System("pendulum")
    a = s.coordinates("a", on="S1")
    s.lagrangian(a.dot**2 / 2 + 9.81 * cos(a))
    angles = np.linspace(0, 2, 200)
    whole = s.sweep(100.0, q={"a": angles}, executor="serial")
    head, address = scheduler(tmp_path)
    hands = [worker(address, tmp_path / f"w{k}") for k in range(2)]
    try:
        Timer(6.0, hands[0].kill).start()
        study = s.sweep(100.0, q={"a": angles}, executor=address, store=tmp_path / "s.zarr")
        assert study["final a"].tobytes() == whole["final a"].tobytes()
        assert study.verify() == []
    finally:
        for program in (*hands, head):
            program.kill()
            program.wait()
