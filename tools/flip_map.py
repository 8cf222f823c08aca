"""A flip map: when does each of 100 000 double pendulums first turn over? Timed, with its store and its picture.

python -m tools.flip_map output/flips --rows 400 250
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import time
from pathlib import Path

import numpy as np
from sympy import cos

import cardan as cd


def double_pendulum() -> cd.System:
    """Two rods of length 1 without mass, with a mass of 1 at the end of each; b is measured from the first rod."""
    s = cd.System("double pendulum")
    a, b = s.coordinates("a b", on="S1")
    first = s.body("first", mass=1.0, com=(0, -1, 0), joint=cd.Revolute("z", a))
    s.body("second", mass=1.0, com=(0, -1, 0), joint=cd.Revolute("z", b), parent=first, at=(0, -1, 0))
    s.gravity(-9.81 * s.world.y)
    return s


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, nargs=2, default=(400, 250))
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--rtol", type=float, default=1e-6)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    s = double_pendulum()
    a, b = s.model.q
    wide, high = (np.linspace(-np.pi, np.pi, n) for n in given.rows)
    begun = time.perf_counter()
    study = s.sweep(
        10.0, q={"a": wide, "b": high}, outputs=cd.when(cos((a + b) / 2), ends=True, name="flip"), rtol=given.rtol,
        store=given.folder / "flips.zarr", workers=given.workers, resume=False,
    )  # fmt: skip
    swept = time.perf_counter() - begun
    study.plot_map("flip", path=given.folder / "flips.png", label="first turn of the second rod (s)", colours="magma")
    whole = time.perf_counter() - begun
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    bytes_kept = sum(one.stat().st_size for one in (given.folder / "flips.zarr").rglob("*") if one.is_file())
    told = {
        "rows": len(study), "turned": int(np.isfinite(study["flip"]).sum()), "failures": len(study.failures()),
        "sweep s": round(swept, 2), "with picture s": round(whole, 2),
        "workers' CPU s": round(used.ru_utime + used.ru_stime, 2),
        "bytes": bytes_kept, "files": sum(1 for one in (given.folder / "flips.zarr").rglob("*") if one.is_file()),
        "load": os.getloadavg(),
    }  # fmt: skip
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
