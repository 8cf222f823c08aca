"""Rows on a Dask cluster: a scheduler's address, a client that is there already, or a cluster made on the spot."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator
from typing import Protocol, TypedDict

from cardan.errors import StoreError
from cardan.studies.executors import MOST_TRIES, Task, run_rows
from cardan.studies.extras import needed
from cardan.studies.pending import Pending
from cardan.studies.rows import Block
from cardan.studies.setup import Setup

LOST = ("KilledWorker", "CancelledError", "FutureCancelledError", "CommClosedError")  # a worker, or the scheduler
PATIENCE = 120.0  # seconds that a scheduler, or the first worker, may be away
LOOK = 2.0  # seconds between two looks at what is still there


class Future(Protocol):
    """What is used of ``distributed.Future``, whose own types are not complete."""

    def result(self) -> Block: ...
    def add_done_callback(self, call: Callable[[Future], None]) -> None: ...


class Known(TypedDict):
    """What is used of what a scheduler knows."""

    workers: dict[str, object]


class Client(Protocol):
    """What is used of ``distributed.Client``."""

    status: str

    def submit(self, work: Callable[[Setup, int, int], Block], *given: object, pure: bool, retries: int) -> Future: ...
    def scatter(self, what: Setup, *, broadcast: bool, hash: bool) -> Future: ...
    def scheduler_info(self, *, n_workers: int) -> Known: ...
    def wait_for_workers(self, count: int, timeout: float) -> None: ...
    def close(self, timeout: float) -> None: ...


class SchedulerLost(Exception):
    """The scheduler does not answer; all tasks were given back."""


class Dask:
    """A cluster; tasks of a lost worker are given to others, a scheduler that comes back is asked again."""

    def __init__(self, where: Client | str | None, workers: int) -> None:
        self.where, self.workers = where, workers

    def blocks(self, setup: Setup, pending: Pending) -> Iterator[Block]:
        distributed = needed("distributed", "dask", "The executor 'dask'")
        if self.where is None:
            options = {"threads_per_worker": 1, "dashboard_address": None, "set_as_default": False}
            with distributed.Client(n_workers=self.workers, processes=True, **options) as client:
                yield from Conversation(client, setup, pending).blocks()
        elif isinstance(self.where, str):
            yield from self._by_address(self.where, setup, pending)
        else:
            try:
                yield from Conversation(self.where, setup, pending).blocks()
            except SchedulerLost as problem:
                raise StoreError(
                    f"{problem} Rows that were finished are kept; resume the study with a client that is connected."
                ) from problem

    def _by_address(self, address: str, setup: Setup, pending: Pending) -> Iterator[Block]:
        while pending.left:
            client = _connected(address)
            try:
                yield from Conversation(client, setup, pending).blocks()
            except SchedulerLost:
                pass  # said by the tasks that were given back; asked again
            finally:
                client.close(timeout=2)


def _connected(address: str) -> Client:
    """A client of the scheduler there, which may still be starting."""
    distributed = needed("distributed", "dask", "The executor 'dask'")
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            client: Client = distributed.Client(address, set_as_default=False, timeout=10)
            return client
        except (OSError, TimeoutError) as problem:
            if time.monotonic() > deadline:
                raise StoreError(
                    f"No Dask scheduler answers at {address} for {PATIENCE:g} s. Rows that were finished are kept; "
                    "start it again and resume the study.",
                    address=address,
                ) from problem
            time.sleep(0.5)


class Conversation:
    """Tasks given to one scheduler until there are none left, or it is gone."""

    def __init__(self, client: Client, setup: Setup, pending: Pending) -> None:
        self.client, self.setup, self.pending = client, setup, pending
        self.flying: dict[Future, Task] = {}
        self.arrived: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self.tries: dict[Task, int] = {}
        self.crew: set[str] = set()
        self.looked = 0.0

    def blocks(self) -> Iterator[Block]:
        self._wait_for_workers()
        self._look()
        shared = self._shared()
        while True:
            while len(self.flying) < 3 * max(len(self.crew), 1) and (task := self._next()) is not None:
                future = self.client.submit(run_rows, shared, *task, pure=False, retries=MOST_TRIES)
                self.flying[future] = task
                future.add_done_callback(self.arrived.put)
            if not self.flying:
                self._look()  # whoever was lost on the way is told
                return
            block = self._result()
            if block is not None:
                self.pending.tell(len(block), block.seconds)
                yield block

    def _wait_for_workers(self) -> None:
        try:
            self.client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError as problem:
            raise StoreError(
                f"No worker has come to the Dask scheduler of {self.client!r} within {PATIENCE:g} s. Start some with "
                "`dask worker ADDRESS`, and resume the study."
            ) from problem

    def _shared(self) -> Future:
        """The setup on every worker, sent once."""
        try:
            return self.client.scatter(self.setup, broadcast=True, hash=False)
        except (OSError, TimeoutError) as problem:
            raise self._gone() from problem

    def _next(self) -> Task | None:
        return self.pending.take(max(len(self.crew), 1))

    def _result(self) -> Block | None:
        """The next block that arrives; None where a task was lost, or nothing arrived for a while."""
        try:
            future = self.arrived.get(timeout=LOOK)
        except queue.Empty:
            self._look()
            return None
        task = self.flying.pop(future)
        try:
            block: Block = future.result()
        except Exception as problem:
            self._lost(task, problem)
            return None
        if time.monotonic() - self.looked > LOOK:
            self._look()
        return block

    def _lost(self, task: Task, problem: Exception) -> None:
        kind = type(problem).__name__
        if kind not in LOST:
            raise problem
        if "scheduler" in str(problem) or self.client.status != "running":
            self.pending.give_back(task, "The Dask scheduler was lost")
            raise self._gone()
        self.tries[task] = self.tries.get(task, 0) + 1
        if self.tries[task] > MOST_TRIES:
            raise StoreError(
                f"Rows {task[0]} to {task[1] - 1}: {MOST_TRIES} Dask workers were lost over them ({kind}). What was "
                "finished is kept; look at these rows with study.run(...).",
                rows=task,
            ) from problem
        self.pending.give_back(task, f"A Dask worker was lost ({kind})")

    def _look(self) -> None:
        """Compare the workers that are there with those that were."""
        if self.client.status != "running":
            raise self._gone()
        self.looked = time.monotonic()
        try:
            there = set(self.client.scheduler_info(n_workers=-1)["workers"])
        except (OSError, TimeoutError) as problem:
            raise self._gone() from problem
        for one in sorted(self.crew - there):
            self.pending.happened.append(f"The Dask worker {one} is gone; its rows are run by others.")
        self.crew = there

    def _gone(self) -> SchedulerLost:
        """The error to raise; all tasks are given back."""
        for task in self.flying.values():
            self.pending.give_back(task, "The Dask scheduler was lost")
        self.pending.happened.append("The Dask scheduler does not answer.")
        self.flying.clear()
        return SchedulerLost(f"The Dask scheduler of {self.client!r} was lost.")
