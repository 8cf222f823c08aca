"""The store of a study: a folder that survives whoever writes it.

    study.zarr/
      manifest.json       the plan, how it was made, the SHA-256 of what never changes; sealed
      model.yaml          the system and the settings that all rows share
      zarr.json, values, numbers, states, ended, status    Zarr v3, sharded, CRC32C on every chunk
      journal/000003.bin  rows of a shard that is not complete yet, each record with its CRC
      log.jsonl           who wrote when, and each complete shard with the SHA-256 of its files; only added to
      writer.lock         held by the one who writes

A row is appended to the journal of its shard and flushed to the disk; then it counts. When all rows of a shard are
there, the shard is written, flushed, entered into the log with its hashes, and its journal is removed.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardan.errors import StoreError
from cardan.formats.write import model_text
from cardan.studies import journal, logbook
from cardan.studies.arrays import create, put
from cardan.studies.folders import folder_beside
from cardan.studies.hashing import (
    MANIFEST,
    circumstances,
    damages,
    digest,
    files_in,
    flushed,
    read_sealed,
    sealed,
)  # fmt: skip
from cardan.studies.logbook import LOG
from cardan.studies.owning import LOCK, Ownership, myself
from cardan.studies.rows import STATUS, Block
from cardan.studies.setup import Setup

KIND, VERSION = "cardan study", 1
MODEL, JOURNALS = "model.yaml", "journal"
SHARD_BYTES, CHUNK_BYTES = 32 << 20, 1 << 18
MOST_ROWS = 1 << 16  # of a shard


@dataclass(frozen=True)
class Layout:
    """How many rows and numbers there are, and how many rows to a chunk and to a shard."""

    rows: int
    width: int
    times: int
    state: int
    per_chunk: int
    per_shard: int

    @classmethod
    def of(cls, rows: int, width: int, times: int, state: int) -> Layout:
        each = 8 * (width + times * state + 2)
        chunk = int(np.clip(CHUNK_BYTES // each, 16, 8192))
        chunks = max(1, min(SHARD_BYTES // (each * chunk), MOST_ROWS // chunk, -(-rows // chunk)))
        return cls(rows, width, times, state, chunk, chunk * chunks)

    @property
    def shards(self) -> int:
        return -(-self.rows // self.per_shard)

    def span(self, shard: int) -> tuple[int, int]:
        """First row of a shard, and the one behind its last."""
        return shard * self.per_shard, min((shard + 1) * self.per_shard, self.rows)

    def shapes(self) -> dict[str, tuple[tuple[int, ...], str]]:
        found: dict[str, tuple[tuple[int, ...], str]] = {
            "numbers": ((self.rows, self.width), "<f8"),
            "ended": ((self.rows,), "<f8"),
            "status": ((self.rows,), "<i2"),
        }
        return found | ({"states": ((self.rows, self.times, self.state), "<f8")} if self.times else {})


def create_store(path: Path, setup: Setup, facts: dict[str, Any], layout: Layout) -> None:
    """Make an empty store; ``facts`` are what readers want to know of the model: names of coordinates."""
    import zarr

    with folder_beside(path) as folder:
        (folder / JOURNALS).mkdir()
        (folder / MODEL).write_text(model_text(setup.data, "a study kept by Cardan"), encoding="utf-8", newline="\n")
        group = zarr.open_group(str(folder), mode="a")
        put(group, {"values": setup.values})
        for name, (shape, kind) in layout.shapes().items():
            create(group, name, shape, kind, layout.per_chunk, layout.per_shard // layout.per_chunk)
        content = {
            "kind": KIND, "version": VERSION, "plan": setup.as_plan(), "digest": setup.digest(), "facts": facts,
            "layout": vars(layout), "status": list(STATUS), "made": circumstances(), "owner": myself(),
            "files": {name: digest(folder / name) for name in files_in(folder)},
        }  # fmt: skip
        (folder / MANIFEST).write_bytes(sealed(content))


def manifest_of(path: Path) -> dict[str, Any]:
    """The manifest of a study."""
    if not (path / MANIFEST).is_file():
        raise StoreError(f"{path} holds no study: it has no {MANIFEST}.", path=str(path))
    found = read_sealed(path / MANIFEST)
    if found.get("kind") != KIND or found.get("version") != VERSION:
        told = f"{found.get('kind')!r}, version {found.get('version')!r}"
        raise StoreError(f"{path} is {told}; expected {KIND!r}, version {VERSION}.", path=str(path))
    return found


class Reader:
    """A store that is read: complete shards from Zarr, the rest from the journals."""

    def __init__(self, path: Path) -> None:
        import zarr

        self.path = path
        self.manifest = manifest_of(path)
        self.layout = Layout(**self.manifest["layout"])
        for name, known in self.manifest["files"].items():
            if "/c/" not in name and not ((path / name).is_file() and digest(path / name) == known):
                raise StoreError(f"{path}: {name} is missing or has changed.", path=str(path), file=name)
        self.group = zarr.open_group(str(path), mode="r")
        self.sealed, self.reasons = self._from_log()

    def _from_log(self) -> tuple[set[int], dict[int, str]]:
        shards: set[int] = set()
        reasons: dict[int, str] = {}
        for line in logbook.lines(self.path / LOG)[0]:
            if line["what"] == "shard":
                shards.add(int(line["shard"]))
                reasons |= {int(row): text for row, text in line["reasons"].items()}
        return shards, reasons

    def journalled(self) -> Iterator[tuple[int, Block]]:
        """(shard, block) of every intact record of shards that are not complete."""
        for file in sorted((self.path / JOURNALS).glob("*.bin")):
            shard = int(file.stem)
            if shard not in self.sealed:
                yield from ((shard, block) for _, block in journal.records(file) if block is not None)

    def array(self, name: str) -> NDArray[Any]:
        """A whole array, with what the journals hold."""
        found, broken = self.intact(name)
        if broken:
            raise StoreError(
                f"{self.path}: {len(broken)} of {self.layout.shards} shards of the array {name!r} are damaged. "
                "study.verify() lists what is; cd.load_study(path, damaged=True) reads the rest.",
                path=str(self.path),
                shards=broken,
            )
        return found

    def intact(self, name: str) -> tuple[NDArray[Any], list[int]]:
        """An array without what is damaged, and the shards that are."""
        layout, broken = self.layout, []
        shape, kind = layout.shapes()[name]
        found = np.full(shape, np.nan if "f" in kind else 0, dtype=kind)
        for shard in sorted(self.sealed):
            a, b = layout.span(shard)
            try:
                found[a:b] = self.group[name][a:b]
            except Exception:
                broken.append(shard)
        for _, block in self.journalled():
            found[block.first : block.first + len(block)] = getattr(block, name)
            self.reasons |= block.reasons
        return found, broken

    def verify(self) -> list[str]:
        """Everything that is damaged, in words; empty where nothing is."""
        known = dict(self.manifest["files"])
        found: list[str] = []
        try:
            log, torn = logbook.lines(self.path / LOG)
        except StoreError as problem:
            return [str(problem)]
        found += [f"{LOG} ends with {torn} torn bytes"] if torn else []
        for line in log:
            known |= line.get("files", {})
        begun = {name for name in files_in(self.path) if name not in known and "/c/" in name}
        found += [f"{name} was not finished by who wrote it; resuming writes it again" for name in sorted(begun)]
        own = {LOG, LOCK} | begun
        journals = [name for name in files_in(self.path) if name.startswith(f"{JOURNALS}/")]
        there = damages(self.path, known)
        found += [one for one in there if one.split()[0] not in own and one.split()[0] not in journals]
        for name in journals:
            if any(block is None for _, block in journal.records(self.path / name)):
                found.append(f"{name} has a torn or changed record")
        return found


class Writer:
    """A store that is written to, by one program at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.manifest = manifest_of(path)
        self.layout = Layout(**self.manifest["layout"])
        self.ownership = Ownership(path)
        try:
            self._begin()
        except BaseException:
            self.ownership.release()
            raise

    def _begin(self) -> None:
        import zarr

        logbook.mended(self.path / LOG)
        reader = Reader(self.path)
        self.sealed = reader.sealed
        self.done = np.zeros(self.layout.rows, dtype=bool)
        for shard in self.sealed:
            a, b = self.layout.span(shard)
            self.done[a:b] = True
        for file in sorted((self.path / JOURNALS).glob("*.bin")):
            if int(file.stem) in self.sealed:
                file.unlink()
            else:
                journal.mended(file)
        for _, block in reader.journalled():
            self.done[block.first : block.first + len(block)] = True
        self.group = zarr.open_group(str(self.path), mode="r+")
        self._log({"what": "opened", "by": myself(), "done": int(self.done.sum()), "made": circumstances()})
        for shard in range(self.layout.shards):
            self._seal_if_complete(shard)

    def add(self, block: Block) -> None:
        """Keep rows: they are on the disk when this returns."""
        for shard, part in self.parts(block):
            self._guarded(lambda s=shard, p=part: journal.append(self._journal(s), journal.packed(p)))
            self.done[part.first : part.first + len(part)] = True
            self._seal_if_complete(shard)

    def parts(self, block: Block) -> Iterator[tuple[int, Block]]:
        """The block, cut where shards end."""
        first, last = block.first, block.first + len(block)
        for shard in range(first // self.layout.per_shard, (last - 1) // self.layout.per_shard + 1):
            a, b = self.layout.span(shard)
            lo, hi = max(a, first) - first, min(b, last) - first
            rows = range(first + lo, first + hi)
            yield shard, Block(
                first + lo, block.numbers[lo:hi], block.states[lo:hi], block.status[lo:hi], block.ended[lo:hi],
                {row: text for row, text in block.reasons.items() if row in rows}, block.seconds,
            )  # fmt: skip

    def _journal(self, shard: int) -> Path:
        return self.path / JOURNALS / f"{shard:06d}.bin"

    def _seal_if_complete(self, shard: int) -> None:
        a, b = self.layout.span(shard)
        if shard not in self.sealed and self.done[a:b].all():
            self._guarded(lambda: self._seal(shard, a, b))

    def _seal(self, shard: int, a: int, b: int) -> None:
        """Write a complete shard, enter it into the log, and remove its journal."""
        arrays = {name: np.empty((b - a, *shape[1:]), kind) for name, (shape, kind) in self.layout.shapes().items()}
        reasons: dict[int, str] = {}
        for _, block in journal.records(self._journal(shard)):
            assert block is not None, "journals are mended before they are sealed"
            for name, table in arrays.items():
                table[block.first - a : block.first - a + len(block)] = getattr(block, name)
            reasons |= block.reasons
        before = {name: _stamp(self.path / name) for name in files_in(self.path)}
        for name, table in arrays.items():
            self.group[name][a:b] = table
        files = [name for name in files_in(self.path) if before.get(name) != _stamp(self.path / name)]
        for name in files:
            flushed(self.path / name)
        hashes = {name: digest(self.path / name) for name in files}
        self._log({"what": "shard", "shard": shard, "rows": [a, b], "files": hashes, "reasons": reasons})
        self.sealed.add(shard)
        self._journal(shard).unlink()

    def note(self, what: str) -> None:
        """Enter into the log what happened to workers."""
        self._log({"what": "happened", "told": what})

    def _log(self, line: dict[str, Any]) -> None:
        self._guarded(lambda: logbook.written(self.path / LOG, line))

    def _guarded(self, write: Any) -> None:
        try:
            write()
        except OSError as problem:
            full = problem.errno in (errno.ENOSPC, errno.EDQUOT) if hasattr(errno, "EDQUOT") else False
            why = "the disk is full" if full else problem.strerror or str(problem)
            raise StoreError(
                f"{self.path} cannot be written to: {why}. Rows that were kept are safe; the study can be resumed.",
                path=str(self.path),
            ) from None

    def close(self) -> None:
        """Let others write."""
        self.ownership.release()


def _stamp(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_mtime_ns, found.st_size
