"""Object code kept between runs in a directory that only the user can write.

Machine code from a file is executed, so a file is used only if nobody else can have put it there: the directory must
belong to the user, be no symbolic link and be closed to everyone else; the file must be a plain file of the user and
hold the content whose sha256 stands in its header. Any doubt means: compile again. Nothing is unpickled.

``CARDAN_CACHE_DIR`` names another directory, ``CARDAN_CACHE=0`` switches the cache off.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import stat
import sys
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path

LIMIT_BYTES = 512 * 1024 * 1024
MAGIC = b"cardan object code 1\n"
SUFFIX = ".cobj"
UNFINISHED = ".cobj-new"

_HEADER = len(MAGIC) + hashlib.sha256().digest_size * 2
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)  # a pipe that somebody has put there must not be waited for


@dataclass(frozen=True, slots=True)
class ObjectCache:
    """A directory of compiled object code, one file per key."""

    directory: Path
    limit_bytes: int = LIMIT_BYTES

    def path(self, key: str) -> Path:
        """The file that holds, or would hold, the object code of ``key``."""
        return self.directory / (key + SUFFIX)

    def load(self, key: str) -> bytes | None:
        """The object code saved under ``key``, or None if there is none that can be trusted."""
        try:
            content = _read_own_file(self.path(key))
        except OSError:
            return None
        if content is None or not content.startswith(MAGIC):
            return None
        key_and_digest, code = content[len(MAGIC) : _HEADER], content[_HEADER:]
        return code if key_and_digest == _seal(key, code) else None

    def save(self, key: str, code: bytes) -> None:
        """Keep ``code`` under ``key``: written aside, then renamed, so that a reader sees all of it or nothing."""
        with contextlib.suppress(OSError):  # a full or read-only disk must not stop a computation
            descriptor, name = tempfile.mkstemp(suffix=UNFINISHED, dir=self.directory)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(MAGIC + _seal(key, code) + code)
                os.replace(name, self.path(key))
            except OSError:
                os.unlink(name)
                raise
            self.evict()

    def evict(self) -> None:
        """Above the limit, delete what was longest unused (broken-off writes too) until a quarter of it is free."""
        ours = (SUFFIX, UNFINISHED)
        files = [entry for entry in os.scandir(self.directory) if entry.name.endswith(ours)]
        sizes = {entry.path: entry.stat(follow_symlinks=False) for entry in files}
        total = sum(status.st_size for status in sizes.values())
        if total <= self.limit_bytes:
            return
        for path, status in sorted(sizes.items(), key=lambda item: item[1].st_mtime):
            with contextlib.suppress(OSError):
                os.unlink(path)
                total -= status.st_size
            if total <= 0.75 * self.limit_bytes:
                return


def user_cache() -> ObjectCache | None:
    """The user's cache, or None where it is switched off or its directory cannot be trusted."""
    if os.environ.get("CARDAN_CACHE", "1").strip().lower() in ("0", "off", "no", "false"):
        return None
    return _open(default_directory())


def default_directory() -> Path:
    """``CARDAN_CACHE_DIR``, else the platform's place for caches."""
    chosen = os.environ.get("CARDAN_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
        return Path(base) / "cardan" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "cardan"
    base = os.environ.get("XDG_CACHE_HOME") or ""
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "cardan"


@functools.lru_cache(maxsize=16)
def _open(directory: Path) -> ObjectCache | None:
    """The cache in ``directory``, created if absent; None, with one warning, if others could have written there."""
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            directory.mkdir(mode=0o700)
        objection = _objection(os.lstat(directory))
    except OSError as exc:
        objection = f"it cannot be used ({exc.strerror})"
    if objection is None:
        return ObjectCache(directory)
    warnings.warn(
        f"Compiled code is not cached in {directory}: {objection}. Every run compiles anew; "
        "remove that directory or name another one in CARDAN_CACHE_DIR.",
        RuntimeWarning,
        stacklevel=4,
    )
    return None


def _objection(status: os.stat_result) -> str | None:
    """Why a directory cannot be trusted, or None if it can."""
    if stat.S_ISLNK(status.st_mode):
        return "it is a symbolic link"
    if not stat.S_ISDIR(status.st_mode):
        return "it is not a directory"
    if sys.platform != "win32":
        if status.st_uid != os.geteuid():
            return f"it belongs to user {status.st_uid}, not to {os.geteuid()}"
        if status.st_mode & 0o077:
            return f"its mode is {status.st_mode & 0o777:o}, others can enter it; 700 is needed"
    return None


def _read_own_file(path: Path) -> bytes | None:
    """All of a plain file that belongs to the user, or None."""
    descriptor = os.open(path, os.O_RDONLY | _NO_FOLLOW | _BINARY | _NO_WAIT)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return None
        if sys.platform != "win32" and (status.st_uid != os.geteuid() or status.st_mode & 0o022):
            return None
        with contextlib.suppress(OSError):
            os.utime(descriptor if os.utime in os.supports_fd else path)  # eviction counts from the last use
        return file.read()


def _seal(key: str, code: bytes) -> bytes:
    """What the header must hold: digests of the key and of the code."""
    return hashlib.sha256(key.encode()).digest() + hashlib.sha256(code).digest()
