"""Model files written: starters for ``cardan new``, and what was imported."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from cardan.errors import FileError, StoreError, UnknownName, suggestion
from cardan.formats.document import Data
from cardan.formats.file_kinds import YAML
from cardan.formats.storing import written_beside

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
        question = suggestion(like, texts)
        raise UnknownName(f"There is no starter {like!r}.{question} Known: {', '.join(texts)}.", name=like)
    return _written(path, texts[like], replace)


def write_model(data: Mapping[str, Data], path: str | Path, remark: str, *, replace: bool = False) -> Path:
    """Write the data of a model file; an existing file is kept unless ``replace`` is set."""
    return _written(path, model_text(data, remark), replace)


def model_text(data: Mapping[str, Data], remark: str) -> str:
    """The text of a model file."""
    import yaml

    text = yaml.safe_dump(dict(data), sort_keys=False, default_flow_style=None, width=120, allow_unicode=True)
    return f"# {' '.join(remark.split())}\n{text}"


def _written(path: str | Path, text: str, replace: bool) -> Path:
    target = Path(path)
    if target.suffix.lower() not in YAML.endings:
        raise _refused(target, f"should end with {YAML.endings[0]}")
    try:
        if target.exists() and not replace:
            raise _refused(target, "exists already and was kept")
        with written_beside(target) as part:
            part.write_text(text, encoding="utf-8", newline="\n")
    except StoreError as problem:
        raise FileError(str(problem), file=str(target), line=0, field="") from None
    return target


def _refused(target: Path, why: str) -> FileError:
    return FileError(f"{target} {why}.", file=str(target), line=0, field="")
