"""A study made: rows drawn, run, kept; ended cleanly by Ctrl-C, and resumed where it was."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from cardan.errors import Interrupted, StoreError
from cardan.studies.executors import runner
from cardan.studies.hashing import MANIFEST, files_in
from cardan.studies.logbook import LOG
from cardan.studies.objects import Bucket, BucketWriter
from cardan.studies.owning import LOCK
from cardan.studies.pending import SECONDS, Pending
from cardan.studies.progress import Progress
from cardan.studies.rows import Block
from cardan.studies.setup import Setup
from cardan.studies.store import Layout, Writer, create_store, manifest_of


class Keeper(Protocol):
    """What keeps rows."""

    done: NDArray[np.bool_]

    def add(self, block: Block) -> None: ...
    def note(self, what: str) -> None: ...
    def close(self) -> None: ...


class Memory:
    """Rows kept in memory only."""

    def __init__(self, layout: Layout) -> None:
        self.done = np.zeros(layout.rows, dtype=bool)
        missing = {"<f8": np.nan, "<i2": 0}
        self.arrays = {name: np.full(shape, missing[kind], kind) for name, (shape, kind) in layout.shapes().items()}
        self.reasons: dict[int, str] = {}

    def add(self, block: Block) -> None:
        here = slice(block.first, block.first + len(block))
        for name, table in self.arrays.items():
            table[here] = getattr(block, name)
        self.done[here] = True
        self.reasons |= block.reasons

    def note(self, what: str) -> None:
        """Nothing is written down."""

    def close(self) -> None:
        """Nothing is held."""


def opened(setup: Setup, facts: dict[str, Any], layout: Layout, store: Path | Bucket | None, *, resume: bool) -> Keeper:
    """A store for the rows: a new one, or the one that is there where it is of the same study."""
    if store is None:
        return Memory(layout)
    if isinstance(store, Bucket):
        return _opened_bucket(setup, facts, layout, store, resume=resume)
    if not (store / MANIFEST).exists():
        create_store(store, setup, facts, layout)
        return Writer(store)
    _require_same(setup, store, str(store), resume=resume)
    return Writer(store)


def _opened_bucket(setup: Setup, facts: dict[str, Any], layout: Layout, bucket: Bucket, *, resume: bool) -> Keeper:
    if not bucket.exists():
        create_store(bucket.folder, setup, facts, layout)
        names = [*files_in(bucket.folder), MANIFEST]  # the manifest last: with it there is a study
        bucket.send([name for name in names if name not in (LOG, LOCK)])
    else:
        _require_same(setup, bucket.fetch(), bucket.address, resume=resume)
    return BucketWriter(bucket)


def _require_same(setup: Setup, folder: Path, store: str, *, resume: bool) -> None:
    """Refuse to go on with a store that is of another study, or that was not to be there."""
    if not resume:
        raise StoreError(f"{store} exists. Use resume=True to go on with it, or another name.", path=store)
    manifest = manifest_of(folder)
    if manifest["digest"] != setup.digest():
        different = [key for key, value in setup.as_plan().items() if manifest["plan"].get(key) != value]
        told = ", ".join(different) or "values"
        raise StoreError(
            f"{store} is a study of something else: {told} differ. Use another name.", path=store, different=different
        )


def drive(
    setup: Setup, keeper: Keeper, *, executor: Any = None, workers: int | None = None, shown: bool | None = None,
    task_seconds: float = SECONDS,
) -> None:  # fmt: skip
    """Run all rows that are not kept yet, in tasks of about ``task_seconds``."""
    pending = Pending(keeper.done, task_seconds)
    if not pending.left:
        return
    progress = Progress(len(setup), int(keeper.done.sum()), shown=shown)
    with _stoppable() as stop:
        blocks = runner(executor, workers).blocks(setup, pending)
        try:
            for block in blocks:
                keeper.add(block)
                progress.tell(block)
                _say(pending, keeper, progress)
                if stop.is_set():
                    raise Interrupted(
                        f"Interrupted with {int(keeper.done.sum())} of {len(setup)} rows; those are kept. "
                        "The same call, or `cardan study resume`, goes on.",
                        done=int(keeper.done.sum()),
                    )
        finally:
            _say(pending, keeper, progress)
            progress.close()
            close = getattr(blocks, "close", None)
            if close is not None:
                close()


def _say(pending: Pending, keeper: Keeper, progress: Progress) -> None:
    """Tell and write down what has happened to workers."""
    for one in pending.news():
        keeper.note(one)
        progress.say(one)


@contextmanager
def _stoppable() -> Iterator[threading.Event]:
    """The first Ctrl-C asks for an end behind the next rows that arrive, the second ends at once."""
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    before = signal.getsignal(signal.SIGINT)

    def heard(number: int, frame: Any) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()

    try:
        signal.signal(signal.SIGINT, heard)
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)
