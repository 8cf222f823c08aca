"""What a user asks a run to watch for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cardan.errors import ModelError

if TYPE_CHECKING:
    import sympy as sp


class Event:
    """Something to watch for: a zero of ``expression`` of (t, q, v), crossed in ``direction`` (+1, -1, 0 for both)."""

    def __init__(self, expression: sp.Expr, direction: int = 0, terminal: bool = False, name: str = "") -> None:
        if direction not in (-1, 0, 1):
            raise ModelError(f"Event direction is -1, 0 or +1, found {direction!r}.", direction=direction)
        self.expression, self.direction, self.terminal = expression, direction, terminal
        self.name = name or str(expression)


def checked_events(events: Sequence[Event] | Event) -> list[Event]:
    """The events as a list; what is none is refused."""
    found = [events] if isinstance(events, Event) else list(events)
    for event in found:
        if not isinstance(event, Event):
            raise ModelError(f"{event!r} is no event. Use cd.Event(expression, direction=0, terminal=False).")
    return found
