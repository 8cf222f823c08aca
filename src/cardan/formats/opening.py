"""Files opened with a limit: what cannot be read, or is larger, raises FileError."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

from cardan.errors import FileError
from cardan.formats.document import located


def read_bytes(path: str | Path, most: int) -> bytes:
    """The content of a file of at most ``most`` bytes."""
    name = str(path)
    if not Path(path).is_file():
        raise FileError(f"{name} is no file. Check the path.", file=name, line=0, field="")
    try:
        with open_plain(path) as stream:
            content = stream.read(most + 1)  # one more than allowed shows that there is more
    except OSError as problem:
        raise FileError(f"{name} cannot be read: {problem.strerror or problem}.", file=name, line=0, field="") from None
    require_size(content, most, name)
    return content


def open_plain(path: str | Path) -> BinaryIO:
    """A plain file, opened to be read; a pipe or device, for which one could wait for ever, is an OSError."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is no plain file")
        return os.fdopen(descriptor, "rb")
    except OSError:
        os.close(descriptor)
        raise


def require_size(content: bytes, most: int, file: str) -> None:
    """Refuse content of more than ``most`` bytes."""
    if len(content) > most:
        size = f"{most // 1024**2} MiB" if most >= 1024**2 else f"{most // 1024} KiB"
        raise located(file, 1, "", f"the file is larger than {size}, the most that is read.")
