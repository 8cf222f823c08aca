"""Files opened with a limit: what cannot be read, or is larger, raises FileError."""

from __future__ import annotations

from pathlib import Path

from cardan.errors import FileError
from cardan.formats.document import located


def read_bytes(path: str | Path, most: int) -> bytes:
    """The content of a file of at most ``most`` bytes."""
    name = str(path)
    if not Path(path).is_file():
        raise FileError(f"{name} is no file. Check the path.", file=name, line=0, field="")
    try:
        with open(path, "rb") as stream:
            content = stream.read(most + 1)  # one more than allowed shows that there is more
    except OSError as problem:
        raise FileError(f"{name} cannot be read: {problem.strerror or problem}.", file=name, line=0, field="") from None
    require_size(content, most, name)
    return content


def require_size(content: bytes, most: int, file: str) -> None:
    """Refuse content of more than ``most`` bytes."""
    if len(content) > most:
        size = f"{most // 1024**2} MiB" if most >= 1024**2 else f"{most // 1024} KiB"
        raise located(file, 1, "", f"the file is larger than {size}, the most that is read.")
