"""One writer at a time: a lock of the operating system, which ends with the program that holds it, however it ends."""

from __future__ import annotations

import getpass
import json
import os
import socket
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from cardan.errors import StoreError

LOCK = "writer.lock"


class Ownership:
    """The right to write to a folder, held until ``release``."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / LOCK
        try:
            self._stream: BinaryIO = self.path.open("a+b")
        except OSError as problem:
            why = problem.strerror or str(problem)
            raise StoreError(f"{folder} cannot be written to: {why}.", path=str(folder)) from None
        try:
            _lock(self._stream)
        except OSError:
            self._stream.close()
            raise StoreError(
                f"{folder} is being written to by {owner_of(folder)}. Wait for it, or stop it; reading is possible.",
                path=str(folder),
                owner=owner_of(folder),
            ) from None
        self._stream.truncate(0)
        self._stream.seek(0)
        self._stream.write(json.dumps(myself()).encode())
        self._stream.flush()

    def release(self) -> None:
        """Let others write."""
        if not self._stream.closed:
            self._stream.truncate(0)
            self._stream.close()


def myself() -> dict[str, object]:
    """Who is writing."""
    return {
        "user": _user(),
        "host": socket.gethostname(),
        "process": os.getpid(),
        "since": time.strftime("%Y-%m-%d %H:%M:%S"),
    }


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "an unknown user"


def owner_of(folder: Path) -> str:
    """Who holds the lock, in words."""
    try:
        return told(json.loads((folder / LOCK).read_bytes()))
    except (OSError, ValueError):
        return "another program"


def told(owner: Mapping[str, object]) -> str:
    """Who somebody is, in words."""
    try:
        return f"process {owner['process']} of {owner['user']} on {owner['host']} since {owner['since']}"
    except KeyError:
        return "another program"


def _lock(stream: BinaryIO) -> None:
    """Lock the file or raise OSError; never waits."""
    if sys.platform == "win32":
        import msvcrt

        stream.seek(1 << 20)  # beyond what is written, so that others can read who it is
        msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        stream.seek(0)
    else:
        import fcntl

        fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
