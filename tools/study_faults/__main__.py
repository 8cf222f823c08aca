"""Studies whose driver, workers, scheduler are killed, whose bytes flip, whose disk is full; counted in docs/trust.md.

    python -m tools.study_faults                        all of it, 10 to 15 minutes on one core
    python -m tools.study_faults --only flips --flips 50 --dry

Every study that was interrupted is resumed and must have the bits of one that was not.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tools.study_faults import clusters, disks, flips, kills
from tools.study_faults.kills import Counts
from tools.study_faults.page import written
from tools.study_faults.programs import LONG, Driver, bits


def main() -> None:
    given = _arguments()
    begun, results = time.monotonic(), dict[str, Counts]()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for kind, count in _kinds(folder, given).items():
            if given.only and kind not in given.only:
                continue
            results[kind] = count()
            print(f"{time.monotonic() - begun:6.0f} s  {kind}: {results[kind]}", flush=True)
    if not given.dry:
        written(results, (time.monotonic() - begun) / 60, os.getloadavg()[2])


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for word, count in {"drivers": 50, "workers": 50, "clusters": 5, "flips": 1000, "disks": 12, "seed": 0}.items():
        parser.add_argument(f"--{word}", type=int, default=count)
    parser.add_argument("--only", nargs="*", help="kinds of faults; all without it")
    parser.add_argument("--dry", action="store_true", help="do not write docs/trust.md")
    return parser.parse_args()


def _kinds(folder: Path, given: argparse.Namespace) -> dict[str, Callable[[], Counts]]:
    whole_path, long_path = folder / "whole.zarr", folder / "long.zarr"
    driver = Driver(whole_path)
    driver.ready.wait()
    begun = time.monotonic()
    assert driver.wait() == 0, driver.errors
    longest = time.monotonic() - begun
    slow = Driver(long_path, duration=LONG)
    assert slow.wait() == 0, slow.errors
    print(f"the study takes {longest:.1f} s", flush=True)
    whole, long = bits(whole_path), bits(long_path)
    flips.unfinished(folder / "unfinished.zarr")
    stores, seed = [whole_path, folder / "unfinished.zarr"], given.seed
    return {
        "flips": lambda: flips.flips(stores, whole, given.flips, seed),
        "full": lambda: disks.full(folder, whole, given.disks, seed + 1),
        "limited": lambda: disks.limited(folder, whole, given.disks, seed + 2),
        "read-only": lambda: disks.read_only(folder, stores[1], whole),
        "two writers": lambda: disks.two_writers(folder, long, 5),
        "million": lambda: disks.million(folder),
        "drivers": lambda: kills.drivers(folder, whole, longest, given.drivers, seed + 3),
        "workers": lambda: kills.workers(folder, long, longest, given.workers, seed + 4),
        "dask worker": lambda: clusters.clusters(folder, long, "worker", given.clusters, seed + 5),
        "dask scheduler": lambda: clusters.clusters(folder, long, "scheduler", given.clusters, seed + 6),
    }


if __name__ == "__main__":
    main()
