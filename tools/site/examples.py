"""Examples of the reference: docs/reference/*.md has a heading for each name, and under it a block that runs."""

from __future__ import annotations

import contextlib
import io
import os
import re
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path

from tools.site.places import ROOT

FOLDER = ROOT / "docs" / "reference"
PART = re.compile(r"^### `([\w.]+)`\n(.*?)(?=^#|\Z)", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Example:
    """A few lines about one name, and what they printed."""

    code: str
    printed: str


def written() -> dict[str, str]:
    """The lines about each name, as they are in the files."""
    found = {}
    for page in sorted(FOLDER.glob("*.md")):
        for part in PART.finditer(page.read_text(encoding="utf-8")):
            found[part[1]] = "\n".join(block[1] for block in BLOCK.finditer(part[2]))
    return found


def executed() -> dict[str, Example]:
    """Every example, run in the order of its page, after the lines that the page begins with."""
    home = Path.cwd()
    found: dict[str, Example] = {}
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("error")
        os.chdir(folder)
        try:
            for page in sorted(FOLDER.glob("*.md")):
                found |= _page(page)
        finally:
            os.chdir(home)
    return found


def _page(page: Path) -> dict[str, Example]:
    text = page.read_text(encoding="utf-8")
    session: dict[str, object] = {"__name__": "__main__"}
    found, names = {}, [(part.start(), part[1]) for part in PART.finditer(text)]
    for block in BLOCK.finditer(text):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * text[: block.start(1)].count("\n") + block[1], str(page), "exec"), session)
        name = next((name for start, name in reversed(names) if start < block.start()), None)
        if name is not None:
            found[name] = Example(block[1].rstrip(), printed.getvalue().rstrip())
    return found
