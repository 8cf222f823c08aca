"""Files of results: written beside their place and moved there in one step.

Whoever reads a file sees the old one or the whole new one, also where the program was killed while it wrote.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cardan.errors import StoreError


@contextmanager
def written_beside(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A path to write to, with the same ending; what it holds afterwards takes the place of ``path``.

    A place that is no plain file (a pipe, a terminal) cannot be replaced and is written to directly.
    """
    target = Path(os.path.realpath(path))
    try:
        if target.exists() and not target.is_file():
            yield target
            return
        part = target.with_name(f".{target.stem[:80]}.{secrets.token_hex(6)}.part{target.suffix}")
        try:
            os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))  # as any new file of this user
            yield part
            os.replace(part, target)
        finally:
            with suppress(OSError):
                part.unlink()
    except OSError as problem:
        why = problem.strerror or str(problem)
        raise StoreError(f"{str(path)!r} cannot be written: {why}.", file=str(path), path=str(path)) from None
