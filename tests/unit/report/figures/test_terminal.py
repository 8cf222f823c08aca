"""A curve in characters: each dot where it belongs."""

from __future__ import annotations

import numpy as np

from cardan.report.figures.terminal import draw_curve

X = np.linspace(0.0, 10.0, 200)


def picture(text: str) -> list[str]:
    """The characters right of the axis, without the line of labels below."""
    return [line.split("│", 1)[1] for line in text.splitlines()[:-1]]


def test_a_rising_line_goes_from_the_lower_left_to_the_upper_right() -> None:
    rows = picture(draw_curve(X, X, width=20, height=5))
    assert len(rows) == 5
    assert all(len(row) == 20 for row in rows)
    filled = [(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell != "\u2800"]
    assert min(filled, key=lambda cell: cell[1])[0] == 4, "it begins in the lowest row"
    assert max(filled, key=lambda cell: cell[1])[0] == 0, "it ends in the highest"
    middle = [r for r, c in filled if c == 10]
    assert middle == [2], "half way it is half way up"


def test_marks_and_level() -> None:
    plain = draw_curve(X, np.sin(X), marks=[5.0], level=0.0, width=20, height=5, plain=True).splitlines()
    inside = [line.split("|", 1)[1] for line in plain[:-1]]
    assert all(row[10] in ":*" for row in inside), "the mark is a whole column, at half the width"
    assert all(cell in ":*" for cell in inside[2][::2]), "the level is a dotted row, in the middle"
    assert all(ord(letter) < 128 for letter in "\n".join(plain))


def test_ends_are_labelled() -> None:
    text = draw_curve(X, 3.0 + 0.0 * X, width=20, height=4)
    assert text.splitlines()[-1].split() == ["0", "10"]
    assert "4" in text.splitlines()[0], "a constant gets one unit of room on either side"
