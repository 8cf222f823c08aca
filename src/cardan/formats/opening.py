"""Files opened with a limit: what cannot be read raises FileError."""

from __future__ import annotations

from pathlib import Path

from cardan.errors import FileError


def read_bytes(path: str | Path, most: int) -> bytes:
    """The content of a file up to one byte more than ``most``, so that the caller sees whether there is more."""
    name = str(path)
    if not Path(path).is_file():
        raise FileError(f"{name} is no file. Check the path.", file=name, line=0, field="")
    try:
        with open(path, "rb") as stream:
            return stream.read(most + 1)
    except OSError as problem:
        raise FileError(f"{name} cannot be read: {problem.strerror or problem}.", file=name, line=0, field="") from None
