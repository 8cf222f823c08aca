"""Where rows are run: here, on threads, in processes, on a Dask cluster, or in an executor of somebody else.

All of them are one interface: tasks are drawn from ``pending`` while there is room for them, and what is finished comes
back as blocks. Rows do not depend on each other, so that where they run changes no bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ThreadPoolExecutor, wait
from typing import Any, Protocol

from cardan.errors import ModelError, StoreError
from cardan.studies.pending import Pending
from cardan.studies.rows import Bench, Block
from cardan.studies.setup import Setup

Task = tuple[int, int]
MOST_TRIES = 4  # of one task whose worker dies


class Runner(Protocol):
    """A place where rows are run."""

    def blocks(self, setup: Setup, pending: Pending) -> Iterator[Block]:
        """What comes of the rows, in the order in which they are finished."""
        ...


class Serial:
    """Here, one row after the other."""

    def blocks(self, setup: Setup, pending: Pending) -> Iterator[Block]:
        bench = Bench(setup)
        while (task := pending.take(1)) is not None:
            yield _told(pending, bench.block(*task))


class Futures:
    """An executor of ``concurrent.futures`` or alike; ``submit`` gives it the rows of a task."""

    def __init__(self, executor: Executor, workers: int, submit: Callable[[Setup, Task], Future[Block]]) -> None:
        self.executor, self.workers, self.submit = executor, workers, submit

    def blocks(self, setup: Setup, pending: Pending) -> Iterator[Block]:
        flying: dict[Future[Block], Task] = {}
        tries: dict[Task, int] = {}
        try:
            while True:
                while len(flying) < 2 * self.workers and (task := pending.take(self.workers)) is not None:
                    flying[self.submit(setup, task)] = task
                if not flying:
                    return
                for future in wait(flying, return_when=FIRST_COMPLETED).done:
                    task = flying.pop(future)
                    block = _result(future, task, tries, pending)
                    if block is not None:
                        yield _told(pending, block)
        finally:
            for future in flying:
                future.cancel()


def _result(future: Future[Block], task: Task, tries: dict[Task, int], pending: Pending) -> Block | None:
    """The block of a task; None where its worker was lost, and it is to be tried again."""
    try:
        return future.result()
    except (CancelledError, ConnectionError, EOFError) as problem:
        reason: BaseException = problem
    except Exception as problem:
        if type(problem).__name__ not in ("KilledWorker", "BrokenProcessPool", "FutureCancelledError"):
            raise
        reason = problem
    tries[task] = tries.get(task, 0) + 1
    if tries[task] >= MOST_TRIES:
        raise StoreError(
            f"Rows {task[0]} to {task[1] - 1} were given to {MOST_TRIES} workers, and none gave an answer: {reason!r}. "
            "What was finished is kept; resume the study.",
            rows=task,
        ) from reason
    pending.give_back(task, f"A worker was lost ({type(reason).__name__})")
    return None


def _told(pending: Pending, block: Block) -> Block:
    pending.tell(len(block), block.seconds)
    return block


# --- the kinds -------------------------------------------------------------------------------------

_benches: dict[str, Bench] = {}  # of this process, by the digest of their setup


def run_rows(setup: Setup, first: int, last: int) -> Block:
    """The rows of a task; the system is made once in each process."""
    key = setup.digest()
    if key not in _benches:
        _benches.clear()
        _benches[key] = Bench(setup)
    return _benches[key].block(first, last)


class Threads:
    """Several threads of this process; machine code runs side by side, Python does not."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def blocks(self, setup: Setup, pending: Pending) -> Iterator[Block]:
        bench = Bench(setup)
        with ThreadPoolExecutor(self.workers) as executor:
            yield from Futures(executor, self.workers, lambda _, task: executor.submit(bench.block, *task)).blocks(
                setup, pending
            )


def runner(executor: Any, workers: int | None = None) -> Runner:
    """The runner that is meant by a name, an address of a Dask scheduler, a Dask client, or an executor."""
    from cardan.studies.processes import Processes, cores

    count = workers or cores()
    if executor in (None, "processes"):
        return Processes(count)
    if executor == "serial":
        return Serial()
    if executor == "threads":
        return Threads(count)
    if isinstance(executor, str) and (executor == "dask" or "://" in executor):
        from cardan.studies.on_dask import Dask

        return Dask(None if executor == "dask" else executor, count)
    if type(executor).__module__.split(".")[0] == "distributed":
        from cardan.studies.on_dask import Dask

        return Dask(executor, count)
    if isinstance(executor, Executor) or hasattr(executor, "submit"):
        return Futures(executor, count, lambda setup, task: executor.submit(run_rows, setup, *task))
    raise ModelError(
        f"{executor!r} is no executor. Use 'serial', 'threads', 'processes', 'dask', the address of a Dask scheduler, "
        "a distributed.Client, or a concurrent.futures.Executor.",
        executor=executor,
    )
