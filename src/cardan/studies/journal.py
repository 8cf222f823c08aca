"""Journals: records appended to a file, each with its CRC, flushed to the disk before it counts.

    record = b"CRDN", length of the head, length of the body, CRC-32 of what follows, head (JSON), body (raw numbers)

A program that is killed leaves at most a torn last record, which is told apart by its CRC and left out.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

import numpy as np

from cardan.studies.rows import Block

MAGIC = b"CRDN"
FRAME = struct.Struct("<4sIQI")


def packed(block: Block) -> bytes:
    """A block as one record."""
    head = {"first": block.first, "rows": len(block), "width": block.numbers.shape[1], "times": block.states.shape[1],
            "state": block.states.shape[2], "reasons": {str(k): v for k, v in block.reasons.items()},
            "seconds": block.seconds}  # fmt: skip
    body = b"".join(
        np.ascontiguousarray(part, kind).tobytes()
        for part, kind in ((block.numbers, "<f8"), (block.states, "<f8"), (block.ended, "<f8"), (block.status, "<i2"))
    )
    text = json.dumps(head, separators=(",", ":")).encode()
    return FRAME.pack(MAGIC, len(text), len(body), zlib.crc32(body, zlib.crc32(text))) + text + body


def unpacked(text: bytes, body: bytes) -> Block:
    """The block of a record."""
    head = json.loads(text)
    n, width, times, state = (int(head[key]) for key in ("rows", "width", "times", "state"))
    sizes = [8 * n * width, 8 * n * times * state, 8 * n, 2 * n]
    places = np.cumsum([0, *sizes])
    parts = [body[a:b] for a, b in pairwise(places)]
    numbers, states, ended = (np.frombuffer(part, "<f8").copy() for part in parts[:3])
    return Block(
        int(head["first"]), numbers.reshape(n, width), states.reshape(n, times, state),
        np.frombuffer(parts[3], "<i2").astype(np.int16), ended, {int(k): v for k, v in head["reasons"].items()},
        float(head["seconds"]),
    )  # fmt: skip


def records(path: Path) -> Iterator[tuple[int, Block | None]]:
    """(end of the record, its block) of every intact record; last (place, None) where the file is torn or changed."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        at = 0
        while at < size:
            frame = stream.read(FRAME.size)
            block = _read(stream, frame, size - at)
            if block is None:
                yield at, None
                return
            at = stream.tell()
            yield at, block


def _read(stream: BinaryIO, frame: bytes, left: int) -> Block | None:
    if len(frame) < FRAME.size:
        return None
    magic, head, body, crc = FRAME.unpack(frame)
    if magic != MAGIC or FRAME.size + head + body > left:
        return None
    text, numbers = stream.read(head), stream.read(body)
    return unpacked(text, numbers) if zlib.crc32(numbers, zlib.crc32(text)) == crc else None


def append(path: Path, record: bytes) -> None:
    """Add a record and have it written to the disk."""
    new = not path.exists()
    with path.open("ab") as stream:
        stream.write(record)
        stream.flush()
        os.fsync(stream.fileno())
    if new:
        from cardan.studies.hashing import flushed

        flushed(path.parent)


def mended(path: Path) -> int:
    """Cut a torn end off; returns how many bytes were cut."""
    end = 0
    for place, block in records(path):
        if block is None:
            cut = path.stat().st_size - end
            with path.open("r+b") as stream:
                stream.truncate(end)
                os.fsync(stream.fileno())
            return cut
        end = place
    return 0
