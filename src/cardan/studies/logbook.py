"""The log of a study: lines of JSON that are only ever added, each with its own hash."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from cardan.errors import StoreError
from cardan.studies.hashing import canonical

LOG = "log.jsonl"


def written(path: Path, line: dict[str, Any]) -> None:
    """Add a line and have it written to the disk."""
    text = canonical(line)
    with path.open("ab") as stream:
        stream.write(text + b"\t" + _seal(text) + b"\n")
        stream.flush()
        os.fsync(stream.fileno())


def lines(path: Path) -> tuple[list[dict[str, Any]], int]:
    """(intact lines, how many bytes at the end are torn); StoreError where a line before the last is damaged."""
    if not path.is_file():
        return [], 0
    whole = path.read_bytes()
    found: list[dict[str, Any]] = []
    at = 0
    for part in whole.splitlines(keepends=True):
        text, _, seal = part.rstrip(b"\n").rpartition(b"\t")
        if not part.endswith(b"\n") or seal != _seal(text):
            if at + len(part) < len(whole):
                raise StoreError(f"{path} is damaged in line {len(found) + 1}.", path=str(path))
            return found, len(part)
        found.append(json.loads(text))
        at += len(part)
    return found, 0


def mended(path: Path) -> None:
    """Cut a torn last line off."""
    torn = lines(path)[1]
    if torn:
        with path.open("r+b") as stream:
            stream.truncate(path.stat().st_size - torn)


def _seal(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest()[:16].encode()
