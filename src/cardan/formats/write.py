"""Model files to start from, for ``cardan new``."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from cardan.errors import FileError, UnknownName

DEFAULT = "pendulum"


def starters() -> dict[str, str]:
    """Commented model files by name, the simplest first."""
    folder = files("cardan.formats") / "starters"
    found = {entry.name.removesuffix(".yaml"): entry for entry in folder.iterdir() if entry.name.endswith(".yaml")}
    names = sorted(found, key=lambda name: (name != DEFAULT, name))
    return {name: found[name].read_text(encoding="utf-8") for name in names}


def write_starter(path: str | Path, like: str = DEFAULT, *, replace: bool = False) -> Path:
    """Write the starter called ``like``; an existing file is kept unless ``replace`` is set."""
    texts = starters()
    if like not in texts:
        raise UnknownName(f"There is no starter {like!r}. Known: {', '.join(texts)}.", name=like)
    target = Path(path)
    if target.suffix.lower() not in (".yaml", ".yml"):
        raise _refused(target, "should end with .yaml")
    try:
        with target.open("w" if replace else "x", encoding="utf-8", newline="\n") as stream:
            stream.write(texts[like])
    except FileExistsError:
        raise _refused(target, "exists already and was kept") from None
    except OSError as problem:
        raise _refused(target, f"cannot be written: {problem.strerror}") from None
    return target


def _refused(target: Path, why: str) -> FileError:
    return FileError(f"{target} {why}.", file=str(target), line=0, field="")
