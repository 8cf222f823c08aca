"""One bit of one byte turned, in any file of a store, finished or not; it must be found, and nothing wrong be read."""

from __future__ import annotations

import random
import shutil
import time
from pathlib import Path

import numpy as np

import cardan as cd
from cardan.errors import StoreError
from cardan.studies.store import Reader
from tools.study_faults.kills import Counts, Whole
from tools.study_faults.programs import ROWS, Driver


def unfinished(path: Path) -> None:
    """A store in the middle of its making, with shards and journals."""
    while True:
        driver = Driver(path)
        while len(driver.told) < ROWS // 3 and driver.program.poll() is None:
            time.sleep(0.001)
        driver.kill()
        if list((path / "journal").glob("*.bin")):
            return
        shutil.rmtree(path)


def flips(stores: list[Path], whole: Whole, count: int, seed: int) -> Counts:
    chance = random.Random(seed)
    found: Counts = {
        "flips": 0,
        "found": 0,
        "of them in files named as unfinished": 0,
        "readable beside it": 0,
        "wrong numbers read": 0,
    }
    begun = {store / one.split()[0] for store in stores for one in cd.load_study(store).verify() if "not finish" in one}
    files = {store: sorted(x for x in store.rglob("*") if x.is_file() and x.name != "writer.lock") for store in stores}
    for k in range(count):
        store = stores[k % len(stores)]
        file = chance.choice(files[store])
        content = file.read_bytes()
        at = chance.randrange(len(content))
        file.write_bytes(content[:at] + bytes([content[at] ^ (1 << chance.randrange(8))]) + content[at + 1 :])
        found["flips"] += 1
        is_found = _is_found(store)
        found["found"] += is_found
        found["of them in files named as unfinished"] += file in begun
        if not is_found:
            print(f"not found: byte {at} of {file.relative_to(store)}", flush=True)
        readable, wrong = _read(store, whole)
        found["readable beside it"] += readable
        found["wrong numbers read"] += wrong
        file.write_bytes(content)
    return found


def _is_found(store: Path) -> bool:
    try:
        return bool(cd.load_study(store).verify())
    except StoreError:
        return True


def _read(store: Path, whole: Whole) -> tuple[bool, int]:
    """(whether the rest can be read, how many numbers of it are wrong)."""
    try:
        reader = Reader(store)
        status, broken = reader.intact("status")
        table, others = reader.intact("numbers")
    except StoreError:
        return False, 0
    there = status != 0
    for shard in (*broken, *others):
        a, b = reader.layout.span(shard)
        there[a:b] = False
    wrong = int(np.any(table[there] != whole["numbers"][there], axis=1).sum())
    return bool(there.any()), wrong
