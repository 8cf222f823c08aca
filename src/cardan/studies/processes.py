"""Worker processes: started as programs of their own, so that no script is imported twice, and replaced when they die.

Driver and worker talk in frames over pipes: a length, and a pickle of the program's own making. A worker that is killed
loses the rows it was at; they are given to another.
"""

from __future__ import annotations

import os
import pickle
import queue
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import IO

from cardan.errors import StoreError
from cardan.studies.pending import Pending
from cardan.studies.rows import Bench, Block
from cardan.studies.setup import Setup

LENGTH = struct.Struct("<Q")
MOST_DEATHS = 4  # of workers on one task
START = "import sys; sys.path[:0] = {path!r}; from cardan.studies.processes import serve; serve()"


def cores() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Processes:
    """Workers of this machine, one to a core."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def blocks(self, setup: Setup, pending: Pending) -> Iterator[Block]:
        crew = _Crew(setup, pending, self.workers)
        try:
            yield from crew.results()
        finally:
            crew.stop()


class _Crew:
    """Threads that each look after one worker process."""

    def __init__(self, setup: Setup, pending: Pending, workers: int) -> None:
        self.message = pickle.dumps(setup, protocol=5)
        self.pending, self.workers = pending, workers
        self.lock = threading.Lock()
        self.finished: queue.Queue[Block | BaseException | None] = queue.Queue(maxsize=4 * workers)
        self.stopping = threading.Event()
        self.deaths: dict[int, int] = {}
        self.programs: dict[int, subprocess.Popen[bytes]] = {}
        self.threads = [threading.Thread(target=self._look_after, args=(k,), daemon=True) for k in range(workers)]

    def results(self) -> Iterator[Block]:
        for thread in self.threads:
            thread.start()
        ended = 0
        while ended < self.workers:
            found = self.finished.get()
            if found is None:
                ended += 1
            elif isinstance(found, BaseException):
                raise found
            else:
                yield found

    def stop(self) -> None:
        """End all workers."""
        self.stopping.set()
        for program in list(self.programs.values()):
            program.kill()
        for thread in self.threads:
            while thread.is_alive():
                try:
                    self.finished.get_nowait()
                except queue.Empty:
                    thread.join(0.01)

    def _look_after(self, k: int) -> None:
        try:
            while not self.stopping.is_set():
                with self.lock:
                    task = self.pending.take(self.workers)
                if task is None:
                    break
                self._work(k, task)
        except BaseException as problem:
            self.finished.put(problem)
        finally:
            program = self.programs.get(k)
            if program is not None:
                _end(program)
            self.finished.put(None)

    def _work(self, k: int, task: tuple[int, int]) -> None:
        """Have one task done; where the worker dies, the task is given back and the next one gets a new worker."""
        program = self.programs.get(k)
        if program is None or program.poll() is not None:
            program = self.programs[k] = self._started()
        assert program.stdin is not None
        assert program.stdout is not None
        try:
            _send(program.stdin, pickle.dumps(task))
            answer = pickle.loads(_receive(program.stdout))
        except (OSError, EOFError):
            if not self.stopping.is_set():
                self._lost(task, _end(program))
            return
        if isinstance(answer, BaseException):
            raise answer
        with self.lock:
            self.pending.tell(len(answer), answer.seconds)
        self.finished.put(answer)

    def _lost(self, task: tuple[int, int], code: int | None) -> None:
        with self.lock:
            self.deaths[task[0]] = self.deaths.get(task[0], 0) + 1
            if self.deaths[task[0]] >= MOST_DEATHS:
                raise StoreError(
                    f"Rows {task[0]} to {task[1] - 1}: {MOST_DEATHS} worker processes died over them (exit code "
                    f"{code}). What was finished is kept; look at these rows with study.run(...).",
                    rows=task,
                )
            self.pending.give_back(task, f"A worker process died (exit code {code})")

    def _started(self) -> subprocess.Popen[bytes]:
        path = [one for one in sys.path if one]
        program = subprocess.Popen(
            [sys.executable, "-c", START.format(path=path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert program.stdin is not None
        try:
            _send(program.stdin, self.message)
        except OSError:
            pass  # it died at once: found out when it is given a task
        return program


def _end(program: subprocess.Popen[bytes]) -> int | None:
    """Close a worker's pipes; returns its exit code."""
    for stream in (program.stdin, program.stdout):
        if stream is not None:
            try:
                stream.close()
            except OSError:
                pass
    try:
        return program.wait(timeout=2)
    except subprocess.TimeoutExpired:
        program.kill()
        return program.wait()


def _send(stream: IO[bytes], message: bytes) -> None:
    stream.write(LENGTH.pack(len(message)) + message)
    stream.flush()


def _receive(stream: IO[bytes]) -> bytes:
    head = _exactly(stream, LENGTH.size)
    return _exactly(stream, LENGTH.unpack(head)[0])


def _exactly(stream: IO[bytes], count: int) -> bytes:
    parts: list[bytes] = []
    while count:
        part = stream.read(count)
        if not part:
            raise EOFError("the other side is gone")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def serve() -> None:
    """What a worker does: takes a setup, then tasks, until its driver is gone."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the driver says when to stop
    incoming, outgoing = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what anyone prints must not mix with the answers
    try:
        setup = pickle.loads(_receive(incoming))
        while True:
            first, last = pickle.loads(_receive(incoming))
            _send(outgoing, pickle.dumps(_answer(setup, first, last), protocol=5))
    except (EOFError, BrokenPipeError):
        return


_made: dict[int, Bench] = {}


def _answer(setup: Setup, first: int, last: int) -> Block | Exception:
    try:
        if id(setup) not in _made:
            _made[id(setup)] = Bench(setup)
        return _made[id(setup)].block(first, last)
    except Exception as problem:
        return problem
