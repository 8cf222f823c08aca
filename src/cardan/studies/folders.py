"""Folders of results: written beside their place, flushed to the disk and moved there."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cardan.errors import StoreError
from cardan.studies.hashing import MANIFEST, flushed


@contextmanager
def folder_beside(path: Path) -> Iterator[Path]:
    """A folder to write to; what it holds afterwards takes the place of ``path``, which may be older results.

    A folder that does not hold results of Cardan is never replaced.
    """
    target = Path(os.path.abspath(path))
    part = target.with_name(f".{target.name}.{secrets.token_hex(6)}.part")
    try:
        if target.exists() and not (target / MANIFEST).is_file():
            raise StoreError(f"{str(path)!r} exists and holds no results of Cardan; it was kept.", path=str(path))
        part.mkdir()
        try:
            yield part
            for file in sorted(one for one in part.rglob("*") if one.is_file()):
                flushed(file)
            _moved(part, target)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except OSError as problem:
        why = problem.strerror or str(problem)
        raise StoreError(f"{str(path)!r} cannot be written: {why}.", path=str(path)) from None


def _moved(part: Path, target: Path) -> None:
    """Put a finished folder in its place; an older one is out of the way only once the new one is complete."""
    old = None
    if target.exists():
        old = target.with_name(f".{target.name}.{secrets.token_hex(6)}.old")
        os.replace(target, old)
    os.replace(part, target)
    flushed(target.parent)
    if old is not None:
        shutil.rmtree(old, ignore_errors=True)
