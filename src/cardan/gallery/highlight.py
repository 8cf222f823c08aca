"""Python in colours: program text as HTML with a class on every keyword, string, number and comment."""

from __future__ import annotations

import io
import keyword
import tokenize
from html import escape

KINDS = {tokenize.STRING: "s", tokenize.NUMBER: "n", tokenize.COMMENT: "c"}


def highlighted(code: str) -> str:
    """The text as it is, escaped, with spans."""
    lines, pieces, row, column = code.splitlines(keepends=True), [], 1, 0
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        kind = KINDS.get(token.type)
        if token.type == tokenize.NAME and keyword.iskeyword(token.string):
            kind = "k"
        if kind is None:
            continue
        pieces.append(escape(_between(lines, (row, column), token.start)))
        pieces.append(f'<span class="{kind}">{escape(token.string)}</span>')
        row, column = token.end
    pieces.append(escape(_between(lines, (row, column), (len(lines) + 1, 0))))
    return "".join(pieces)


def _between(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    """Text from one place (line from 1, column from 0) to another."""
    if start[0] == end[0]:
        return lines[start[0] - 1][start[1] : end[1]] if start[0] <= len(lines) else ""
    first = lines[start[0] - 1][start[1] :] if start[0] <= len(lines) else ""
    last = lines[end[0] - 1][: end[1]] if end[0] <= len(lines) else ""
    return first + "".join(lines[start[0] : end[0] - 1]) + last
