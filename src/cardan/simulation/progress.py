"""How far a motion has come, told while it is computed; and a way to end it early with what there is.

The native loops come back to Python after a bounded number of steps. Between two of them an observer, set around the
call that simulates, hears the time reached; where it returns False the motion ends there with status "interrupted".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Observer = Callable[[float], bool]

_observer: ContextVar[Observer | None] = ContextVar("observer", default=None)


@contextmanager
def observed(observer: Observer) -> Iterator[None]:
    """Motions computed inside tell ``observer`` the time they have reached, and stop where it returns False."""
    token = _observer.set(observer)
    try:
        yield
    finally:
        _observer.reset(token)


def is_observed() -> bool:
    """Whether somebody listens already."""
    return _observer.get() is not None


def goes_on(t: float) -> bool:
    """Tell the observer, if there is one; whether the motion is to be continued."""
    observer = _observer.get()
    return observer is None or observer(t)
