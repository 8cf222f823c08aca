"""Every robot file of a dozen packages: does it load, and does it agree with Pinocchio, MuJoCo, Drake?

    python -m tools.robot_files                      all of it, about half an hour on two cores -> docs/robot-files.md
    python -m tools.robot_files --only drake --dry   one package, without the page
    python -m tools.robot_files --no-compare         loading only
    python -m tools.robot_files --page               the page from what is kept so far

What is done is kept in the folder, and a run that was interrupted goes on where it stood (--again begins anew).
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import signal
import time
from collections.abc import Iterator
from pathlib import Path

from tools.robot_files.page import written
from tools.robot_files.sources import RobotFile, gathered
from tools.robot_files.trying import Outcome, tried

LONGEST = 40  # seconds for one file


def main() -> None:
    given = _arguments()
    folder = Path(given.folder)
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / ("loaded.jsonl" if given.no_compare else "compared.jsonl")
    if given.again:
        kept.unlink(missing_ok=True)
    files = [one for one in gathered(folder) if not given.only or one.package in given.only]
    if given.page:
        _page(folder, files)
        return
    done = {(one["package"], one["name"]): one for one in _read(kept)}
    left = [(one, not given.no_compare) for one in files if (one.package, one.name) not in done]
    begun = time.monotonic()
    with kept.open("a", encoding="utf-8") as stream, multiprocessing.Pool(given.workers, maxtasksperchild=8) as pool:
        for count, found in enumerate(pool.imap_unordered(_one, left), 1):
            done[found["package"], found["name"]] = found
            stream.write(json.dumps(found) + "\n")
            stream.flush()
            print(f"{time.monotonic() - begun:6.0f} s {count}/{len(left)} {found['name']}: {found['how']}", flush=True)
    if not given.dry:
        written([done[one.package, one.name] for one in files])


def _page(folder: Path, files: list[RobotFile]) -> None:
    """The page from what was kept so far; files that were loaded and not yet compared say so."""
    compared, loaded = ({(one["package"], one["name"]): one for one in _read(folder / f"{name}.jsonl")}
                        for name in ("compared", "loaded"))  # fmt: skip
    outcomes = []
    for key in ((one.package, one.name) for one in files):
        found = compared.get(key)
        if (found is None or found["how"] == "crashed") and key in loaded:
            found = loaded[key]
            if found.get("nv"):
                slow = f"compiling and comparing takes more than {LONGEST} s"
                found["left"] = slow if key in compared else "not reached in the time of this run"
        if found is not None:
            outcomes.append(found)
    written(outcomes)


def _one(task: tuple[RobotFile, bool]) -> Outcome:
    """One file, given up after a while."""
    one, compare = task
    signal.signal(signal.SIGALRM, _late)
    signal.alarm(LONGEST)
    try:
        return tried(one, compare=compare)
    except TimeoutError:
        if compare:
            signal.alarm(LONGEST)
            try:
                found = tried(one, compare=False)
                found["left"] = f"compiling and comparing takes more than {LONGEST} s"
                return found
            except TimeoutError:
                pass
        return Outcome(
            package=one.package, name=one.name, kind=one.path.suffix[1:], how="crashed", why="too slow", peer=""
        )
    finally:
        signal.alarm(0)


def _late(*_: object) -> None:
    raise TimeoutError


def _read(kept: Path) -> Iterator[Outcome]:
    if kept.is_file():
        yield from (json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines())


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", default="output/robot-files")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--workers", type=int, default=2)
    for word in ("dry", "again", "no-compare", "page"):
        parser.add_argument(f"--{word}", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
