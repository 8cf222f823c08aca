"""Names of symbols: what may be one, several said at once, and the names that come with a coordinate."""

from __future__ import annotations

import keyword
import re

from cardan.errors import ModelError

RANGE = re.compile(r"(?P<stem>[^\W\d]\w*?)(?P<first>\d*):(?P<end>\d+)")
LONGEST_RANGE = 1000  # names in one range; more is a slip of the keyboard


def listed_names(text: str) -> tuple[tuple[str, ...], bool]:
    """Names separated by commas or blanks, ranges as in SymPy ("q1:4" is q1, q2, q3), and whether there was a range."""
    words = text.replace(",", " ").split() if isinstance(text, str) else []
    names = [name for word in words for name in (_counted(word) if ":" in word else (word,))]
    return tuple(names), any(":" in word for word in words)


def _counted(word: str) -> list[str]:
    found = RANGE.fullmatch(word)
    if found is None:
        raise ModelError(
            f'{word!r} is no range of names. Write "q1:4" for q1, q2, q3, or the names themselves.',
            name=word,
        )
    first, end = int(found["first"] or 0), int(found["end"])
    if not first < end <= first + LONGEST_RANGE:
        raise ModelError(
            f"The range {word!r} has {max(end - first, 0)} names (the end does not count), not 1 to {LONGEST_RANGE}.",
            name=word,
        )
    return [f"{found['stem']}{k}" for k in range(first, end)]


def symbol_name(name: str, what: str) -> str:
    """The name, refused unless it can be written in an expression."""
    if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):
        why = "is a name of Python itself" if isinstance(name, str) and keyword.iskeyword(name) else "is no name"
        raise ModelError(
            f"{what}: {name!r} {why}; it stands in expressions, model files and C code. Use letters, digits and "
            "underscores, beginning with a letter, as in theta_1.",
            name=name,
        )
    return name


def names_beside(coordinate: str) -> tuple[str, str]:
    """Names of the symbols that a coordinate brings along."""
    return f"{coordinate}_dot", f"{coordinate}_ddot"


def names_of_quaternion(name: str) -> tuple[str, ...]:
    """Names of the symbols that a unit quaternion brings along."""
    return (*(f"{name}_{part}" for part in "wxyz"), *(f"omega_{name}_{axis}" for axis in "xyz"))
