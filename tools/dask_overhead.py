"""What a Dask LocalCluster costs beside the rows themselves, with tasks of a second, and how it grows with workers.

python -m tools.dask_overhead --rows 12000

Processor time is that of all programs (driver, scheduler, workers) while the rows are made, beside the same rows made
by one program alone; times by the clock stand beside it and mean something on an idle machine only.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import psutil

import cardan as cd
from tools.flip_map import double_pendulum


def cpu() -> float:
    """Processor seconds of this program and all it has started."""
    me = psutil.Process()
    found = 0.0
    for one in [me, *me.children(recursive=True)]:
        used = one.cpu_times()
        found += used.user + used.system
    return found


def measured(executor: object, rows: int, duration: float, store: Path) -> dict[str, float]:
    s = double_pendulum()
    starts = np.random.default_rng(0).uniform(-2.0, 2.0, (rows, 2))
    said = {"q": {"a": starts[:, 0], "b": starts[:, 1]}, "sampling": cd.Rows(), "outputs": cd.final()}
    s.sweep(duration, **{**said, "q": {"a": starts[:200, 0], "b": starts[:200, 1]}}, executor=executor)  # kernels ready
    used, begun = cpu(), time.perf_counter()
    s.sweep(duration, **said, executor=executor, store=store)
    return {"CPU s": round(cpu() - used, 2), "clock s": round(time.perf_counter() - begun, 2)}


def main() -> None:
    from distributed import Client, LocalCluster

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=12_000)
    parser.add_argument("--duration", type=float, default=100.0)
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        told: dict[str, object] = {"serial": measured("serial", given.rows, given.duration, Path(folder) / "s.zarr")}
        for workers in (1, 2):
            with (
                LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,
                Client(cluster) as client,
            ):
                where = Path(folder) / f"dask{workers}.zarr"
                told[f"dask, {workers} workers"] = measured(client, given.rows, given.duration, where)
        print(json.dumps({**told, "load": os.getloadavg()}, indent=1))


if __name__ == "__main__":
    main()
