"""Loads each file named on the command line and prints, as JSON: the error, the CPU time and the memory it took."""

from __future__ import annotations

import json
import sys
import time
import tracemalloc

import mujoco

import cardan as cd
from cardan.errors import FileError
from cardan.formats.write import starters


def main(paths: list[str]) -> None:
    assert mujoco.__version__
    assert starters()  # everything is imported and SymPy is warm before the first file
    found = {}
    for path in [paths[0], *paths]:
        begun = time.process_time()
        try:
            cd.load(path)
            outcome = {"error": None}
        except FileError as error:
            place = {key: error.evidence.get(key) for key in ("file", "line", "field")}
            outcome = {"error": str(error), **place}
        except Exception as error:
            outcome = {"error": f"LEAKED {type(error).__name__}: {error}", "file": path, "line": 0, "field": ""}
        taken = time.process_time() - begun
        tracemalloc.start()
        try:
            cd.load(path)
        except Exception:
            outcome["bytes"] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        found[path] = {**outcome, "seconds": taken}
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1:])
