"""A curve drawn with characters, for a terminal: Braille dots, two by four to a character."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

BLANK = 0x2800
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # by row and column within a character
ACROSS, DOWN = 2, 4

Dots = NDArray[np.bool_]


def draw_curve(
    x: ArrayLike,
    y: ArrayLike,
    *,
    marks: Sequence[float] = (),
    level: float | None = None,
    width: int = 64,
    height: int = 9,
    plain: bool = False,
) -> str:
    """The curve y(x) with axes; vertical lines at ``marks``, a dotted horizontal one at ``level``.

    ``plain`` keeps to ASCII, for terminals that cannot show Braille.
    """
    xs, ys = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    low, high = _range(ys, level)
    columns, rows = width * ACROSS, height * DOWN
    across = np.linspace(xs[0], xs[-1], columns)
    lines = _line((high - np.interp(across, xs, ys)) / (high - low) * (rows - 1), rows)
    extra = np.zeros_like(lines)
    for mark in marks:
        extra[::2, round((mark - xs[0]) / (xs[-1] - xs[0]) * (columns - 1))] = True
    if level is not None:
        extra[round((high - level) / (high - low) * (rows - 1)), ::4] = True
    text = _ascii(lines, extra) if plain else _braille(lines | extra)
    labels = {0: f"{high:.3g}", height - 1: f"{low:.3g}"}
    margin = max(len(label) for label in labels.values())
    side = "|" if plain else "│"
    body = [f"{labels.get(k, ''):>{margin}} {side}{row}" for k, row in enumerate(text)]
    ends = f"{xs[0]:<{width - 8}g}{xs[-1]:>8g}"
    return "\n".join([*body, f"{'':>{margin}}  {ends}"])


def _range(ys: NDArray[np.float64], level: float | None) -> tuple[float, float]:
    low, high = float(np.min(ys)), float(np.max(ys))
    if level is not None:
        low, high = min(low, level), max(high, level)
    room = 0.04 * (high - low) or 1.0
    return low - room, high + room


def _line(heights: NDArray[np.float64], rows: int) -> Dots:
    """Dots of a connected curve: every column covers the way to the next height."""
    k = np.clip(np.rint(heights).astype(int), 0, rows - 1)
    dots = np.zeros((rows, len(k)), dtype=bool)
    for column, (here, there) in enumerate(zip(k, np.append(k[1:], k[-1]), strict=True)):
        first, last = (here, there) if here <= there else (there + 1, here)
        dots[first : max(last, first + 1), column] = True
        dots[here, column] = True
    return dots


def _cells(dots: Dots) -> NDArray[np.bool_]:
    """Dots by character: (row of characters, character, dot row, dot column)."""
    rows, columns = dots.shape
    return dots.reshape(rows // DOWN, DOWN, columns // ACROSS, ACROSS).swapaxes(1, 2)


def _braille(dots: Dots) -> list[str]:
    codes = (_cells(dots) * np.array(DOTS)).sum(axis=(2, 3)) + BLANK
    return ["".join(map(chr, row)) for row in codes.tolist()]


def _ascii(lines: Dots, extra: Dots) -> list[str]:
    on, beside = _cells(lines).any(axis=(2, 3)), _cells(extra).any(axis=(2, 3))
    letters = np.where(on, "*", np.where(beside, ":", " "))
    return ["".join(row) for row in letters.tolist()]
