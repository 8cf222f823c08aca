"""Rows on a Dask cluster: a scheduler's address, a client that is there already, or a cluster made on the spot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cardan.studies.executors import MOST_TRIES, Task, run_rows
from cardan.studies.extras import needed
from cardan.studies.pending import Pending
from cardan.studies.rows import Block
from cardan.studies.setup import Setup

LOST = ("KilledWorker", "CancelledError", "FutureCancelledError", "CommClosedError")  # a worker, or the scheduler


class Dask:
    """A cluster; tasks of a lost worker are given to others, a scheduler that comes back is asked again."""

    def __init__(self, where: Any, workers: int) -> None:
        self.where, self.workers = where, workers

    def blocks(self, setup: Setup, pending: Pending) -> Iterator[Block]:
        distributed = needed("distributed", "dask", "The executor 'dask'")
        if isinstance(self.where, distributed.Client):
            yield from self._on(self.where, setup, pending)
        elif self.where is not None:
            with distributed.Client(self.where, set_as_default=False) as client:
                yield from self._on(client, setup, pending)
        else:
            options = {"threads_per_worker": 1, "dashboard_address": None, "set_as_default": False}
            with distributed.Client(n_workers=self.workers, processes=True, **options) as client:
                yield from self._on(client, setup, pending)

    def _on(self, client: Any, setup: Setup, pending: Pending) -> Iterator[Block]:
        distributed = needed("distributed", "dask", "The executor 'dask'")
        shared = client.scatter(setup, broadcast=True, hash=False)
        flying: dict[Any, Task] = {}
        workers = max(len(client.scheduler_info(n_workers=-1)["workers"]), 1)
        tries: dict[Task, int] = {}
        arriving = distributed.as_completed(loop=client.loop)
        while True:
            while len(flying) < 3 * workers and (task := pending.take(workers)) is not None:
                future = client.submit(run_rows, shared, *task, pure=False, retries=MOST_TRIES)
                flying[future] = task
                arriving.add(future)
            if not flying:
                return
            future = next(arriving)
            task = flying.pop(future)
            try:
                block: Block = future.result()
            except Exception as problem:
                if type(problem).__name__ not in LOST:
                    raise
                tries[task] = tries.get(task, 0) + 1
                if tries[task] > MOST_TRIES:
                    raise
                shared = client.scatter(setup, broadcast=True, hash=False)
                pending.give_back(task)
                continue
            pending.tell(len(block), block.seconds)
            yield block
