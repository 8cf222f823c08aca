"""Docstrings as Sphinx reads them: the house writes prose with ``code`` and indented formulas, not reStructuredText."""

from __future__ import annotations

import re
from collections.abc import Iterator

CODE = re.compile(r"(``.+?``|`[^`]+`)")
MARKS = re.compile(r"([*|\\]|(?<=\w)_(?=\W|$))")
FIELD = re.compile(r"^:\w")


def prose(line: str) -> str:
    """A line in which stars, bars and trailing underscores are letters; code is left alone."""
    parts = CODE.split(line)
    return "".join(one if one.startswith("`") else MARKS.sub(r"\\\1", one) for one in parts)


def markup(lines: list[str]) -> Iterator[str]:
    """The docstring as reStructuredText: indented lines are shown as they are typed, the rest is prose and lists."""
    verbatim = listed = False
    before = ""
    for line in lines:
        indented = line.startswith("    ")
        if indented and not verbatim and not listed and not before.strip():
            yield "::"
            yield ""
            verbatim = True
        elif line.strip() and not indented:
            verbatim = False
            starts = bool(re.match(r"\s*(-|\*|\d+\.) ", line))
            if starts and before.strip() and not listed:
                yield ""
            listed = starts or (listed and line.startswith(" "))
        yield line if verbatim else prose(line)
        before = line
    yield ""


def rewrite(app: object, what: str, name: str, item: object, options: object, lines: list[str]) -> None:
    lines[:] = list(markup(lines))


def setup(app: object) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", rewrite)  # type: ignore[attr-defined]
    return {"parallel_read_safe": True}
