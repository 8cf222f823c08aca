"""Dry friction of a robot's joints: a force of given size, which sticks where no stops are in the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cardan.formats.document import Entry

WIDTH = 0.01  # rad/s or m/s, the units of robot files: over which friction turns where only a smooth law is possible


def friction_of(rate: str, force: float) -> Entry:
    """Friction of this force against the velocity ``rate``, as an entry of a model file."""
    return {"on": rate, "coefficient": force, "normal": 1}


def softened(frictions: Sequence[Entry], stops: Sequence[Entry]) -> Iterator[str]:
    """Sticking is not found together with stops: there a smooth law is used, and that is said."""
    if not stops:
        return
    for one in frictions:
        one |= {"law": "tanh", "width": WIDTH}
        yield f"dry friction on {one['on']} is smooth (width {WIDTH:g}), since there are stops"
