"""Stores in object stores (S3 and alike, through fsspec), where objects are written whole and nothing is appended to.

    s3://bucket/study.zarr/
      manifest.json, model.yaml, arrays, log.jsonl    as in a folder (``store.py``)
      rows/000003/000000001200.bin                    rows of a shard that is not complete, a record with its CRC each
      writer.lock                                     who writes, and until when

Rows count when their object is there. A copy of the store in a folder of this machine does the rest: it is fetched when
the store is opened, and each shard that it completes is sent, then the log, and only then do the objects of rows go.
"""

from __future__ import annotations

import json
import secrets
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp
from typing import Protocol, TypeVar
from weakref import finalize

from cardan.errors import StoreError
from cardan.studies import journal
from cardan.studies.extras import needed
from cardan.studies.hashing import MANIFEST, files_in
from cardan.studies.logbook import LOG
from cardan.studies.owning import LOCK, myself, told
from cardan.studies.rows import Block
from cardan.studies.store import JOURNALS, Writer

ROWS = "rows"
Kind = TypeVar("Kind")
LEASE = 120.0  # seconds that a writer is believed to be there after its last word


class Files(Protocol):
    """What is used of a file system of fsspec."""

    def find(self, path: str) -> list[str]: ...
    def cat_file(self, path: str) -> bytes: ...
    def pipe_file(self, path: str, value: bytes, mode: str = ...) -> None: ...
    def exists(self, path: str) -> bool: ...
    def rm_file(self, path: str) -> None: ...
    def invalidate_cache(self) -> None: ...


class Bucket:
    """A store at an address, and its copy in a folder of this machine."""

    def __init__(self, address: str) -> None:
        fsspec = needed("fsspec", "cloud", f"A store at {address}")
        self.address = address.rstrip("/")
        options = {"auto_mkdir": True} if address.startswith(("file://", "local://")) else {}
        try:
            files, self.root = fsspec.core.url_to_fs(self.address, **options)
        except (ImportError, ValueError) as problem:
            raise StoreError(f"{address}: {problem}", path=address) from problem
        self.files: Files = files
        room = mkdtemp(prefix="cardan-study-")
        finalize(self, shutil.rmtree, room, ignore_errors=True)
        self.folder = Path(room) / "copy"

    def exists(self) -> bool:
        return self._try(lambda: self.files.exists(self._at(MANIFEST)))

    def fetch(self) -> Path:
        """Bring the store here; returns the folder of the copy."""
        self.files.invalidate_cache()
        if not self.exists():
            raise StoreError(f"{self.address} holds no study: it has no {MANIFEST}.", path=self.address)
        shutil.rmtree(self.folder, ignore_errors=True)
        for name in self.names():
            if name == LOCK:
                continue
            content = self.get(name)
            if name.startswith(f"{ROWS}/"):
                shard = name.split("/")[1]
                with _made(self.folder / JOURNALS / f"{shard}.bin").open("ab") as stream:
                    stream.write(content)
            else:
                _made(self.folder / name).write_bytes(content)
        (self.folder / JOURNALS).mkdir(exist_ok=True)
        return self.folder

    def names(self) -> list[str]:
        """All objects of the store, by their names in it."""
        start = self.root.strip("/") + "/"
        found = (one.lstrip("/") for one in self._try(lambda: self.files.find(self.root)))
        return sorted(one[len(start) :] for one in found if one.startswith(start))

    def get(self, name: str) -> bytes:
        return self._try(lambda: self.files.cat_file(self._at(name)))

    def put(self, name: str, content: bytes) -> None:
        """Write an object; it is there when this returns."""
        self._try(lambda: self.files.pipe_file(self._at(name), content))

    def remove(self, name: str) -> None:
        self._try(lambda: self.files.rm_file(self._at(name)))

    def send(self, names: list[str]) -> None:
        """Write files of the copy."""
        for name in names:
            self.put(name, (self.folder / name).read_bytes())

    def _at(self, name: str) -> str:
        return f"{self.root.rstrip('/')}/{name}"

    def _try(self, act: Callable[[], Kind]) -> Kind:
        try:
            return act()
        except (OSError, RuntimeError) as problem:
            raise StoreError(
                f"{self.address} does not answer as it should: {problem}. Rows that were kept are safe; the study can "
                "be resumed.",
                path=self.address,
            ) from problem


def _made(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


class Lease:
    """The right to write to a bucket: an object with a name and a time, renewed while its writer is at work."""

    def __init__(self, bucket: Bucket) -> None:
        self.bucket, self.word = bucket, secrets.token_hex(8)
        found = self._found()
        if found and float(str(found["until"])) > time.time():
            raise StoreError(
                f"{bucket.address} is being written to by {told(found)}. Wait for it (at most {LEASE:g} s after it has "
                "ended without a word), or stop it; reading is possible.",
                path=bucket.address,
                owner=told(found),
            )
        self.renew()
        if self._found().get("word") != self.word:
            raise StoreError(
                f"{bucket.address}: another program began to write at the same moment.", path=bucket.address
            )

    def _found(self) -> dict[str, object]:
        if not self.bucket.files.exists(self.bucket._at(LOCK)):
            return {}
        try:
            found: dict[str, object] = json.loads(self.bucket.get(LOCK))
            return found if "until" in found else {}
        except ValueError:
            return {}

    def renew(self) -> None:
        self.until = time.time() + LEASE
        self.bucket.put(LOCK, json.dumps({**myself(), "word": self.word, "until": self.until}).encode())

    def keep(self) -> None:
        """Renew it where half of its time is over; StoreError where somebody else has taken it."""
        if time.time() < self.until - LEASE / 2:
            return
        if self._found().get("word") != self.word:
            raise StoreError(
                f"{self.bucket.address} was taken over by {told(self._found())}.", path=self.bucket.address
            )
        self.renew()

    def release(self) -> None:
        self.bucket.remove(LOCK)


class BucketWriter:
    """A store in a bucket that is written to, by one program at a time."""

    def __init__(self, bucket: Bucket) -> None:
        self.bucket, self.lease = bucket, Lease(bucket)
        try:
            bucket.fetch()  # others may have written since the copy was made
            self.writer = Writer(bucket.folder)
            self.sent = set(self.writer.sealed)
            self.known = set(bucket.names())
            self._send_sealed()
        except BaseException:
            self.lease.release()
            raise
        self.done = self.writer.done

    def add(self, block: Block) -> None:
        """Keep rows: their objects are there when this returns."""
        self.lease.keep()
        for shard, part in self.writer.parts(block):
            name = f"{ROWS}/{shard:06d}/{part.first:012d}.bin"
            self.bucket.put(name, journal.packed(part))
            self.known.add(name)
        self.writer.add(block)
        self._send_sealed()

    def _send_sealed(self) -> None:
        """Send the shards that were completed since, then the log, then take their rows away."""
        fresh = self.writer.sealed - self.sent
        if not fresh and LOG in self.known:
            return
        files = [name for name in files_in(self.bucket.folder) if "/c/" in name and not name.startswith(JOURNALS)]
        self.bucket.send([name for name in files if name not in self.known])
        self._send_log()
        for name in [one for one in self.known if one.startswith(f"{ROWS}/") and int(one.split("/")[1]) in fresh]:
            self.bucket.remove(name)
            self.known.discard(name)
        self.known.update(files)
        self.sent |= fresh

    def _send_log(self) -> None:
        self.bucket.send([LOG])
        self.known.add(LOG)

    def note(self, what: str) -> None:
        self.writer.note(what)
        self._send_log()

    def close(self) -> None:
        """Let others write."""
        self.writer.close()
        self.lease.release()
