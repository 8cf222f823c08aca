"""Figures to files: PNG, SVG or PDF, chosen by the ending of the name."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cardan.errors import StoreError
from cardan.formats.storing import written_beside

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIGURES = (".png", ".svg", ".pdf")


def checked(path: str | os.PathLike[str], endings: Sequence[str], what: str = "A figure") -> Path:
    """The path, where its ending is one of these and its folder exists."""
    target = Path(path)
    if target.suffix.lower() not in endings:
        known = ", ".join(endings[:-1]) + f" or {endings[-1]}"
        raise StoreError(
            f"{what} is written as {known}, by the ending of its name; found {target.name!r}.",
            path=str(target),
            endings=tuple(endings),
        )
    if not target.parent.is_dir():
        raise StoreError(f"There is no folder {str(target.parent)!r} to write {target.name!r} to.", path=str(target))
    return target


def save(figure: Figure, path: str | os.PathLike[str] | None) -> None:
    """Write a figure where a path is given; the same figure gives the same file."""
    if path is None:
        return
    target = checked(path, FIGURES)
    nameless: dict[str, dict[str, None]] = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    with written_beside(target) as part:
        figure.savefig(part, metadata=nameless[target.suffix.lower()])
